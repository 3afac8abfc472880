/*
 * When each node waits for messages, by the times of a trace.
 *
 *   received_ns - waited_ns      sent_ns       received_ns
 *   receiver  |<---------------- waits --------------->|
 *   message                         |<-- under way --->|
 */
#ifndef LSI_DRAW_WAITS_H
#define LSI_DRAW_WAITS_H

#include "draw/subject.h"

struct lsi_wait_time {
	int64_t begin, end; /* ns */
};

/* Node v waits in wait[first[v]] .. wait[first[v + 1] - 1]: in this order, without overlaps. */
struct lsi_waits {
	struct lsi_wait_time *wait;
	size_t *first;
};

/* LS_OK or LS_ERR_MEMORY; lsi_waits_release in both cases. */
int lsi_waits_make(const struct lsi_subject *, struct lsi_waits *out);
void lsi_waits_release(struct lsi_waits *);
/* The ns that a node waits. */
double lsi_waits_sum(const struct lsi_waits *, int64_t node);

/* Was the message sent and received, so that all its times are known? */
static inline bool lsi_is_received(const struct ls_record *m)
{
	return m->received_ns >= 0;
}

/* Was it sent at a known time? */
static inline bool lsi_is_timed(const struct ls_record *m)
{
	return m->sent_ns >= 0;
}

/* When its receiver began to wait for it, or took it without waiting. */
static inline int64_t lsi_wait_begin(const struct ls_record *m)
{
	return m->received_ns - m->waited_ns;
}

#endif
