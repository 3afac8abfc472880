/*
 * Groups: who is in them, in which order, and collective calls in them, nested, beside each
 * other, after some have left.
 */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

static enum ls_rounds rounds_now;

/* Which machine ranks should be in a group, in order, as its member sees it. */
typedef int64_t member(const ls_topology *, int64_t me, int64_t i);

static int call_in(ls_node *group, int64_t machine_rank, size_t n, int64_t root, int64_t *words)
{
	const int64_t p = ls_size(group);
	int64_t *sum = words + n, want = 0;
	int failed;

	for (size_t i = 0; i < n; i++)
		words[i] = machine_rank + 1;
	failed = ls_allreduce(group, words, sum, n, LS_INT64, LS_SUM);
	if (!failed)
		failed = ls_broadcast(group, words, n, LS_INT64, root);
	for (int64_t r = 0; r < p && !failed; r++) {
		int64_t theirs = machine_rank;

		failed = ls_broadcast(group, &theirs, 1, LS_INT64, r);
		want += theirs + 1;
		CHECK(failed || r != root || words[0] == theirs + 1, "%s: broadcast of %" PRId64, guarded(),
			root);
	}
	for (size_t i = 0; i < n && !failed; i++)
		CHECK(sum[i] == want, "%s: sum %" PRId64 ", not %" PRId64, guarded(), sum[i], want);
	return failed ? failed : ls_barrier(group);
}

/* Collective calls whose results tell who is in the group. */
static int use(ls_node *group, int64_t machine_rank)
{
	const size_t n = 500;
	int64_t *words = memory(2 * n, sizeof *words);
	int failed = call_in(group, machine_rank, 1, 0, words);

	if (!failed)
		failed = call_in(group, machine_rank, n, ls_size(group) - 1, words);
	free(words);
	return failed;
}

/* The members of a group by an all-gather of one word broadcasts. */
static int check_members(ls_node *me, ls_node *group, member *want, int64_t size, int64_t rank)
{
	int failed = LS_OK;

	CHECK(ls_size(group) == size && ls_rank(group) == rank && ls_round(group) == 1
			&& ls_topology_nodes(ls_node_topology(group)) == size,
		"%s: node %" PRId64 " is %" PRId64 " of %" PRId64, guarded(), ls_rank(me), ls_rank(group),
		ls_size(group));
	for (int64_t r = 0; r < size && !failed; r++) {
		int64_t theirs = ls_rank(me);

		failed = ls_broadcast(group, &theirs, 1, LS_INT64, r);
		CHECK(failed || theirs == want(ls_node_topology(me), ls_rank(me), r),
			"%s: member %" PRId64 " is %" PRId64, guarded(), r, theirs);
	}
	return failed ? failed : use(group, ls_rank(me));
}

/* ls_split ---------------------------------------------------------------------------------- */

static int64_t parity(const ls_topology *t, int64_t me, int64_t i)
{
	(void)t;
	return me % 2 + 2 * i;
}
static int64_t reversed(const ls_topology *t, int64_t me, int64_t i)
{
	(void)me;
	return ls_topology_nodes(t) - 1 - i;
}
static int64_t itself(const ls_topology *t, int64_t me, int64_t i)
{
	(void)t;
	(void)i;
	return me;
}
static int64_t without_first(const ls_topology *t, int64_t me, int64_t i)
{
	(void)t;
	(void)me;
	return i + 1;
}

static int split_program(ls_node *me, void *arg)
{
	const int64_t p = ls_size(me), u = ls_rank(me);
	ls_node *sub = NULL;
	int failed = ls_split(me, u % 2, 0, &sub);

	(void)arg;
	if (!failed)
		failed = check_members(me, sub, parity, (p + 1 - u % 2) / 2, u / 2);
	if (!failed)
		failed = ls_split(me, 7, -u, &sub);
	if (!failed)
		failed = check_members(me, sub, reversed, p, p - 1 - u);
	if (!failed)
		failed = ls_split(me, u, 0, &sub);
	if (!failed)
		failed = check_members(me, sub, itself, 1, 0);
	if (!failed)
		failed = ls_split(me, u == 0 ? -1 : 5, 0, &sub);
	CHECK(failed || (u == 0) == (sub == NULL), "%s: no group for node %" PRId64, guarded(), u);
	if (!failed && sub)
		failed = check_members(me, sub, without_first, p - 1, u - 1);
	return failed ? failed : use(me, u);
}

/* Groups of one split have rounds of their own: each part calls as often as its number says. */
static int uneven_program(ls_node *me, void *arg)
{
	const int64_t part = ls_rank(me) % 3;
	ls_node *sub;
	int failed = ls_split(me, part, 0, &sub);

	(void)arg;
	for (int64_t i = 0; i < 5 * part && !failed; i++)
		failed = use(sub, ls_rank(me));
	CHECK(failed || part > 0 || ls_round(sub) == 1, "%s: round %" PRId64, guarded(), ls_round(sub));
	return failed ? failed : use(me, ls_rank(me));
}

/* Halves of halves, down to one; then back up, each group used again. */
static int nested_program(ls_node *me, void *arg)
{
	ls_node *group[16] = { me };
	int depth = 0, failed = LS_OK;

	(void)arg;
	while (!failed && ls_size(group[depth]) > 1) {
		failed = ls_split(
			group[depth], ls_rank(group[depth]) >= ls_size(group[depth]) / 2, 0, &group[depth + 1]);
		if (!failed)
			failed = use(group[++depth], ls_rank(me));
	}
	for (; depth >= 0 && !failed; depth--)
		failed = use(group[depth], ls_rank(me));
	return failed;
}

/* ls_leave: the others step on, also those that sleep at the barrier already. */
static int leave_program(ls_node *me, void *arg)
{
	int failed = LS_OK;

	(void)arg;
	for (int time = 0; time < 4 && !failed; time++) {
		ls_node *sub;

		failed = ls_split(me, ls_rank(me) % 2, 0, &sub);
		if (!failed)
			failed = use(sub, ls_rank(me));
		if (!failed && ls_rank(sub) == time % 2)
			nanosleep(&(struct timespec){ 0, 8000000 }, NULL);
		else
			for (int i = 0; i < 3 && !failed; i++)
				failed = ls_next_round(sub);
		if (!failed)
			ls_leave(sub);
	}
	return failed ? failed : use(me, ls_rank(me));
}

/* Point-to-point calls in a group: its ranks, its rounds. */
static int shift_program(ls_node *me, void *arg)
{
	const int64_t u = ls_rank(me);
	int64_t got = -1;
	ls_node *sub;
	int failed = ls_split(me, u % 2, -u, &sub);

	(void)arg;
	for (int64_t i = 1; i <= 4 && !failed; i++) {
		const int64_t q = ls_size(sub), to = (ls_rank(sub) + 1) % q,
					  from = (ls_rank(sub) + q - 1) % q;

		CHECK(ls_round(sub) == i, "%s: round %" PRId64, guarded(), ls_round(sub));
		if (q == 1)
			break;
		failed = ls_send(sub, to, &u, sizeof u);
		if (!failed)
			failed = ls_receive(sub, from, &got, sizeof got);
		CHECK(failed || got == (u + 2) % (2 * q) || u + 2 >= ls_size(me),
			"%s: node %" PRId64 " got %" PRId64, guarded(), u, got);
		if (!failed)
			failed = ls_next_round(sub);
	}
	return failed ? failed : use(me, u);
}

/* The named ones ---------------------------------------------------------------------------- */

static int now_axis, now_k;
static int64_t now_mask;

/* Rank i along the axis through a node of a grid whose sides are told by its label. */
static int64_t along_axis(const ls_topology *t, int64_t me, int64_t i)
{
	char label[64], wanted[64];
	int at[4] = { 0 }, n = 0;

	ls_label(t, me, label, sizeof label);
	for (const char *c = label; *c; c++) {
		if (*c == '(' || *c == ',')
			at[n++] = atoi(c + 1);
	}
	at[now_axis] = (int)i;
	snprintf(wanted, sizeof wanted,
		n == 1       ? "(%d)"
			: n == 2 ? "(%d,%d)"
					 : "(%d,%d,%d)",
		at[0], at[1], at[2]);
	return ls_rank_of(t, wanted);
}

static int64_t side(const ls_topology *t, int64_t me)
{
	int64_t n = 0;

	while (along_axis(t, me, n) >= 0)
		n++;
	return n;
}

static int axis_program(ls_node *me, void *arg)
{
	const ls_topology *t = ls_node_topology(me);
	ls_node *sub;
	int failed = ls_split_axis(me, now_axis, &sub);
	int64_t rank = 0;

	(void)arg;
	while (along_axis(t, ls_rank(me), rank) != ls_rank(me))
		rank++;
	if (!failed)
		failed = check_members(me, sub, along_axis, side(t, ls_rank(me)), rank);
	CHECK(failed
			|| !strcmp(ls_topology_kind(ls_node_topology(sub)),
				strcmp(ls_topology_kind(t), "torus") ? "linear" : "ring"),
		"%s: %s", guarded(), ls_topology_spec(ls_node_topology(sub)));
	return failed ? failed : use(me, ls_rank(me));
}

/* The i-th of the nodes that agree outside mask, counted by the bits of mask. */
static int64_t in_subcube(const ls_topology *t, int64_t me, int64_t i)
{
	int64_t rank = me & ~now_mask;

	(void)t;
	for (int64_t bit = 1; bit <= now_mask; bit *= 2) {
		if (!(now_mask & bit))
			continue;
		rank |= i % 2 ? bit : 0;
		i /= 2;
	}
	return rank;
}

static int subcube_program(ls_node *me, void *arg)
{
	int64_t size = 1, rank = 0;
	ls_node *sub;
	int failed = ls_split_subcube(me, now_mask, &sub);

	(void)arg;
	for (int64_t bit = 1; bit <= now_mask; bit *= 2)
		size *= now_mask & bit ? 2 : 1;
	while (in_subcube(NULL, ls_rank(me), rank) != ls_rank(me))
		rank++;
	return failed ? failed : check_members(me, sub, in_subcube, size, rank);
}

/* The nodes whose labels end alike after position k, in the order of their ranks. */
static int64_t in_substar(const ls_topology *t, int64_t me, int64_t i)
{
	char mine[32], other[32];

	ls_label(t, me, mine, sizeof mine);
	for (int64_t r = 0; r < ls_topology_nodes(t); r++) {
		ls_label(t, r, other, sizeof other);
		if (!strcmp(mine + now_k, other + now_k) && i-- == 0)
			return r;
	}
	return LS_NO_RANK;
}

static int substar_program(ls_node *me, void *arg)
{
	const ls_topology *t = ls_node_topology(me);
	int64_t size = 0, rank = 0;
	ls_node *sub;
	int failed = ls_split_substar(me, now_k, &sub);

	(void)arg;
	while (in_substar(t, ls_rank(me), size) >= 0)
		size++;
	while (in_substar(t, ls_rank(me), rank) != ls_rank(me))
		rank++;
	return failed ? failed : check_members(me, sub, in_substar, size, rank);
}

/* Calls that are refused use no round and stop nothing. */
static int refused_program(ls_node *me, void *arg)
{
	const char *kind = ls_topology_kind(ls_node_topology(me));
	const bool cube = !strcmp(kind, "hypercube"), star = !strcmp(kind, "star");
	const bool grid = !cube && !star && strcmp(kind, "complete");
	ls_node *sub;

	(void)arg;
	CHECK(ls_split_axis(me, 9, &sub) == (grid ? LS_ERR_ARGUMENT : LS_ERR_UNSUPPORTED) && !sub,
		"%s: axis", guarded());
	CHECK(ls_split_axis(me, -1, &sub) == (grid ? LS_ERR_ARGUMENT : LS_ERR_UNSUPPORTED), "%s: axis",
		guarded());
	CHECK(ls_split_subcube(me, ls_size(me), &sub) == (cube ? LS_ERR_ARGUMENT : LS_ERR_UNSUPPORTED),
		"%s: cube", guarded());
	CHECK(ls_split_subcube(me, -1, &sub) == (cube ? LS_ERR_ARGUMENT : LS_ERR_UNSUPPORTED),
		"%s: cube", guarded());
	CHECK(ls_split_substar(me, 0, &sub) == (star ? LS_ERR_ARGUMENT : LS_ERR_UNSUPPORTED),
		"%s: star", guarded());
	CHECK(ls_split_substar(me, 9, &sub) == (star ? LS_ERR_ARGUMENT : LS_ERR_UNSUPPORTED),
		"%s: star", guarded());
	return use(me, ls_rank(me));
}

/* Ports belong to the thread, whichever handle names the peer. */
static int port_program(ls_node *me, void *arg)
{
	const int64_t u = ls_rank(me), p = ls_size(me);
	int64_t got;
	ls_node *sub;
	int failed = ls_split(me, 0, -u, &sub);

	(void)arg;
	if (!failed)
		failed = ls_send(me, (u + 1) % p, &u, sizeof u);
	if (!failed && u == 1)
		failed = ls_send(sub, 0, &u, sizeof u);
	if (!failed)
		failed = ls_receive(me, (u + p - 1) % p, &got, sizeof got);
	return failed ? failed : ls_next_round(me);
}

static void test_ports(void)
{
	ls_topology *t = topology_of("complete:3");
	const struct ls_machine_options options = { .size = sizeof options, .rounds = rounds_now };
	ls_machine *machine = machine_on(t, &options);
	struct ls_error e = { .size = sizeof e };

	guard("one port, two handles");
	CHECK(ls_run(machine, port_program, NULL) == LS_ERR_PORT
			&& ls_last_error(machine, &e) == LS_ERR_PORT && e.node == 1 && e.peer == 2,
		"%s: %s", guarded(), e.text);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ------------------------------------------------------------------------------------------- */

static void run_on(
	const char *spec, enum ls_mode mode, const char *what, int (*program)(ls_node *, void *))
{
	ls_topology *t = topology_of(spec);
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = rounds_now, .mode = mode
	};
	ls_machine *machine = machine_on(t, &options);

	guard("%s on %s, %s rounds", what, spec, rounds_now == LS_LOCKSTEP ? "lockstep" : "free");
	must_run(machine, program, NULL);
	must_run(machine, program, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

static void test_splits(void)
{
	static const char *const specs[] = { "complete:7", "ring:8", "star:3", "hypercube:3",
		"mesh:3x3" };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		run_on(specs[i], LS_HOP, "split", split_program);
		run_on(specs[i], LS_ROUTED, "uneven groups", uneven_program);
		run_on(specs[i], LS_HOP, "nested groups", nested_program);
		run_on(specs[i], LS_HOP, "leaving groups", leave_program);
		run_on(specs[i], LS_HOP, "messages in groups", shift_program);
		run_on(specs[i], LS_HOP, "refusals", refused_program);
	}
}

static void test_named(void)
{
	static const char *const grids[] = { "mesh:3x4", "torus:4x3", "mesh:2x1x3", "torus:2x3x2" };

	for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
		for (now_axis = 0; now_axis < (i < 2 ? 2 : 3); now_axis++) {
			run_on(grids[i], LS_HOP, "axis", axis_program);
			run_on(grids[i], LS_ROUTED, "axis", axis_program);
		}
	}
	for (now_mask = 0; now_mask < 16; now_mask += is_thin() ? 5 : 1)
		run_on("hypercube:4", LS_HOP, "subcube", subcube_program);
	for (now_k = 1; now_k <= 4; now_k++)
		run_on("star:4", LS_HOP, "sub-star", substar_program);
}

int main(void)
{
	for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++) {
		rounds_now = (enum ls_rounds)rounds;
		test_splits();
		test_named();
		test_ports();
	}
	return test_result();
}
