/*
 * The reader of graph files takes any bytes.  A second reader, and a second search for shortest
 * paths, accept the same files and make the same graphs.
 *
 * Alone, the program tries a corpus, everything one changed byte away from it, and random graphs.
 * With -DLSI_FUZZ it is the target of libFuzzer: see fuzz_topology.c.
 */
/* variants: release checked asan chaos */
#include <lockstep/topology.h>

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test.h"

enum {
	TEXT_MAX = 128, /* so no gapless file names more nodes than: */
	NODES_MAX = 64,
	FAR = 1000
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- The second reader */

struct truth {
	int nodes, hops[NODES_MAX][NODES_MAX];
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
	if (u != v)
		truth->hops[u][v] = truth->hops[v][u] = 1;
	return true;
}

/* Floyd and Warshall; false: no connected graph. */
static bool read_truth(char *text, struct truth *truth)
{
	for (int u = 0; u < NODES_MAX; u++)
		for (int v = 0; v < NODES_MAX; v++)
			truth->hops[u][v] = u == v ? 0 : FAR;
	for (char *line; (line = strsep(&text, "\n"));)
		if (!read_line(line, truth))
			return false;
	for (int w = 0; w < truth->nodes; w++)
		for (int u = 0; u < truth->nodes; u++)
			for (int v = 0; v < truth->nodes; v++)
				if (truth->hops[u][v] > truth->hops[u][w] + truth->hops[w][v])
					truth->hops[u][v] = truth->hops[u][w] + truth->hops[w][v];
	for (int u = 0; u < truth->nodes; u++)
		if (!truth->named[u] || truth->hops[0][u] == FAR)
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
static const char *written(const uint8_t *data, size_t size)
{
	static char spec[64];
	static int file = -1;

	if (file < 0) {
		file = memfd_create("graph", 0);
		if (file < 0)
			exit(1);
		snprintf(spec, sizeof spec, "graph:/proc/self/fd/%d", file);
	}
	if (ftruncate(file, 0) || pwrite(file, data, size, 0) != (ssize_t)size)
		exit(1);
	return spec;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct truth truth;
	struct ls_error why = { .size = sizeof why };
	ls_topology *t = NULL;
	char text[TEXT_MAX];
	bool is_text; /* else a NUL byte is in it */
	int status;

	if (size >= TEXT_MAX)
		return 0;
	for (size_t i = 0; i < size; i++)
		text[i] = (char)(data[i] ? data[i] : '?');
	text[size] = '\0';
	memset(&truth, 0, sizeof truth);
	status = ls_topology_make(written(data, size), &t, &why);
	is_text = size == 0 || !memchr(data, '\0', size);
	CHECK((status == LS_OK) == (is_text && read_truth(text, &truth)), "%.*s\n%s: %s", (int)size,
		(const char *)data, ls_status_name(status), why.text);
	if (t)
		check_graph(t, &truth);
	else
		check_refusal(status, &why);
	ls_topology_destroy(t);
	if (test_failures)
		abort();
	return 0;
}

#ifndef LSI_FUZZ
static void try_text(const char *text)
{
	LLVMFuzzerTestOneInput((const uint8_t *)text, strlen(text));
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
			LLVMFuzzerTestOneInput((const uint8_t *)changed, length);
		}
		strcpy(changed + i, text + i + 1);
		try_text(changed);
		strcpy(changed + i + 1, text + i);
		changed[i] = text[i];
		try_text(changed);
	}
}

static int random_below(int n)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (int)((state >> 33) % (uint64_t)n);
}

/* A random tree, sometimes a piece short, and random edges. */
static void try_random(int nodes)
{
	static const char *const ends[] = { "\n", "\r\n", " \t\n\n", "#\n", "  # 7 8 9\n" };
	char text[TEXT_MAX];
	int length = 0;

	for (int i = 1; i < nodes + random_below(nodes) && length < TEXT_MAX - 32; i++) {
		const int u = i < nodes ? i : random_below(nodes);
		const int v = i < nodes ? random_below(i + (random_below(8) == 0)) : random_below(nodes);

		length += sprintf(
			text + length, "%d%s%d%s", u, random_below(2) ? " " : "\t ", v, ends[random_below(5)]);
	}
	text[length] = '\0';
	try_text(text);
}

int main(void)
{
	static const char *const corpus[] = {
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

	for (size_t i = 0; i < sizeof corpus / sizeof *corpus; i++) {
		try_text(corpus[i]);
		try_changes(corpus[i]);
	}
	for (int i = 0; i < 10000; i++)
		try_random(2 + random_below(14));
	return test_result();
}
#endif
