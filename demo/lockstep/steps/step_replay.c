#include "steps/step_replay.h"

#include "data/operand_shape.h"
#include "job/embedded.h"

/* ---- Values */

/* Elements before a block of the operand of a rank. */
static size_t first_element(const struct job *job, int64_t block)
{
	const size_t n = job->request.count;

	return ls_operation_describe(job->request.operation)->input == LS_VECTOR
		? elements_before(n, ls_plan_blocks(job->plan), block)
		: (size_t)block * n;
}

/* The steps of a job, one after the other. */
struct walk {
	const struct job *job;
	const struct operands *operands;
	int (*visit)(void *context, int64_t step, const ls_replay *replay);
	void *context;
	int64_t next; /* step */
	int stop;
};

static void put_operand(void *context, int64_t rank, int64_t block, void *out)
{
	const struct walk *walk = context;

	*(struct value *)out = operand_at(walk->operands, rank, first_element(walk->job, block));
}

static void combine_values(void *context, const void *a, const void *b, void *out)
{
	const struct walk *walk = context;
	const struct value *x = a, *y = b;

	*(struct value *)out = value_combine(&walk->operands->element, walk->job->request.op, *x, *y);
}

bool value_of_block(const struct job *job, const ls_replay *replay, int64_t host_rank, int buffer,
	int64_t block, struct value *out)
{
	const int64_t rank = operand_rank_at(job, host_rank);
	struct ls_contents held = { .size = sizeof held };

	if (ls_replay_contents(replay, rank, buffer, block, &held) != LS_OK
		|| held.holding == LS_HOLDS_NOTHING
		|| first_element(job, held.block) == first_element(job, held.block + 1))
		return false;
	return ls_replay_value(replay, rank, buffer, block, out) == LS_OK;
}

/* ---- Texts */

const char *held_by_slice(const struct job *job, const ls_replay *replay, int64_t host_rank,
	const struct ls_slice *slice, struct held_text *out)
{
	const int64_t rank = operand_rank_at(job, host_rank);
	const int64_t length = ls_replay_text(replay, rank, slice, out->text, out->size);

	if (length <= 0)
		return NULL;
	if ((size_t)length < out->size)
		return out->text;
	out->size = 2 * (size_t)length;
	out->text = require_memory(realloc(out->text, out->size));
	return ls_replay_text(replay, rank, slice, out->text, out->size) > 0 ? out->text : NULL;
}

static bool writes_buffer(const struct ls_step *step, int buffer)
{
	for (int i = 0; i < step->n_moves; i++)
		if (step->move[i].dst.buffer == buffer)
			return true;
	return false;
}

int written_buffers(const struct ls_step *step, int out[LS_BUFFERS])
{
	int count = 0;

	for (int buffer = 0; buffer < LS_BUFFERS; buffer++)
		if (writes_buffer(step, buffer))
			out[count++] = buffer;
	return count;
}

int result_buffer(const struct ls_step *step)
{
	return writes_buffer(step, LS_OUTPUT) ? LS_OUTPUT : step->move[step->n_moves - 1].dst.buffer;
}

const char *held_in_buffer(const struct job *job, const ls_replay *replay, int64_t host_rank,
	int buffer, char *text, size_t size)
{
	const struct ls_slice all = {
		.run = ls_replay_blocks(replay, buffer), .runs = 1, .buffer = (uint8_t)buffer
	};
	const int64_t length =
		ls_replay_text(replay, operand_rank_at(job, host_rank), &all, text, size);

	if (length <= 0)
		return NULL;
	if ((size_t)length >= size)
		snprintf(text + size - sizeof "..", sizeof "..", "..");
	return text;
}

/* ---- Steps */

static int visit_next(struct walk *walk, const ls_replay *replay)
{
	walk->stop = walk->visit(walk->context, walk->next++, replay);
	return walk->stop;
}

/* After the last step the check may end: the laws of the whole plan are not needed. */
static int observe(void *context, const ls_replay *replay)
{
	const struct walk *walk = context;

	if (ls_replay_steps(replay) == 0)
		return 0;
	return visit_next(context, replay) || walk->next == ls_plan_steps(walk->job->plan);
}

/* If the check fails, it leaves steps without contents. */
int replay_steps(const struct job *job, const struct operands *operands,
	int (*visit)(void *context, int64_t step, const ls_replay *replay), void *context)
{
	struct walk walk = { job, operands, visit, context, 0, 0 };
	const struct ls_observer observer = { .size = sizeof observer,
		.observe = observe,
		.context = &walk,
		.bytes = sizeof(struct value),
		.operand = put_operand,
		.combine = combine_values };
	const struct ls_check_options options = { .size = sizeof options,
		.embedding = job->embedding,
		.mode = job->mode,
		.observer = &observer };
	struct ls_certificate found = { .size = sizeof found };

	if (ls_check(job->plan, job->request.count, &options, &found) == LS_OK)
		return EXIT_SUCCESS;
	while (!walk.stop && walk.next < ls_plan_steps(job->plan))
		visit_next(&walk, NULL);
	return walk.stop;
}
