/*
 * The heat equation on a mesh: Jacobi iteration with halo exchange, as in W. Gropp, E. Lusk,
 * A. Skjellum, Using MPI, chapter 4, until an all-reduce says that nothing changes any more.
 *
 * The plate has N x N points and an edge, hot above and cold elsewhere.  Each node owns a block and
 * keeps a copy of the points around it, the halo.  Every point becomes the mean of the four around
 * it.  In one round all send one way, down, up, right or left, so that a node sends and receives
 * once.  A maximum has the same bits in any order: the nodes stop where one alone would.
 */
#include "demo.h"

#include <math.h>
#include <string.h>

enum { N = 24, M = N + 2, HOT = 100 };

typedef double plate[M][M]; /* points 1 .. N, and around them edge or halo */

struct problem {
	plate end;
	int steps;
};

/* One Jacobi step on h x w points: the largest change. */
static double relax(plate u, plate v, int h, int w)
{
	double change = 0;

	for (int i = 1; i <= h; i++)
		for (int j = 1; j <= w; j++) {
			v[i][j] = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) / 4;
			change = fmax(change, fabs(v[i][j] - u[i][j]));
		}
	return change;
}

/* A round in which each node of a line sends one way; at its ends `in` stays as it was. */
static int pass(ls_node *line, int way, const double *out, double *in, int n)
{
	const int64_t to = ls_rank(line) + way, from = ls_rank(line) - way, p = ls_size(line);
	const size_t bytes = (size_t)n * sizeof *out;

	return (0 <= to && to < p && ls_send(line, to, out, bytes))
		|| (0 <= from && from < p && ls_receive(line, from, in, bytes)) || ls_next_round(line);
}

static int halo(ls_node *row, ls_node *column, plate u, int h, int w)
{
	int failed =
		pass(column, 1, &u[h][1], &u[0][1], w) || pass(column, -1, &u[1][1], &u[h + 1][1], w);

	for (int way = 1; way >= -1; way -= 2) {
		const int last = way > 0 ? w : 1, beyond = way > 0 ? 0 : w + 1;
		double out[N], in[N];

		for (int i = 0; i < h; i++) {
			out[i] = u[i + 1][last];
			in[i] = u[i + 1][beyond];
		}
		failed = failed || pass(row, way, out, in, h);
		for (int i = 0; i < h; i++)
			u[i + 1][beyond] = in[i];
	}
	return failed;
}

static int program(ls_node *me, void *arg)
{
	struct problem *pb = arg;
	plate u[2] = { 0 };
	ls_node *row, *column;
	double change = 1;
	int step = 0;

	if (ls_split_axis(me, 1, &row) || ls_split_axis(me, 0, &column))
		return 1;

	const int h = N / (int)ls_size(column), w = N / (int)ls_size(row);
	const int top = h * (int)ls_rank(column), left = w * (int)ls_rank(row);

	for (int j = 0; j < M && top == 0; j++)
		u[0][0][j] = u[1][0][j] = HOT;
	for (; change > 1e-4; step++) {
		if (halo(row, column, u[step & 1], h, w))
			return 1;
		change = relax(u[step & 1], u[~step & 1], h, w);
		if (ls_allreduce(me, &change, &change, 1, LS_DOUBLE, LS_MAX))
			return 1;
	}
	for (int i = 1; i <= h; i++)
		memcpy(&pb->end[top + i][left + 1], &u[step & 1][i][1], (size_t)w * sizeof(double));
	if (ls_rank(me) == 0)
		pb->steps = step;
	return LS_OK;
}

static void alone(struct problem *pb)
{
	plate u[2] = { 0 };

	for (int j = 0; j < M; j++)
		u[0][0][j] = u[1][0][j] = HOT;
	for (double change = 1; change > 1e-4; pb->steps++)
		change = relax(u[pb->steps & 1], u[~pb->steps & 1], N, N);
	memcpy(pb->end, u[pb->steps & 1], sizeof(plate));
}

static void solve_on(const char *spec)
{
	const struct network mesh = network_make(spec, NULL);
	struct problem pb = { 0 }, one = { 0 };
	const int64_t rows = ls_topology_side(mesh.topology, 0);
	const int64_t columns = ls_topology_side(mesh.topology, 1);

	require(rows > 0 && columns > 0 && N % rows == 0 && N % columns == 0,
		"%s: sides that do not divide %d", spec, N);
	alone(&one);

	const struct ls_stats sent = network_run(mesh, program, &pb);

	require(pb.steps == one.steps, "%s: %d steps, not %d", spec, pb.steps, one.steps);
	for (int i = 1; i <= N; i++)
		require(!memcmp(&pb.end[i][1], &one.end[i][1], N * sizeof(double)), "%s: row %d", spec, i);
	report(mesh, sent, "%d steps, %.2f degrees in the middle", pb.steps,
		(pb.end[N / 2][N / 2] + pb.end[N / 2][N / 2 + 1] + pb.end[N / 2 + 1][N / 2]
			+ pb.end[N / 2 + 1][N / 2 + 1])
			/ 4);
	network_destroy(mesh);
}

static void draw(void)
{
	struct problem one = { 0 };

	alone(&one);
	printf("\n");
	for (int i = 1; i <= N; i += 2, printf("\n"))
		for (int j = 1; j <= N; j++)
			putchar(" .:-=+*%#@"[(int)(one.end[i][j] / 10)]);
}

int main(int argc, char **argv)
{
	static const char *const networks[] = { "mesh:1x1", "mesh:2x3", "mesh:4x4", "torus:4x4", NULL };

	(void)argc;
	on_networks(argv, networks, solve_on);
	draw();
	return EXIT_SUCCESS;
}
