#include "support/drawn_messages.h"

#include <string.h>

#include <lockstep.h>

#include "support/svg_picture.h"
#include "test.h"

struct message_list expected, seen;

int add_message(void *context, const struct ls_record *row)
{
	struct message_list *list = context;

	CHECK(list->n < MESSAGES, "too many messages for this test");
	if (list->n < MESSAGES)
		list->row[list->n++] = *row;
	return 0;
}

void expect_plan(const ls_plan *plan)
{
	expected.n = 0;
	CHECK(ls_trace_plan(plan, 1, add_message, &expected) == 0, "no trace");
}

void see_message(int64_t round, int64_t src, int64_t dst)
{
	add_message(&seen, &(struct ls_record){ .round = round, .src = src, .dst = dst });
}

void check_seen(const char *picture)
{
	sort_messages(seen.row, seen.n);
	compare_messages(picture, &expected, seen.row, seen.n, false);
	seen.n = 0;
}

void compare_messages(const char *picture, const struct message_list *want,
	const struct ls_record *got, size_t n, bool with_words)
{
	CHECK(n == want->n, "%s: %zu messages, expected %zu", picture, n, want->n);
	for (size_t i = 0; i < n && i < want->n; i++) {
		const struct ls_record *a = &want->row[i], *b = &got[i];

		CHECK(a->round == b->round && a->src == b->src && a->dst == b->dst
				&& (!with_words || a->words == b->words),
			"%s: message %lld -> %lld of round %lld, %zu words; expected %lld -> %lld of %lld, %zu",
			picture, (long long)b->src, (long long)b->dst, (long long)b->round, b->words,
			(long long)a->src, (long long)a->dst, (long long)a->round, a->words);
	}
}
