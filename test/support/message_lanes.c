#include "support/message_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "support/guard.h"
#include "test.h"

enum { CHUNK = 1 << 24 }; /* suffices for most tests; pages that are not used take no memory */

/* After a failure of the transport, packets of machines belong to it for ever. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:packet_take\n";
}

struct operation *operation_make(
	struct chunk **chunk, const void *at, size_t bytes, int ticks, const bool *dead)
{
	struct operation *o = chunk_take(chunk, sizeof *o);

	*o = (struct operation){ NULL, NULL, (char *)(uintptr_t)at, NULL, bytes, ticks, false, dead };
	return o;
}

bool operation_is_lost(const struct operation *o)
{
	return *o->dead && !o->copy;
}

void queue_add(struct queue *q, struct operation *o)
{
	if (!q->first)
		q->last = &q->first;
	*q->last = o;
	q->last = &o->next;
}

struct operation *queue_take(struct queue *q)
{
	struct operation *o = q->first;

	q->first = o->next;
	return o;
}

bool lane_is_empty(const struct lane *lane)
{
	return !lane->sent.first && !lane->received.first;
}

struct lane *lane_for(struct lane *lanes, int tag)
{
	struct lane *empty = NULL;

	for (struct lane *lane = lanes; lane < lanes + LANES; lane++) {
		if (lane_is_empty(lane))
			empty = lane;
		else if (lane->tag == tag)
			return lane;
	}
	CHECK(empty, "more than %d tags at once", LANES);
	if (!empty)
		exit(1);
	empty->tag = tag;
	return empty;
}

void deliver_message(struct operation *send, struct operation *receive)
{
	CHECK(
		send->bytes == receive->bytes, "%zu bytes sent, %zu expected", send->bytes, receive->bytes);
	if (send->bytes == receive->bytes && send->bytes > 0)
		memcpy(receive->at, send->copy ? send->copy : send->at, send->bytes);
	send->done = receive->done = true;
}

struct operation *lane_take(struct lane *lane)
{
	struct operation *o = lane->sent.first;

	if (!o || lane->received.first || operation_is_lost(o) || o->ticks-- > 0)
		return NULL;
	return queue_take(&lane->sent);
}

void lane_advance(struct lane *lane)
{
	struct operation *send = lane->sent.first, *receive = lane->received.first;

	if (!send || !receive || operation_is_lost(send) || operation_is_lost(receive))
		return;
	if (send->ticks-- > 0 || receive->ticks-- > 0)
		return;
	deliver_message(queue_take(&lane->sent), queue_take(&lane->received));
}

static void add_chunk(struct chunk **last, size_t bytes)
{
	struct chunk *chunk = memory(1, sizeof *chunk + bytes);

	chunk->earlier = *last;
	chunk->room = bytes;
	*last = chunk;
}

void *chunk_take(struct chunk **last, size_t bytes)
{
	bytes = (bytes + 15) / 16 * 16;
	if (!*last || bytes > (*last)->room - (*last)->used)
		add_chunk(last, bytes > CHUNK ? bytes : CHUNK);
	(*last)->used += bytes;
	return memset((*last)->at + (*last)->used - bytes, 0, bytes);
}

void chunks_free(struct chunk *chunk)
{
	for (struct chunk *earlier; chunk; chunk = earlier) {
		earlier = chunk->earlier;
		free(chunk);
	}
}
