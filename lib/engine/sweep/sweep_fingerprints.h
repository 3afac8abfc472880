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
#ifndef LSI_ENGINE_SWEEP_SWEEP_FINGERPRINTS_H
#define LSI_ENGINE_SWEEP_SWEEP_FINGERPRINTS_H

#include "engine/sweep/sweep_internal.h"

/* Its kernel and its operands. */
void lsi_fingerprints_payload(struct lsi_sweep_state *, struct lsi_payload *);
/* Of s->sums. */
size_t lsi_fingerprints_bytes(const struct lsi_sweep_state *);
/* Draw numbers. */
void lsi_fingerprints_begin(struct lsi_sweep_state *);
/* Compare the results of this worker's nodes, meetings included; false: the sweep ends. */
bool lsi_fingerprints_check(struct lsi_sweep_worker *);
/* Whether all contributions were looked at. */
bool lsi_fingerprints_are_complete(const struct lsi_sweep_state *);

#endif
