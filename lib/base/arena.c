#include "base/arena.h"

#include <string.h>

#include "base/alloc.h"

enum { CHUNK = 4000, ALIGN = _Alignof(max_align_t) };

struct lsi_arena_chunk {
	struct lsi_arena_chunk *next;
	size_t size;
	_Alignas(max_align_t) char memory[];
};

void *lsi_arena_take(struct lsi_arena *arena, size_t count, size_t bytes)
{
	const size_t want = (count * bytes + ALIGN - 1) / ALIGN * ALIGN;

	if (!arena->chunk || want > arena->left) {
		const size_t size = want > CHUNK ? want : CHUNK;
		struct lsi_arena_chunk *chunk = lsi_alloc(sizeof *chunk + size);

		if (!chunk)
			return NULL;
		chunk->next = arena->chunk;
		chunk->size = arena->left = size;
		arena->chunk = chunk;
	}

	void *piece = arena->chunk->memory + (arena->chunk->size - arena->left);

	arena->left -= want;
	return memset(piece, 0, want);
}

void lsi_arena_release(struct lsi_arena *arena)
{
	while (arena->chunk) {
		struct lsi_arena_chunk *chunk = arena->chunk;

		arena->chunk = chunk->next;
		lsi_free(chunk);
	}
	arena->left = 0;
}
