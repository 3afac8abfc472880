/*
 * Each plan has one slot.  Sweeps of several threads exchange it, so tables have one owner.
 *
 * Edges      KEPT    the thread that returns tables -> the thread that takes them: all accesses
 */
#include "engine/sweep/fast/kept_tables.h"

#include <string.h>

#include "engine/sweep/sweep_exchange.h"

enum {
	STEPS_MOST = 1 << 12, /* of a plan with kept tables */
	BYTES_MOST = 4 << 20  /* of all its tables; of the chunks between processes */
};

static LSI_ATOMIC(struct lsi_plan_state *) * slot_of(const struct lsi_sweep_state *s)
{
	return &((struct ls_plan *)(uintptr_t)s->plan)->kept;
}

static struct lsi_kept_key key_of(const struct lsi_sweep_state *s, int64_t tile)
{
	return (struct lsi_kept_key){ ls_world_processes(s->world), ls_world_process(s->world),
		s->workers, tile,
		{ s->payload[LSI_PAYLOAD_DATA].bytes, s->payload[LSI_PAYLOAD_FINGERPRINTS].bytes } };
}

static void clear(struct lsi_kept_tables *kept)
{
	for (int64_t i = 0; i < kept->steps; i++) {
		lsi_free(kept->stage[i].table);
		lsi_free(kept->stage[i].memory);
		lsi_free(kept->stage[i].lists);
		kept->stage[i] = (struct lsi_kept_stage){ .steps = 0 };
	}
	kept->bytes = 0;
}

static void destroy(struct lsi_plan_state *state)
{
	struct lsi_kept_tables *kept = (struct lsi_kept_tables *)state;

	clear(kept);
	lsi_free(kept->chunks);
	lsi_free(kept);
}

static struct lsi_kept_tables *make_empty(const struct lsi_sweep_state *s, struct lsi_kept_key key)
{
	struct lsi_kept_tables *kept =
		lsi_alloc_zero(1, sizeof *kept + (size_t)s->steps * sizeof *kept->stage);

	if (!kept)
		return NULL;
	kept->state.destroy = destroy;
	kept->key = key;
	kept->steps = s->steps;
	return kept;
}

struct lsi_kept_tables *lsi_kept_tables_take(const struct lsi_sweep_state *s, int64_t tile)
{
	const struct lsi_kept_key key = key_of(s, tile);
	struct lsi_plan_state *state = lsi_exchange(slot_of(s), NULL, acquire); /* KEPT */

	if (state && memcmp(&((struct lsi_kept_tables *)state)->key, &key, sizeof key) == 0)
		return (struct lsi_kept_tables *)state;
	if (state)
		state->destroy(state);
	return s->steps <= STEPS_MOST ? make_empty(s, key) : NULL;
}

void lsi_kept_tables_return(const struct lsi_sweep_state *s, struct lsi_kept_tables *kept)
{
	struct lsi_plan_state *other = &kept->state;

	if (s->error.kind == LS_OK && !kept->incomplete && kept->chunk_bytes <= BYTES_MOST)
		other = lsi_exchange(slot_of(s), other, acq_rel); /* KEPT */
	if (other)
		other->destroy(other);
}

void lsi_kept_tables_begin(struct lsi_kept_tables *kept, int64_t id, int most_workers)
{
	clear(kept);
	kept->id = id;
	kept->most_workers = most_workers;
	kept->incomplete = false;
}

/* Whether this number of bytes more may be kept. */
static bool count_bytes(struct lsi_kept_tables *kept, size_t bytes)
{
	if (bytes > BYTES_MOST - kept->bytes)
		kept->incomplete = true;
	else
		kept->bytes += bytes;
	return !kept->incomplete;
}

char *lsi_kept_tables_reserve(struct lsi_kept_tables *kept, int64_t first, size_t bytes)
{
	if (!count_bytes(kept, bytes))
		return NULL;
	kept->stage[first].memory = lsi_alloc_lines(bytes);
	kept->incomplete = !kept->stage[first].memory;
	return kept->stage[first].memory;
}

void lsi_kept_tables_add(const struct lsi_sweep_state *s, struct lsi_kept_tables *kept,
	int64_t first, struct lsi_kept_stage stage)
{
	const size_t bytes = (size_t)stage.steps * sizeof *stage.table;
	const size_t lists = stage.table->crosses ? lsi_crossing_lists_bytes(s) : 0;
	struct lsi_peer_table *table;

	stage.memory = kept->stage[first].memory;
	if (kept->incomplete || !stage.memory || !count_bytes(kept, bytes + lists)) {
		kept->incomplete = true;
		return;
	}
	table = lsi_alloc(bytes);
	stage.lists = lists > 0 ? lsi_crossing_lists_copy(s) : NULL;
	kept->incomplete = !table || (lists > 0 && !stage.lists);
	if (table)
		memcpy(table, stage.table, bytes);
	stage.table = table;
	kept->stage[first] = stage;
}
