/*
 * The last member to arrive is the leader.  The others wait, and help while work is shared:
 *
 *   arrive . wait ................................. the barrier opens: result
 *              \__ help: take units, execute, finish
 */
#include "machine/group_work_sharing.h"

#include "base/futex.h"
#include "machine/local_ranks.h"
#include "machine/wait.h"

/* ---- Arrive and lead */

static bool is_same_call(const uint64_t a[3], const uint64_t b[3])
{
	return !((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]));
}

/*
 * Word by word: the caller has just written some of them, and the processor would have to wait for
 * these stores before a load of two words at once.
 */
static void copy_call(uint64_t to[3], const uint64_t from[3])
{
	to[0] = from[0];
	if (to[1] != from[1])
		to[1] = from[1];
	if (to[2] != from[2])
		to[2] = from[2];
}

/*
 * Threads: each member writes its call, and the leader compares all of them.  The last leader may
 * have the line: who reads it before writing fetches it twice.
 */
static void set_call(struct lsi_member_call *own, const struct lsi_arriving_call *mine)
{
	own->call[0] = mine->call[0];
	own->call[1] = mine->call[1];
	own->call[2] = mine->call[2];
	own->input = mine->input;
	own->output = mine->output;
	own->is_busy = mine->is_busy;
	own->in_place = mine->in_place;
}

/*
 * Fibers: each member compares its call with those of the members of its worker that have arrived
 * before.  So the leader only compares one call per worker.  A member does not write equal values
 * again: the lines that the leader reads stay in its cache.
 */
static void add_call(struct lsi_calls *calls, bool is_first, struct lsi_member_call *own,
	const struct lsi_arriving_call *mine)
{
	if (is_first) {
		copy_call(calls->call, mine->call);
		calls->differ = calls->are_busy = calls->in_place = calls->separate = calls->moved = false;
	} else if (!is_same_call(calls->call, mine->call)) {
		calls->differ = true;
	}
	if (mine->is_busy)
		calls->are_busy = true;
	if (mine->in_place)
		calls->in_place = true;
	else
		calls->separate = true;
	/* One by one, as copy_call. */
	if (own->input != mine->input) {
		own->input = mine->input;
		calls->moved = true;
	}
	if (own->output != mine->output) {
		own->output = mine->output;
		calls->moved = true;
	}
	if (own->in_place != mine->in_place) {
		own->in_place = mine->in_place;
		calls->moved = true;
	}
}

bool lsi_work_arrive(struct ls_node *node, const struct lsi_arriving_call *mine, uint32_t *epoch)
{
	struct lsi_group *group = node->group;
	struct lsi_barrier *barrier = &group->work_sharing.barrier;
	struct lsi_member_call *own = &group->member_calls[node->rank];
	const uint32_t core = node->self->core;

	if (group->worker_calls)
		add_call(&group->worker_calls[core], lsi_barrier_is_first(barrier, core), own, mine);
	else
		set_call(own, mine);
	*epoch = lsi_barrier_epoch(barrier);
	return lsi_barrier_arrive(barrier, core);
}

/* Add `more` to `all`; call: the leader's. */
static void join_calls(struct lsi_calls *all, const struct lsi_calls *more, const uint64_t call[3])
{
	all->differ |= more->differ || !is_same_call(more->call, call);
	all->are_busy |= more->are_busy;
	all->in_place |= more->in_place;
	all->separate |= more->separate;
	all->moved |= more->moved;
}

/* The differences of all members are joined without a branch. */
static struct lsi_calls calls_of_members(const struct lsi_group *group, const uint64_t call[3])
{
	struct lsi_calls all = { .moved = true };
	uint64_t differ = 0;

	for (int64_t i = 0; i < group->locals; i++) {
		const struct lsi_member_call *m = &group->member_calls[lsi_local_rank(group, i)];

		differ |= (m->call[0] ^ call[0]) | (m->call[1] ^ call[1]) | (m->call[2] ^ call[2]);
		all.are_busy |= m->is_busy;
		all.in_place |= m->in_place;
		all.separate |= !m->in_place;
	}
	all.differ = differ;
	return all;
}

struct lsi_calls lsi_work_calls(struct lsi_group *group, const uint64_t call[3])
{
	struct lsi_barrier *barrier = &group->work_sharing.barrier;
	/* In the last run a member may have moved its buffers, and no leader has read it. */
	struct lsi_calls all = { .moved = group->is_new };

	if (!group->worker_calls)
		return calls_of_members(group, call);
	group->is_new = false;
	for (uint32_t i = 0; i < group->work_sharing.cores; i++) {
		if (lsi_barrier_has_members(barrier, i))
			join_calls(&all, &group->worker_calls[i], call);
	}
	return all;
}

/* Release all members, and wake those that sleep. */
static void open_barrier(struct ls_node *node)
{
	struct lsi_barrier *barrier = &node->group->work_sharing.barrier;

	lsi_barrier_open(barrier, node->self->machine->asymmetric);
	lsi_wake_barrier(node, barrier);
}

void lsi_work_release_members(struct ls_node *node, int result)
{
	lsi_work_set_result(&node->group->work_sharing, result);
	lsi_work_close(&node->group->work_sharing);
	open_barrier(node);
}

void lsi_work_finish_units(struct ls_node *node)
{
	struct lsi_node_state *me = node->self;
	const int64_t units = me->units;

	me->units = 0;
	me->current_work = NULL;
	if (units > 0 && lsi_work_complete_units(&node->group->work_sharing, units))
		open_barrier(node);
}

/*
 * Other members may lack the memory to take the units that remain.  So this node takes them all,
 * without executing them.  Then it waits, as every member does: its buffers may be on the stack of
 * its thread, and a member that has arrived does not leave while work is open.
 */
void lsi_work_abort(struct lsi_node_state *me)
{
	struct lsi_work_sharing *w = me->current_work;
	struct ls_node *node = &me->whole;
	int64_t first, last;

	if (!w)
		return;
	while (&node->group->work_sharing != w)
		node = node->next;

	const uint32_t epoch =
		lsi_barrier_epoch(&w->barrier); /* it cannot open before this node's units are done */

	lsi_store(&w->aborted, (uint32_t)me->rank + 1, relaxed); /* DONE publishes it */
	while (lsi_work_take_units(w, me->core, &first, &last))
		me->units += last - first;
	lsi_work_finish_units(node);
	while (lsi_barrier_epoch(&w->barrier) == epoch)
		lsi_node_yield(me);
}

/* ---- Wait */

struct work_wait {
	struct lsi_work_sharing *work_sharing;
	uint32_t epoch;
	bool helps; /* false once this node has found all units taken */
};

static bool is_over(const struct work_wait *wait)
{
	return lsi_barrier_epoch(&wait->work_sharing->barrier) != wait->epoch;
}

/* Is work shared, and may it have units that are not taken? */
static bool has_work(const struct work_wait *wait)
{
	return wait->helps && lsi_work_is_shared(wait->work_sharing, wait->epoch);
}

static bool is_over_or_has_work(struct lsi_node_state *me, void *condition)
{
	(void)me;
	return is_over(condition) || has_work(condition);
}

int lsi_work_wait(struct ls_node *node, uint32_t epoch, const char *operation,
	void (*help)(struct ls_node *), int *result)
{
	struct lsi_work_sharing *w = &node->group->work_sharing;
	struct ls_machine *machine = node->self->machine;
	struct work_wait work = { w, epoch, true };
	const struct lsi_wait wait = { { sizeof wait.state, LS_WAITS_FOR_ROUND, LS_NO_RANK, node->round,
									   operation },
		is_over_or_has_work, &work, &w->barrier, epoch, lsi_group_spans(node->group), false };
	int stopped = LS_OK;

	lsi_barrier_spin(node, &wait);
	while (!is_over(&work)) {
		const int status = lsi_wait_until(node->self, &wait);

		stopped = stopped ? stopped : status;
		if (stopped && lsi_load(&machine->state, seq_cst) < 0 /* STOP */
			&& !lsi_work_is_open(w, epoch) && !is_over(&work))
			return stopped;
		if (has_work(&work)) {
			help(node);
			work.helps = false;
		} else if (stopped) {
			lsi_store(&node->self->buffers_in_use, 1u, relaxed); /* a hint for the error text */
			lsi_node_yield(node->self);
		}
	}
	if (stopped)
		lsi_store(&node->self->buffers_in_use, 0u, relaxed); /* as above */
	lsi_barrier_passed(node->self, &w->barrier);
	node->self->waits_for = NULL;
	*result = lsi_load(&w->aborted, relaxed) ? LS_ERR_LEFT : w->result; /* ROUND publishes */
	return LS_OK;
}
