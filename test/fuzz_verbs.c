/*
 * Any plan, trace or graph goes through every verb that reads it, and every engine: the verbs agree
 * whether the file is malformed, and what `check` proves is executed with right results.
 *
 * The first bytes of an input choose the network, the verb beside `check`, and its options; the
 * text is a plan, a trace (rows with commas) or a graph.  See fuzz_text.h.
 */
/* variants: release checked asan */
/* tool: in this process */
#include "fuzz_text.h"
#include "support/second_plan.h"
#include "support/seed_texts.h"
#include "tool_call.h"

enum { SMALL_GRAPH = 16, DRAWN_GRAPH = 60 };

/* ---- Comparing */

/* The two calls refuse the same files, for the same reason; the remedy may name the verb. */
static void compare_refusals(const struct tool_call *a, const struct tool_call *b)
{
	const bool same = a->code == EXIT_USAGE
		? strncmp(a->err.text, b->err.text, strcspn(a->err.text, ";")) == 0
		: b->code != EXIT_USAGE;

	CHECK(same, "two verbs disagree");
	if (!same) {
		tool_print(a);
		tool_print(b);
	}
}

static void check_code(const struct tool_call *made, bool right, const char *what)
{
	CHECK(right, "%s", what);
	if (!right)
		tool_print(made);
}

/* ---- Plans */

static const char *const engines[] = { "mailboxes", "cooperative --rounds free", "sweep",
	"mailboxes --rounds free", "cooperative --rounds free --nodes fibers",
	"mailboxes --nodes fibers --mailbox 1", "sweep --workers 2" };
enum { ENGINES = sizeof engines / sizeof *engines };

/* The operator max suits every claim. */
static const char *operator_option(const ls_plan *plan)
{
	const enum ls_operation operation = ls_plan_operation(plan);

	return operation == LS_REDUCE || operation == LS_ALLREDUCE || operation == LS_REDUCE_SCATTER
			|| operation == LS_SCAN || operation == LS_EXSCAN
		? "-o max"
		: "";
}

/* A plan that `check` has proved, or not. */
static void run_plan(
	const ls_plan *plan, const char *network, uint8_t choice, const struct tool_call *checked)
{
	static const char *const sizes[] = { "", "-m 7", "-m 0", "-m 64 -d int16" };
	const bool has_size = ls_plan_operation(plan) != LS_BARRIER;
	struct tool_call made = { 0 };

	for (int i = 0; i < ENGINES; i++)
		if (choice % 8 == 7 ? i < 3 : choice % ENGINES == i) {
			tool_do(&made, "run --plan in.plan -t %s --quiet -e %s %s %s", network, engines[i],
				operator_option(plan), has_size ? sizes[choice / 8 % 4] : "");
			check_code(&made, made.code == checked->code, "run executes what check proves");
		}
	tool_release(&made);
}

/* Exit codes that a verb beside check and run may have. */
static void show_plan(const char *network, uint8_t choice, const struct tool_call *checked)
{
	static const char *const lines[] = { "steps --plan in.plan -t %s",
		"steps --plan in.plan -t %s -v", "steps --plan in.plan -t %s --json",
		"steps --plan in.plan -t %s --csv", "steps --plan in.plan -t %s --format plan",
		"draw --plan in.plan -t %s --format svg", "draw --plan in.plan -t %s --format text",
		"draw --plan in.plan -t %s --format html", "list algorithms --plan in.plan -t %s",
		"list algorithms --plan in.plan -t %s --json", "check --plan in.plan -t %s --json",
		"check --plan in.plan -t %s --csv --strict",
		"check --plan in.plan -t %s --expect rounds<=3,ordered,identical -v" };
	struct tool_call made = { 0 };
	char line[200];

	snprintf(line, sizeof line, lines[choice % (sizeof lines / sizeof *lines)], network);
	tool_do(&made, "%s", line);
	compare_refusals(checked, &made);
	tool_release(&made);
}

/* What `steps` writes is the same plan. */
static void rewrite_plan(const char *network, const struct tool_call *checked)
{
	struct tool_call made = { 0 };

	if (tool_do(&made, "steps --plan in.plan -t %s out.plan", network) == EXIT_SUCCESS) {
		tool_do(&made, "check --plan out.plan -t %s --quiet", network);
		check_code(&made, made.code == checked->code, "a plan is written as it was read");
	}
	tool_release(&made);
}

static void compare_opinions(
	const char *text, const ls_topology *t, const struct tool_call *checked)
{
	char why[200];
	const enum second_verdict verdict = second_check(text, t, why);

	check_code(checked,
		verdict == TOO_LARGE || (verdict == ACCEPTED) == (checked->code == EXIT_SUCCESS),
		*why ? why : "the second checker accepts the plan");
}

static void try_plan(const uint8_t head[HEAD], const char *text, size_t length)
{
	const ls_topology *t = seed_network(head[0]);
	const char *network = ls_topology_spec(t);
	struct tool_call checked = { 0 };
	ls_plan *plan = NULL;

	tool_put_file("in.plan", text, length);
	tool_do(&checked, "check --plan in.plan -t %s --quiet", network);
	if (ls_plan_read(text, length, t, &plan, NULL) == LS_OK)
		run_plan(plan, network, head[1], &checked);
	check_code(&checked, plan ? checked.code <= EXIT_WRONG : checked.code == EXIT_USAGE,
		"check proves, refutes or refuses");
	compare_opinions(text, t, &checked);
	if (head[1] % 8 == 6)
		rewrite_plan(network, &checked);
	else
		show_plan(network, head[2], &checked);
	ls_plan_destroy(plan);
	tool_release(&checked);
}

/* ---- Traces */

static void play_trace_file(const char *network, const char *mode, const struct tool_call *checked)
{
	struct tool_call played = { 0 }, swept = { 0 };

	tool_do(&played, "run --plan in.csv -t %s --quiet %s", network, mode);
	tool_do(&swept, "run --plan in.csv -t %s --quiet -e sweep %s", network, mode);
	check_code(&played, (played.code == EXIT_SUCCESS) == (swept.code == EXIT_SUCCESS),
		"both engines play the messages, or none");
	if (checked->code == EXIT_SUCCESS)
		check_code(&played, played.code == EXIT_SUCCESS, "what is proved can be played");
	tool_release(&played);
	tool_release(&swept);
}

static void try_trace(const uint8_t head[HEAD], const char *text, size_t length)
{
	static const char *const operations[] = { "", "broadcast", "allreduce", "allgather", "scan",
		"alltoall", "barrier", "gather", "reduce-scatter", "shift" };
	const char *network = ls_topology_spec(seed_network(head[0]));
	const char *operation = operations[head[1] % 10], *mode = head[1] & 64 ? "--mode routed" : "";
	struct tool_call checked = { 0 }, made = { 0 };

	tool_put_file("in.csv", text, length);
	tool_do(&checked, "check %s --plan in.csv -t %s %s --quiet", operation, network, mode);
	switch (head[2] % 4) {
	case 0:
		play_trace_file(network, mode, &checked);
		break;
	case 1:
		tool_do(&made, "draw %s --plan in.csv -t %s %s --format svg", operation, network, mode);
		break;
	case 2:
		tool_do(&made, "draw --trace in.csv -t %s %s --format svg", network, mode);
		break;
	default:
		tool_do(&made, "steps %s --plan in.csv -t %s %s out.plan", operation, network, mode);
		compare_refusals(&checked, &made);
		if (made.code == EXIT_SUCCESS) {
			tool_do(&made, "check --plan out.plan -t %s --quiet", network);
			check_code(&made, made.code == checked.code, "the inferred plan is that of the trace");
		}
	}
	tool_release(&made);
	tool_release(&checked);
}

/* ---- Graphs */

static void use_graph(int64_t nodes, const uint8_t head[HEAD])
{
	static const char *const lines[] = { "list links -t graph:in.graph --json",
		"list links -t graph:in.graph --format dot", "check broadcast -t graph:in.graph --quiet",
		"draw -t graph:in.graph --format svg", "records -t graph:in.graph",
		"steps allgather -t graph:in.graph --format plan",
		"check allreduce -t graph:in.graph --csv", "list algorithms allreduce -t graph:in.graph" };
	struct tool_call made = { 0 };

	tool_do(&made, "%s", lines[head[1] % (sizeof lines / sizeof *lines)]);
	check_code(
		&made, made.code == EXIT_SUCCESS || made.code == EXIT_UNAVAILABLE, "a graph is used");
	if (nodes <= SMALL_GRAPH) {
		tool_do(&made, "run allreduce -t graph:in.graph --quiet -e %s", engines[head[2] % ENGINES]);
		check_code(&made, made.code == EXIT_SUCCESS, "all graphs have an all-reduce");
	}
	tool_release(&made);
}

static void try_graph(const uint8_t head[HEAD], const char *text, size_t length)
{
	struct tool_call listed = { 0 }, made = { 0 };
	ls_topology *t = NULL;

	tool_put_file("in.graph", text, length);
	tool_do(&listed, "list links -t graph:in.graph --csv");
	if (ls_topology_make("graph:in.graph", &t, NULL) == LS_OK
		&& ls_topology_nodes(t) <= DRAWN_GRAPH)
		use_graph(ls_topology_nodes(t), head);
	else if (!t)
		tool_do(&made, "run allreduce -t graph:in.graph");
	if (!t)
		compare_refusals(&listed, &made);
	check_code(&listed, listed.code == (t ? EXIT_SUCCESS : EXIT_USAGE), "a graph, or none");
	ls_topology_destroy(t);
	tool_release(&listed);
	tool_release(&made);
}

/* ---- Inputs */

static enum seed_kind kind_of(const char *text)
{
	return strncmp(text, "lockstep", 8) == 0 ? SEED_PLAN
		: strchr(text, ',')                  ? SEED_TRACE
											 : SEED_GRAPH;
}

static void try_input(const uint8_t head[HEAD], const char *text, size_t length)
{
	static void (*const tries[])(const uint8_t *, const char *,
		size_t) = { [SEED_PLAN] = try_plan, [SEED_TRACE] = try_trace, [SEED_GRAPH] = try_graph };

	tries[kind_of(text)](head, text, length);
}

static void begin(struct edit *e, uint8_t head[HEAD])
{
	static const enum seed_kind kinds[] = { SEED_PLAN, SEED_PLAN, SEED_PLAN, SEED_TRACE,
		SEED_GRAPH };

	seed_text(e, kinds[below(e, 5)], head[0]);
}

static void change_input(struct edit *e, const uint8_t head[HEAD])
{
	(void)head;
	change_structure(e, &seed_grammars[kind_of(e->text)]);
}

static const struct fuzzer fuzzer = { .name = "verbs",
	.fast = 400,
	.full = 4000,
	.very_long = 1000000,
	.begin = begin,
	.change = change_input,
	.try = try_input };
