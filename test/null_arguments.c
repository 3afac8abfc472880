/*
 * NULL arguments.  A function that returns a status refuses NULL for each pointer that its header
 * does not call optional: it returns LS_ERR_ARGUMENT and makes nothing.  A query gives 0, -1, false
 * or NULL for it.  Every function of the headers that returns int needs a row here.
 */
/* nodes: threads fibers */
#include <glob.h>

#include "null_buffers.h"
#include "null_drawings.h"
#include "null_searches.h"
#include "null_worlds.h"

/* ---- Functions that return a status */

static void test_topologies(void)
{
	REFUSES(ls_topology_make, (NULL, &out.topology, &why), KEPT(topology));
	REFUSES(ls_topology_make, ("ring:4", NULL, &why), true);
	REFUSES(ls_topology_make, (NULL, NULL, NULL), true);
	REFUSES(ls_topology_hamiltonian, (NULL, out.ring), KEPT(ring));
	REFUSES(ls_topology_hamiltonian, (ring, NULL), true);
	REFUSES(ls_layout, (NULL, NULL, out.xy, &why), KEPT(xy));
	REFUSES(ls_layout, (ring, NULL, NULL, &why), true);
	REFUSES(ls_embedding_make, (NULL, ring, "gray", &out.embedding, &why), KEPT(embedding));
	REFUSES(ls_embedding_make, (ring, NULL, "gray", &out.embedding, &why), KEPT(embedding));
	REFUSES(ls_embedding_make, (ring, ring, NULL, &out.embedding, &why), KEPT(embedding));
	REFUSES(ls_embedding_make, (ring, ring, "gray", NULL, &why), true);
	REFUSES(ls_embedding_from_map, (NULL, ring, out.ring, &out.embedding, &why), KEPT(embedding));
	REFUSES(ls_embedding_from_map, (ring, NULL, out.ring, &out.embedding, &why), KEPT(embedding));
	REFUSES(ls_embedding_from_map, (ring, ring, NULL, &out.embedding, &why), KEPT(embedding));
	REFUSES(ls_embedding_from_map, (ring, ring, out.ring, NULL, &why), true);
}

static void test_plans(void)
{
	REFUSES(ls_plan_make, (NULL, &out.plan, &why), !out.plan);
	REFUSES(ls_plan_make, (&request, NULL, &why), true);
	REFUSES(ls_plan_make, (NULL, NULL, NULL), true);
	REFUSES(ls_plan_supports_op, (NULL, LS_SUM, &why), true);
	REFUSES(ls_plan_supports_op, (plan, NULL, &why), true);
	REFUSES(ls_plan_write, (NULL, on_text, NULL), true);
	REFUSES(ls_plan_write, (plan, NULL, NULL), true);
	REFUSES(ls_plan_read, (NULL, 0, ring, &out.plan, &why), !out.plan);
	REFUSES(ls_plan_read, ("x", 1, NULL, &out.plan, &why), !out.plan);
	REFUSES(ls_plan_read, ("x", 1, ring, NULL, &why), true);
	REFUSES(ls_algorithm_supports, (0, NULL), true);
	REFUSES(ls_trace_plan, (NULL, 1, on_message, NULL), true);
	REFUSES(ls_trace_plan, (plan, 1, NULL, NULL), true);
	REFUSES(ls_trace_step, (NULL, 1, 0, on_message, NULL), true);
	REFUSES(ls_trace_step, (plan, 1, 0, NULL, NULL), true);
}

static void test_analyses(void)
{
	REFUSES(ls_check, (NULL, 1, NULL, &out.certificate),
		out.certificate.laws == 0 && out.certificate.broken_law == -1);
	REFUSES(ls_check, (plan, 1, NULL, NULL), true);
	REFUSES(ls_plan_round_load, (NULL, NULL, 1, 1, &out.load), KEPT(load));
	REFUSES(ls_plan_round_load, (plan, NULL, 1, 1, NULL), true);
	REFUSES(ls_plan_link_loads, (NULL, NULL, 1, 1, on_link, NULL), true);
	REFUSES(ls_plan_link_loads, (plan, NULL, 1, 1, NULL, NULL), true);
	REFUSES(ls_cost_fit, (NULL, 1, &out.model, NULL), KEPT(model));
	REFUSES(ls_cost_fit, (&sample, 1, NULL, NULL), true);
	REFUSES(ls_sweep_run, (NULL, &out.result), out.result.error.kind == LS_ERR_ARGUMENT);
	REFUSES(ls_sweep_run, (&sweep, NULL), true);
}

static int query_replay(void *context, const ls_replay *replay)
{
	const struct ls_slice input = { .run = 1, .runs = 1, .buffer = LS_INPUT };

	(void)context;
	REFUSES(ls_replay_contents, (NULL, 0, LS_INPUT, 0, &out.contents), KEPT(contents));
	REFUSES(ls_replay_contents, (replay, 0, LS_INPUT, 0, NULL), true);
	REFUSES(ls_replay_value, (NULL, 0, LS_INPUT, 0, out.ring), KEPT(ring));
	REFUSES(ls_replay_value, (replay, 0, LS_INPUT, 0, NULL), true);
	GIVES(ls_replay_text, (NULL, 0, &input, NULL, 0), LS_ERR_ARGUMENT);
	GIVES(ls_replay_text, (replay, 0, NULL, NULL, 0), LS_ERR_ARGUMENT);
	GIVES(ls_replay_text, (replay, 0, &input, NULL, 1), LS_ERR_ARGUMENT);
	GIVES(ls_replay_text, (replay, 0, &input, NULL, 0), 1);
	GIVES(ls_replay_needed_text, (NULL, 0, 1u << LS_INPUT, NULL, 0), LS_ERR_ARGUMENT);
	GIVES(ls_replay_needs, (NULL, 0, LS_INPUT, 0), false);
	GIVES(ls_replay_plan, (NULL), NULL);
	GIVES(ls_replay_steps, (NULL), 0);
	GIVES(ls_replay_blocks, (NULL, LS_INPUT), 0);
	GIVES(ls_replay_next, (NULL, 0, LS_INPUT, 0, 0), LS_NO_RANK);
	return 1;
}

static void test_replay(void)
{
	const struct ls_observer observer = { .size = sizeof observer, .observe = query_replay };
	const struct ls_check_options options = { .size = sizeof options, .observer = &observer };

	CHECK(ls_check(plan, 1, &options, &out.certificate) == 1, "the observer was not called");
}

/* The request has no topology. */
static void test_nowhere(void)
{
	const struct ls_request nowhere = { .size = sizeof nowhere, .operation = LS_ALLREDUCE };

	reset_outputs();
	CHECK(ls_plan_make(&nowhere, &out.plan, &why) == LS_ERR_ARGUMENT && !out.plan, "%s", why.text);
	reset_outputs();
	CHECK(ls_plan_infer(&nowhere, &message, 1, &out.plan, &why) == LS_ERR_ARGUMENT && !out.plan,
		"%s", why.text);
	reset_outputs();
	CHECK(ls_plan_from_messages(&nowhere, &message, 1, &out.plan, &why) == LS_ERR_ARGUMENT
			&& !out.plan && why.text[0],
		"%s", why.text);
}

static void test_machines(void)
{
	REFUSES(ls_machine_make, (NULL, NULL, &out.machine), !out.machine);
	REFUSES(ls_machine_make, (ring, NULL, NULL), true);
	REFUSES(ls_run, (NULL, add_ranks_program, NULL), true);
	REFUSES(ls_run, (machine, NULL, NULL), true);
	REFUSES(ls_attach, (NULL, 0, 0, &out.node), !out.node);
	REFUSES(ls_attach, (machine, 0, 0, NULL), true);
	REFUSES(ls_attach, (machine, 0, ~0u, &out.node), !out.node);
	REFUSES(ls_detach, (NULL), true);
	REFUSES(ls_last_error, (NULL, &why), true);
	REFUSES(ls_last_error, (machine, NULL), true);
	REFUSES(ls_link_set, (NULL, 0, 1, true), true);
	REFUSES(ls_node_set, (NULL, 0, true), true);
	REFUSES(ls_placement_read, (NULL), true);
	REFUSES(ls_placement_node, (LS_BIND_CORE, 0, 1, NULL, 8), true);
	REFUSES(ls_placement_cores, (LS_BIND_CORE, LS_NODE_THREAD, 1, NULL), true);
	REFUSES(ls_type_make, (8, NULL), true);
	REFUSES(ls_op_make, (NULL, &out.op), !out.op);
	REFUSES(ls_op_make, (&own_op, NULL), true);
	REFUSES(ls_op_make, (&(struct ls_op_options){ .size = sizeof own_op }, &out.op), !out.op);
}

/* ---- Functions that take a handle */

static void test_no_handle(void)
{
	double in[4] = { 0 }, to[4];

	REFUSES(ls_send, (NULL, 0, in, 8), true);
	REFUSES(ls_receive, (NULL, 0, to, 8), true);
	REFUSES(ls_next_round, (NULL), true);
	REFUSES(ls_split, (NULL, 0, 0, &out.node), !out.node);
	REFUSES(ls_split_axis, (NULL, 0, &out.node), !out.node);
	REFUSES(ls_split_subcube, (NULL, 1, &out.node), !out.node);
	REFUSES(ls_split_substar, (NULL, 1, &out.node), !out.node);
	REFUSES(ls_shrink, (NULL, &out.node, NULL), !out.node);
	REFUSES(ls_embed, (NULL, embedding, &out.node), !out.node);
	REFUSES(ls_broadcast, (NULL, to, 1, LS_DOUBLE, 0), true);
	REFUSES(ls_reduce, (NULL, in, to, 1, LS_DOUBLE, LS_SUM, 0), true);
	REFUSES(ls_allreduce, (NULL, in, to, 1, LS_DOUBLE, LS_SUM), true);
	REFUSES(ls_scan, (NULL, in, to, 1, LS_DOUBLE, LS_SUM), true);
	REFUSES(ls_exscan, (NULL, in, to, 1, LS_DOUBLE, LS_SUM), true);
	REFUSES(ls_shift, (NULL, in, to, 1, LS_DOUBLE, 1), true);
	REFUSES(ls_barrier, (NULL), true);
	REFUSES(ls_allgather, (NULL, in, to, 1, LS_DOUBLE), true);
	REFUSES(ls_gather, (NULL, in, to, 1, LS_DOUBLE, 0), true);
	REFUSES(ls_scatter, (NULL, in, to, 1, LS_DOUBLE, 0), true);
	REFUSES(ls_reduce_scatter, (NULL, in, to, 1, LS_DOUBLE, LS_SUM), true);
	REFUSES(ls_alltoall, (NULL, in, to, 1, LS_DOUBLE), true);
	REFUSES(ls_allgatherv, (NULL, in, to, counts, LS_DOUBLE), true);
	REFUSES(ls_gatherv, (NULL, in, to, counts, LS_DOUBLE, 0), true);
	REFUSES(ls_scatterv, (NULL, in, to, counts, LS_DOUBLE, 0), true);
	REFUSES(ls_reduce_scatterv, (NULL, in, to, counts, LS_DOUBLE, LS_SUM), true);
	REFUSES(ls_alltoallv, (NULL, in, counts, to, counts, LS_DOUBLE), true);
	REFUSES(ls_collective, (NULL, &call), true);
}

/* No refused call uses a round or stops the run. */
static int refuse_calls(ls_node *me, void *unused)
{
	const double in[4] = { 1, 2, 3, 4 };
	double to[4];

	(void)unused;
	refuse_messages_and_splits(me, embedding);
	refuse_vectors(me, in, to);
	refuse_blocks(me, in, to);
	refuse_unequal_blocks(me, in, to);
	CHECK(ls_round(me) == 1, "a refused call used a round");
	return add_ranks(me);
}

static void test_handles(enum ls_engine engine)
{
	const struct ls_machine_options options = { .size = sizeof options, .engine = engine };
	ls_machine *m = machine_on(ring, &options);

	guard("handles, engine %s", ls_engine_name(engine));
	must_run(m, refuse_calls, NULL);
	ls_machine_destroy(m);
}

/* ---- Queries */

static void test_topology_queries(void)
{
	char text[8] = "kept";

	GIVES(ls_topology_spec, (NULL), NULL);
	GIVES(ls_topology_kind, (NULL), NULL);
	GIVES(ls_topology_nodes, (NULL), 0);
	GIVES(ls_topology_vertices, (NULL), 0);
	GIVES(ls_topology_links, (NULL), 0);
	GIVES(ls_topology_degree, (NULL), 0);
	GIVES(ls_topology_diameter, (NULL), 0);
	GIVES(ls_topology_dims, (NULL), 0);
	GIVES(ls_topology_side, (NULL, 0), -1);
	GIVES(ls_topology_coordinate, (NULL, 0, 0), -1);
	GIVES(ls_topology_list, (0, NULL), false);
	GIVES(ls_layout_list, (NULL, 0), NULL);
	GIVES(ls_label, (NULL, 0, text, sizeof text), 0);
	CHECK(!text[0], "the label of no network is '%s'", text);
	GIVES(ls_label, (ring, 2, NULL, 8), 1);
	GIVES(ls_rank_of, (NULL, "2"), LS_NO_RANK);
	GIVES(ls_stack_overflow, (NULL, text), LS_NO_RANK);
	GIVES(ls_rank_of, (ring, NULL), LS_NO_RANK);
	GIVES(ls_embedding_guest, (NULL), NULL);
	GIVES(ls_embedding_host, (NULL), NULL);
	GIVES(ls_embedding_host_rank, (NULL, 0), LS_NO_RANK);
	GIVES(ls_embedding_guest_rank, (NULL, 0), LS_NO_RANK);
	GIVES(ls_embedding_dilation, (NULL), 0);
	GIVES(ls_embedding_congestion, (NULL), 0);
	GIVES(ls_embedding_expansion, (NULL), 0);
	GIVES(ls_embedding_list, (0, NULL), false);
}

static void test_plan_queries(void)
{
	const struct ls_cost_model unit = { 1, 1, 1 };

	GIVES(ls_plan_nodes, (NULL), 0);
	GIVES(ls_plan_rounds, (NULL), 0);
	GIVES(ls_plan_steps, (NULL), 0);
	GIVES(ls_plan_is_local, (NULL, 0), false);
	GIVES(ls_plan_round, (NULL, 0), 0);
	GIVES(ls_plan_blocks, (NULL), 0);
	GIVES(ls_plan_operation, (NULL), LS_OPERATIONS);
	GIVES(ls_plan_claim, (NULL), LS_IDEMPOTENT);
	GIVES(ls_plan_identical, (NULL), false);
	GIVES(ls_plan_algorithm, (NULL), NULL);
	GIVES(ls_plan_part_list, (NULL, 0, &out.part), false);
	GIVES(ls_plan_part_list, (plan, 0, NULL), false);
	CHECK(ls_plan_predict(NULL, 1).rounds == 0, "ls_plan_predict");
	GIVES(ls_plan_lower_bound, (NULL), -1);
	GIVES(ls_plan_words_bound, (NULL, 1), -1);
	GIVES(ls_plan_cost, (NULL, 1, 8, unit), -1);
	GIVES(ls_plan_cost_on, (NULL, embedding, 1, 8, unit), -1);
	GIVES(ls_candidate_list, (NULL, 0, &out.candidate), false);
	CHECK(KEPT(candidate), "ls_candidate_list");
	GIVES(ls_candidate_list, (&request, 0, NULL), false);
	GIVES(ls_block_bound, (NULL), -1);
	GIVES(ls_words_bound, (NULL), -1);
	GIVES(ls_cost_bound, (NULL, unit), -1);
	GIVES(ls_algorithm_list, (0, NULL), false);
	GIVES(ls_operation_find, (NULL), -1);
	GIVES(ls_sweep_memory, (NULL), 0);
	reset_outputs();
	ls_plan_request(NULL, &out.request);
	ls_plan_request(plan, NULL);
	ls_plan_step(NULL, 0, 0, &out.step);
	ls_plan_step(plan, 0, 0, NULL);
	CHECK(KEPT(request) && KEPT(step), "a query about no plan has an answer");
}

static void test_other_queries(void)
{
	GIVES(ls_machine_topology, (NULL), NULL);
	GIVES(ls_machine_threads, (NULL), 0);
	GIVES(ls_machine_busy, (NULL), false);
	GIVES(ls_blocked_on, (NULL, 0, &out.wait), false);
	GIVES(ls_blocked_on, (machine, 0, NULL), false);
	reset_outputs();
	ls_machine_stats(NULL, &out.stats);
	ls_machine_stats(machine, NULL);
	CHECK(KEPT(stats), "no machine has counts");
	GIVES(ls_rank, (NULL), LS_NO_RANK);
	GIVES(ls_size, (NULL), 0);
	GIVES(ls_round, (NULL), 0);
	GIVES(ls_node_topology, (NULL), NULL);
	GIVES(ls_type_size, (NULL), 0);
	GIVES(ls_type_name, (NULL), NULL);
	GIVES(ls_type_find, (NULL), NULL);
	GIVES(ls_type_pair, (NULL), NULL);
	GIVES(ls_op_name, (NULL), NULL);
	GIVES(ls_op_find, (NULL), NULL);
	GIVES(ls_op_defined, (NULL, LS_DOUBLE), false);
	GIVES(ls_op_defined, (LS_SUM, NULL), false);
	GIVES(ls_op_commutative, (NULL), false);
	GIVES(ls_op_idempotent, (NULL), false);
	GIVES(ls_op_exact, (NULL, LS_INT8), false);
	GIVES(ls_op_exact, (LS_SUM, NULL), false);
	GIVES(ls_name_suggest, (NULL, (const char *[]){ "sum" }, 1), NULL);
	GIVES(ls_name_suggest, ("sun", NULL, 1), NULL);
}

static void test_destroy(void)
{
	ls_topology_destroy(NULL);
	ls_embedding_destroy(NULL);
	ls_plan_destroy(NULL);
	ls_machine_destroy(NULL);
	ls_type_destroy(NULL);
	ls_op_destroy(NULL);
	ls_leave(NULL);
	ls_machine_stop(NULL, LS_OK);
}

/* ---- Every function of the headers has a row */

static bool has_row(const char *function, size_t length)
{
	for (size_t i = 0; i < rows; i++)
		if (strlen(functions[i]) == length && memcmp(functions[i], function, length) == 0)
			return true;
	return false;
}

/* Functions declared `LS_API [LS_MUST_CHECK] int NAME(`. */
static int check_header(const char *path)
{
	static const char api[] = "LS_API ", must_check[] = "LS_MUST_CHECK ", type[] = "int ";
	static char text[1 << 16];
	FILE *file = fopen(path, "r");
	int found = 0;

	CHECK(file, "%s", path);
	if (!file)
		return 0;
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	CHECK(feof(file), "%s is too long", path);
	fclose(file);
	for (const char *at = text; (at = strstr(at, api));) {
		at += strlen(api);
		at += strncmp(at, must_check, strlen(must_check)) ? 0 : strlen(must_check);
		if (strncmp(at, type, strlen(type)) != 0)
			continue;
		at += strlen(type);

		const size_t length = strcspn(at, "(");

		found++;
		CHECK(has_row(at, length), "%s: %.*s has no row", path, (int)length, at);
	}
	return found;
}

static void test_headers(void)
{
	glob_t headers = { 0 };
	int found = 0;

	CHECK(glob("include/lockstep/*.h", 0, NULL, &headers) == 0, "no headers");
	for (size_t i = 0; i < headers.gl_pathc; i++)
		found += check_header(headers.gl_pathv[i]);
	CHECK(found > 50, "only %d functions", found);
	globfree(&headers);
}

int main(void)
{
	make_arguments();
	test_topologies();
	test_drawings();
	test_plans();
	test_charts();
	test_analyses();
	test_replay();
	test_nowhere();
	test_machines();
	test_no_handle();
	test_handles(LS_MAILBOXES);
	test_handles(LS_COOPERATIVE);
	test_topology_queries();
	test_plan_queries();
	test_other_queries();
	test_worlds();
	test_searches();
	test_destroy();
	test_headers();
	destroy_arguments();
	return test_result();
}
