/*
 * Blocks of many nodes that lie apart, and the same one after another.
 */
#ifndef LS_ENGINE_SWEEP_PLACES_H
#define LS_ENGINE_SWEEP_PLACES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Of any type, so anywhere. */
#define LS_ANYWHERE __attribute__((may_alias, aligned(1)))
typedef uint8_t LS_ANYWHERE ls_bytes_1;
typedef uint16_t LS_ANYWHERE ls_bytes_2;
typedef uint32_t LS_ANYWHERE ls_bytes_4;
typedef uint64_t LS_ANYWHERE ls_bytes_8;
typedef struct { uint64_t half[2]; } LS_ANYWHERE ls_bytes_16;

/* The loops know the size of a block; all others go byte by byte. */
#define LS_FOR_SIZES(X) X(1) X(2) X(4) X(8) X(16)

/*
 * Where blocks lie: that of node i at base + i * by_rank, and, where `slot` is given, in the slot
 * of its shape, by_block apart.
 */
struct ls_scattered {
	char *base;
	size_t by_rank, by_block;
	const uint32_t *at;
	const uint16_t *shape;
	const uint32_t *slot;         /* of each shape */
};

#define LS_BLOCK_AT(size, p, j) \
	(*(ls_bytes_##size *)(p->base + p->at[j] * p->by_rank + p->slot[p->shape[j]] * p->by_block))

#define LS_DEFINE_GATHER(size) \
	static inline void ls_gather_##size( \
		ls_bytes_##size *restrict into, const struct ls_scattered *p, int64_t n) \
	{ \
		const ls_bytes_##size *const from = (const ls_bytes_##size *)p->base; \
		const uint32_t *const at = p->at; \
		\
		for (int64_t j = 0; j < n && !p->slot; j++) \
			into[j] = from[at[j]]; \
		for (int64_t j = 0; j < n && p->slot; j++) \
			into[j] = LS_BLOCK_AT(size, p, j); \
	} \
	static inline void ls_scatter_##size( \
		const struct ls_scattered *p, const ls_bytes_##size *restrict from, int64_t n) \
	{ \
		ls_bytes_##size *const to = (ls_bytes_##size *)p->base; \
		const uint32_t *const at = p->at; \
		\
		for (int64_t j = 0; j < n && !p->slot; j++) \
			to[at[j]] = from[j]; \
		for (int64_t j = 0; j < n && p->slot; j++) \
			LS_BLOCK_AT(size, p, j) = from[j]; \
	}
LS_FOR_SIZES(LS_DEFINE_GATHER)

static inline char *ls_scattered_at(const struct ls_scattered *p, int64_t j)
{
	return p->base + p->at[j] * p->by_rank + (p->slot ? p->slot[p->shape[j]] * p->by_block : 0);
}

#define LS_GATHER_CASE(size) \
	case size: \
		ls_gather_##size((ls_bytes_##size *)into, p, n); \
		return;
#define LS_SCATTER_CASE(size) \
	case size: \
		ls_scatter_##size(p, (const ls_bytes_##size *)from, n); \
		return;

static inline void ls_gather(char *into, const struct ls_scattered *p, int64_t n, size_t bytes)
{
	switch (p->slot || p->by_rank == bytes ? bytes : 0) {
	LS_FOR_SIZES(LS_GATHER_CASE)
	default:
		for (int64_t j = 0; j < n; j++)
			memcpy(into + (size_t)j * bytes, ls_scattered_at(p, j), bytes);
	}
}

static inline void ls_scatter(
	const struct ls_scattered *p, const char *from, int64_t n, size_t bytes)
{
	switch (p->slot || p->by_rank == bytes ? bytes : 0) {
	LS_FOR_SIZES(LS_SCATTER_CASE)
	default:
		for (int64_t j = 0; j < n; j++)
			memcpy(ls_scattered_at(p, j), from + (size_t)j * bytes, bytes);
	}
}

#endif
