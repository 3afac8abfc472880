/*
 * Reading proofs in the form DRAT: clauses that are added or deleted, as text or binary.
 *
 *   text      "1 -2 0" adds a clause, "d 1 -2 0" deletes it, a line "c .." is a comment
 *   binary    'a' or 'd', then 2 * variable + sign of each literal, 7 bits per byte, then 0
 */
#ifndef LSI_FIND_PROOF_READER_H
#define LSI_FIND_PROOF_READER_H

#include <stdbool.h>
#include <stddef.h>

struct lsi_proof_reader {
	const char *at, *end;
	bool binary;
	bool is_broken; /* unreadable, or no_memory */
	bool no_memory;
	bool deletes; /* the clause that was read last */
	int *literal; /* its literals */
	size_t count, room;
};

void lsi_proof_open(struct lsi_proof_reader *, const char *proof, size_t bytes);
/* Read the next clause.  False: there is none, or the proof is broken. */
bool lsi_proof_next(struct lsi_proof_reader *);
void lsi_proof_close(struct lsi_proof_reader *);

#endif
