/*
 * Channels: the mailboxes of a pair of nodes, made on first use.
 *
 * The registry holds every mailbox of the machine under its pair (from, to), in shards with a lock
 * each.  It is asked once per pair and node; from then on a node finds its channels in a table of
 * its own.
 */
#include "machine/machine_internal.h"

enum { SHARDS = 64, FIRST_PLACES = 8 };

struct entry {
	int64_t from, to;
	struct lsi_mailbox *box; /* NULL: empty place */
};

struct shard {
	alignas(LSI_CACHE_LINE) pthread_mutex_t lock;
	struct entry *place;
	size_t places, used; /* places: a power of two */
};

struct lsi_registry {
	struct shard shard[SHARDS];
};

static size_t hash(int64_t from, int64_t to)
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

		for (size_t k = 0; k < shard->places; k++)
			lsi_free(shard->place[k].box);
		lsi_free(shard->place);
		pthread_mutex_destroy(&shard->lock);
	}
	lsi_free(machine->registry);
}

void lsi_registry_reset(struct ls_machine *machine)
{
	for (int i = 0; i < SHARDS; i++) {
		struct shard *shard = &machine->registry->shard[i];

		for (size_t k = 0; k < shard->places; k++) {
			if (shard->place[k].box)
				lsi_mailbox_reset(shard->place[k].box, 0);
		}
	}
}

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

		for (size_t k = 0; k < shard->places; k++) {
			const struct entry *entry = &shard->place[k];
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

/* The place of (from, to), or the empty place where it belongs. */
static struct entry *find(struct entry *place, size_t places, int64_t from, int64_t to)
{
	size_t i = hash(from, to) / SHARDS & (places - 1);

	while (place[i].box && (place[i].from != from || place[i].to != to))
		i = (i + 1) & (places - 1);
	return &place[i];
}

static bool make_room(struct shard *shard)
{
	if (shard->used * 2 < shard->places)
		return true;

	const size_t places = shard->places ? shard->places * 2 : FIRST_PLACES;
	struct entry *place = lsi_alloc_zero(places, sizeof *place);

	if (!place)
		return false;
	for (size_t k = 0; k < shard->places; k++) {
		const struct entry *old = &shard->place[k];

		if (old->box)
			*find(place, places, old->from, old->to) = *old;
	}
	lsi_free(shard->place);
	shard->place = place;
	shard->places = places;
	return true;
}

/* A mailbox and its slots, in one piece of memory. */
static struct lsi_mailbox *mailbox_make(struct ls_machine *machine, int64_t from, int64_t to)
{
	const size_t slots = (size_t)machine->options.mailbox;
	struct lsi_mailbox *box = lsi_alloc_cache_aligned(sizeof *box + slots * machine->slot_bytes);

	if (!box)
		return NULL;
	box->mask = (uint32_t)slots - 1;
	box->slot_bytes = (uint32_t)machine->slot_bytes;
	box->slots = (char *)(box + 1);
	box->sender = &machine->node_state[from].parking;
	box->receiver = &machine->node_state[to].parking;
	lsi_mailbox_reset(box, 0);
	return box;
}

static struct lsi_mailbox *mailbox_of(struct ls_machine *machine, int64_t from, int64_t to)
{
	struct shard *shard = &machine->registry->shard[hash(from, to) % SHARDS];
	struct lsi_mailbox *box = NULL;

	pthread_mutex_lock(&shard->lock);
	if (make_room(shard)) {
		struct entry *entry = find(shard->place, shard->places, from, to);

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

static struct lsi_channel *place_of(const struct lsi_channels *channels, int64_t peer)
{
	size_t i = hash(peer, 0) & (channels->places - 1);

	while (channels->place[i].peer != LS_NO_RANK && channels->place[i].peer != peer)
		i = (i + 1) & (channels->places - 1);
	return &channels->place[i];
}

static bool widen(struct lsi_channels *channels)
{
	if (channels->used * 2 < channels->places)
		return true;

	struct lsi_channels wider = { .places =
									  channels->places ? channels->places * 2 : FIRST_PLACES };

	wider.place = lsi_alloc(wider.places * sizeof *wider.place);
	if (!wider.place)
		return false;
	for (size_t i = 0; i < wider.places; i++)
		wider.place[i].peer = LS_NO_RANK;
	for (size_t i = 0; i < channels->places; i++) {
		if (channels->place[i].peer != LS_NO_RANK)
			*place_of(&wider, channels->place[i].peer) = channels->place[i];
	}
	wider.used = channels->used;
	lsi_free(channels->place);
	*channels = wider;
	return true;
}

struct lsi_channel *lsi_channel_to(struct lsi_node_state *me, int64_t peer)
{
	struct ls_machine *machine = me->machine;

	if (!widen(&me->channels))
		return NULL;

	struct lsi_channel *channel = place_of(&me->channels, peer);

	if (channel->peer == peer)
		return channel;

	struct lsi_mailbox *out = mailbox_of(machine, me->rank, peer);
	struct lsi_mailbox *in = mailbox_of(machine, peer, me->rank);

	if (!out || !in)
		return NULL;
	*channel = (struct lsi_channel){ peer, ls_link_to(machine->topology, me->rank, peer), out, in };
	me->channels.used++;
	return channel;
}
