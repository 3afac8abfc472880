/*
 * A list of blocks becomes text in three steps: sort by ranks and block; remove doubles; write
 * groups.  The blocks of an all-to-all that come from ranks 0 and 1, for ranks 4 and 5:
 *
 *     sorted        0:4 0:5 1:4 1:5        rank:block
 *     group         0:{4,5}  1:{4,5}       a group has equal ranks
 *     text          (0..1,4..5)            groups with equal blocks are written together
 */
#include "check/contents_text.h"

#include <stdlib.h>

#include "plan/plan_internal.h"

enum lsi_notation lsi_notation_of(enum ls_operation operation)
{
	const struct ls_operation_info *info = &lsi_operations[operation];

	if (info->combines || info->input == LS_VECTOR)
		return LSI_OF_SUMS;
	if (info->input == LS_BLOCK)
		return LSI_OF_RANKS;
	return info->from_root ? LSI_OF_BLOCKS : LSI_OF_PAIRS;
}

/* ---- Sorting */

static bool is_unknown(const struct lsi_block_contents *block)
{
	return block->held.holding == LSI_HOLDS_FINGERPRINT;
}

/* Most comparisons are of equal arcs. */
static bool is_same_arc(const struct lsi_contents *a, const struct lsi_contents *b)
{
	return a->holding == LSI_HOLDS_ARC && b->holding == LSI_HOLDS_ARC
		&& a->arc.first == b->arc.first && a->arc.count == b->arc.count;
}

/* By the runs of ranks, from the first on; unknown ranks come last. */
static int compare_ranks(
	const struct lsi_block_contents *a, const struct lsi_block_contents *b, int64_t ranks)
{
	struct lsi_run x = { 0, -1 }, y = { 0, -1 };

	if (is_unknown(a) || is_unknown(b))
		return is_unknown(a) - is_unknown(b);
	if (is_same_arc(&a->held, &b->held))
		return 0;
	for (;;) {
		const bool has_x = lsi_contents_run(&a->held, ranks, x.last + 1, &x);
		const bool has_y = lsi_contents_run(&b->held, ranks, y.last + 1, &y);

		if (!has_x || !has_y)
			return has_x - has_y;
		if (x.first != y.first)
			return x.first < y.first ? -1 : 1;
		if (x.last != y.last)
			return x.last < y.last ? -1 : 1;
	}
}

/* By ranks, then block. */
static int compare_blocks(const void *left, const void *right, void *ranks)
{
	const struct lsi_block_contents *a = left, *b = right;
	const int order = compare_ranks(a, b, *(const int64_t *)ranks);

	return order != 0 ? order : (a->block > b->block) - (a->block < b->block);
}

/* By the lowest block of the group, so that groups follow the vector. */
static int compare_groups(const void *left, const void *right, void *ranks)
{
	const struct lsi_block_contents *a = left, *b = right;

	if (a->lowest != b->lowest)
		return a->lowest < b->lowest ? -1 : 1;
	return compare_blocks(a, b, ranks);
}

static void sort(struct lsi_contents_list *list, int (*compare)(const void *, const void *, void *))
{
	if (list->count > 0)
		qsort_r(list->at, list->count, sizeof *list->at, compare, &list->ranks);
}

/* Of a sorted list. */
static void remove_doubles(struct lsi_contents_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (kept == 0 || compare_blocks(&list->at[kept - 1], &list->at[i], &list->ranks) != 0)
			list->at[kept++] = list->at[i];
	}
	list->count = kept;
}

/* Blocks from `first` on with the same ranks. */
static size_t group_length(const struct lsi_contents_list *list, size_t first)
{
	size_t end = first + 1;

	while (end < list->count && compare_ranks(&list->at[first], &list->at[end], list->ranks) == 0)
		end++;
	return end - first;
}

static void order_groups(struct lsi_contents_list *list)
{
	for (size_t i = 0, length; i < list->count; i += length) {
		length = group_length(list, i);
		for (size_t k = 0; k < length; k++)
			list->at[i + k].lowest = list->at[i].block;
	}
	sort(list, compare_groups);
}

/* ---- Numbers */

struct writer {
	char *text;
	size_t size, length; /* length: of the whole text */
};

/* Not by snprintf: texts of large machines have millions of numbers. */
static void put(struct writer *w, const char *text)
{
	for (; *text; text++, w->length++) {
		if (w->length + 1 < w->size)
			w->text[w->length] = *text;
	}
}

static void put_number(struct writer *w, int64_t number)
{
	char digits[24];
	char *at = digits + sizeof digits;

	*--at = '\0';
	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	put(w, at);
}

/* "5", "5,6", "5..7"; in pairs "5..6", because a comma separates ranks and blocks. */
static void put_run(struct writer *w, struct lsi_run run, bool in_pair)
{
	put_number(w, run.first);
	if (run.first < run.last) {
		put(w, run.first + 1 == run.last && !in_pair ? "," : "..");
		put_number(w, run.last);
	}
}

static void put_ranks(struct writer *w, const struct lsi_block_contents *block, int64_t ranks)
{
	const char *separator = "";

	if (is_unknown(block))
		put(w, "?");
	for (struct lsi_run run = { 0, -1 };
		 lsi_contents_run(&block->held, ranks, run.last + 1, &run);) {
		put(w, separator);
		put_run(w, run, false);
		separator = ",";
	}
}

/* Ascending numbers: of every stride-th block of a list, its rank or its block. */
struct numbers {
	const struct lsi_block_contents *at;
	size_t count, stride;
	bool of_ranks;
};

static int64_t number_at(const struct numbers *n, size_t i)
{
	const struct lsi_block_contents *block = &n->at[i * n->stride];

	return n->of_ranks ? block->held.arc.first : block->block;
}

static struct lsi_run run_at(const struct numbers *n, size_t i)
{
	struct lsi_run run = { number_at(n, i), number_at(n, i) };

	while (++i < n->count && number_at(n, i) == run.last + 1)
		run.last++;
	return run;
}

static void put_numbers(struct writer *w, const struct numbers *n, bool in_pair)
{
	const struct lsi_run first = run_at(n, 0);
	const bool braces = in_pair && (size_t)(first.last - first.first) + 1 < n->count;

	put(w, braces ? "{" : "");
	for (size_t i = 0; i < n->count;) {
		const struct lsi_run run = run_at(n, i);

		put(w, i > 0 ? "," : "");
		put_run(w, run, in_pair);
		i += (size_t)(run.last - run.first) + 1;
	}
	put(w, braces ? "}" : "");
}

/* ---- Groups */

static void put_sums(struct writer *w, const struct lsi_contents_list *list)
{
	for (size_t i = 0, length; i < list->count; i += length) {
		length = group_length(list, i);
		put(w, i > 0 ? "; " : "");
		put_ranks(w, &list->at[i], list->ranks);
		if (length < (size_t)list->blocks) {
			put(w, "[");
			put_numbers(w, &(struct numbers){ &list->at[i], length, 1, false }, false);
			put(w, "]");
		}
	}
}

/* Whether the next group has the same blocks. */
static bool continues(const struct lsi_contents_list *list, size_t first, size_t length)
{
	const size_t next = first + length;

	if (next >= list->count || group_length(list, next) != length)
		return false;
	for (size_t k = 0; k < length; k++) {
		if (list->at[first + k].block != list->at[next + k].block)
			return false;
	}
	return true;
}

static void put_pairs(struct writer *w, const struct lsi_contents_list *list)
{
	for (size_t i = 0, groups, length; i < list->count; i += groups * length) {
		length = group_length(list, i);
		for (groups = 1; continues(list, i + (groups - 1) * length, length);)
			groups++;
		put(w, i > 0 ? " (" : "(");
		put_numbers(w, &(struct numbers){ &list->at[i], groups, length, true }, true);
		put(w, ",");
		put_numbers(w, &(struct numbers){ &list->at[i], length, 1, false }, true);
		put(w, ")");
	}
}

/* Whether each block has the contribution of one rank, as moves without (+) leave it. */
static bool has_single_ranks(const struct lsi_contents_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->at[i].held.holding != LSI_HOLDS_ARC || list->at[i].held.arc.count != 1)
			return false;
	}
	return true;
}

size_t lsi_contents_text(struct lsi_contents_list *list, char *text, size_t size)
{
	struct writer w = { text, size, 0 };
	const bool moves = list->notation != LSI_OF_SUMS && has_single_ranks(list);

	sort(list, compare_blocks);
	remove_doubles(list);
	if (!moves) {
		order_groups(list);
		put_sums(&w, list);
	} else if (list->notation == LSI_OF_PAIRS) {
		put_pairs(&w, list);
	} else if (list->count > 0) {
		put_numbers(&w,
			&(struct numbers){ list->at, list->count, 1, list->notation == LSI_OF_RANKS }, false);
	}
	if (size > 0)
		text[w.length < size ? w.length : size - 1] = '\0';
	return w.length;
}
