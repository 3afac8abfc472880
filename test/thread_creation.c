/*
 * The creation of the k-th thread of a run fails: ls_run names it, the threads before it have
 * ended, no node has run, and the same machine runs afterwards.  Every k on small machines, the
 * first, second, middle and last ones on machines of up to 5,040 nodes.
 */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
/* variants: release checked asan tsan */
#include <inttypes.h>
#include <string.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/inject.h"
#include "test.h"

enum { ALL_UP_TO = 17 }; /* nodes up to which every thread fails once */

static atomic_llong nodes_run;

static int count(ls_node *me, void *unused)
{
	(void)me;
	(void)unused;
	atomic_fetch_add(&nodes_run, 1);
	return LS_OK;
}

static void test_failure(ls_machine *machine, int64_t p, int64_t k)
{
	struct ls_error error = { .size = sizeof error };
	const int threads = threads_alive();
	char named[64];

	guard("thread %" PRId64 " of %" PRId64, k, p);
	snprintf(named, sizeof named, "thread %" PRId64 " of %" PRId64 " ", k, p);
	atomic_store(&nodes_run, 0);
	arm(&thread_calls, k);

	const int status = ls_run(machine, count, NULL);

	disarm();
	ls_last_error(machine, &error);
	CHECK(status == LS_ERR_THREADS, "%s: %s", guarded(), ls_status_name(status));
	CHECK(strstr(error.text, named), "%s: the error does not name it: %s", guarded(), error.text);
	CHECK(atomic_load(&nodes_run) == 0, "%s: %lld nodes ran", guarded(), nodes_run);
	CHECK(threads_end(threads), "%s: %d threads are left", guarded(), threads_alive());
	must_run(machine, count, NULL);
	CHECK(atomic_load(&nodes_run) == p, "%s: then %lld nodes ran", guarded(), nodes_run);
}

static void test_machine(const char *spec)
{
	ls_topology *t = topology_of(spec);
	const struct ls_machine_options options = { .size = sizeof options };
	ls_machine *machine = machine_on(t, &options);
	const int64_t p = ls_topology_nodes(t), some[] = { 1, 2, p / 2, p - 1, p };

	for (int64_t k = 1; p <= ALL_UP_TO && k <= p; k++)
		test_failure(machine, p, k);
	for (size_t i = 0; p > ALL_UP_TO && i < sizeof some / sizeof *some; i++)
		test_failure(machine, p, some[i]);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

int main(void)
{
	static const char *const small[] = { "ring:2", "star:3", "hypercube:3", "complete:17" };

	for (size_t i = 0; i < sizeof small / sizeof *small; i++)
		test_machine(small[i]);
	test_machine("hypercube:7");
	test_machine("star:6");
	if (!is_fast())
		test_machine("star:7");
	return test_result();
}
