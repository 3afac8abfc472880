/*
 * Errors of nodes, and the verdict of a run.
 *
 * A node that breaks a rule reports an error.  The machine does not stop at once: other nodes may
 * be about to report an error of an earlier round or of a lower rank.  They continue until every
 * node waits or has ended.  Then one thread decides: the verdict is the error of the lowest round,
 * then of the lowest rank.  If nodes made different collective calls, it is this difference; if no
 * node reported an error, it is a deadlock.  Every call that waits, and every later one, returns
 * the status of the verdict.
 *
 * A node may compute for a long time.  So a node that has reported an error waits for a second, and
 * a millisecond per node, at most.  Then it decides by the errors that have been reported.
 *
 * Edges  REPORT  the release of `reported` -> its acquire: the error of the node
 *        STOP    the exchange of `state` -> its acquire: the verdict
 *        COUNT   of park.h: what the parked nodes have written
 * Evidence  test/relacy/park.cpp
 */
#ifndef LSI_MACHINE_VERDICT_H
#define LSI_MACHINE_VERDICT_H

#include "machine/machine_types.h"
#include "machine/message_rules.h"

/* An error of a node; the fields are those of struct ls_error. */
struct lsi_fault {
	int kind;
	int64_t peer, round, link;
	const char *operation;
};

/* Report an error of this node, and wait for the verdict.  Returns its status. */
int lsi_machine_fail(struct lsi_node_state *, struct lsi_fault, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The error of a message that breaks a rule, with the fields that the envelope and the channel (or
 * NULL) determine.
 */
struct lsi_message_error lsi_message_error_of(const struct lsi_envelope *,
	const struct lsi_channel *, int64_t peer, enum lsi_message_rule, bool sends);
/* As lsi_machine_fail, for a message that breaks a rule. */
int lsi_message_fail(struct lsi_node_state *, const struct lsi_message_error *);
/*
 * The same without the wait: the first error of a node stays.  The caller is the thread of the
 * node; or, after the node has ended, a thread that does this alone.
 */
void lsi_message_error_record(struct lsi_node_state *, const struct lsi_message_error *);

/* Every live node is parked: decide, unless the machine has stopped. */
void lsi_decide_if_all_parked(struct ls_machine *);
/*
 * The same in parts, for several machines.  begin returns false if the machine has stopped, or if
 * another thread decides or changes the state at this moment; cancel undoes it.  find sets
 * ls_machine.verdict; announce stops the machine with it.
 */
bool lsi_verdict_begin(struct ls_machine *);
void lsi_verdict_cancel(struct ls_machine *);
void lsi_verdict_find(struct ls_machine *);
void lsi_verdict_announce(struct ls_machine *);
/* Some nodes still run: decide by the errors that have been reported, if there are any. */
void lsi_decide_early(struct ls_machine *);
/* ns: how long a node that has reported an error waits at most. */
uint64_t lsi_verdict_wait_ns(const struct ls_machine *);
/* The time limit of the run is over.  Returns the status that stops the machine. */
int lsi_time_out(struct ls_machine *);

/* Choose the local node that a deadlock names: one that waits for another node, if possible. */
const struct lsi_node_state *lsi_find_waiting_node(const struct ls_machine *, int64_t *waiting);
/* The error of a deadlock that names this rank, or LS_NO_RANK; elsewhere: see park.h. */
struct ls_error lsi_deadlock_error(
	int64_t rank, const struct ls_wait_state *, int64_t waiting, uint32_t elsewhere);

/* The earliest error that a node reported; kind LS_OK: none. */
struct ls_error lsi_earliest_error(const struct ls_machine *);

#endif
