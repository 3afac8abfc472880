/*
 * All-to-one reduction on a hypercube: Algorithm 4.3 of A. Grama, A. Gupta, G. Karypis, V. Kumar,
 * Introduction to Parallel Computing, 2nd edition, 2003, section 4.1.
 *
 * The numbers on the right are the book's lines.  As printed, line 7 lacks its "!=", and an "endif"
 * is missing after line 15.  Line 12 destroys X.
 */
#include "demo.h"

enum { M = 3, P = 16, D = 4 }; /* words of a message, most nodes and dimensions */

typedef int64_t message[M];

/* The memories of all nodes, and sum[0] as each held it after each step. */
struct lesson {
	message X[P], sum[P];
	int64_t after[D + 1][P];
};

static int all_to_one_reduce(ls_node *me, int d, int64_t my_id, size_t m, struct lesson *l)
{
	int64_t *X = l->X[my_id], *sum = l->sum[my_id];
	int failed = 0;

	for (size_t j = 0; j < m; j++) /*  3 */
		sum[j] = X[j];
	int64_t mask = 0;             /*  4 */
	for (int i = 0; i < d; i++) { /*  5 */
		l->after[i][my_id] = sum[0];
		if ((my_id & mask) == 0) {                                            /*  6 */
			if ((my_id & 1 << i) != 0) {                                      /*  7 */
				const int64_t msg_destination = my_id ^ 1 << i;               /*  8 */
				failed |= ls_send(me, msg_destination, sum, sizeof(message)); /*  9 */
			} else {                                                          /* 10 */
				const int64_t msg_source = my_id ^ 1 << i;                    /* 11 */
				failed |= ls_receive(me, msg_source, X, sizeof(message));     /* 12 */
				for (size_t j = 0; j < m; j++)                                /* 13 */
					sum[j] = sum[j] + X[j];                                   /* 14 */
			}                                                                 /* 15 */
		}
		mask = mask ^ 1 << i; /* 16 */
		failed |= ls_next_round(me);
	} /* 17 */
	l->after[d][my_id] = sum[0];
	return failed;
}

static int program(ls_node *me, void *lesson)
{
	const int d = (int)ls_topology_degree(ls_node_topology(me));

	return all_to_one_reduce(me, d, ls_rank(me), M, lesson);
}

/* After i steps the nodes whose lower i bits are 0 are still at work. */
static void draw(const struct lesson *l, const ls_topology *cube)
{
	const int64_t p = ls_topology_nodes(cube), d = ls_topology_degree(cube);
	char label[8];

	printf("Algorithm 4.3 on %s, word 0 of sum\n\n  node       ", ls_topology_spec(cube));
	for (int64_t node = 0; node < p; node++) {
		ls_label(cube, node, label, sizeof label);
		printf("  %s", label);
	}
	for (int i = 0; i <= d; i++) {
		printf(i == 0 ? "\n  at first   " : "\n  step %d     ", i);
		for (int64_t node = 0; node < p; node++)
			if (node % (1 << i) == 0)
				printf("  %3d", (int)l->after[i][node]);
			else
				printf("     ");
	}
	printf("\n\n");
}

static void teach_on(const char *spec, bool drawn)
{
	const struct network cube = network_make(spec, NULL);
	const int64_t p = ls_topology_nodes(cube.topology), d = ls_topology_degree(cube.topology);
	struct lesson l;
	message expected = { 0 };

	for (int64_t node = 0; node < p; node++)
		for (int j = 0; j < M; j++) {
			l.X[node][j] = node + 1 + j * j * node;
			expected[j] += l.X[node][j];
		}

	const struct ls_stats sent = network_run(cube, program, &l);

	for (int j = 0; j < M; j++)
		require(l.sum[0][j] == expected[j], "%s: sum[%d] is %d, not %d", spec, j, (int)l.sum[0][j],
			(int)expected[j]);
	require(sent.rounds == d, "%d steps; log p = %d", (int)sent.rounds, (int)d);
	require(sent.messages == p - 1, "%d messages; p - 1 = %d", (int)sent.messages, (int)p - 1);
	if (drawn)
		draw(&l, cube.topology);
	printf("%s: node 0 has the sums of all %d nodes in %d steps\n", spec, (int)p, (int)d);
	network_destroy(cube);
}

int main(void)
{
	teach_on("hypercube:3", true);
	teach_on("hypercube:4", false);
	return EXIT_SUCCESS;
}
