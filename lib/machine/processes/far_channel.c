/*
 * The mailboxes between a local node and a node of another process.
 *
 *   out   the local node is the sender; the communication thread passes its messages on, and
 *         releases a slot when the remote node has released its own
 *   in    the communication thread is the sender; the local node is the receiver
 *
 * The parking word of a remote node is always 1, so a local node that changes a mailbox calls
 * wake_peer of the carrier, which puts the channel into the news.
 *
 * A long message is copied out of the memory of its sender, and kept in that of the receiver's
 * process until it is released.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/math.h"
#include "machine/channel.h"
#include "machine/processes/far_internal.h"
#include "machine/slot.h"
#include "machine/wait.h"

/* ---- Make and reset */

size_t lsi_far_channel_bytes(void)
{
	return (sizeof(struct lsi_far_channel) + LSI_LINE - 1) / LSI_LINE * LSI_LINE;
}

/* The state of a node of another process; only a few of its fields are used. */
static struct lsi_node_state *proxy_of(const struct lsi_processes *p, int64_t rank)
{
	return &p->machine->node_state[rank];
}

/* Has the process of this node said that it has left? */
static bool is_known_gone(struct lsi_processes *p, int64_t rank)
{
	return lsi_load(&p->gone[rank / 64], seq_cst) >> (rank % 64) & 1; /* GONE */
}

/* The proxy of a remote node that has another channel.  The caller holds the lock. */
static void proxy_make(struct lsi_processes *p, int64_t rank)
{
	struct lsi_node_state *proxy = proxy_of(p, rank);

	if (!proxy->machine) { /* else other nodes read it */
		proxy->machine = p->machine;
		proxy->rank = rank;
	}
	lsi_exchange(&proxy->parking.word, 1u, seq_cst); /* GONE: before the load of the bit */
	if (is_known_gone(p, rank))
		lsi_exchange(&proxy->gone, 1u, seq_cst); /* GONE */
}

void lsi_far_channel_make(
	struct ls_machine *machine, void *memory, struct lsi_mailbox box[2], int64_t low, int64_t high)
{
	struct lsi_processes *p = machine->processes;
	struct lsi_far_channel *far = memory;
	const bool low_is_local = lsi_rank_is_local(machine, low);

	*far = (struct lsi_far_channel){ .news.kind = LSI_NEWS_CHANNEL,
		.out = &box[!low_is_local],
		.in = &box[low_is_local],
		.local = low_is_local ? low : high,
		.remote = low_is_local ? high : low };
	far->process = lsi_process_of(p, far->remote);
	far->out->sender.far = far;
	pthread_mutex_lock(&p->lock);
	proxy_make(p, far->remote);
	far->next = p->channels;
	p->channels = far;
	pthread_mutex_unlock(&p->lock);
}

/* Free the long messages of a channel. */
static void free_kept(struct lsi_far_channel *far)
{
	while (far->kept) {
		struct lsi_kept_message *next = far->kept->next;

		lsi_free(far->kept);
		far->kept = next;
	}
	lsi_free(far->arriving);
	far->arriving = NULL;
}

void lsi_far_channels_free(struct lsi_processes *p)
{
	for (struct lsi_far_channel *far = p->channels; far; far = far->next)
		free_kept(far);
}

/* The mailboxes were reset. */
void lsi_far_channels_reset(struct ls_machine *machine)
{
	for (struct lsi_far_channel *far = machine->processes->channels; far; far = far->next) {
		free_kept(far);
		far->passed = far->acknowledged = 0;
	}
}

/* The channel of a message; NULL: no memory. */
static struct lsi_far_channel *find(struct lsi_processes *p, int64_t from, int64_t to)
{
	struct lsi_mailbox *box =
		lsi_mailboxes_of(p->machine, lsi_min(from, to), from < to ? to : from);

	if (!box) {
		lsi_processes_break(p, LS_ERR_MEMORY, "no memory for mailboxes between processes");
		return NULL;
	}
	return box[0].sender.far ? box[0].sender.far : box[1].sender.far;
}

/* ---- From local nodes */

/* One part after another; a message without bytes has one part. */
static void pass_bytes(struct lsi_processes *p, const struct lsi_far_channel *far,
	const struct lsi_slot *slot, const struct lsi_view *view, size_t total)
{
	size_t done = 0, in_view = 0;

	do {
		const size_t room = lsi_packet_room(p, far->process),
					 head = sizeof(struct lsi_message_record);
		const size_t most = room >= head + 1024 ? room - head : LSI_PACKET_BYTES - head;
		const size_t part = (size_t)lsi_min((int64_t)(total - done), (int64_t)most);
		struct lsi_message_record *record =
			lsi_record_put(p, far->process, LSI_RECORD_MESSAGE, head + part);
		char *data = (char *)(record + 1);

		record->from = (uint32_t)far->local;
		record->to = (uint32_t)far->remote;
		record->peer_head = (uint64_t)slot->peer_head;
		memcpy(record->call, slot->call, sizeof record->call);
		record->total = total;
		record->round = slot->round;
		record->part = (uint32_t)part;
		done += part;
		for (size_t left = part; left > 0;) {
			const size_t some = (size_t)lsi_min((int64_t)left, (int64_t)(view->bytes - in_view));

			memcpy(data, (const char *)view->at + in_view, some);
			data += some;
			left -= some;
			in_view += some;
			if (in_view == view->bytes) {
				view++;
				in_view = 0;
			}
		}
	} while (done < total);
}

/* A sender that gives up revokes its message: then there is nothing to pass on. */
static void pass_message(
	struct lsi_processes *p, const struct lsi_far_channel *far, struct lsi_slot *slot)
{
	const size_t total = (size_t)(slot->bytes & ~LSI_ZERO_COPY_FLAG);
	struct lsi_view one = { (uintptr_t)(slot + 1), total };
	const struct lsi_view *view = &one;

	if (!(slot->bytes & LSI_ZERO_COPY_FLAG) || lsi_slot_claim(slot, &view))
		pass_bytes(p, far, slot, view, total);
}

/* The receiver has released all messages before `head`. */
static void release_kept(struct lsi_far_channel *far, int64_t head)
{
	while (far->kept && far->kept->number < head) {
		struct lsi_kept_message *next = far->kept->next;

		lsi_free(far->kept);
		far->kept = next;
	}
}

/* All that a local node has sent to a remote one, and has released. */
void lsi_far_channel_pass(struct lsi_processes *p, struct lsi_far_channel *far)
{
	const int64_t head = lsi_load(&far->in->head, acquire); /* FREE */

	for (;;) {
		struct lsi_slot *slot = lsi_mailbox_slot(&far->out->sender, far->passed);

		if (lsi_load(&slot->sequence, acquire) != (uint32_t)far->passed + 1) /* FULL */
			break;
		pass_message(p, far, slot);
		far->passed++;
	}
	if (head > far->acknowledged) {
		struct lsi_taken_record *record =
			lsi_record_put(p, far->process, LSI_RECORD_TAKEN, sizeof *record);

		record->from = (uint32_t)far->remote;
		record->to = (uint32_t)far->local;
		record->taken = far->acknowledged = head;
		release_kept(far, head);
	}
}

/* ---- To local nodes */

/* The thread wakes a node that sleeps: its mailbox has changed. */
static void wake(struct lsi_processes *p, struct lsi_parking *parking)
{
	if (lsi_load(&parking->word, seq_cst)) /* PARK */
		p->local->wake(p->machine, parking);
}

/* The message in the next slot is complete. */
static void put(struct lsi_processes *p, struct lsi_far_channel *far)
{
	lsi_mailbox_put(far->in, p->machine->asymmetric);
	wake(p, far->in->sender.peer);
}

/* NULL: no memory. */
static struct lsi_kept_message *kept_make(size_t bytes)
{
	struct lsi_kept_message *kept = lsi_alloc(sizeof *kept + bytes);

	if (kept)
		*kept = (struct lsi_kept_message){ .view = { (uintptr_t)kept->data, bytes } };
	return kept;
}

/* Add a part.  True: the message is complete. */
static bool add_part(
	struct lsi_processes *p, struct lsi_far_channel *far, const struct lsi_message_record *record)
{
	if (!far->arriving) {
		far->arriving = kept_make(record->total);
		far->filled = 0;
	}
	if (!far->arriving) {
		lsi_processes_break(p, LS_ERR_MEMORY, "no memory for a message between processes");
		return false;
	}
	memcpy(far->arriving->data + far->filled, record + 1, record->part);
	far->filled += record->part;
	return far->filled == record->total;
}

/* Keep the message that is complete now; it is the next one of `in`. */
static void keep(struct lsi_far_channel *far)
{
	struct lsi_kept_message *kept = far->arriving;

	kept->number = far->in->tail;
	if (far->kept)
		far->last_kept->next = kept;
	else
		far->kept = kept;
	far->last_kept = kept;
	far->arriving = NULL;
}

/* A short message is copied into its slot; the slot of a long one has a view of the memory here. */
void lsi_message_arrives(struct lsi_processes *p, const struct lsi_message_record *record)
{
	struct lsi_far_channel *far = find(p, record->from, record->to);
	struct lsi_slot *slot = far ? lsi_mailbox_space(far->in) : NULL;

	if (!slot) {
		lsi_processes_break(p, LS_ERR_STOPPED, "more messages of another process than space");
		return;
	}

	const bool is_long = record->total > lsi_slot_capacity(far->in);

	if (is_long && !add_part(p, far, record))
		return;
	slot->peer_head = (int64_t)record->peer_head;
	slot->round = record->round;
	memcpy(slot->call, record->call, sizeof slot->call);
	slot->bytes = record->total;
	if (is_long) {
		lsi_slot_write_views(slot, &far->arriving->view, 1);
		keep(far);
	} else {
		memcpy(slot + 1, record + 1, record->part);
	}
	put(p, far);
}

/* The remote node has released its slots: the local sender may use its own again. */
void lsi_message_taken(struct lsi_processes *p, const struct lsi_taken_record *record)
{
	struct lsi_far_channel *far = find(p, record->from, record->to);

	if (!far)
		return;
	lsi_publish_count(&far->out->head, record->taken, p->machine->asymmetric); /* FREE */
	wake(p, far->in->sender.peer);
}

/* ---- The ends of nodes */

/* Either this finds the proxy made, or its maker finds the bit set. */
void lsi_node_is_gone(struct lsi_processes *p, int64_t rank)
{
	struct lsi_node_state *proxy = proxy_of(p, rank);

	atomic_fetch_or_explicit(
		&p->gone[rank / 64], (uint64_t)1 << (rank % 64), memory_order_seq_cst); /* GONE */
	if (lsi_load(&proxy->parking.word, seq_cst)) {                              /* GONE */
		lsi_exchange(&proxy->gone, 1u, seq_cst);                                /* GONE */
		p->departures = true;
	}
}

/* The machine has stopped: this thread reads the memory of local nodes no more. */
void lsi_far_channels_stop(struct lsi_processes *p)
{
	pthread_mutex_lock(&p->lock);
	for (struct lsi_far_channel *far = p->channels; far; far = far->next)
		lsi_store(&proxy_of(p, far->remote)->ended, 1u, release); /* ENDED */
	pthread_mutex_unlock(&p->lock);
}
