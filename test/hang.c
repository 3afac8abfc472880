/*
 * Nothing hangs: whatever one node does wrong, at every node and round of small machines, the
 * machine stops with the right error, all threads end, and it runs again.
 *
 * Nodes pass words around a ring.  Buffers come from the heap and are freed as soon as a call has
 * failed, so that AddressSanitizer sees a node that still reads a zero-copy message.
 */
/* nodes: threads fibers */
/* processes: 1 3 */
/* link: @test/support/spread.flags */
#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "hang_faults.h"
#include "test.h"

/* ---- One run with the fault, one without */

/*
 * In free rounds other nodes may be ahead.  After the last round no node receives any more, and the
 * faulty node may have left.
 */
static bool is_right(const struct faulty_run *s, int kind)
{
	const int *kinds = s->fault->kind;

	return kind == kinds[s->rounds] || (s->rounds == LS_FREE && kinds[2] && kind == kinds[2])
		|| (s->rounds == LS_FREE && s->round == ROUNDS && kind == LS_ERR_LEFT);
}

static void check_end(const struct faulty_run *s, int status)
{
	struct ls_error e = { .size = sizeof e };

	CHECK(ls_last_error(s->machine, &e) == status && e.kind == status, "%s: %d", guarded(), status);
	CHECK(is_right(s, status) && s->fault->right(s, &e),
		"%s: %s at node %" PRId64 ", peer %" PRId64 ", round %" PRId64 ": %s", guarded(),
		ls_status_name(status), e.node, e.peer, e.round, e.text);
	CHECK(e.text[0] && !strchr(e.text, '\n'), "%s: text", guarded());
	for (int64_t u = 0; u < s->p; u++)
		CHECK(s->ended[u] == LS_OK || u == s->node || is_right(s, s->ended[u]),
			"%s: node %" PRId64 " ends with %s", guarded(), u, ls_status_name(s->ended[u]));
	CHECK(threads_end(ONE_THREAD), "%s: %d threads are left", guarded(), threads_alive());
}

/* A run, and its last nodes: at its time limit ls_run may return before they do. */
static int run_to_end(struct faulty_run *s)
{
	const int status = ls_run(s->machine, program, s);

	while (ls_machine_busy(s->machine))
		nap(1);
	return status;
}

static void play(struct faulty_run *s)
{
	struct faulty_run again = *s;

	guard("%s: node %" PRId64 " of %" PRId64 " in round %" PRId64 ", %s rounds, %zu words",
		s->fault->name, s->node, s->p, s->round, s->rounds == LS_LOCKSTEP ? "lockstep" : "free",
		s->words);
	atomic_store(&nodes_failed, 0);
	for (int64_t u = 0; u < s->p; u++)
		s->ended[u] = LS_OK; /* the program of a node may not begin before a stop */
	check_end(s, run_to_end(s));
	again.node = -1;
	if (s->fault->timeout == 0) {
		must_run(s->machine, program, &again);
		return;
	}

	const int status = run_to_end(&again); /* on a busy computer past the limit */

	CHECK(status == LS_OK || status == LS_ERR_TIMEOUT, "%s: %s", guarded(), ls_status_name(status));
}

static void test_fault(const struct fault *fault, int64_t p, enum ls_rounds rounds, size_t words)
{
	char spec[32];

	snprintf(spec, sizeof spec, "ring:%" PRId64, p);

	ls_topology *t = topology_of(spec);
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = rounds, .timeout = fault->timeout
	};
	int ended[NODES];
	struct faulty_run s = { .fault = fault,
		.p = p,
		.rounds = rounds,
		.words = words,
		.machine = machine_on(t, &options),
		.ended = ended };

	for (s.node = 0; s.node < p; s.node++) {
		for (s.round = 1; s.round <= ROUNDS; s.round++)
			play(&s);
	}
	ls_machine_destroy(s.machine);
	ls_topology_destroy(t);
}

int main(void)
{
	const int64_t sizes[] = { 2, 3, 4, 5, 8 };
	const size_t n = is_fast() ? 2 : is_thin() ? 3 : sizeof sizes / sizeof *sizes;

	for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
		for (size_t i = is_fast_repeat() ? 1 : 0; i < n; i++) {
			if (!is_possible(&faults[f]) || sizes[i] < faults[f].least
				|| (faults[f].timeout > 0 && sizes[i] > 3))
				continue;
			for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++) {
				test_fault(&faults[f], sizes[i], (enum ls_rounds)rounds, SHORT);
				test_fault(&faults[f], sizes[i], (enum ls_rounds)rounds, LONG);
			}
		}
	}
	return test_result();
}
