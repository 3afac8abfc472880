/*
 * How many messages processes must exchange at least, if each step has one for a pair of processes.
 */
#ifndef LOCKSTEP_TEST_PAIR_MESSAGES_H
#define LOCKSTEP_TEST_PAIR_MESSAGES_H

#include <lockstep/plan.h>

enum { MEETING_MESSAGES = 4 }; /* of a sweep, for each process but the first: two meetings */

/*
 * Over the steps of a plan, the pairs of processes with messages that cross: for each of them, one
 * message for every LSI_MESSAGE_BYTES of data and fingerprints.  Elements have `size` bytes.
 */
struct pair_messages {
	int64_t messages, rounds; /* rounds: that have such messages */
};
struct pair_messages count_pair_messages(const ls_plan *, size_t count, size_t size, int processes);

/*
 * The most messages that pass the edges of a tree, once, on the fast path.  Each two processes
 * exchange how many edges they have, and then these.
 */
int64_t edge_messages_most(const ls_plan *, uint64_t order, int processes);

#endif
