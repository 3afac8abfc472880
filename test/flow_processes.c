/*
 * The parts of a flow in several processes compute the bits that the nodes of its plan compute.
 *
 * One thread plays all processes in turns.  Each has buffers of its local nodes only, and takes
 * what others send from queues: a process that needs a value it does not get stops the test.  The
 * reference is the plan executed step by step, see flow_reference.h.
 */
/* variants: release checked asan chaos */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
#include "engine/cooperative/flow_parts.h"

#include <lockstep/world.h>

#include "flow_reference.h"

enum { PROCESSES_MAX = 7 };

/* Bytes on their way from one process to another. */
struct queue {
	char *bytes;
	size_t n, taken;
};

struct player {
	struct lsi_flow_parts *parts;
	uint32_t part;
	bool sent; /* the streams of the exchange after `part` */
	void *base[2 * NODES_MAX + 1];
	char *temporaries;
};

struct world {
	int processes;
	int64_t first[PROCESSES_MAX + 1];
	struct player player[PROCESSES_MAX];
	struct queue queue[PROCESSES_MAX][PROCESSES_MAX];
	size_t crossed;
};

static char *stream_at(const struct player *p, const struct lsi_flow_stream *stream)
{
	return (char *)p->base[p->parts->slots.base] + p->parts->slots.at[stream->slot];
}

static void push(struct world *w, int from, const struct lsi_flow_stream *stream)
{
	struct player *p = &w->player[from];
	struct queue *q = &w->queue[from][stream->peer];
	const size_t bytes = lsi_flow_stream_bytes(p->parts, stream);
	char *grown = memory(q->n + bytes, 1);

	if (q->n > 0)
		memcpy(grown, q->bytes, q->n);
	if (bytes > 0)
		memcpy(grown + q->n, stream_at(p, stream), bytes);
	free(q->bytes);
	q->bytes = grown;
	q->n += bytes;
	w->crossed += bytes;
}

static bool pop(struct world *w, int to, const struct lsi_flow_stream *stream, bool looks)
{
	struct player *p = &w->player[to];
	struct queue *q = &w->queue[stream->peer][to];
	const size_t bytes = lsi_flow_stream_bytes(p->parts, stream);

	if (q->n - q->taken < bytes)
		return false;
	if (!looks && bytes > 0) {
		memcpy(stream_at(p, stream), q->bytes + q->taken, bytes);
		q->taken += bytes;
	}
	return true;
}

/* Execute a part, or end the exchange after it.  False: the process has to wait. */
static bool take_turn(struct world *w, int process, const struct machine *m)
{
	struct player *p = &w->player[process];
	const struct lsi_flow_part *part = &p->parts->part[p->part];
	const struct lsi_flow_stream *stream = p->parts->stream;

	if (p->part == p->parts->parts)
		return false;
	if (!p->sent) {
		lsi_flow_part_execute(
			part, &m->combine, (struct lsi_flow_memory){ p->base, p->temporaries });
		for (uint32_t i = part[0].first_stream; i < part[1].first_stream; i++) {
			if (stream[i].sends)
				push(w, process, &stream[i]);
		}
		p->sent = true;
		return true;
	}
	for (int looks = 1; looks >= 0; looks--) {
		for (uint32_t i = part[0].first_stream; i < part[1].first_stream; i++) {
			if (!stream[i].sends && !pop(w, process, &stream[i], looks))
				return false;
		}
	}
	p->part++;
	p->sent = false;
	return true;
}

static void begin(struct world *w, int process, const struct machine *m)
{
	struct player *p = &w->player[process];

	p->part = 0;
	p->sent = false;
	if (lsi_flow_parts_bind(p->parts, m->measure.n, m->e->size) != LS_OK)
		exit(1);
	memset(p->base, 0, sizeof p->base);
	for (int64_t u = w->first[process]; u < w->first[process + 1]; u++) {
		p->base[2 * u] = m->buffer[u][LS_INPUT];
		p->base[2 * u + 1] = m->buffer[u][LS_OUTPUT];
	}
	p->base[2 * m->plan->problem.nodes] = memory(lsi_flow_parts_workspace(p->parts) + 1, 1);
	p->temporaries = lsi_alloc_cache_aligned(p->parts->temporaries + 1);
}

static void execute(struct world *w, const struct machine *m)
{
	bool moves = true;

	w->crossed = 0;
	for (int i = 0; i < w->processes; i++)
		begin(w, i, m);
	while (moves) {
		moves = false;
		for (int i = 0; i < w->processes; i++)
			moves |= take_turn(w, i, m);
	}
	for (int i = 0; i < w->processes; i++) {
		struct player *p = &w->player[i];

		CHECK(p->part == p->parts->parts, "process %d waits after part %u", i, p->part);
		free(p->base[2 * m->plan->problem.nodes]);
		lsi_free(p->temporaries);
		for (int k = 0; k < w->processes; k++) {
			CHECK(w->queue[i][k].taken == w->queue[i][k].n, "bytes from %d to %d are left", i, k);
			free(w->queue[i][k].bytes);
			w->queue[i][k] = (struct queue){ 0 };
		}
	}
}

static bool world_make(struct world *w, const struct ls_plan *plan, int processes)
{
	int made = LS_OK;

	*w = (struct world){ .processes = processes };
	for (int i = 0; i <= processes; i++)
		w->first[i] = ls_first_rank(plan->problem.topology, processes, i);
	for (int i = 0; i < processes && made == LS_OK; i++)
		made = lsi_flow_parts_make(
			plan, &(struct lsi_division){ processes, i, w->first }, &w->player[i].parts);
	return made == LS_OK;
}

static void world_release(struct world *w)
{
	for (int i = 0; i < w->processes; i++)
		lsi_flow_parts_destroy(w->player[i].parts);
}

/* ---- Cells */

struct tally {
	int64_t turn, runs, crossing;
};

static void compare(
	const struct cell *cell, int processes, const struct machine *want, const struct machine *got)
{
	for (int64_t u = 0; u < want->plan->problem.nodes; u++) {
		for (int b = LS_INPUT; b <= LS_OUTPUT; b++) {
			if (want->buffer[u][b])
				CHECK(memcmp(want->buffer[u][b], got->buffer[u][b], want->bytes[u][b]) == 0,
					"%s, %s, %zu elements, %d processes: %s of node %" PRId64, cell_name(cell).text,
					want->e->name, want->measure.n, processes, b == LS_INPUT ? "INPUT" : "OUTPUT",
					u);
		}
	}
}

static void test_world(const struct cell *cell, struct world *w, const struct ls_plan *plan,
	size_t n, struct tally *tally)
{
	const struct lsi_measure measure = { .n = n };
	const struct element *e = &element[tally->turn++ % ELEMENTS];
	struct machine *want, *got;

	while (cell->algorithm->claim < LS_ORDERED && !e->commutative)
		e = &element[tally->turn++ % ELEMENTS];
	want = machine_of(plan, e, &measure);
	got = machine_of(plan, e, &measure);
	play(want);
	execute(w, got);
	compare(cell, w->processes, want, got);
	tally->runs++;
	tally->crossing += w->crossed > 0;
	discard(want);
	discard(got);
}

static void test_cell(const struct cell *cell, void *context)
{
	static const int worlds[] = { 1, 2, 3, 4, 7 };
	const enum ls_operation operation = cell->problem.operation;
	const size_t p = (size_t)cell->problem.nodes;
	const size_t counts[] = { 1, 2 * p + 3, p, p + 1, p - 1, 70 };
	struct tally *tally = context;
	struct ls_plan *plan = plan_of(cell);

	for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
		struct world w;
		const bool made = world_make(&w, plan, worlds[i]);

		CHECK(made, "%s", cell_name(cell).text);
		for (int k = 0; k < 2 && made; k++)
			test_world(
				cell, &w, plan, operation == LS_BARRIER ? 0 : counts[tally->turn % 6], tally);
		world_release(&w);
	}
	ls_plan_destroy(plan);
}

/* ---- Economy and memory */

static struct ls_plan *doubling(const ls_topology *t)
{
	return plan_for(&(struct ls_request){ .size = sizeof(struct ls_request),
		.topology = t,
		.operation = LS_ALLREDUCE,
		.algorithm = "doubling" });
}

/* A value crosses once, however many messages hold it. */
static void test_economy(void)
{
	ls_topology *t = topology_of("hypercube:6");
	struct ls_plan *plan = doubling(t);
	struct world w;

	if (!world_make(&w, plan, 4))
		exit(1);
	for (int i = 0; i < 4; i++) {
		const struct lsi_flow_parts *p = w.player[i].parts;

		CHECK(p->parts == 3 && p->streams == 4 && p->slots.n == 4, "%u parts, %u streams, %u slots",
			p->parts, p->streams, p->slots.n);
	}
	world_release(&w);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

static void test_memory(void)
{
	ls_topology *t = topology_of("hypercube:4");
	struct ls_plan *plan = doubling(t);
	const int64_t first[] = { 0, 8, 16 };
	const struct lsi_division division = { 2, 1, first };
	const long long before = atomic_load(&held);
	int status = LS_ERR_MEMORY;
	long long k = 0;

	while (status == LS_ERR_MEMORY && k < 400) {
		struct lsi_flow_parts *parts = NULL;

		arm(&memory_calls, ++k);
		status = lsi_flow_parts_make(plan, &division, &parts);
		if (status == LS_OK)
			status = lsi_flow_parts_bind(parts, 4000, 8);
		disarm();
		lsi_flow_parts_destroy(parts);
		CHECK(atomic_load(&held) == before, "allocation %lld", k);
	}
	CHECK(status == LS_OK && k > 30, "%d after %lld allocations", status, k);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

int main(void)
{
	static const char *const specs[] = { "linear:1", "ring:2", "linear:3", "ring:5", "ring:8",
		"mesh:2x3", "torus:3x4", "hypercube:1", "hypercube:3", "hypercube:4", "complete:7",
		"complete:12", "star:3", "star:4", "tree:4", "debruijn:3", "pancake:3", "ring:3*linear:2",
		"mct:2,2", "graph:test/data/petersen", "complete:33" };
	const int64_t least = is_long() ? 3000 : 200;
	struct tally tally = { 0 };

	elements_make(element);
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i += is_long() ? 1 : 3) {
		ls_topology *t = topology_of(specs[i]);

		each_cell(t, 3, test_cell, &tally);
		ls_topology_destroy(t);
	}
	elements_destroy(element);
	test_economy();
	test_memory();
	printf("%" PRId64 " runs, values cross in %" PRId64 "\n", tally.runs, tally.crossing);
	CHECK(tally.crossing > least, "few runs cross");
	return test_result();
}
