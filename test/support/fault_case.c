#include "support/fault_case.h"

#include <inttypes.h>
#include <string.h>

#include "machine/machine_types.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

static const double limit = 0.1; /* s */

void outlast_limit(const struct fault_case *s)
{
	while (lsi_load(&s->machine->state, acquire) >= 0) /* STOP */
		nap(1);
	nap(5); /* the other nodes must wait for this one meanwhile */
}

/* Records who uses operands, and whether they are what their owners gave. */
static void add(void *dst, const void *a, const void *b, size_t n, void *context)
{
	struct fault_case *s = context;
	const int64_t *x = a, *y = b;
	int64_t *sum = dst, least = 0;

	atomic_fetch_add(&s->users, 1);
	if (atomic_fetch_add(&s->uses, 1) == s->use)
		s->spring(s);
	for (size_t i = 0; i < n; i++) {
		least = x[i] < least ? x[i] : y[i] < least ? y[i] : least;
		sum[i] = x[i] + y[i];
	}
	if (least < 0)
		atomic_store(&s->poisoned, true);
	atomic_fetch_sub(&s->users, 1);
}

static int64_t given(int64_t rank, int64_t call, size_t i)
{
	return rank + 100 * call + (int64_t)i;
}

static void check_result(const struct fault_case *s, int64_t call, const int64_t *out)
{
	const int64_t p = s->p, ranks = p * (p - 1) / 2;
	size_t i = 0;

	while (i < s->words && out[i] == ranks + p * given(0, call, i))
		i++;
	CHECK(i == s->words, "%s: element %zu of call %" PRId64 " is %" PRId64, guarded(), i, call,
		out[i]);
}

/* Of a machine with a node missing each node executes its own steps, as far as it comes. */
static void check_untouched(const struct fault_case *s, int failed, const int64_t *out)
{
	size_t i = 0;

	while (i < s->words && out[i] == -1)
		i++;
	CHECK(i == s->words || failed == LS_ERR_LEFT || s->use >= 0, "%s: a result is written",
		guarded());
}

int call_once(ls_node *me, struct fault_case *s, int64_t call)
{
	const int64_t rank = ls_rank(me);
	int64_t *const in = memory(2 * s->words, sizeof *in), *const out = in + s->words;
	int failed;

	s->buffer[rank] = in;
	for (size_t i = 0; i < s->words; i++)
		in[i] = given(rank, call, i);
	memset(out, -1, s->words * sizeof *out);
	failed = ls_allreduce(me, in, out, s->words, LS_INT64, s->op);
	CHECK(atomic_load(&s->users) == 0 || failed == LS_ERR_LEFT,
		"%s: node %" PRId64 " is back while buffers are used", guarded(), rank);
	if (failed)
		check_untouched(s, failed, out);
	else
		check_result(s, call, out);
	memset(in, 0x80, 2 * s->words * sizeof *in);
	free(in);
	s->buffer[rank] = NULL;
	return failed;
}

int call_all(ls_node *me, void *arg)
{
	struct fault_case *s = arg;
	const int64_t rank = ls_rank(me);
	int failed = LS_OK;

	for (int64_t call = 0; call < CALLS && !failed; call++) {
		failed = rank == s->node && call == s->call ? s->act(me, s) : call_once(me, s, call);
		s->status[rank][call] = failed;
	}
	return failed == LEAVE ? 0 : failed;
}

int run_to_end(struct fault_case *s, int (*program)(ls_node *, void *))
{
	const int status = ls_run(s->machine, program, s);

	while (ls_machine_busy(s->machine))
		nap(1);
	return status;
}

void run_again(struct fault_case *s)
{
	int status = LS_OK;

	for (int64_t r = 0; r < s->p; r++) {
		free(s->buffer[r]);
		s->buffer[r] = NULL;
	}
	s->node = s->use = -1;
	atomic_store(&s->users, 0);
	if (!s->limited)
		must_run(s->machine, call_all, s);
	else
		status = run_to_end(s, call_all); /* a machine that others keep busy is slow */
	CHECK(status == LS_OK || status == LS_ERR_TIMEOUT, "%s: %s", guarded(), ls_status_name(status));
}

void fault_case_machine(struct fault_case *s, bool limited, enum ls_engine engine)
{
	const struct ls_machine_options options = { .size = sizeof options,
		.rounds = s->rounds,
		.engine = engine,
		.timeout = limited ? limit : 0 };

	s->limited = limited;
	s->machine = machine_on(s->topology, &options);
}

void fault_case_make(struct fault_case *s, const char *spec, enum ls_rounds rounds, size_t words)
{
	const struct ls_op_options how = {
		.size = sizeof how, .name = "add", .combine = add, .context = s, .commutative = true
	};
	ls_topology *t = topology_of(spec);

	*s = (struct fault_case){ .topology = t,
		.rounds = rounds,
		.p = ls_topology_nodes(t),
		.words = words,
		.node = -1,
		.use = -1,
		.gone = -1 };
	CHECK(ls_op_make(&how, &s->op) == LS_OK, "no memory");
}

void fault_case_destroy(struct fault_case *s)
{
	ls_op_destroy(s->op);
	ls_topology_destroy((ls_topology *)(uintptr_t)s->topology);
}

void fault_case_networks(void (*test)(const char *spec, enum ls_rounds, size_t words))
{
	for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++) {
		if (is_fast_repeat()) {
			test(rounds == LS_LOCKSTEP ? "star:3" : "ring:5", (enum ls_rounds)rounds, WORDS);
			continue;
		}
		test("complete:2", (enum ls_rounds)rounds, WORDS);
		test("ring:5", (enum ls_rounds)rounds, WORDS);
		test("star:3", (enum ls_rounds)rounds, SHORT + 1);
		if (!is_thin() && !is_fast())
			test("complete:40", (enum ls_rounds)rounds, WORDS / 8);
	}
}
