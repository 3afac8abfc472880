/*
 * The tables of a plan's stages, kept with the plan for its next sweep.
 *
 * A plan never changes.  So a small plan whose stages all suited the fast path needs its rules
 * checked, its tables built and its crossing messages listed once.  The next sweep with equal
 * numbers of elements, workers and processes only moves the data, and agrees on no stage.  Its
 * operands and results may be elsewhere.  Nothing is kept if the caller limits the memory, or
 * traces, nor for a plan along one tree.
 *
 *     first sweep    stage 0: build, check, agree, keep, move | stage 1: .. | keep with the plan
 *     next sweep     all processes have them: move            | move        | keep with the plan
 *
 * Several processes use kept tables only if those of all come from one sweep: they agree on its
 * seed at the start.
 */
#ifndef LSI_ENGINE_SWEEP_FAST_KEPT_TABLES_H
#define LSI_ENGINE_SWEEP_FAST_KEPT_TABLES_H

#include "engine/sweep/fast/sweep_fast.h"

/* A stage: its first step is its index among the stages of a plan. */
struct lsi_kept_stage {
	int64_t steps, tile;              /* steps 0: no stage begins here */
	struct lsi_peer_table *table;     /* by step */
	char *memory;                     /* of the tables */
	struct lsi_crossing_lists *lists; /* NULL: no message crosses */
};

struct lsi_kept_tables {
	struct lsi_plan_state state; /* first: both have one address */
	struct lsi_kept_key {
		int64_t processes, process, workers, tile;
		size_t block[LSI_PAYLOADS]; /* bytes */
	} key;
	int64_t id;       /* of the sweep that made them; 0: none has */
	int most_workers; /* of a process of that sweep */
	bool incomplete;  /* too large, or no memory */
	size_t bytes;     /* of all stages */
	int64_t steps;
	char *chunks; /* memory of streams between processes */
	size_t chunk_bytes;
	struct lsi_kept_stage stage[];
};

/* Those kept with the plan; else empty ones.  NULL: no memory, or the plan does not suit. */
struct lsi_kept_tables *lsi_kept_tables_take(const struct lsi_sweep_state *, int64_t tile);
/* After a sweep: keep them with the plan if it succeeded. */
void lsi_kept_tables_return(const struct lsi_sweep_state *, struct lsi_kept_tables *);

/* Empty them, for the sweep `id`. */
void lsi_kept_tables_begin(struct lsi_kept_tables *, int64_t id, int most_workers);
/* Memory for the tables of the stage that begins with a step; NULL: it cannot be kept. */
char *lsi_kept_tables_reserve(struct lsi_kept_tables *, int64_t first, size_t bytes);
/*
 * Worker 0, when a stage is over: keep it, with copies of its tables and of the lists of nodes
 * whose messages cross.
 */
void lsi_kept_tables_add(
	const struct lsi_sweep_state *, struct lsi_kept_tables *, int64_t first, struct lsi_kept_stage);

#endif
