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

int main(void)
{
	static const char *const formats[] = { "svg", "tikz", "dot" };
	static const char *const views[] = { "network", "all", "panels", "step" };
	ls_topology *t = topology_of("tree:8");
	const struct ls_request request = {
		.size = sizeof request, .topology = t, .operation = LS_ALLGATHER, .mode = LS_ROUTED
	};
	ls_plan *plan = plan_for(&request);

	for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
		for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
			char name[80];
			const struct ls_drawing drawing = { .size = sizeof drawing,
				.topology = t,
				.plan = plan,
				.mode = LS_ROUTED,
				.view = views[v],
				.first_round = 1,
				.last_round = 1 };

			snprintf(name, sizeof name, "%s as %s", views[v], formats[f]);
			failing_format = formats[f];
			fail_memory(&(struct faulty){ name, draw_once, &drawing, false });
		}
	}
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
	return test_result();
}
