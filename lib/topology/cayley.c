#include "topology/cayley.h"

#include "base/math.h"

static struct ls_permutation permutation(const struct ls_topology *t, int64_t rank)
{
	return ls_permutation_of(rank, (int)t->number[0]);
}

int ls_cayley_init(struct ls_topology *t, struct ls_error *why)
{
	(void)why;
	t->degree = t->number[0] - 1;
	t->nodes = ls_factorial((int)t->number[0]);
	t->links = ls_mul(t->nodes / 2, t->degree);
	return LS_OK;
}

int64_t ls_cayley_degree(const struct ls_topology *t, int64_t rank)
{
	(void)rank;
	return t->degree;
}

int64_t ls_cayley_reverse(const struct ls_topology *t, int64_t rank, int64_t link)
{
	(void)t, (void)rank;
	return link;
}

/* Link k changes digit(k), and none beyond. */
int64_t ls_cayley_link_to(const struct ls_topology *t, int64_t from, int64_t to)
{
	int a[LS_SYMBOLS_MAX + 1], b[LS_SYMBOLS_MAX + 1], k = (int)t->number[0];

	ls_permutation_digits(from, k, a);
	ls_permutation_digits(to, k, b);
	while (k > 1 && a[k] == b[k])
		k--;
	return k > 1 && t->network->neighbor(t, from, k - 2) == to ? k - 2 : -1;
}

int64_t ls_cayley_product(const struct ls_topology *t, int64_t by, int64_t x)
{
	const struct ls_permutation p = permutation(t, by);
	struct ls_permutation q = permutation(t, x);

	for (int i = 1; i <= q.n; i++)
		q.symbol[i] = p.symbol[q.symbol[i]];
	return ls_permutation_rank(&q);
}

struct ls_permutation ls_cayley_homes(const struct ls_topology *t, int64_t from, int64_t to)
{
	const struct ls_permutation p = permutation(t, from), q = permutation(t, to);

	return ls_permutation_relative(&p, &q);
}

int64_t ls_cayley_inverse(const struct ls_topology *t, int64_t rank)
{
	const struct ls_permutation inverse = ls_cayley_homes(t, 0, rank);

	return ls_permutation_rank(&inverse);
}

int64_t ls_cayley_link_label(const struct ls_topology *t, int64_t link)
{
	(void)t;
	return link + 2;
}

void ls_cayley_label(const struct ls_topology *t, int64_t rank, char text[LS_LABEL_MAX])
{
	const struct ls_permutation p = permutation(t, rank);

	ls_permutation_write(&p, text);
}

int64_t ls_cayley_rank_of(const struct ls_topology *t, const char *text)
{
	return ls_permutation_read(text, (int)t->number[0]);
}
