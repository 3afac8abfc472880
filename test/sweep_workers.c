/*
 * Sweeps with more workers than nodes, two sweeps at the same time, and sweeps inside the nodes of
 * a machine.
 */
#include <inttypes.h>
#include <pthread.h>

#include <lockstep/collective.h>
#include <lockstep/sweep.h>

#include "rank_sweep.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

static int check_sum(void *context, int64_t rank, const void *result)
{
	const struct rank_sweep *s = context;
	const int64_t *x = result, sum = s->p * (s->p - 1) / 2;

	CHECK(x[0] == sum && x[1] == sum + s->p, "%s: node %" PRId64, guarded(), rank);
	return 0;
}

static void *sweep_often(void *context)
{
	const struct rank_sweep *s = context;

	for (int i = 0; i < 20; i++)
		run_sweep(&s->sweep, LS_OK);
	return NULL;
}

static int sweep_in_node(ls_node *me, void *context)
{
	const struct rank_sweep *s = context;

	run_sweep(&s->sweep, LS_OK);
	return ls_barrier(me);
}

static void test_beside(void)
{
	struct rank_sweep s = rank_sweep_make("star:5", LS_ALLREDUCE, LS_HOP);
	ls_topology *t = topology_of("ring:4");
	pthread_t other;

	s.sweep.take = check_sum;
	s.sweep.context = &s;
	guard("two sweeps at once");
	other = start_thread(sweep_often, &s);
	sweep_often(&s);
	pthread_join(other, NULL);

	guard("sweeps in the nodes of a machine");
	ls_machine *machine = machine_on(t, NULL);

	must_run(machine, sweep_in_node, &s);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
	rank_sweep_end(&s);
}

/* More workers than nodes, one node, as many as there are. */
static void test_workers(void)
{
	static const struct {
		const char *spec;
		int workers, most;
	} few[] = { { "ring:1", 5, 1 }, { "ring:1", 0, 1 }, { "linear:2", 7, 2 }, { "star:3", 100, 6 },
		{ "star:4", 24, 24 }, { "star:5", 0, 120 } };

	for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
		struct rank_sweep s = rank_sweep_make(few[i].spec, LS_ALLREDUCE, LS_HOP);
		struct ls_sweep_result out;

		guard("%d workers on %s", few[i].workers, few[i].spec);
		s.sweep.workers = few[i].workers;
		s.sweep.take = check_sum;
		s.sweep.context = &s;
		out = run_sweep(&s.sweep, LS_OK);
		CHECK(out.workers >= 1 && out.workers <= few[i].most
				&& (few[i].workers == 0 || few[i].workers >= few[i].most
					|| out.workers == few[i].workers),
			"%s: %d", guarded(), out.workers);
		CHECK(out.proved && out.seconds <= out.seconds_total, "%s: times", guarded());
		rank_sweep_end(&s);
	}
}

int main(void)
{
	test_workers();
	test_beside();
	return test_result();
}
