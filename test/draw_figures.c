/*
 * Figures of the sources, read from pictures: prefix sums (Grama et al., Figure 4.13), the
 * all-reduce of the star paper (Oh, Choi, Primeaux 2005, Figure 3) and the routes of a broadcast in
 * a tree (Grama et al., Figure 4.7).  The test computes numbers and routes by itself.
 */
/* variants: release checked asan chaos */
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
		.algorithm = operation == LS_ALLREDUCE ? "paper" : NULL,
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

/* The rank of the node whose label has the first and the l-th symbol swapped. */
static int64_t star_neighbor(const ls_topology *t, int64_t rank, int l)
{
	char label[16], other[16];
	int64_t to = 0;

	ls_label(t, rank, label, sizeof label);
	other[0] = label[0];
	label[0] = label[l - 1];
	label[l - 1] = other[0];
	for (; to < ls_topology_nodes(t); to++) {
		ls_label(t, to, other, sizeof other);
		if (strcmp(label, other) == 0)
			break;
	}
	return to;
}

/*
 * The all-reduce of the paper on S_4 (Figure 3): "[result](outgoing)".  At level k a node gets the
 * sum of another S_(k-1) along link k, and passes it along the links k - 1 .. 2; it adds what
 * arrives, and at last what it has passed.
 */
static void test_star(void)
{
	static const int level[] = { 2, 3, 3, 4, 4, 4 }, link[] = { 2, 3, 2, 4, 3, 2 };
	struct text svg = draw("star:4", LS_ALLREDUCE, "table");
	int64_t result[24], outgoing[24] = { 0 };
	const char *at = svg.at;
	ls_topology *t;

	CHECK(ls_topology_make("star:4", &t, NULL) == LS_OK, "star:4");
	for (int step = 0; step <= 6; step++) {
		int64_t received[24];
		const bool begins = step > 0 && link[step - 1] == level[step - 1];
		const bool ends = step > 0 && link[step - 1] == 2;

		for (int64_t r = 0; r < 24 && step > 0; r++) {
			const int64_t from = star_neighbor(t, r, link[step - 1]);

			received[r] = begins ? result[from] : outgoing[from];
		}
		for (int64_t r = 0; r < 24; r++) {
			char text[64];

			if (step == 0)
				result[r] = r + 1;
			else if (begins && !ends)
				outgoing[r] = received[r];
			else
				result[r] += received[r] + (ends && !begins ? outgoing[r] : 0);
			if (step > 0 && !ends)
				snprintf(text, sizeof text, "[%" PRId64 "](%" PRId64 ")", result[r], outgoing[r]);
			else
				snprintf(text, sizeof text, "[%" PRId64 "]", result[r]);
			at = check_cell(at, "star:4", r, text);
		}
	}
	ls_topology_destroy(t);
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
