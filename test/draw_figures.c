/*
 * Figures of the sources, read from pictures: prefix sums (Grama et al., Figure 4.13), the
 * all-reduce of the star paper (Oh, Choi, Primeaux 2005, Figure 1) and the routes of a broadcast in
 * a tree (Grama et al., Figure 4.7).  The test computes numbers and routes by itself.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <lockstep.h>

#include "support/collected_text.h"
#include "test.h"

/* With what nodes hold; the cells of a table come column by column. */
static struct text draw(const char *spec, enum ls_operation operation, const char *view)
{
	struct ls_request request = { .size = sizeof request,
		.operation = operation,
		.mode = strncmp(spec, "tree:", 5) == 0 ? LS_ROUTED : LS_HOP };
	struct ls_error why = { .size = sizeof why };
	ls_topology *t = NULL;
	ls_plan *plan = NULL;
	struct text svg = { 0 };

	CHECK(ls_topology_make(spec, &t, &why) == LS_OK, "%s", why.text);
	request.topology = t;
	CHECK(ls_plan_make(&request, &plan, &why) == LS_OK, "%s", why.text);

	const struct ls_drawing drawing = {
		.size = sizeof drawing, .topology = t, .plan = plan, .view = view, .values = LS_VALUES_DATA
	};

	CHECK(ls_draw(&drawing, "svg", text_append, &svg, &why) == LS_OK, "%s", why.text);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
	return svg;
}

/* The next cell of the table equals the text. */
static const char *check_cell(const char *at, const char *what, int64_t node, const char *text)
{
	const char *cell = strstr(at, ">[");
	const size_t length = cell ? strcspn(cell + 1, "<") : 0;

	CHECK(cell && length == strlen(text) && memcmp(cell + 1, text, length) == 0,
		"%s, node %" PRId64 ": %.*s, not %s", what, node, (int)length, cell ? cell + 1 : "", text);
	return cell ? cell + 2 : at;
}

/* The sum of first + 1 .. last + 1. */
static int64_t sum(int64_t first, int64_t last)
{
	return (last + 1) * (last + 2) / 2 - first * (first + 1) / 2;
}

/* After step k a node knows the sum of its cube of 2^k nodes, and its prefix there. */
static void test_prefix_sums(void)
{
	struct text svg = draw("hypercube:3", LS_SCAN, "table");
	const char *at = svg.at;

	for (int64_t size = 1; size <= 8; size *= 2) {
		for (int64_t r = 0; r < 8; r++) {
			const int64_t first = r - r % size;
			char text[64];

			if (size < 8)
				snprintf(text, sizeof text, "[%" PRId64 "](%" PRId64 ")", sum(first, r),
					sum(first, first + size - 1));
			else
				snprintf(text, sizeof text, "[%" PRId64 "]", sum(0, r));
			at = check_cell(at, "prefix sums", r, text);
		}
	}
	free(svg.at);
}

/* Steps 1, 3 and 6 give the sums of the S_2, S_3 and S_4 of each node. */
static void test_star(void)
{
	const int64_t size_after[] = { 1, 2, 0, 6, 0, 0, 24 };
	struct text svg = draw("star:4", LS_ALLREDUCE, "table");
	const char *at = svg.at;

	for (int step = 0; step <= 6; step++) {
		for (int64_t r = 0; r < 24; r++) {
			const int64_t size = size_after[step];
			char text[64];

			if (size == 0) { /* what it has received in between */
				at = strstr(at, ">[") ? strstr(at, ">[") + 2 : at;
				continue;
			}
			snprintf(
				text, sizeof text, "[%" PRId64 "]", sum(r - r % size, r - r % size + size - 1));
			at = check_cell(at, "star:4", r, text);
		}
	}
	free(svg.at);
}

/*
 * In a tree of eight leaves a message passes the switches of its route: a corner for each.  From
 * leaf a to leaf b it climbs to the smallest subtree of both.
 */
static void test_routes(void)
{
	struct text svg = draw("tree:8", LS_BROADCAST, "panels");
	const char *at = svg.at;
	int messages = 0;

	while ((at = strstr(at, "data-round="))) {
		int round, src, dst, levels = 0, lines = 0;

		at = strchr(at, '"') + 1;
		if (sscanf(at, "%d\" data-src=\"%d\" data-dst=\"%d\"", &round, &src, &dst) != 3)
			continue;
		while (src >> levels != dst >> levels)
			levels++;
		for (const char *d = strstr(at, " d=\"") + 4; *d != '"'; d++)
			lines += *d == 'L';
		CHECK(
			lines == 2 * levels, "message %d to %d: %d lines, not %d", src, dst, lines, 2 * levels);
		messages++;
	}
	CHECK(messages == 7, "%d messages", messages);
	free(svg.at);
}

int main(void)
{
	test_prefix_sums();
	test_star();
	test_routes();
	return test_result();
}
