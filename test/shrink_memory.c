/*
 * ls_shrink without memory returns LS_ERR_MEMORY at all nodes, which can call it again.  A recovery
 * frees all groups, also those of nodes that have ended.
 */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
/* nodes: threads fibers */
#include <inttypes.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/inject.h"
#include "test.h"

/* ---- No memory */

enum { NODES = 5, ALLOCATIONS = 40, DIES = 2 };

struct shortage {
	long long fatal;           /* the allocation that fails, after node 0 has begun to shrink */
	atomic_int got[2], agreed; /* nodes that got LS_OK or LS_ERR_MEMORY */
};

static int shrink_twice(ls_node *me, void *arg)
{
	struct shortage *s = arg;
	struct ls_error why = { .size = sizeof why };
	ls_node *group;
	int status;

	if (ls_rank(me) == DIES)
		return LS_OK;
	status = ls_barrier(me);
	CHECK(status == LS_ERR_LEFT, "%s: %s", guarded(), ls_status_name(status));
	if (ls_rank(me) == 0)
		arm(&memory_calls, s->fatal);
	status = ls_shrink(me, &group, &why);
	disarm();
	CHECK(!status || (status == LS_ERR_MEMORY && !group), "%s: %s", guarded(),
		ls_status_name(status));
	atomic_fetch_add(&s->got[status != LS_OK], 1);
	if (status) {
		CHECK(ls_barrier(me) == LS_ERR_LEFT, "%s: the machine runs", guarded());
		status = ls_shrink(me, &group, &why);
	}
	CHECK(!status && why.kind == LS_ERR_LEFT && why.peer == DIES && ls_size(group) == NODES - 1,
		"%s: again: %s: %s", guarded(), ls_status_name(status), why.text);
	return status ? status : add_ranks(group);
}

static void test_shortage(const ls_topology *t)
{
	const struct ls_machine_options options = { .size = sizeof options, .recover = true };
	int failures = 0;

	for (long long k = 1; k <= ALLOCATIONS; k++) {
		const long long before = atomic_load(&held);
		ls_machine *machine = machine_on(t, &options);
		struct shortage s = { .fatal = k };

		guard("no memory in ls_shrink: allocation %lld", k);
		must_run(machine, shrink_twice, &s);
		ls_machine_destroy(machine);
		CHECK(atomic_load(&s.got[0]) % (NODES - 1) == 0
				&& atomic_load(&s.got[0]) + atomic_load(&s.got[1]) == NODES - 1,
			"%s: %d nodes got memory", guarded(), atomic_load(&s.got[0]));
		CHECK(atomic_load(&held) == before, "%s: %lld pieces of memory leaked", guarded(),
			atomic_load(&held) - before);
		failures += atomic_load(&s.got[1]) > 0;
	}
	printf("%d of %d recoveries had no memory\n", failures, ALLOCATIONS);
	CHECK(failures > 2, "%d failures", failures);
}

/* ---- Groups of nodes that have ended */

enum { MANY = 16, FEW = 8 };

static long long first_held; /* pieces of memory after the first recovery, without handles */

/* In each step all have a group; its last node ends, and leaves its handles behind. */
static int split_and_end(ls_node *me, void *unused)
{
	struct ls_error why = { .size = sizeof why };
	ls_node *group = me, *sub;
	long long handles = 0;
	int failed = LS_OK;

	(void)unused;
	while (ls_size(group) > FEW && !failed) {
		const int64_t size = ls_size(group);

		failed = ls_split(group, 0, ls_rank(group), &sub);
		if (failed || ls_rank(group) == size - 1)
			return failed;
		failed = ls_split(sub, 0, 0, &group);
		CHECK(failed == LS_ERR_LEFT, "%s: %s", guarded(), ls_status_name(failed));
		failed = ls_shrink(sub, &group, &why);
		handles += 2 * size - 1;
		failed = failed ? failed : ls_next_round(group);
		if (!failed && ls_rank(group) == 0 && size == MANY)
			first_held = atomic_load(&held) - handles;
		CHECK(failed || ls_rank(group) != 0 || atomic_load(&held) - handles <= first_held,
			"%s: %lld pieces of memory after %" PRId64 " nodes have ended, %lld before", guarded(),
			atomic_load(&held) - handles, MANY - size + 1, first_held);
		failed = failed ? failed : ls_next_round(group); /* the others allocate nothing before */
	}
	return failed;
}

static void test_groups_of_ended(void)
{
	const struct ls_machine_options options = { .size = sizeof options, .recover = true };
	ls_topology *t = topology_of("hypercube:4");
	ls_machine *machine = machine_on(t, &options);

	guard("groups of nodes that have ended");
	must_run(machine, split_and_end, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

int main(void)
{
	ls_topology *t = topology_of("ring:5");

	test_shortage(t);
	test_groups_of_ended();
	ls_topology_destroy(t);
	return test_result();
}
