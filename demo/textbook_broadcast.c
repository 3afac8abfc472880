/*
 * One-to-all broadcast on a hypercube: Algorithms 4.1 and 4.2 of A. Grama, A. Gupta, G. Karypis,
 * V. Kumar, Introduction to Parallel Computing, 2nd edition, 2003, section 4.1.
 *
 * The numbers on the right are the book's lines.  One iteration of the outer loop is one round, for
 * idle nodes too.  After an error every call returns that error at once, so a procedure need not
 * stop there: it runs to its end and returns what it gathered.
 */
#include "demo.h"

enum { M = 3, P = 16 }; /* words of the message, most nodes */

typedef int64_t message[M];

static int one_to_all_bc(ls_node *me, int d, int64_t my_id, message X)
{
	int failed = 0;
	int64_t mask = (1 << d) - 1; /*  3 */

	for (int i = d - 1; i >= 0; i--) {                                      /*  4 */
		mask = mask ^ 1 << i;                                               /*  5 */
		if ((my_id & mask) == 0) {                                          /*  6 */
			if ((my_id & 1 << i) == 0) {                                    /*  7 */
				const int64_t msg_destination = my_id ^ 1 << i;             /*  8 */
				failed |= ls_send(me, msg_destination, X, sizeof(message)); /*  9 */
			} else {                                                        /* 10 */
				const int64_t msg_source = my_id ^ 1 << i;                  /* 11 */
				failed |= ls_receive(me, msg_source, X, sizeof(message));   /* 12 */
			}                                                               /* 13 */
		}                                                                   /* 14 */
		failed |= ls_next_round(me);
	} /* 15 */
	return failed;
}

/* The printed procedure lacks the "endif" that belongs between its lines 14 and 15. */
static int general_one_to_all_bc(ls_node *me, int d, int64_t my_id, int64_t source, message X)
{
	int failed = 0;
	const int64_t my_virtual_id = my_id ^ source; /*  3 */
	int64_t mask = (1 << d) - 1;                  /*  4 */

	for (int i = d - 1; i >= 0; i--) {                                                 /*  5 */
		mask = mask ^ 1 << i;                                                          /*  6 */
		if ((my_virtual_id & mask) == 0) {                                             /*  7 */
			if ((my_virtual_id & 1 << i) == 0) {                                       /*  8 */
				const int64_t virtual_dest = my_virtual_id ^ 1 << i;                   /*  9 */
				failed |= ls_send(me, virtual_dest ^ source, X, sizeof(message));      /* 10 */
			} else {                                                                   /* 11 */
				const int64_t virtual_source = my_virtual_id ^ 1 << i;                 /* 12 */
				failed |= ls_receive(me, virtual_source ^ source, X, sizeof(message)); /* 13 */
			}                                                                          /* 14 */
		}
		failed |= ls_next_round(me);
	} /* 15 */
	return failed;
}

/* One broadcast: the memories of all nodes, and the pen that draws it. */
struct lesson {
	int algorithm; /* 1 or 2: which of 4.1 and 4.2 */
	int64_t source;
	message X[P];
	const ls_topology *cube;
	int64_t drawn; /* last round drawn; -1: draw nothing */
};

static int program(ls_node *me, void *arg)
{
	struct lesson *l = arg;
	const int d = (int)ls_topology_degree(ls_node_topology(me));
	const int64_t my_id = ls_rank(me);

	return l->algorithm == 1 ? one_to_all_bc(me, d, my_id, l->X[my_id])
							 : general_one_to_all_bc(me, d, my_id, l->source, l->X[my_id]);
}

static void draw(void *arg, const struct ls_record *sent)
{
	struct lesson *l = arg;
	char src[8], dst[8];

	if (l->drawn < 0)
		return;
	if (l->drawn != sent->round)
		printf("%s  step %d ", l->drawn ? "\n" : "", (int)sent->round);
	l->drawn = sent->round;
	ls_label(l->cube, sent->src, src, sizeof src);
	ls_label(l->cube, sent->dst, dst, sizeof dst);
	printf("  %s->%s", src, dst);
}

static void teach(struct network cube, struct lesson *l)
{
	const int64_t p = ls_topology_nodes(cube.topology), d = ls_topology_degree(cube.topology);

	for (int64_t node = 0; node < p; node++)
		for (int j = 0; j < M; j++)
			l->X[node][j] = node == l->source ? 100 * l->source + j : -1;

	const struct ls_stats sent = network_run(cube, program, l);

	for (int64_t node = 0; node < p; node++)
		for (int j = 0; j < M; j++)
			require(l->X[node][j] == 100 * l->source + j, "4.%d: X[%d] of node %d is %d",
				l->algorithm, j, (int)node, (int)l->X[node][j]);
	require(sent.rounds == d, "%d steps; log p = %d", (int)sent.rounds, (int)d);
	require(sent.messages == p - 1, "%d messages; p - 1 = %d", (int)sent.messages, (int)p - 1);
}

static void teach_on(const char *spec, bool drawn)
{
	struct lesson l = { .algorithm = 1, .drawn = drawn ? 0 : -1 };
	const struct ls_machine_options pen = { sizeof pen, .trace = draw, .trace_context = &l };
	const struct network cube = network_make(spec, &pen);
	const int64_t p = ls_topology_nodes(cube.topology);

	l.cube = cube.topology;
	if (drawn)
		printf("Algorithm 4.1 on %s (Figure 4.6)\n", spec);
	teach(cube, &l);
	l.algorithm = 2;
	for (l.source = 0; l.source < p; l.source++) {
		l.drawn = drawn && l.source == 5 ? 0 : -1;
		if (l.drawn == 0)
			printf("\nAlgorithm 4.2 on %s, source 5: every label XOR 101\n", spec);
		teach(cube, &l);
	}
	if (drawn)
		printf("\n");
	printf("%s: X reached all %d nodes from each of the %d sources\n", spec, (int)p, (int)p);
	network_destroy(cube);
}

int main(void)
{
	teach_on("hypercube:3", true);
	teach_on("hypercube:4", false);
	return EXIT_SUCCESS;
}
