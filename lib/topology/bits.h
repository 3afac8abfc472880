/*
 * Labels of networks of 2^D nodes, D being the number of the spec: the bits of the rank, highest
 * first; the one node where D is 0 is "0".
 */
#ifndef LSI_TOPOLOGY_BITS_H
#define LSI_TOPOLOGY_BITS_H

#include "topology/topology_internal.h"

void lsi_bits_label(const struct ls_topology *, int64_t rank, char text[LSI_LABEL_MAX]);
int64_t lsi_bits_rank_of(const struct ls_topology *, const char *text);

#endif
