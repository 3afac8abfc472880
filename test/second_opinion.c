/*
 * A second checker of plan files, written apart from the library, accepts and refuses the same
 * files as `check`: the plans of every algorithm on small networks, and these with changed lines,
 * fields and names of nodes.
 */
/* variants: release checked asan */
#include <string.h>

#include <lockstep/check.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/second_plan.h"
#include "support/seed_texts.h"
#include "test.h"

enum { LAWS = LS_LAWS + 1 /* not a plan */ };

struct opinions {
	int changes; /* changed texts of each plan */
	uint64_t seed;
	int64_t turns, plans, accepted, refused, large;
	int64_t broken[LAWS];
};

/* As `check` does; the law that a refused text breaks, or LS_LAWS: it is no plan. */
static bool is_accepted(const char *text, size_t length, const ls_topology *t, int *law, char *why)
{
	struct ls_certificate certificate = { .size = sizeof certificate };
	struct ls_error error = { .size = sizeof error };
	ls_plan *plan;

	*law = LS_LAWS;
	if (ls_plan_read(text, length, t, &plan, &error) != LS_OK) {
		snprintf(why, 300, "%s", error.text);
		return false;
	}
	(void)!ls_check(plan, 1, NULL, &certificate);
	ls_plan_destroy(plan);
	*law = certificate.broken_law;
	snprintf(why, 300, "%s", certificate.text);
	return certificate.broken_law < 0;
}

/* Returns the law that the text breaks, in the opinion of `check`. */
static int compare(struct opinions *o, const char *text, size_t length, const ls_topology *t)
{
	char first[300], second[200];
	int law;
	const bool accepted = is_accepted(text, length, t, &law, first);
	const enum second_verdict verdict = second_check(text, t, second);

	o->accepted += verdict == ACCEPTED;
	o->refused += verdict == REFUSED;
	o->large += verdict == TOO_LARGE;
	if (law >= 0)
		o->broken[law]++;
	CHECK(verdict == TOO_LARGE || (verdict == ACCEPTED) == accepted,
		"%s: check: %s; second checker: %s\n%s", guarded(), accepted ? "accepted" : first,
		verdict == ACCEPTED ? "accepted" : second, text);
	return law;
}

/* Texts on two nodes that few changes of the plans below arrive at. */
static void compare_fixed(struct opinions *o)
{
#define BARRIER \
	"lockstep plan 1\noperation barrier\nnodes 2\nclaim commutative identical\nround\n" \
	"0: send INPUT to 1; receive 1 from 1; OUTPUT := INPUT (+) ARRIVAL\n" \
	"1: send INPUT to 0; receive 1 from 0; OUTPUT := "
#define MOVES \
	"lockstep plan 1\noperation shift\nnodes 2\nlocal\n" \
	"0: OUTPUT := INPUT\n" \
	"1: OUTPUT := INPUT\n"
	static const struct {
		const char *text;
		int law; /* -1: it is accepted */
	} fixed[] = {
		{ BARRIER "ARRIVAL (+) INPUT\n", -1 },
		{ BARRIER "INPUT (+) ARRIVAL\n", LS_LAW_RESULT },
		{ MOVES, -1 },
		{ "\n" MOVES, LS_LAWS },
		{ "# shift by 0\n" MOVES, LS_LAWS },
		{ "lockstep plan 1\noperation broadcast\nnodes 2\nports 2\nround\n"
		  "0: send INPUT to 1; OUTPUT := INPUT\n"
		  "1: receive 1 from 0; receive 2 from 0 port 1; OUTPUT := ARRIVAL\n",
			LS_LAW_PORT },
	};
	ls_topology *t = topology_of("linear:2");

	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
		guard("fixed text %zu", i);

		const int law = compare(o, fixed[i].text, strlen(fixed[i].text), t);

		CHECK(law == fixed[i].law, "%s: law %d\n%s", guarded(), law, fixed[i].text);
	}
	ls_topology_destroy(t);
}

static void compare_cell(const struct cell *cell, void *opinions)
{
	static struct edit e;
	struct opinions *o = opinions;
	struct ls_plan *plan;
	struct text text;

	if (!is_turn(cell, &o->turns))
		return;
	plan = plan_of(cell);
	text = text_of(plan);
	guard("%s", cell_name(cell).text);
	compare(o, text.at, text.length, cell->problem.topology);
	o->plans++;
	for (int i = 0; i < o->changes && text.length < EDITED; i++) {
		e.state = random_next(&o->seed);
		guard("%s, seed %llu", cell_name(cell).text, (unsigned long long)e.state);
		edit_set(&e, text.at, text.length);
		for (size_t changes = 1 + below(&e, 3); changes > 0; changes--)
			change_structure(&e, &seed_grammars[SEED_PLAN]);
		compare(o, e.text, e.length, cell->problem.topology);
	}
	free(text.at);
	ls_plan_destroy(plan);
}

int main(void)
{
	const int networks = is_fast() ? SMALL_FAST : is_thin() ? SMALL_KINDS : SMALL;
	struct opinions o = { .changes = is_fast() ? 2
			: is_thin()                        ? 2
			: is_long()                        ? 1000
											   : 6,
		.seed = 1 };

	compare_fixed(&o);
	for (int i = 0; i < networks; i++) {
		ls_topology *t = topology_of(small_networks[i]);

		if (ls_topology_nodes(t) <= PLAN_NODES)
			each_cell(t, 1, compare_cell, &o);
		ls_topology_destroy(t);
	}
	printf("%lld plans; %lld texts accepted, %lld refused, %lld left out\n", (long long)o.plans,
		(long long)o.accepted, (long long)o.refused, (long long)o.large);
	for (int law = 0; law < LAWS; law++)
		printf("%s: %lld\n", law < LS_LAWS ? ls_law_name((enum ls_law)law) : "no plan",
			(long long)o.broken[law]);
	CHECK(o.accepted > o.plans / 2 && o.refused > o.plans / 2 && o.large < o.plans,
		"texts of all kinds");
	return test_result();
}
