/*
 * A sweep in which the operand of every node is its rank.
 */
#ifndef LOCKSTEP_TEST_RANK_SWEEP_H
#define LOCKSTEP_TEST_RANK_SWEEP_H

#include <inttypes.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <lockstep/collective.h>
#include <lockstep/sweep.h>
#include "support/cells.h"
#include "support/guard.h"
#include "support/inject.h"
#include "test.h"

/* A sweep whose nodes have their rank as operand. */
struct rank_sweep {
	ls_topology *topology;
	ls_plan *plan;
	struct ls_sweep sweep;
	int64_t p;
};

static void put_rank(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	(void)context;
	for (size_t i = 0; i < n; i++)
		((int64_t *)into)[i] = rank + (int64_t)(first + i);
}

/* Operation, mode, algorithm and in place are those of the request. */
static struct rank_sweep rank_sweep_for(const char *spec, struct ls_request request)
{
	struct rank_sweep s = { .topology = topology_of(spec) };

	request.size = sizeof request;
	request.topology = s.topology;
	request.type = LS_INT64;
	request.count = 2;
	s.plan = plan_for(&request);
	s.p = ls_topology_nodes(s.topology);
	s.sweep = (struct ls_sweep){ .size = sizeof s.sweep,
		.plan = s.plan,
		.count = 2,
		.type = LS_INT64,
		.make = put_rank,
		.workers = 2 };
	return s;
}

static inline struct rank_sweep rank_sweep_make(
	const char *spec, enum ls_operation operation, enum ls_mode mode)
{
	return rank_sweep_for(spec, (struct ls_request){ .operation = operation, .mode = mode });
}

static void rank_sweep_end(struct rank_sweep *s)
{
	ls_plan_destroy(s->plan);
	ls_topology_destroy(s->topology);
}

static struct ls_sweep_result run_sweep(const struct ls_sweep *sweep, int want)
{
	struct ls_sweep_result out = { .size = sizeof out };
	const int status = ls_sweep_run(sweep, &out);

	CHECK(status == want && out.error.kind == want, "%s: %s, not %s: %s", guarded(),
		ls_status_name(status), ls_status_name(want), out.error.text);
	CHECK(want == LS_OK || (out.error.text[0] && !strchr(out.error.text, '\n')), "%s: no text",
		guarded());
	CHECK(out.stats.size == sizeof out.stats, "%s: sizes", guarded());
	return out;
}

#endif
