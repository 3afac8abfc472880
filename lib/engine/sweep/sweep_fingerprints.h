/*
 * Proof of results by fingerprints.
 *
 * Each contribution to a result has a random number, its fingerprint.  Fingerprints pass through
 * the plan together with the data: they are copied where data is copied, and combined where data is
 * combined.  In the end each result must have the fingerprint that the operation defines.
 *
 * The claim of the plan decides how fingerprints are combined:
 *
 *   ordered       an arc: the ranks whose contributions the value holds, in order, modulo 2^32
 *   commutative,  the sum modulo 2^64 of one random number for each contribution
 *   move
 *   idempotent    one bit for each of 64 ranks: all ranks, or 64 at random where there are more
 */
#ifndef LSI_ENGINE_SWEEP_SWEEP_FINGERPRINTS_H
#define LSI_ENGINE_SWEEP_SWEEP_FINGERPRINTS_H

#include "engine/sweep/sweep_internal.h"

/* Set the kernel of the fingerprints, and the function that makes operands. */
void lsi_fingerprints_payload(struct lsi_sweep_state *, struct lsi_payload *);
/* The size of s->sums. */
size_t lsi_fingerprints_bytes(const struct lsi_sweep_state *);
/* Choose the random numbers of a sweep. */
void lsi_fingerprints_begin(struct lsi_sweep_state *);
/* Check the results of this worker's nodes, with all barriers; false: the sweep ends. */
bool lsi_fingerprints_check(struct lsi_sweep_worker *);
/* Whether the proof covers all contributions. */
bool lsi_fingerprints_are_complete(const struct lsi_sweep_state *);

#endif
