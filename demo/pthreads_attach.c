/*
 * Plain POSIX threads as nodes: a program's own workers attach themselves for as long as they need
 * to talk to one another, and go on with their work when they have detached.
 *
 * Four workers seek the largest gap between consecutive primes below LIMIT, each in its own range.
 * As nodes of a linear array they pass the first prime of each range to the left, so that no gap is
 * lost at a border, and agree on the largest and the prime before it with one all-reduce (maxloc).
 */
#include "demo.h"

#include <pthread.h>

enum { WORKERS = 4, LIMIT = 4 * 51980 }; /* the third border lies in the largest gap */

struct gap {
	int64_t length, prime;
}; /* an element of ls_type_pair(LS_INT64) */

struct worker {
	pthread_t thread;
	ls_machine *machine;
	int64_t rank;
	struct gap own, largest; /* in its range; of all */
	int failed;
};

static bool is_prime(int64_t n)
{
	for (int64_t d = 2; d * d <= n; d++)
		if (n % d == 0)
			return false;
	return n >= 2;
}

/* The largest gap between primes in [first, end), and the lowest and highest of them. */
static struct gap search(int64_t first, int64_t end, int64_t *lowest, int64_t *highest)
{
	struct gap largest = { 0, 0 };

	*lowest = *highest = 0;
	for (int64_t n = first; n < end; n++) {
		if (!is_prime(n))
			continue;
		if (*highest && n - *highest > largest.length)
			largest = (struct gap){ n - *highest, *highest };
		*lowest = *lowest ? *lowest : n;
		*highest = n;
	}
	return largest;
}

/* As a node: close the gap at the right border, and agree. */
static int agree(ls_node *me, int64_t lowest, int64_t highest, struct gap own, struct gap *largest)
{
	const int64_t left = ls_rank(me) - 1, right = ls_rank(me) + 1;
	int64_t next = highest;
	int failed = 0;

	if (left >= 0)
		failed |= ls_send(me, left, &lowest, sizeof lowest);
	if (right < ls_size(me))
		failed |= ls_receive(me, right, &next, sizeof next);
	failed |= ls_next_round(me);
	if (next - highest > own.length)
		own = (struct gap){ next - highest, highest };
	return failed | ls_allreduce(me, &own, largest, 1, ls_type_pair(LS_INT64), LS_MAXLOC);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	const int64_t first = LIMIT / WORKERS * w->rank;
	int64_t lowest, highest;
	ls_node *me;

	w->own = search(first, first + LIMIT / WORKERS, &lowest, &highest);
	w->failed = ls_attach(w->machine, w->rank, 0, &me);
	if (!w->failed) {
		w->failed = agree(me, lowest, highest, w->own, &w->largest);
		w->failed |= ls_detach(me);
	}
	return NULL;
}

int main(void)
{
	const struct network net = network_make("linear:4", NULL);
	struct worker worker[WORKERS];
	int64_t lowest, highest;
	const struct gap expected = search(0, LIMIT, &lowest, &highest);

	for (int r = 0; r < WORKERS; r++) {
		worker[r] = (struct worker){ .machine = net.machine, .rank = r };
		require(pthread_create(&worker[r].thread, NULL, work, &worker[r]) == 0, "no thread %d", r);
	}
	for (int r = 0; r < WORKERS; r++) {
		const struct worker *w = &worker[r];

		pthread_join(w->thread, NULL);
		require(!w->failed, "worker %d: %s", r, ls_status_name(w->failed));
		printf("worker %d: alone %2d after %6d, together %2d after %6d\n", r, (int)w->own.length,
			(int)w->own.prime, (int)w->largest.length, (int)w->largest.prime);
		require(w->largest.length == expected.length && w->largest.prime == expected.prime,
			"the largest gap is %d after %d", (int)expected.length, (int)expected.prime);
	}
	network_destroy(net);
	return EXIT_SUCCESS;
}
