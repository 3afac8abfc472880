/*
 * Embeddings inside.
 */
#ifndef LSI_TOPOLOGY_EMBEDDING_INTERNAL_H
#define LSI_TOPOLOGY_EMBEDDING_INTERNAL_H

#include <lockstep/embedding.h>

struct ls_embedding {
	const ls_topology *guest, *host;
	int64_t *place; /* by node of the guest */
	int64_t *rank;  /* by node of the host; LS_NO_RANK: no guest is there */
	int64_t dilation, congestion;
	uint64_t fingerprint; /* of the guest's spec and the places */
};

#endif
