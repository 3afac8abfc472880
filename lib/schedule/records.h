/*
 * Records: schedules of the fewest rounds that earlier searches found.  The algorithm `found` makes
 * plans of them.
 *
 * A record holds for its network, with one port in hop mode, and for all operations of the same
 * goal.  Like a model of the solver, its schedule counts only if it reaches the goal.  Its bound is
 * proved by test/find_records.c: by a refutation in test/data/refutations, or because the bound is
 * the known one.
 *
 *   network  a spec; of a graph "graph:" and the name of its file, without folders
 *   edges    64 bits of checksum of the nodes and all links of a graph, which identify it; other
 *            networks: 0
 *   sum      checksum of the other fields
 *   links    T rounds of one letter for each node: the link over which it receives, 0 .. 9 a .. z;
 *            '.': none.  Empty: the record states only a bound
 *
 * The records of the tree are a table.  A topology may have records of its user, too: their
 * plans are proved before they serve, and their bounds do not count.
 */
#ifndef LSI_SCHEDULE_RECORDS_H
#define LSI_SCHEDULE_RECORDS_H

#include "schedule/link_schedule.h"
#include "topology/kept.h"

enum { LSI_RECORD_LINKS = 36 };

struct lsi_schedule_record {
	const char *network;
	enum ls_operation operation;
	int root, shift, rounds, bound;
	uint64_t seed;
	uint64_t edges;
	uint32_t sum;
	const char *links;
};

extern const struct lsi_schedule_record lsi_schedule_records[]; /* the last one has no network */

uint32_t lsi_schedule_record_sum(const struct lsi_schedule_record *);

/* Whether a record is one of this network. */
bool lsi_schedule_record_is_of(const struct lsi_schedule_record *, const struct ls_topology *);

/*
 * The record with the fewest rounds of the goal of a request, from the table or the records of the
 * topology; NULL: there is none, or the request is not for one port in hop mode.
 */
const struct lsi_schedule_record *lsi_schedule_record_of(const struct ls_request *);

/* The bound that the table has for the goal of a request; 0: it has none. */
int lsi_schedule_record_bound(const struct ls_request *);

/*
 * The links of a record as a schedule, in used[0 .. rounds * arcs->count - 1].  False: a letter is
 * no link, or the record has another number of letters.
 */
bool lsi_schedule_record_read(
	const struct lsi_schedule_record *, const struct lsi_arcs *, bool *used);

/* ---- Records as text, as rows of records.inc */

/* Whether each link that is used has a letter: a node has at most LSI_RECORD_LINKS links. */
bool lsi_schedule_has_letters(const struct lsi_link_schedule *);
/*
 * The text of a record of a schedule that has letters; without links if the schedule is NULL.
 * Returns NULL: no memory.  The caller frees it by lsi_free.
 */
char *lsi_schedule_record_text(const struct ls_request *, const struct lsi_link_schedule *,
	int rounds, int bound, uint64_t seed);

/*
 * Whether the plan of a request by the schedule of a record obeys every law; LS_OK, LS_ERR_LAW,
 * LS_ERR_MEMORY.
 */
typedef int lsi_record_proof(const struct ls_request *, const struct lsi_link_schedule *,
	const struct lsi_goal *, struct ls_error *why_or_null);

/*
 * Records that are kept with a topology, and own their texts.  lsi_records_parse makes them of a
 * text of rows, with kept.make and kept.key set.
 */
struct lsi_record_list {
	struct lsi_kept kept;
	lsi_record_proof *proof;
	int count;
	struct lsi_schedule_record record[]; /* count of them, then their texts */
};

/* How plans of a record are proved before they serve; NULL: it is of the table. */
lsi_record_proof *lsi_schedule_record_proof(
	const struct ls_topology *, const struct lsi_schedule_record *);

/* NULL: no memory, or row *wrong, counted from 1, cannot be read. */
struct lsi_record_list *lsi_records_parse(const char *text, int *wrong);

#endif
