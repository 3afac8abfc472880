/*
 * Writing a step: the helpers with which algorithm files state the actions of a node.
 *
 * A step starts idle (lsi_step_clear); each helper adds one thing.  Port 0 unless said otherwise.
 */
#ifndef LSI_PLAN_STEP_H
#define LSI_PLAN_STEP_H

#include <lockstep/plan.h>

static inline struct ls_slice lsi_blocks(int buffer, int64_t first, int64_t run)
{
	struct ls_slice s = { first, run, 0, 1, 0, NULL, { NULL }, { 0 }, (uint8_t)buffer };

	return s;
}

static inline struct ls_slice lsi_block(int buffer, int64_t block)
{
	return lsi_blocks(buffer, block, 1);
}

/* A run that wraps round inside the aligned period of `cycle` blocks that holds first. */
static inline struct ls_slice lsi_cyclic(int buffer, int64_t first, int64_t run, int64_t cycle)
{
	struct ls_slice s = { first, run, 0, 1, cycle, NULL, { NULL }, { 0 }, (uint8_t)buffer };

	return s;
}

static inline struct ls_slice lsi_strided(
	int buffer, int64_t first, int64_t run, int64_t stride, int64_t runs)
{
	struct ls_slice s = { first, run, stride, runs, 0, NULL, { NULL }, { 0 }, (uint8_t)buffer };

	return s;
}

/* Exactly the n blocks that index lists; index belongs to the plan. */
static inline struct ls_slice lsi_indexed(int buffer, const int64_t *index, int64_t n)
{
	struct ls_slice s = { 0, n, 0, 1, 0, index, { NULL }, { 0 }, (uint8_t)buffer };

	return s;
}

/* The slice with its numbers mapped for node `by`; the map belongs to the plan. */
static inline struct ls_slice lsi_mapped(
	struct ls_slice slice, const struct ls_block_map *map, int64_t by)
{
	int i = 0;

	while (slice.map[i])
		i++;
	slice.map[i] = map;
	slice.by[i] = by;
	return slice;
}

static inline void lsi_step_clear(struct ls_step *step)
{
	step->ports = 0;
	step->n_moves = 0;
}

/* Make port q exist, idle. */
static inline void lsi_step_port(struct ls_step *step, int q)
{
	for (; step->ports <= q; step->ports++) {
		step->to[step->ports] = step->from[step->ports] = LS_NO_RANK;
		step->send[step->ports] = lsi_blocks(LS_INPUT, 0, 0);
		step->arrives[step->ports] = 0;
	}
}

static inline void lsi_step_send_on(struct ls_step *step, int q, struct ls_slice slice)
{
	lsi_step_port(step, q);
	step->send[q] = slice;
}

static inline void lsi_step_receive_on(struct ls_step *step, int q, int64_t blocks)
{
	lsi_step_port(step, q);
	step->arrives[q] = blocks;
}

static inline void lsi_step_send(struct ls_step *step, struct ls_slice slice)
{
	lsi_step_send_on(step, 0, slice);
}

static inline void lsi_step_receive(struct ls_step *step, int64_t blocks)
{
	lsi_step_receive_on(step, 0, blocks);
}

/* All blocks that arrive on a port. */
static inline struct ls_slice lsi_arrival_on(const struct ls_step *step, int q)
{
	return lsi_blocks(LS_ARRIVAL + q, 0, step->arrives[q]);
}

static inline struct ls_slice lsi_arrival(const struct ls_step *step)
{
	return lsi_arrival_on(step, 0);
}

static inline void lsi_step_copy(struct ls_step *step, struct ls_slice dst, struct ls_slice a)
{
	step->move[step->n_moves++] = (struct ls_move){ LS_COPY, dst, a, { 0 } };
}

static inline void lsi_step_combine(
	struct ls_step *step, struct ls_slice dst, struct ls_slice a, struct ls_slice b)
{
	step->move[step->n_moves++] = (struct ls_move){ LS_COMBINE, dst, a, b };
}

static inline void lsi_step_fold(struct ls_step *step, struct ls_slice dst, struct ls_slice a)
{
	step->move[step->n_moves++] = (struct ls_move){ LS_FOLD, dst, a, { 0 } };
}

/*
 * Storage of the k-th of K + 1 successive values of one block: k = 0 is INPUT, k = K is OUTPUT, and
 * successive values have different storage (law 4).  Uses scratch 0, and in place scratch 1 too.
 * K = 1 in place: the caller begins with a local step that copies INPUT to scratch 0, and sends
 * that.
 */
static inline int lsi_alternating_buffer(int64_t k, int64_t K, bool in_place)
{
	if (k == 0)
		return LS_INPUT;
	if (k == K)
		return LS_OUTPUT;
	if (in_place)
		return k % 2 ? LS_SCRATCH : LS_SCRATCH + 1;
	return (K - k) % 2 ? LS_SCRATCH : LS_OUTPUT;
}

#endif
