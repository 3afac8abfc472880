#include "base/arena.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

/*
 * Bytes of a chunk.  Each chunk is twice as large as the last one.  Where there are many arenas,
 * which cut their chunks from a source, little of each may be unused: they begin with less, and
 * chunks of CHUNK_LEAST grow by a quarter.  A large one has its own pages, which are zeroed and
 * take memory only when they are used; they may be huge.
 */
enum {
	CHUNK_OF_SOURCE = 1024,
	CHUNK_LEAST = 4096,
	CHUNK_MOST = 8 << 20,
	CHUNK_OF_PAGES = 128 << 10
};

struct lsi_arena_chunk {
	_Alignas(LSI_CACHE_LINE) struct lsi_arena_chunk *next;
	size_t bytes; /* with this header */
	enum origin { HEAP, PAGES, SOURCE } origin;
};

static void *source_take(struct lsi_arena_source *source, size_t bytes)
{
	pthread_mutex_lock(&source->lock);

	void *memory = lsi_arena_take_lines(&source->arena, bytes);

	pthread_mutex_unlock(&source->lock);
	return memory;
}

static struct lsi_arena_chunk *chunk_make(struct lsi_arena_source *source, size_t bytes)
{
	const enum origin origin = bytes >= CHUNK_OF_PAGES ? PAGES : source ? SOURCE : HEAP;
	struct lsi_arena_chunk *chunk = origin == PAGES ? lsi_alloc_pages(bytes)
		: origin == SOURCE                          ? source_take(source, bytes)
													: lsi_alloc_lines(bytes);

	if (!chunk)
		return NULL;
	chunk->bytes = bytes;
	chunk->origin = origin;
	return chunk;
}

static size_t round_up(size_t bytes, size_t align)
{
	return (bytes + align - 1) / align * align;
}

/* The bytes of a chunk after one of `last` bytes, or of the first one. */
static size_t next_size(const struct lsi_arena *arena, size_t last)
{
	if (!last)
		return arena->source ? CHUNK_OF_SOURCE : CHUNK_LEAST;
	return arena->source && last >= CHUNK_LEAST ? last + last / 4 : 2 * last;
}

/* Add a chunk with room for `want` bytes; false: no memory. */
static bool grow(struct lsi_arena *arena, size_t want)
{
	const size_t header = sizeof(struct lsi_arena_chunk);
	const size_t last = arena->chunk ? arena->chunk->bytes : 0;
	size_t bytes = next_size(arena, last);

	bytes = bytes < CHUNK_MOST ? bytes : CHUNK_MOST;
	bytes = bytes > header + want ? bytes : header + want;

	struct lsi_arena_chunk *chunk = chunk_make(arena->source, bytes);

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

	return arena->chunk->origin == PAGES ? piece : memset(piece, 0, bytes);
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
		if (chunk->origin == PAGES)
			lsi_free_pages(chunk, chunk->bytes);
		else if (chunk->origin == HEAP)
			lsi_free(chunk);
	}
	arena->used = 0;
}

void lsi_arena_source_init(struct lsi_arena_source *source)
{
	*source = (struct lsi_arena_source){ .arena = { .source = NULL } };
	pthread_mutex_init(&source->lock, NULL);
}

void lsi_arena_source_fini(struct lsi_arena_source *source)
{
	lsi_arena_release(&source->arena);
	pthread_mutex_destroy(&source->lock);
}
