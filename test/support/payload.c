#include "support/payload.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/guard.h"
#include "test.h"

enum { GUARD = 64 }; /* bytes on each side */

/* What operands and results are: blocks of `count` elements, and where they are one buffer. */
enum blocks { NONE, ONE, EACH };
struct shape {
	enum blocks input, output;
	bool from_root, at_root, combines, alike;
};
static const struct shape shapes[LS_OPERATIONS] = {
	[LS_BROADCAST] = { ONE, ONE, .from_root = true, .alike = true },
	[LS_REDUCE] = { ONE, ONE, .at_root = true, .combines = true, .alike = true },
	[LS_ALLREDUCE] = { ONE, ONE, .combines = true, .alike = true },
	[LS_ALLGATHER] = { ONE, EACH, .alike = true },
	[LS_REDUCE_SCATTER] = { EACH, ONE, .combines = true },
	[LS_SCAN] = { ONE, ONE, .combines = true },
	[LS_EXSCAN] = { ONE, ONE, .combines = true },
	[LS_SCATTER] = { EACH, ONE, .from_root = true },
	[LS_GATHER] = { ONE, EACH, .at_root = true, .alike = true },
	[LS_ALLTOALL] = { .input = EACH, .output = EACH },
	[LS_SHIFT] = { .input = ONE, .output = ONE },
	[LS_BARRIER] = { .input = NONE },
};

static const struct shape *shape_of(const struct job *job)
{
	return &shapes[job->operation];
}

static size_t words(const struct job *job, enum blocks blocks)
{
	const size_t p = (size_t)ls_topology_nodes(job->topology);

	return blocks == NONE ? 0 : blocks == ONE ? job->count : p * job->count;
}

static size_t bytes(const struct job *job, enum blocks blocks)
{
	return words(job, blocks) * job->element->size;
}

/* ---- Memory */

static bool has_result(const struct job *job, int64_t rank)
{
	return shape_of(job)->output != NONE && (!shape_of(job)->at_root || rank == job->root);
}

static bool has_operand(const struct job *job, int64_t rank)
{
	return shape_of(job)->input != NONE && (!shape_of(job)->from_root || rank == job->root);
}

/* The one block is the node's own of the many; a node that has not both has no place in common. */
static void lay_in_place(const struct job *job, int64_t rank, struct memory *m)
{
	const struct shape *shape = shape_of(job);
	const size_t own = (size_t)rank * bytes(job, ONE);
	char *const start = m->start + GUARD;

	m->input = has_operand(job, rank) ? start : NULL;
	m->output = has_result(job, rank) ? start : NULL;
	if (shape->input != shape->output && m->input && m->output)
		*(shape->input == ONE ? &m->input : &m->output) += own;
	if (shape->input == shape->output && rank % 2 == 0)
		m->input = m->output = start; /* where one is enough both may be given */
}

static void lay(const struct job *job, int64_t rank, struct memory *m)
{
	const struct shape *shape = shape_of(job);
	const size_t input = (bytes(job, shape->input) + GUARD - 1) / GUARD * GUARD;

	m->bytes = 3 * GUARD + input + bytes(job, shape->output);
	m->start = memory(m->bytes, 1);
	m->before = memory(m->bytes, 1);
	m->input = has_operand(job, rank) ? m->start + GUARD : NULL;
	m->output = has_result(job, rank) ? m->start + 2 * GUARD + input : NULL;
	if (job->in_place)
		lay_in_place(job, rank, m);
	if (has_result(job, rank) && (job->operation != LS_EXSCAN || rank > 0))
		m->result = bytes(job, shape->output);
}

void payload_prepare(struct payload *load)
{
	for (int64_t r = 0; r < load->p; r++) {
		struct memory *m = &load->memory[r];

		memset(m->start, 0xee, m->bytes);
		if (has_operand(load->job, r))
			memcpy(m->input, load->given[r], bytes(load->job, shape_of(load->job)->input));
		memcpy(m->before, m->start, m->bytes);
	}
}

static bool is_untouched(const struct memory *m)
{
	const size_t result = m->output ? (size_t)(m->output - m->start) : 0, end = result + m->result;

	return !memcmp(m->start, m->before, result)
		&& !memcmp(m->start + end, m->before + end, m->bytes - end);
}

/* ---- Results */

/* What every rank, or each, is to end with, computed one after the other. */
static void compute_combined(struct payload *load)
{
	const struct job *job = load->job;
	const size_t n = job->count, p = (size_t)load->p;
	void **block = memory(p, sizeof *block);

	if (job->operation == LS_SCAN)
		operand_scan(job->element, load->given, load->p, n, load->want, load->slack);
	else if (job->operation == LS_EXSCAN)
		operand_scan(job->element, load->given, load->p - 1, n, load->want + bytes(job, ONE),
			load->slack + n);
	else if (job->operation != LS_REDUCE_SCATTER)
		operand_reduce(job->element, load->given, load->p, n, load->want, load->slack);
	for (size_t b = 0; b < p && job->operation == LS_REDUCE_SCATTER; b++) {
		for (size_t r = 0; r < p; r++)
			block[r] = (char *)load->given[r] + b * bytes(job, ONE);
		operand_reduce(
			job->element, block, load->p, n, load->want + b * bytes(job, ONE), load->slack + b * n);
	}
	free(block);
}

/* The rank of whose operand block i of the result of rank r is block `of`. */
struct origin {
	int64_t rank, of;
};

static struct origin origin_of(const struct payload *load, int64_t r, int64_t i)
{
	const struct job *job = load->job;

	switch (job->operation) {
	case LS_SCATTER:
		return (struct origin){ job->root, r };
	case LS_ALLTOALL:
		return (struct origin){ i, r };
	case LS_ALLGATHER:
	case LS_GATHER:
		return (struct origin){ i, 0 };
	case LS_SHIFT:
		return (struct origin){ ((r - job->shift) % load->p + load->p) % load->p, 0 };
	default:
		return (struct origin){ job->root, 0 };
	}
}

static void compute_moved(struct payload *load)
{
	const size_t block = bytes(load->job, ONE);
	const int64_t blocks = shape_of(load->job)->output == EACH ? load->p : 1;

	for (int64_t r = 0; r < (load->row ? load->p : 1); r++) {
		for (int64_t i = 0; i < blocks; i++) {
			const struct origin origin = origin_of(load, r, i);

			memcpy(load->want + (size_t)(r * blocks + i) * block,
				(char *)load->given[origin.rank] + (size_t)origin.of * block, block);
		}
	}
}

void payload_check(const struct payload *load, bool identical)
{
	const struct job *job = load->job;
	const struct element *e = job->element;
	const struct element moved = { .name = e->name, .size = e->size, .exact = true };

	for (int64_t r = 0; r < load->p; r++) {
		const struct memory *m = &load->memory[r];
		const size_t n = m->result / e->size, at = (size_t)r * load->row;
		const size_t wrong = operand_wrong(shape_of(job)->combines ? e : &moved, m->output,
			load->want + at * e->size, load->slack + at, n);

		CHECK(wrong == n, "%s: element %zu is wrong at node %" PRId64, guarded(), wrong, r);
		CHECK(is_untouched(m), "%s: node %" PRId64 " writes beside its result", guarded(), r);
		if (load->row == 0 && n > 0 && load->memory[0].result > 0 && identical)
			CHECK(!memcmp(m->output, load->memory[0].output, m->result),
				"%s: nodes 0 and %" PRId64 " differ", guarded(), r);
	}
}

size_t payload_copy(const struct payload *load, char *to)
{
	char *const start = to;

	for (int64_t r = 0; r < load->p; to += load->memory[r++].result) {
		if (load->memory[r].result)
			memcpy(to, load->memory[r].output, load->memory[r].result);
	}
	return (size_t)(to - start);
}

/* ---- The payload */

struct payload payload_make(const struct job *job)
{
	const struct shape *shape = shape_of(job);
	struct payload load = { .job = job,
		.p = ls_topology_nodes(job->topology),
		.row = shape->alike ? 0 : words(job, shape->output) };
	const size_t rows = shape->alike ? 1 : (size_t)load.p;

	load.given = memory((size_t)load.p, sizeof *load.given);
	load.memory = memory((size_t)load.p, sizeof *load.memory);
	load.want = memory(rows, bytes(job, shape->output));
	load.slack = memory(rows * words(job, shape->output), sizeof *load.slack);
	for (int64_t r = 0; r < load.p; r++) {
		load.given[r] = memory(1, bytes(job, shape->input));
		operand_fill(job->element, load.given[r], words(job, shape->input), r, 42);
		lay(job, r, &load.memory[r]);
	}
	if (shape->combines)
		compute_combined(&load);
	else
		compute_moved(&load);
	return load;
}

void payload_destroy(struct payload *load)
{
	for (int64_t r = 0; r < load->p; r++) {
		free(load->memory[r].start);
		free(load->memory[r].before);
		free(load->given[r]);
	}
	free(load->given);
	free(load->memory);
	free(load->want);
	free(load->slack);
}

size_t payload_room(const struct payload *load)
{
	return (size_t)load->p * bytes(load->job, shape_of(load->job)->output);
}

bool job_combines(const struct job *job)
{
	return shape_of(job)->combines;
}
