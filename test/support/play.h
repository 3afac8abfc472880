/*
 * An interpreter of plans, one node after the other, that shares no code with the library.  It
 * copies the messages of a step before any node moves data.
 */
#ifndef LOCKSTEP_TEST_PLAY_H
#define LOCKSTEP_TEST_PLAY_H

#include <lockstep/embedding.h>
#include <lockstep/machine.h>

#include "support/payload.h"

/* Messages in the order of a trace. */
struct messages {
	struct ls_record *record;
	size_t n, room;
};
void messages_add(struct messages *, const struct ls_record *);
/* They are those that are wanted, in this order. */
void messages_check(const struct messages *want, const struct messages *got);

/*
 * Play the plan on the operands of the payload.  Embedded: messages, and loads of links, are those
 * of the host in this mode.  `results` as payload_copy has them.
 */
struct played {
	struct messages messages;
	struct ls_stats stats;
	char *results;
	size_t length;
};
struct played play(
	const ls_plan *, const struct payload *, const ls_embedding *or_null, enum ls_mode);
void played_free(struct played *);

#endif
