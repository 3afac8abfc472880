/*
 * Slices and cuts: a slice has the blocks of its definition, and the blocks of a cut tile the
 * vector.
 */
#include <inttypes.h>

#include "plan/plan_internal.h"
#include "plan/step.h"
#include "test.h"

/* Walk from first, one block at a time; at the end of the period go back to its beginning. */
static void test_slice(int64_t first, int64_t run, int64_t stride, int64_t runs, int64_t cycle)
{
	const struct ls_slice slice = { .first = first,
		.run = run,
		.stride = stride,
		.runs = runs,
		.cycle = cycle,
		.buffer = LS_INPUT };
	int64_t k = 0;

	for (int64_t i = 0; i < runs; i++) {
		int64_t block = first;

		for (int64_t j = 0; j < run; j++, k++) {
			CHECK(ls_slice_at(&slice, k) == i * stride + block,
				"block %" PRId64 " of %" PRId64 "+%" PRId64 " stride %" PRId64 " cycle %" PRId64, k,
				first, run, stride, cycle);
			block++;
			if (cycle > 0 && block % cycle == 0)
				block -= cycle;
		}
	}
	CHECK(ls_slice_blocks(&slice) == k, "%" PRId64 " blocks", k);
}

static void test_slices(void)
{
	for (int64_t cycle = 0; cycle <= 5; cycle++) {
		for (int64_t first = 0; first < 12; first++) {
			for (int64_t run = 1; run <= (cycle ? cycle : 4); run++) {
				for (int64_t runs = 1; runs <= 3; runs++)
					test_slice(first, run, 15, runs, cycle);
			}
		}
	}

	static const int64_t index[] = { 7, 0, 3 };
	const struct ls_slice listed = lsi_indexed(LS_OUTPUT, index, 3);

	CHECK(ls_slice_blocks(&listed) == 3 && ls_slice_at(&listed, 0) == 7
			&& ls_slice_at(&listed, 2) == 3,
		"index");
}

/* The blocks lie one after the other; lengths differ by one at most, the longer ones first. */
static void test_cut(size_t n, int64_t B)
{
	size_t end = 0;

	for (int64_t b = 0; b < B; b++) {
		CHECK(lsi_cut_offset(n, B, b) == end, "block %" PRId64 " of %" PRId64 ", n %zu", b, B, n);
		end += lsi_cut_length(n, B, b);
		CHECK(lsi_cut_length(n, B, b) == (n > (size_t)b ? (n - (size_t)b - 1) / (size_t)B + 1 : 0),
			"n %zu", n);
	}
	CHECK(end == n, "n %zu in %" PRId64, n, B);
}

/* No two slots of a scratch buffer overlap, and none ends past the buffer. */
static void test_scratch(size_t n, int64_t B, int64_t slots, int64_t each)
{
	const struct ls_plan plan = { .frame = { .blocks = B, .scratch = { { slots, each } } } };
	const struct lsi_measure measure = { .n = n };
	const int64_t numbers = slots == B * each ? slots : 3 * slots;

	for (int64_t i = 0; i < numbers; i++) {
		const size_t from = lsi_buffer_offset(&plan, LS_SCRATCH, i, &measure),
					 length = lsi_buffer_length(&plan, 0, LS_SCRATCH, i, &measure);

		CHECK(length == lsi_cut_length(n, B, i / each % B), "length of block %" PRId64, i);
		CHECK(from + length <= lsi_buffer_size(&plan, 0, LS_SCRATCH, &measure),
			"end of block %" PRId64, i);
		for (int64_t j = 0; j < i; j++) {
			const size_t other = lsi_buffer_offset(&plan, LS_SCRATCH, j, &measure);

			CHECK(j % slots == i % slots ? other == from
										 : other >= from + length
						|| from >= other + lsi_buffer_length(&plan, 0, LS_SCRATCH, j, &measure),
				"blocks %" PRId64 " and %" PRId64 " of %" PRId64 " slots each %" PRId64, i, j,
				slots, each);
		}
	}
}

/* Scratch in an order of its own: as long as what it stands for, each slot with room for any. */
static void test_order(void)
{
	static const int64_t order[] = { 2, 0, 1 };
	static const size_t counts[] = { 5, 0, 7 }, offsets[] = { 0, 5, 5 };
	const struct ls_plan plan = { .problem = { .operation = LS_GATHER, .nodes = 3 },
		.frame = { .blocks = 3, .scratch = { { 3, 1 } }, .order = order } };
	const struct lsi_measure measure = { 0, counts, offsets };

	for (int64_t i = 0; i < 3; i++) {
		CHECK(lsi_buffer_label(&plan, 0, LS_SCRATCH, i) == order[i], "block %" PRId64, i);
		CHECK(lsi_buffer_length(&plan, 0, LS_SCRATCH, i, &measure) == counts[order[i]],
			"length of block %" PRId64, i);
		CHECK(lsi_buffer_offset(&plan, LS_SCRATCH, i, &measure) == 7 * (size_t)i, "block %" PRId64,
			i);
	}
	CHECK(lsi_buffer_size(&plan, 0, LS_SCRATCH, &measure) == 21, "three slots of 7");
}

int main(void)
{
	test_order();
	test_slices();
	for (size_t n = 0; n < 20; n++) {
		for (int64_t B = 1; B < 8; B++) {
			test_cut(n, B);
			for (int64_t each = 1; each <= 3; each++) {
				test_scratch(n, B, B * each, each);
				test_scratch(n, B, 2, each);
				test_scratch(n, B, 4, each);
			}
		}
	}
	test_cut(SIZE_MAX, 5040);
	return test_result();
}
