/*
 * Proof: fingerprints of contributions go through the plan beside the data, and in the end each
 * result is compared with what the operation defines.
 *
 * What a fingerprint tells is the plan's claim:
 *
 *   ordered       the arc of ranks whose contributions it holds, one after another, modulo 2^32
 *   commutative,  sum mod 2^64 of a number for each contribution
 *   move
 *   idempotent    of 64 ranks a bit each: all, or where there are more drawn at random
 */
#ifndef LS_ENGINE_SWEEP_PROOF_H
#define LS_ENGINE_SWEEP_PROOF_H

#include "engine/sweep.h"

/* Its kernel and its operands. */
void ls_proof_lane(struct ls_sweeping *, struct ls_lane *);
/* Of s->sums. */
size_t ls_proof_bytes(const struct ls_sweeping *);
/* Draw numbers. */
void ls_proof_begin(struct ls_sweeping *);
/* Compare the results of this worker's nodes, meetings included; false: the sweep ends. */
bool ls_proof_hold(struct ls_sweep_worker *);
/* Whether all contributions were looked at. */
bool ls_proof_is_whole(const struct ls_sweeping *);

#endif
