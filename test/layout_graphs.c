/*
 * The layout of graphs: against 200 drawings of a simple method from random starts, springs and
 * repulsion as in Fruchterman and Reingold 1991, it has at most 1.5 times the crossings of the best
 * one, and no link passes a third node.  Large planar networks have few crossings.
 */
/* variants: release checked asan chaos */
#include <unistd.h>

#include "layout_lines.h"
#include "support/guard.h"

enum { VERTICES_MAX = 64, LINKS_MAX = 256, ROUNDS = 120 };

struct links {
	int count;
	int64_t end[LINKS_MAX][2];
};

static struct links links_of(const ls_topology *t)
{
	struct links links = { .count = 0 };

	for (int64_t u = 0; u < ls_topology_vertices(t); u++)
		for (int64_t l = 0; l < ls_degree(t, u); l++)
			if (ls_neighbor(t, u, l) > u) {
				links.end[links.count][0] = u;
				links.end[links.count++][1] = ls_neighbor(t, u, l);
			}
	return links;
}

/* ---- Crossings: where the lines through two links meet, is it inside of both? */

static bool is_crossing(const struct lsi_point *at, const int64_t a[2], const int64_t b[2])
{
	const struct lsi_point p = at[a[0]], r = { at[a[1]].x - p.x, at[a[1]].y - p.y };
	const struct lsi_point q = at[b[0]], s = { at[b[1]].x - q.x, at[b[1]].y - q.y };
	const double cross = r.x * s.y - r.y * s.x;
	const double t = ((q.x - p.x) * s.y - (q.y - p.y) * s.x) / cross;
	const double u = ((q.x - p.x) * r.y - (q.y - p.y) * r.x) / cross;

	if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1] || cross == 0)
		return false;
	return t > 0 && t < 1 && u > 0 && u < 1;
}

static int crossings(const struct lsi_point *at, const struct links *links)
{
	int count = 0;

	for (int i = 0; i < links->count; i++)
		for (int j = 0; j < i; j++)
			count += is_crossing(at, links->end[i], links->end[j]);
	return count;
}

/* ---- The simple method */

static void move_all(struct lsi_point *at, int64_t n, const struct links *links, double most)
{
	struct lsi_point force[VERTICES_MAX] = { { 0, 0 } };

	for (int64_t u = 0; u < n; u++)
		for (int64_t v = 0; v < n; v++) {
			const double dx = at[u].x - at[v].x, dy = at[u].y - at[v].y;
			const double square = dx * dx + dy * dy + 1e-9;

			force[u].x += dx / square;
			force[u].y += dy / square;
		}
	for (int i = 0; i < 2 * links->count; i++) {
		const int64_t u = links->end[i / 2][i % 2], v = links->end[i / 2][1 - i % 2];
		const double length = distance(at[u], at[v]);

		force[u].x -= length * (at[u].x - at[v].x);
		force[u].y -= length * (at[u].y - at[v].y);
	}
	for (int64_t u = 0; u < n; u++) {
		const double length = hypot(force[u].x, force[u].y) + 1e-9;

		at[u].x += force[u].x / length * fmin(length, most);
		at[u].y += force[u].y / length * fmin(length, most);
	}
}

static int best_of_restarts(const ls_topology *t, const struct links *links)
{
	const int restarts = is_thin() ? 20 : 200;
	struct lsi_point at[VERTICES_MAX];
	uint64_t random = 1;
	int best = -1;

	for (int i = 0; i < restarts; i++) {
		int found;

		for (int64_t u = 0; u < ls_topology_vertices(t); u++)
			at[u] = (struct lsi_point){ (double)random_below(&random, 1000) / 100,
				(double)random_below(&random, 1000) / 100 };
		for (int round = 0; round < ROUNDS; round++)
			move_all(at, ls_topology_vertices(t), links, 1 - (double)round / ROUNDS);
		found = crossings(at, links);
		best = best < 0 || found < best ? found : best;
	}
	return best;
}

static void check_graph(const ls_topology *t)
{
	const struct links links = links_of(t);
	struct drawing d = draw(t, NULL);
	const int found = crossings(d.at, &links), best = best_of_restarts(t, &links);

	CHECK(strcmp(d.layout->name, "forces") == 0, "%s", d.layout->name);
	CHECK(2 * found <= 3 * best, "%s: %d crossings; the best of many restarts has %d",
		ls_topology_spec(t), found, best);
	printf("%s: %d crossings, best of restarts %d\n", ls_topology_spec(t), found, best);
	check_clear(&d);
	free(d.at);
}

/* ---- Graphs */

/* With the links of a network. */
static void write_network(const char *spec)
{
	ls_topology *t = topology(spec);
	FILE *file = fopen("links", "w");

	for (int64_t u = 0; file && u < ls_topology_vertices(t); u++)
		for (int64_t l = 0; l < ls_degree(t, u); l++)
			fprintf(file, "%lld %lld\n", (long long)u, (long long)ls_neighbor(t, u, l));
	if (!file || fclose(file))
		exit(1);
	ls_topology_destroy(t);
}

/* A ring of `nodes` whose node i has a chord of shift[i mod shifts], as in LCF notation. */
static void write_lcf(int nodes, const int *shift, int shifts)
{
	FILE *file = fopen("links", "w");

	for (int u = 0; file && u < nodes; u++)
		fprintf(
			file, "%d %d\n%d %d\n", u, (u + 1) % nodes, u, (u + shift[u % shifts] + nodes) % nodes);
	if (!file || fclose(file))
		exit(1);
}

/* Large graphs: finite, and vertices at different points. */
/* One vertex is linked to all others. */
static void write_hub(int leaves)
{
	FILE *file = fopen("links", "w");

	for (int k = 1; file && k <= leaves; k++)
		fprintf(file, "0 %d\n", k);
	CHECK(file && fclose(file) == 0, "links");
}

static void check_large(const ls_topology *t)
{
	struct drawing d = draw(t, "forces");

	for (int64_t u = 0; u < d.n; u++)
		CHECK(isfinite(d.at[u].x) && isfinite(d.at[u].y), "%s: %lld", ls_topology_spec(t),
			(long long)u);
	for (int64_t u = 0; u < d.n; u++)
		for (int64_t v = 0; v < u; v++)
			if (distance(d.at[u], d.at[v]) < 0.4 - 1e-9)
				CHECK(false, "%s: %lld near %lld", ls_topology_spec(t), (long long)u, (long long)v);
	free(d.at);
}

/* A large network that can be drawn without crossings has few: one for four links, or fewer. */
static void check_planar(const ls_topology *t)
{
	const struct links links = links_of(t);
	struct drawing d = draw(t, "forces");
	const int found = crossings(d.at, &links);

	CHECK(4 * found <= links.count, "%s: %d crossings of %d links", ls_topology_spec(t), found,
		links.count);
	free(d.at);
}

int main(void)
{
	static const int heawood[] = { 5, -5 };
	static const int dodecahedron[] = { 10, 7, 4, -4, -7, 10, -4, 7, -7, 4 };
	static const char *const networks[] = { "mct:2,3", "debruijn:4", "star:4", "hypercube:4",
		"mesh:5x5", "bintree:5", "complete:5" };
	char folder[] = "/tmp/lockstep-XXXXXX";

	visit_spec("graph:test/data/petersen", check_graph);
	visit_spec("graph:test/data/random12", check_graph);
	if (!mkdtemp(folder) || chdir(folder))
		return EXIT_FAILURE;
	write_lcf(14, heawood, 2);
	visit_spec("graph:links", check_graph);
	write_lcf(20, dodecahedron, 10);
	visit_spec("graph:links", check_graph);
	for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
		write_network(networks[i]);
		visit_spec("graph:links", check_graph);
	}
	write_hub(200);
	visit_spec("graph:links", check_large);
	unlink("links");
	visit_spec("mesh:10x12", check_planar);
	visit_spec("bintree:7", check_planar);
	visit_spec("ring:120", check_planar);
	visit_spec("mesh:40x50", check_large);
	visit_spec("bintree:10", check_large);
	visit_spec("ring:300", check_large);
	visit_spec("star:6", check_large);
	return rmdir(folder) == 0 ? test_result() : EXIT_FAILURE;
}
