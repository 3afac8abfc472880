/*
 * Pictures show the plan: the messages of an SVG, TikZ or DOT picture are exactly those of the
 * plan, in the views all, panels, step and network.  A lint of the geometry of every SVG: no link
 * passes through a third node, no two texts overlap, nothing lies outside the page, and every text
 * has contrast.  On the examples of all networks up to 64 nodes with every operation, and on random
 * plans.  Also: a second call gives the same bytes, and allocations that fail.
 */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
#include <math.h>
#include <string.h>

#include <lockstep.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/inject.h"
#include "support/picture.h"
#include "support/style_sheet.h"
#include "test.h"
#include "topology_specs.h"

enum { NODES = 64, RANDOM = 200, MESSAGES = 4000, VIEWS = 4, THEMES = 3 };
static const char *const views[VIEWS] = { "network", "all", "panels", "step" };

/* Messages that a picture must show. */
struct expected {
	struct ls_record record[MESSAGES];
	size_t n;
};

static struct {
	long long drawn, refused, no_clearance;
} counts;

/* ---- Drawing */

static int append(void *context, const char *piece)
{
	struct text *text = context;
	const size_t length = strlen(piece);

	if (text->length + length + 1 > text->room) {
		text->room = 2 * (text->length + length + 1);
		text->at = realloc(text->at, text->room);
		if (!text->at)
			exit(1);
	}
	memcpy(text->at + text->length, piece, length + 1);
	text->length += length;
	return 0;
}

static int draw(const struct ls_drawing *drawing, const char *format, struct text *out)
{
	struct ls_error why = { .size = sizeof why };

	*out = (struct text){ 0 };

	const int status = ls_draw(drawing, format, append, out, &why);

	CHECK(status == LS_OK || (why.kind == status && why.text[0] && !strchr(why.text, '\n')),
		"%s: %s: '%s'", guarded(), ls_status_name(status), why.text);
	CHECK(status == LS_OK || !out->at, "%s: text of a refused picture", guarded());
	return status;
}

/* ---- Messages */

static void test_messages(
	const struct expected *want, const struct ls_record *got, size_t n, bool with_words)
{
	CHECK(n == want->n, "%s: %zu messages, expected %zu", guarded(), n, want->n);
	for (size_t i = 0; i < n && i < want->n; i++) {
		const struct ls_record *a = &want->record[i], *b = &got[i];

		CHECK(a->round == b->round && a->src == b->src && a->dst == b->dst
				&& (!with_words || a->words == b->words),
			"%s: message %lld -> %lld of round %lld, %zu words; expected %lld -> %lld of %lld, %zu",
			guarded(), (long long)b->src, (long long)b->dst, (long long)b->round, b->words,
			(long long)a->src, (long long)a->dst, (long long)a->round, a->words);
	}
}

/* "% round 1: 0 -> 4, words 1" or "% round 1: 0 <-> 4, words 1 and 1" */
static size_t read_tikz_line(const char *line, struct ls_record out[2])
{
	long long round, src, dst, words, back;
	const char *comment = strstr(line, "% round ");

	if (!comment)
		return 0;
	if (sscanf(comment, "%% round %lld: %lld -> %lld, words %lld", &round, &src, &dst, &words)
		== 4) {
		out[0] = (struct ls_record){ round, src, dst, (size_t)words, 0 };
		return 1;
	}
	if (sscanf(comment, "%% round %lld: %lld <-> %lld, words %lld and %lld", &round, &src, &dst,
			&words, &back)
		!= 5)
		return 0;
	out[0] = (struct ls_record){ round, src, dst, (size_t)words, 0 };
	out[1] = (struct ls_record){ round, dst, src, (size_t)back, 0 };
	return 2;
}

/* "0 -> 4 [label=\"1\", .." */
static size_t read_dot_line(const char *line, struct ls_record out[2])
{
	long long round, src, dst;

	if (sscanf(line, " %lld -> %lld [label=\"%lld\"", &src, &dst, &round) != 3)
		return 0;
	out[0] = (struct ls_record){ .round = round, .src = src, .dst = dst };
	return 1;
}

static void test_other_format(const struct ls_drawing *drawing, const char *format,
	const struct expected *want, size_t (*read_line)(const char *, struct ls_record[2]))
{
	static struct ls_record got[MESSAGES + 2];
	struct text text;
	size_t n = 0;

	if (draw(drawing, format, &text) != LS_OK) {
		CHECK(false, "%s: no %s", guarded(), format);
		return;
	}
	for (char *rest = text.at, *line; (line = strsep(&rest, "\n")) && n < MESSAGES;)
		n += read_line(line, got + n);
	sort_messages(got, n);
	test_messages(want, got, n, !strcmp(format, "tikz"));
	free(text.at);
}

/* ---- Lint */

static double distance_to_piece(struct spot a, struct spot b, struct spot at)
{
	const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
	const double t = length > 0 ? ((at.x - a.x) * dx + (at.y - a.y) * dy) / length : 0;
	const double along = fmin(1, fmax(0, t));

	return hypot(a.x + along * dx - at.x, a.y + along * dy - at.y);
}

static void test_link(const struct picture *p, const struct seen_link *link)
{
	const double least = (15 + 2) * link->scale;

	for (size_t i = 0; i < p->nodes; i++) {
		const struct seen_node *node = &p->node[i];
		double distance = INFINITY;

		if (node->part != link->part || node->node == link->src || node->node == link->dst)
			continue;
		for (int k = 1; k < link->points; k++)
			distance =
				fmin(distance, distance_to_piece(link->point[k - 1], link->point[k], node->at));
		CHECK(distance > least - 0.1, "%s: link %lld - %lld is %.1f from node %lld", guarded(),
			(long long)link->src, (long long)link->dst, distance, (long long)node->node);
	}
}

static bool overlap(struct frame a, struct frame b)
{
	const double slack = 0.2; /* coordinates are rounded */

	return a.left + slack < b.right && b.left + slack < a.right && a.top + slack < b.bottom
		&& b.top + slack < a.bottom;
}

static void test_texts(const struct picture *p)
{
	for (size_t i = 0; i < p->texts; i++) {
		const struct seen_text *one = &p->text[i];

		CHECK(contrast(one->color, one->behind) >= 4.5, "%s: '%s' is %s on %s", guarded(),
			one->text, one->color, one->behind);
		for (size_t k = 0; k < i; k++)
			CHECK(!overlap(one->frame, p->text[k].frame), "%s: '%s' at %.1f,%.1f overlaps '%s'",
				guarded(), one->text, one->frame.left, one->frame.top, p->text[k].text);
	}
}

/* Without layouts of their own, large networks are circles, whose chords pass near nodes. */
extern const char *ls_layout_list(const ls_topology *, size_t) __attribute__((weak));

static void test_lint(const struct picture *p)
{
	CHECK(p->drawn.left >= 0 && p->drawn.top >= 0 && p->drawn.right <= p->page.right
			&& p->drawn.bottom <= p->page.bottom,
		"%s: drawn %.1f,%.1f .. %.1f,%.1f on a page of %.0f x %.0f", guarded(), p->drawn.left,
		p->drawn.top, p->drawn.right, p->drawn.bottom, p->page.right, p->page.bottom);
	for (size_t i = 0; i < p->links && ls_layout_list; i++)
		test_link(p, &p->link[i]);
	counts.no_clearance += !ls_layout_list;
	test_texts(p);
}

/* ---- A picture */

static void test_picture(const struct ls_drawing *drawing, const struct expected *want)
{
	struct picture picture;
	struct text svg, again;

	if (draw(drawing, "svg", &svg) != LS_OK) {
		CHECK(false, "%s: no picture", guarded());
		return;
	}
	counts.drawn++;

	const bool right = picture_read(svg.at, &picture);

	CHECK(right, "%s: %s", guarded(), picture.why);
	if (right) {
		test_messages(want, picture.message, picture.messages, true);
		test_lint(&picture);
	}
	picture_release(&picture);
	draw(drawing, "svg", &again);
	CHECK(again.at && !strcmp(svg.at, again.at), "%s: other bytes", guarded());
	free(svg.at);
	free(again.at);
}

/* The limits of the views, as documented. */
static bool is_drawn(const char *view, const struct expected *all, int64_t vertices, int64_t rounds)
{
	if (!strcmp(view, "panels"))
		return vertices <= 64 && rounds >= 1 && rounds <= 16;
	if (strcmp(view, "all") != 0)
		return vertices <= 256 && (rounds > 0 || !strcmp(view, "network"));
	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < i; k++)
			if (all->record[i].src == all->record[k].src
				&& all->record[i].dst == all->record[k].dst)
				return false;
	return all->n <= 64;
}

static void test_view(
	const struct ls_drawing *given, int64_t rounds, const struct expected *all, const char *name)
{
	static struct expected want;
	struct ls_drawing drawing = *given;
	struct text text;

	guard("%s, %s of step %lld..%lld, theme %d", name, drawing.view, (long long)drawing.first_round,
		(long long)drawing.last_round, drawing.theme);
	want.n = 0;
	for (size_t i = 0; i < all->n && strcmp(drawing.view, "network") != 0; i++)
		if (!drawing.first_round
			|| (all->record[i].round >= drawing.first_round
				&& all->record[i].round <= drawing.last_round))
			want.record[want.n++] = all->record[i];
	if (is_drawn(drawing.view, all, ls_topology_vertices(drawing.topology), rounds)) {
		test_picture(&drawing, &want);
		test_other_format(&drawing, "tikz", &want, read_tikz_line);
		if (strcmp(drawing.view, "network") != 0)
			test_other_format(&drawing, "dot", &want, read_dot_line);
		return;
	}
	CHECK(draw(&drawing, "svg", &text) == LS_ERR_UNSUPPORTED, "%s: beyond the limits", guarded());
	counts.refused++;
}

static int collect(void *context, const struct ls_record *record)
{
	struct expected *all = context;

	if (all->n < MESSAGES)
		all->record[all->n++] = *record;
	return 0;
}

static int64_t last_round(const struct expected *all)
{
	int64_t last = 0;

	for (size_t i = 0; i < all->n; i++)
		last = all->record[i].round > last ? all->record[i].round : last;
	return last;
}

/* All views; the themes in turn. */
static void test_views(const struct ls_drawing *given, struct expected *all, const char *name)
{
	static unsigned turn;
	const int64_t rounds = given->plan ? ls_plan_rounds(given->plan) : last_round(all);

	sort_messages(all->record, all->n);
	for (int v = 0; v < VIEWS; v++) {
		const int64_t step = !strcmp(views[v], "step") && rounds > 0 ? 1 + turn % rounds : 0;
		struct ls_drawing drawing = *given;

		drawing.view = views[v];
		drawing.first_round = drawing.last_round = step;
		drawing.theme = (enum ls_theme)(turn++ % THEMES);
		drawing.command = "lockstep draw --caption 'a < b & c > \"d\"'";
		test_view(&drawing, rounds, all, name);
	}
}

static void test_plan(
	const ls_topology *t, const ls_plan *plan, enum ls_mode mode, const char *name)
{
	static struct expected all;
	const struct ls_drawing drawing = {
		.size = sizeof drawing, .topology = t, .plan = plan, .mode = mode, .count = 3
	};

	all.n = 0;
	ls_trace_plan(plan, drawing.count, collect, &all);
	if (all.n < MESSAGES)
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

		if (is_fast() && (networks + o) % 4 != 0)
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
	for (int i = 0; i < (is_fast() ? RANDOM / 4 : RANDOM); i++) {
		ls_topology *t = topology_of(small_networks[i % SMALL]);

		test_random_plan(t, i);
		ls_topology_destroy(t);
	}
}

/* ---- Messages that passed, of which several may have the same ends in one round */

static void test_records(const ls_topology *t, int trial)
{
	static struct expected all;
	const int64_t nodes = ls_topology_nodes(t), rounds = 1 + random_below(&state, 4);
	char name[160];

	all.n = (size_t)random_below(&state, 3 * nodes);
	for (size_t i = 0; i < all.n; i++) {
		struct ls_record *record = &all.record[i];

		*record = (struct ls_record){ 1 + random_below(&state, rounds), random_below(&state, nodes),
			random_below(&state, nodes), (size_t)random_below(&state, 9), 0, -1, -1, -1 };
		while (record->dst == record->src)
			record->dst = random_below(&state, nodes);
	}
	snprintf(name, sizeof name, "records %d on %s", trial, ls_topology_spec(t));
	test_views(&(struct ls_drawing){ .size = sizeof(struct ls_drawing),
				   .topology = t,
				   .records = all.record,
				   .n_records = all.n,
				   .mode = LS_ROUTED },
		&all, name);
}

static void test_random_records(void)
{
	for (int i = 0; i < (is_fast() ? RANDOM / 4 : RANDOM); i++) {
		ls_topology *t = topology_of(small_networks[i % SMALL]);

		if (ls_topology_nodes(t) > 1)
			test_records(t, i);
		ls_topology_destroy(t);
	}
}

/* ---- No memory */

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

static void test_memory(void)
{
	static const char *const formats[] = { "svg", "tikz", "dot" };
	ls_topology *t = topology_of("tree:8");
	const struct ls_request request = {
		.size = sizeof request, .topology = t, .operation = LS_ALLGATHER, .mode = LS_ROUTED
	};
	ls_plan *plan = plan_for(&request);

	for (int v = 0; v < VIEWS; v++) {
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
}

int main(void)
{
	test_networks();
	test_random_plans();
	test_random_records();
	test_memory();
	CHECK(counts.drawn > 0 && counts.refused > 0, "drawn %lld, refused %lld", counts.drawn,
		counts.refused);
	printf("%lld pictures, %lld refused; %lld without a check of links\n", counts.drawn,
		counts.refused, counts.no_clearance);
	return test_result();
}
