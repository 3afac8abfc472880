/*
 * Pictures show the plan: the messages of an SVG, TikZ or DOT picture are exactly those of the
 * plan, in the views all, panels, step and network.  A lint of the geometry of every SVG, and of
 * the views load, exemplar, timeline and table: no link passes through a third node, no text lies
 * on an arrow or on another text, nothing lies outside the page, and every text has contrast.  On
 * the examples of all networks up to 64 nodes with every operation, and on random plans and
 * messages.  Also: a second call gives the same bytes.
 */
/* variants: release checked asan chaos */
#include <string.h>

#include <lockstep.h>

#include "support/cells.h"
#include "support/drawn_messages.h"
#include "support/guard.h"
#include "support/picture_lint.h"
#include "support/picture_lines.h"
#include "support/svg_tags.h"
#include "test.h"
#include "topology_specs.h"

enum { NODES = 64, RANDOM = 200, VIEWS = 4, THEMES = 3, VALUES = 4 };
static const char *const views[VIEWS] = { "network", "all", "panels", "step" };
static const char *const others[] = { "load", "exemplar", "timeline", "table" };

static struct {
	long long drawn, refused;
} counts;

/* ---- Messages */

static void test_other_format(const struct ls_drawing *drawing, const char *format,
	const struct message_list *want, message_reader *read_message)
{
	static struct ls_record got[MESSAGES + 2];
	struct text text;

	if (drawn_text(drawing, format, &text) != LS_OK) {
		CHECK(false, "%s: no %s", guarded(), format);
		return;
	}
	compare_messages(guarded(), want, got, read_messages(text.at, read_message, got, MESSAGES),
		read_message != read_dot_message);
	free(text.at);
}

static void test_picture(const struct ls_drawing *drawing, const struct message_list *want)
{
	struct picture picture;
	struct text svg, again;

	if (drawn_text(drawing, "svg", &svg) != LS_OK) {
		CHECK(false, "%s: no picture", guarded());
		return;
	}
	counts.drawn++;

	const bool right = picture_read(svg.at, &picture);

	CHECK(right, "%s: %s", guarded(), picture.why);
	if (right) {
		compare_messages(guarded(), want, picture.message, picture.messages, true);
		lint_picture(&picture);
	}
	picture_release(&picture);
	if (counts.drawn % 8 == 0) {
		drawn_text(drawing, "svg", &again);
		CHECK(again.at && !strcmp(svg.at, again.at), "%s: other bytes", guarded());
		free(again.at);
	}
	free(svg.at);
}

/* The limits of the views, as documented. */
static bool is_drawn(
	const char *view, const struct message_list *all, int64_t vertices, int64_t rounds)
{
	if (!strcmp(view, "panels"))
		return vertices <= 64 && rounds >= 1 && rounds <= 16;
	if (strcmp(view, "all") != 0)
		return vertices <= 256 && (rounds > 0 || !strcmp(view, "network"));
	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < i; k++)
			if (all->row[i].src == all->row[k].src && all->row[i].dst == all->row[k].dst)
				return false;
	return all->n <= 64;
}

static void test_view(const struct ls_drawing *given, int64_t rounds,
	const struct message_list *all, const char *name)
{
	static struct message_list want;
	struct ls_drawing drawing = *given;
	struct text text;

	guard("%s, %s of step %lld..%lld, theme %d, values %d", name, drawing.view,
		(long long)drawing.first_round, (long long)drawing.last_round, drawing.theme,
		drawing.values);
	want.n = 0;
	for (size_t i = 0; i < all->n && strcmp(drawing.view, "network") != 0; i++)
		if (!drawing.first_round
			|| (all->row[i].round >= drawing.first_round
				&& all->row[i].round <= drawing.last_round))
			want.row[want.n++] = all->row[i];
	if (is_drawn(drawing.view, all, ls_topology_vertices(drawing.topology), rounds)) {
		test_picture(&drawing, &want);
		test_other_format(&drawing, "tikz", &want, read_tikz_message);
		if (strcmp(drawing.view, "network") != 0)
			test_other_format(&drawing, "dot", &want, read_dot_message);
		return;
	}
	CHECK(drawn_text(&drawing, "svg", &text) == LS_ERR_UNSUPPORTED, "%s: beyond the limits",
		guarded());
	counts.refused++;
}

static int64_t last_round(const struct message_list *all)
{
	int64_t last = 0;

	for (size_t i = 0; i < all->n; i++)
		last = all->row[i].round > last ? all->row[i].round : last;
	return last;
}

/* Views that show the messages in other ways: the geometry only. */
static void test_geometry(const struct ls_drawing *drawing, const char *name)
{
	struct picture picture;
	struct text svg;
	const int status = drawn_text(drawing, "svg", &svg);

	guard("%s, %s", name, drawing->view);
	CHECK(status == LS_OK || status == LS_ERR_UNSUPPORTED, "%s: status %d", guarded(), status);
	if (status != LS_OK)
		return;
	if (picture_read(svg.at, &picture))
		lint_picture(&picture);
	else
		CHECK(false, "%s: %s", guarded(), picture.why);
	picture_release(&picture);
	free(svg.at);
}

/* All views; the themes in turn, and what nodes hold where the plan knows it. */
static void test_views(const struct ls_drawing *given, struct message_list *all, const char *name)
{
	static unsigned turn;
	const int64_t rounds = given->plan ? ls_plan_rounds(given->plan) : last_round(all);

	sort_messages(all->row, all->n);
	for (int v = 0; v < VIEWS; v++) {
		const int64_t step = !strcmp(views[v], "step") && rounds > 0 ? 1 + turn % rounds : 0;
		struct ls_drawing drawing = *given;

		drawing.view = views[v];
		drawing.first_round = drawing.last_round = step;
		drawing.theme = (enum ls_theme)(turn % THEMES);
		if (given->plan && strcmp(views[v], "network") != 0)
			drawing.values = (enum ls_drawn_values)(turn / VIEWS % VALUES);
		turn++;
		drawing.command = "lockstep draw --caption 'a < b & c > \"d\"'";
		test_view(&drawing, rounds, all, name);
	}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct ls_drawing drawing = *given;

		drawing.view = others[i];
		test_geometry(&drawing, name);
	}
}

/* Elements of a contribution that a drawing with a count of 3 shows: a barrier carries no data. */
static size_t words_of(const ls_plan *plan)
{
	return ls_plan_operation(plan) == LS_BARRIER ? 0 : 3;
}

static void test_plan(
	const ls_topology *t, const ls_plan *plan, enum ls_mode mode, const char *name)
{
	static struct message_list all;
	const struct ls_drawing drawing = {
		.size = sizeof drawing, .topology = t, .plan = plan, .mode = mode, .count = 3
	};

	all.n = 0;
	ls_trace_plan(plan, words_of(plan), add_message, &all);
	test_views(&drawing, &all, name);
}

/* ---- Every network and operation */

static void test_network(const ls_topology *t)
{
	static int networks;
	char name[160];

	if (ls_topology_nodes(t) > NODES)
		return;
	networks++;
	for (int o = 0; o < LS_OPERATIONS; o++) {
		struct ls_request request = {
			.size = sizeof request, .topology = t, .operation = (enum ls_operation)o, .shift = 1
		};
		struct ls_plan *plan;

		if ((networks + o) % (is_fast() ? (is_thin() ? 40 : 16) : is_long() ? 1 : 3) != 0)
			continue;
		if (ls_plan_make(&request, &plan, NULL) == LS_ERR_UNSUPPORTED) {
			request.mode = LS_ROUTED;
			if (ls_plan_make(&request, &plan, NULL) != LS_OK)
				continue;
		}
		snprintf(name, sizeof name, "%s on %s", ls_operation_name(request.operation),
			ls_topology_spec(t));
		test_plan(t, plan, request.mode, name);
		ls_plan_destroy(plan);
	}
}

static void test_networks(void)
{
	static const char *const graphs[] = { "petersen", "random7", "random12", "claw", "path" };

	visit_examples(test_network);
	for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
		char spec[80];

		snprintf(spec, sizeof spec, "graph:test/data/%s", graphs[i]);
		visit_spec(spec, test_network);
	}
}

/* ---- Embedded plans: the messages are those of the host */

static void test_placement(const struct placement *placement, enum ls_operation operation)
{
	static struct message_list all;
	ls_topology *guest = topology_of(placement->guest), *host = topology_of(placement->host);
	const struct ls_request request = { .size = sizeof request,
		.topology = guest,
		.operation = operation,
		.mode = placement->mode,
		.shift = 1 };
	struct ls_plan *plan = NULL;
	ls_embedding *embedding = NULL;
	char name[200];

	if (ls_embedding_make(guest, host, placement->map, &embedding, NULL) == LS_OK
		&& ls_plan_make(&request, &plan, NULL) == LS_OK) {
		snprintf(name, sizeof name, "%s on %s on %s", ls_operation_name(operation),
			placement->guest, placement->host);
		all.n = 0;
		ls_trace_plan(plan, words_of(plan), add_message, &all);
		for (size_t i = 0; i < all.n; i++) {
			all.row[i].src = ls_embedding_host_rank(embedding, all.row[i].src);
			all.row[i].dst = ls_embedding_host_rank(embedding, all.row[i].dst);
		}
		test_views(&(struct ls_drawing){ .size = sizeof(struct ls_drawing),
					   .topology = host,
					   .plan = plan,
					   .embedding = embedding,
					   .mode = placement->mode,
					   .count = 3 },
			&all, name);
	}
	ls_plan_destroy(plan);
	ls_embedding_destroy(embedding);
	ls_topology_destroy(guest);
	ls_topology_destroy(host);
}

static void test_placements(void)
{
	for (int i = 0; i < PLACEMENTS; i++)
		for (int o = 0; o < LS_OPERATIONS; o++)
			if (!is_fast() || o == i)
				test_placement(&placements[i], (enum ls_operation)o);
}

/* ---- Random plans */

static uint64_t state = 11;

/* In each round, up to `ports` messages from and to each node; two may have the same ends. */
static size_t draw_schedule(int64_t nodes, int ports, struct ls_message *message)
{
	const int64_t rounds = 1 + random_below(&state, 6);
	size_t n = 0;

	for (int64_t round = 1; round <= rounds; round++) {
		int sends[NODES] = { 0 }, receives[NODES] = { 0 };

		for (int64_t tries = random_below(&state, 2 * nodes + 2); tries > 0; tries--) {
			const int64_t src = random_below(&state, nodes), dst = random_below(&state, nodes);

			if (src == dst || sends[src] == ports || receives[dst] == ports)
				continue;
			sends[src]++;
			receives[dst]++;
			message[n++] = (struct ls_message){ round, src, dst, false, 1 };
		}
	}
	return n;
}

/* A node may send before it has anything: then the messages alone make the plan. */
static void test_random_plan(const ls_topology *t, int trial)
{
	static struct ls_message message[8 * 2 * (NODES + 1)];
	const int64_t nodes = ls_topology_nodes(t);
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = (enum ls_operation)random_below(&state, LS_OPERATIONS),
		.mode = LS_ROUTED,
		.root = random_below(&state, nodes),
		.shift = random_below(&state, nodes),
		.ports = 1 + (int)random_below(&state, 3) };
	const size_t n = draw_schedule(nodes, request.ports, message);
	struct ls_error why = { .size = sizeof why };
	struct ls_plan *plan;
	char name[160];
	int status = ls_plan_infer(&request, message, n, &plan, &why);

	if (status == LS_ERR_LAW)
		status = ls_plan_from_messages(&request, message, n, &plan, &why);
	CHECK(status == LS_OK, "random plan %d on %s: %s", trial, ls_topology_spec(t), why.text);
	if (status != LS_OK)
		return;
	snprintf(name, sizeof name, "random plan %d on %s", trial, ls_topology_spec(t));
	test_plan(t, plan, LS_ROUTED, name);
	ls_plan_destroy(plan);
}

static void test_random_plans(void)
{
	for (int i = 0; i < (is_fast() ? SMALL : is_long() ? RANDOM : RANDOM / 4); i++) {
		ls_topology *t = topology_of(small_networks[i % SMALL]);

		test_random_plan(t, i);
		ls_topology_destroy(t);
	}
}

/* ---- Messages that passed, of which several may have the same ends in one round */

static void test_records(const ls_topology *t, int trial)
{
	static struct message_list all;
	const int64_t nodes = ls_topology_nodes(t), rounds = 1 + random_below(&state, 4);
	char name[160];

	all.n = (size_t)random_below(&state, 3 * nodes);
	for (size_t i = 0; i < all.n; i++) {
		struct ls_record *record = &all.row[i];

		*record = (struct ls_record){ 1 + random_below(&state, rounds), random_below(&state, nodes),
			random_below(&state, nodes), (size_t)random_below(&state, 9), 0, -1, -1, -1 };
		while (record->dst == record->src)
			record->dst = random_below(&state, nodes);
	}
	snprintf(name, sizeof name, "records %d on %s", trial, ls_topology_spec(t));
	test_views(&(struct ls_drawing){ .size = sizeof(struct ls_drawing),
				   .topology = t,
				   .records = all.row,
				   .n_records = all.n,
				   .mode = LS_ROUTED },
		&all, name);
}

static void test_random_records(void)
{
	for (int i = 0; i < (is_fast() ? SMALL : is_long() ? RANDOM : RANDOM / 4); i++) {
		ls_topology *t = topology_of(small_networks[i % SMALL]);

		if (ls_topology_nodes(t) > 1)
			test_records(t, i);
		ls_topology_destroy(t);
	}
}

int main(void)
{
	test_networks();
	test_placements();
	test_random_plans();
	test_random_records();
	CHECK(counts.drawn > 0 && counts.refused > 0, "drawn %lld, refused %lld", counts.drawn,
		counts.refused);
	printf("%lld pictures, %lld refused\n", counts.drawn, counts.refused);
	return test_result();
}
