/*
 * Objects of the library as text.
 */
#ifndef LOCKSTEP_BASE_OBJECT_TEXT_H
#define LOCKSTEP_BASE_OBJECT_TEXT_H

#include <lockstep.h>

const char *claim_text(enum ls_claim); /* "rank-ordered" */
const char *mode_text(enum ls_mode);
const char *rounds_text(enum ls_rounds);

/* "24 nodes, degree 3, diameter 4, 36 links" */
void topology_text(const ls_topology *, char *text, size_t size);

/* "0110(6)"; "6" where the label is the rank.  As snprintf. */
int node_text(const ls_topology *, int64_t rank, char *text, size_t size);

#endif
