/*
 * The end of a run: the trace, the counters and the error of all processes.
 */
#include <string.h>

#include "base/alloc.h"
#include "machine/processes/far_internal.h"
#include "machine/run.h"
#include "machine/trace_records.h"
#include "machine/wait.h"

/* ---- The trace */

/* Blocks of equally many events of each process; those of other kinds fill the rest. */
enum { EVENTS = 4096, NO_EVENT = 255 };

/*
 * All processes: times count from the first gate that has opened, of those with messages.  The
 * processes of a host have one clock.  Those of other hosts have others, so there times count from
 * the gate of the process.
 */
static void share_origin(struct lsi_processes *p)
{
	struct ls_machine *machine = p->machine;
	struct lsi_trace_buffer *buffer = &machine->trace_buffer;
	int64_t least = buffer->n > 0 ? (int64_t)machine->opened_ns : INT64_MAX;

	if (!machine->options.trace_times || ls_world_hosts(p->world) > 1 || p->broken
		|| !lsi_joint_is_passed(p, lsi_world_least(p->world, &least, 1, &p->stop)))
		return;
	for (size_t i = 0; i < buffer->n; i++) {
		struct ls_record *record = &buffer->event[i].record;
		int64_t *at =
			buffer->event[i].kind == LSI_TRACE_RECEIVED ? &record->received_ns : &record->sent_ns;

		*at += (int64_t)machine->opened_ns - least;
	}
}

/* Blocks of the same length from all, as often as the longest trace needs. */
void lsi_processes_gather_trace(struct ls_machine *machine)
{
	struct lsi_processes *p = machine->processes;
	struct lsi_trace_buffer *buffer = &machine->trace_buffer;
	const size_t bytes = EVENTS * sizeof(struct lsi_trace_event);
	struct lsi_trace_event *block = lsi_alloc_zero(EVENTS, sizeof *block);
	struct lsi_trace_event *rows = lsi_alloc_zero((size_t)p->count * EVENTS, sizeof *rows);
	if (!block || !rows)
		lsi_processes_break(p, LS_ERR_MEMORY, "no memory for the trace");
	lsi_trace_take(machine);
	share_origin(p);
	for (size_t at = 0, n = buffer->n; !p->broken; at += EVENTS) {
		int64_t left = -(int64_t)(n > at ? n - at : 0);

		if (!lsi_joint_is_passed(p, lsi_world_least(p->world, &left, 1, &p->stop)) || left == 0)
			break;
		for (size_t i = 0; i < EVENTS; i++) {
			block[i].kind = (enum lsi_trace_kind)NO_EVENT;
			if (at + i < n)
				block[i] = buffer->event[at + i];
		}
		if (!lsi_joint_gather(p, block, rows, bytes) || p->number > 0)
			continue;
		for (size_t i = EVENTS; i < (size_t)p->count * EVENTS; i++) {
			if (rows[i].kind != (enum lsi_trace_kind)NO_EVENT
				&& !lsi_trace_buffer_add(buffer, &rows[i]))
				ls_machine_stop(machine, LS_ERR_MEMORY);
		}
	}
	if (p->number > 0)
		buffer->n = 0;
	lsi_free(block);
	lsi_free(rows);
}

bool lsi_processes_write_here(const struct ls_machine *machine)
{
	return !machine->processes || machine->processes->number == 0;
}

/* ---- Counters */

void lsi_processes_join_counters(struct ls_machine *machine)
{
	struct lsi_processes *p = machine->processes;
	struct lsi_counters *total = &machine->total;

	lsi_far_loads_end(p);

	uint64_t sums[] = { (uint64_t)total->messages, (uint64_t)total->words, (uint64_t)total->bytes,
		(uint64_t)total->reroutes };
	int64_t least[] = { -total->load, -total->rounds, machine->all_ended ? 1 : 0 };

	if (p->broken || !lsi_joint_is_passed(p, lsi_world_sum(p->world, sums, 4, &p->stop))
		|| !lsi_joint_is_passed(p, lsi_world_least(p->world, least, 3, &p->stop)))
		return;
	*total = (struct lsi_counters){ (int64_t)sums[0], (int64_t)sums[1], (int64_t)sums[2],
		(int64_t)sums[3], -least[0], -least[1] };
	p->all_ended = least[2] == 1;
}

/* ---- The error */

struct finding {
	int64_t order[4]; /* class, then order within it; see find_error in run_end.c */
	struct lsi_flat_error error;
};

/* The most important class, then the lowest round, node and peer. */
static bool precedes(const struct finding *a, const struct finding *b)
{
	for (int i = 0; i < 4; i++) {
		if (a->order[i] != b->order[i])
			return a->order[i] < b->order[i];
	}
	return false;
}

/* As find_error in run_end.c, with what all processes have found. */
void lsi_processes_join_error(struct ls_machine *machine, enum lsi_error_class class)
{
	struct lsi_processes *p = machine->processes;
	struct ls_error *error = &machine->error;
	struct finding mine, *all = lsi_alloc_zero((size_t)p->count, sizeof *all);

	memset(&mine, 0, sizeof mine);
	mine.order[0] = error->kind ? (int64_t) class : INT64_MAX;
	mine.order[1] = error->round;
	mine.order[2] = error->node;
	mine.order[3] = error->peer;
	lsi_error_flatten(error, &mine.error);
	if (!all)
		lsi_processes_break(p, LS_ERR_MEMORY, "no memory to compare errors");
	else if (lsi_joint_gather(p, &mine, all, sizeof mine) && p->number == 0) {
		for (int i = 1; i < p->count; i++) {
			if (precedes(&all[i], &mine))
				mine = all[i];
		}
	}
	lsi_free(all);
	if (!lsi_joint_share(p, &mine, sizeof mine)) {
		*error = p->failure;
		return;
	}
	*error = lsi_joint_unflatten(p, &mine.error);
	if (p->all_ended && lsi_error_may_change((enum lsi_error_class)mine.order[0], error))
		lsi_joint_mismatch(p, error, false, NULL);
}

void lsi_processes_share_error(struct ls_machine *machine)
{
	struct lsi_processes *p = machine->processes;

	if (p->broken)
		machine->error = p->failure;
	else
		lsi_joint_broadcast(p, &machine->error);
	p->joint = false;
}

bool lsi_processes_are_joint(const struct ls_machine *machine)
{
	return machine->processes && machine->processes->joint;
}
