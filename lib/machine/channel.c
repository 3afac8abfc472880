/*
 * The registry is a hash table in shards with a lock each.  Both nodes of a pair may need their
 * mailboxes at the same time; the first one makes them.  The channels of a node are a second hash
 * table, without a lock.  Both use open addressing, and grow when they are half full.
 */
#include "machine/channel.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "machine/local_ranks.h"
#include "machine/processes/far_nodes.h"

enum {
	SHARDS = 64,
	FIRST_CAPACITY = 8,
	CAPACITY_FOR_LINKS = 32, /* of a table that has room for all links from the start, at most */
	ENTRIES_AHEAD = 8        /* distance of a prefetch in the registry */
};

_Static_assert(sizeof(struct lsi_mailbox) == 2 * LSI_LINE, "sender and receiver have a line each");

/* ---- The registry: shards with a lock each */

/* The mailboxes of a pair of nodes: box[0] from low to high, box[1] from high to low. */
struct entry {
	int64_t low, high;
	struct lsi_mailbox *box; /* NULL: empty entry */
};

struct shard {
	alignas(LSI_CACHE_LINE) pthread_mutex_t lock;
	struct entry *entries;
	size_t capacity, used; /* capacity: a power of two */
	struct lsi_arena boxes;
};

struct lsi_registry {
	struct lsi_arena_source memory; /* of the mailboxes of all shards */
	struct shard shard[SHARDS];
};

/* A hash of both ranks: the low bits choose the shard, the next bits the entry. */
static size_t hash_pair(int64_t low, int64_t high)
{
	uint64_t h =
		(uint64_t)low * 0x9e3779b97f4a7c15u ^ ((uint64_t)high + 0x7f4a7c15u) * 0xbf58476d1ce4e5b9u;

	h ^= h >> 31;
	h *= 0x94d049bb133111ebu;
	return (size_t)(h ^ h >> 29);
}

int lsi_registry_make(struct ls_machine *machine)
{
	machine->registry = lsi_alloc_cache_aligned(sizeof *machine->registry);
	if (!machine->registry)
		return LS_ERR_MEMORY;
	lsi_arena_source_init(&machine->registry->memory);
	for (int i = 0; i < SHARDS; i++) {
		pthread_mutex_init(&machine->registry->shard[i].lock, NULL);
		machine->registry->shard[i].boxes.source = &machine->registry->memory;
	}
	return LS_OK;
}

void lsi_registry_destroy(struct ls_machine *machine)
{
	if (!machine->registry)
		return;
	for (int i = 0; i < SHARDS; i++) {
		struct shard *shard = &machine->registry->shard[i];

		lsi_arena_release(&shard->boxes);
		lsi_free(shard->entries);
		pthread_mutex_destroy(&shard->lock);
	}
	lsi_arena_source_fini(&machine->registry->memory);
	lsi_free(machine->registry);
}

void lsi_registry_reset(struct ls_machine *machine)
{
	for (int i = 0; i < SHARDS; i++) {
		struct shard *shard = &machine->registry->shard[i];

		for (size_t k = 0; k < shard->capacity; k++) {
			for (int way = 0; shard->entries[k].box && way < 2; way++)
				lsi_mailbox_reset(&shard->entries[k].box[way], 0);
		}
	}
	if (machine->processes)
		lsi_far_channels_reset(machine);
}

/* Begin to fetch what lsi_mailbox_oldest reads of both mailboxes of a pair. */
static void prefetch_oldest(const struct ls_machine *machine, const struct lsi_mailbox *box)
{
	const char *slots = (const char *)(box + 2); /* see mailboxes_make */

	lsi_prefetch(&box[0].head);
	lsi_prefetch(&box[1].head);
	lsi_prefetch(slots);
	lsi_prefetch(slots + (size_t)machine->options.mailbox * machine->slot_bytes);
}

/* A message in a mailbox. */
struct unreceived {
	int64_t from, to, round;
};

/* The order of errors: by round, then sender, then receiver. */
static bool is_before(const struct unreceived *a, const struct unreceived *b)
{
	if (a->round != b->round)
		return a->round < b->round;
	return a->from != b->from ? a->from < b->from : a->to < b->to;
}

bool lsi_registry_first_unreceived(
	struct ls_machine *machine, int64_t *from, int64_t *to, int64_t *round)
{
	struct unreceived first = { .from = LS_NO_RANK };

	for (int i = 0; i < SHARDS; i++) {
		const struct shard *shard = &machine->registry->shard[i];

		for (size_t k = 0; k < 2 * shard->capacity; k++) {
			const struct entry *entry = &shard->entries[k / 2];
			const struct lsi_slot *slot = entry->box
				? lsi_mailbox_oldest(&entry->box[k % 2], &entry->box[1 - k % 2].sender)
				: NULL;
			const struct unreceived message = {
				k % 2 ? entry->high : entry->low,
				k % 2 ? entry->low : entry->high,
				slot ? slot->round : 0,
			};
			const size_t ahead = k / 2 + ENTRIES_AHEAD;

			if (k % 2 == 0 && ahead < shard->capacity && shard->entries[ahead].box)
				prefetch_oldest(machine, shard->entries[ahead].box);
			if (slot && (first.from == LS_NO_RANK || is_before(&message, &first)))
				first = message;
		}
	}
	*from = first.from;
	*to = first.to;
	*round = first.round;
	return first.from != LS_NO_RANK;
}

/* The entry of a pair, or the empty entry for it. */
static struct entry *find_entry(struct entry *entries, size_t capacity, int64_t low, int64_t high)
{
	size_t i = hash_pair(low, high) / SHARDS & (capacity - 1);

	while (entries[i].box && (entries[i].low != low || entries[i].high != high))
		i = (i + 1) & (capacity - 1);
	return &entries[i];
}

/* Make room for one more entry; false: no memory. */
static bool shard_grow(struct shard *shard)
{
	if (shard->used * 2 < shard->capacity)
		return true;

	const size_t capacity = shard->capacity ? shard->capacity * 2 : FIRST_CAPACITY;
	struct entry *entries = lsi_alloc_zero(capacity, sizeof *entries);

	if (!entries)
		return false;
	for (size_t k = 0; k < shard->capacity; k++) {
		const struct entry *old = &shard->entries[k];

		if (old->box)
			*find_entry(entries, capacity, old->low, old->high) = *old;
	}
	lsi_free(shard->entries);
	shard->entries = entries;
	shard->capacity = capacity;
	return true;
}

static void mailbox_make(struct lsi_mailbox *box, char *out, char *in,
	const struct ls_machine *machine, struct lsi_node_state *sender,
	struct lsi_node_state *receiver)
{
	box->sender = (struct lsi_mailbox_end){
		.out = out,
		.in = in,
		.peer = lsi_parking_for(receiver, sender),
		.mask = (uint32_t)machine->options.mailbox - 1,
		.slot_bytes = (uint32_t)machine->slot_bytes,
		/* Between fibers of one worker, program order suffices. */
		.asymmetric = machine->asymmetric || sender->worker == receiver->worker,
	};
	lsi_mailbox_reset(box, 0);
}

/* Both mailboxes of a pair and their slots, in one piece of memory. */
static struct lsi_mailbox *mailboxes_make(
	struct ls_machine *machine, struct lsi_arena *arena, int64_t low, int64_t high)
{
	struct lsi_node_state *a = &machine->node_state[low], *b = &machine->node_state[high];
	const size_t bytes = (size_t)machine->options.mailbox * machine->slot_bytes;
	const bool far = !lsi_rank_is_local(machine, low) || !lsi_rank_is_local(machine, high);
	struct lsi_mailbox *box = lsi_arena_take_lines(
		arena, 2 * (sizeof *box + bytes) + (far ? lsi_far_channel_bytes() : 0));

	if (!box)
		return NULL;

	char *slots = (char *)(box + 2);

	mailbox_make(&box[0], slots, slots + bytes, machine, a, b);
	mailbox_make(&box[1], slots + bytes, slots, machine, b, a);
	if (far)
		lsi_far_channel_make(machine, slots + 2 * bytes, box, low, high);
	return box;
}

void lsi_channel_note_use(struct lsi_channels *channels, const struct lsi_channel *channel)
{
	const size_t used = (size_t)(channel - channels->entries);

	if (used != channels->last)
		channels->entries[channels->last].next = (uint32_t)used;
	channels->last = used;
}

void lsi_channel_prefetch(const struct ls_machine *machine, const struct lsi_channel *channel)
{
	const struct lsi_mailbox *box = channel->out < channel->in ? channel->out : channel->in;
	const char *slots = (const char *)(box + 2); /* see mailboxes_make */

	lsi_prefetch(&channel->out->tail);
	lsi_prefetch(&channel->out->head);
	lsi_prefetch(&channel->in->head);
	lsi_prefetch(slots);
	lsi_prefetch(slots + (size_t)machine->options.mailbox * machine->slot_bytes);
	lsi_prefetch(&machine->node_state[channel->peer]);
}

struct lsi_mailbox *lsi_mailboxes_of(struct ls_machine *machine, int64_t low, int64_t high)
{
	struct shard *shard = &machine->registry->shard[hash_pair(low, high) % SHARDS];
	struct lsi_mailbox *box = NULL;

	pthread_mutex_lock(&shard->lock);
	if (shard_grow(shard)) {
		struct entry *entry = find_entry(shard->entries, shard->capacity, low, high);

		if (!entry->box && (entry->box = mailboxes_make(machine, &shard->boxes, low, high))) {
			entry->low = low;
			entry->high = high;
			shard->used++;
		}
		box = entry->box;
	}
	pthread_mutex_unlock(&shard->lock);
	return box;
}

/* ---- The channels of a node */

/* The entry of a peer, or the empty entry for it. */
static struct lsi_channel *channel_entry(const struct lsi_channels *channels, int64_t peer)
{
	size_t i = hash_pair(peer, 0) & (channels->capacity - 1);

	while (channels->entries[i].peer != LS_NO_RANK && channels->entries[i].peer != peer)
		i = (i + 1) & (channels->capacity - 1);
	return &channels->entries[i];
}

/* A table of a node begins with room for its links, if there are few. */
static size_t first_capacity(int64_t degree)
{
	size_t capacity = FIRST_CAPACITY;

	while (capacity < CAPACITY_FOR_LINKS && capacity < 2 * (size_t)degree)
		capacity *= 2;
	return capacity;
}

/* Make room for one more channel; false: no memory. */
static bool channels_grow(struct lsi_channels *channels, int64_t degree)
{
	if (channels->used * 2 < channels->capacity)
		return true;

	const size_t capacity = channels->capacity ? channels->capacity * 2 : first_capacity(degree);
	struct lsi_channels larger = { .capacity = capacity, .used = channels->used };

	larger.entries = lsi_alloc(capacity * sizeof *larger.entries);
	if (!larger.entries)
		return false;
	for (size_t i = 0; i < capacity; i++)
		larger.entries[i] = (struct lsi_channel){ .peer = LS_NO_RANK };
	for (size_t i = 0; i < channels->capacity; i++) {
		if (channels->entries[i].peer != LS_NO_RANK)
			*channel_entry(&larger, channels->entries[i].peer) = channels->entries[i];
	}
	lsi_free(channels->entries);
	*channels = larger;
	return true;
}

struct lsi_channel *lsi_channel_to(struct lsi_node_state *me, int64_t peer)
{
	struct ls_machine *machine = me->machine;

	struct lsi_channel *channel = me->channels.capacity ? channel_entry(&me->channels, peer) : NULL;

	if (channel && channel->peer == peer)
		return channel;
	if (!channels_grow(&me->channels, ls_topology_degree(machine->topology)))
		return NULL;
	me->fiber.next_channel = NULL; /* the table may be a new one */
	channel = channel_entry(&me->channels, peer);

	const bool is_low = me->rank < peer;
	struct lsi_mailbox *box =
		lsi_mailboxes_of(machine, is_low ? me->rank : peer, is_low ? peer : me->rank);

	if (!box)
		return NULL;
	*channel = (struct lsi_channel){
		peer,
		(int32_t)ls_link_to(machine->topology, me->rank, peer),
		0,
		is_low ? &box[0] : &box[1],
		is_low ? &box[1] : &box[0],
	};
	me->channels.used++;
	return channel;
}

/* ---- Conditions of a wait */

bool lsi_mailbox_has_space(struct lsi_node_state *me, void *condition)
{
	const struct lsi_mailbox_wait *wait = condition;

	(void)me;
	return lsi_mailbox_space(wait->box) || lsi_load(&wait->peer->gone, seq_cst); /* GONE */
}

bool lsi_mailbox_has_message(struct lsi_node_state *me, void *condition)
{
	const struct lsi_mailbox_wait *wait = condition;

	(void)me;
	return lsi_mailbox_oldest(wait->box, wait->mine)
		|| lsi_load(&wait->peer->gone, seq_cst); /* GONE */
}
