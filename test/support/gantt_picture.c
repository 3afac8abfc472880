#include "support/gantt_picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/guard.h"
#include "test.h"

/* ---- Steps */

/* The first and the last event of a node in a round. */
static bool step_of(int64_t node, int64_t round, int64_t *begin, int64_t *end)
{
	*begin = INT64_MAX;
	*end = -1;
	for (size_t i = 0; i < trace.n; i++) {
		const struct ls_record *r = &trace.row[i];

		if (r->round != round || r->sent_ns < 0)
			continue;
		if (r->src == node) {
			*begin = r->sent_ns < *begin ? r->sent_ns : *begin;
			*end = r->sent_ns > *end ? r->sent_ns : *end;
		}
		if (r->dst == node && r->received_ns >= 0) {
			*begin =
				r->received_ns - r->waited_ns < *begin ? r->received_ns - r->waited_ns : *begin;
			*end = r->received_ns > *end ? r->received_ns : *end;
		}
	}
	return *end >= 0;
}

/* A step is drawn from its first event at least to its last one. */
static void check_steps(const struct drawn_page *page, const struct axis *axis, int64_t nodes)
{
	int64_t begin, end, steps = 0, rounds = 0;
	double top;

	for (struct tag tag = { 0 }; next_tag(page, &tag);) {
		const int64_t node = number_of(&tag, "data-node"), round = number_of(&tag, "data-round");

		if (!has_class(&tag, "band") || node < 0)
			continue;
		CHECK(step_of(node, round, &begin, &end) && number_of(&tag, "data-begin-ns") == begin
				&& number_of(&tag, "data-end-ns") >= end,
			"%s: step %" PRId64 " of node %" PRId64, guarded(), round, node);
		CHECK(has_class(&tag, "odd") == (round % 2 == 1), "%s: shade", guarded());
		check_rectangle(
			page, tag, axis, (struct time_span){ begin, number_of(&tag, "data-end-ns") }, 0, &top);
		steps++;
	}
	for (size_t i = 0; i < trace.n; i++)
		rounds = trace.row[i].round > rounds ? trace.row[i].round : rounds;
	for (int64_t v = 0; v < nodes; v++)
		for (int64_t round = 1; round <= rounds; round++)
			steps -= step_of(v, round, &begin, &end);
	CHECK(steps == 0, "%s: %" PRId64 " steps too many", guarded(), steps);
}

/* ---- Shares */

/* The time in which a node waits: that between two neighboring events if one wait covers it. */
static double waited_by(int64_t node)
{
	double sum = 0;
	int64_t at = trace.begin;

	while (at < trace.end) {
		int64_t next = trace.end;
		bool waits = false;

		for (size_t i = 0; i < trace.n; i++) {
			const struct ls_record *r = &trace.row[i];
			const int64_t begin = r->received_ns - r->waited_ns;

			if (r->dst != node || r->waited_ns <= 0)
				continue;
			next = begin > at && begin < next ? begin : next;
			next = r->received_ns > at && r->received_ns < next ? r->received_ns : next;
			waits |= begin <= at && r->received_ns > at;
		}
		sum += waits ? (double)(next - at) : 0;
		at = next;
	}
	return sum;
}

/* The share of the time in which a node, or the nodes of a core, do not wait. */
static double share_of(int64_t node, int core, int64_t nodes)
{
	const double span = (double)(trace.end - trace.begin);
	double waited = 0, counted = 0;

	for (int64_t v = 0; v < nodes; v++) {
		if (node == v || (node < 0 && trace.core[v] == core)) {
			waited += waited_by(v);
			counted++;
		}
	}
	return span > 0 ? 1 - waited / span / counted : 1;
}

static void check_percentages(const struct drawn_page *page, int64_t nodes)
{
	for (struct tag tag = { 0 }; next_tag(page, &tag);) {
		const int64_t node = number_of(&tag, "data-node"), core = number_of(&tag, "data-core");
		const char *text = tag.element->text;
		char *end;
		const double percent = strtod(text, &end);

		if (strcmp(tag.element->name, "text") != 0 || (node < 0 && core < 0) || end == text
			|| strcmp(end, " %") != 0)
			continue;
		CHECK(fabs(percent - 100 * share_of(node, (int)core, nodes)) <= 0.51,
			"%s: node %" PRId64 ", core %" PRId64 ": %g %%, not %g", guarded(), node, core, percent,
			100 * share_of(node, (int)core, nodes));
	}
}

/* The area below the curve of a core is its share. */
static void check_curves(const struct drawn_page *page, const struct axis *axis, int64_t nodes)
{
	const double width = (double)(trace.end - trace.begin) / axis->ns * (axis->right - axis->left);

	for (struct tag tag = { 0 }; next_tag(page, &tag);) {
		const int64_t core = number_of(&tag, "data-core");
		struct rectangle r = { 0 };
		double area = 0;

		if (!has_class(&tag, "work"))
			continue;
		for (const char *at = path_of(&tag); (at = next_rectangle(at, &r));)
			area += (r.right - r.left) * (r.bottom - r.top);
		CHECK(fabs(area / width / 22 - share_of(-1, (int)core, nodes)) < 0.03 || width < 10,
			"%s: core %" PRId64 ": %g of %g", guarded(), core, area / width / 22,
			share_of(-1, (int)core, nodes));
	}
}

void check_gantt(const struct drawn_page *page, const struct axis *axis, int64_t nodes)
{
	check_steps(page, axis, nodes);
	check_percentages(page, nodes);
	check_curves(page, axis, nodes);
}
