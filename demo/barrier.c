/*
 * A barrier from an all-reduce of one word: no node can have the sum before each has contributed.
 * (A. Grama et al., Introduction to Parallel Computing, 2nd edition, 2003, section 4.3.)
 *
 * The rounds are free: the messages of the all-reduce alone hold the nodes back.
 */
#include "demo.h"

#include <stdatomic.h>
#include <time.h>

enum { P = 24, BARRIERS = 200, MS = 1000000 }; /* most nodes; nanoseconds */

struct lesson {
	bool drawn;                      /* come late, and look at the clock */
	bool open;                       /* leave out the barrier */
	atomic_llong arrivals;           /* of all nodes, at all barriers */
	atomic_int early;                /* passed before the last node had arrived */
	long long arrived[P], passed[P]; /* at the last barrier: when, in ns */
};

static int one_word_barrier(ls_node *me)
{
	int64_t one = 1, all;

	return ls_allreduce(me, &one, &all, 1, LS_INT64, LS_SUM) || all != ls_size(me);
}

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL * MS + t.tv_nsec;
}

static int program(ls_node *me, void *arg)
{
	struct lesson *l = arg;
	const int64_t rank = ls_rank(me), p = ls_size(me);

	for (int k = 1; k <= (l->drawn ? 1 : BARRIERS); k++) {
		if (l->drawn)
			nanosleep(&(struct timespec){ .tv_nsec = (1 + rank * 5 % p * 4) * MS }, NULL);
		l->arrived[rank] = now();
		atomic_fetch_add(&l->arrivals, 1);
		if (!l->open && one_word_barrier(me))
			return 1;
		if (atomic_load(&l->arrivals) < k * p)
			atomic_fetch_add(&l->early, 1);
		l->passed[rank] = now();
	}
	return 0;
}

static void bar(char mark, long long from, long long to, double scale)
{
	for (int column = (int)((double)from * scale); column < (int)((double)to * scale); column++)
		putchar(mark);
}

static void draw(const struct lesson *l, int64_t p, long long start)
{
	long long end = start + 1;

	for (int64_t node = 0; node < p; node++)
		end = l->passed[node] > end ? l->passed[node] : end;
	for (int64_t node = 0; node < p; node++) {
		const long long arrived = l->arrived[node] - start, passed = l->passed[node] - start;
		const double scale = 60.0 / (double)(end - start);

		printf("  node %d  ", (int)node);
		bar('-', 0, arrived, scale);
		bar('.', arrived, passed, scale);
		printf("|\n");
	}
}

static void teach(const char *spec, bool drawn, bool open)
{
	const struct ls_machine_options options = { .size = sizeof options, .rounds = LS_FREE };
	const struct network net = network_make(spec, &options);
	const int64_t p = ls_topology_nodes(net.topology);
	struct lesson l = { .drawn = drawn, .open = open };
	const long long start = now();

	network_run(net, program, &l);
	if (drawn)
		draw(&l, p, start);
	printf("%s, %s: %d times a node passed before the last had arrived\n\n", spec,
		open        ? "no barrier"
			: drawn ? "one barrier"
					: "200 barriers",
		l.early);
	require(open || l.early == 0, "the barrier does not hold");
	require(l.arrivals == p * (drawn ? 1 : BARRIERS), "%lld arrivals", (long long)l.arrivals);
	for (int64_t a = 0; a < p && !open; a++)
		for (int64_t b = 0; b < p; b++)
			require(l.arrived[a] <= l.passed[b], "node %d passed before node %d", (int)b, (int)a);
	network_destroy(net);
}

int main(void)
{
	printf("Dashes: at work.  Dots: waiting at the barrier.\n\n");
	teach("hypercube:3", true, true);
	teach("hypercube:3", true, false);
	teach("star:4", false, false);
	return EXIT_SUCCESS;
}
