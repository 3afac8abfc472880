/*
 * Any plan, trace or graph is drawn or refused in one line: what is drawn is well-formed, and no
 * picture takes long.
 *
 * The first bytes of an input choose the network, the look, and view and format; its text is a
 * plan, a trace (rows with commas) or a graph.  See fuzz_text.h.
 */
/* variants: release checked asan */
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <lockstep.h>

#include "fuzz_text.h"
#include "support/cells.h"
#include "support/seed_texts.h"
#include "support/svg_tags.h"
#include "support/xml.h"

enum { RECORDS = 512, SECONDS = 20 };

/* ---- What is drawn */

struct written {
	char *text;
	size_t length, room;
};

static int keep(void *context, const char *piece)
{
	struct written *w = context;
	const size_t length = strlen(piece);

	if (w->length + length >= w->room) {
		w->room = 2 * (w->length + length) + 4096;
		w->text = realloc(w->text, w->room);
		if (!w->text)
			exit(EXIT_FAILURE);
	}
	memcpy(w->text + w->length, piece, length + 1);
	w->length += length;
	return 0;
}

/* Blank what the elements of a name contain. */
static void blank(char *text, const char *start, const char *end)
{
	for (char *at = strstr(text, start); at; at = strstr(at, start)) {
		char *const inside = at + strcspn(at, ">"), *const stop = strstr(inside, end);

		if (!stop)
			return;
		memset(inside + 1, ' ', (size_t)(stop - inside) - 1);
		at = stop;
	}
}

/* Every tag has an end, in the right order. */
static bool tags_nest(const char *text)
{
	enum { DEPTH = 20 };
	const char *open[DEPTH];
	int depth = 0;

	for (const char *at = strchr(text, '<'); at; at = strchr(at, '<')) {
		const char *const end = strchr(at, '>'), *const name = at + 1 + (at[1] == '/');
		const size_t length = strcspn(name, " />\n");

		if (!end || (at[1] == '/' ? depth == 0 : depth == DEPTH))
			return false;
		if (at[1] == '/' && strncmp(open[--depth], name, length) != 0)
			return false;
		if (at[1] != '/' && end[-1] != '/')
			open[depth++] = name;
		at = end;
	}
	return depth == 0;
}

/* Scripts and styles of a page are no XML. */
static bool page_is_well_formed(char *text)
{
	const char *page = strstr(text, "<html");

	blank(text, "<script", "</script>");
	blank(text, "<style", "</style>");
	return page && tags_nest(page);
}

static bool ends_with(const struct written *w, const char *end)
{
	return w->length >= strlen(end) && strcmp(w->text + w->length - strlen(end), end) == 0;
}

static void check_written(const struct written *w, const char *format)
{
	struct xml xml;

	for (const char *at = w->text; *at; at += xml_character(at))
		if (xml_character(at) == 0) {
			CHECK(false, "%s: byte 0x%02x", format, (unsigned char)*at);
			return;
		}
	if (strcmp(format, "svg") == 0) {
		CHECK(xml_read(w->text, &xml), "%s", xml.why);
		xml_release(&xml);
	} else if (strcmp(format, "html") == 0) {
		CHECK(page_is_well_formed(w->text), "a page of HTML");
	} else {
		CHECK(ends_with(w, format[0] == 't' ? "\\end{tikzpicture}\n" : "}\n"), "%s", format);
	}
	for (const char *bad = "nan\0inf\0"; *bad && format[0] != 'h'; bad += strlen(bad) + 1)
		CHECK(!strstr(w->text, bad), "%s in %s", bad, format);
}

static void check_refusal(int status, const struct ls_error *why)
{
	CHECK(why->kind == status && why->text[0] && !strchr(why->text, '\n'), "%d: '%s'", status,
		why->text);
	CHECK(status == LS_ERR_SPEC || status == LS_ERR_UNSUPPORTED || status == LS_ERR_ARGUMENT,
		"%s: %s", ls_status_name(status), why->text);
}

/* View and format of a number; view 0 is the default. */
static const char *choose_view(uint8_t choice)
{
	struct ls_draw_info info = { .size = sizeof info };

	return ls_draw_view_list((size_t)(choice / 4 % 10) - 1, &info) ? info.name : NULL;
}

static void draw(struct ls_drawing drawing, const uint8_t head[HEAD])
{
	static const char *const formats[] = { "svg", "html", "tikz", "dot" };
	const char *format = formats[head[2] % 4];
	struct ls_error why = { .size = sizeof why };
	struct written written = { 0 };
	const clock_t begin = clock(); /* of the processor: it may be shared */

	drawing.size = sizeof drawing;
	drawing.view = choose_view(head[2]);
	drawing.labels = (enum ls_drawn_labels)(head[1] & 3);
	drawing.values = (enum ls_drawn_values)(head[1] >> 2 & 3);
	drawing.theme = (enum ls_theme)((head[1] >> 4) % 3);
	drawing.first_round = drawing.last_round = head[1] >> 6 == 3 ? 2 : 0;

	const int status = ls_draw(&drawing, format, keep, &written, &why);

	CHECK(clock() - begin < SECONDS * CLOCKS_PER_SEC, "%s, %s took %d s or more",
		drawing.view ? drawing.view : "-", format, SECONDS);
	if (status == LS_OK)
		check_written(&written, format);
	else
		check_refusal(status, &why);
	free(written.text);
}

/* ---- Inputs */

static void draw_plan(const char *text, size_t length, const uint8_t head[HEAD])
{
	const ls_topology *t = seed_network(head[0]);
	struct ls_request request = { .size = sizeof request };
	struct ls_error why = { .size = sizeof why };
	ls_plan *plan;

	if (ls_plan_read(text, length, t, &plan, &why) != LS_OK)
		return;
	ls_plan_request(plan, &request);
	draw((struct ls_drawing){ .topology = t, .plan = plan, .mode = request.mode }, head);
	ls_plan_destroy(plan);
}

/* Rows round,src,dst,words, as records that passed, and as a plan that is inferred. */
static void draw_trace(const char *text, const uint8_t head[HEAD])
{
	static struct ls_record record[RECORDS];
	static struct ls_message message[RECORDS];
	const ls_topology *t = seed_network(head[0]);
	const struct ls_request request = {
		.size = sizeof request, .topology = t, .mode = LS_ROUTED, .ports = LS_PORTS
	};
	struct ls_error why = { .size = sizeof why };
	ls_plan *plan = NULL;
	size_t n = 0;

	for (const char *at = text; at && n < RECORDS; at = strchr(at, '\n')) {
		long long round, src, dst, words;

		at += *at == '\n';
		if (sscanf(at, "%lld,%lld,%lld,%lld", &round, &src, &dst, &words) != 4)
			continue;
		message[n] = (struct ls_message){ .round = round, .src = src, .dst = dst };
		record[n++] =
			(struct ls_record){ .round = round, .src = src, .dst = dst, .words = (size_t)words };
	}
	draw((struct ls_drawing){ .topology = t, .records = record, .n_records = n, .mode = LS_ROUTED },
		head);
	if (ls_plan_infer(&request, message, n, &plan, &why) != LS_OK)
		return;
	draw((struct ls_drawing){ .topology = t, .plan = plan, .mode = LS_ROUTED }, head);
	ls_plan_destroy(plan);
}

/* The spec of a file, in memory, with these bytes. */
static const char *written_file(const char *text, size_t length)
{
	static char spec[64];
	static int file = -1;

	if (file < 0)
		file = memfd_create("graph", 0);
	snprintf(spec, sizeof spec, "graph:/proc/self/fd/%d", file);
	if (file < 0 || ftruncate(file, 0) || pwrite(file, text, length, 0) != (ssize_t)length)
		exit(EXIT_FAILURE);
	return spec;
}

static void draw_graph(const char *text, size_t length, const uint8_t head[HEAD])
{
	ls_topology *t;
	ls_plan *plan;

	if (length > 2000 || ls_topology_make(written_file(text, length), &t, NULL) != LS_OK)
		return;
	plan = ls_topology_nodes(t) <= 64 && head[0] % 2 ? drawn_plan(t, LS_BROADCAST, LS_HOP) : NULL;
	if (ls_topology_nodes(t) <= 60)
		draw((struct ls_drawing){ .topology = t, .plan = plan }, head);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

static void draw_text(const uint8_t head[HEAD], const char *text, size_t length)
{
	if (memchr(text, '\0', length))
		return;
	if (strncmp(text, "lockstep", 8) == 0)
		draw_plan(text, length, head);
	else if (strchr(text, ','))
		draw_trace(text, head);
	else
		draw_graph(text, length, head);
}

/* Few graphs: a layout takes long. */
static void begin(struct edit *e, uint8_t head[HEAD])
{
	const enum seed_kind kind = below(e, 32) == 0 ? SEED_GRAPH
		: below(e, 3) == 0                        ? SEED_TRACE
												  : SEED_PLAN;

	seed_text(e, kind, head[0]);
}

static void change_drawn(struct edit *e, const uint8_t head[HEAD])
{
	(void)head;
	change(e);
}

static const struct fuzzer fuzzer = { .name = "draw",
	.fast = 3000,
	.full = 30000,
	.very_long = 1000000,
	.begin = begin,
	.change = change_drawn,
	.try = draw_text };
