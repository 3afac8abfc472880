#include "bench/measurement.h"

#include "job/job_machine.h"
#include "job/job_sweep.h"

#include <stdlib.h>

struct turn turn_make(const struct work *work)
{
	const size_t nodes = work->stream ? 1 : (size_t)work->input.rows;

	return (struct turn){ .work = work,
		.start = need(calloc(nodes, sizeof(int64_t))),
		.end = need(calloc(nodes, sizeof(int64_t))) };
}

void turn_destroy(struct turn *turn)
{
	free(turn->start);
	free(turn->end);
}

static int repeat(ls_node *group, const struct ls_call *call, size_t calls)
{
	caller *const make = plain_call(call);
	int status = LS_OK;

	for (size_t i = 0; i < calls && status == LS_OK; i++)
		status = make(group, call);
	return status;
}

static int program(ls_node *me, void *argument)
{
	struct turn *turn = argument;
	ls_node *group;
	int status = work_enter(me, turn->work, &group);

	if (status || !group)
		return status;

	const int64_t rank = ls_rank(group);
	const struct ls_call call = work_call(turn->work, rank);

	status = repeat(group, &call, turn->warmup);
	if (status == LS_OK && turn->aligned)
		status = work_align(group, turn->work);
	turn->start[rank] = clock_now();
	if (status == LS_OK)
		status = repeat(group, &call, turn->calls);
	turn->end[rank] = clock_now();
	return status;
}

/* In a sweep all nodes call at once. */
static int sweep_calls(struct turn *turn, int *by)
{
	const size_t all = turn->warmup + turn->calls;
	const int64_t begin = clock_now();
	int status = LS_OK;

	turn->time = 0;
	for (size_t i = 0; i < all && status == LS_OK; i++) {
		status = *by ? LS_ERR_STOPPED
					 : sweep_run(turn->work, turn->trace, begin, &turn->swept, by);
		if (i < turn->warmup)
			continue;
		turn->time += turn->swept.seconds * 1e9;
		if (turn->times)
			turn->times[i - turn->warmup] = turn->swept.seconds * 1e9;
	}
	return status;
}

int turn_run(struct turn *turn, ls_machine *machine, int *by)
{
	if (!machine)
		return sweep_calls(turn, by);
	return machine_run(machine, program, turn, by);
}

int64_t turn_time(const struct turn *turn)
{
	int64_t first = turn->start[0], last = turn->end[0];

	if (turn->work->stream)
		return (int64_t)turn->time;
	for (int64_t rank = 1; rank < turn->work->input.rows; rank++) {
		first = turn->start[rank] < first ? turn->start[rank] : first;
		last = turn->end[rank] > last ? turn->end[rank] : last;
	}
	return last - first;
}

/* The slowest node's own time. */
static int64_t longest(const struct turn *turn)
{
	int64_t most = 0;

	for (int64_t rank = 0; rank < turn->work->input.rows; rank++)
		if (most < turn->end[rank] - turn->start[rank])
			most = turn->end[rank] - turn->start[rank];
	return most;
}

/* Nodes that left the barrier before all had entered. */
static int64_t left_early(const struct turn *turn)
{
	int64_t entered = turn->start[0], early = 0;

	for (int64_t rank = 0; rank < turn->work->input.rows; rank++)
		entered = turn->start[rank] > entered ? turn->start[rank] : entered;
	for (int64_t rank = 0; rank < turn->work->input.rows; rank++)
		early += turn->end[rank] < entered;
	return early;
}

void turn_tell(const struct turn *turn, struct outcome *outcome)
{
	outcome->sweeps = true;
	outcome->swept = turn->swept;
	outcome->measured = turn->swept.stats;
	outcome->error = turn->swept.error;
	outcome->timing = timing_one(turn->swept.seconds * 1e9);
	if (!turn->swept.proved)
		outcome->proof = "64 contributions, drawn at random, by fingerprints";
}

void turn_count(struct turn *turn, ls_machine *machine, struct outcome *outcome, int *by)
{
	turn->warmup = 0;
	turn->calls = 1;
	turn->aligned = false;
	outcome->status = turn_run(turn, machine, by);
	if (!machine)
		turn_tell(turn, outcome);
	if (outcome->status != LS_OK)
		return;
	if (machine) {
		outcome->measured.size = sizeof outcome->measured;
		ls_machine_stats(machine, &outcome->measured);
		outcome->timing = timing_one((double)longest(turn));
	}
	if (machine && turn->work->job.request.operation == LS_BARRIER) {
		outcome->wrong = left_early(turn);
		outcome->identical = true;
	} else {
		work_verify(turn->work, outcome);
	}
}
