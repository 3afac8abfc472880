/* Gather blocks of equal length of many nodes into one piece of memory, and scatter them back. */
#ifndef LSI_ENGINE_SWEEP_FAST_BLOCK_GATHER_H
#define LSI_ENGINE_SWEEP_FAST_BLOCK_GATHER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Integers that may alias any type, at any address. */
#define LSI_UNALIGNED __attribute__((may_alias, aligned(1)))
typedef uint8_t LSI_UNALIGNED lsi_bytes_1;
typedef uint16_t LSI_UNALIGNED lsi_bytes_2;
typedef uint32_t LSI_UNALIGNED lsi_bytes_4;
typedef uint64_t LSI_UNALIGNED lsi_bytes_8;
typedef struct {
	uint64_t half[2];
} LSI_UNALIGNED lsi_bytes_16;

/* The block sizes that have a special loop; other sizes use memcpy. */
#define LSI_FOR_SIZES(X) X(1) X(2) X(4) X(8) X(16)

/*
 * Blocks of n nodes.  Block j is at base + at[j] * by_rank; if `slot` is not NULL, it is
 * slot[shape[j]] * by_block bytes further.
 */
struct lsi_scattered_blocks {
	char *base;
	size_t by_rank, by_block;
	const uint32_t *at;
	const uint16_t *shape;
	const uint32_t *slot; /* by shape */
};

#define LSI_BLOCK_AT(size, p, j) \
	(*(lsi_bytes_##size *)(p->base + p->at[j] * p->by_rank + p->slot[p->shape[j]] * p->by_block))

#define LSI_DEFINE_GATHER(size) \
	static inline void lsi_gather_##size( \
		lsi_bytes_##size *restrict into, const struct lsi_scattered_blocks *p, int64_t n) \
	{ \
		const lsi_bytes_##size *const from = (const lsi_bytes_##size *)p->base; \
		const uint32_t *const at = p->at; \
\
		for (int64_t j = 0; j < n && !p->slot; j++) \
			into[j] = from[at[j]]; \
		for (int64_t j = 0; j < n && p->slot; j++) \
			into[j] = LSI_BLOCK_AT(size, p, j); \
	} \
	static inline void lsi_scatter_##size( \
		const struct lsi_scattered_blocks *p, const lsi_bytes_##size *restrict from, int64_t n) \
	{ \
		lsi_bytes_##size *const to = (lsi_bytes_##size *)p->base; \
		const uint32_t *const at = p->at; \
\
		for (int64_t j = 0; j < n && !p->slot; j++) \
			to[at[j]] = from[j]; \
		for (int64_t j = 0; j < n && p->slot; j++) \
			LSI_BLOCK_AT(size, p, j) = from[j]; \
	}
LSI_FOR_SIZES(LSI_DEFINE_GATHER)

static inline char *lsi_scattered_block_at(const struct lsi_scattered_blocks *p, int64_t j)
{
	return p->base + p->at[j] * p->by_rank + (p->slot ? p->slot[p->shape[j]] * p->by_block : 0);
}

#define LSI_GATHER_CASE(size) \
	case size: \
		lsi_gather_##size((lsi_bytes_##size *)into, p, n); \
		return;
#define LSI_SCATTER_CASE(size) \
	case size: \
		lsi_scatter_##size(p, (const lsi_bytes_##size *)from, n); \
		return;

static inline void lsi_gather_blocks(
	char *into, const struct lsi_scattered_blocks *p, int64_t n, size_t bytes)
{
	switch (p->slot || p->by_rank == bytes ? bytes : 0) {
		LSI_FOR_SIZES(LSI_GATHER_CASE)
	default:
		for (int64_t j = 0; j < n; j++)
			memcpy(into + (size_t)j * bytes, lsi_scattered_block_at(p, j), bytes);
	}
}

static inline void lsi_scatter_blocks(
	const struct lsi_scattered_blocks *p, const char *from, int64_t n, size_t bytes)
{
	switch (p->slot || p->by_rank == bytes ? bytes : 0) {
		LSI_FOR_SIZES(LSI_SCATTER_CASE)
	default:
		for (int64_t j = 0; j < n; j++)
			memcpy(lsi_scattered_block_at(p, j), from + (size_t)j * bytes, bytes);
	}
}

#endif
