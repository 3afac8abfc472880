/*
 * The representation of an embedding: a map of guest nodes to distinct host nodes.
 */
#ifndef LSI_TOPOLOGY_EMBEDDING_INTERNAL_H
#define LSI_TOPOLOGY_EMBEDDING_INTERNAL_H

#include <lockstep/embedding.h>

struct ls_embedding {
	const ls_topology *guest, *host;
	int64_t *host_rank;  /* by rank of the guest */
	int64_t *guest_rank; /* by rank of the host; LS_NO_RANK: unused */
	int64_t dilation, congestion;
	uint64_t fingerprint; /* of the guest's spec and host_rank */
};

#endif
