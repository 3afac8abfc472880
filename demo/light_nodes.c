/*
 * A program of sends and receives on 40,320 light nodes, more than most systems can run as threads.
 *
 *   light_nodes [star:N [threads | fibers]]
 *
 * star:9 has 362,880 nodes and takes about 3.1 GiB.
 *
 * E. Oh, H. Choi, D. Primeaux, "An All-Reduce Operation in Star Networks Using All-to-All Broadcast
 * Communication Pattern", ICCS 2005, Figure 2.  When level k = 2..n begins, every node has the sum
 * of its S_{k-1}.  It exchanges this sum along link k, and then forwards the one that it has
 * received along the links k-1, .., 2.  Its sum grows by each sum that arrives; at the end of the
 * level it is the sum of the S_k.
 *
 * A node knows its own permutation only.  The neighbor along link k has the symbols at positions
 * 1 and k exchanged.  No plan is made.  Each node checks its own result.  Without arguments, the
 * program runs on star:4 as threads, on star:4 as fibers, and on star:8 as fibers.
 */
#include "demo.h"

#include <inttypes.h>
#include <sys/resource.h>
#include <time.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

enum { SYMBOLS_MOST = 20, STACK = 8 << 10 };

/* The number that a node contributes to the sum. */
static int64_t number_of(int64_t rank)
{
	return (rank + 1) * (rank + 1);
}

static int64_t sum_of_all(int64_t p)
{
	return p * (p + 1) * (2 * p + 1) / 6;
}

/* peer[k] := the neighbor along link k, which exchanges the symbols at positions 1 and k. */
static int find_peers(const ls_node *me, int64_t peer[SYMBOLS_MOST + 1])
{
	const ls_topology *star = ls_node_topology(me);
	char permutation[SYMBOLS_MOST + 1];
	const int n = ls_label(star, ls_rank(me), permutation, sizeof permutation);

	for (int k = 2; k <= n; k++) {
		const char first = permutation[0];

		permutation[0] = permutation[k - 1];
		permutation[k - 1] = first;
		peer[k] = ls_rank_of(star, permutation);
		permutation[k - 1] = permutation[0];
		permutation[0] = first;
	}
	return n;
}

static int exchange(ls_node *me, int64_t peer, int64_t mine, int64_t *theirs)
{
	int failed = ls_send(me, peer, &mine, sizeof mine);

	if (!failed)
		failed = ls_receive(me, peer, theirs, sizeof *theirs);
	return failed ? failed : ls_next_round(me);
}

static int program(ls_node *me, void *unused)
{
	int64_t peer[SYMBOLS_MOST + 1], sum = number_of(ls_rank(me)), forwarded, received;
	const int n = find_peers(me, peer);
	int failed = LS_OK;

	for (int k = 2; k <= n && !failed; k++) {
		failed = exchange(me, peer[k], sum, &forwarded);
		for (int link = k - 1; link >= 2 && !failed; link--) {
			failed = exchange(me, peer[link], forwarded, &received);
			sum += received;
		}
		sum += forwarded;
	}
	(void)unused;
	return failed ? failed : sum != sum_of_all(ls_size(me));
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void run_on(const char *spec, enum ls_node_kind kind)
{
	/* A node has at most one message in each mailbox.  Sends and receives need little stack. */
	const struct ls_machine_options options = { .size = sizeof options,
		.rounds = LS_FREE,
		.mailbox = 1,
		.node_kind = kind,
		.stack = SANITIZED ? 0 : STACK };
	const double start = seconds();
	const struct network star = network_make(spec, &options);
	const int64_t p = ls_topology_nodes(star.topology), n = ls_topology_degree(star.topology) + 1;
	struct rusage usage;

	require(!strcmp(ls_topology_kind(star.topology), "star"), "%s is no star graph", spec);

	const struct ls_stats sent = network_run(star, program, NULL);

	require(sent.rounds == n * (n - 1) / 2, "%s: %d rounds", spec, (int)sent.rounds);
	require(sent.messages == sent.rounds * p, "%s: %" PRId64 " messages", spec, sent.messages);
	network_destroy(star);
	getrusage(RUSAGE_SELF, &usage);
	printf("%-7s as %-8s %7" PRId64 " nodes %3" PRId64 " rounds %9" PRId64
		   " messages   %6.2f s %8.1f MiB   ok\n",
		spec, ls_node_kind_name(kind), p, sent.rounds, sent.messages, seconds() - start,
		(double)usage.ru_maxrss / 1024);
}

static enum ls_node_kind kind_of(const char *name)
{
	enum ls_node_kind kind = LS_NODE_THREAD;

	while (ls_node_kind_name(kind) && strcmp(ls_node_kind_name(kind), name) != 0)
		kind++;
	require(ls_node_kind_name(kind), "no kind of nodes %s; try threads or fibers", name);
	return kind;
}

int main(int argc, char **argv)
{
	const bool is_small = SANITIZED || getenv("LS_FAST"); /* `make check` sets LS_FAST */

	if (argc > 1) {
		run_on(argv[1], argc > 2 ? kind_of(argv[2]) : LS_NODE_FIBER);
		return EXIT_SUCCESS;
	}
	run_on("star:4", LS_NODE_THREAD);
	run_on("star:4", LS_NODE_FIBER);
	run_on(is_small ? "star:7" : "star:8", LS_NODE_FIBER);
	return EXIT_SUCCESS;
}
