#include "base/arena.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

/*
 * Bytes of a chunk.  Each chunk is twice as large as the last one.  A large one has its own pages,
 * which are zeroed and take memory only when they are used; they may be huge.
 */
enum { CHUNK_LEAST = 4096, CHUNK_MOST = 8 << 20, CHUNK_OF_PAGES = 128 << 10 };

struct lsi_arena_chunk {
	_Alignas(LSI_CACHE_LINE) struct lsi_arena_chunk *next;
	size_t bytes; /* with this header */
	bool has_pages;
};

static struct lsi_arena_chunk *chunk_make(size_t bytes)
{
	const bool has_pages = bytes >= CHUNK_OF_PAGES;
	struct lsi_arena_chunk *chunk = has_pages ? lsi_alloc_pages(bytes) : lsi_alloc_lines(bytes);

	if (!chunk)
		return NULL;
	chunk->bytes = bytes;
	chunk->has_pages = has_pages;
	return chunk;
}

static size_t round_up(size_t bytes, size_t align)
{
	return (bytes + align - 1) / align * align;
}

/* Add a chunk with room for `want` bytes; false: no memory. */
static bool grow(struct lsi_arena *arena, size_t want)
{
	const size_t header = sizeof(struct lsi_arena_chunk);
	size_t bytes = arena->chunk ? 2 * arena->chunk->bytes : CHUNK_LEAST;

	bytes = bytes < CHUNK_MOST ? bytes : CHUNK_MOST;
	bytes = bytes > header + want ? bytes : header + want;

	struct lsi_arena_chunk *chunk = chunk_make(bytes);

	if (!chunk)
		return false;
	chunk->next = arena->chunk;
	arena->chunk = chunk;
	arena->used = header;
	return true;
}

static void *take(struct lsi_arena *arena, size_t bytes, size_t align)
{
	size_t begin = round_up(arena->used, align);

	if (!arena->chunk || begin > arena->chunk->bytes || bytes > arena->chunk->bytes - begin) {
		if (!grow(arena, bytes))
			return NULL;
		begin = round_up(arena->used, align);
	}
	arena->used = begin + bytes;

	char *piece = (char *)arena->chunk + begin;

	return arena->chunk->has_pages ? piece : memset(piece, 0, bytes);
}

void *lsi_arena_take(struct lsi_arena *arena, size_t count, size_t bytes)
{
	return take(arena, count * bytes, _Alignof(max_align_t));
}

void *lsi_arena_take_lines(struct lsi_arena *arena, size_t bytes)
{
	return take(arena, round_up(bytes, LSI_CACHE_LINE), LSI_CACHE_LINE);
}

char *lsi_arena_print_list(struct lsi_arena *arena, const char *format, va_list arguments)
{
	va_list again;

	va_copy(again, arguments);

	const int length = vsnprintf(NULL, 0, format, arguments);
	char *text = length < 0 ? NULL : lsi_arena_take(arena, (size_t)length + 1, 1);

	if (text)
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

char *lsi_arena_print(struct lsi_arena *arena, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);

	char *text = lsi_arena_print_list(arena, format, arguments);

	va_end(arguments);
	return text;
}

void lsi_arena_release(struct lsi_arena *arena)
{
	while (arena->chunk) {
		struct lsi_arena_chunk *chunk = arena->chunk;

		arena->chunk = chunk->next;
		if (chunk->has_pages)
			lsi_free_pages(chunk, chunk->bytes);
		else
			lsi_free(chunk);
	}
	arena->used = 0;
}
