/*
 * The text of a focus selects the right nodes, or is refused with a reason; the limits of views
 * count the focus.
 */
/* variants: release checked asan */
#include <stdio.h>
#include <string.h>

#include <lockstep.h>

#include "support/svg_tags.h"
#include "test.h"

enum { TEXT = 400 };

/* ---- What texts select */

static void test_text(const char *spec, const char *focus, const char *nodes)
{
	ls_topology *t = drawn_network(spec);
	const struct ls_drawing d = {
		.size = sizeof d, .topology = t, .view = "matrix", .focus = focus
	};
	struct drawn_page page;
	char found[TEXT] = "";

	CHECK(drawn_page_make(&d, &page) == LS_OK, "%s of %s: %s", focus, spec, page.why.text);
	for (struct tag tag = { 0 }; next_tag(&page, &tag);) {
		char text[24];

		snprintf(text, sizeof text, "%s%lld", *found ? "," : "",
			(long long)number_of(&tag, "data-node"));
		if (has_class(&tag, "axis") && number_of(&tag, "data-node") >= 0
			&& strlen(found) + strlen(text) < sizeof found)
			strcat(found, text);
	}
	CHECK(!strcmp(found, nodes), "%s of %s: %s, expected %s", focus, spec, found, nodes);
	drawn_page_release(&page);
	ls_topology_destroy(t);
}

/* Each rank is there twice: for its column, and for its row. */
static void test_texts(void)
{
	test_text("hypercube:4", "1x0x", "8,8,9,9,12,12,13,13");
	test_text("hypercube:4", "*11", "3,3,7,7,11,11,15,15");
	test_text("hypercube:4", "*0*1*1", "3,3,5,5,7,7,11,11");
	test_text("hypercube:4", "1**1*", "9,9,10,10,11,11,12,12,13,13,14,14,15,15");
	test_text("mesh:3x12", "2,x",
		"24,24,25,25,26,26,27,27,28,28,29,29,30,30,31,31,32,32,33,33,34,34,"
		"35,35");
	test_text("mesh:3x12", "(x,11)", "11,11,23,23,35,35");
	test_text("mesh:3x12", "x,1x", "10,10,11,11,22,22,23,23,34,34,35,35");
	test_text("mesh:2x2x2", "(1,*)", "4,4,5,5,6,6,7,7");
	test_text("star:4", "x4x1", "20,20,22,22");
	test_text("star:3*ring:4", "(213,*)", "4,4,5,5,6,6,7,7");
	test_text("star:3*ring:4", "x,2", "2,2,6,6,10,10,14,14,18,18,22,22");
	test_text("ring:8", "6,1-3,2", "1,1,2,2,3,3,6,6");
	test_text("complete:20", "1x", "10,10,11,11,12,12,13,13,14,14,15,15,16,16,17,17,18,18,19,19");
}

static void test_wrong(const char *spec, const char *focus, int status, const char *why)
{
	ls_topology *t = drawn_network(spec);
	const struct ls_drawing d = { .size = sizeof d, .topology = t, .focus = focus };
	struct drawn_page page;
	const int found = drawn_page_make(&d, &page);

	CHECK(found == status && strstr(page.why.text, why) && !strchr(page.why.text, '\n'),
		"'%s' of %s: %s: %s", focus, spec, ls_status_name(found), page.why.text);
	drawn_page_release(&page);
	ls_topology_destroy(t);
}

static void test_wrong_texts(void)
{
	test_wrong("hypercube:16", "*x*x*x*x*x*x*x*x*2", LS_ERR_SPEC, "no node of"); /* not for hours */
	test_wrong("star:4", "xxx5", LS_ERR_SPEC, "no node of star:4 matches 'xxx5'");
	test_wrong("star:4", "xxx", LS_ERR_SPEC, "a label like 4321 with x or *");
	test_wrong("mesh:4x4", "x", LS_ERR_SPEC, "no node of mesh:4x4 matches");
	test_wrong("ring:8", "", LS_ERR_SPEC, "is not a focus");
	test_wrong("ring:8", ",", LS_ERR_SPEC, "is not a focus");
	test_wrong("ring:8", "1,", LS_ERR_SPEC, "is not a focus");
	test_wrong("ring:8", "3-1", LS_ERR_SPEC, "is not a focus");
	test_wrong("ring:8", "0-3-5", LS_ERR_SPEC, "is not a focus");
	test_wrong("ring:8", "-3", LS_ERR_SPEC, "is not a focus");
	test_wrong("ring:8", "0-8", LS_ERR_SPEC, "no rank 8 in ring:8; expected ranks from 0 to 7");
	test_wrong("ring:8", "99999999999999999999", LS_ERR_SPEC, "no rank");
	test_wrong("star:7", "*", LS_ERR_UNSUPPORTED, "more than 1024 nodes");
	test_wrong("star:7", "0-5039", LS_ERR_UNSUPPORTED, "more than 1024 nodes");
	test_wrong("hypercube:40", "1*", LS_ERR_UNSUPPORTED, "too many labels");
}

/* ---- Views count the focus */

static void test_view(const char *spec, const char *focus, const char *view, bool drawn)
{
	ls_topology *t = drawn_network(spec);
	ls_plan *plan = drawn_plan(t, LS_ALLREDUCE, LS_HOP);
	const struct ls_drawing d = { .size = sizeof d,
		.topology = t,
		.plan = plan,
		.view = view,
		.focus = focus,
		.first_round = 3,
		.last_round = 4 };
	struct drawn_page page;
	const int status = drawn_page_make(&d, &page);

	CHECK(
		status == (drawn ? LS_OK : LS_ERR_UNSUPPORTED), "%s of %s: %s", view, spec, page.why.text);
	drawn_page_release(&page);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

static void test_limits(void)
{
	test_view("star:6", "*56", "panels", true);
	test_view("star:6", "*6", "panels", false);
	test_view("star:6", "*6", "timeline", true);
	test_view("star:6", "*6", "exemplar", true);
	test_view("star:6", "x5xxxx", "exemplar", false);
	test_view("star:6", "1,2,3", "exemplar", false);
	test_view("hypercube:10", "1*", "table", true);
	test_view("hypercube:10", "*", "table", false);
}

int main(void)
{
	test_texts();
	test_wrong_texts();
	test_limits();
	return test_result();
}
