/*
 * Readers of the list of what is down, while it changes: inside a read section no list is older
 * than one grace period.  A list that the library frees gets a mark here, and is freed at the end;
 * a reader that finds the mark reads a list whose grace period is over.
 *
 * Two planted faults must be found: a change that waits for no grace period, and a reader that
 * leaves its section in the middle of its reads.  In a checked build, a section that nests or spans
 * a wait ends the process.
 */
/* link: -Wl,--wrap=lsi_links_free,--wrap=lsi_rcu_wait */
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/futex.h"
#include "base/rcu.h"
#include "machine/live_paths.h"
#include "machine/machine_types.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

void __real_lsi_links_free(struct lsi_links *);
void __real_lsi_rcu_wait(void);

enum fault { NO_FAULT, NO_GRACE_PERIOD, READER_LEAVES };
enum { READERS = 2, LOOKS = 6, LISTS = 1 << 16 };
static const uint64_t OLD = (uint64_t)1 << 63; /* in the number of links of a list */

static struct {
	ls_machine *machine;
	enum fault fault;
	struct lsi_links *freed[LISTS];
	int lists;
	atomic_bool over;
	atomic_llong reads, lists_read, old;
} torture;

/* The number of links of a list, with the mark. */
static uint64_t links_of(struct lsi_links *links)
{
	return __atomic_load_n(&links->n, __ATOMIC_RELAXED);
}

void __wrap_lsi_links_free(struct lsi_links *);
void __wrap_lsi_links_free(struct lsi_links *links)
{
	if (!links || !torture.machine) {
		__real_lsi_links_free(links);
		return;
	}
	CHECK(torture.lists < LISTS, "%d lists", torture.lists);
	torture.freed[torture.lists++] = links;
	__atomic_fetch_or(&links->n, OLD, __ATOMIC_RELAXED);
}

void __wrap_lsi_rcu_wait(void);
void __wrap_lsi_rcu_wait(void)
{
	if (torture.fault != NO_GRACE_PERIOD)
		__real_lsi_rcu_wait();
}

static void read_list(void)
{
	lsi_rcu_enter();

	struct lsi_links *links = lsi_load(&torture.machine->links, acquire);
	bool old = false;

	if (torture.fault == READER_LEAVES) {
		lsi_rcu_leave();
		sched_yield();
		lsi_rcu_enter();
	}
	for (int i = 0; i < LOOKS && links; i++) {
		old |= (links_of(links) & OLD) != 0;
		sched_yield(); /* the list may be replaced meanwhile */
	}
	lsi_rcu_leave();
	atomic_fetch_add(&torture.reads, 1);
	atomic_fetch_add(&torture.lists_read, links != NULL);
	atomic_fetch_add(&torture.old, old);
}

static void *read_lists(void *unused)
{
	lsi_rcu_register(false);
	while (!atomic_load(&torture.over))
		read_list();
	lsi_rcu_unregister(false);
	return unused;
}

/*
 * One link stays down.  Others go down and come up, one at a time, until this many changes are
 * made, or a planted fault was found.
 */
static void torture_readers(enum fault fault, int changes)
{
	ls_topology *t = topology_of("hypercube:3");
	pthread_t reader[READERS];

	torture.machine =
		machine_on(t, &(struct ls_machine_options){ .size = sizeof(struct ls_machine_options) });
	torture.fault = fault;
	torture.lists = 0;
	atomic_store(&torture.over, false);
	atomic_store(&torture.reads, 0);
	atomic_store(&torture.lists_read, 0);
	atomic_store(&torture.old, 0);
	CHECK(ls_link_set(torture.machine, 0, 4, false) == LS_OK, "down");
	for (int i = 0; i < READERS; i++)
		reader[i] = start_thread(read_lists, NULL);
	for (int k = 0; k < changes && (fault == NO_FAULT || !atomic_load(&torture.old)); k++) {
		const int64_t u = k / 2 % 8, v = u ^ 1 << k / 16 % 2;

		CHECK(ls_link_set(torture.machine, u, v, k % 2) == LS_OK, "change %d", k);
		sched_yield();
	}
	while (fault == NO_FAULT && atomic_load(&torture.lists_read) == 0)
		sched_yield();
	atomic_store(&torture.over, true);
	for (int i = 0; i < READERS; i++)
		pthread_join(reader[i], NULL);
}

static void end_torture(void)
{
	const ls_topology *t = torture.machine->topology;

	ls_machine_destroy(torture.machine);
	torture.machine = NULL;
	for (int i = 0; i < torture.lists; i++) {
		torture.freed[i]->n &= ~OLD;
		__real_lsi_links_free(torture.freed[i]);
	}
	ls_topology_destroy((ls_topology *)(uintptr_t)t);
}

static void test_ages(void)
{
	guard("lists that change");
	torture_readers(NO_FAULT, getenv("LS_LONG") ? LISTS / 2 : is_fast() ? 60 : 600);
	CHECK(atomic_load(&torture.old) == 0, "%lld of %lld reads saw an old list",
		(long long)torture.old, (long long)torture.reads);
	printf("%lld reads, %lld of a list, of %d lists: none was old\n", (long long)torture.reads,
		(long long)torture.lists_read, torture.lists);
	end_torture();
}

static void test_fault(enum fault fault, const char *name)
{
	guard("%s", name);
	torture_readers(fault, LISTS);
	CHECK(atomic_load(&torture.old) > 0, "%s: not found in %lld reads", name,
		(long long)torture.reads);
	end_torture();
}

#ifdef LSI_CHECKED
static void nest(void)
{
	lsi_rcu_enter();
	lsi_rcu_enter();
}

static void wait_inside(void)
{
	LSI_ATOMIC(uint32_t) word = 1;

	lsi_rcu_enter();
	lsi_futex_wait(&word, 0, 0);
}

static void wait_for_readers(void)
{
	lsi_rcu_enter();
	lsi_rcu_wait();
}

static void in_turn(void)
{
	LSI_ATOMIC(uint32_t) word = 1;

	for (int i = 0; i < 2; i++) {
		lsi_rcu_enter();
		lsi_rcu_leave();
		lsi_futex_wait(&word, 0, 0);
	}
}

/* Does a process that does this end by abort? */
static bool aborts(void (*act)(void))
{
	const pid_t child = fork();
	int status = 0;

	if (child == 0) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		signal(SIGABRT, SIG_DFL);
		lsi_rcu_register(false);
		act();
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child, "no child");
	CHECK(WIFSIGNALED(status) || WEXITSTATUS(status) == 0, "exit %d", WEXITSTATUS(status));
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void test_sections(void)
{
	guard("sections that nest or span a wait");
	CHECK(aborts(nest) && aborts(wait_inside) && aborts(wait_for_readers), "no abort");
	CHECK(!aborts(in_turn), "sections in turn abort");
}
#endif

int main(void)
{
#ifdef LSI_CHECKED
	test_sections(); /* before there are threads */
#endif
	test_ages();
	test_fault(NO_GRACE_PERIOD, "no grace period");
	test_fault(READER_LEAVES, "a reader leaves its section");
	return 0;
}
