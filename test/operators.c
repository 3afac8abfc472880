/*
 * Every built-in operator on every type, on every instruction set of this processor, against the
 * reference: special values crossed, random values, all forms of aliasing, any alignment.
 */
#include "operator_reference.h"

#include "operator_values.h"
#include "support/guard.h"
#include "test.h"

static const char *const isa_name[] = {
#define ISA_NAME(NAME, name) #name,
	LSI_FOR_ISAS(ISA_NAME)
};

/* ---- One kernel call */

enum { GUARD = 64, GUARD_BYTE = 0x5c };

/* n elements at an address that is `offset` past the start of memory, between guard bytes. */
struct buffer {
	unsigned char *memory, *at;
	size_t bytes;
};

static struct buffer buffer_make(const void *content, size_t bytes, size_t offset)
{
	struct buffer b = { .memory = malloc(2 * GUARD + offset + bytes), .bytes = bytes };

	b.at = b.memory + GUARD + offset;
	memset(b.memory, GUARD_BYTE, 2 * GUARD + offset + bytes);
	memcpy(b.at, content, bytes);
	return b;
}

static bool guards_intact(const struct buffer *b)
{
	for (const unsigned char *p = b->memory; p < b->at; p++)
		if (*p != GUARD_BYTE)
			return false;
	for (size_t i = 0; i < GUARD; i++)
		if (b->at[b->bytes + i] != GUARD_BYTE)
			return false;
	return true;
}

enum alias { DISJOINT, DST_IS_A, DST_IS_B, A_IS_B, ALL_ONE, ALIASES };

/* Operands and results of one call, on memory of their own; sum = a (+) b, twice = a (+) a. */
struct sample {
	const struct shape *shape;
	ls_op op;
	size_t n;
	unsigned char *a, *b, *sum, *twice;
};

/* Where a result goes beside dst: nowhere, to memory of its own, over an operand. */
enum also { NOT_ALSO, ALSO_APART, ALSO_A, ALSO_B, ALSOS };

static void sample_run_to(
	const struct sample *m, enum lsi_isa isa, enum alias alias, size_t offset, enum also second)
{
	const size_t bytes = m->n * ls_type_size(m->shape->type);
	const bool one_operand = alias == A_IS_B || alias == ALL_ONE;
	const unsigned char *const expected = one_operand ? m->twice : m->sum;
	const struct lsi_operator c = lsi_kernel_on(isa, m->op, m->shape->type);
	const size_t step = m->shape->form == 'p' ? 8 : m->shape->width;
	struct buffer a = buffer_make(m->a, bytes, offset * step);
	struct buffer b = buffer_make(m->b, bytes, (offset * 3 + 1) % 5 * step);
	struct buffer d = buffer_make(m->b, bytes, (offset * 2 + 3) % 7 * step);
	struct buffer e = buffer_make(m->a, bytes, (offset * 5 + 2) % 3 * step);
	struct buffer *const right = one_operand ? &a : &b;
	struct buffer *const dst = alias == DST_IS_A || alias == ALL_ONE ? &a
		: alias == DST_IS_B                                          ? &b
																	 : &d;
	struct buffer *const also = second == ALSO_APART ? &e
		: second == ALSO_A                           ? &a
		: second == ALSO_B                           ? &b
													 : NULL;

	if (also && also != dst)
		lsi_combine_twice(&c, dst->at, also->at, a.at, right->at, m->n);
	else
		lsi_combine(&c, dst->at, a.at, right->at, m->n);
	CHECK(
		memcmp(dst->at, expected, bytes) == 0 && (!also || memcmp(also->at, expected, bytes) == 0),
		"%s of %s, %s, n = %zu, alias %d, also %d, offset %zu", ls_op_name(m->op),
		ls_type_name(m->shape->type), isa_name[isa], m->n, alias, second, offset);
	CHECK(guards_intact(&a) && guards_intact(&b) && guards_intact(&d) && guards_intact(&e),
		"%s of %s, %s, n = %zu", ls_op_name(m->op), ls_type_name(m->shape->type), isa_name[isa],
		m->n);
	CHECK((dst == &a || also == &a || memcmp(a.at, m->a, bytes) == 0)
			&& (dst == &b || also == &b || memcmp(b.at, m->b, bytes) == 0),
		"%s of %s changes an operand", ls_op_name(m->op), ls_type_name(m->shape->type));
	free(a.memory);
	free(b.memory);
	free(d.memory);
	free(e.memory);
}

static void sample_run(const struct sample *m, enum lsi_isa isa, enum alias alias, size_t offset)
{
	for (enum also also = 0; also < ALSOS; also++)
		sample_run_to(m, isa, alias, offset, also);
}

static struct sample sample_make(const struct shape *s, ls_op op, size_t n)
{
	const size_t size = ls_type_size(s->type);
	struct sample m = { .shape = s, .op = op, .n = n };

	m.a = malloc(n * size + 1);
	m.b = malloc(n * size + 1);
	m.sum = malloc(n * size + 1);
	m.twice = malloc(n * size + 1);
	return m;
}

static void sample_fini(struct sample *m)
{
	free(m->a);
	free(m->b);
	free(m->sum);
	free(m->twice);
}

static void sample_expect(const struct sample *m)
{
	const size_t size = ls_type_size(m->shape->type);

	for (size_t i = 0; i < m->n * size; i += size) {
		reference(m->shape, m->op, m->sum + i, m->a + i, m->b + i);
		reference(m->shape, m->op, m->twice + i, m->a + i, m->a + i);
	}
}

/* ---- The tests */

static void check_random(const struct shape *s, ls_op op)
{
	static const size_t counts[] = { 0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100, 1000 };

	for (size_t k = 0; k < sizeof counts / sizeof *counts; k += is_fast() ? 2 : 1) {
		struct sample m = sample_make(s, op, counts[k]);

		for (size_t i = 0; i < m.n; i++) {
			put_random(s, m.a + i * ls_type_size(s->type));
			put_random(s, m.b + i * ls_type_size(s->type));
		}
		sample_expect(&m);
		for (enum lsi_isa isa = 0; isa <= lsi_cpu_isa(); isa++)
			for (enum alias alias = 0; alias < ALIASES; alias++)
				for (size_t offset = is_fast() ? 3 : 0; offset < 4; offset++)
					sample_run(&m, isa, alias, offset);
		sample_fini(&m);
	}
}

/* Every special value with every other, in both orders. */
static void check_specials(const struct shape *s, ls_op op)
{
	const size_t size = ls_type_size(s->type), k = specials(s);
	struct sample m = sample_make(s, op, k * k);
	unsigned char *const swapped = malloc(k * k * size);

	for (size_t i = 0; i < k * k; i++) {
		put_special(s, i / k, m.a + i * size);
		put_special(s, i % k, m.b + i * size);
	}
	sample_expect(&m);
	for (enum lsi_isa isa = 0; isa <= lsi_cpu_isa(); isa++) {
		const struct lsi_operator c = lsi_kernel_on(isa, op, s->type);

		sample_run(&m, isa, DISJOINT, 0);
		lsi_combine(&c, swapped, m.b, m.a, m.n);
		CHECK(memcmp(swapped, m.sum, m.n * size) == 0, "%s of %s commutes", ls_op_name(op),
			ls_type_name(s->type));
	}
	free(swapped);
	sample_fini(&m);
}

/* ls_op_exact says whether (a (+) b) (+) c == a (+) (b (+) c) for all special values a, b, c. */
static void check_exact(const struct shape *s, ls_op op)
{
	const size_t size = ls_type_size(s->type), k = specials(s);
	const size_t n = s->form == 'c' ? k * k : k * k * k;
	const struct lsi_operator c = lsi_kernel_for(op, s->type);
	unsigned char *const v[3] = { malloc(n * size), malloc(n * size), malloc(n * size) };
	unsigned char *const left = malloc(n * size);

	for (size_t i = 0; i < n; i++) {
		put_special(s, i % k, v[0] + i * size);
		put_special(s, i / k % k, v[1] + i * size);
		put_special(s, (s->form == 'c' ? i * 31 : i / k / k) % k, v[2] + i * size);
	}
	lsi_combine(&c, left, v[0], v[1], n);
	lsi_combine(&c, left, left, v[2], n);
	lsi_combine(&c, v[2], v[1], v[2], n);
	lsi_combine(&c, v[2], v[0], v[2], n);
	CHECK((memcmp(left, v[2], n * size) == 0) == ls_op_exact(op, s->type), "%s of %s",
		ls_op_name(op), ls_type_name(s->type));
	for (size_t i = 0; i < 3; i++)
		free(v[i]);
	free(left);
}

/* ls_op_idempotent says whether (a (+) b) (+) b == a (+) b for all special values a, b. */
static void check_idempotent(const struct shape *s, ls_op op)
{
	const size_t size = ls_type_size(s->type), k = specials(s);
	const struct lsi_operator c = lsi_kernel_for(op, s->type);
	unsigned char once[16], twice[16], b[16];
	bool holds = true;

	for (size_t i = 0; i < k * k; i++) {
		put_special(s, i / k, once);
		put_special(s, i % k, b);
		lsi_combine(&c, once, once, b, 1);
		lsi_combine(&c, twice, once, b, 1);
		holds = holds && memcmp(once, twice, size) == 0;
	}
	CHECK(holds == ls_op_idempotent(op), "%s of %s", ls_op_name(op), ls_type_name(s->type));
}

static void check_shape(const struct shape *s)
{
	for (size_t i = 0; i < OPERATORS; i++) {
		const ls_op op = operators[i].op;
		const bool defined = strchr(operators[i].forms, s->form) != NULL;

		CHECK(ls_op_defined(op, s->type) == defined, "%s of %s", ls_op_name(op),
			ls_type_name(s->type));
		for (enum lsi_isa isa = 0; isa < LSI_ISAS; isa++)
			CHECK((lsi_kernel_on(isa, op, s->type).kernel != NULL) == defined, "%s of %s, %s",
				ls_op_name(op), ls_type_name(s->type), isa_name[isa]);
		if (!defined)
			continue;
		check_random(s, op);
		check_specials(s, op);
		check_exact(s, op);
		check_idempotent(s, op);
	}
}

int main(void)
{
	for (size_t i = 0; i < VALUE_SHAPES; i++) {
		const struct shape *s = &value_shapes[i], pair = pair_of(*s);

		check_shape(s);
		CHECK((pair.type == NULL) == (s->form == 'c'), "pair of %s", ls_type_name(s->type));
		if (pair.type != NULL)
			check_shape(&pair);
	}
	return test_result();
}
