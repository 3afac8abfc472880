/*
 * All-pairs shortest paths on a mesh: Floyd's algorithm in blocks.  Algorithm 10.4 in A. Grama,
 * A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd edition, 2003.
 *
 * Node (i,j) owns a block of the distances.  In step k the nodes that own row k broadcast it along
 * their columns, and those that own column k along their rows.  Then every node knows for all its
 * pairs whether the path over k is shorter.  The data are the friendships of a karate club (Zachary
 * 1977).
 */
#include "demo.h"

enum { N = 34, M = 64, FAR = 1 << 20 }; /* members, rows with padding, no path */

struct problem {
	int h, w; /* rows and columns of a block */
	int32_t d[M][M];
};

static int32_t least(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

static int program(ls_node *me, void *arg)
{
	struct problem *pb = arg;
	const int h = pb->h, w = pb->w;
	ls_node *row, *column;

	if (ls_split_axis(me, 1, &row) || ls_split_axis(me, 0, &column))
		return 1;

	const int top = h * (int)ls_rank(column), left = w * (int)ls_rank(row);

	for (int k = 0; k < N; k++) {
		int32_t to_k[M], from_k[M];

		for (int i = 0; i < h && k / w == ls_rank(row); i++)
			to_k[i] = pb->d[top + i][k];
		for (int j = 0; j < w && k / h == ls_rank(column); j++)
			from_k[j] = pb->d[k][left + j];
		if (ls_broadcast(row, to_k, (size_t)h, LS_INT32, k / w)
			|| ls_broadcast(column, from_k, (size_t)w, LS_INT32, k / h))
			return 1;
		for (int i = 0; i < h; i++)
			for (int j = 0; j < w; j++)
				pb->d[top + i][left + j] = least(pb->d[top + i][left + j], to_k[i] + from_k[j]);
	}
	return LS_OK;
}

static void pose(struct problem *pb, const ls_topology *club, int rows, int columns)
{
	*pb = (struct problem){ .h = (N + rows - 1) / rows, .w = (N + columns - 1) / columns };
	require(rows * pb->h <= M && columns * pb->w <= M, "too many nodes");
	for (int u = 0; u < M; u++)
		for (int v = 0; v < M; v++)
			pb->d[u][v] = u == v ? 0 : ls_link_to(club, u, v) >= 0 ? 1 : FAR;
}

static void alone(struct problem *pb)
{
	for (int k = 0; k < N; k++)
		for (int u = 0; u < N; u++)
			for (int v = 0; v < N; v++)
				pb->d[u][v] = least(pb->d[u][v], pb->d[u][k] + pb->d[k][v]);
}

static void solve_on(const char *spec)
{
	const struct network mesh = network_make(spec, NULL);
	const struct network club = network_make_from_data("karate.txt");
	static struct problem pb, one;
	const int rows = (int)ls_topology_side(mesh.topology, 0);
	const int columns = (int)ls_topology_side(mesh.topology, 1);
	int longest = 0, sum = 0;

	require(rows > 0 && columns > 0, "%s: no mesh of two axes", spec);
	pose(&pb, club.topology, rows, columns);
	pose(&one, club.topology, 1, 1);
	alone(&one);

	const struct ls_stats sent = network_run(mesh, program, &pb);

	for (int u = 0; u < N; u++)
		for (int v = 0; v < N; v++) {
			require(pb.d[u][v] == one.d[u][v] && pb.d[u][v] == ls_distance(club.topology, u, v),
				"%s: from %d to %d in %d", spec, u, v, pb.d[u][v]);
			longest = pb.d[u][v] > longest ? pb.d[u][v] : longest;
			sum += pb.d[u][v];
		}
	report(mesh, sent, "blocks of %d x %d: longest %d, mean %.3f", pb.h, pb.w, longest,
		(double)sum / (N * (N - 1)));
	network_destroy(club);
	network_destroy(mesh);
}

int main(int argc, char **argv)
{
	static const char *const networks[] = { "mesh:2x2", "mesh:3x4", "mesh:4x4", "torus:4x4",
		"torus:6x6", NULL };

	(void)argc;
	on_networks(argv, networks, solve_on);
	return EXIT_SUCCESS;
}
