/*
 * The pattern of recursive doubling: in round i the nodes whose ranks differ in bit i exchange.
 *
 *   round 0     round 1          round 2
 *   0 <-> 1     0 <-----> 2      0 <-------------> 4
 *   2 <-> 3       1 <-----> 3      1 <-------------> 5
 *   4 <-> 5     4 <-----> 6          2 <-------------> 6
 *   6 <-> 7       5 <-----> 7          3 <-------------> 7
 *
 * After round i a node has data of the 2^(i+1) ranks of its aligned block.  The upper node of a
 * pair is the one with bit i set; the data of its partner belong to lower ranks.
 */
#ifndef LSI_COLLECTIVE_EXCHANGE_DOUBLING_H
#define LSI_COLLECTIVE_EXCHANGE_DOUBLING_H

#include <stdbool.h>
#include <stdint.h>

static inline int64_t lsi_doubling_partner(int64_t rank, int64_t i)
{
	return rank ^ (int64_t)1 << i;
}

static inline bool lsi_doubling_is_upper(int64_t rank, int64_t i)
{
	return rank >> i & 1;
}

/* Round i repeats after this number of ranks. */
static inline int64_t lsi_doubling_period(int64_t i)
{
	return (int64_t)2 << i;
}

#endif
