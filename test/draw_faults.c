/*
 * The k-th allocation fails while the library draws, for every view and every k until none fails:
 * the call reports it and keeps nothing.
 */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
/* variants: release asan */
#include <string.h>

#include <lockstep.h>

#include "support/guard.h"
#include "support/inject.h"
#include "test.h"

static int ignore(void *context, const char *text)
{
	(void)context;
	(void)text;
	return 0;
}

static int draw(const void *drawing)
{
	struct ls_error why = { .size = sizeof why };
	const int failed = ls_draw(drawing, "svg", ignore, NULL, &why);

	CHECK(!failed || (why.kind == failed && why.text[0]), "%s: %s", guarded(), why.text);
	return failed;
}

static void draw_all(const char *spec, enum ls_operation operation)
{
	ls_topology *topology = NULL;
	struct ls_request request = { .size = sizeof request, .operation = operation };
	struct ls_draw_info info = { .size = sizeof info };
	ls_plan *plan = NULL;

	CHECK(ls_topology_make(spec, &topology, NULL) == LS_OK, "%s", spec);
	request.topology = topology;
	CHECK(ls_plan_make(&request, &plan, NULL) == LS_OK, "%s", spec);
	for (size_t i = 0; ls_draw_view_list(i, &info); i++) {
		const struct ls_drawing drawing = {
			.size = sizeof drawing, .topology = topology, .plan = plan, .view = info.name
		};

		guard("%s of %s", info.name, spec);
		if (draw(&drawing) == LS_OK)
			fail_memory(&(struct faulty){ .name = info.name, .play = draw, .context = &drawing });
	}
	ls_plan_destroy(plan);
	ls_topology_destroy(topology);
}

/* Messages with times. */
static void draw_times(void)
{
	static const struct ls_record records[] = { { 1, 0, 1, 1, 8, 10, 30, 15 },
		{ 1, 1, 2, 1, 8, 20, 25, 0 }, { 2, 2, 0, 1, 8, 40, -1, -1 } };
	static const int core[] = { 0, 0, 1, 1 };
	static const char *const views[] = { "timeline", "gantt" };
	ls_topology *topology = NULL;

	CHECK(ls_topology_make("ring:4", &topology, NULL) == LS_OK, "ring:4");
	for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
		const struct ls_drawing drawing = { .size = sizeof drawing,
			.topology = topology,
			.records = records,
			.n_records = sizeof records / sizeof *records,
			.core = core,
			.view = views[i] };

		guard("%s of times", views[i]);
		fail_memory(&(struct faulty){ .name = views[i], .play = draw, .context = &drawing });
	}
	ls_topology_destroy(topology);
}

int main(void)
{
	draw_times();
	draw_all("hypercube:2", LS_BROADCAST);
	draw_all("ring:2*star:3", LS_ALLREDUCE);
	draw_all("ring:34", LS_GATHER);
	return test_result();
}
