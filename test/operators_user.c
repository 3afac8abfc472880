/* link: -Wl,--wrap=malloc */
/*
 * User-defined types and operators, lsi_fold, and what types and operators say about themselves.
 */
#include "op/op_internal.h"

#include <string.h>

#include "test.h"

static bool malloc_fails;

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);

void *__wrap_malloc(size_t bytes)
{
	return malloc_fails ? NULL : __real_malloc(bytes);
}

/* An element that remembers the sequence of what was combined into it: not commutative. */
struct word {
	uint64_t length;
	char letter[24];
};

static void concatenate(void *dst, const void *a, const void *b, size_t n, void *context)
{
	const struct word *x = a, *y = b;
	struct word *z = dst;

	*(size_t *)context += n;
	for (size_t i = 0; i < n; i++) {
		struct word w = x[i];

		memcpy(w.letter + w.length, y[i].letter, y[i].length);
		w.length += y[i].length;
		z[i] = w;
	}
}

static ls_op concatenation(size_t *combined)
{
	const struct ls_op_options options = {
		.size = sizeof options,
		.name = "concatenation",
		.combine = concatenate,
		.context = combined,
		.commutative = false,
	};
	ls_op op = NULL;

	CHECK(ls_op_make(&options, &op) == LS_OK && op != NULL, "made");
	return op;
}

/* Part j of element i: the fold spells the alphabet from letter i on. */
static char spelled(size_t i, size_t j)
{
	return (char)('a' + (i + j) % 26);
}

static void check_fold_of_words(const struct lsi_operator *c, size_t k, size_t n, size_t gap)
{
	struct word *const parts = calloc(k * (n + gap) + 1, sizeof *parts);
	struct word *const dst = calloc(n + 1, sizeof *dst);
	size_t wrong = 0;

	for (size_t j = 0; j < k; j++)
		for (size_t i = 0; i < n; i++)
			parts[j * (n + gap) + i] = (struct word){ 1, { spelled(i, j) } };
	lsi_fold(c, dst, parts, k, (n + gap) * sizeof *parts, n);
	for (size_t i = 0; i < n; i++) {
		wrong += dst[i].length != k;
		for (size_t j = 0; j < k; j++)
			wrong += dst[i].letter[j] != spelled(i, j);
	}
	CHECK(wrong == 0 && dst[n].length == 0, "fold of %zu x %zu words: %zu wrong", k, n, wrong);
	free(parts);
	free(dst);
}

static void check_words(void)
{
	static const size_t counts[] = { 0, 1, 2, 255, 256, 257, 600 };
	size_t combined = 0, expected = 0;
	ls_type type = NULL;
	const ls_op op = concatenation(&combined);

	CHECK(ls_type_make(sizeof(struct word), &type) == LS_OK, "made");
	CHECK(ls_type_size(type) == sizeof(struct word), "size %zu", ls_type_size(type));
	CHECK(ls_op_defined(op, type) && !ls_op_commutative(op) && !ls_op_idempotent(op)
			&& !ls_op_exact(op, type),
		"what the operator says");
	for (size_t k = 1; k <= 20; k++)
		for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
			const struct lsi_operator c = lsi_kernel_for(op, type);

			check_fold_of_words(&c, k, counts[i], i % 3);
			expected += (k - 1) * counts[i];
		}
	CHECK(combined == expected, "%zu elements combined, %zu needed", combined, expected);
	ls_op_destroy(op);
	ls_type_destroy(type);
}

/* Sums of doubles, left to right; k and n so that other orders, and strips, would show. */
static void check_fold_of_doubles(void)
{
	enum { K = 7, N = 5000 };
	static double parts[K][N + 3], dst[N], backwards[N];
	const struct lsi_operator c = lsi_kernel_for(LS_SUM, LS_DOUBLE);
	uint64_t state = 1;

	for (size_t j = 0; j < K; j++)
		for (size_t i = 0; i < N; i++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			parts[j][i] = (double)(state >> 11) / (double)(1u << state % 31);
		}
	for (size_t k = 1; k <= K; k++) {
		double sum[N];

		lsi_fold(&c, dst, parts, k, sizeof *parts, N);
		for (size_t i = 0; i < N; i++) {
			sum[i] = parts[0][i];
			backwards[i] = parts[k - 1][i];
			for (size_t j = 1; j < k; j++) {
				sum[i] = sum[i] + parts[j][i];
				backwards[i] = backwards[i] + parts[k - 1 - j][i];
			}
		}
		CHECK(memcmp(dst, sum, sizeof sum) == 0, "fold of %zu parts, left to right", k);
		CHECK(k < 3 || memcmp(dst, backwards, sizeof sum) != 0, "order shows, k = %zu", k);
	}
}

static void check_arguments(void)
{
	size_t combined = 0;
	struct ls_op_options o = { .size = sizeof o, .combine = concatenate, .context = &combined };
	ls_type type = LS_DOUBLE; /* what a failed call replaces by NULL */
	ls_op op = LS_SUM;

	CHECK(ls_type_make(0, &type) == LS_ERR_ARGUMENT && type == NULL, "no bytes");
	CHECK(ls_type_make(8, NULL) == LS_ERR_ARGUMENT, "no out");
	CHECK(ls_op_make(NULL, &op) == LS_ERR_ARGUMENT && op == NULL, "no options");
	CHECK(ls_op_make(&o, NULL) == LS_ERR_ARGUMENT, "no out");
	o.combine = NULL;
	op = LS_SUM;
	CHECK(ls_op_make(&o, &op) == LS_ERR_ARGUMENT && op == NULL, "no function");
	o.combine = concatenate;
	malloc_fails = true;
	op = LS_SUM;
	type = LS_DOUBLE;
	CHECK(ls_op_make(&o, &op) == LS_ERR_MEMORY && op == NULL, "no memory");
	CHECK(ls_type_make(8, &type) == LS_ERR_MEMORY && type == NULL, "no memory");
	malloc_fails = false;
	ls_type_destroy(NULL);
	ls_type_destroy(LS_DOUBLE);
	ls_op_destroy(NULL);
	ls_op_destroy(LS_SUM);
}

/* The name is copied; a flag beyond the caller's `size` is not read. */
static void check_options(void)
{
	char name[] = "mine";
	struct ls_op_options o = {
		.size = offsetof(struct ls_op_options, commutative),
		.name = name,
		.combine = concatenate,
		.commutative = true,
		.idempotent = true,
	};
	ls_op early = NULL, full = NULL;

	CHECK(ls_op_make(&o, &early) == LS_OK, "an earlier header's options");
	o.size = sizeof o;
	CHECK(ls_op_make(&o, &full) == LS_OK, "all options");
	memset(name, 'x', sizeof name);
	CHECK(early != NULL && strcmp(ls_op_name(early), "mine") == 0, "the name is a copy");
	CHECK(early != NULL && !ls_op_commutative(early) && !ls_op_idempotent(early), "not given");
	CHECK(full != NULL && ls_op_commutative(full) && ls_op_idempotent(full), "as given");
	CHECK(early != NULL && full != NULL && early->id != full->id && full->id >= LSI_OPS, "ids");
	ls_op_destroy(early);
	ls_op_destroy(full);
}

static void check_types(void)
{
	static const ls_type types[] = {
#define TYPE(NAME, name) LS_##NAME,
		LS_FOR_TYPES(TYPE)
	};
	ls_type user[2] = { NULL, NULL };
	uint64_t seen = 0;

	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		const ls_type type = types[i], pair = ls_type_pair(type);

		CHECK(ls_type_find(ls_type_name(type)) == type, "%s", ls_type_name(type));
		CHECK((seen >> type->id & 1) == 0, "the id of %s is its own", ls_type_name(type));
		seen |= (uint64_t)1 << type->id;
		if (pair == NULL)
			continue;
		CHECK(ls_type_find(ls_type_name(pair)) == pair, "%s", ls_type_name(pair));
		CHECK(ls_type_size(pair) == 16, "%s", ls_type_name(pair));
		CHECK(ls_type_pair(pair) == NULL, "%s", ls_type_name(pair));
		CHECK((seen >> pair->id & 1) == 0, "the id of %s is its own", ls_type_name(pair));
		seen |= (uint64_t)1 << pair->id;
	}
	CHECK(ls_type_find("long") == NULL && ls_type_find("") == NULL
			&& ls_type_find("pair-cfloat") == NULL,
		"no such type");
	CHECK(ls_type_make(1, &user[0]) == LS_OK && ls_type_make(1, &user[1]) == LS_OK, "made");
	CHECK(user[0]->id == user[1]->id, "equal sizes are one type");
	CHECK(user[0]->id >= LSI_TYPES_AND_PAIRS, "the id of a user's type is its own");
	CHECK(!ls_op_defined(LS_SUM, user[0]) && !ls_op_exact(LS_BAND, user[0]), "no sum of bytes");
	CHECK(ls_type_pair(user[0]) == NULL, "no pairs of bytes");
	ls_type_destroy(user[0]);
	ls_type_destroy(user[1]);
}

static void check_sizes(void)
{
	CHECK(ls_type_size(LS_INT8) == 1 && ls_type_size(LS_UINT8) == 1, "8 bits");
	CHECK(ls_type_size(LS_INT16) == 2 && ls_type_size(LS_UINT16) == 2, "16 bits");
	CHECK(ls_type_size(LS_INT32) == 4 && ls_type_size(LS_UINT32) == 4, "32 bits");
	CHECK(ls_type_size(LS_INT64) == 8 && ls_type_size(LS_UINT64) == 8, "64 bits");
	CHECK(ls_type_size(LS_FLOAT) == 4 && ls_type_size(LS_DOUBLE) == 8, "real");
	CHECK(ls_type_size(LS_CFLOAT) == sizeof(float _Complex), "complex");
	CHECK(ls_type_size(LS_CDOUBLE) == sizeof(double _Complex), "complex");
}

static void check_operators(void)
{
	static const ls_op operators[] = {
#define OPERATOR(NAME, name) LS_##NAME,
		LS_FOR_OPS(OPERATOR)
	};

	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
		const ls_op op = operators[i];

		CHECK(ls_op_find(ls_op_name(op)) == op, "%s", ls_op_name(op));
		CHECK(ls_op_commutative(op), "%s", ls_op_name(op));
		CHECK(op->id == i, "the id of %s is its own", ls_op_name(op));
	}
	CHECK(ls_op_find("plus") == NULL && ls_op_find("") == NULL, "no such operator");
}

int main(void)
{
	check_words();
	check_fold_of_doubles();
	check_arguments();
	check_options();
	check_types();
	check_sizes();
	check_operators();
	return test_result();
}
