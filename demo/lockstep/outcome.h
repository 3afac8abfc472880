/*
 * What a run came to, and how it is told: text, CSV, JSON.
 */
#ifndef LOCKSTEP_OUTCOME_H
#define LOCKSTEP_OUTCOME_H

#include "tool.h"

struct timing {
	int64_t median, min, mad;
	size_t runs;
}; /* ns; mad: median absolute deviation */

struct outcome {
	const struct options *options;
	const ls_topology *topology;
	const char *operation, *algorithm, *type;
	const char *embedding, *map;    /* of a guest: in words; its map.  NULL: none          */
	const char *op;                 /* NULL: messages of a file, with no operands nor result */
	char title[200];                /* algorithm and source, for people                   */
	char what[200];                 /* what was verified: "sum of 24 values at every node" */
	const char *formula;            /* of the rounds; NULL: none                           */
	const char *foreseen;           /* where predicted counts come from: "predicted"       */
	int64_t root, shift;
	bool shifts;                    /* the distance means something                        */
	bool shared;                    /* all results are to be the same                      */
	size_t elements, bytes;         /* of one contribution                                 */
	struct ls_stats measured;
	struct ls_counts predicted;
	int64_t wrong;                  /* elements                                            */
	bool identical, ordered;
	struct timing timing;

	int status;                     /* LS_OK, or why the machine stopped                   */
	struct ls_error error;
	const ls_machine *machine;      /* that stopped, for its roll call                     */
};

bool outcome_right(const struct outcome *);
void outcome_print(const struct outcome *);

struct timing timing_of(int64_t *times, size_t runs);

#endif
