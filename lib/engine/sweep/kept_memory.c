/*
 * One slot holds the piece that is kept.  Sweeps of several threads exchange it, so each piece has
 * one owner.
 *
 * Edges      KEPT    the thread that releases a piece -> the thread that takes it: all accesses
 */
#include "engine/sweep/kept_memory.h"

#include <string.h>

#include "base/alloc.h"
#include "base/atomic.h"

/* A piece in the slot holds its own size in its first bytes. */
static LSI_ATOMIC(char *) kept;

static void store_size(char *piece, size_t bytes)
{
	memcpy(piece, &bytes, sizeof bytes);
}

static struct lsi_sweep_memory piece_of(char *piece)
{
	struct lsi_sweep_memory memory = { piece, 0 };

	if (piece)
		memcpy(&memory.bytes, piece, sizeof memory.bytes);
	return memory;
}

struct lsi_sweep_memory lsi_sweep_memory_take(size_t bytes, size_t cleared)
{
	struct lsi_sweep_memory memory = { NULL, 0 };

	if (bytes <= LSI_SWEEP_KEPT)
		memory = piece_of(lsi_exchange(&kept, NULL, acquire)); /* KEPT */
	if (memory.bytes >= bytes && memory.at) {
		memset(memory.at, 0, cleared > sizeof memory.bytes ? cleared : sizeof memory.bytes);
		return memory;
	}
	lsi_free_pages(memory.at, memory.bytes);
	return (struct lsi_sweep_memory){ lsi_alloc_pages(bytes), bytes };
}

void lsi_sweep_memory_release(struct lsi_sweep_memory memory)
{
	if (memory.at && memory.bytes >= sizeof memory.bytes && memory.bytes <= LSI_SWEEP_KEPT) {
		store_size(memory.at, memory.bytes);
		memory = piece_of(lsi_exchange(&kept, memory.at, acq_rel)); /* KEPT */
	}
	lsi_free_pages(memory.at, memory.bytes);
}
