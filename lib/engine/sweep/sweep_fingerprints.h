/*
 * Proof of results by fingerprints.
 *
 * Each contribution to a result has a random number, its fingerprint.  The sweep executes the plan
 * on fingerprints as it does on data: it copies them where the plan copies, and combines them where
 * the plan combines.  At the end, each result must have the fingerprint that follows from the
 * definition of the operation.
 *
 * The claim of the plan decides what a fingerprint is:
 *
 *   ordered              an arc: the consecutive ranks whose contributions the value holds, as
 *                        points of a circle (sweep_fingerprints.c)
 *   commutative, move    the sum modulo 2^64 of one random number for each contribution
 *   idempotent           one bit for each of 64 ranks: all ranks, or 64 random ones if there are
 *                        more
 */
#ifndef LSI_ENGINE_SWEEP_SWEEP_FINGERPRINTS_H
#define LSI_ENGINE_SWEEP_SWEEP_FINGERPRINTS_H

#include "engine/sweep/sweep_internal.h"

/* Set the operator of the fingerprints, and the function that makes their operands. */
void lsi_fingerprints_payload(struct lsi_sweep_state *, struct lsi_payload *);
/* The size of s->sums. */
size_t lsi_fingerprints_bytes(const struct lsi_sweep_state *);
/* Choose the random numbers of a sweep. */
void lsi_fingerprints_begin(struct lsi_sweep_state *);
/* Check the results of this worker's nodes.  Includes all barriers.  False: the sweep ends. */
bool lsi_fingerprints_check(struct lsi_sweep_worker *);
/* Whether the proof covers all contributions. */
bool lsi_fingerprints_are_complete(const struct lsi_sweep_state *);

#endif
