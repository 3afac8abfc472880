/*
 * Graphs from files: the messages for invalid files, and that the reader reads the graph that was
 * written.
 */
/* variants: release checked asan chaos */
#include <unistd.h>

#include "topology_specs.h"

/* ---- Refusals */

static void write_text(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	if (!file || fputs(text, file) < 0 || fclose(file))
		exit(1);
}

static void check_refusal(const char *spec, const char *text)
{
	struct ls_error why = { .size = sizeof why };
	ls_topology *t = NULL;
	const int status = ls_topology_make(spec, &t, &why);

	CHECK(status == LS_ERR_SPEC && !t, "%s gives %s", spec, ls_status_name(status));
	CHECK(!strcmp(why.text, text), "%s gives the text\n\t%s\nnot\n\t%s", spec, why.text, text);
}

static void check_files(void)
{
	static const struct {
		const char *text, *why;
	} refusals[] = {
		{ "", "'wires' has no edges; expected a line 'u v' for each" },
		{ "\n # 0 1\n\t\r\n", "'wires' has no edges; expected a line 'u v' for each" },
		{ "0 1\n\n1\n", "wires:3: '1' is not an edge; expected two node numbers" },
		{ "0 1\n1 2 3 # or so\n", "wires:2: '1 2 3' is not an edge; expected two node numbers" },
		{ "0 -1", "wires:1: '0 -1' is not an edge; expected two node numbers" },
		{ "0,1", "wires:1: '0,1' is not an edge; expected two node numbers" },
		{ " a\t\t\033b ", "wires:1: 'a ?b' is not an edge; expected two node numbers" },
		{ "0 1\n0 16384\n", "wires:2: node 16384 is out of range; expected 0..16383" },
		{ "0 99999999999999999999",
			"wires:1: node 9223372036854775807 is out of range; expected 0..16383" },
		{ "0 1\n\n1 5\n5 2\n2 5\n0 3\n",
			"wires:3: the largest node is 5, but no line names node 4; "
			"number the nodes from 0 without gaps" },
		{ "1 2\n",
			"wires:1: the largest node is 2, but no line names node 0; "
			"number the nodes from 0 without gaps" },
		{ "0 1\n#\n3 2\n2 3\n4 0\n",
			"wires:3: node 2 cannot be reached from node 0; add the missing edges" },
		{ "0 0\n1 1", "wires:2: node 1 cannot be reached from node 0; add the missing edges" },
		{ "0 00000000000000000000000000000000000000000001\n",
			"wires:1: '0 000000000000000000000000000000000000000000...' is not an edge; "
			"expected two node numbers" },
	};

	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		write_text("wires", refusals[i].text);
		check_refusal("graph:wires", refusals[i].why);
		check_refusal("ring:3*graph:wires", refusals[i].why);
	}
	check_refusal("graph:none", "cannot read 'none': No such file or directory");
	check_refusal("graph:.", "cannot read '.': Is a directory");
	check_refusal("graph:a\nb", "the file name 'a?b' has a control character; rename the file");
	check_refusal("graph", "topology 'graph' has no file; expected 'graph:FILE'");
	check_refusal("graph:", "topology 'graph:' has no file; expected 'graph:FILE'");
}

/* ---- What is read */

/* Every wire twice, in random order, with loops and comments between. */
static void write_wires(const ls_topology *t, const char *name)
{
	FILE *file = fopen(name, "w");
	const int64_t p = ls_topology_nodes(t), step = 7919; /* a prime, so all nodes in turn */

	if (!file)
		exit(1);
	for (int64_t i = 0; i < p; i++) {
		const int64_t r = i * step % p;

		for (int64_t l = ls_degree(t, r) - 1; l >= 0; l--)
			fprintf(file, "%lld\t %lld\n", (long long)r, (long long)ls_neighbor(t, r, l));
		fprintf(file, "%s\n%lld %lld \r\n", i % 3 ? "" : "# 0 99", (long long)r, (long long)r);
	}
	if (fclose(file))
		exit(1);
}

/* The neighbor of lowest number that is nearer to s. */
static int64_t next_on_route(const ls_topology *t, int64_t r, int64_t s)
{
	int64_t lowest = ls_topology_nodes(t);

	for (int64_t l = 0; l < ls_degree(t, r); l++) {
		const int64_t v = ls_neighbor(t, r, l);

		if (v < lowest && ls_distance(t, v, s) < ls_distance(t, r, s))
			lowest = v;
	}
	return lowest;
}

static void check_same(const ls_topology *t, const ls_topology *graph)
{
	const int64_t p = ls_topology_nodes(t);

	CHECK(ls_topology_nodes(graph) == p && ls_topology_links(graph) == ls_topology_links(t)
			&& ls_topology_degree(graph) == ls_topology_degree(t)
			&& ls_topology_diameter(graph) == ls_topology_diameter(t),
		"%s: counts", ls_topology_spec(t));
	for (int64_t r = 0; r < p; r++) {
		for (int64_t l = 1; l < ls_degree(graph, r); l++)
			CHECK(ls_neighbor(graph, r, l - 1) < ls_neighbor(graph, r, l), "%s: links of %lld",
				ls_topology_spec(t), (long long)r);
		for (int64_t s = 0; s < p; s++) {
			CHECK(ls_distance(graph, r, s) == ls_distance(t, r, s), "%s: %lld to %lld",
				ls_topology_spec(t), (long long)r, (long long)s);
			if ((r + s) % 11 == 0 && r != s)
				CHECK(ls_neighbor(graph, r, ls_first_hop(graph, r, s)) == next_on_route(t, r, s),
					"%s: the route from %lld to %lld", ls_topology_spec(t), (long long)r,
					(long long)s);
		}
	}
}

/* A network and the graph with its wires, which finds its distances by search. */
static void check_copy(const ls_topology *t)
{
	ls_topology *graph;

	if (ls_topology_vertices(t) != ls_topology_nodes(t) || ls_topology_links(t) == 0)
		return; /* a graph has neither switches nor a line for a lonely node */
	write_wires(t, "copy");
	graph = topology("graph:copy");
	unlink("copy");
	check_same(t, graph);
	ls_topology_destroy(graph);
}

/* As many nodes as there may be, and a file that is a product's factor. */
static void check_edges(void)
{
	FILE *file = fopen("many", "w");
	ls_topology *t;

	if (!file)
		exit(1);
	for (int u = 0; u < 16384; u++)
		fprintf(file, "%d 8000\n", u);
	fclose(file);
	if (getenv("LS_LONG")) {
		t = topology("graph:many");
		CHECK(ls_topology_nodes(t) == 16384 && ls_topology_degree(t) == 16383
				&& ls_topology_diameter(t) == 2 && ls_distance(t, 8000, 16383) == 1,
			"the largest graph");
		ls_topology_destroy(t);
	}
	unlink("many");

	write_text("one", "0 0");
	t = topology("graph:one");
	CHECK(ls_topology_nodes(t) == 1 && ls_topology_links(t) == 0, "one node");
	ls_topology_destroy(t);
	write_text("two", "1 0");
	t = topology("graph:two*ring:3*graph:two");
	CHECK(ls_topology_nodes(t) == 12 && ls_topology_degree(t) == 4, "graphs in a product");
	ls_topology_destroy(t);
	unlink("one");
	unlink("two");
	unlink("wires");
}

int main(void)
{
	char folder[] = "/tmp/lockstep-XXXXXX";

	if (!mkdtemp(folder) || chdir(folder))
		return EXIT_FAILURE;
	check_files();
	visit_examples(check_copy);
	visit_spec("torus:20x30", check_copy);
	check_edges();
	return rmdir(folder) == 0 ? test_result() : EXIT_FAILURE;
}
