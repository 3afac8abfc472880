/*
 * The reader of plans takes any bytes: it refuses them in one line, or makes a plan of them that
 * can be proved or refuted, is written as text again, and read from there as the same plan.  A
 * second reader and a second checker agree.  What is proved is swept: results, messages and counts
 * equal those of an interpreter.  A sweep finds what is refuted, too.
 *
 * The first byte of an input chooses the network, the others the elements and the sweep.
 * See fuzz_text.h.
 */
/* variants: release checked asan chaos */
#include <lockstep/check.h>

#include "fuzz_text.h"
#include "support/cells.h"
#include "support/second_plan.h"
#include "support/seed_texts.h"
#include "support/whole.h"

enum { MEMORY = 1 << 20, COUNTS = 8 };

static unsigned choice_of(const uint8_t head[HEAD])
{
	return 31u * head[2] + head[1];
}

static size_t count_of(const uint8_t head[HEAD])
{
	static const size_t counts[COUNTS] = { 5, 1, 0, 2, 3, 7, 16, 33 };

	return counts[choice_of(head) % COUNTS];
}

/* ---- Sweeps */

/* From the one that the input chooses on, the first that the claim of the plan suffices for. */
static const struct element *element_of(const ls_plan *plan, uint8_t choice)
{
	static struct element element[ELEMENTS];

	if (!element[0].name)
		elements_make(element);
	for (size_t i = choice;; i++) {
		const struct element *e = &element[i % ELEMENTS];

		if (ls_plan_supports_op(plan, e->op, NULL) == LS_OK)
			return e;
	}
}

static void make_zeros(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	const struct element *e = context;

	(void)rank, (void)first;
	memset(into, 0, n * e->size);
}

/* With zeros as operands. */
static struct ls_sweep sweep_of(const ls_plan *plan, const struct element *e, size_t count)
{
	const bool combines = ls_operation_describe(ls_plan_operation(plan))->combines;

	return (struct ls_sweep){ .size = sizeof(struct ls_sweep),
		.plan = plan,
		.count = ls_plan_operation(plan) == LS_BARRIER ? 0 : count,
		.type = e->type,
		.op = combines ? e->op : NULL,
		.make = make_zeros,
		.context = (void *)e,
		.workers = 1 };
}

static void sweep_proved(const ls_plan *plan, const struct ls_sweep *sweep, unsigned choice)
{
	struct ls_request request = { .size = sizeof request };
	const struct way way = { .workers = 1,
		.order = choice & 1 ? choice : 0,
		.wide = choice & 2,
		.makes = choice & 4,
		.takes = choice & 8,
		.untraced = choice & 16 };
	struct whole whole;

	ls_plan_request(plan, &request);

	const struct job job = { .topology = request.topology,
		.operation = request.operation,
		.element = sweep->context,
		.count = sweep->count,
		.root = request.root,
		.shift = request.shift,
		.mode = request.mode,
		.ports = request.ports,
		.in_place = request.in_place };

	whole = whole_make(&job, plan, NULL, request.mode);
	whole_by_sweep(&whole, &way);
	whole_destroy(&whole);
}

/*
 * A sweep relies on the shape, of which `check` has proved only the steps that it reached: all of
 * them, if the results are wrong at the end.  It does not prove that they are identical.
 */
static void sweep_refuted(
	const ls_plan *plan, const struct ls_sweep *sweep, const struct ls_certificate *certificate)
{
	struct ls_sweep_result out = { .size = sizeof out };
	int status;

	if (certificate->broken_law != LS_LAW_RESULT || !(certificate->laws >> LS_LAW_SHAPE & 1))
		return;
	status = ls_sweep_run(sweep, &out);
	CHECK(status == out.error.kind && !strchr(out.error.text, '\n')
			&& (status == LS_ERR_LAW || (status == LS_OK && ls_plan_identical(plan))),
		"check: %s; the sweep: %s: %s", certificate->text, ls_status_name(status), out.error.text);
}

static void sweep_plan(
	const ls_plan *plan, const uint8_t head[HEAD], const struct ls_certificate *certificate)
{
	const struct element *e = element_of(plan, head[1]);
	const struct ls_sweep sweep = sweep_of(plan, e, count_of(head));

	if (ls_sweep_memory(&sweep) > MEMORY)
		return;
	if (certificate->broken_law < 0)
		sweep_proved(plan, &sweep, choice_of(head) / COUNTS);
	else
		sweep_refuted(plan, &sweep, certificate);
}

/* ---- Plans */

static void test_same(const ls_plan *plan, const ls_topology *t)
{
	struct text first = text_of(plan), second;
	struct ls_error why = { .size = sizeof why };
	ls_plan *again;

	CHECK(ls_plan_read(first.at, first.length, t, &again, &why) == LS_OK, "%s\n%s", why.text,
		first.at);
	if (again) {
		second = text_of(again);
		CHECK(!strcmp(first.at, second.at), "written as\n%sand as\n%s", first.at, second.at);
		CHECK(ls_plan_steps(again) == ls_plan_steps(plan), "steps");
		free(second.at);
	}
	ls_plan_destroy(again);
	free(first.at);
}

/* A text that holds a zero byte is another one for the second reader. */
static void compare_opinions(const char *text, size_t length, const ls_topology *t, bool accepted)
{
	char why[200] = "";
	const enum second_verdict verdict = second_check(text, t, why);

	CHECK(verdict == TOO_LARGE || strlen(text) < length || (verdict == ACCEPTED) == accepted,
		"check %s; second checker: %s", accepted ? "accepts" : "refuses", why);
}

static void try_plan(const uint8_t head[HEAD], const char *text, size_t length)
{
	const ls_topology *t = seed_network(head[0]);
	struct ls_certificate certificate = { .size = sizeof certificate };
	struct ls_error why = { .size = sizeof why };
	ls_plan *plan;
	int status;

	if (ls_plan_read(text, length, t, &plan, &why) != LS_OK) {
		CHECK(!plan && why.text[0] && !strchr(why.text, '\n'), "'%s'", why.text);
		compare_opinions(text, length, t, false);
		return;
	}
	status = ls_check(plan, count_of(head), NULL, &certificate);
	CHECK(status == LS_OK || status == LS_ERR_LAW, "%s", ls_status_name(status));
	CHECK((status == LS_OK) == (certificate.broken_law < 0)
			&& (status == LS_OK) == !certificate.text[0],
		"a reason, or none: %s", certificate.text);
	compare_opinions(text, length, t, status == LS_OK);
	test_same(plan, t);
	sweep_plan(plan, head, &certificate);
	ls_plan_destroy(plan);
}

/* ---- Inputs */

static void begin(struct edit *e, uint8_t head[HEAD])
{
	seed_text(e, SEED_PLAN, head[0]);
}

static void change_plan(struct edit *e, const uint8_t head[HEAD])
{
	(void)head;
	change_structure(e, &seed_grammars[SEED_PLAN]);
}

/* The beginnings of a plan, and the plan with one changed byte. */
static void test_cell(const struct cell *cell, void *context)
{
	static const char bytes[] = " \n;:,.[]()+=#0189INOSTUVsrlbpe-";
	static uint8_t input[ROOM] = "( ";
	struct ls_plan *plan = plan_of(cell);
	struct text text = text_of(plan);

	(void)context;
	guard("%s", cell_name(cell).text);
	memcpy(input + HEAD, text.at, text.length);
	for (size_t i = 0; i < text.length; i += 1 + text.length / 200) {
		input[HEAD + i] = (uint8_t)bytes[(i * 7 + text.length) % (sizeof bytes - 1)];
		LLVMFuzzerTestOneInput(input, HEAD + text.length);
		input[HEAD + i] = (uint8_t)text.at[i];
		LLVMFuzzerTestOneInput(input, HEAD + i);
	}
	free(text.at);
	ls_plan_destroy(plan);
}

static void each_plan(void)
{
	ls_topology *t = topology_of("ring:4");

	each_cell(t, 1, test_cell, NULL);
	ls_topology_destroy(t);
}

static const struct fuzzer fuzzer = { .name = "plan",
	.fast = 4000,
	.full = 40000,
	.very_long = 1000000,
	.begin = begin,
	.change = change_plan,
	.try = try_plan,
	.also = each_plan };
