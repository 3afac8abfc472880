/*
 * What the processes of a world agree on: to start, after each step whether to go on, and at the
 * end the error and the counts.  With one process, these are the barriers of the workers.
 *
 * A process that has failed takes part in all exchanges until the next agreement, so that no
 * process waits for it.
 */
#ifndef LSI_ENGINE_SWEEP_SWEEP_AGREE_H
#define LSI_ENGINE_SWEEP_SWEEP_AGREE_H

#include "engine/sweep/sweep_rules.h"

/*
 * Before the first step: every process tells whether it is ready, and the processes compare what
 * they are going to execute.  True: all are ready; then the fingerprints of all have one seed.
 */
bool lsi_sweep_agree_start(struct lsi_sweep_state *, bool ready);

/* A barrier of the workers of all processes.  False: the sweep ends, in every process. */
bool lsi_sweep_meet(struct lsi_sweep_worker *);

/*
 * The barrier after the rules of a step were checked.  Also sums what all workers, with the parity
 * of the step, have counted.  False: the sweep ends, in every process.
 */
bool lsi_sweep_agree_step(
	struct lsi_sweep_worker *, int64_t step, int parity, struct lsi_step_sums *out);

/*
 * All workers, after the rules of a stage were checked: how many of its steps all processes accept.
 * On entry, *accepted is the number that this process accepts.  `crossing` (read from worker 0) is
 * the sum of the numbers of messages to other processes minus those from other processes; if the
 * total is not 0, no step is accepted.  False: the sweep ends, in every process.
 */
bool lsi_sweep_agree_stage(
	struct lsi_sweep_worker *, int64_t steps, uint64_t crossing, int64_t *accepted);

/*
 * Worker 0, after a barrier: sum numbers over all processes.  False: the transport failed; it is
 * reported.
 */
bool lsi_sweep_sum_numbers(struct lsi_sweep_worker *, uint64_t *, size_t n);

/* After the last step: all processes get the first error, and the counts of all. */
void lsi_sweep_agree_end(struct lsi_sweep_state *, struct ls_sweep_result *);

#endif
