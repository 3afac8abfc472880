#include "bench/measurement.h"

#include "base/processes.h"
#include "job/crossing_count.h"
#include "job/job_machine.h"
#include "job/job_sweep.h"
#include "job/verified.h"

#include <inttypes.h>
#include <stdlib.h>

static struct measurement make_for(
	struct workload *workload, struct pair *pair, struct local_ranks local)
{
	const size_t nodes = (size_t)(local.end - local.first);

	return (struct measurement){ .workload = workload,
		.pair = pair,
		.first = local.first,
		.nodes = nodes,
		.start = require_memory(calloc(nodes + 1, sizeof(int64_t))),
		.end = require_memory(calloc(nodes + 1, sizeof(int64_t))) };
}

struct measurement measurement_make(struct workload *workload)
{
	return make_for(
		workload, NULL, workload->stream ? (struct local_ranks){ 0, 0 } : workload->local);
}

struct measurement measurement_make_pair(struct pair *pair)
{
	return make_for(NULL, pair, pair_local_sides(pair));
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

	const int64_t rank = ls_rank(group), row = rank - measurement->first;
	const struct ls_call call = workload_call(measurement->workload, rank);

	status = repeat(group, &call, measurement->warmup);
	if (status == LS_OK && measurement->aligned)
		status = workload_align(group, measurement->workload);
	measurement->start[row] = clock_now();
	if (status == LS_OK)
		status = repeat(group, &call, measurement->calls);
	measurement->end[row] = clock_now();
	return status;
}

/* Other nodes leave at once. */
static int program_of_pair(ls_node *me, void *argument)
{
	struct measurement *measurement = argument;
	struct pair *pair = measurement->pair;
	const int side = pair_side(pair, ls_rank(me));
	int status;

	if (side < 0)
		return LS_OK;

	const int64_t row = side - measurement->first;

	status = pair_repeat(me, pair, measurement->warmup);
	if (status == LS_OK && measurement->aligned)
		status = pair_align(me, pair);
	measurement->start[row] = clock_now();
	if (status == LS_OK)
		status = pair_repeat(me, pair, measurement->calls);
	measurement->end[row] = clock_now();
	return status;
}

/* One sweep is one call of all nodes. */
static int sweep_calls(struct measurement *measurement, int *signal)
{
	const size_t all = measurement->warmup + measurement->calls;
	const int64_t begin = clock_now();
	int status = LS_OK;

	measurement->time = 0;
	for (size_t i = 0; i < all && status == LS_OK; i++) {
		status = *signal ? LS_ERR_STOPPED
						 : sweep_run(measurement->workload, measurement->trace, begin,
							 &measurement->sweep, signal);
		if (i < measurement->warmup)
			continue;
		measurement->time += measurement->sweep.seconds * 1e9;
		if (measurement->times)
			measurement->times[i - measurement->warmup] = measurement->sweep.seconds * 1e9;
	}
	return status;
}

static bool has_node(const struct measurement *measurement, size_t row)
{
	return measurement->pair
		|| workload_has_node(measurement->workload, measurement->first + (int64_t)row);
}

/* From the first start to the last end in this process. */
static int64_t local_time(const struct measurement *measurement)
{
	int64_t first = INT64_MAX, last = INT64_MIN;

	for (size_t i = 0; i < measurement->nodes; i++) {
		if (!has_node(measurement, i))
			continue;
		first = measurement->start[i] < first ? measurement->start[i] : first;
		last = measurement->end[i] > last ? measurement->end[i] : last;
	}
	return last > first ? last - first : 0;
}

int measurement_run(struct measurement *measurement, ls_machine *machine, int *signal)
{
	int status;

	if (!machine)
		return sweep_calls(measurement, signal);
	status =
		machine_run(machine, measurement->pair ? program_of_pair : program, measurement, signal);
	measurement->time = (double)most_of_processes(local_time(measurement));
	return status;
}

int64_t measurement_time(const struct measurement *measurement)
{
	return (int64_t)measurement->time;
}

/* The slowest node's own time. */
static int64_t longest(const struct measurement *measurement)
{
	int64_t most = 0;

	for (size_t i = 0; i < measurement->nodes; i++)
		if (most < measurement->end[i] - measurement->start[i])
			most = measurement->end[i] - measurement->start[i];
	return most_of_processes(most);
}

/*
 * Nodes that left the barrier before all had entered.  Hosts have different clocks: there only
 * those of one process are compared.
 */
static int64_t left_early(const struct measurement *measurement)
{
	int64_t entered = INT64_MIN + 1, early = 0;

	for (size_t i = 0; i < measurement->nodes; i++)
		entered = measurement->start[i] > entered ? measurement->start[i] : entered;
	if (processes_here()->hosts == 1)
		entered = most_of_processes(entered);
	for (size_t i = 0; i < measurement->nodes; i++)
		early += has_node(measurement, i) && measurement->end[i] < entered;
	return sum_of_processes(early);
}

void measurement_clear(struct measurement *measurement)
{
	if (measurement->pair)
		pair_clear(measurement->pair);
	else
		workload_reset_buffers(measurement->workload);
}

static bool is_barrier(const struct measurement *measurement)
{
	return !measurement->pair && measurement->workload->job.request.operation == LS_BARRIER;
}

void measurement_verify(const struct measurement *measurement, struct outcome *outcome)
{
	if (measurement->pair) {
		outcome->wrong = sum_of_processes(pair_count_wrong(measurement->pair));
		outcome->identical = outcome->wrong == 0;
		if (outcome->wrong > 0)
			print_error(EXIT_WRONG, "%s: %" PRId64 " message%s arrived with wrong contents",
				outcome->operation, outcome->wrong, outcome->wrong == 1 ? "" : "s");
	} else if (!is_barrier(measurement)
		&& workload_can_verify(measurement->workload, measurement->warmup + measurement->calls)) {
		workload_verify(measurement->workload, outcome);
	}
}

void measurement_copy_sweep(const struct measurement *measurement, struct outcome *outcome)
{
	outcome->sweeps = true;
	outcome->crossing = *last_crossing();
	outcome->sweep = measurement->sweep;
	outcome->measured = measurement->sweep.stats;
	outcome->error = measurement->sweep.error;
	outcome->timing = timing_one(measurement->sweep.seconds * 1e9);
	if (!measurement->sweep.proved)
		outcome->proof = "64 contributions, drawn at random, by fingerprints";
}

static void note_machine_crossing(const struct measurement *measurement, struct outcome *outcome)
{
	struct crossing pair = { 0 };

	if (measurement->pair && measurement->pair->crosses)
		pair = (struct crossing){ false, outcome->measured.messages, outcome->measured.bytes, 1 };
	note_crossing(measurement->pair
			? pair
			: crossing_of_job(&measurement->workload->job, ls_type_size(outcome->query->type)));
	outcome->crossing = *last_crossing();
}

void measurement_count(
	struct measurement *measurement, ls_machine *machine, struct outcome *outcome, int *signal)
{
	measurement->warmup = 0;
	measurement->calls = 1;
	measurement->aligned = false;
	outcome->threads = sum_of_processes(ls_machine_threads(machine));
	outcome->status = measurement_run(measurement, machine, signal);
	if (!machine)
		measurement_copy_sweep(measurement, outcome);
	if (outcome->status != LS_OK)
		return;
	if (machine) {
		outcome->measured.size = sizeof outcome->measured;
		ls_machine_stats(machine, &outcome->measured);
		outcome->timing = timing_one((double)longest(measurement));
		note_machine_crossing(measurement, outcome);
	}
	if (machine && is_barrier(measurement)) {
		outcome->wrong = left_early(measurement);
		outcome->identical = true;
	} else {
		measurement_verify(measurement, outcome);
	}
}
