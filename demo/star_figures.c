/*
 * Figures 1 and 3 of E. Oh, H. Choi, D. Primeaux, "An All-Reduce Operation in Star Networks Using
 * All-to-All Broadcast Communication Pattern", ICCS 2005: the all-reduce on S_3 and S_4.
 *
 * The procedure is Figure 2.  Its step 4 leaves open which "local sum" a node sends along the links
 * n - 1 .. 2.  All three readings are run; only the value received on link n gives the sum.
 *
 *   [result]    the box of the figures: what a node has added up so far
 *   (outgoing)  the parentheses: what it holds to send, and at last adds to its result
 */
#include "demo.h"

enum { NODES = 24, STEPS = 6 }; /* of S_4 */

enum reading { RECEIVED, SENT, GROWING };

static const struct {
	const char *text;
	int right_up_to;
} meaning[] = {
	[RECEIVED] = { "the value received on link n", 4 },
	[SENT] = { "the value sent on link n", 2 },
	[GROWING] = { "that value and all received since", 3 },
};

struct buffers {
	int64_t result, outgoing;
};

/* One all-reduce: how step 4 is read, and the buffers of all nodes after each step. */
struct lesson {
	int n;
	enum reading reading;
	struct buffers after[STEPS + 1][NODES];
	int64_t sum[NODES];
};

/* Exchange words with the neighbor along link k; link k of a star has the index k - 2. */
static int exchange(ls_node *me, int k, int64_t word, int64_t *received)
{
	const int64_t neighbor = ls_neighbor(ls_node_topology(me), ls_rank(me), k - 2);

	return ls_send(me, neighbor, &word, sizeof word)
		|| ls_receive(me, neighbor, received, sizeof *received) || ls_next_round(me);
}

/* Figure 2, its numbers on the right. */
static int all_reduce(ls_node *me, int n, struct lesson *l, int64_t *local_sum)
{
	const int64_t my_id = ls_rank(me);
	struct buffers b;
	int64_t number;

	if (n == 1)
		return LS_OK;
	if (all_reduce(me, n - 1, l, local_sum)) /* 1. */
		return 1;
	b.result = *local_sum; /* 2. */
	if (exchange(me, n, *local_sum, &b.outgoing))
		return 1;
	l->after[ls_round(me) - 1][my_id] = b;
	for (int d = n - 1; d >= 2; d--) { /* 3. */
		const int64_t sent = l->reading == SENT ? *local_sum : b.outgoing;

		if (exchange(me, d, sent, &number)) /* 4. */
			return 1;
		*(l->reading == GROWING ? &b.outgoing : &b.result) += number;
		l->after[ls_round(me) - 1][my_id] = b;
	}
	*local_sum = b.result + b.outgoing; /* 5. */
	return LS_OK;
}

static int program(ls_node *me, void *lesson)
{
	struct lesson *l = lesson;
	const int64_t my_id = ls_rank(me);

	l->sum[my_id] = my_id + 1;
	l->after[0][my_id].result = my_id + 1;
	return all_reduce(me, l->n, l, &l->sum[my_id]);
}

static void draw(const struct lesson *l, const ls_topology *star, int64_t steps)
{
	static const int link[STEPS] = { 2, 3, 2, 4, 3, 2 };
	char text[48];

	printf("Figure %d: all-reduce on S_%d\n\n  node        ", l->n == 3 ? 1 : 3, l->n);
	for (int64_t step = 1; step <= steps; step++)
		printf("link %d      ", link[step - 1]);
	printf("sum\n");
	for (int64_t node = 0; node < ls_topology_nodes(star); node++) {
		ls_label(star, node, text, sizeof text);
		printf("  %s%*s[%d]%s", text, 6 - l->n, "", (int)node + 1, node < 9 ? "   " : "  ");
		for (int64_t step = 1; step <= steps; step++) {
			const struct buffers b = l->after[step][node];

			snprintf(text, sizeof text, "[%d](%d)", (int)b.result, (int)b.outgoing);
			printf("%-12s", text);
		}
		printf("%d\n", (int)l->sum[node]);
	}
	printf("\n");
}

static void teach(struct network star, int n, enum reading reading)
{
	struct lesson l = { .n = n, .reading = reading };
	const int64_t p = ls_topology_nodes(star.topology), expected = p * (p + 1) / 2;
	const struct ls_stats sent = network_run(star, program, &l);
	int64_t right = 0;

	for (int64_t node = 0; node < p; node++)
		right += l.sum[node] == expected;
	if (reading == RECEIVED)
		draw(&l, star.topology, sent.rounds);
	printf("  %d at %2d of %d nodes if step 4 sends %s\n", (int)expected, (int)right, (int)p,
		meaning[reading].text);
	require(right == p || n > meaning[reading].right_up_to, "S_%d: the sum is wrong", n);
	require(right == 0 || n <= meaning[reading].right_up_to, "S_%d: the sum must be wrong", n);
	require(sent.rounds == n * (n - 1) / 2, "S_%d: %d rounds", n, (int)sent.rounds);
	require(sent.messages == sent.rounds * p, "S_%d: %d messages", n, (int)sent.messages);
}

static void teach_on(const char *spec, int n)
{
	const struct network star = network_make(spec, NULL);

	teach(star, n, RECEIVED);
	teach(star, n, SENT);
	teach(star, n, GROWING);
	printf("\n");
	network_destroy(star);
}

int main(void)
{
	teach_on("star:3", 3);
	teach_on("star:4", 4);
	return EXIT_SUCCESS;
}
