/*
 * The rows of test/null_arguments.c: valid arguments, outputs, and the check of one call.
 */
#ifndef LOCKSTEP_TEST_NULL_ROWS_H
#define LOCKSTEP_TEST_NULL_ROWS_H

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <lockstep.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

/* ---- Valid arguments */

static ls_topology *ring; /* ring:4 */
static ls_embedding *embedding;
static ls_plan *plan;
static ls_machine *machine;
static struct ls_request request = { .size = sizeof request, .operation = LS_ALLREDUCE };
static const struct ls_message message = { 1, 0, 1, false, 1 };
static const struct ls_cost_sample sample = { 1, 0, 1 };
static const struct ls_call call = { .size = sizeof call };
static double row[4];
static struct ls_sweep sweep = { .size = sizeof sweep, .count = 1, .input = row, .output = row };

static void combine(void *dst, const void *a, const void *b, size_t n, void *context)
{
	(void)dst, (void)a, (void)b, (void)n, (void)context;
}

static const struct ls_op_options own_op = { .size = sizeof own_op, .combine = combine };

static int on_link(void *context, const struct ls_link_load *load)
{
	(void)context, (void)load;
	return LS_OK;
}

static int on_text(void *context, const char *text)
{
	(void)context, (void)text;
	return LS_OK;
}

static int on_message(void *context, const struct ls_record *record)
{
	(void)context, (void)record;
	return LS_OK;
}

static void make_arguments(void)
{
	ring = topology_of("ring:4");
	machine = machine_on(ring, NULL);
	request.topology = ring;
	plan = plan_for(&request);
	sweep.plan = plan;
	if (ls_embedding_make(ring, ring, "identity", &embedding, NULL) != LS_OK)
		exit(1);
}

static void destroy_arguments(void)
{
	ls_embedding_destroy(embedding);
	ls_machine_destroy(machine);
	ls_plan_destroy(plan);
	ls_topology_destroy(ring);
}

/* ---- Outputs, and the check of one row */

static struct outputs {
	ls_topology *topology;
	ls_embedding *embedding;
	ls_plan *plan;
	ls_world *world;
	ls_machine *machine;
	ls_node *node;
	ls_op op;
	int64_t ring[4];
	double xy[8];
	struct ls_certificate certificate;
	struct ls_contents contents;
	struct ls_cost_model model;
	struct ls_round_load load;
	struct ls_sweep_result result;
	struct ls_wait_state wait;
	struct ls_stats stats;
	struct ls_request request;
	struct ls_step step;
	struct ls_plan_part part;
	struct ls_candidate candidate;
} out, before;
static struct ls_error why;

/* No row has written this output. */
#define KEPT(output) (memcmp(&out.output, &before.output, sizeof out.output) == 0)

static void reset_outputs(void)
{
	memset(&out, 0x5a, sizeof out);
	out.certificate.size = sizeof out.certificate;
	out.contents.size = sizeof out.contents;
	out.load.size = sizeof out.load;
	out.result.size = sizeof out.result;
	out.wait.size = sizeof out.wait;
	out.stats.size = sizeof out.stats;
	out.request.size = sizeof out.request;
	out.part.size = sizeof out.part;
	out.candidate.size = sizeof out.candidate;
	memcpy(&before, &out, sizeof out); /* padding, too */
	why = (struct ls_error){ .size = sizeof why };
}

enum { ROWS_MAX = 400 };
static const char *functions[ROWS_MAX]; /* of the rows so far */
static const char *current;             /* row: "ls_plan_nodes(NULL)" */
static size_t rows;

/* Sanitizers have a handler of their own. */
static void report_crash(int unused)
{
	static const char text[] = " crashed\n";

	(void)unused;
	if (write(STDERR_FILENO, current, strlen(current)) < 0
		|| write(STDERR_FILENO, text, strlen(text)) < 0)
		_exit(2);
	_exit(1);
}

static void begin_row(const char *function, const char *text)
{
	if (rows == ROWS_MAX)
		exit(1);
	functions[rows++] = function;
	current = text;
	if (!is_thin())
		signal(SIGSEGV, report_crash);
	reset_outputs();
}

static void check_status(const char *function, const char *arguments, int status)
{
	CHECK(status == LS_ERR_ARGUMENT, "%s%s: %s", function, arguments, ls_status_name(status));
	CHECK(!strstr(arguments, "&why") || strstr(why.text, " is NULL; expected "), "%s%s: '%s'",
		function, arguments, why.text);
}

/* A row: the call is refused, and `unset` holds after it. */
#define REFUSES(function, arguments, unset) \
	do { \
		begin_row(#function, #function #arguments); \
		check_status(#function, #arguments, function arguments); \
		CHECK(unset, "%s%s: not %s", #function, #arguments, #unset); \
	} while (0)

/* A row: the query gives this value. */
#define GIVES(function, arguments, value) \
	do { \
		begin_row(#function, #function #arguments); \
		CHECK(function arguments == (value), "%s%s: not %s", #function, #arguments, #value); \
	} while (0)

#endif
