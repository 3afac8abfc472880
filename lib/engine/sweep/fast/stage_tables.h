/* Which steps execute together in a stage, and the memory of its tables. */
#ifndef LSI_ENGINE_SWEEP_FAST_STAGE_TABLES_H
#define LSI_ENGINE_SWEEP_FAST_STAGE_TABLES_H

#include "engine/sweep/fast/sweep_fast.h"

enum { LSI_TABLE_STEPS = 1 << 20 }; /* longer plans have no stages of several steps */

/* Consecutive steps. All their messages stay in aligned blocks of `tile` ranks; 0: no limit. */
struct lsi_stage_steps {
	int64_t first, steps, tile;
};

int64_t lsi_stage_round(const struct lsi_sweep_state *, int64_t step);
/* The maximum of ranks in a tile; 0: no tiles. */
int64_t lsi_stage_tile(const struct lsi_sweep_state *);
/* The stage that begins with a step; all processes have the same stages. */
struct lsi_stage_steps lsi_stage_at(const struct lsi_sweep_state *, int64_t tile, int64_t step);

/* Lay out the tables of a stage; `steps` NULL: only count their bytes. */
void lsi_stage_layout(const struct lsi_sweep_state *, struct lsi_stage_steps,
	struct lsi_peer_table *steps, struct lsi_memory_layout *);
/* The bytes of the tables of a stage; of the largest stage. */
size_t lsi_stage_bytes(const struct lsi_sweep_state *, struct lsi_stage_steps);
size_t lsi_stage_bytes_most(const struct lsi_sweep_state *);

#endif
