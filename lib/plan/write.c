/*
 * Plans as text: writing.  <lockstep/plan.h> describes the form.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "plan/text.h"

__attribute__((format(printf, 2, 3))) static void emit(
	struct lsi_plan_writer *w, const char *format, ...)
{
	char text[128];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (!w->stopped)
		w->stopped = w->put(w->context, text);
}

static void write_buffer(struct lsi_plan_writer *w, int buffer)
{
	if (buffer == LS_INPUT || buffer == LS_OUTPUT)
		emit(w, "%s", buffer == LS_INPUT ? "INPUT" : "OUTPUT");
	else if (buffer >= LS_SCRATCH)
		emit(w, "%c", LSI_SCRATCH_LETTERS[buffer - LS_SCRATCH]);
	else if (buffer > LS_ARRIVAL)
		emit(w, "ARRIVAL%d", buffer - LS_ARRIVAL);
	else
		emit(w, "ARRIVAL");
}

/*
 * The number of the k-th block.  The text has no `order`, so scratch with one is written with the
 * logical block instead, which has the same length.
 */
static int64_t block_number(const struct ls_plan *plan, const struct ls_slice *slice, int64_t k)
{
	const int64_t block = ls_slice_at(slice, k);

	return slice->buffer >= LS_SCRATCH && plan->frame.order ? plan->frame.order[block] : block;
}

/* Are these all blocks of INPUT, OUTPUT or a message that arrives in `step`, in order? */
static bool is_whole(
	const struct ls_plan *plan, const struct ls_step *step, const struct ls_slice *slice)
{
	const int64_t blocks = ls_slice_blocks(slice);

	if (!step || slice->buffer >= LS_SCRATCH)
		return false;
	if (blocks
		!= (slice->buffer < LS_ARRIVAL ? lsi_buffer_blocks(plan, slice->buffer)
									   : step->arrives[slice->buffer - LS_ARRIVAL]))
		return false;
	for (int64_t k = 0; k < blocks; k++) {
		if (ls_slice_at(slice, k) != k)
			return false;
	}
	return true;
}

/* Joins consecutive numbers: "0..3,8". */
void lsi_plan_write_slice(struct lsi_plan_writer *w, const struct ls_slice *slice)
{
	const int64_t blocks = ls_slice_blocks(slice);

	write_buffer(w, slice->buffer);
	if (is_whole(w->plan, w->brief, slice))
		return;
	for (int64_t k = 0, last; k < blocks && !w->stopped; k = last + 1) {
		const int64_t first = block_number(w->plan, slice, k);

		for (last = k;
			 last + 1 < blocks && block_number(w->plan, slice, last + 1) == first + last + 1 - k;)
			last++;
		emit(w, "%c%" PRId64, k ? ',' : '[', first);
		if (last > k)
			emit(w, "..%" PRId64, first + last - k);
	}
	emit(w, "]");
}

void lsi_plan_write_move(struct lsi_plan_writer *w, const struct ls_move *move)
{
	lsi_plan_write_slice(w, &move->dst);
	emit(w, move->action == LS_FOLD ? " := fold " : " := ");
	lsi_plan_write_slice(w, &move->a);
	if (move->action == LS_COMBINE) {
		emit(w, " (+) ");
		lsi_plan_write_slice(w, &move->b);
	}
}

static void write_port(struct lsi_plan_writer *w, int q)
{
	if (q > 0)
		emit(w, " port %d", q);
}

/* "3: send ..; receive ..; MOVE" and a newline; nothing for an idle node. */
static void write_step(struct lsi_plan_writer *w, int64_t rank, const struct ls_step *step)
{
	const char *before = "";
	char node[32];

	snprintf(node, sizeof node, "%" PRId64 ": ", rank);
	before = node;
	for (int q = 0; q < step->ports; q++) {
		if (step->to[q] != LS_NO_RANK) {
			emit(w, "%ssend ", before);
			lsi_plan_write_slice(w, &step->send[q]);
			emit(w, " to %" PRId64, step->to[q]);
			write_port(w, q);
			before = "; ";
		}
		if (step->from[q] != LS_NO_RANK) {
			emit(w, "%sreceive %" PRId64 " from %" PRId64, before, step->arrives[q], step->from[q]);
			write_port(w, q);
			before = "; ";
		}
	}
	for (int i = 0; i < step->n_moves; i++) {
		emit(w, "%s", before);
		lsi_plan_write_move(w, &step->move[i]);
		before = "; ";
	}
	if (before != node)
		emit(w, "\n");
}

static void write_head(struct lsi_plan_writer *w)
{
	const struct ls_plan *plan = w->plan;
	const struct lsi_problem *problem = &plan->problem;

	emit(w, "lockstep plan 1\noperation %s\nnodes %" PRId64 "\n",
		ls_operation_name(problem->operation), problem->nodes);
	emit(w, "algorithm %.60s\n", plan->algorithm->name);
	emit(w, "mode %s\nclaim %s%s%s\n", problem->mode == LS_HOP ? "hop" : "routed",
		lsi_claim_words[plan->algorithm->claim], plan->algorithm->identical ? " identical" : "",
		plan->algorithm->nodup ? " nodup" : "");
	emit(w, "root %" PRId64 "\nshift %" PRId64 "\nports %d\n", problem->root, problem->shift,
		problem->ports);
	emit(w, "blocks %" PRId64 "\n%s", plan->frame.blocks, problem->in_place ? "in-place\n" : "");
	for (int k = 0; k < LS_SCRATCH_BUFFERS; k++) {
		if (plan->frame.scratch[k].slots > 0)
			emit(w, "scratch %c %" PRId64 " each %" PRId64 "\n", LSI_SCRATCH_LETTERS[k],
				plan->frame.scratch[k].slots, plan->frame.scratch[k].each);
	}
}

int ls_plan_write(const ls_plan *plan, int (*put)(void *context, const char *text), void *context)
{
	struct lsi_plan_writer w = { .plan = plan, .put = put, .context = context };

	if (!plan || !put)
		return LS_ERR_ARGUMENT;
	write_head(&w);
	for (int64_t t = 0; t < ls_plan_steps(plan); t++) {
		emit(&w, ls_plan_is_local(plan, t) ? "local\n" : "round\n");
		for (int64_t u = 0; u < plan->problem.nodes && !w.stopped; u++) {
			struct ls_step step;

			ls_plan_step(plan, u, t, &step);
			write_step(&w, u, &step);
		}
	}
	return w.stopped;
}
