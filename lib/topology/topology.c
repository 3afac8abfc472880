/*
 * The spec parser, and the public calls, which check ranks and links and then ask the network.
 */
#include "topology/topology_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/math.h"
#include "base/sized.h"
#include "base/suggest.h"
#include "topology/kept.h"

static const struct lsi_network *const networks[] = {
#define ENTRY(name) &lsi_network_##name,
	LSI_NETWORKS(ENTRY)
#undef ENTRY
};

enum { NETWORKS = sizeof networks / sizeof *networks };

/* ---- Spec */

const char *lsi_read_number(const char *text, int64_t *number)
{
	const char *at = text;

	for (*number = 0; *at >= '0' && *at <= '9'; at++)
		*number = lsi_add_sat(lsi_mul_sat(*number, 10), *at - '0');
	return at > text ? at : NULL;
}

/* A product is written without a name. */
static bool has_name(const struct lsi_network *network)
{
	return network != &lsi_network_product;
}

static const struct lsi_network *network_named(const char *name, size_t length)
{
	for (size_t i = 0; i < NETWORKS; i++)
		if (has_name(networks[i]) && strlen(networks[i]->name) == length
			&& !memcmp(networks[i]->name, name, length))
			return networks[i];
	return NULL;
}

static void fail_name(const char *name, size_t length, struct ls_error *why)
{
	struct lsi_suggestion nearest = lsi_suggest_begin(name, length);
	char known[128] = "";

	for (size_t i = 0; i < NETWORKS; i++) {
		const size_t used = strlen(known);

		if (!has_name(networks[i]))
			continue;
		lsi_suggest_offer(&nearest, networks[i]->name);
		snprintf(known + used, sizeof known - used, " %s", networks[i]->name);
	}
	if (nearest.name)
		lsi_error_set(why, LS_ERR_SPEC, "no topology '%s'; did you mean '%s:%s'?",
			lsi_quote_make(name, length).text, nearest.name,
			network_named(nearest.name, strlen(nearest.name))->form);
	else
		lsi_error_set(why, LS_ERR_SPEC, "no topology '%s'; expected one of%s",
			lsi_quote_make(name, length).text, known);
}

/*
 * The network of a spec, something following its colon unless it is a product; NULL: *why says what
 * is wrong.
 */
static const struct lsi_network *read_name(const char *spec, struct ls_error *why)
{
	const size_t length = strcspn(spec, ":");
	const struct lsi_network *network = network_named(spec, length);

	if (strchr(spec, '*'))
		return &lsi_network_product;
	if (!*spec)
		lsi_error_set(why, LS_ERR_SPEC, "the topology is empty; try one like 'ring:8'");
	else if (!network)
		fail_name(spec, length, why);
	else if (spec[length] && spec[length + 1])
		return network;
	else
		lsi_error_set(why, LS_ERR_SPEC, "topology '%s' has no %s; expected '%s:%s'", spec,
			network->most ? "size" : "file", network->name, network->form);
	return NULL;
}

/* Read one number of a spec, length characters at text; returns NULL, or what is wrong with it. */
static const char *number_fault(
	const struct lsi_network *network, const char *text, size_t length, int64_t *number)
{
	const char *end = lsi_read_number(text, number);

	if (end != text + length)
		return "is not a whole number";
	if (length > 1 && *text == '0')
		return "begins with 0";
	if (*number < network->least)
		return "is too small";
	if (*number > network->most)
		return "is too large";
	return NULL;
}

static int fail_number(const struct lsi_network *network, const char *spec, const char *text,
	size_t length, const char *fault, struct ls_error *why)
{
	char what[80] = "a number is missing";

	if (length > 0)
		snprintf(what, sizeof what, "'%s' %s", lsi_quote_make(text, length).text, fault);
	return lsi_error_set(why, LS_ERR_SPEC,
		"%s in topology '%s'; %s:%s takes whole numbers from %lld "
		"to %lld",
		what, lsi_quote_make(spec, strlen(spec)).text, network->name, network->form,
		(long long)network->least, (long long)network->most);
}

/* The numbers after the colon; how many there are, or a negative status. */
static int read_numbers(const struct lsi_network *network, const char *spec,
	int64_t number[LSI_NUMBERS_MAX], struct ls_error *why)
{
	const char *text = spec + strlen(network->name) + 1;

	if (!network->most)
		return 0;
	for (int count = 0; count < LSI_NUMBERS_MAX;) {
		const char stop[] = { network->separator, '\0' };
		const size_t length = strcspn(text, stop);
		const char *fault = number_fault(network, text, length, &number[count]);

		if (fault)
			return fail_number(network, spec, text, length, fault, why);
		count++;
		if (!text[length])
			return count;
		text += length + 1;
	}
	return lsi_error_set(why, LS_ERR_SPEC, "topology '%s' has too many sides; %s takes at most %d",
		lsi_quote_make(spec, strlen(spec)).text, network->name, LSI_NUMBERS_MAX);
}

static struct ls_topology *allocate(
	const struct lsi_network *network, const char *spec, const int64_t *number, int numbers)
{
	const size_t tail = (size_t)numbers * sizeof *number;
	const size_t text = strlen(spec) + 1;
	struct ls_topology *t = lsi_alloc_zero(1, sizeof *t + tail + sizeof *t->kept + text);

	if (!t)
		return NULL;
	t->network = network;
	t->numbers = numbers;
	memcpy(t->number, number, tail);
	t->kept = (void *)&t->number[numbers];
	t->spec = memcpy(t->kept + 1, spec, text);
	return t;
}

int ls_topology_make(const char *spec, ls_topology **out, struct ls_error *why)
{
	const struct lsi_network *network;
	int64_t number[LSI_NUMBERS_MAX];
	struct ls_topology *t;
	int numbers, status;

	if (!spec || !out)
		return lsi_error_set(why, LS_ERR_ARGUMENT,
			"%s is NULL; expected a spec like 'ring:8' and the address of a topology",
			spec ? "out" : "spec");
	network = read_name(spec, why);
	if (!network)
		return LS_ERR_SPEC;
	numbers = read_numbers(network, spec, number, why);
	if (numbers < 0)
		return numbers;

	t = allocate(network, spec, number, numbers);
	if (!t)
		return lsi_error_set(
			why, LS_ERR_MEMORY, "no memory for topology '%s'; try fewer nodes", spec);
	status = network->init(t, why);
	if (status != LS_OK) {
		ls_topology_destroy(t);
		return status;
	}
	if (!t->vertices)
		t->vertices = t->nodes;
	*out = t;
	return LS_OK;
}

void ls_topology_destroy(ls_topology *t)
{
	if (!t)
		return;
	lsi_kept_free(t);
	if (t->network->destroy)
		t->network->destroy(t);
	lsi_free(t);
}

bool ls_topology_list(size_t index, struct ls_topology_info *out)
{
	struct ls_topology_info info = { .size = sizeof info };

	if (index >= NETWORKS || !out)
		return false;
	info.name = networks[index]->name;
	info.form = networks[index]->form;
	info.text = networks[index]->text;
	info.example = networks[index]->examples[0];
	lsi_sized_write(out, &info, sizeof info);
	return true;
}

bool lsi_topology_is_group(const ls_topology *t)
{
	for (int i = 0; i < lsi_topology_factors(t); i++)
		if (!lsi_topology_is_group(lsi_topology_factor(t, i)))
			return false;
	return t->network->product != NULL;
}

int lsi_topology_factors(const ls_topology *t)
{
	return t->network->factors ? t->network->factors(t) : 0;
}

const ls_topology *lsi_topology_factor(const ls_topology *t, int i)
{
	return t->network->factor(t, i);
}

/* ---- The whole network */

const char *ls_topology_spec(const ls_topology *t)
{
	return t ? t->spec : NULL;
}

const char *ls_topology_kind(const ls_topology *t)
{
	return t ? t->network->name : NULL;
}

int64_t ls_topology_nodes(const ls_topology *t)
{
	return t ? t->nodes : 0;
}

int64_t ls_topology_vertices(const ls_topology *t)
{
	return t ? t->vertices : 0;
}

int64_t ls_topology_links(const ls_topology *t)
{
	return t ? t->links : 0;
}

int64_t ls_topology_degree(const ls_topology *t)
{
	return t ? t->degree : 0;
}

int64_t ls_topology_diameter(const ls_topology *t)
{
	return t ? t->network->diameter(t) : 0;
}

/* ---- One vertex, one link, one pair */

static bool is_vertex(const ls_topology *t, int64_t rank)
{
	return rank >= 0 && rank < t->vertices;
}

static bool is_link(const ls_topology *t, int64_t rank, int64_t link)
{
	return is_vertex(t, rank) && link >= 0 && link < t->network->degree(t, rank);
}

int64_t ls_degree(const ls_topology *t, int64_t rank)
{
	return is_vertex(t, rank) ? t->network->degree(t, rank) : -1;
}

int64_t ls_neighbor(const ls_topology *t, int64_t rank, int64_t link)
{
	return is_link(t, rank, link) ? t->network->neighbor(t, rank, link) : LS_NO_RANK;
}

int64_t ls_reverse(const ls_topology *t, int64_t rank, int64_t link)
{
	return is_link(t, rank, link) ? t->network->reverse(t, rank, link) : -1;
}

int64_t ls_distance(const ls_topology *t, int64_t from, int64_t to)
{
	return is_vertex(t, from) && is_vertex(t, to) ? t->network->distance(t, from, to) : -1;
}

void lsi_neighbors(
	const ls_topology *t, int64_t first, int64_t count, int64_t link, int64_t *neighbor)
{
	if (t->network->neighbors && link >= 0 && link < t->degree) {
		t->network->neighbors(t, first, count, link, neighbor);
		return;
	}
	for (int64_t i = 0; i < count; i++)
		neighbor[i] = ls_neighbor(t, first + i, link);
}

int64_t ls_first_hop(const ls_topology *t, int64_t from, int64_t to)
{
	if (!is_vertex(t, from) || !is_vertex(t, to) || from == to)
		return -1;
	return t->network->first_hop(t, from, to);
}

/*
 * All vertices of a Cayley graph are alike; elsewhere the diameter is at most twice the
 * eccentricity.
 */
int64_t lsi_topology_eccentricity(const ls_topology *t, int64_t rank)
{
	int64_t hops = 0;

	if (t->network->eccentricity)
		return t->network->eccentricity(t, rank);
	if (lsi_topology_is_group(t))
		return ls_topology_diameter(t);
	if (lsi_topology_factors(t) == 0)
		return (ls_topology_diameter(t) + 1) / 2;
	for (int i = lsi_topology_factors(t) - 1; i >= 0; i--) {
		const struct ls_topology *f = lsi_topology_factor(t, i);

		hops += lsi_topology_eccentricity(f, rank % f->nodes);
		rank /= f->nodes;
	}
	return hops;
}

/* By the metric and progress laws, the first hop to a neighbor is the link to it. */
int64_t ls_link_to(const ls_topology *t, int64_t from, int64_t to)
{
	if (t->network->link_to && is_vertex(t, from) && is_vertex(t, to))
		return t->network->link_to(t, from, to);
	return ls_distance(t, from, to) == 1 ? t->network->first_hop(t, from, to) : -1;
}

int64_t ls_link_label(const ls_topology *t, int64_t link)
{
	return t->network->link_label ? t->network->link_label(t, link) : link;
}

static void write_label(const ls_topology *t, int64_t rank, char text[LSI_LABEL_MAX])
{
	if (t->network->label)
		t->network->label(t, rank, text);
	else
		snprintf(text, LSI_LABEL_MAX, "%lld", (long long)rank);
}

int ls_label(const ls_topology *t, int64_t rank, char *buffer, size_t size)
{
	char text[LSI_LABEL_MAX] = "";

	if (t && is_vertex(t, rank))
		write_label(t, rank, text);
	return snprintf(buffer, buffer ? size : 0, "%s", text);
}

/* A text is a label only if the rank that it is read as has exactly this label. */
int64_t ls_rank_of(const ls_topology *t, const char *label)
{
	char text[LSI_LABEL_MAX];
	int64_t rank = LS_NO_RANK;

	if (!t || !label)
		return LS_NO_RANK;
	if (t->network->rank_of)
		rank = t->network->rank_of(t, label);
	else if (!lsi_read_number(label, &rank))
		return LS_NO_RANK;
	if (!is_vertex(t, rank))
		return LS_NO_RANK;
	write_label(t, rank, text);
	return strcmp(text, label) ? LS_NO_RANK : rank;
}
