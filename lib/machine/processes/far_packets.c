/*
 * Packets: records for one process, in the order in which they were put.
 *
 * A packet is sent at the end of a turn, or when it is full.  One packet at a time is received.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/math.h"
#include "machine/processes/far_internal.h"
#include "machine/wait.h"

/* The others cannot be notified any more: end all processes, as a sweep does. */
void lsi_processes_break(struct lsi_processes *p, int kind, const char *text)
{
	struct lsi_transport *t = p->world->transport;

	if (p->broken)
		return;
	p->broken = true;
	lsi_error_set(&p->failure, kind, "%s", text);
	t->abort(t, LSI_EXIT_BROKEN, text);
	ls_machine_stop(p->machine, kind);
}

/* After the first failure nothing is sent or received any more. */
static bool has_failed(struct lsi_processes *p, int status)
{
	struct ls_error why = { .size = sizeof why };

	if (status == LS_OK)
		return false;
	if (!p->broken) {
		lsi_world_failure(p->world, &why);
		lsi_processes_break(p, LS_ERR_STOPPED, why.text);
	}
	return true;
}

/* ---- Put */

/* NULL: no memory, and the machine is broken. */
static struct lsi_packet *packet_take(struct lsi_processes *p)
{
	struct lsi_packet *packet = p->spare;

	if (packet)
		p->spare = packet->next;
	else
		packet = lsi_alloc_lines(sizeof *packet);
	if (!packet) {
		lsi_processes_break(p, LS_ERR_MEMORY, "no memory for messages between processes");
		return NULL;
	}
	packet->used = 0;
	packet->next = NULL;
	packet->transfer.begun = false;
	return packet;
}

static void packet_give_back(struct lsi_processes *p, struct lsi_packet *packet)
{
	packet->next = p->spare;
	p->spare = packet;
}

/* Begin to send the open packet. */
static void send_packet(struct lsi_processes *p, int process)
{
	struct lsi_transport *t = p->world->transport;
	struct lsi_peer_process *peer = &p->peer[process];
	struct lsi_packet *packet = peer->filling;

	peer->filling = NULL;
	if (p->broken
		|| has_failed(p,
			t->send(t, process, LSI_TAG_MACHINE, packet->data, packet->used, &packet->transfer))) {
		packet_give_back(p, packet);
		return;
	}
	peer->packets++;
	if (peer->first)
		peer->last->next = packet;
	else
		peer->first = packet;
	peer->last = packet;
}

size_t lsi_packet_room(const struct lsi_processes *p, int process)
{
	const struct lsi_packet *packet = p->peer[process].filling;

	return LSI_PACKET_BYTES - (packet ? packet->used : 0);
}

/* After a failure records go to `waste`, so that no caller has to check. */
void *lsi_record_put(struct lsi_processes *p, int process, enum lsi_record_kind kind, size_t bytes)
{
	struct lsi_peer_process *peer = &p->peer[process];
	struct lsi_packet *packet;
	struct lsi_record *record;

	bytes = (bytes + 7) / 8 * 8;
	if (!p->closing && peer->filling && lsi_packet_room(p, process) < bytes)
		send_packet(p, process);
	if (!p->closing && !peer->filling)
		peer->filling = packet_take(p);
	packet = p->closing ? NULL : peer->filling;
	if (!packet) {
		packet = &p->waste;
		packet->used = 0;
	}
	record = (struct lsi_record *)(void *)(packet->data + packet->used);
	packet->used += bytes;
	memset(record, 0, (size_t)lsi_min((int64_t)bytes, 64));
	record->kind = kind;
	record->bytes = (uint32_t)bytes;
	p->sent += kind < LSI_RECORDS_COUNTED;
	return record;
}

void lsi_record_put_all(struct lsi_processes *p, enum lsi_record_kind kind, int64_t value)
{
	for (int i = 0; i < p->count; i++) {
		if (i == p->number)
			continue;

		struct lsi_status_record *record = lsi_record_put(p, i, kind, sizeof *record);

		record->value = value;
	}
}

/* ---- Send */

/* Also after a failure: then no packet will be complete. */
static bool is_complete(struct lsi_processes *p, struct lsi_packet *packet)
{
	struct lsi_transport *t = p->world->transport;
	bool done = false;

	return p->broken || has_failed(p, t->test(t, &packet->transfer, &done)) || done;
}

/* Packets are complete in the order in which they were sent, or nearly so. */
static void take_back_sent(struct lsi_processes *p, struct lsi_peer_process *peer)
{
	while (peer->first && is_complete(p, peer->first)) {
		struct lsi_packet *packet = peer->first;

		peer->first = packet->next;
		if (!p->broken) /* else the transport may still read it */
			packet_give_back(p, packet);
	}
}

bool lsi_packets_send(struct lsi_processes *p)
{
	bool some = false;

	for (int i = 0; i < p->count; i++) {
		if (p->peer[i].filling) {
			send_packet(p, i);
			some = true;
		}
		if (p->peer[i].first)
			take_back_sent(p, &p->peer[i]);
	}
	return some;
}

bool lsi_packets_are_sent(struct lsi_processes *p)
{
	for (int i = 0; i < p->count; i++) {
		if (p->peer[i].filling || p->peer[i].first)
			return false;
	}
	return true;
}

/* ---- Receive */

/* A packet comes from another process: do not trust its lengths. */
static bool is_valid(const struct lsi_record *record, size_t left)
{
	return left >= sizeof *record && record->bytes >= sizeof *record && record->bytes <= left
		&& record->bytes % 8 == 0 && record->kind < LSI_RECORDS;
}

/* Each record is acted upon in the order in which it was put. */
static void read_packet(struct lsi_processes *p, const struct lsi_packet *packet, int from)
{
	for (size_t at = 0; at < packet->used && !p->broken;) {
		const struct lsi_record *record =
			(const struct lsi_record *)(const void *)(packet->data + at);

		if (!is_valid(record, packet->used - at)) {
			lsi_processes_break(p, LS_ERR_STOPPED, "a packet of another process is damaged");
			return;
		}
		p->received += record->kind < LSI_RECORDS_COUNTED;
		at += record->bytes;
		lsi_record_arrives(p, from, record);
	}
}

/* Begin to receive a packet that has arrived; false: none has. */
static bool begin_packet(struct lsi_processes *p)
{
	struct lsi_transport *t = p->world->transport;
	size_t bytes = 0;
	int from = -1;

	if (has_failed(p, t->probe(t, LSI_TAG_MACHINE, &from, &bytes)) || from < 0)
		return false;
	if (bytes > LSI_PACKET_BYTES) {
		lsi_processes_break(p, LS_ERR_STOPPED, "a packet of another process is too long");
		return false;
	}
	p->arriving = packet_take(p);
	if (!p->arriving)
		return false;
	p->arriving->used = bytes;
	p->arriving_from = from;
	return !has_failed(p, t->take(t, p->arriving->data, &p->arriving->transfer));
}

/* All packets that have arrived. */
bool lsi_packets_receive(struct lsi_processes *p)
{
	bool some = false;

	while (!p->broken && !p->ended && (p->arriving || begin_packet(p))) {
		struct lsi_packet *packet = p->arriving;

		if (!is_complete(p, packet))
			break;
		if (p->broken)
			break;
		p->arriving = NULL;
		p->packets_received++;
		read_packet(p, packet, p->arriving_from);
		packet_give_back(p, packet);
		some = true;
	}
	return some;
}

/* ---- Free */

static void free_list(struct lsi_packet *packet)
{
	for (struct lsi_packet *next; packet; packet = next) {
		next = packet->next;
		lsi_free(packet);
	}
}

/* After a failure of the transport, packets may belong to it for ever. */
void lsi_packets_free(struct lsi_processes *p)
{
	free_list(p->spare);
	for (int i = 0; p->peer && i < p->count; i++) {
		lsi_free(p->peer[i].filling);
		if (!p->broken)
			free_list(p->peer[i].first);
	}
}
