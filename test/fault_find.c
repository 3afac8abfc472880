/*
 * As test/fault_plan, of searches: the k-th allocation fails while the library searches for a plan
 * of the fewest rounds, or checks a refutation, for every k until none fails.
 */
/* variants: release checked asan chaos */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
#include <lockstep/find.h>

#include <string.h>

#include "support/guard.h"
#include "support/inject.h"
#include "test.h"

enum { PROOF = 1 << 20 };

struct search {
	const char *spec;
	enum ls_operation operation;
	int64_t least; /* rounds: known from the literature, or by hand */
	struct ls_find_options options;
	const char *refutation; /* file */
};

/* ---- Searches */

static int count_bytes(void *context, const char *text, size_t length)
{
	(void)context, (void)text;
	return length > 0 ? 0 : 1;
}

static int see_record(void *context, const char *text)
{
	(void)context;
	return strstr(text, "LS_") ? 0 : 1;
}

static int find(const void *context)
{
	const struct search *s = context;
	struct ls_find_options options = s->options;
	struct ls_request request = { .size = sizeof request, .operation = s->operation };
	struct ls_found found = { .size = sizeof found };
	struct ls_error why = { .size = sizeof why };
	ls_topology *topology;
	ls_plan *plan = NULL;
	int failed = ls_topology_make(s->spec, &topology, NULL);

	if (failed)
		return failed;
	request.topology = topology;
	options.size = sizeof options;
	options.request = &request;
	failed = ls_find(&options, &plan, &found, &why);
	CHECK(!failed || (why.kind == failed && why.text[0] && !plan), "%s: %s", guarded(), why.text);
	CHECK(failed || ls_plan_rounds(plan) == s->least, "%s: %d rounds", guarded(),
		(int)ls_plan_rounds(plan));
	ls_plan_destroy(plan);
	ls_topology_destroy(topology);
	return failed;
}

/* ---- Refutations */

static int check_bound(const void *context)
{
	static char text[PROOF];
	const struct search *s = context;
	struct ls_request request = { .size = sizeof request, .operation = s->operation };
	struct ls_error why = { .size = sizeof why };
	FILE *file = fopen(s->refutation, "r");
	int64_t bound = 0;
	ls_topology *topology;
	size_t length;
	int failed;

	if (!file)
		return LS_ERR_ARGUMENT;
	length = fread(text, 1, sizeof text, file);
	fclose(file);
	failed = ls_topology_make(s->spec, &topology, NULL);
	if (failed)
		return failed;
	request.topology = topology;
	failed = ls_bound_check(&request, text, length, &bound, &why);
	CHECK(!failed || (why.kind == failed && why.text[0]), "%s: %s", guarded(), why.text);
	CHECK(failed || bound == s->least, "%s: at least %d rounds", guarded(), (int)bound);
	ls_topology_destroy(topology);
	return failed;
}

int main(void)
{
	/* The first answer spends a small budget. */
	static const struct search proved = { "mesh:3x3", LS_ALLGATHER, 5,
		{ .refutation = count_bytes, .record = see_record }, NULL },
							   found = { "mesh:2x3", LS_ALLREDUCE, 3,
								   { .budget = 1e-3, .record = see_record }, NULL },
							   recorded = { "debruijn:4", LS_SCAN, 5, { .solver = "true" }, NULL },
							   refuted = { "mesh:3x3", LS_ALLGATHER, 5, { .budget = 0 },
								   "test/data/refutations/mesh-3x3.allgather.drat" };
	static const struct faulty scenarios[] = {
		{ "a search with a proof", find, &proved, 0 },
		{ "a search", find, &found, 0 },
		{ "a record", find, &recorded, 80 }, /* without its counts */
		{ "a refutation", check_bound, &refuted, 0 },
	};

	bool has_solver;

	pthread_atfork(NULL, NULL, disarm); /* in coverage, exec allocates */
	setvbuf(stdout, NULL, _IOLBF, 0);   /* what was done is seen if it hangs */
	has_solver = find(&proved) != LS_ERR_UNSUPPORTED;
	for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
		if (has_solver || scenarios[i].context == &recorded || scenarios[i].context == &refuted)
			fail_memory(&scenarios[i]);
	return test_result();
}
