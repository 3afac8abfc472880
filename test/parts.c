/*
 * The parts of a composed plan, as "operation algorithm lines x nodes"; the parts follow one
 * another from step 0 on.
 */
#include <lockstep.h>
#include <string.h>

#include "test.h"

struct row {
	enum ls_operation operation;
	const char *spec, *algorithm, *parts;
};

static const struct row rows[] = {
	{ LS_BROADCAST, "hypercube:3", "scatter-allgather",
		"scatter binomial 1x8 allgather doubling 1x8" },
	{ LS_REDUCE, "ring:6", "reduce-scatter-gather",
		"reduce-scatter neighbor-exchange 1x6 gather pipeline 1x6" },
	{ LS_ALLREDUCE, "star:3*hypercube:2", "product",
		"allreduce doubling 6x4 allreduce substar 4x6" },
	{ LS_BROADCAST, "star:3*hypercube:2", "product",
		"broadcast matching 1x6 broadcast binomial 6x4" },
	{ LS_SCAN, "bintree:3", "allgather-fold", "allgather gossip 1x7" },
	{ LS_SCAN, "ring:6", "neighbor-exchange", "" },
	{ LS_ALLREDUCE, "star:4", "substar", "" },
};

static void look_at(const struct row *row)
{
	ls_topology *topology = NULL;
	ls_plan *plan = NULL;
	struct ls_request request = {
		.size = sizeof request, .operation = row->operation, .algorithm = row->algorithm
	};
	struct ls_plan_part part = { .size = sizeof part };
	char found[300] = "";
	int64_t next = 0;

	CHECK(ls_topology_make(row->spec, &topology, NULL) == LS_OK, "%s", row->spec);
	request.topology = topology;
	CHECK(ls_plan_make(&request, &plan, NULL) == LS_OK, "%s on %s", row->algorithm, row->spec);
	for (size_t i = 0; ls_plan_part_list(plan, i, &part); i++) {
		const size_t length = strlen(found);

		CHECK(part.first == next, "%s on %s: part %zu begins at %lld, not %lld", row->algorithm,
			row->spec, i, (long long)part.first, (long long)next);
		next += part.steps;
		snprintf(found + length, sizeof found - length, "%s%s %s %lldx%lld", i ? " " : "",
			ls_operation_name(part.operation), part.algorithm, (long long)part.groups,
			(long long)ls_topology_nodes(part.topology));
	}
	CHECK(strcmp(found, row->parts) == 0, "%s on %s: %s", row->algorithm, row->spec, found);
	CHECK(next <= ls_plan_steps(plan), "%s on %s: parts are too long", row->algorithm, row->spec);
	ls_plan_destroy(plan);
	ls_topology_destroy(topology);
}

int main(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		look_at(&rows[i]);
	return test_result();
}
