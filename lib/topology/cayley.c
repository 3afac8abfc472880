#include "topology/cayley.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/math.h"

static int symbols_of(const struct ls_topology *t)
{
	return (int)t->number[0];
}

/* n! nodes; each has one link for each of its n - 1 generators. */
int lsi_cayley_init(struct ls_topology *t, struct ls_error *why)
{
	(void)why;
	t->degree = t->number[0] - 1;
	t->nodes = lsi_factorial((int)t->number[0]);
	t->links = lsi_mul_sat(t->nodes / 2, t->degree);
	return LS_OK;
}

int64_t lsi_cayley_degree(const struct ls_topology *t, int64_t rank)
{
	(void)rank;
	return t->degree;
}

/* Every generator is its own inverse. */
int64_t lsi_cayley_reverse(const struct ls_topology *t, int64_t rank, int64_t link)
{
	(void)t, (void)rank;
	return link;
}

/*
 * The only link that can lead from one rank to another: link k - 2 changes digit(k) and no higher
 * one, so k is the highest digit that differs.
 */
int64_t lsi_cayley_link_to(const struct ls_topology *t, int64_t from, int64_t to)
{
	int a[LSI_SYMBOLS_MAX + 1], b[LSI_SYMBOLS_MAX + 1], k = (int)t->number[0];

	lsi_permutation_digits(from, k, a);
	lsi_permutation_digits(to, k, b);
	while (k > 1 && a[k] == b[k])
		k--;
	return k > 1 && t->network->neighbor(t, from, k - 2) == to ? k - 2 : -1;
}

/* Composition of permutations: first x, then by. */
int64_t lsi_cayley_product(const struct ls_topology *t, int64_t by, int64_t x)
{
	struct lsi_permutation p, q;

	lsi_permutation_init(&p, by, symbols_of(t));
	lsi_permutation_init(&q, x, symbols_of(t));
	for (int i = 1; i <= q.n; i++)
		q.symbol[i] = p.symbol[q.symbol[i]];
	return lsi_permutation_rank(&q);
}

struct lsi_permutation lsi_cayley_homes(const struct ls_topology *t, int64_t from, int64_t to)
{
	struct lsi_permutation p, q;

	lsi_permutation_init(&p, from, symbols_of(t));
	lsi_permutation_init(&q, to, symbols_of(t));
	return lsi_permutation_relative(&p, &q);
}

int64_t lsi_cayley_inverse(const struct ls_topology *t, int64_t rank)
{
	const struct lsi_permutation inverse = lsi_cayley_homes(t, 0, rank);

	return lsi_permutation_rank(&inverse);
}

/* The same network of the first symbols, four if there are more: the last symbols stay in place. */
bool lsi_cayley_unit(const struct ls_topology *t, char *spec, size_t size)
{
	const int64_t symbols = t->number[0] > 4 ? 4 : t->number[0] - 1;

	snprintf(spec, size, "%s:%" PRId64, t->network->name, symbols);
	return symbols > 1;
}

/* Links are labeled by the position or prefix that they move: 2 .. n. */
int64_t lsi_cayley_link_label(const struct ls_topology *t, int64_t link)
{
	(void)t;
	return link + 2;
}

void lsi_cayley_label(const struct ls_topology *t, int64_t rank, char text[LSI_LABEL_MAX])
{
	const struct lsi_permutation p = lsi_permutation_of(rank, symbols_of(t));

	lsi_permutation_write(&p, text);
}

int64_t lsi_cayley_rank_of(const struct ls_topology *t, const char *text)
{
	return lsi_permutation_read(text, (int)t->number[0]);
}

/* The k! nodes with the same symbols after position k are a network of k symbols. */
int64_t lsi_cayley_part(const struct ls_topology *t, int64_t nodes)
{
	int symbols = 2;

	(void)t;
	while (lsi_factorial(symbols) < nodes)
		symbols++;
	return lsi_factorial(symbols - 1);
}
