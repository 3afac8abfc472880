/*
 * The spec parser takes any bytes: it makes a topology that keeps the laws wherever it is asked, or
 * says in one line what is wrong.
 *
 * Alone, the program tries a corpus and everything one changed byte away from it.  With -DLSI_FUZZ
 * it is the target of libFuzzer: clang -g -O1 -fsanitize=fuzzer,address,undefined -DLSI_FUZZ ...
 * test/fuzz_topology.c
 */
/* variants: release checked asan chaos */
#include <lockstep/topology.h>

#include <string.h>

#include "test.h"

enum { SPEC_MAX = 4096, LABEL_MAX = 256, HOPS_MAX = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

static void check_topology(const ls_topology *t)
{
	const int64_t p = ls_topology_nodes(t), vertices = ls_topology_vertices(t);
	const int64_t rank[] = { 0, p / 2, vertices / 3, vertices - 1 };
	char label[LABEL_MAX];

	CHECK(p >= 1 && p <= LS_NODES_MAX && vertices >= p && ls_topology_links(t) >= vertices - 1
			&& ls_topology_degree(t) < vertices && ls_topology_diameter(t) < vertices,
		"%s: counts", ls_topology_spec(t));
	for (int i = 0; i < 4; i++) {
		CHECK(ls_label(t, rank[i], label, sizeof label) < LABEL_MAX, "%s", label);
		CHECK(ls_rank_of(t, label) == rank[i], "%s: %s", ls_topology_spec(t), label);
		CHECK(ls_distance(t, rank[i], rank[i]) == 0, "%s: metric", ls_topology_spec(t));
		for (int j = 0; j < 4; j++)
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ls_error why = { .size = sizeof why };
	ls_topology *t = NULL;
	char spec[SPEC_MAX];
	int status;

	if (size >= SPEC_MAX)
		return 0;
	if (size)
		memcpy(spec, data, size);
	spec[size] = '\0';
	status = ls_topology_make(spec, &t, &why);
	CHECK((status == LS_OK) == (t != NULL), "%s", ls_status_name(status));
	if (t)
		check_topology(t);
	else
		check_refusal(status, &why);
	ls_topology_destroy(t);
	if (test_failures)
		abort();
	return 0;
}

#ifndef LSI_FUZZ
static void try_spec(const char *spec)
{
	LLVMFuzzerTestOneInput((const uint8_t *)spec, strlen(spec));
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
			try_spec(changed);
		}
		strcpy(changed + i, spec + i + 1);
		try_spec(changed);
		strcpy(changed + i + 1, spec + i);
		changed[i] = spec[i];
		try_spec(changed);
	}
}

static const char *const corpus[] = {
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

int main(void)
{
	for (size_t i = 0; i < sizeof corpus / sizeof *corpus; i++) {
		try_spec(corpus[i]);
		try_changes(corpus[i]);
	}
	return test_result();
}
#endif
