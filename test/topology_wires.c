/*
 * Links equal those of the definitions, which this file restates on labels.
 */
/* variants: release checked asan chaos */
#include "topology_specs.h"

enum { PAIRS_MAX = 130, TEXT = 256 };

static int read_numbers(const char *text, long long number[8])
{
	int count = 0;

	for (char *at = strpbrk(text, "0123456789"); at; at = strpbrk(at, "0123456789"))
		number[count++] = strtoll(at, &at, 10);
	return count;
}

static bool are_wired_on_grid(const char *spec, const char *a, const char *b, bool wraps)
{
	long long side[8], x[8], y[8], steps = 0;
	const int dims = read_numbers(spec, side);

	read_numbers(a, x);
	read_numbers(b, y);
	for (int d = 0; d < dims; d++) {
		const long long way = llabs(x[d] - y[d]);

		steps += wraps && way == side[d] - 1 && way > 0 ? 1 : way;
	}
	return steps == 1;
}

static bool are_wired_open(const char *spec, const char *a, const char *b)
{
	return are_wired_on_grid(spec, a, b, false);
}

static bool are_wired_round(const char *spec, const char *a, const char *b)
{
	return are_wired_on_grid(spec, a, b, true);
}

static int differences(const char *a, const char *b)
{
	int differ = 0;

	for (size_t i = 0; a[i]; i++)
		differ += a[i] != b[i];
	return differ;
}

static bool are_different(const char *spec, const char *a, const char *b)
{
	(void)spec;
	return strcmp(a, b);
}

static bool are_wired_on_cube(const char *spec, const char *a, const char *b)
{
	(void)spec;
	return differences(a, b) == 1;
}

/* Two permutations that differ in two places have them swapped. */
static bool are_wired_on_star(const char *spec, const char *a, const char *b)
{
	(void)spec;
	return differences(a, b) == 2 && a[0] != b[0];
}

static bool are_wired_by_bubbles(const char *spec, const char *a, const char *b)
{
	(void)spec;
	for (size_t i = 0; a[i]; i++)
		if (a[i] != b[i])
			return differences(a, b) == 2 && a[i + 1] != b[i + 1];
	return false;
}

static bool are_wired_by_flips(const char *spec, const char *a, const char *b)
{
	size_t last = strlen(a);

	(void)spec;
	while (last > 0 && a[last] == b[last])
		last--;
	for (size_t i = 0; i <= last; i++)
		if (a[i] != b[last - i])
			return false;
	return last > 0;
}

static bool are_wired_by_shifts(const char *spec, const char *a, const char *b)
{
	const size_t length = strlen(a) - 1;

	(void)spec;
	return strcmp(a, b) && (!strncmp(a + 1, b, length) || !strncmp(b + 1, a, length));
}

static bool are_wired_breadth_first(const char *spec, const char *a, const char *b)
{
	const long x = strtol(a, NULL, 10), y = strtol(b, NULL, 10);

	(void)spec;
	return y == 2 * x + 1 || y == 2 * x + 2 || x == 2 * y + 1 || x == 2 * y + 2;
}

/* What spans the leaves l[0] .. l[1] is below what spans twice as many, aligned. */
static bool is_half(const long long *l, const long long *of)
{
	return of[1] - of[0] + 1 == 2 * (l[1] - l[0] + 1) && of[0] <= l[0] && l[1] <= of[1];
}

static bool are_wired_over_leaves(const char *spec, const char *a, const char *b)
{
	long long x[8], y[8];

	(void)spec;
	x[1] = read_numbers(a, x) == 1 ? x[0] : x[1];
	y[1] = read_numbers(b, y) == 1 ? y[0] : y[1];
	return is_half(x, y) || is_half(y, x);
}

/* A line of the file names both. */
static bool are_wired_in_file(const char *spec, const char *a, const char *b)
{
	FILE *file = fopen(strchr(spec, ':') + 1, "r");
	const long x = strtol(a, NULL, 10), y = strtol(b, NULL, 10);
	char line[TEXT];
	long u, v;
	bool found = false;

	while (file && fgets(line, sizeof line, file))
		found |= sscanf(line, "%ld %ld", &u, &v) == 2 && u != v
			&& ((u == x && v == y) || (u == y && v == x));
	return file && fclose(file) == 0 && found;
}

struct pieces {
	int count;
	char text[8][TEXT];
};

static void add_piece(struct pieces *pieces, const char *text, size_t length)
{
	snprintf(pieces->text[pieces->count++], TEXT, "%.*s", (int)length, text);
}

/* The labels in "(a,b)", which may have commas in their own parentheses. */
static struct pieces labels_in(const char *label)
{
	struct pieces labels = { 0 };
	const char *from = label + 1;
	int depth = 0;

	for (const char *at = from; *at; at++) {
		depth += (*at == '(') - (*at == ')');
		if (depth >= 0 && (depth > 0 || *at != ','))
			continue;
		add_piece(&labels, from, (size_t)(at - from));
		from = at + 1;
	}
	return labels;
}

static struct pieces factors_in(const char *spec)
{
	struct pieces factors = { 0 };

	for (size_t length; *spec; spec += length + (spec[length] == '*')) {
		long long number[8] = { 0, 0 };
		char tree[TEXT];

		length = strcspn(spec, "*");
		if (strncmp(spec, "mct:", 4)) {
			add_piece(&factors, spec, length);
			continue;
		}
		read_numbers(spec, number);
		snprintf(tree, sizeof tree, "bintree:%lld", number[1]);
		while (number[0]-- > 0)
			add_piece(&factors, tree, strlen(tree));
	}
	return factors;
}

static bool are_wired(const char *spec, const char *a, const char *b);

/* Wired in one factor, the same in all others. */
static bool are_wired_in_product(const char *spec, const char *a, const char *b)
{
	const struct pieces factors = factors_in(spec), x = labels_in(a), y = labels_in(b);
	int same = 0;
	bool wired = false;

	for (int i = 0; i < factors.count; i++)
		if (!strcmp(x.text[i], y.text[i]))
			same++;
		else
			wired = are_wired(factors.text[i], x.text[i], y.text[i]);
	return wired && same == factors.count - 1 && x.count == factors.count;
}

static const struct {
	const char *kind;
	bool (*are_wired)(const char *spec, const char *a, const char *b);
} definitions[] = {
	{ "linear", are_wired_open },
	{ "mesh", are_wired_open },
	{ "ring", are_wired_round },
	{ "torus", are_wired_round },
	{ "complete", are_different },
	{ "hypercube", are_wired_on_cube },
	{ "star", are_wired_on_star },
	{ "bubblesort", are_wired_by_bubbles },
	{ "pancake", are_wired_by_flips },
	{ "debruijn", are_wired_by_shifts },
	{ "bintree", are_wired_breadth_first },
	{ "tree", are_wired_over_leaves },
	{ "graph", are_wired_in_file },
	{ "mct", are_wired_in_product },
};

static bool are_wired(const char *spec, const char *a, const char *b)
{
	const size_t length = strcspn(spec, ":");

	if (strchr(spec, '*'))
		return are_wired_in_product(spec, a, b);
	for (size_t i = 0; i < sizeof definitions / sizeof *definitions; i++)
		if (strlen(definitions[i].kind) == length && !strncmp(definitions[i].kind, spec, length))
			return definitions[i].are_wired(spec, a, b);
	CHECK(false, "no definition of %s", spec);
	return false;
}

static void check_wires(const ls_topology *t)
{
	char a[TEXT], b[TEXT];

	for (int64_t r = 0; r < ls_topology_vertices(t) && r < PAIRS_MAX; r++)
		for (int64_t s = 0; s < ls_topology_vertices(t); s++) {
			ls_label(t, r, a, sizeof a);
			ls_label(t, s, b, sizeof b);
			CHECK((ls_link_to(t, r, s) >= 0) == are_wired(ls_topology_spec(t), a, b),
				"%s: %s and %s", ls_topology_spec(t), a, b);
		}
}

int main(void)
{
	visit_small(check_wires);
	return test_result();
}
