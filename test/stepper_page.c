/*
 * The HTML page of a drawing: its data for small plans, written down by hand; what nodes hold;
 * local moves; a failing put, and failing allocations.
 *
 * test/cli_draw_html.sh compares the pages of many plans with their steps.
 */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
#include <string.h>

#include <lockstep.h>

#include "base/alloc.h"
#include "draw/stepper.h"
#include "draw/text_numbers.h"
#include "support/guard.h"
#include "support/inject.h"
#include "test.h"

/* An all-reduce with local moves before and after its round; INPUT has two blocks. */
static const char plan_text[] =
	"lockstep plan 1\noperation allreduce\nnodes 2\nblocks 2\n"
	"scratch S 2\nlocal\n0: S[0..1] := INPUT[0..1]\n"
	"1: S[0..1] := INPUT[0..1]\nround\n"
	"0: send S[0..1] to 1; receive 2 from 1; S[0] := S[0] (+) ARRIVAL[0]; "
	"S[1] := S[1] (+) ARRIVAL[1]\n"
	"1: send INPUT[0..1] to 0; receive 2 from 0; "
	"S[0..1] := ARRIVAL[0..1] (+) S[0..1]\n"
	"local\n0: OUTPUT[0..1] := S[0..1]\n1: OUTPUT[1,0] := S[1,0]\n";

static const char data_of_plan[] =
	"{\"first\":1,\"nodes\":2,\n\"labels\":[],\n\"messages\":[[[0,1],[1,0],[2,2],[0,1]]],\n"
	"\"routes\":{},\n\"before\":[[[0,1],[1,1],[2,2]],[[0,1],[1,1],[3,4]]],\n"
	"\"moves\":[[[0,1],[2,1],[5,6,7]]],\n\"contents\":[],\n"
	"\"texts\":[\"S[0..1]\",\n\"INPUT\",\n\"S[0..1] := INPUT\",\n\"OUTPUT := S[0..1]\",\n"
	"\"OUTPUT[1,0] := S[1,0]\",\n\"S[0] := S[0] (+) ARRIVAL[0]\",\n"
	"\"S[0..1] := ARRIVAL (+) S[0..1]\",\n\"S[1] := S[1] (+) ARRIVAL[1]\"]}\n";

/* Messages that passed on a ring; the route from 0 to 2; a node that loses what it held. */
static const struct ls_record records[] = {
	{ .round = 2, .src = 0, .dst = 2, .words = 7 },
	{ .round = 3, .src = 0, .dst = 2, .words = 1 },
	{ .round = 3, .src = 1, .dst = 0, .words = 1 },
};
static char *contents[] = { "<a>", "", "", "", /* before round 2 */
	"<a>", "", "<a> \"b\"", "",                /* before round 3 */
	"", "", "<a> \"b\"", "" };

static const char data_of_records[] =
	"{\"first\":2,\"nodes\":4,\n\"labels\":[],\n"
	"\"messages\":[[[0],[2],[7],[-1]],\n[[0,1],[2,0],[1,1],[-1,-1]]],\n\"routes\":{\"0-2\":[0,1,2]}"
	",\n"
	"\"before\":[],\n\"moves\":[],\n\"contents\":[[[0],[0]],\n[[2],[1]],\n[[0],[2]]],\n"
	"\"texts\":[\"\\u003ca\\u003e\",\n\"\\u003ca\\u003e \\u0022b\\u0022\",\n\"\"]}\n";

static ls_topology *make_topology(const char *spec)
{
	ls_topology *topology = NULL;

	CHECK(ls_topology_make(spec, &topology, NULL) == LS_OK, "%s", spec);
	return topology;
}

/* The data of a drawing in which nodes hold `holds`, or nothing. */
static void check_data(const struct ls_drawing *drawing, char **holds, const char *expected)
{
	struct lsi_text_buffer text = { 0 };
	struct lsi_writer writer = { .put = lsi_text_buffer_put, .context = &text };
	struct lsi_subject subject;

	CHECK(lsi_subject_make(drawing, &subject, NULL) == LS_OK, "a subject");
	subject.contents = holds;
	lsi_stepper_write_data(&writer, &subject);
	subject.contents = NULL;
	lsi_subject_release(&subject);
	CHECK(!writer.failed && strcmp(text.text, expected) == 0, "%s\nexpected\n%s", text.text,
		expected);
	lsi_free(text.text);
}

static void test_data(void)
{
	ls_topology *line = make_topology("linear:2"), *ring = make_topology("ring:4");
	ls_plan *plan = NULL;

	CHECK(ls_plan_read(plan_text, strlen(plan_text), line, &plan, NULL) == LS_OK, "the plan");

	const struct ls_drawing of_plan = {
		.size = sizeof of_plan, .topology = line, .plan = plan, .count = 2
	};
	const struct ls_drawing of_records = { .size = sizeof of_records,
		.topology = ring,
		.records = records,
		.n_records = 3,
		.mode = LS_ROUTED,
		.first_round = 2 };

	check_data(&of_plan, NULL, data_of_plan);
	check_data(&of_records, contents, data_of_records);
	ls_plan_destroy(plan);
	ls_topology_destroy(line);
	ls_topology_destroy(ring);
}

/* The picture has room for the longest text of each node, and none where there is never a text. */
static void test_room(void)
{
	ls_topology *ring = make_topology("ring:4");
	const struct ls_drawing drawing = { .size = sizeof drawing,
		.topology = ring,
		.records = records,
		.n_records = 3,
		.first_round = 2 };
	struct lsi_scene scene = { 0 };
	struct lsi_subject subject;
	int texts = 0;

	CHECK(lsi_subject_make(&drawing, &subject, NULL) == LS_OK, "a subject");
	subject.contents = contents;
	CHECK(lsi_draw_view_stepper.fits(&subject), "it fits");
	CHECK(lsi_draw_view_stepper.draw(&scene, &subject, NULL) == LS_OK, "it is drawn");
	CHECK(lsi_scene_is_stepper(&scene), "by its name");
	for (size_t i = 0; i < scene.elements; i++) {
		const struct lsi_element *element = &scene.element[i];

		if (element->shape != LSI_SHAPE_TEXT || element->style != LSI_TEXT_CONTENTS)
			continue;
		texts++;
		CHECK(strcmp(element->text, element->node == 0 ? "<a>" : "<a> \"b\"") == 0, "node %d: %s",
			(int)element->node, element->text);
	}
	CHECK(texts == 2, "%d texts", texts);
	lsi_scene_release(&scene);
	subject.contents = NULL;
	lsi_subject_release(&subject);
	ls_topology_destroy(ring);
}

/* ---- Failures */

static int skip_text(void *context, const char *text)
{
	(void)context;
	(void)text;
	return 0;
}

static int fail_later(void *context, const char *text)
{
	int *left = context;

	(void)text;
	return --*left > 0 ? 0 : 7;
}

static int draw_page(const void *drawing)
{
	struct ls_error why = { .size = sizeof why };

	return ls_draw(drawing, "html", skip_text, NULL, &why);
}

static void test_errors(void)
{
	ls_topology *star = make_topology("star:4");
	const struct ls_request request = {
		.size = sizeof request, .topology = star, .operation = LS_ALLREDUCE
	};
	struct ls_drawing drawing = { .size = sizeof drawing, .topology = star };
	ls_plan *plan = NULL;

	CHECK(ls_plan_make(&request, &plan, NULL) == LS_OK, "the plan");
	drawing.plan = plan;
	for (int after = 1; after < 3000; after += 700) {
		int left = after;

		CHECK(ls_draw(&drawing, "html", fail_later, &left, NULL) == 7, "put fails");
		CHECK(left == 0, "nothing after it: %d", left);
	}
	fail_memory(&(struct faulty){ .name = "a page", .play = draw_page, .context = &drawing });
	ls_plan_destroy(plan);
	ls_topology_destroy(star);
}

int main(void)
{
	test_data();
	test_room();
	test_errors();
	return test_result();
}
