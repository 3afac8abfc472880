/*
 * Embeddings inside.
 */
#ifndef LS_TOPOLOGY_EMBEDDING_H
#define LS_TOPOLOGY_EMBEDDING_H

#include <lockstep/embedding.h>

struct ls_embedding {
	const ls_topology *guest, *host;
	int64_t *place;                   /* by node of the guest                             */
	int64_t *rank;                    /* by node of the host; LS_NOBODY: no guest is there */
	int64_t dilation, congestion;
	uint64_t fingerprint;             /* of the guest's spec and the places               */
};

#endif
