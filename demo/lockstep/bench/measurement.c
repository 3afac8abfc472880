#include "bench/measurement.h"

#include "job/job_machine.h"
#include "job/job_sweep.h"

#include <stdlib.h>

struct measurement measurement_make(const struct workload *workload)
{
	const size_t nodes = workload->stream ? 1 : (size_t)workload->operands.rows;

	return (struct measurement){ .workload = workload,
		.start = require_memory(calloc(nodes, sizeof(int64_t))),
		.end = require_memory(calloc(nodes, sizeof(int64_t))) };
}

void measurement_destroy(struct measurement *measurement)
{
	free(measurement->start);
	free(measurement->end);
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
	struct measurement *measurement = argument;
	ls_node *group;
	int status = workload_enter(me, measurement->workload, &group);

	if (status || !group)
		return status;

	const int64_t rank = ls_rank(group);
	const struct ls_call call = workload_call(measurement->workload, rank);

	status = repeat(group, &call, measurement->warmup);
	if (status == LS_OK && measurement->aligned)
		status = workload_align(group, measurement->workload);
	measurement->start[rank] = clock_now();
	if (status == LS_OK)
		status = repeat(group, &call, measurement->calls);
	measurement->end[rank] = clock_now();
	return status;
}

/* In a sweep all nodes call at once. */
static int sweep_calls(struct measurement *measurement, int *by)
{
	const size_t all = measurement->warmup + measurement->calls;
	const int64_t begin = clock_now();
	int status = LS_OK;

	measurement->time = 0;
	for (size_t i = 0; i < all && status == LS_OK; i++) {
		status = *by
			? LS_ERR_STOPPED
			: sweep_run(measurement->workload, measurement->trace, begin, &measurement->sweep, by);
		if (i < measurement->warmup)
			continue;
		measurement->time += measurement->sweep.seconds * 1e9;
		if (measurement->times)
			measurement->times[i - measurement->warmup] = measurement->sweep.seconds * 1e9;
	}
	return status;
}

int measurement_run(struct measurement *measurement, ls_machine *machine, int *by)
{
	if (!machine)
		return sweep_calls(measurement, by);
	return machine_run(machine, program, measurement, by);
}

int64_t measurement_time(const struct measurement *measurement)
{
	int64_t first = measurement->start[0], last = measurement->end[0];

	if (measurement->workload->stream)
		return (int64_t)measurement->time;
	for (int64_t rank = 1; rank < measurement->workload->operands.rows; rank++) {
		first = measurement->start[rank] < first ? measurement->start[rank] : first;
		last = measurement->end[rank] > last ? measurement->end[rank] : last;
	}
	return last - first;
}

/* The slowest node's own time. */
static int64_t longest(const struct measurement *measurement)
{
	int64_t most = 0;

	for (int64_t rank = 0; rank < measurement->workload->operands.rows; rank++)
		if (most < measurement->end[rank] - measurement->start[rank])
			most = measurement->end[rank] - measurement->start[rank];
	return most;
}

/* Nodes that left the barrier before all had entered. */
static int64_t left_early(const struct measurement *measurement)
{
	int64_t entered = measurement->start[0], early = 0;

	for (int64_t rank = 0; rank < measurement->workload->operands.rows; rank++)
		entered = measurement->start[rank] > entered ? measurement->start[rank] : entered;
	for (int64_t rank = 0; rank < measurement->workload->operands.rows; rank++)
		early += measurement->end[rank] < entered;
	return early;
}

void measurement_copy_sweep(const struct measurement *measurement, struct outcome *outcome)
{
	outcome->sweeps = true;
	outcome->sweep = measurement->sweep;
	outcome->measured = measurement->sweep.stats;
	outcome->error = measurement->sweep.error;
	outcome->timing = timing_one(measurement->sweep.seconds * 1e9);
	if (!measurement->sweep.proved)
		outcome->proof = "64 contributions, drawn at random, by fingerprints";
}

void measurement_count(
	struct measurement *measurement, ls_machine *machine, struct outcome *outcome, int *by)
{
	measurement->warmup = 0;
	measurement->calls = 1;
	measurement->aligned = false;
	outcome->status = measurement_run(measurement, machine, by);
	if (!machine)
		measurement_copy_sweep(measurement, outcome);
	if (outcome->status != LS_OK)
		return;
	if (machine) {
		outcome->measured.size = sizeof outcome->measured;
		ls_machine_stats(machine, &outcome->measured);
		outcome->timing = timing_one((double)longest(measurement));
	}
	if (machine && measurement->workload->job.request.operation == LS_BARRIER) {
		outcome->wrong = left_early(measurement);
		outcome->identical = true;
	} else {
		workload_verify(measurement->workload, outcome);
	}
}
