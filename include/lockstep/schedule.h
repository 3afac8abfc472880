/*
 * Schedules: messages without contents, and the plan that follows from them.
 *
 * A schedule says which node sends to which in each round, as a drawing on paper or a trace file
 * does.  ls_plan_infer completes it: a message carries everything that its sender has at the
 * beginning of the round, as far as its receiver lacks it and somebody still needs it.  The result
 * is a plan like any other: it can be checked, drawn, priced and run.  ls_plan_from_messages keeps
 * the messages as they are.
 */
#ifndef LOCKSTEP_SCHEDULE_H
#define LOCKSTEP_SCHEDULE_H

#include <lockstep/plan.h>

LS_BEGIN_DECLS

/* One message; rounds count from 1. */
struct ls_message {
	int64_t round, src, dst;
	bool unsent;  /* dst expects the message, and src never sends it */
	size_t words; /* elements; ls_plan_infer ignores them */
};

/*
 * Infer the contents of all messages for the operation of the request.
 *
 * The request gives topology, operation, mode, root, shift and ports; its other fields are ignored.
 * Reductions and all-reduces send partial sums where no contribution would be added twice.  All
 * other operations that combine send the contributions one by one and add them in the end, in rank
 * order.
 *
 * The plan has the messages of the schedule, whether or not they suffice: ls_check names the first
 * law that they break, or the first result that stays incomplete.
 *
 * Shape      messages in any order; those of one round and sender use ports 0, 1, .. in this order,
 *            and so do those of one round and receiver
 * Owns       the messages stay the caller's; *out is released by ls_plan_destroy
 * Returns    LS_OK
 *            LS_ERR_ARGUMENT     root, shift, ports, a rank or a round is out of range; more than
 *                                LS_PORTS messages of one node in one round
 *            LS_ERR_LAW          a node sends before it has anything to send
 *            LS_ERR_UNSUPPORTED  too many contributions to follow: more than 2^33 of them at all
 *                                nodes together
 *            LS_ERR_MEMORY
 * Cost       time and memory: messages, and nodes x contributions / 8 bytes
 */
LS_API LS_MUST_CHECK int ls_plan_infer(const struct ls_request *, const struct ls_message *,
	size_t count, ls_plan **out, struct ls_error *why_or_null);

/*
 * Make a plan of the messages as they are, without contents.
 *
 * The plan moves nothing and has no result, so ls_sweep_run alone executes it: it checks ports,
 * links and matches, counts messages and words, and proves nothing.  A node sends all its messages
 * of a round before it receives, and uses its ports in the order of the messages.  A message that
 * is never sent is a deadlock.  The request gives topology, mode and ports; its other fields are
 * ignored, and so is ls_plan_operation of the plan.
 *
 * Owns       topology and messages stay the caller's, and must outlive the plan
 * Returns    LS_OK
 *            LS_ERR_ARGUMENT     ports, a rank or a round is out of range
 *            LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_plan_from_messages(const struct ls_request *, const struct ls_message *,
	size_t count, ls_plan **out, struct ls_error *why_or_null);

LS_END_DECLS

#endif
