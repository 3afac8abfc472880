#include "support/drawn_messages.h"

#include <inttypes.h>
#include <string.h>

#include <lockstep.h>

#include "test.h"

struct message_list expected;

static int keep(void *context, const struct ls_record *row)
{
	struct message_list *list = context;

	CHECK(list->n < MESSAGES, "too many messages for this test");
	list->row[list->n++] = *row;
	return 0;
}

void expect_plan(const ls_plan *plan)
{
	memset(&expected, 0, sizeof expected);
	CHECK(ls_trace_plan(plan, 1, keep, &expected) == 0, "no trace");
}

void mark_message(const char *text, int64_t round, int64_t src, int64_t dst)
{
	for (size_t i = 0; i < expected.n; i++) {
		const struct ls_record *row = &expected.row[i];

		if (row->round == round && row->src == src && row->dst == dst) {
			CHECK(!expected.drawn[i], "%s: %" PRId64 " to %" PRId64 " twice", text, src, dst);
			expected.drawn[i] = true;
			return;
		}
	}
	CHECK(
		false, "%s: no message %" PRId64 " to %" PRId64 " in step %" PRId64, text, src, dst, round);
}

void check_all_drawn(const char *text)
{
	size_t drawn = 0;

	for (size_t i = 0; i < expected.n; i++)
		drawn += expected.drawn[i];
	CHECK(drawn == expected.n, "%s: %zu of %zu messages", text, drawn, expected.n);
}
