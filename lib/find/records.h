/*
 * Records: schedules of the fewest rounds that earlier searches found.  They serve where no solver
 * is there, and where its budget ends.
 *
 * A record holds for its network, with one port in hop mode, and for all operations of the same
 * goal.  Like a model of the solver, its schedule counts only if it reaches the goal.  Its bound is
 * proved by test/find_records.c: by a refutation in test/data/refutations, or because the bound is
 * the known one.
 *
 *   links   T rounds of one letter for each node: the link over which it receives, 0 .. 9 a .. z;
 *           '.': none
 *   sum     checksum of the other fields
 */
#ifndef LSI_FIND_RECORDS_H
#define LSI_FIND_RECORDS_H

#include "find/link_schedule.h"

enum { LSI_FIND_RECORD_LINKS = 36 };

struct lsi_find_record {
	const char *network;
	enum ls_operation operation;
	int root, shift, rounds, bound;
	uint64_t seed;
	const char *links;
	uint32_t sum;
};

extern const struct lsi_find_record lsi_find_records[]; /* the last one has no network */

uint32_t lsi_find_record_sum(const struct lsi_find_record *);

/* The record that serves a request with this goal; NULL: there is none. */
const struct lsi_find_record *lsi_find_record_of(
	const struct ls_request *, const struct lsi_goal *, int nodes);

/*
 * The links of a record as a schedule, in used[0 .. rounds * arcs->count - 1].  False: a letter is
 * no link, or the record has another number of letters.
 */
bool lsi_find_record_read(const struct lsi_find_record *, const struct lsi_arcs *, bool *used);

/*
 * The text of a record of a schedule, as a row of records.inc; NULL: no memory, or a node has more
 * than LSI_FIND_RECORD_LINKS links.  The caller frees it by lsi_free.
 */
char *lsi_find_record_text(
	const struct ls_request *, const struct lsi_link_schedule *, int bound, uint64_t seed);

#endif
