/*
 * The limits and defaults of views: each view draws a well-formed picture, or is refused with the
 * name of one that does.
 */
/* variants: release checked asan */
#include <string.h>
#include <sys/mman.h>

#include <lockstep.h>

#include "draw/obstacles.h"
#include "support/svg_tags.h"
#include "test.h"

/* A view that does not fit is refused, and the message names one that fits. */
static void check_refusal(
	const ls_topology *t, const ls_plan *plan, const char *view, const struct ls_error *why)
{
	const char *other = strstr(why->text, "; try --view ");
	struct drawn_page picture;
	struct ls_drawing drawing = { .size = sizeof drawing, .topology = t, .plan = plan };

	CHECK(strstr(why->text, view), "%s: %s", view, why->text);
	CHECK(other, "%s of %s: %s", view, ls_topology_spec(t), why->text);
	drawing.view = other ? other + strlen("; try --view ") : NULL;
	CHECK(drawn_page_make(&drawing, &picture) == LS_OK, "%s", why->text);
	drawn_page_release(&picture);
}

/* Each view either draws, in one of the themes, or is refused with another one. */
static void check_views(const ls_topology *t, const ls_plan *plan)
{
	static int draws;
	struct ls_draw_info info = { .size = sizeof info };

	for (size_t i = 0; ls_draw_view_list(i, &info); i++) {
		const struct ls_drawing drawing = { .size = sizeof drawing,
			.topology = t,
			.plan = plan,
			.view = info.name,
			.theme = (enum ls_theme)(draws++ % 3) };
		struct drawn_page picture;
		const int status = drawn_page_make(&drawing, &picture);

		CHECK(status == LS_OK || status == LS_ERR_UNSUPPORTED, "%s of %s: %d %s", info.name,
			ls_topology_spec(t), status, picture.why.text);
		if (status == LS_ERR_UNSUPPORTED)
			check_refusal(t, plan, info.name, &picture.why);
		drawn_page_release(&picture);
	}
}

static void check_grid(void)
{
	static const char *const specs[] = { "linear:1", "ring:2", "ring:8", "mesh:3x4", "torus:4x4",
		"hypercube:3", "star:4", "tree:8", "complete:5", "debruijn:3", "pancake:4", "bubblesort:3",
		"ring:3*star:3", "mct:2,2", "hypercube:7", "star:5" };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		ls_topology *t = drawn_network(specs[i]);

		check_views(t, NULL);
		for (int operation = 0; operation < LS_OPERATIONS; operation++) {
			for (int mode = LS_HOP; mode <= LS_ROUTED; mode++) {
				const bool is_small = ls_topology_nodes(t) <= 32 || operation == LS_BROADCAST;
				ls_plan *plan = is_small
					? drawn_plan(t, (enum ls_operation)operation, (enum ls_mode)mode)
					: NULL;

				if (plan)
					check_views(t, plan);
				ls_plan_destroy(plan);
			}
		}
		ls_topology_destroy(t);
	}
}

/* ---- Limits */

static void check_default(const char *spec, int operation, const char *view)
{
	ls_topology *t = drawn_network(spec);
	ls_plan *plan = operation < 0 ? NULL : drawn_plan(t, (enum ls_operation)operation, LS_HOP);
	const struct ls_drawing drawing = {
		.size = sizeof drawing, .topology = t, .plan = plan, .mode = LS_ROUTED
	};
	struct drawn_page picture, same = draw_view(t, plan, view);

	CHECK(drawn_page_make(&drawing, &picture) == LS_OK, "%s: %s", spec, picture.why.text);
	CHECK(!strcmp(picture.svg.at, same.svg.at), "the default view of %s is not %s", spec, view);
	drawn_page_release(&picture);
	drawn_page_release(&same);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

static void check_limit(const char *spec, int operation, const char *view, const char *other)
{
	ls_topology *t = drawn_network(spec);
	ls_plan *plan = operation < 0 ? NULL : drawn_plan(t, (enum ls_operation)operation, LS_HOP);
	const struct ls_drawing drawing = {
		.size = sizeof drawing, .topology = t, .plan = plan, .view = view
	};
	struct drawn_page picture;

	CHECK(drawn_page_make(&drawing, &picture) == LS_ERR_UNSUPPORTED, "%s of %s", view, spec);
	CHECK(strstr(picture.why.text, other), "%s of %s: %s", view, spec, picture.why.text);
	drawn_page_release(&picture);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

static void check_choices(void)
{
	check_default("hypercube:4", -1, "network");
	check_default("hypercube:12", -1, "exemplar");
	check_default("complete:400", -1, "matrix");
	check_default("hypercube:3", LS_BROADCAST, "all");
	check_default("hypercube:5", LS_ALLREDUCE, "panels");
	check_default("ring:33", LS_BROADCAST, "timeline");
	check_default("hypercube:8", LS_BROADCAST, "timeline");
	check_default("hypercube:9", LS_BROADCAST, "exemplar");
	check_default("star:6", LS_ALLREDUCE, "exemplar");
	check_default("debruijn:9", LS_BROADCAST, "matrix");
	check_limit("hypercube:9", LS_BROADCAST, "timeline", "--view exemplar");
	check_limit("ring:200", LS_BROADCAST, "timeline", "--view matrix");
	check_limit("hypercube:10", LS_BROADCAST, "table", "--view exemplar");
	check_limit("ring:8", -1, "load", "--view network");
	check_limit("ring:8", LS_BROADCAST, "exemplar", "--view all");
	check_limit("hypercube:20", -1, "matrix", "--view exemplar");
	check_limit("complete:300", LS_BROADCAST, "step", "5,000 messages, 5,000 nodes, 20,000 links");
	check_limit("hypercube:12", LS_BROADCAST, "step", "--view exemplar");
}

/* The lists of obstacles hold INT32_MAX of them, and more are no memory.  The pages stay empty. */
static void check_obstacles(void)
{
	const size_t bytes = ((size_t)INT32_MAX + 1) * sizeof(struct lsi_obstacle);
	struct lsi_obstacles o;
	struct lsi_obstacle *many = mmap(
		NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (many == MAP_FAILED || !lsi_obstacles_make(&o))
		return;
	o.obstacle = many;
	o.room = (size_t)INT32_MAX + 1;
	o.n = INT32_MAX - 1;
	lsi_obstacles_add_box(&o, (struct lsi_box){ 1, 1, 2, 2 }, 1);
	CHECK(!o.no_memory && o.n == INT32_MAX, "the last obstacle was refused");
	lsi_obstacles_add_box(&o, (struct lsi_box){ 1, 1, 2, 2 }, 1);
	CHECK(o.no_memory && o.n == INT32_MAX, "%zu obstacles", o.n);
	munmap(many, bytes);
	o.obstacle = NULL;
	lsi_obstacles_release(&o);
}

/* Within the limits no picture takes minutes, or gigabytes: lines of thousands of px are many. */
static void check_long_lines(void)
{
	ls_topology *t = drawn_network("hypercube:11");
	ls_plan *plan = drawn_plan(t, LS_ALLREDUCE, LS_HOP);
	const struct ls_drawing drawing = { .size = sizeof drawing,
		.topology = t,
		.plan = plan,
		.view = "step",
		.first_round = 3,
		.last_round = 3 };
	struct drawn_page page;

	CHECK(drawn_page_make(&drawing, &page) == LS_OK, "%s", page.why.text);
	drawn_page_release(&page);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

int main(void)
{
	check_long_lines();
	check_choices();
	check_obstacles();
	check_grid();
	return test_result();
}
