/*
 * The text of contents: examples as the textbooks print them, and random lists whose text, read
 * back, gives the same blocks.
 */
/* variants: release checked asan chaos */
#include <string.h>

#include "check/contents_text.h"
#include "support/guard.h"
#include "test.h"

enum { BLOCKS_MAX = 40, TEXT = 4000 };

/* One block: its ranks as bits, and its number. */
struct part {
	uint64_t ranks;
	int64_t block;
};

/* As a list of arcs where the ranks are consecutive, perhaps across the last rank, else sets. */
static struct lsi_block_contents contents_of(const struct part *part, int64_t ranks)
{
	const int64_t count = __builtin_popcountll(part->ranks);
	struct lsi_block_contents out = { .held = { .holding = LSI_HOLDS_SET, .twice = -1 },
		.block = part->block };

	out.held.set = &part->ranks;
	for (int64_t first = 0; first < ranks; first++) {
		uint64_t arc = 0;

		for (int64_t i = 0; i < count; i++)
			arc |= (uint64_t)1 << (first + i) % ranks;
		if (arc == part->ranks) {
			out.held.holding = LSI_HOLDS_ARC;
			out.held.arc.first = first;
			out.held.arc.count = count;
		}
	}
	return out;
}

/* Blocks in any order, some of them twice. */
struct parts {
	enum lsi_notation notation;
	int64_t ranks, blocks;
	size_t count;
	struct part part[BLOCKS_MAX];
};

static size_t text_of_parts(const struct parts *parts, char *text, size_t size)
{
	struct lsi_block_contents at[BLOCKS_MAX];
	struct lsi_contents_list list = { parts->notation, parts->ranks, parts->blocks, parts->count,
		at };

	for (size_t i = 0; i < parts->count; i++)
		at[i] = contents_of(&parts->part[i], parts->ranks);
	return lsi_contents_text(&list, text, size);
}

/* ---- Examples */

static const struct example {
	enum lsi_notation notation;
	int64_t ranks, blocks;
	struct part part[8];
	const char *text;
} examples[] = {
	{ LSI_OF_RANKS, 8, 1, { { 1, 0 } }, "0" },
	{ LSI_OF_RANKS, 8, 1, { { 2, 0 }, { 1, 0 } }, "0,1" },
	{ LSI_OF_RANKS, 8, 1, { { 1, 0 }, { 2, 0 }, { 4, 0 }, { 8, 0 } }, "0..3" },
	{ LSI_OF_RANKS, 8, 1, { { 64, 0 }, { 1, 0 }, { 2, 0 }, { 1, 0 } }, "0,1,6" },
	{ LSI_OF_RANKS, 8, 1, { { 128, 0 }, { 64, 0 }, { 1, 0 }, { 4, 0 } }, "0,2,6,7" },
	{ LSI_OF_RANKS, 8, 1, { { 3, 0 }, { 4, 0 } }, "0,1; 2" },
	{ LSI_OF_BLOCKS, 8, 8, { { 4, 7 }, { 4, 5 }, { 4, 6 } }, "5..7" },
	{ LSI_OF_BLOCKS, 8, 8, { { 4, 7 } }, "7" },
	{ LSI_OF_PAIRS, 8, 8, { { 1, 1 } }, "(0,1)" },
	{ LSI_OF_PAIRS, 8, 8, { { 1, 4 }, { 2, 4 }, { 1, 5 }, { 2, 5 } }, "(0..1,4..5)" },
	{ LSI_OF_PAIRS, 8, 8, { { 1, 1 }, { 4, 1 } }, "({0,2},1)" },
	{ LSI_OF_PAIRS, 8, 8, { { 1, 1 }, { 1, 2 }, { 1, 3 }, { 1, 7 } }, "(0,{1..3,7})" },
	{ LSI_OF_PAIRS, 8, 8, { { 1, 1 }, { 2, 2 }, { 4, 2 } }, "(0,1) (1..2,2)" },
	{ LSI_OF_SUMS, 8, 1, { { 15, 0 } }, "0..3" },
	{ LSI_OF_SUMS, 8, 1, { { 255, 0 } }, "0..7" },
	{ LSI_OF_SUMS, 8, 1, { { 195, 0 } }, "0,1,6,7" },
	{ LSI_OF_SUMS, 8, 1, { { 240, 0 }, { 15, 0 } }, "0..3; 4..7" },
	{ LSI_OF_SUMS, 8, 1, { { 3, 0 }, { 1, 0 } }, "0; 0,1" },
	{ LSI_OF_SUMS, 8, 1, { { 37, 0 }, { 5, 0 } }, "0,2; 0,2,5" },
	{ LSI_OF_SUMS, 8, 1, { { 5, 0 }, { 69, 0 }, { 37, 0 } }, "0,2; 0,2,5; 0,2,6" },
	{ LSI_OF_SUMS, 8, 4, { { 15, 2 } }, "0..3[2]" },
	{ LSI_OF_SUMS, 8, 4, { { 15, 1 }, { 15, 0 } }, "0..3[0,1]" },
	{ LSI_OF_SUMS, 8, 4, { { 15, 1 }, { 15, 0 }, { 15, 3 }, { 15, 2 } }, "0..3" },
	{ LSI_OF_SUMS, 8, 4, { { 21, 3 }, { 15, 0 }, { 15, 1 }, { 15, 2 } }, "0..3[0..2]; 0,2,4[3]" },
	{ LSI_OF_SUMS, 8, 4, { { 15, 2 }, { 3, 1 }, { 1, 1 }, { 15, 0 } }, "0..3[0,2]; 0[1]; 0,1[1]" },
	{ LSI_OF_SUMS, 64, 1, { { UINT64_MAX << 1, 0 } }, "1..63" },
	{ LSI_OF_SUMS, 64, 1, { { UINT64_MAX, 0 } }, "0..63" },
	{ LSI_OF_SUMS, 63, 1, { { (uint64_t)5 << 60, 0 } }, "60,62" },
};

/* The whole text; and cut to each size. */
static void test_example(const struct example *e)
{
	struct parts parts = { e->notation, e->ranks, e->blocks, 0, { { 0, 0 } } };
	const size_t length = strlen(e->text);
	char text[TEXT];

	for (; parts.count < 8 && e->part[parts.count].ranks; parts.count++)
		parts.part[parts.count] = e->part[parts.count];
	CHECK(text_of_parts(&parts, text, sizeof text) == length && strcmp(text, e->text) == 0,
		"'%s' is '%s'", e->text, text);
	for (size_t size = 0; size <= length + 1; size++) {
		memset(text, '#', sizeof text);
		CHECK(text_of_parts(&parts, text, size) == length && text[size] == '#', "'%s' in %zu bytes",
			e->text, size);
		CHECK(size == 0 || (strlen(text) == size - 1 && memcmp(text, e->text, size - 1) == 0),
			"'%s' in %zu bytes", e->text, size);
	}
}

/* No block; unknown ranks. */
static void test_odd(void)
{
	struct lsi_block_contents at[] = { { .held = { .holding = LSI_HOLDS_FINGERPRINT, .twice = -1 },
										   .block = 1 },
		{ .held = { .holding = LSI_HOLDS_ARC, .arc = { 6, 4 }, .twice = -1 } } };
	struct lsi_contents_list list = { LSI_OF_SUMS, 8, 2, 0, at };
	char text[TEXT] = "#";

	CHECK(lsi_contents_text(&list, text, sizeof text) == 0 && text[0] == '\0', "'%s'", text);
	CHECK(lsi_contents_text(&list, NULL, 0) == 0, "no room");
	list.count = 2;
	lsi_contents_text(&list, text, sizeof text);
	CHECK(strcmp(text, "0,1,6,7[0]; ?[1]") == 0, "'%s'", text);
	CHECK(lsi_notation_of(LS_ALLGATHER) == LSI_OF_RANKS && lsi_notation_of(LS_SHIFT) == LSI_OF_RANKS
			&& lsi_notation_of(LS_GATHER) == LSI_OF_RANKS,
		"ranks");
	CHECK(lsi_notation_of(LS_SCATTER) == LSI_OF_BLOCKS
			&& lsi_notation_of(LS_ALLTOALL) == LSI_OF_PAIRS,
		"blocks");
	CHECK(lsi_notation_of(LS_REDUCE_SCATTER) == LSI_OF_SUMS
			&& lsi_notation_of(LS_BROADCAST) == LSI_OF_SUMS
			&& lsi_notation_of(LS_BARRIER) == LSI_OF_SUMS,
		"sums");
}

/* ---- Reading a text back */

/* "2" or "2..4", as bits. */
static uint64_t read_run(const char **at)
{
	char *end;
	long long first = strtoll(*at, &end, 10), last = first;
	uint64_t bits = 0;

	if (end[0] == '.')
		last = strtoll(end + 2, &end, 10);
	for (; first <= last; first++)
		bits |= (uint64_t)1 << first;
	*at = end;
	return bits;
}

/* Runs with commas between them; in a pair one run, or several in braces. */
static uint64_t read_numbers(const char **at, bool pair)
{
	const bool braces = **at == '{';
	uint64_t bits;

	*at += braces;
	bits = read_run(at);
	while (**at == ',' && (braces || !pair)) {
		(*at)++;
		bits |= read_run(at);
	}
	*at += braces;
	return bits;
}

/* What a text names. */
struct reading {
	struct part part[BLOCKS_MAX * BLOCKS_MAX];
	size_t count;
};

/* The named blocks of each of these ranks; for sums, of all of them together. */
static void add_parts(struct reading *r, enum lsi_notation notation, uint64_t ranks, uint64_t named)
{
	for (int64_t b = 0; b < BLOCKS_MAX; b++)
		for (uint64_t rest = ranks; rest && named >> b & 1;) {
			const uint64_t part = notation == LSI_OF_SUMS ? rest : rest & -rest;

			r->part[r->count++] = (struct part){ part, b };
			rest &= ~part;
		}
}

static struct reading read_text(enum lsi_notation notation, int64_t blocks, const char *at)
{
	static struct reading r;

	r.count = 0;
	while (*at) {
		const bool pair = *at == '(';
		uint64_t ranks, named = ((uint64_t)1 << blocks) - 1;

		at += pair;
		ranks = read_numbers(&at, pair);
		if (pair || *at == '[') {
			at++;
			named = read_numbers(&at, pair);
			at++;
		} else if (notation == LSI_OF_BLOCKS) {
			named = ranks;
			ranks = 1;
		}
		add_parts(&r, notation, ranks, named);
		at += strspn(at, "; ");
	}
	return r;
}

static bool has_part(const struct part *part, size_t count, const struct part *wanted)
{
	for (size_t i = 0; i < count; i++)
		if (part[i].ranks == wanted->ranks && part[i].block == wanted->block)
			return true;
	return false;
}

static uint64_t state;

static uint64_t random_ranks(enum lsi_notation notation, int64_t ranks)
{
	const uint64_t all = UINT64_MAX >> (64 - ranks);
	uint64_t bits = 0;

	if (notation == LSI_OF_BLOCKS)
		return 1;
	if (notation != LSI_OF_SUMS)
		return (uint64_t)1 << random_below(&state, ranks);
	while (!bits)
		bits = random_next(&state) & random_next(&state) & all;
	return random_below(&state, 3) ? bits : all >> random_below(&state, ranks);
}

static struct parts random_parts(enum lsi_notation notation)
{
	struct parts parts = { notation, 1 + random_below(&state, 63),
		notation == LSI_OF_RANKS ? 1 : 1 + random_below(&state, 10),
		(size_t)random_below(&state, BLOCKS_MAX), { { 0, 0 } } };

	for (size_t i = 0; i < parts.count; i++) {
		parts.part[i] = (struct part){ random_ranks(notation, parts.ranks),
			random_below(&state, parts.blocks) };
		if (i > 0 && random_below(&state, 2))
			parts.part[i].ranks = parts.part[i - 1].ranks;
	}
	return parts;
}

static void test_random(enum lsi_notation notation)
{
	const struct parts parts = random_parts(notation);
	const struct part *part = parts.part;
	char text[TEXT];

	CHECK(text_of_parts(&parts, text, sizeof text) < TEXT, "long");

	const struct reading r = read_text(notation, parts.blocks, text);

	for (size_t i = 0; i < parts.count; i++)
		CHECK(has_part(r.part, r.count, &part[i]), "'%s' lacks ranks %llx of block %lld", text,
			(unsigned long long)part[i].ranks, (long long)part[i].block);
	for (size_t i = 0; i < r.count; i++)
		CHECK(has_part(part, parts.count, &r.part[i]) && !has_part(r.part, i, &r.part[i]),
			"'%s' has ranks %llx of block %lld", text, (unsigned long long)r.part[i].ranks,
			(long long)r.part[i].block);
}

int main(void)
{
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
		test_example(&examples[i]);
	test_odd();
	for (int i = 0; i < 4000; i++)
		test_random((enum lsi_notation)(i % 4));
	return test_result();
}
