/*
 * One process of 8,580 executes its part of an all-reduce on star:13, which has 6.2 * 10^9 nodes.
 *
 * It has two parts of 9! nodes.  In level k a node sends its sum over link k, and what it received
 * there over the links k-1, .., 2; it adds all that arrives.  Links up to 9 are local.  Over the
 * others, messages come from many processes, and not always in the order of their senders.
 *
 * The other processes are imitated: they send numbers that are all different, with the fingerprint
 * 0.
 */
/* link: -Wl,--wrap=lsi_world_meet */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/cells.h"
#include "support/far_machine.h"
#include "support/guard.h"
#include "test.h"

enum { SYMBOLS = 13, LOCAL_SYMBOLS = 9, PROCESSES = 8580, PROCESS = 8001 };
enum { UNIT = 362880, NODES = 2 * UNIT };
#define BEGIN (PROCESS * (int64_t)NODES) /* the first local rank */

struct star {
	const ls_topology *topology;
	int level, link;
	int64_t left; /* messages of the step, in both directions */
	int64_t passed_to[PROCESSES], passed_from[PROCESSES];
	int64_t *peer[SYMBOLS + 1]; /* by link, of each local node */
	uint64_t *sum, *passed, *arrived;
	int64_t *node; /* of one list */
};

static bool is_crossing(int link)
{
	return link > LOCAL_SYMBOLS;
}

static const uint64_t *sent_of(const struct star *star)
{
	return star->link == star->level ? star->sum : star->passed;
}

/* What a node sends in this step. */
static uint64_t number_of(const struct star *star, int64_t sender)
{
	if (sender / NODES == PROCESS)
		return sent_of(star)[sender - BEGIN];
	return (uint64_t)sender * 10000 + (uint64_t)star->level * 100 + (uint64_t)star->link;
}

static void execute(struct star *star)
{
	const int64_t *peer = star->peer[star->link];

	for (int64_t i = 0; i < NODES; i++)
		star->arrived[i] = number_of(star, peer[i]);
	for (int64_t i = 0; i < NODES; i++) {
		if (star->link == star->level)
			star->passed[i] = star->arrived[i];
		else
			star->sum[i] += star->arrived[i] + (star->link == 2 ? star->passed[i] : 0);
	}
}

static void begin_step(struct star *star)
{
	memset(star->passed_to, 0, sizeof star->passed_to);
	memset(star->passed_from, 0, sizeof star->passed_from);
	star->left = 0;
	for (int64_t i = 0; i < NODES; i++)
		star->left += star->peer[star->link][i] / NODES != PROCESS ? 2 : 0;
}

/* After the last messages of a step: execute it, and all local steps before the next one. */
static void end_messages(struct star *star, int64_t n)
{
	star->left -= n;
	if (star->left > 0)
		return;
	do {
		execute(star);
		if (--star->link < 2)
			star->link = ++star->level;
	} while (star->level <= SYMBOLS && !is_crossing(star->link));
	if (star->level <= SYMBOLS)
		begin_step(star);
}

static size_t lane_of(int64_t messages)
{
	return ((size_t)messages * sizeof(uint64_t) + 63) / 64 * 64;
}

static int compare_ranks(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/*
 * The receivers, sorted, of messages between this process and another: nodes here whose peers are
 * there, or these peers; their number.
 */
static int64_t list_nodes(struct star *star, int process, bool peers)
{
	int64_t n = 0;

	CHECK(star->level <= SYMBOLS, "a message after the last step");
	for (int64_t i = 0; i < NODES && star->level <= SYMBOLS; i++)
		if (star->peer[star->link][i] / NODES == process)
			star->node[n++] = peers ? star->peer[star->link][i] : BEGIN + i;
	qsort(star->node, (size_t)n, sizeof *star->node, compare_ranks);
	return n;
}

/*
 * A message of the transport holds the next numbers of a pair of processes, at most as many as are
 * left, and behind them their fingerprints.
 */
static int64_t count_next(struct star *star, int64_t left, int process, size_t bytes)
{
	const int64_t room = (int64_t)(bytes / 2 / sizeof(uint64_t)), n = left < room ? left : room;

	CHECK(n > 0 && bytes == 2 * lane_of(n),
		"level %d, link %d, process %d: %zu bytes for %" PRId64 " numbers", star->level, star->link,
		process, bytes, n);
	return n;
}

/* What a node receives in this step from its peer. */
static uint64_t received_by(const struct star *star, int64_t receiver)
{
	return number_of(star, ls_neighbor(star->topology, receiver, star->link - 2));
}

/* The messages of another process are sorted by receiver. */
static void imitate(struct far_machine *m, int from, uint64_t *into, size_t bytes)
{
	struct star *star = m->state;
	const int64_t all = list_nodes(star, from, false), done = star->passed_from[from];
	const int64_t n = count_next(star, all - done, from, bytes);

	memset(into, 0, bytes);
	for (int64_t i = 0; i < n; i++)
		into[i] = received_by(star, star->node[done + i]);
	star->passed_from[from] += n;
	end_messages(star, n);
}

static void compare_sent(struct far_machine *m, int to, const uint64_t *sent, size_t bytes)
{
	struct star *star = m->state;
	const int64_t all = list_nodes(star, to, true), done = star->passed_to[to];
	const int64_t n = count_next(star, all - done, to, bytes);
	int64_t wrong = 0;

	for (int64_t i = 0; i < n; i++)
		wrong += sent[i] != received_by(star, star->node[done + i]);
	CHECK(wrong == 0, "level %d, link %d: %" PRId64 " of %" PRId64 " numbers to %d are wrong",
		star->level, star->link, wrong, n, to);
	star->passed_to[to] += n;
	end_messages(star, n);
}

/* Level 10 begins. */
static void star_open(struct star *star, const ls_topology *t)
{
	*star = (struct star){ .topology = t,
		.level = LOCAL_SYMBOLS + 1,
		.link = LOCAL_SYMBOLS + 1,
		.sum = memory(NODES, sizeof *star->sum),
		.passed = memory(NODES, sizeof *star->passed),
		.arrived = memory(NODES, sizeof *star->arrived),
		.node = memory(NODES, sizeof *star->node) };
	for (int link = 2; link <= SYMBOLS; link++) {
		star->peer[link] = memory(NODES, sizeof *star->peer[link]);
		for (int64_t i = 0; i < NODES; i++)
			star->peer[link][i] = ls_neighbor(t, BEGIN + i, link - 2);
	}
	for (int64_t i = 0; i < NODES; i++)
		star->sum[i] = sum_of_ranks(BEGIN + i / UNIT * UNIT, UNIT);
	begin_step(star);
}

static void star_close(struct star *star)
{
	for (int link = 2; link <= SYMBOLS; link++)
		free(star->peer[link]);
	free(star->sum);
	free(star->passed);
	free(star->arrived);
	free(star->node);
}

int main(void)
{
	static struct star star;
	struct far_machine m = far_machine(PROCESSES, PROCESS, &star);
	ls_topology *t = topology_of("star:13");
	ls_plan *plan = far_plan(t, "paper");
	uint64_t *output = memory(NODES, sizeof *output);
	struct ls_sweep_result out;

	m.receive = imitate;
	m.send = compare_sent;
	star_open(&star, t);
	CHECK(ls_first_rank(t, PROCESSES, PROCESS) == BEGIN && BEGIN > UINT32_MAX,
		"the ranks of a process");
	out = far_run(&m, plan, output);
	CHECK(out.error.kind == LS_OK && out.proved, "%s", out.error.text);
	CHECK(star.level == SYMBOLS + 1, "the last step is level %d, link %d", star.level, star.link);
	CHECK(out.crossing_rounds == 1 + 2 + 3 + 4, "%" PRId64 " rounds cross", out.crossing_rounds);
	CHECK(memcmp(output, star.sum, NODES * sizeof *output) == 0, "results are wrong");
	free(output);
	star_close(&star);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
	return test_result();
}
