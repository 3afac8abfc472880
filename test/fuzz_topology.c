/*
 * The spec parser takes any bytes: it makes a topology that keeps the laws wherever it is asked, or
 * says in one line what is wrong.
 *
 * The text of an input is a spec, and in a second line perhaps a label; the first bytes choose a
 * vertex.  The program alone also tries a few specs and everything one changed byte away from them.
 * See fuzz_text.h.
 */
/* variants: release checked asan chaos */
#include <lockstep/topology.h>

#include "fuzz_text.h"

enum { SPEC_MAX = 4096, LABEL_MAX = 256, HOPS_MAX = 16, RING_MAX = 256 };

/* ---- What holds of a topology */

static void check_walk(const ls_topology *t, int64_t at, int64_t to)
{
	for (int hops = 0; at != to && hops < HOPS_MAX; hops++) {
		const int64_t link = ls_first_hop(t, at, to), next = ls_neighbor(t, at, link);

		CHECK(link >= 0 && link < ls_degree(t, at), "%s: link", ls_topology_spec(t));
		CHECK(ls_distance(t, next, to) == ls_distance(t, at, to) - 1, "%s: progress",
			ls_topology_spec(t));
		CHECK(ls_neighbor(t, next, ls_reverse(t, at, link)) == at, "%s: symmetric",
			ls_topology_spec(t));
		at = next;
	}
}

/* A ring through all nodes, where one is known. */
static void check_ring(const ls_topology *t)
{
	int64_t ring[RING_MAX];
	bool is_in[RING_MAX] = { false };
	const int64_t p = ls_topology_nodes(t);

	if (p > RING_MAX || ls_topology_hamiltonian(t, ring) != LS_OK)
		return;
	for (int64_t i = 0; i < p; i++) {
		CHECK(ring[i] >= 0 && ring[i] < p && !is_in[ring[i]], "%s: ring", ls_topology_spec(t));
		CHECK(ls_distance(t, ring[i], ring[(i + 1) % p]) == 1, "%s: ring", ls_topology_spec(t));
		is_in[ring[i] % RING_MAX] = true;
	}
}

/* Any text names a vertex, or none. */
static void check_label(const ls_topology *t, const char *label)
{
	const int64_t rank = ls_rank_of(t, label);
	char again[LABEL_MAX];

	CHECK(
		rank >= LS_NO_RANK && rank < ls_topology_vertices(t), "%s: %s", ls_topology_spec(t), label);
	if (rank >= 0 && ls_label(t, rank, again, sizeof again) < LABEL_MAX)
		CHECK(ls_rank_of(t, again) == rank, "%s: %s, %s", ls_topology_spec(t), label, again);
}

static void check_topology(const ls_topology *t, const uint8_t head[HEAD])
{
	const int64_t p = ls_topology_nodes(t), vertices = ls_topology_vertices(t);
	const int64_t rank[] = { 0, p / 2, vertices / 256 * head[0] + head[1] % vertices,
		vertices - 1 };
	char label[LABEL_MAX];

	CHECK(p >= 1 && p <= LS_NODES_MAX && vertices >= p && ls_topology_links(t) >= vertices - 1
			&& ls_topology_degree(t) < vertices && ls_topology_diameter(t) < vertices,
		"%s: counts", ls_topology_spec(t));
	for (int i = 0; i < 4; i++) {
		if (rank[i] >= vertices)
			continue;
		CHECK(ls_label(t, rank[i], label, sizeof label) < LABEL_MAX, "%s", label);
		CHECK(ls_rank_of(t, label) == rank[i], "%s: %s", ls_topology_spec(t), label);
		CHECK(ls_distance(t, rank[i], rank[i]) == 0, "%s: metric", ls_topology_spec(t));
		for (int j = 0; j < 4; j++)
			if (rank[j] < vertices)
				check_walk(t, rank[i], rank[j]);
	}
	CHECK(ls_rank_of(t, ls_topology_spec(t)) == LS_NO_RANK, "%s", ls_topology_spec(t));
}

static void check_refusal(int status, const struct ls_error *why)
{
	CHECK(status == LS_ERR_SPEC && why->kind == LS_ERR_SPEC, "%s", ls_status_name(status));
	CHECK(memchr(why->text, '\0', sizeof why->text), "a text without end");
	CHECK(strstr(why->text, "; ") || strncmp(why->text, "cannot read ", 12) == 0,
		"'%s' names no remedy", why->text);
	for (const char *c = why->text; *c; c++)
		CHECK(*c >= ' ' && *c <= '~', "'%s' is not one printable line", why->text);
}

static void try_spec(const uint8_t head[HEAD], const char *text, size_t length)
{
	struct ls_error why = { .size = sizeof why };
	ls_topology *t = NULL;
	char spec[SPEC_MAX], *label = spec;
	int status;

	if (length >= SPEC_MAX)
		return;
	memcpy(spec, text, length + 1);
	strsep(&label, "\n");
	status = ls_topology_make(spec, &t, &why);
	CHECK((status == LS_OK) == (t != NULL), "%s", ls_status_name(status));
	if (t) {
		check_topology(t, head);
		check_ring(t);
		check_label(t, label ? label : "");
	} else {
		check_refusal(status, &why);
	}
	ls_topology_destroy(t);
}

/* ---- Inputs */

enum { KINDS_MAX = 60 };
static const char *kind[KINDS_MAX + 1]; /* an example of each */

static size_t kinds(void)
{
	static size_t n;
	struct ls_topology_info info = { .size = sizeof info };

	for (; n < KINDS_MAX && ls_topology_list(n, &info); n++)
		kind[n] = info.example ? info.example : "graph:test/data/claw";
	return n;
}

/* One to three factors, with other numbers. */
static void begin(struct edit *e, uint8_t head[HEAD])
{
	const size_t factors = 1 + below(e, 8) / 5 + below(e, 8) / 7;

	(void)head;
	edit_set(e, "", 0);
	for (size_t i = 0; i < factors; i++) {
		const char *from = kind[below(e, kinds())];

		edit_append(e, i ? "*" : "");
		for (char piece[2] = ""; (piece[0] = *from); from++) {
			const bool is_digit = piece[0] >= '0' && piece[0] <= '9';

			if (is_digit && below(e, 2))
				piece[0] = (char)('0' + below(e, 10));
			edit_append(e, piece);
			if (is_digit && below(e, 32) == 0)
				edit_append(e, "0");
		}
	}
}

static void change_spec(struct edit *e, const uint8_t head[HEAD])
{
	static const char *const names[] = { NULL };
	static const char *words[KINDS_MAX + 40] = { "", "0", "1", "2", "3", "20", "21", "31", "32",
		"62", "63", "2147483648", "4294967296", "4611686018427387904", "4611686018427387905",
		"9223372036854775807", "*", ":", "x", "graph", "graph:test/data/path", "graph:none", "\n0",
		"\n(0,1)", "\n21", "\n(21,(0,1))", "\n0-1", "01" };
	static const struct grammar grammar = { "*:x,\n()", "*\n", NULL, names, words };
	static size_t n;

	(void)head;

	if (n == 0) {
		while (words[n])
			n++;
		for (size_t i = 0; i < kinds(); i++)
			words[n++] = kind[i];
	}
	change_structure(e, &grammar);
}

static void try_text(const char *spec)
{
	static const uint8_t head[HEAD];

	try_spec(head, spec, strlen(spec));
}

/* Every byte changed to every other, left out, and doubled. */
static void try_changes(const char *spec)
{
	const size_t length = strlen(spec);
	char changed[64];

	for (size_t i = 0; i < length; i++) {
		strcpy(changed, spec);
		for (int byte = 0; byte < 256; byte++) {
			changed[i] = (char)byte;
			try_text(changed);
		}
		strcpy(changed + i, spec + i + 1);
		try_text(changed);
		strcpy(changed + i + 1, spec + i);
		changed[i] = spec[i];
		try_text(changed);
	}
}

static const char *const examples[] = {
	"",
	":",
	"ring",
	"ring:",
	"ring:8",
	"linear:17",
	"mesh:4x4",
	"mesh:3x1x2",
	"mesh:4x",
	"torus:3x4x5",
	"torus:2x2",
	"torus:3x-1",
	"mesh:x",
	"hypercube:0",
	"hypercube:10",
	"hypercube:62",
	"hypercube:64",
	"complete:12",
	"star:1",
	"star:7",
	"star:20",
	"star:21",
	"star:0",
	"tree:1",
	"tree:16",
	"tree:6",
	"tree:4611686018427387904",
	"bintree:1",
	"bintree:5",
	"bintree:62",
	"debruijn:0",
	"debruijn:5",
	"debruijn:62",
	"pancake:1",
	"pancake:5",
	"bubblesort:4",
	"bubblesort:20",
	"ring:08",
	"ring:4611686018427387904",
	"ring:99999999999999999999",
	"complete:4611686018427387904",
	"*",
	"ring:3*star:3",
	"linear:2*ring:3*linear:2",
	"mct:2,3",
	"mct:3",
	"mct:1,62",
	"graph:",
	"graph:test/data/claw",
	"graph:test/data/claw*ring:3",
	"hypercube:31*ring:2",
	"mesh:2147483648x2147483648",
	"torus:4294967296x4294967296",
	"mesh:1x1x1x1x1x1x1x1x1x1x1x1x1x1",
};

static void try_specs(void)
{
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
		try_text(examples[i]);
		try_changes(examples[i]);
	}
}

static const struct fuzzer fuzzer = { .name = "topology",
	.fast = 20000,
	.full = 200000,
	.very_long = 10000000,
	.begin = begin,
	.change = change_spec,
	.try = try_spec,
	.also = try_specs };
