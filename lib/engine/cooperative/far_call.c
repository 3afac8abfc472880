#include "engine/cooperative/far_call.h"

#include "base/alloc.h"
#include "machine/processes/computing.h"

enum { TAG = LSI_TAG_ENGINES + 2 }; /* a pair of processes keeps the order of its messages */

/* The boundaries between processes are those of the machine. */
struct lsi_far_call *lsi_far_call_make(ls_world *world, const ls_topology *topology)
{
	const int processes = ls_world_processes(world);
	struct lsi_far_call *far = lsi_alloc_zero(1, sizeof *far);

	if (!far)
		return NULL;
	far->first_rank = lsi_alloc(((size_t)processes + 1) * sizeof *far->first_rank);
	if (!far->first_rank) {
		lsi_free(far);
		return NULL;
	}
	for (int i = 0; i <= processes; i++)
		far->first_rank[i] = ls_first_rank(topology, processes, i);
	far->world = world;
	far->division = (struct lsi_division){ processes, ls_world_process(world), far->first_rank };
	return far;
}

void lsi_far_call_destroy(struct lsi_far_call *far)
{
	if (!far)
		return;
	lsi_free(far->first_rank);
	lsi_free(far->workspace);
	lsi_free(far->temporaries);
	lsi_free(far->message);
	lsi_free(far);
}

/* Also of a second operand: a call that is in place in one process is in all of them. */
static bool reserve_for(struct lsi_far_call *far, const struct lsi_flow_parts *parts)
{
	void *message = far->message;
	const bool reserved =
		lsi_alloc_reserve(&far->workspace, &far->workspace_bytes, lsi_flow_parts_workspace(parts))
		&& lsi_alloc_reserve(&far->temporaries, &far->temporary_bytes, parts->temporaries)
		&& lsi_alloc_reserve(
			(char **)&message, &far->message_bytes, parts->messages * sizeof *far->message);

	far->message = message;
	return reserved;
}

bool lsi_far_call_prepare(struct lsi_far_call *far, struct lsi_flow_parts *const parts[2], size_t n,
	const struct lsi_operator *combine)
{
	far->combine = *combine;
	for (int i = 0; i < 2; i++) {
		far->parts[i] = parts[i];
		if (lsi_flow_parts_bind(parts[i], n, combine->size) != LS_OK || !reserve_for(far, parts[i]))
			return false;
	}
	far->base[parts[0]->slots.base] = far->workspace;
	return true;
}

/* Pass a stream to the transport, in messages. */
static int begin_stream(struct lsi_far_call *far, const struct lsi_flow_parts *parts,
	const struct lsi_flow_stream *stream, size_t *messages)
{
	struct lsi_transport *const t = far->world->transport;
	char *const from = far->workspace + parts->slots.at[stream->slot];
	const size_t bytes = lsi_flow_stream_bytes(parts, stream);
	int failed = LS_OK;

	for (size_t at = 0; at < bytes && !failed; at += LSI_MESSAGE_BYTES) {
		const size_t some = bytes - at < LSI_MESSAGE_BYTES ? bytes - at : LSI_MESSAGE_BYTES;
		struct lsi_transfer *message = &far->message[(*messages)++];

		message->begun = false;
		failed = stream->sends ? t->send(t, stream->peer, TAG, from + at, some, message)
							   : t->receive(t, stream->peer, TAG, from + at, some, message);
	}
	return failed;
}

/* Those of the exchange after a part, in one direction. */
static int begin_streams(struct lsi_far_call *far, const struct lsi_flow_parts *parts,
	uint32_t part, bool sends, size_t *messages)
{
	int failed = LS_OK;

	for (uint32_t i = parts->part[part].first_stream;
		 i < parts->part[part + 1].first_stream && !failed; i++) {
		if (parts->stream[i].sends == sends)
			failed = begin_stream(far, parts, &parts->stream[i], messages);
	}
	return failed;
}

/* False: the operator has computed for too long, and the run has ended. */
static bool execute_part(const struct lsi_far_call *far, const struct lsi_flow_part *part,
	LSI_ATOMIC(uint32_t) * computes)
{
	lsi_computing_begin(computes);
	lsi_flow_part_execute(
		part, &far->combine, (struct lsi_flow_memory){ far->base, far->temporaries });
	return lsi_computing_end(computes);
}

/*
 * Receives begin before the part is executed, so that what arrives early needs no copy.  All
 * messages of an exchange are complete before the next part: it may read what arrived.
 */
int lsi_far_call_execute(
	void *call, bool in_place, const struct lsi_stop *stop, LSI_ATOMIC(uint32_t) * computes)
{
	struct lsi_far_call *far = call;
	const struct lsi_flow_parts *parts = far->parts[in_place];
	int failed = LS_OK;

	for (uint32_t part = 0; part < parts->parts && !failed; part++) {
		size_t messages = 0;

		failed = begin_streams(far, parts, part, false, &messages);
		if (!failed && !execute_part(far, &parts->part[part], computes))
			failed = LS_ERR_TIMEOUT;
		if (!failed)
			failed = begin_streams(far, parts, part, true, &messages);
		for (size_t i = 0; i < messages && !failed; i++)
			failed = lsi_world_wait(far->world, &far->message[i], stop);
	}
	return failed;
}
