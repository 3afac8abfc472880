/*
 * All-to-all broadcast on a hypercube: Algorithm 4.7 of A. Grama, A. Gupta, G. Karypis, V. Kumar,
 * Introduction to Parallel Computing, 2nd edition, 2003, section 4.2; and the all-reduce that its
 * section 4.3 makes of it, adding on line 8 instead of uniting.
 *
 * The numbers on the right are the book's lines.  As printed, line 8 puts what came behind what was
 * there, so that node 5 ends with 5 4 7 6 1 0 3 2.  Here the part with the lower labels goes first:
 * every node ends with 0 1 .. p-1, and an operator in place of the union need not be commutative.
 *
 * The round ends between lines 7 and 8: until then `result` is on its way and must not change.
 */
#include "demo.h"

#include <string.h>

enum { P = 16, D = 4 }; /* most nodes and dimensions */

/* What every node held after each step: the first 2^i words. */
struct lesson {
	int64_t after[D + 1][P][P];
	int64_t sum[P];
};

/* result := result U msg, each of n words: the part of the lower labels first. */
static void unite(int64_t *result, const int64_t *msg, size_t n, bool mine_first)
{
	if (!mine_first)
		memcpy(result + n, result, n * sizeof *result);
	memcpy(mine_first ? result + n : result, msg, n * sizeof *result);
}

static int all_to_all_bc_hcube(ls_node *me, int64_t my_id, int64_t my_msg, int d, struct lesson *l)
{
	int64_t result[P] = { my_msg }, msg[P]; /*  3 */
	int failed = 0;

	l->after[0][my_id][0] = my_msg;
	for (int i = 0; i < d; i++) { /*  4 */
		const size_t n = (size_t)1 << i;
		const int64_t partner = my_id ^ 1 << i;                     /*  5 */
		failed |= ls_send(me, partner, result, n * sizeof *result); /*  6 */
		failed |= ls_receive(me, partner, msg, n * sizeof *msg);    /*  7 */
		failed |= ls_next_round(me);
		unite(result, msg, n, my_id < partner); /*  8 */
		memcpy(l->after[i + 1][my_id], result, 2 * n * sizeof *result);
	} /*  9 */
	return failed;
}

static int all_reduce_hcube(ls_node *me, int64_t my_id, int64_t my_number, int d, struct lesson *l)
{
	int64_t result = my_number, number; /*  3 */
	int failed = 0;

	for (int i = 0; i < d; i++) {                                  /*  4 */
		const int64_t partner = my_id ^ 1 << i;                    /*  5 */
		failed |= ls_send(me, partner, &result, sizeof result);    /*  6 */
		failed |= ls_receive(me, partner, &number, sizeof number); /*  7 */
		failed |= ls_next_round(me);
		result = my_id < partner ? result + number : number + result; /*  8 */
	}                                                                 /*  9 */
	l->sum[my_id] = result;
	return failed;
}

static int program(ls_node *me, void *lesson)
{
	const int d = (int)ls_topology_degree(ls_node_topology(me));
	const int64_t my_id = ls_rank(me);

	return all_to_all_bc_hcube(me, my_id, my_id, d, lesson)
		|| all_reduce_hcube(me, my_id, my_id, d, lesson);
}

static void draw_set(const int64_t *word, int n, int width)
{
	char text[64];
	int length = 0;

	for (int k = 0; k < n; k++)
		length += sprintf(text + length, "%c%d", k ? ',' : '(', (int)word[k]);
	strcpy(text + length, ")");
	printf("%-*s", width, text);
}

static void draw(const struct lesson *l, const ls_topology *cube)
{
	static const int width[] = { 11, 9, 13, 0 };
	const int64_t p = ls_topology_nodes(cube), d = ls_topology_degree(cube);
	char label[8];

	printf("Algorithm 4.7 on %s (Figure 4.11): whose words a node has\n\n", ls_topology_spec(cube));
	printf("  node   at first   step 1   step 2       step 3\n");
	for (int64_t node = 0; node < p; node++) {
		ls_label(cube, node, label, sizeof label);
		printf("  %s    ", label);
		for (int i = 0; i <= d; i++)
			draw_set(l->after[i][node], 1 << i, width[i]);
		printf("\n");
	}
	printf("\n");
}

static void teach_on(const char *spec, bool drawn)
{
	const struct network cube = network_make(spec, NULL);
	const int64_t p = ls_topology_nodes(cube.topology), d = ls_topology_degree(cube.topology);
	struct lesson l;
	const struct ls_stats sent = network_run(cube, program, &l);

	for (int64_t node = 0; node < p; node++) {
		for (int64_t k = 0; k < p; k++)
			require(l.after[d][node][k] == k, "%s: word %d of node %d is of node %d", spec, (int)k,
				(int)node, (int)l.after[d][node][k]);
		require(l.sum[node] == p * (p - 1) / 2, "%s: the sum at node %d is %d", spec, (int)node,
			(int)l.sum[node]);
	}
	require(sent.rounds == 2 * d, "%d steps; 2 log p = %d", (int)sent.rounds, (int)(2 * d));
	require(sent.bytes == 8 * p * (p - 1 + d), "%d bytes", (int)sent.bytes);
	if (drawn)
		draw(&l, cube.topology);
	printf("%s: all %d words at every node in %d steps; each received p - 1 = %d words\n", spec,
		(int)p, (int)d, (int)p - 1);
	printf("%s: 0 + 1 + .. + %d = %d at every node in %d steps; each received %d words\n", spec,
		(int)p - 1, (int)l.sum[0], (int)d, (int)d);
	network_destroy(cube);
}

int main(void)
{
	teach_on("hypercube:3", true);
	teach_on("hypercube:4", false);
	return EXIT_SUCCESS;
}
