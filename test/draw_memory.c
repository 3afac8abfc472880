/*
 * The k-th allocation of a drawing fails, for each view and format and every k until none fails:
 * the call gives LS_ERR_MEMORY with a text, and nothing leaks.
 */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
/* variants: release asan coverage */
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

static const char *format;

static int draw(const void *drawing)
{
	struct ls_error why = { .size = sizeof why };
	const int failed = ls_draw(drawing, format, ignore, NULL, &why);

	CHECK(!failed || (why.kind == failed && why.text[0]), "%s: '%s'", guarded(), why.text);
	return failed;
}

/* With each format, and the first one alone where that is enough. */
static void draw_formats(const struct ls_drawing *drawing, bool all)
{
	struct ls_draw_info info = { .size = sizeof info };

	for (size_t i = 0; ls_draw_format_list(i, &info) && (all || i == 0); i++) {
		char name[120];

		snprintf(name, sizeof name, "%s of %s as %s%s%s", drawing->view,
			ls_topology_spec(drawing->topology), info.name, drawing->focus ? ", focus " : "",
			drawing->focus ? drawing->focus : "");
		guard("%s", name);
		format = info.name;
		if (draw(drawing) == LS_OK)
			fail_memory(&(struct faulty){ .name = name, .play = draw, .context = drawing });
	}
}

static void draw_views(const char *spec, enum ls_operation operation, enum ls_mode mode,
	const char *focus, enum ls_drawn_values values, bool all)
{
	ls_topology *t = topology_of(spec);
	const struct ls_request request = {
		.size = sizeof request, .topology = t, .operation = operation, .mode = mode
	};
	ls_plan *plan = plan_for(&request);
	struct ls_draw_info info = { .size = sizeof info };

	for (size_t i = 0; ls_draw_view_list(i, &info); i++)
		draw_formats(&(struct ls_drawing){ .size = sizeof(struct ls_drawing),
						 .topology = t,
						 .plan = plan,
						 .mode = mode,
						 .values = values,
						 .focus = focus,
						 .view = info.name },
			all);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* Messages with times. */
static void draw_times(void)
{
	static const struct ls_record records[] = { { 1, 0, 1, 1, 8, 10, 30, 15 },
		{ 1, 1, 2, 1, 8, 20, 25, 0 }, { 2, 2, 0, 1, 8, 40, -1, -1 } };
	static const int core[] = { 0, 0, 1, 1 };
	static const char *const views[] = { "timeline", "gantt" };
	ls_topology *t = topology_of("ring:4");

	for (size_t i = 0; i < sizeof views / sizeof *views; i++)
		draw_formats(&(struct ls_drawing){ .size = sizeof(struct ls_drawing),
						 .topology = t,
						 .records = records,
						 .n_records = sizeof records / sizeof *records,
						 .core = core,
						 .view = views[i] },
			true);
	ls_topology_destroy(t);
}

int main(void)
{
	draw_times();
	draw_views("hypercube:2", LS_BROADCAST, LS_HOP, NULL, LS_VALUES_NONE, true);
	draw_views("tree:8", LS_ALLGATHER, LS_ROUTED, NULL, LS_VALUES_NONE, true);
	draw_views("tree:8", LS_ALLGATHER, LS_ROUTED, "1-4", LS_VALUES_NONE, true);
	draw_views("ring:2*star:3", LS_ALLREDUCE, LS_HOP, NULL, LS_VALUES_NONE, false);
	draw_views("ring:34", LS_GATHER, LS_HOP, NULL, LS_VALUES_NONE, false);
	draw_views("hypercube:3", LS_ALLGATHER, LS_HOP, "xx1", LS_VALUES_NONE,
		true); /* its model is hypercube:2 */
	draw_views("hypercube:3", LS_BROADCAST, LS_HOP, "4-7", LS_VALUES_BOTH, true);
	return test_result();
}
