#include "support/world_sweep.h"

#include <inttypes.h>
#include <string.h>

#include "plan/plan_from_messages.h"
#include "plan/storage.h"
#include "support/guard.h"
#include "test.h"

static ls_world *launched;

void open_launched_world(void)
{
	struct ls_error why = { .size = sizeof why };

	CHECK(ls_world_open(&launched, &why) == LS_OK, "%s", why.text);
	if (ls_world_processes(launched) == 1)
		close_launched_world();
}

ls_world *launched_world(void)
{
	return launched;
}

void close_launched_world(void)
{
	ls_world_close(launched);
	launched = NULL;
}

int or_launched(int processes)
{
	return launched ? ls_world_processes(launched) : processes;
}

/* Bytes of a row where the sweep says 0. */
static size_t row_stride(const struct ls_sweep *sweep, size_t stride, enum ls_buffer_form form)
{
	const size_t row = sweep->count * ls_type_size(sweep->type ? sweep->type : LS_DOUBLE);

	return stride ? stride : form == LS_BLOCKS ? row * (size_t)ls_plan_nodes(sweep->plan) : row;
}

/* The rows of local nodes; NULL: the row of a root that is not local. */
static const char *local_rows(
	const char *rows, size_t stride, bool of_root, int64_t root, int64_t first, int64_t last)
{
	if (!rows)
		return NULL;
	if (of_root)
		return root >= first && root < last ? rows : NULL;
	return rows + (size_t)first * stride;
}

static struct ls_sweep local_sweep(const struct ls_sweep *whole, ls_world *world)
{
	const struct lsi_problem *problem = &whole->plan->problem;
	const struct ls_operation_info *info = ls_operation_describe(problem->operation);
	const int n = ls_world_processes(world), i = ls_world_process(world);
	const int64_t first = ls_first_rank(problem->topology, n, i);
	const int64_t last = ls_first_rank(problem->topology, n, i + 1);
	/* In place, the many blocks of a reduce-scatter are given in the rows of results. */
	const bool swapped = problem->in_place && problem->operation == LS_REDUCE_SCATTER;
	struct ls_sweep sweep = *whole;

	sweep.world = world;
	if (lsi_message_index_of(whole->plan))
		return sweep;
	sweep.input = local_rows(whole->input, row_stride(whole, whole->input_stride, info->input),
		info->from_root, problem->root, first, last);
	sweep.output = (char *)(uintptr_t)local_rows(whole->output,
		row_stride(whole, whole->output_stride, swapped ? LS_BLOCKS : info->output), info->at_root,
		problem->root, first, last);
	return sweep;
}

struct process {
	struct network *network;
	int number;
	pthread_barrier_t
		*gate; /* the processes meet the test: with their worlds, before the run, and after it */
	const struct ls_sweep *whole;
	struct ls_sweep sweep;
	struct ls_sweep_result out;
	int status;
};

static void *process_main(void *context)
{
	struct process *p = context;
	ls_world *world = network_world(p->network, p->number);

	p->sweep = local_sweep(p->whole, world);
	pthread_barrier_wait(p->gate);
	pthread_barrier_wait(p->gate);
	p->out.size = sizeof p->out;
	p->status = ls_sweep_run(&p->sweep, &p->out);
	pthread_barrier_wait(p->gate);
	network_end(p->network);
	ls_world_close(world);
	return NULL;
}

static void check_equal(const struct process *a, const struct process *b, int number)
{
	const struct ls_error *e = &a->out.error, *f = &b->out.error;
	const struct ls_stats *s = &a->out.stats, *t = &b->out.stats;

	CHECK(a->status == b->status && e->kind == f->kind && e->node == f->node && e->peer == f->peer
			&& e->round == f->round && e->link == f->link && e->operation == f->operation
			&& strcmp(e->text, f->text) == 0,
		"%s: process %d has '%s', process 0 '%s'", guarded(), number, f->text, e->text);
	CHECK(s->rounds == t->rounds && s->messages == t->messages && s->words == t->words
			&& s->bytes == t->bytes && s->link_load == t->link_load
			&& a->out.crossing_messages == b->out.crossing_messages
			&& a->out.crossing_rounds == b->out.crossing_rounds
			&& a->out.crossing_bytes == b->out.crossing_bytes && a->out.proved == b->out.proved
			&& a->out.workers == b->out.workers && a->out.memory == b->out.memory,
		"%s: process %d has other counts than process 0", guarded(), number);
}

struct ls_sweep_result sweep_in_network(struct network *network, int processes,
	const struct ls_sweep *sweep, void (*change)(int process, struct ls_sweep *))
{
	struct process *process = memory((size_t)processes, sizeof *process);
	pthread_t *thread = memory((size_t)processes, sizeof *thread);
	pthread_barrier_t gate;
	struct ls_sweep_result out;
	int failed;

	pthread_barrier_init(&gate, NULL, (unsigned)processes + 1);
	for (int i = 0; i < processes; i++) {
		process[i] =
			(struct process){ .network = network, .number = i, .gate = &gate, .whole = sweep };
		thread[i] = start_thread(process_main, &process[i]);
	}
	pthread_barrier_wait(&gate);
	for (int i = 0; i < processes && change; i++)
		change(i, &process[i].sweep);
	network_begin(network);
	pthread_barrier_wait(&gate);
	pthread_barrier_wait(&gate);
	for (int i = 0; i < processes; i++)
		pthread_join(thread[i], NULL);
	failed = network_failed(network);
	for (int i = 0; i < processes; i++) {
		CHECK(process[i].status == process[i].out.error.kind, "%s: what is returned", guarded());
		if (failed < 0)
			check_equal(&process[0], &process[i], i);
		else
			CHECK(process[i].status == LS_OK || process[i].status == LS_ERR_STOPPED,
				"%s: process %d: %s", guarded(), i, ls_status_name(process[i].status));
	}
	pthread_barrier_destroy(&gate);
	out = process[failed < 0 ? 0 : failed].out;
	free(process);
	free(thread);
	return out;
}

static struct ls_sweep_result sweep_launched(
	const struct ls_sweep *sweep, struct network_counts *counts)
{
	const struct ls_sweep local = local_sweep(sweep, launched);
	struct ls_sweep_result out = { .size = sizeof out };

	CHECK(ls_sweep_run(&local, &out) == out.error.kind, "%s: what is returned", guarded());
	if (counts)
		*counts = (struct network_counts){ 0 };
	return out;
}

struct ls_sweep_result sweep_in_processes(
	int processes, uint64_t seed, const struct ls_sweep *sweep, struct network_counts *counts)
{
	struct network *network;
	struct ls_sweep_result out;

	if (launched)
		return sweep_launched(sweep, counts);
	network = network_make(processes, seed);
	out = sweep_in_network(network, processes, sweep, NULL);
	if (counts)
		*counts = network_counts_of(network);
	network_destroy(network);
	return out;
}
