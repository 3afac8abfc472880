/*
 * The outcome of a run as text, CSV or JSON.
 */
#ifndef LOCKSTEP_RUN_OUTCOME_H
#define LOCKSTEP_RUN_OUTCOME_H

#include "base/execution.h"
#include "base/messages.h"
#include "base/output.h"
#include "base/query.h"
#include "base/shared_run.h"
#include "base/timing.h"
#include "report/blocked_nodes.h"
#include "report/format.h"
#include "report/text_table.h"

struct outcome {
	const struct query *query;
	const struct execution *how;
	const struct output *output;
	const ls_topology *topology;
	const ls_topology
		*ranks; /* whose ranks the processes divide: the guest of an embedding, else the same */
	const char *operation, *algorithm, *engine, *type;
	const char *embedding, *map; /* of a guest: a description; its map.  NULL: none */
	const char *op;              /* NULL: messages of a file, without operands and results */
	char title[200];             /* algorithm and source */
	char result_text[200];       /* what was verified: "sum of 24 values at every node" */
	const char *bound;           /* of errors: not verified bit for bit; NULL: it was */
	const char *formula;         /* of the rounds; NULL: none */
	const char *source;          /* of predicted counts: "predicted", "in the file" */
	int64_t root, shift;
	int64_t threads;        /* that ran the nodes; of a sweep: see below */
	bool shifts;            /* the operation has a distance */
	bool shared;            /* all results must be the same */
	size_t elements, bytes; /* of one contribution */
	struct ls_stats measured;
	struct ls_counts predicted;
	int64_t wrong; /* elements */
	const char
		*checked_operation;    /* of a trace: the operation that it should perform; NULL: none */
	struct ls_error violation; /* why it does not; kind LS_OK: it does */
	bool identical, ordered;
	struct timing timing;
	struct crossing crossing; /* of a shared run */

	bool sweeps; /* engine sweep; the next two hold then */
	struct ls_sweep_result sweep;
	const char *proof; /* its proof in words; NULL: nothing was proved */
	int signal;        /* the signal that ended a sweep, or 0 */

	int status; /* LS_OK, or why the machine stopped */
	struct ls_error error;
	struct blocked_nodes blocked; /* when it stopped */
};

/* Members of an element of `results`, as heads of a table. */
#define OUTCOME_HEADS \
	"operation", "algorithm", "engine", "nodes_as", "mode", "round_mode", "type", "op", "#root", \
		"#elements", "#bytes", "#ports", "#mailbox", "#workers", "#threads", "#rounds", \
		"#rounds_predicted", "#messages", "#messages_predicted", "#words", "#words_predicted", \
		"#max_link_load", "?identical", "?ordered", "#wrong", "status", "#time_ns.median", \
		"#time_ns.min", "#time_ns.mad", "#time_ns.runs", "#time_ns.lower_quartile", \
		"#time_ns.upper_quartile", "#bytes_per_second", "#shift", "map"
void outcome_cells(struct table *, const struct outcome *);
/* Further members of the engine sweep, after all others. */
#define SWEEP_HEADS "?proved", "#memory_bytes", "#total_ns"
void outcome_sweep_cells(struct table *, const struct outcome *);
/* "ok", "wrong", "interrupted", or why it stopped. */
const char *outcome_status(const struct outcome *);
void outcome_error_json(const struct outcome *, struct json *);

extern const struct format run_formats[];

bool outcome_is_ok(const struct outcome *);
void outcome_print(const struct outcome *);

#endif
