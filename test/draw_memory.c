/*
 * The k-th allocation of a drawing fails: each view and each format gives LS_ERR_MEMORY with a
 * text, and nothing leaks.
 */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
#include <lockstep.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/inject.h"
#include "test.h"

static int ignore(void *context, const char *text)
{
	(void)context;
	(void)text;
	return 0;
}

static const char *failing_format;

static int draw_once(const void *drawing)
{
	struct ls_error why = { .size = sizeof why };
	const int failed = ls_draw(drawing, failing_format, ignore, NULL, &why);

	CHECK(!failed || (why.kind == failed && why.text[0]), "%s: '%s'", guarded(), why.text);
	return failed;
}

static void test_drawing(const struct ls_drawing *drawing, const char *format)
{
	char name[120];

	snprintf(name, sizeof name, "%s as %s%s%s", drawing->view, format,
		drawing->focus ? ", focus " : "", drawing->focus ? drawing->focus : "");
	failing_format = format;
	if (draw_once(drawing) == LS_ERR_UNSUPPORTED) /* the exemplar of what is no unit */
		return;
	/* qsort does without memory, too, and texts of what nodes have are sorted. */
	fail_memory(&(struct faulty){ name, draw_once, drawing, drawing->values != LS_VALUES_NONE });
}

static void test_network(
	const char *spec, enum ls_mode mode, const char *focus, enum ls_drawn_values values)
{
	static const char *const formats[] = { "svg", "tikz", "dot" };
	static const char *const views[] = { "network", "all", "panels", "step", "timeline", "matrix",
		"load", "table", "exemplar" };
	ls_topology *t = topology_of(spec);
	const struct ls_request request = {
		.size = sizeof request, .topology = t, .operation = LS_ALLGATHER, .mode = mode
	};
	ls_plan *plan = plan_for(&request);
	struct ls_drawing drawing = { .size = sizeof drawing,
		.topology = t,
		.plan = plan,
		.mode = mode,
		.values = values,
		.first_round = 1,
		.last_round = 1,
		.focus = focus };

	for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
		drawing.view = views[v];
		for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
			test_drawing(&drawing, formats[f]);
	}
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

int main(void)
{
	test_network("tree:8", LS_ROUTED, NULL, LS_VALUES_NONE);
	test_network("tree:8", LS_ROUTED, "1-4", LS_VALUES_NONE);
	test_network("hypercube:3", LS_HOP, "xx1", LS_VALUES_NONE); /* its model is hypercube:2 */
	test_network("hypercube:3", LS_HOP, "4-7", LS_VALUES_BLOCKS);
	return test_result();
}
