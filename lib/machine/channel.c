/*
 * The registry is a hash table in shards with a lock each.  Both nodes of a pair may need a
 * mailbox at the same time; the first one makes it.  The channels of a node are a second hash
 * table, without a lock.  Both use open addressing, and grow when they are half full.
 */
#include "machine/channel.h"

#include "base/alloc.h"

enum { SHARDS = 64, FIRST_CAPACITY = 8 };

/* ---- The registry: shards with a lock each */

struct entry {
	int64_t from, to;
	struct lsi_mailbox *box; /* NULL: empty entry */
};

struct shard {
	alignas(LSI_CACHE_LINE) pthread_mutex_t lock;
	struct entry *entries;
	size_t capacity, used; /* capacity: a power of two */
};

struct lsi_registry {
	struct shard shard[SHARDS];
};

/* A hash of both ranks: the low bits choose the shard, the next bits the entry. */
static size_t hash_pair(int64_t from, int64_t to)
{
	uint64_t h =
		(uint64_t)from * 0x9e3779b97f4a7c15u ^ ((uint64_t)to + 0x7f4a7c15u) * 0xbf58476d1ce4e5b9u;

	h ^= h >> 31;
	h *= 0x94d049bb133111ebu;
	return (size_t)(h ^ h >> 29);
}

int lsi_registry_make(struct ls_machine *machine)
{
	machine->registry = lsi_alloc_cache_aligned(sizeof *machine->registry);
	if (!machine->registry)
		return LS_ERR_MEMORY;
	for (int i = 0; i < SHARDS; i++)
		pthread_mutex_init(&machine->registry->shard[i].lock, NULL);
	return LS_OK;
}

void lsi_registry_destroy(struct ls_machine *machine)
{
	if (!machine->registry)
		return;
	for (int i = 0; i < SHARDS; i++) {
		struct shard *shard = &machine->registry->shard[i];

		for (size_t k = 0; k < shard->capacity; k++)
			lsi_free(shard->entries[k].box);
		lsi_free(shard->entries);
		pthread_mutex_destroy(&shard->lock);
	}
	lsi_free(machine->registry);
}

void lsi_registry_reset(struct ls_machine *machine)
{
	for (int i = 0; i < SHARDS; i++) {
		struct shard *shard = &machine->registry->shard[i];

		for (size_t k = 0; k < shard->capacity; k++) {
			if (shard->entries[k].box)
				lsi_mailbox_reset(shard->entries[k].box, 0);
		}
	}
}

/* The order of errors: by round, then sender, then receiver. */
static bool is_before(
	const struct entry *a, int64_t round_a, const struct entry *b, int64_t round_b)
{
	if (round_a != round_b)
		return round_a < round_b;
	return a->from != b->from ? a->from < b->from : a->to < b->to;
}

bool lsi_registry_first_unreceived(
	struct ls_machine *machine, int64_t *from, int64_t *to, int64_t *round)
{
	const struct entry *first = NULL;

	for (int i = 0; i < SHARDS; i++) {
		const struct shard *shard = &machine->registry->shard[i];

		for (size_t k = 0; k < shard->capacity; k++) {
			const struct entry *entry = &shard->entries[k];
			const struct lsi_slot *slot = entry->box ? lsi_mailbox_oldest(entry->box) : NULL;

			if (slot && (!first || is_before(entry, slot->round, first, *round))) {
				first = entry;
				*round = slot->round;
			}
		}
	}
	if (first) {
		*from = first->from;
		*to = first->to;
	}
	return first;
}

/* The entry of (from, to), or the empty entry for it. */
static struct entry *find_entry(struct entry *entries, size_t capacity, int64_t from, int64_t to)
{
	size_t i = hash_pair(from, to) / SHARDS & (capacity - 1);

	while (entries[i].box && (entries[i].from != from || entries[i].to != to))
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
			*find_entry(entries, capacity, old->from, old->to) = *old;
	}
	lsi_free(shard->entries);
	shard->entries = entries;
	shard->capacity = capacity;
	return true;
}

/* A mailbox and its slots, in one piece of memory. */
static struct lsi_mailbox *mailbox_make(struct ls_machine *machine, int64_t from, int64_t to)
{
	const size_t slots = (size_t)machine->options.mailbox;
	struct lsi_mailbox *box = lsi_alloc_cache_aligned(sizeof *box + slots * machine->slot_bytes);

	if (!box)
		return NULL;
	struct lsi_node_state *sender = &machine->node_state[from];
	struct lsi_node_state *receiver = &machine->node_state[to];

	box->mask = (uint32_t)slots - 1;
	box->slot_bytes = (uint32_t)machine->slot_bytes;
	box->slots = (char *)(box + 1);
	box->sender = lsi_parking_for(sender, receiver);
	box->receiver = lsi_parking_for(receiver, sender);
	/* Between fibers of one worker, program order suffices. */
	box->asymmetric = machine->asymmetric || sender->worker == receiver->worker;
	lsi_mailbox_reset(box, 0);
	return box;
}

/* The mailbox of a pair, made by the first of its two nodes that needs it; NULL: no memory. */
static struct lsi_mailbox *mailbox_of(struct ls_machine *machine, int64_t from, int64_t to)
{
	struct shard *shard = &machine->registry->shard[hash_pair(from, to) % SHARDS];
	struct lsi_mailbox *box = NULL;

	pthread_mutex_lock(&shard->lock);
	if (shard_grow(shard)) {
		struct entry *entry = find_entry(shard->entries, shard->capacity, from, to);

		if (!entry->box && (entry->box = mailbox_make(machine, from, to))) {
			entry->from = from;
			entry->to = to;
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

/* Make room for one more channel; false: no memory. */
static bool channels_grow(struct lsi_channels *channels)
{
	if (channels->used * 2 < channels->capacity)
		return true;

	const size_t capacity = channels->capacity ? channels->capacity * 2 : FIRST_CAPACITY;
	struct lsi_channels larger = { .capacity = capacity, .used = channels->used };

	larger.entries = lsi_alloc(capacity * sizeof *larger.entries);
	if (!larger.entries)
		return false;
	for (size_t i = 0; i < capacity; i++)
		larger.entries[i].peer = LS_NO_RANK;
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
	if (!channels_grow(&me->channels))
		return NULL;
	channel = channel_entry(&me->channels, peer);

	struct lsi_mailbox *out = mailbox_of(machine, me->rank, peer);
	struct lsi_mailbox *in = mailbox_of(machine, peer, me->rank);

	if (!out || !in)
		return NULL;
	*channel = (struct lsi_channel){ peer, ls_link_to(machine->topology, me->rank, peer), out, in };
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
	return lsi_mailbox_oldest(wait->box) || lsi_load(&wait->peer->gone, seq_cst); /* GONE */
}
