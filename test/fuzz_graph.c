/*
 * The reader of graph files takes any bytes.  A second reader, and a second search for shortest
 * paths, accept the same files and make the same graphs.
 *
 * The program alone also tries a few files and everything one changed byte away from them.  The
 * first bytes of an input have no meaning.  See fuzz_text.h.
 */
/* variants: release checked asan chaos */
#include <lockstep/topology.h>

#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_text.h"
#include "support/seed_texts.h"

enum {
	TEXT_MAX = 256, /* so no gapless file names more nodes than: */
	NODES_MAX = TEXT_MAX / 2,
	FAR = 1000
};

/* ---- The second reader */

struct truth {
	int nodes, edges, edge[TEXT_MAX][2], hops[NODES_MAX][NODES_MAX];
	bool named[NODES_MAX];
};

static int number_of(const char *word)
{
	const long long number = strtoll(word, NULL, 10);

	if (strspn(word, "0123456789") != strlen(word))
		return -1;
	return number < NODES_MAX ? (int)number : -1;
}

/* False: a line is no edge. */
static bool read_line(char *line, struct truth *truth)
{
	char *word[3], *rest;
	int words = 0, u, v;

	line[strcspn(line, "#")] = '\0';
	for (char *at = strtok_r(line, " \t\r", &rest); at; at = strtok_r(NULL, " \t\r", &rest))
		word[words < 3 ? words++ : 2] = at;
	if (words == 0)
		return true;
	if (words != 2 || strlen(word[0]) + strlen(word[1]) > 44)
		return false;
	u = number_of(word[0]);
	v = number_of(word[1]);
	if (u < 0 || v < 0)
		return false;
	truth->named[u] = truth->named[v] = true;
	truth->nodes = u >= truth->nodes ? u + 1 : truth->nodes;
	truth->nodes = v >= truth->nodes ? v + 1 : truth->nodes;
	truth->edge[truth->edges][0] = u;
	truth->edge[truth->edges++][1] = v;
	return true;
}

/* Floyd and Warshall. */
static void find_hops(struct truth *truth)
{
	const int nodes = truth->nodes;

	for (int u = 0; u < nodes; u++)
		for (int v = 0; v < nodes; v++)
			truth->hops[u][v] = u == v ? 0 : FAR;
	for (int i = 0; i < truth->edges; i++) {
		const int u = truth->edge[i][0], v = truth->edge[i][1];

		if (u != v)
			truth->hops[u][v] = truth->hops[v][u] = 1;
	}
	for (int w = 0; w < nodes; w++)
		for (int u = 0; u < nodes; u++)
			for (int v = 0; v < nodes && truth->hops[u][w] < FAR; v++)
				if (truth->hops[u][v] > truth->hops[u][w] + truth->hops[w][v])
					truth->hops[u][v] = truth->hops[u][w] + truth->hops[w][v];
}

/* False: no connected graph. */
static bool read_truth(char *text, struct truth *truth)
{
	truth->nodes = truth->edges = 0;
	memset(truth->named, 0, sizeof truth->named);
	for (char *line; (line = strsep(&text, "\n"));)
		if (!read_line(line, truth))
			return false;
	for (int u = 0; u < truth->nodes; u++)
		if (!truth->named[u])
			return false;
	find_hops(truth);
	for (int u = 0; u < truth->nodes; u++)
		if (truth->hops[0][u] == FAR)
			return false;
	return truth->nodes > 0;
}

/* ---- Comparing */

static void check_graph(const ls_topology *t, const struct truth *truth)
{
	int64_t ends = 0, diameter = 0;

	CHECK(ls_topology_nodes(t) == truth->nodes, "%lld nodes, not %d",
		(long long)ls_topology_nodes(t), truth->nodes);
	for (int u = 0; u < truth->nodes; u++) {
		int64_t link = 0;

		for (int v = 0; v < truth->nodes; v++) {
			CHECK(ls_distance(t, u, v) == truth->hops[u][v], "%d to %d: %lld, not %d", u, v,
				(long long)ls_distance(t, u, v), truth->hops[u][v]);
			diameter = truth->hops[u][v] > diameter ? truth->hops[u][v] : diameter;
			if (truth->hops[u][v] == 1)
				CHECK(ls_neighbor(t, u, link++) == v, "no link to %d at %d", v, u);
		}
		CHECK(ls_degree(t, u) == link && link <= ls_topology_degree(t), "degree of %d", u);
		ends += link;
		for (int64_t l = 0; l < link; l++)
			CHECK(ls_neighbor(t, ls_neighbor(t, u, l), ls_reverse(t, u, l)) == u,
				"link %lld of %d is not symmetric", (long long)l, u);
	}
	CHECK(ends == 2 * ls_topology_links(t) && diameter == ls_topology_diameter(t), "counts");
}

static void check_refusal(int status, const struct ls_error *why)
{
	CHECK(status == LS_ERR_SPEC, "%s", ls_status_name(status));
	CHECK(strstr(why->text, "; ") || strncmp(why->text, "cannot read ", 12) == 0,
		"'%s' names no remedy", why->text);
	for (const char *c = why->text; *c; c++)
		CHECK(*c >= ' ' && *c <= '~', "'%s' is not one printable line", why->text);
}

/* The spec of a file, in memory, with these bytes. */
static const char *written(const char *data, size_t size)
{
	static char spec[64];
	static int file = -1;

	if (file < 0) {
		file = memfd_create("graph", 0);
		if (file < 0)
			exit(1);
		snprintf(spec, sizeof spec, "graph:/proc/self/fd/%d", file);
	}
	if (pwrite(file, data, size, 0) != (ssize_t)size || ftruncate(file, (off_t)size))
		exit(1);
	return spec;
}

static void try_graph(const uint8_t head[HEAD], const char *data, size_t size)
{
	static struct truth truth;
	struct ls_error why = { .size = sizeof why };
	ls_topology *t = NULL;
	char text[TEXT_MAX];
	bool is_text; /* else a NUL byte is in it */
	int status;

	(void)head;
	if (size >= TEXT_MAX)
		return;
	memcpy(text, data, size + 1);
	status = ls_topology_make(written(data, size), &t, &why);
	is_text = strlen(text) == size;
	CHECK((status == LS_OK) == (is_text && read_truth(text, &truth)), "%.*s\n%s: %s", (int)size,
		data, ls_status_name(status), why.text);
	if (t && test_failures == 0)
		check_graph(t, &truth);
	else if (!t)
		check_refusal(status, &why);
	ls_topology_destroy(t);
}

/* ---- Inputs */

/* A random tree, sometimes a piece short, and random edges. */
static void begin(struct edit *e, uint8_t head[HEAD])
{
	static const char *const ends[] = { "\n", "\r\n", " \t\n\n", "#\n", "  # 7 8 9\n" };
	const size_t nodes = 2 + below(e, below(e, 4) ? 14 : 40), edges = nodes + below(e, nodes);

	(void)head;
	edit_set(e, "", 0);
	for (size_t i = 1; i < edges && e->length < TEXT_MAX - 32; i++) {
		const size_t u = i < nodes ? i : below(e, nodes);
		const size_t v = below(e, i < nodes ? i + (below(e, 8) == 0) : nodes);
		char line[60];

		snprintf(line, sizeof line, "%zu%s%zu%s", u, below(e, 2) ? " " : "\t ", v,
			ends[below(e, below(e, 2) ? 1 : 5)]);
		edit_append(e, line);
	}
}

static void change_graph(struct edit *e, const uint8_t head[HEAD])
{
	(void)head;
	change_structure(e, &seed_grammars[SEED_GRAPH]);
	if (e->length >= TEXT_MAX)
		edit_set(e, e->text, TEXT_MAX - 1);
}

static void try_text(const char *text, size_t length)
{
	static const uint8_t head[HEAD];

	try_graph(head, text, length);
}

/* Every byte changed to every other, left out, and doubled. */
static void try_changes(const char *text)
{
	const size_t length = strlen(text);
	char changed[TEXT_MAX];

	for (size_t i = 0; i < length; i++) {
		strcpy(changed, text);
		for (int byte = 0; byte < 256; byte++) {
			changed[i] = (char)byte;
			try_text(changed, length);
		}
		strcpy(changed + i, text + i + 1);
		try_text(changed, strlen(changed));
		strcpy(changed + i + 1, text + i);
		changed[i] = text[i];
		try_text(changed, strlen(changed));
	}
}

static void try_examples(void)
{
	static const char *const examples[] = {
		"",
		"#",
		"0 0",
		"0 1",
		"0 1\n1 2\n2 0\n",
		"# x\n\n0 2\r\n2 1 #\n1 1\n1 2",
		"0 3\n1 2\n2 3\n",
		"12 0",
		"0 00000000000000000000000000000000000000000001",
		"0 0000000000000000000000000000000000000000001  ",
	};

	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
		try_text(examples[i], strlen(examples[i]));
		try_changes(examples[i]);
	}
}

static const struct fuzzer fuzzer = { .name = "graph",
	.fast = 20000,
	.full = 200000,
	.very_long = 10000000,
	.begin = begin,
	.change = change_graph,
	.try = try_graph,
	.also = try_examples };
