/*
 * Cartesian products A*B*..: a node is a tuple of nodes, one of each factor, and a link changes one
 * of them as a link of that factor does.  mct:R,L is the product of R trees bintree:L.
 *
 * The left factor is the most significant of the rank, as the first side of a grid is; links are
 * numbered from the last factor to the first.  So linear:2*linear:3 agrees with mesh:2x3 in every
 * link, and hypercube:1*hypercube:2 with hypercube:3.  A factor that is a product itself stands for
 * its factors.
 *
 *   distance    the sum over the factors
 *   route       corrects the first factor first, as a route of that factor does
 *   diameter    the sum over the factors
 *   source      mct: K. Efe, A. Fernandez, "Computational properties of mesh connected trees:
 *               versatile architecture for parallel computation", ICPP 1994
 */
#include "topology/layout.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/math.h"

struct product {
	int parts, factors;
	struct ls_topology *part[LSI_NUMBERS_MAX];         /* what destroy destroys */
	const struct ls_topology *factor[LSI_NUMBERS_MAX]; /* parts, and factors of parts */
};

/* ---- Making */

static struct lsi_quote quoted(const struct ls_topology *t)
{
	return lsi_quote_make(t->spec, strlen(t->spec));
}

static int fail_many(const struct ls_topology *t, struct ls_error *why)
{
	return lsi_error_set(why, LS_ERR_SPEC,
		"topology '%s' has too many factors; a product takes at "
		"most %d",
		quoted(t).text, LSI_NUMBERS_MAX);
}

static int add_factors(struct ls_topology *t, const struct ls_topology *part, struct ls_error *why)
{
	struct product *const product = t->state;
	const int factors = lsi_topology_factors(part);

	if (part->vertices > part->nodes)
		return lsi_error_set(why, LS_ERR_SPEC,
			"'%s' in topology '%s' has switches; try factors "
			"without switches, for example 'bintree:L' for a tree",
			part->spec, quoted(t).text);
	for (int i = 0; i == 0 || i < factors; i++) {
		if (product->factors == LSI_NUMBERS_MAX)
			return fail_many(t, why);
		product->factor[product->factors++] = factors ? lsi_topology_factor(part, i) : part;
	}
	return LS_OK;
}

/* The longest label of a network is that of its last node. */
static int count(struct ls_topology *t, struct ls_error *why)
{
	const struct product *const product = t->state;
	size_t label = 1;

	t->nodes = 1;
	for (int i = 0; i < product->factors; i++) {
		const struct ls_topology *f = product->factor[i];

		t->links = lsi_add_sat(lsi_mul_sat(t->links, f->nodes), lsi_mul_sat(t->nodes, f->links));
		t->nodes = lsi_mul_sat(t->nodes, f->nodes);
		t->degree = lsi_add_sat(t->degree, f->degree);
		label += (size_t)ls_label(f, f->nodes - 1, NULL, 0) + 1;
	}
	if (t->nodes > LS_NODES_MAX)
		return lsi_error_set(why, LS_ERR_SPEC,
			"topology '%s' has more than 2^62 nodes; "
			"give smaller factors",
			quoted(t).text);
	if (label >= LSI_LABEL_MAX)
		return lsi_error_set(why, LS_ERR_SPEC,
			"topology '%s' has labels of more than %d "
			"characters; give fewer factors",
			quoted(t).text, LSI_LABEL_MAX - 1);
	return LS_OK;
}

/* Make one part and take its factors `times` times. */
static int add_part(struct ls_topology *t, const char *spec, int64_t times, struct ls_error *why)
{
	struct product *const product = t->state;
	int status;

	if (!*spec)
		return lsi_error_set(why, LS_ERR_SPEC,
			"a factor is missing in topology '%s'; write "
			"'A*B' as in 'ring:3*star:3'",
			quoted(t).text);
	if (product->parts == LSI_NUMBERS_MAX)
		return fail_many(t, why);
	status = ls_topology_make(spec, &product->part[product->parts], why);
	if (status != LS_OK)
		return status;
	product->parts++;
	for (; status == LS_OK && times > 0; times--)
		status = add_factors(t, product->part[product->parts - 1], why);
	return status;
}

static int fail_memory(const struct ls_topology *t, struct ls_error *why)
{
	return lsi_error_set(why, LS_ERR_MEMORY, "no memory for topology '%s'", quoted(t).text);
}

static int init(struct ls_topology *t, struct ls_error *why)
{
	char *const parts = lsi_alloc(strlen(t->spec) + 1);
	char *at = parts;
	int status = LS_OK;

	t->state = lsi_alloc_zero(1, sizeof(struct product));
	if (!parts || !t->state) {
		lsi_free(parts);
		return fail_memory(t, why);
	}
	strcpy(parts, t->spec);
	while (at && status == LS_OK)
		status = add_part(t, strsep(&at, "*"), 1, why);
	lsi_free(parts);
	return status == LS_OK ? count(t, why) : status;
}

static int init_mct(struct ls_topology *t, struct ls_error *why)
{
	char tree[32];
	int status;

	if (t->numbers != 2)
		return lsi_error_set(why, LS_ERR_SPEC,
			"topology '%s' has %d number%s; write 'mct:R,L', "
			"R trees of L levels",
			quoted(t).text, t->numbers, t->numbers > 1 ? "s" : "");
	t->state = lsi_alloc_zero(1, sizeof(struct product));
	if (!t->state)
		return fail_memory(t, why);
	snprintf(tree, sizeof tree, "bintree:%lld", (long long)t->number[1]);
	status = add_part(t, tree, t->number[0], why);
	return status == LS_OK ? count(t, why) : status;
}

static void destroy(struct ls_topology *t)
{
	struct product *const product = t->state;

	for (int i = 0; product && i < product->parts; i++)
		ls_topology_destroy(product->part[i]);
	lsi_free(product);
}

/* ---- Asking */

static int factors(const struct ls_topology *t)
{
	const struct product *const product = t->state;

	return product->factors;
}

static const struct ls_topology *factor(const struct ls_topology *t, int i)
{
	const struct product *const product = t->state;

	return product->factor[i];
}

static int64_t degree(const struct ls_topology *t, int64_t rank)
{
	int64_t links = 0;

	for (int i = factors(t) - 1; i >= 0; rank /= factor(t, i--)->nodes)
		links += ls_degree(factor(t, i), rank % factor(t, i)->nodes);
	return links;
}

/* A link of the product: its factor, and the node and the link in this factor. */
struct link_position {
	const struct ls_topology *factor;
	int64_t at, link;
	int64_t stride; /* of the factor in the rank */
	int64_t base;   /* links of later factors: the same at both ends */
};

static struct link_position find_link(const struct ls_topology *t, int64_t rank, int64_t link)
{
	struct link_position w = { .stride = 1 };

	for (int i = factors(t) - 1;; i--) { /* ends, as link < degree(rank) */
		w.factor = factor(t, i);
		w.at = rank % w.factor->nodes;
		w.link = link - w.base;

		const int64_t links = ls_degree(w.factor, w.at);

		if (w.link < links)
			return w;
		w.base += links;
		w.stride *= w.factor->nodes;
		rank /= w.factor->nodes;
	}
}

static int64_t neighbor(const struct ls_topology *t, int64_t rank, int64_t link)
{
	const struct link_position w = find_link(t, rank, link);

	return rank + (ls_neighbor(w.factor, w.at, w.link) - w.at) * w.stride;
}

static int64_t reverse(const struct ls_topology *t, int64_t rank, int64_t link)
{
	const struct link_position w = find_link(t, rank, link);

	return w.base + ls_reverse(w.factor, w.at, w.link);
}

static int64_t distance(const struct ls_topology *t, int64_t from, int64_t to)
{
	int64_t hops = 0;

	for (int i = factors(t) - 1; i >= 0; i--) {
		const struct ls_topology *f = factor(t, i);

		hops += ls_distance(f, from % f->nodes, to % f->nodes);
		from /= f->nodes;
		to /= f->nodes;
	}
	return hops;
}

/* The first factor in which two nodes differ; in how many they do. */
struct difference {
	const struct ls_topology *factor;
	int64_t from, to; /* in the factor */
	int64_t base;     /* links of later factors at `from` */
	int factors;
};

static struct difference compare(const struct ls_topology *t, int64_t from, int64_t to)
{
	struct difference d = { .factor = NULL };
	int64_t links = 0;

	for (int i = factors(t) - 1; from != to; i--) {
		const struct ls_topology *f = factor(t, i);
		const int64_t a = from % f->nodes, b = to % f->nodes;

		if (a != b)
			d = (struct difference){ f, a, b, links, d.factors + 1 };
		links += ls_degree(f, a);
		from /= f->nodes;
		to /= f->nodes;
	}
	return d;
}

static int64_t first_hop(const struct ls_topology *t, int64_t from, int64_t to)
{
	const struct difference d = compare(t, from, to);

	return d.base + ls_first_hop(d.factor, d.from, d.to);
}

static int64_t link_to(const struct ls_topology *t, int64_t from, int64_t to)
{
	const struct difference d = compare(t, from, to);
	const int64_t link = d.factors == 1 ? ls_link_to(d.factor, d.from, d.to) : -1;

	return link < 0 ? -1 : d.base + link;
}

static int64_t diameter(const struct ls_topology *t)
{
	int64_t hops = 0;

	for (int i = 0; i < factors(t); i++)
		hops += ls_topology_diameter(factor(t, i));
	return hops;
}

static int64_t multiply(const struct ls_topology *t, int64_t by, int64_t x)
{
	int64_t rank = 0, stride = 1;

	for (int i = factors(t) - 1; i >= 0; i--) {
		const struct ls_topology *f = factor(t, i);

		rank += stride * f->network->product(f, by % f->nodes, x % f->nodes);
		stride *= f->nodes;
		by /= f->nodes;
		x /= f->nodes;
	}
	return rank;
}

static int64_t inverse(const struct ls_topology *t, int64_t x)
{
	int64_t rank = 0, stride = 1;

	for (int i = factors(t) - 1; i >= 0; i--) {
		const struct ls_topology *f = factor(t, i);

		rank += stride * f->network->inverse(f, x % f->nodes);
		stride *= f->nodes;
		x /= f->nodes;
	}
	return rank;
}

/* "(2134,(0,3))" */
static void label(const struct ls_topology *t, int64_t rank, char text[LSI_LABEL_MAX])
{
	int64_t stride = t->nodes;
	size_t length = 0;

	for (int i = 0; i < factors(t); i++) {
		const struct ls_topology *f = factor(t, i);

		stride /= f->nodes;
		text[length++] = i ? ',' : '(';
		length +=
			(size_t)ls_label(f, rank / stride % f->nodes, text + length, LSI_LABEL_MAX - length);
	}
	strcpy(text + length, ")");
}

/* The length of one factor's label: up to a comma, or a closing parenthesis, outside of its own. */
static size_t piece(const char *text)
{
	const char *at = text;

	for (int depth = 0; *at && (depth > 0 || (*at != ',' && *at != ')')); at++)
		depth += (*at == '(') - (*at == ')');
	return (size_t)(at - text);
}

static int64_t rank_of(const struct ls_topology *t, const char *text)
{
	int64_t rank = 0;

	for (int i = 0; i < factors(t); i++) {
		const size_t length = *text ? piece(++text) : 0;
		char part[LSI_LABEL_MAX] = "";
		int64_t at = LS_NO_RANK;

		if (length < LSI_LABEL_MAX)
			at = ls_rank_of(factor(t, i), memcpy(part, text, length));
		if (at == LS_NO_RANK)
			return LS_NO_RANK;
		rank = rank * factor(t, i)->nodes + at;
		text += length;
	}
	return rank;
}

#define PRODUCT_FUNCTIONS \
	.destroy = destroy, .degree = degree, .neighbor = neighbor, .reverse = reverse, \
	.distance = distance, .first_hop = first_hop, .link_to = link_to, .diameter = diameter, \
	.product = multiply, .inverse = inverse, .factors = factors, .factor = factor, .label = label, \
	.rank_of = rank_of, .unit = lsi_product_unit, .part = lsi_product_part, \
	.layouts = LSI_LAYOUTS(LSI_LAYOUT_COPIES("copies"))

const struct lsi_network lsi_network_mct = {
	.name = "mct",
	.form = "R,L",
	.text = "R-fold product of bintree:L",
	.examples =
		LSI_EXAMPLES("mct:2,2", "mct:1,1", "mct:3,1", "mct:1,3", "mct:3,2", "mct:2,3", "mct:4,2"),
	.separator = ',',
	.least = 1,
	.most = 62,
	.init = init_mct,
	PRODUCT_FUNCTIONS,
};

const struct lsi_network lsi_network_product = {
	.name = "product",
	.form = "A*B[*C..]",
	.text = "Cartesian product of networks",
	.examples = LSI_EXAMPLES("star:4*star:3", "ring:1*linear:1", "ring:3*linear:2",
		"linear:2*ring:3*linear:2", "star:3*hypercube:1", "complete:3*star:3", "bintree:3*ring:4",
		"mesh:2x3*torus:3x2", "ring:5*complete:1*pancake:3*linear:1", "bubblesort:4*complete:4",
		"ring:3*mct:2,2*star:2"),
	.init = init,
	PRODUCT_FUNCTIONS,
};
