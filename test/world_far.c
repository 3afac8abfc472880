/*
 * One process of many executes its part of an all-reduce on more than 2^32 nodes.  The others are
 * imitated: what they send follows from the definition of the algorithm.
 *
 * hypercube:33, doubling, 65,536 processes.  The messages of a step come from one other process.  In
 * round k a node holds the sum, and the arc of fingerprints, of the 2^k ranks that agree with its
 * own in all bits from k on.
 *
 * star:13, paper, 17,160 processes of 9! nodes.  The messages of a step come from up to twelve other
 * processes, in another order than that of their receivers.  When level k begins, a node has the sum
 * of its S_{k-1}, which are (k-1)! ranks; it sends this over link k, and then what it received there
 * over the links k-1, .., 2.  The contributions of the others have the fingerprint 0: the sum over
 * all processes is that of this one.
 */
/* link: -Wl,--wrap=lsi_world_meet */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <lockstep.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

#include "world/agreement.h"

int __wrap_lsi_world_meet(
	ls_world *, int64_t *, const struct lsi_stop *, const struct lsi_stop *, bool *);

enum { SUMMED = 11 }; /* numbers of an agreement; the last one is 0 over all processes */

/* What arrives from other processes, computed from what this process sends, or from the plan. */
struct far_machine {
	struct lsi_transport transport;
	int messages; /* that this process has sent */
	bool waits;   /* for what arrives, until the next message is sent */
	void (*send)(struct far_machine *, int to, const uint64_t *, size_t bytes);
	void (*receive)(struct far_machine *, int from, uint64_t *, size_t bytes);
	void *state;
};

static struct far_machine *machine_of(struct lsi_transport *t)
{
	return t->state;
}

/* ---- The transport */

static int far_send(struct lsi_transport *t, int to, int tag, const void *data, size_t bytes,
	struct lsi_transfer *transfer)
{
	(void)tag, (void)transfer; /* complete at once */
	machine_of(t)->messages++;
	machine_of(t)->send(machine_of(t), to, data, bytes);
	return LS_OK;
}

static int far_receive(struct lsi_transport *t, int from, int tag, void *into, size_t bytes,
	struct lsi_transfer *transfer)
{
	(void)tag;
	machine_of(t)->receive(machine_of(t), from, into, bytes);
	transfer->begun = true;
	return LS_OK;
}

static int far_test(struct lsi_transport *t, struct lsi_transfer *transfer, bool *done)
{
	*done = !transfer->begun || !machine_of(t)->waits;
	transfer->begun = !*done;
	return LS_OK;
}

/* The others have the same numbers: those of a meeting, and those of an agreement. */
int __wrap_lsi_world_meet(ls_world *world, int64_t *number, const struct lsi_stop *withdraws,
	const struct lsi_stop *stop, bool *met)
{
	(void)world, (void)number, (void)withdraws, (void)stop;
	*met = true;
	return LS_OK;
}

static int far_least(struct lsi_transport *t, int64_t *number, int n, struct lsi_transfer *transfer)
{
	(void)t, (void)number, (void)n, (void)transfer;
	return LS_OK;
}

/*
 * The sums over all processes, as far as the sweep needs them.  The last number of an agreement is
 * that of the messages that leave minus those that come: over all processes it is 0.
 */
static int far_sum(struct lsi_transport *t, uint64_t *number, int n, struct lsi_transfer *transfer)
{
	(void)t, (void)transfer;
	if (n == SUMMED)
		number[n - 1] = 0;
	return LS_OK;
}

static void far_abort(struct lsi_transport *t, int code, const char *text)
{
	(void)t;
	CHECK(false, "aborted with %d: %s", code, text);
}

static void put_rank(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	(void)context, (void)first, (void)n;
	*(uint64_t *)into = (uint64_t)rank;
}

/* An all-reduce of ranks in one of many processes; `output` has a row for each local node. */
static struct ls_sweep_result run_far(struct far_machine *m, const ls_plan *plan, uint64_t *output)
{
	struct ls_world world = { .transport = &m->transport, .hosts = 1 };
	const struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = plan,
		.count = 1,
		.type = LS_UINT64,
		.make = put_rank,
		.output = output,
		.workers = 2,
		.world = &world };
	struct ls_sweep_result out = { .size = sizeof out };

	CHECK(ls_sweep_run(&sweep, &out) == out.error.kind, "%s", out.error.text);
	return out;
}

static struct far_machine far_machine(int processes, int process, void *state)
{
	return (struct far_machine){ .transport = { .size = sizeof(struct lsi_transport),
									 .version = LSI_TRANSPORT_VERSION,
									 .processes = processes,
									 .process = process,
									 .library = "test",
									 .host = "test",
									 .send = far_send,
									 .receive = far_receive,
									 .test = far_test,
									 .least = far_least,
									 .sum = far_sum,
									 .abort = far_abort },
		.state = state };
}

static ls_plan *plan_on(const ls_topology *t, const char *algorithm)
{
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = LS_ALLREDUCE,
		.algorithm = algorithm,
		.type = LS_UINT64,
		.count = 1 };

	return plan_for(&request);
}

/* The sum of n ranks, an even number or one, modulo 2^64. */
static uint64_t sum_of_ranks(int64_t first, int64_t n)
{
	return (uint64_t)n * (uint64_t)first + (uint64_t)(n / 2) * (uint64_t)(n - 1);
}

/* ---- hypercube:33 */

enum { DIMENSIONS = 33, LOCAL_DIMENSIONS = 17, CUBE_PROCESSES = 1 << 16, CUBE_PROCESS = 40001 };
#define LOCAL  ((int64_t)1 << LOCAL_DIMENSIONS)
#define POINTS UINT64_C(4294967291) /* of the circle of arcs; see sweep_fingerprints.c */

struct cube {
	int to[DIMENSIONS];
	uint64_t *wanted; /* where what arrives goes */
	int from;
};

/* The sum of the 2^k ranks of a node's subcube. */
static uint64_t sum_of_subcube(int64_t rank, int k)
{
	const int64_t n = (int64_t)1 << k;

	return sum_of_ranks(rank & ~(n - 1), n);
}

static uint64_t moved_point(uint64_t point, int64_t by)
{
	const uint64_t distance = (uint64_t)(by < 0 ? -by : by) % POINTS;

	return (point + (by < 0 ? POINTS - distance : distance)) % POINTS;
}

/* An arc is its first point, and its end in the upper half. */
static uint64_t moved_arc(uint64_t arc, int64_t by)
{
	return moved_point(arc & UINT32_MAX, by) | moved_point(arc >> 32, by) << 32;
}

static void expect_from_cube(struct far_machine *m, int from, uint64_t *into, size_t bytes)
{
	struct cube *cube = m->state;

	CHECK(!m->waits && bytes == 2 * sizeof *into * LOCAL, "%zu bytes are expected", bytes);
	m->waits = true;
	cube->wanted = into;
	cube->from = from;
}

/* The other process sends the values of its nodes, in rank order, and then their fingerprints. */
static void answer_as_cube(struct far_machine *m, int to, const uint64_t *sent, size_t bytes)
{
	struct cube *cube = m->state;
	const int k = LOCAL_DIMENSIONS + __builtin_ctz((unsigned)(to ^ CUBE_PROCESS));
	const int64_t by = (to > CUBE_PROCESS ? 1 : -1) * ((int64_t)1 << k);

	CHECK(m->waits && cube->from == to && bytes == 2 * sizeof *sent * LOCAL
			&& m->messages <= DIMENSIONS,
		"message %d of %zu bytes goes to %d", m->messages, bytes, to);
	cube->to[(m->messages - 1) % DIMENSIONS] = to;
	for (int64_t i = 0; i < LOCAL && m->waits; i++) {
		cube->wanted[i] = sum_of_subcube(to * LOCAL + i, k);
		cube->wanted[LOCAL + i] = moved_arc(sent[LOCAL + i], by);
	}
	m->waits = false;
}

static void test_cube(void)
{
	struct cube cube = { .wanted = NULL };
	struct far_machine m = far_machine(CUBE_PROCESSES, CUBE_PROCESS, &cube);
	ls_topology *t = topology_of("hypercube:33");
	ls_plan *plan = plan_on(t, "doubling");
	uint64_t *output = memory((size_t)LOCAL, sizeof *output);
	struct ls_sweep_result out;
	int64_t wrong = 0;

	m.transport.state = &m;
	m.receive = expect_from_cube;
	m.send = answer_as_cube;
	out = run_far(&m, plan, output);
	CHECK(out.error.kind == LS_OK && out.proved, "%s", out.error.text);
	CHECK(out.stats.rounds == DIMENSIONS && out.stats.messages == DIMENSIONS * LOCAL,
		"%" PRId64 " rounds, %" PRId64 " messages", out.stats.rounds, out.stats.messages);
	CHECK(out.crossing_messages == (DIMENSIONS - LOCAL_DIMENSIONS) * LOCAL,
		"%" PRId64 " messages cross", out.crossing_messages);
	for (int64_t i = 0; i < LOCAL; i++)
		wrong += output[i] != sum_of_subcube(0, DIMENSIONS);
	CHECK(wrong == 0, "%" PRId64 " results are wrong", wrong);
	CHECK(m.messages == DIMENSIONS - LOCAL_DIMENSIONS, "%d messages", m.messages);
	for (int i = 0; i < m.messages; i++)
		CHECK(cube.to[i] == (CUBE_PROCESS ^ 1 << i), "message %d goes to %d", i, cube.to[i]);
	free(output);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* ---- star:13 */

enum { SYMBOLS = 13, LOCAL_SYMBOLS = 9, STAR_PROCESSES = 17160, STAR_PROCESS = 16001 };
enum { NODES = 362880, FIRST_TO_CROSS = LOCAL_SYMBOLS + 1 };

/* The step with messages that cross: level `level` over `link`. */
struct star {
	const ls_topology *topology;
	int level, link, begun, ended; /* messages of the step, in both directions */
	int64_t *peer;                 /* of each local node, over the link */
	int64_t *sender;               /* of a process, for sorting */
};

static int64_t factorial(int n)
{
	return n > 1 ? n * factorial(n - 1) : 1;
}

/* What a node sends in this step. */
static uint64_t value_of(const struct star *star, int64_t rank)
{
	const int64_t n = factorial(star->level - 1);
	const int64_t of =
		star->link == star->level ? rank : ls_neighbor(star->topology, rank, star->level - 2);

	return sum_of_ranks(of / n * n, n);
}

/* The first local rank. */
#define BEGIN (STAR_PROCESS * (int64_t)NODES)

static void begin_step(struct star *star)
{
	bool partner[STAR_PROCESSES] = { false };

	star->begun = star->ended = 0;
	for (int64_t i = 0; i < NODES; i++) {
		star->peer[i] = ls_neighbor(star->topology, BEGIN + i, star->link - 2);
		star->begun += partner[star->peer[i] / NODES] ? 0 : 2;
		partner[star->peer[i] / NODES] = true;
	}
}

static void end_message(struct star *star)
{
	if (++star->ended < star->begun)
		return;
	if (--star->link < FIRST_TO_CROSS)
		star->link = ++star->level;
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

/* The messages of a process are sorted by sender. */
static void send_as_star(struct far_machine *m, int from, uint64_t *into, size_t bytes)
{
	struct star *star = m->state;
	int64_t n = 0;

	CHECK(star->level <= SYMBOLS, "a message is expected after the last step");
	for (int64_t i = 0; i < NODES && star->level <= SYMBOLS; i++)
		if (star->peer[i] / NODES == from)
			star->sender[n++] = star->peer[i];
	CHECK(n > 0 && bytes == 2 * lane_of(n), "level %d, link %d: %zu bytes expected from %d",
		star->level, star->link, bytes, from);
	qsort(star->sender, (size_t)n, sizeof *star->sender, compare_ranks);
	memset(into, 0, bytes);
	for (int64_t i = 0; i < n && bytes == 2 * lane_of(n); i++)
		into[i] = value_of(star, star->sender[i]);
	end_message(star);
}

static void receive_as_star(struct far_machine *m, int to, const uint64_t *sent, size_t bytes)
{
	struct star *star = m->state;
	int64_t n = 0, wrong = 0;

	for (int64_t i = 0; i < NODES && star->level <= SYMBOLS; i++)
		if (star->peer[i] / NODES == to && (size_t)n * sizeof *sent < bytes)
			wrong += sent[n++] != value_of(star, BEGIN + i);
	CHECK(n > 0 && bytes == 2 * lane_of(n) && wrong == 0,
		"level %d, link %d: %" PRId64 " of %" PRId64 " values to %d are wrong, of %zu bytes",
		star->level, star->link, wrong, n, to, bytes);
	end_message(star);
}

static void test_star(void)
{
	ls_topology *t = topology_of("star:13");
	ls_plan *plan = plan_on(t, "paper");
	struct star star = { .topology = t,
		.level = FIRST_TO_CROSS,
		.link = FIRST_TO_CROSS,
		.peer = memory(NODES, sizeof *star.peer),
		.sender = memory(NODES, sizeof *star.sender) };
	struct far_machine m = far_machine(STAR_PROCESSES, STAR_PROCESS, &star);
	uint64_t *output = memory(NODES, sizeof *output);
	struct ls_sweep_result out;
	int64_t wrong = 0;

	m.transport.state = &m;
	m.receive = send_as_star;
	m.send = receive_as_star;
	begin_step(&star);
	CHECK(ls_first_rank(t, STAR_PROCESSES, STAR_PROCESS) == BEGIN && BEGIN > UINT32_MAX,
		"the ranks of a process");
	out = run_far(&m, plan, output);
	CHECK(out.error.kind == LS_OK && out.proved, "%s", out.error.text);
	CHECK(star.level == SYMBOLS + 1, "the last step is level %d, link %d", star.level, star.link);
	CHECK(out.crossing_rounds == 10, "%" PRId64 " rounds cross", out.crossing_rounds);
	for (int64_t i = 0; i < NODES; i++)
		wrong += output[i] != sum_of_ranks(0, factorial(SYMBOLS));
	CHECK(wrong == 0, "%" PRId64 " results are wrong", wrong);
	free(output);
	free(star.peer);
	free(star.sender);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

int main(void)
{
	test_cube();
	test_star();
	return test_result();
}
