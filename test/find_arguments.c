/*
 * Searches that are refused: each option out of its range, with a text that names what was
 * expected, and no plan.
 */
#include <lockstep/find.h>

#include <math.h>
#include <string.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

struct refused {
	const char *spec;
	struct ls_find_options options;
	enum ls_mode mode;
	int status;
	const char *text;
};

static const int64_t link_0[] = { 0 };

static const struct refused cases[] = {
	{ "mesh:3x3", { .budget = -1 }, LS_HOP, LS_ERR_ARGUMENT, "budget of -1 seconds" },
	{ "mesh:3x3", { .budget = NAN }, LS_HOP, LS_ERR_ARGUMENT, "budget of nan" },
	{ "mesh:3x3", { .budget = 2e9 }, LS_HOP, LS_ERR_ARGUMENT, "budget of 2e+09" },
	{ "mesh:3x3", { .within = -1 }, LS_HOP, LS_ERR_ARGUMENT, "within -1 rounds" },
	{ "mesh:3x3", { .more_rounds = -1 }, LS_HOP, LS_ERR_ARGUMENT, "-1 more rounds" },
	{ "mesh:3x3", { .more_rounds = INT64_MAX }, LS_HOP, LS_ERR_ARGUMENT, "807 more rounds" },
	{ "star:4", { .prefix = NULL, .prefix_rounds = 1 }, LS_HOP, LS_ERR_ARGUMENT, "expected" },
	{ "star:4", { .prefix = link_0, .prefix_rounds = -1 }, LS_HOP, LS_ERR_ARGUMENT, "expected" },
	{ "star:4", { .prefix = link_0, .prefix_rounds = INT64_MAX }, LS_HOP, LS_ERR_ARGUMENT,
		"expected" },
	{ "mesh:3x3", { .within = 5 }, LS_ROUTED, LS_ERR_UNSUPPORTED, "hop mode" },
	{ "ring:200", { .within = 5 }, LS_HOP, LS_ERR_UNSUPPORTED, "128 nodes" },
};

static void test_refused(const struct refused *r)
{
	ls_topology *t = topology_of(r->spec);
	const struct ls_request request = {
		.size = sizeof request, .topology = t, .operation = LS_ALLGATHER, .mode = r->mode
	};
	struct ls_find_options options = r->options;
	struct ls_found found = { .size = sizeof found };
	struct ls_error why = { .size = sizeof why };
	ls_plan *plan = NULL;

	guard("case %d", (int)(r - cases));
	options.size = sizeof options;
	options.request = &request;
	CHECK(ls_find(&options, &plan, &found, &why) == r->status && !plan, "%s: %d %s", guarded(),
		why.kind, why.text);
	CHECK(why.kind == r->status && strstr(why.text, r->text), "%s: %s", guarded(), why.text);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* Refutations of an impossible number of rounds, in another mode, and not in the form DRAT. */
static void test_bounds(void)
{
	static const struct {
		const char *text;
		enum ls_mode mode;
		int status;
	} texts[] = { { "c rounds 4\nc sum 1\n0\n", LS_ROUTED, LS_ERR_UNSUPPORTED },
		{ "c rounds 1000000\nc sum 1\n0\n", LS_HOP, LS_ERR_SPEC },
		{ "c rounds x\nc sum 1\n0\n", LS_HOP, LS_ERR_SPEC }, { "0\n", LS_HOP, LS_ERR_SPEC } };
	ls_topology *t = topology_of("mesh:3x3");

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const struct ls_request request = {
			.size = sizeof request, .topology = t, .operation = LS_ALLGATHER, .mode = texts[i].mode
		};
		struct ls_error why = { .size = sizeof why };
		int64_t bound = 0;

		CHECK(ls_bound_check(&request, texts[i].text, strlen(texts[i].text), &bound, &why)
					== texts[i].status
				&& why.text[0],
			"text %zu: %d %s", i, why.kind, why.text);
	}
	ls_topology_destroy(t);
}

int main(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		test_refused(&cases[i]);
	test_bounds();
	return test_result();
}
