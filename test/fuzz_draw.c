/*
 * Any plan, trace or graph is drawn or refused in one line: what is drawn is well-formed, and no
 * picture takes longer than seconds.
 *
 * Alone, the program changes lines and numbers of texts that are valid.  With -DLSI_FUZZ it is the
 * target of libFuzzer, which starts from the same texts: see fuzz_topology.c.  The first bytes of
 * an input choose the network, the look, and view and format; its text is a plan, a trace (rows
 * with commas) or a graph.
 */
/* variants: release checked asan */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <lockstep.h>

#include "support/cells.h"
#include "support/changed_text.h"
#include "support/guard.h"
#include "support/svg_tags.h"
#include "support/xml.h"
#include "test.h"

enum { HEAD = 3, ROOM = 16384, RECORDS = 512, SECONDS = 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
	const double begin = seconds();

	drawing.size = sizeof drawing;
	drawing.view = choose_view(head[2]);
	drawing.labels = (enum ls_drawn_labels)(head[1] & 3);
	drawing.values = (enum ls_drawn_values)(head[1] >> 2 & 3);
	drawing.theme = (enum ls_theme)((head[1] >> 4) % 3);
	drawing.first_round = drawing.last_round = head[1] >> 6 == 3 ? 2 : 0;

	const int status = ls_draw(&drawing, format, keep, &written, &why);

	CHECK(seconds() - begin < SECONDS, "%s, %s took %.1f s", drawing.view ? drawing.view : "-",
		format, seconds() - begin);
	if (status == LS_OK)
		check_written(&written, format);
	else
		check_refusal(status, &why);
	free(written.text);
}

/* ---- Inputs */

static ls_topology *network(uint8_t number)
{
	static const char *const specs[] = { "ring:4", "hypercube:3", "star:3", "mesh:2x3", "tree:4",
		"complete:5", "torus:3x3", "linear:1", "ring:2*linear:3", "hypercube:4" };
	enum { SPECS = sizeof specs / sizeof *specs };
	static ls_topology *made[SPECS];
	const int i = number % SPECS;

	made[i] = made[i] ? made[i] : topology_of(specs[i]);
	return made[i];
}

static void draw_plan(const char *text, size_t length, const uint8_t head[HEAD])
{
	const ls_topology *t = network(head[0]);
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
	const ls_topology *t = network(head[0]);
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
	if (ls_topology_nodes(t) <= 300)
		draw((struct ls_drawing){ .topology = t, .plan = plan }, head);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char text[ROOM];
	const size_t length = size - HEAD;

	if (size <= HEAD || size > ROOM || memchr(data + HEAD, '\0', length))
		return 0;
	memcpy(text, data + HEAD, length);
	text[length] = '\0';
	if (strncmp(text, "lockstep", 8) == 0)
		draw_plan(text, length, data);
	else if (strchr(text, ','))
		draw_trace(text, data);
	else
		draw_graph(text, length, data);
	if (test_failures) {
		fprintf(stderr, "network %d, look %d, view and format %d:\n%s\n", data[0], data[1], data[2],
			text);
		abort();
	}
	return 0;
}

/* ---- Texts to begin with */

static int append_row(void *text, const struct ls_record *r)
{
	char row[100];

	snprintf(row, sizeof row, "%lld,%lld,%lld,%zu\n", (long long)r->round, (long long)r->src,
		(long long)r->dst, r->words);
	return text_append(text, row);
}

/* A plan of a network as a plan or a trace, or a graph. */
static void begin(struct edit *e, uint8_t number)
{
	static const char *const graphs[] = { "0 1\n1 2\n2 3\n3 0\n", "0 1\n0 2\n0 3\n1 2\n3 4\n4 5\n",
		"0 1\n1 2\n2 0\n0 3\n1 4\n2 5\n3 4\n4 5\n5 3\n" };
	struct text text = { 0 };
	ls_plan *plan = NULL;

	while (!plan) {
		const enum ls_operation operation = (enum ls_operation)below(e, LS_OPERATIONS);

		plan = drawn_plan(network(number), operation, below(e, 2) ? LS_ROUTED : LS_HOP);
	}
	switch (below(e, 32) ? below(e, 3) : 3) {
	case 3: /* a layout takes long */
		text_append(&text, graphs[below(e, 3)]);
		break;
	case 1:
		text_append(&text, "\n");
		if (ls_trace_plan(plan, 1, append_row, &text))
			exit(EXIT_FAILURE);
		break;
	default:
		text = text_of(plan);
	}
	e->length = text.length < EDITED - 1 ? text.length : EDITED - 1;
	memcpy(e->text, text.at, e->length);
	e->text[e->length] = '\0';
	free(text.at);
	ls_plan_destroy(plan);
}

#ifdef LSI_FUZZ

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
	static struct edit e;

	e.state = seed;
	if (size > HEAD && size < EDITED && below(&e, 4) == 0)
		return LLVMFuzzerMutate(data, size, room);
	if (room < ROOM)
		return size;
	if (size <= HEAD || size >= EDITED || below(&e, 200) == 0) {
		for (int i = 0; i < HEAD; i++)
			data[i] = (uint8_t)below(&e, 256);
		begin(&e, data[0]);
	} else {
		e.length = size - HEAD;
		memcpy(e.text, data + HEAD, e.length);
		e.text[e.length] = '\0';
		data[below(&e, HEAD)] = (uint8_t)below(&e, 256);
		change(&e);
	}
	memcpy(data + HEAD, e.text, e.length);
	return HEAD + e.length;
}

#else

/* A text with up to three changes. */
static void try_one(uint64_t seed)
{
	static struct edit e;
	static uint8_t input[ROOM];

	e.state = seed;
	for (int i = 0; i < HEAD; i++)
		input[i] = (uint8_t)below(&e, 256);
	begin(&e, input[0]);
	for (size_t changes = below(&e, 4); changes > 0; changes--)
		change(&e);
	memcpy(input + HEAD, e.text, e.length);
	guard("seed %llu", (unsigned long long)seed);
	LLVMFuzzerTestOneInput(input, HEAD + e.length);
}

int main(int argc, char **argv)
{
	const uint64_t inputs = is_long() ? 1000000 : is_fast() || is_thin() ? 3000 : 30000;

	if (argc > 1) {
		try_one(strtoull(argv[1], NULL, 10));
		return test_result();
	}
	for (uint64_t seed = 1; seed <= inputs; seed++)
		try_one(seed);
	return test_result();
}

#endif
