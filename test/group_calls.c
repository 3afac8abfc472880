/*
 * Groups: their members and order.  Collective calls in groups: nested, at the same time, and
 * after members have left.
 */
/* nodes: threads fibers */
/* processes: 1 3 */
/* link: @test/support/spread.flags */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "group_splits.h"
#include "test.h"
/* ---- The named ones */

static int now_axis, now_k;
static int64_t now_mask;

/* Rank i along the axis through a node of a grid; labels give the coordinates. */
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

/* ---- Runs */

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
	for (now_mask = 0; now_mask < 16; now_mask += is_thin() || is_fast() ? 5 : is_long() ? 1 : 3)
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
