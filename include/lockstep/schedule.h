/*
 * Schedules: messages without contents, and the plan that follows from them.
 *
 * A schedule lists sender and receiver of each message, round by round, as a drawing on paper or a
 * trace file does.  It does not state what a message contains.
 *
 * ls_plan_infer assumes that a message contains every contribution that its sender has at the start
 * of the round, that its receiver lacks, and that some node still needs.  The result is a plan like
 * any other: it can be checked, drawn, compared by cost and run.  ls_plan_from_messages keeps the
 * messages as they are.
 */
#ifndef LOCKSTEP_SCHEDULE_H
#define LOCKSTEP_SCHEDULE_H

#include <lockstep/plan.h>

LS_BEGIN_DECLS

/* The most rounds of a schedule. */
enum { LS_SCHEDULE_ROUNDS = 1 << 22 };

/* One message; rounds count from 1 to LS_SCHEDULE_ROUNDS. */
struct ls_message {
	int64_t round, src, dst;
	bool unsent;  /* dst expects the message, but src never sends it */
	size_t words; /* elements; ls_plan_infer ignores them */
};

/*
 * Infer the contents of all messages for the operation of the request.
 *
 * The request gives topology, operation, mode, root, shift and ports; its other fields are ignored.
 * In reduce, all-reduce and barrier a message is one partial sum, unless this would add a
 * contribution twice.  In all other cases a message is a list of contributions; each node combines
 * them at the end, in rank order.
 *
 * The plan has the messages of the schedule, whether or not they suffice: ls_check names the first
 * law that they break, or the first result that stays incomplete.
 *
 * Shape      The messages come in any order, and may be NULL if count is 0.  The messages that a
 *            node sends in a round use ports 0, 1, .. in this order, and so do the messages that it
 *            receives.
 * Owns       The messages stay the caller's.  The caller releases *out by ls_plan_destroy.  On
 *            failure *out is NULL.
 * Returns    LS_OK
 *            LS_ERR_ARGUMENT     root, ports, a rank or a round is out of range
 *            LS_ERR_LAW          a node sends or receives more than LS_PORTS messages in a round,
 *                                or sends before it has anything to send; *why has node, peer and
 *                                round
 *            LS_ERR_UNSUPPORTED  nodes times contributions exceeds 2^33
 *            LS_ERR_MEMORY
 * Cost       Time and memory grow with the messages, and with nodes times contributions.
 */
LS_API LS_MUST_CHECK int ls_plan_infer(const struct ls_request *, const struct ls_message *,
	size_t count, ls_plan **out, struct ls_error *why_or_null);

/*
 * Make a plan of the messages as they are, without contents.
 *
 * The plan moves no data and has no result, so only ls_sweep_run can execute it.  It checks ports,
 * links and matches, and counts messages and words, but proves no result.  A node sends all its
 * messages of a round before it receives, and uses its ports in the order of the messages.  A
 * message that is never sent is a deadlock.  The request gives topology, mode and ports; its other
 * fields are ignored.  ls_plan_operation has no meaning for this plan.
 *
 * Shape      The messages may be NULL if count is 0.
 * Owns       Topology and messages stay the caller's, and must outlive the plan.  On failure *out
 *            is NULL.
 * Returns    LS_OK
 *            LS_ERR_ARGUMENT     ports, a rank or a round is out of range
 *            LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_plan_from_messages(const struct ls_request *, const struct ls_message *,
	size_t count, ls_plan **out, struct ls_error *why_or_null);

LS_END_DECLS

#endif
