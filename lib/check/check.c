/*
 * The order in which the laws are proved, law 6 (counts), and the certificate.
 *
 *   check_steps         laws 0 to 4, and 7 (nodup): step by step, node by node
 *     shape, link       the actions of every node alone, and its messages on the links
 *     loads             the links of the whole step
 *     replay            the symbolic values of every node after the step
 *     received          every message has a receiver
 *     observe           the observer of the caller sees the values
 *   lsi_check_results   law 5: the values at the end
 *   check_counts        law 6: the formulas of the algorithm
 *   lsi_check_zero_copy law 8: zero-copy messages of free rounds
 *
 * The first violation ends the proof; the certificate then lists the laws of the parts before it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/math.h"
#include "base/sized.h"
#include "check/checker.h"
#include "plan/zero_copy_waits.h"
#include "plan/storage.h"

static const char *const names[LS_LAWS] = { "shape", "port", "match", "link", "in flight", "result",
	"count", "nodup", "zero-copy" };

const char *ls_law_name(enum ls_law law)
{
	return (unsigned)law < LS_LAWS ? names[law] : "unknown";
}

struct lsi_message_text lsi_block_name(int buffer, int64_t block)
{
	static const char *const buffers[LS_BUFFERS] = { "INPUT", "OUTPUT", "ARRIVAL", "ARRIVAL1",
		"ARRIVAL2", "ARRIVAL3", "S", "T", "U", "V" };
	struct lsi_message_text name;

	snprintf(name.text, sizeof name.text, "%s[%lld]", buffers[buffer], (long long)block);
	return name;
}

struct lsi_message_text lsi_move_text(int move, const char *verb)
{
	struct lsi_message_text words;

	if (move > 0)
		snprintf(words.text, sizeof words.text, "move %d %s", move, verb);
	else
		snprintf(words.text, sizeof words.text, "%s", verb);
	return words;
}

/*
 * Write "law L (name): node N: round R: text" into the certificate; "local step" for a local one.
 */
int lsi_check_fail(
	struct lsi_checker *c, enum ls_law law, struct lsi_violation_at at, const char *format, ...)
{
	struct ls_certificate *out = c->out;
	char *text = out->text;
	const size_t room = sizeof out->text;
	int length = snprintf(text, room, "law %d (%s): ", law, names[law]);
	va_list args;

	out->broken_law = (int)law;
	out->node = at.node;
	out->peer = at.peer;
	out->round = at.step < 0 ? -1 : ls_plan_round(c->plan, at.step);
	out->link = at.link;
	if (out->node >= 0)
		length +=
			snprintf(text + length, room - (size_t)length, "node %lld: ", (long long)out->node);
	if (out->round == 0)
		length += snprintf(text + length, room - (size_t)length, "local step: ");
	else if (out->round > 0)
		length +=
			snprintf(text + length, room - (size_t)length, "round %lld: ", (long long)out->round);
	va_start(args, format);
	vsnprintf(text + length, room - (size_t)length, format, args);
	va_end(args);
	return LS_ERR_LAW;
}

/* ---- Counting, and the steps in turn */

/* Add the messages of one node in one step to the counts, and find the longest of the step. */
static void count_messages(struct lsi_checker *c, int64_t node, const struct ls_step *actions)
{
	const struct lsi_measure measure = { .n = c->n };

	for (int q = 0; q < actions->ports; q++) {
		if (actions->to[q] == LS_NO_RANK)
			continue;

		const size_t words = lsi_slice_words(c->plan, node, &actions->send[q], &measure);

		c->messages++;
		c->out->counts.words = lsi_add_sat(c->out->counts.words, (int64_t)words);
		if (words > c->longest)
			c->longest = words;
	}
}

/* One part of the proof, for one node in one step; returns as the functions of checker.h. */
typedef int check_node(struct lsi_checker *, int64_t node, int64_t step, const struct ls_step *);

/* The parts that need no values.  Must pass at all nodes of a step before any node is replayed. */
static int check_sending(
	struct lsi_checker *c, int64_t node, int64_t step, const struct ls_step *actions)
{
	int status = lsi_check_shape(c, node, step, actions);

	if (status == LS_OK)
		status = lsi_check_link(c, node, step, actions);
	if (status == LS_OK)
		count_messages(c, node, actions);
	return status;
}

static int for_each_node(struct lsi_checker *c, int64_t step, check_node *check)
{
	int status = LS_OK;

	for (int64_t u = 0; status == LS_OK && u < c->nodes; u++) {
		struct ls_step actions;

		ls_plan_step(c->plan, u, step, &actions);
		status = check(c, u, step, &actions);
	}
	return status;
}

/* Both passes over one step; adds its longest message to the volume. */
static int check_step(struct lsi_checker *c, int64_t step)
{
	int status;

	c->messages = c->taken = 0;
	c->longest = 0;
	status = for_each_node(c, step, check_sending);
	if (status == LS_OK)
		status = lsi_check_loads(c, step);
	if (status == LS_OK)
		status = for_each_node(c, step, lsi_check_replay);
	if (status == LS_OK)
		status = lsi_check_received(c, step);
	c->out->counts.messages += c->messages;
	c->out->counts.volume = lsi_add_sat(c->out->counts.volume, (int64_t)c->longest);
	/* A plan without formulas has the rounds that it declares, also those without messages. */
	c->out->counts.rounds +=
		c->messages > 0 || (!c->plan->algorithm->predict && !ls_plan_is_local(c->plan, step));
	return status;
}

/* ---- Law 6 */

/* Law 6 for one figure of the plan; `figure` is its name in the message. */
static int compare(struct lsi_checker *c, const char *figure, int64_t counted, int64_t predicted)
{
	if (counted == predicted)
		return LS_OK;
	return lsi_check_fail(c, LS_LAW_COUNT, (struct lsi_violation_at){ -1, -1, -1, -1 },
		"%lld %s, but the formula of the algorithm gives %lld", (long long)counted, figure,
		(long long)predicted);
}

/* The counts of the replay must equal the formulas, and be at least the lower bound. */
static int check_counts(struct lsi_checker *c)
{
	const struct ls_counts counted = c->out->counts;
	const struct ls_counts predicted = ls_plan_predict(c->plan, c->n);
	const int64_t bound = ls_plan_lower_bound(c->plan);
	int status = compare(c, "rounds", counted.rounds, ls_plan_rounds(c->plan));

	if (predicted.rounds < 0)
		return LS_ERR_MEMORY;
	if (status == LS_OK)
		status = compare(c, "rounds", counted.rounds, predicted.rounds);
	if (status == LS_OK)
		status = compare(c, "messages", counted.messages, predicted.messages);
	if (status == LS_OK)
		status = compare(c, "words", counted.words, predicted.words);
	if (status == LS_OK)
		status = compare(c, "words of volume", counted.volume, predicted.volume);
	if (status == LS_OK && counted.rounds < bound)
		return lsi_check_fail(c, LS_LAW_COUNT, (struct lsi_violation_at){ -1, -1, -1, -1 },
			"%lld rounds, fewer than the lower bound %lld", (long long)counted.rounds,
			(long long)bound);
	return status;
}

/* ---- The whole proof */

/* In place the operands are stored where moves may overwrite them; else INPUT is never stored. */
static void fill_inputs(struct lsi_checker *c)
{
	const int64_t inputs = lsi_buffer_blocks(c->plan, LS_INPUT);

	for (int64_t u = 0; u < c->nodes && c->plan->problem.in_place; u++) {
		for (int64_t b = 0; b < inputs && lsi_storage_has(c->plan, u, LS_INPUT); b++)
			c->memory[u * c->cells + lsi_storage_cell(c->plan, u, LS_INPUT, b)] =
				lsi_expression_leaf(&c->values, u, b);
	}
}

/* The network and mode of law 3: those of the embedding's host if there is one. */
static void select_network(struct lsi_checker *c)
{
	const ls_embedding *embedding = c->options.embedding;

	c->mode = embedding ? c->options.mode : c->plan->problem.mode;
	c->loads.topology = embedding ? ls_embedding_host(embedding) : c->plan->problem.topology;
}

/*
 * Allocate the state.  Law 7 needs a set of ranks per node and block; it is checked only if all
 * these sets fit in half of the memory limit.
 */
static int begin(struct lsi_checker *c)
{
	const int64_t inputs = lsi_buffer_blocks(c->plan, LS_INPUT);

	select_network(c);
	c->nodes = ls_plan_nodes(c->plan);
	c->cells = lsi_storage_cells(c->plan);
	c->unstored = c->plan->problem.in_place ? 0 : inputs;
	if (lsi_expressions_init(&c->values, c->nodes, inputs, c->options.memory) != LS_OK)
		return LS_ERR_MEMORY;

	const size_t sets = (size_t)c->values.leaves;
	const size_t set = lsi_set_words(&c->values) * sizeof(uint64_t);

	c->mark = lsi_alloc_zero((size_t)c->cells, sizeof *c->mark);
	c->memory =
		lsi_alloc_zero((size_t)c->nodes * (size_t)(c->cells - c->unstored), sizeof *c->memory);
	if (!c->mark || !c->memory)
		return LS_ERR_MEMORY;
	if (c->plan->algorithm->nodup && sets <= c->options.memory / 2 / set) {
		c->received = lsi_alloc_zero(sets, set);
		if (!c->received)
			return LS_ERR_MEMORY;
		c->values.used = sets * set;
		c->out->nodup = true;
	}
	fill_inputs(c);
	return LS_OK;
}

static int check_steps(struct lsi_checker *c)
{
	const int64_t steps = ls_plan_steps(c->plan);
	int status = begin(c);

	if (status == LS_OK)
		status = lsi_observe_start(&c->replay, c);
	for (int64_t t = 0; status == LS_OK && t < steps; t++) {
		status = check_step(c, t);
		if (status == LS_OK)
			status = lsi_observe_step(&c->replay, t);
	}
	return status;
}

/* Run the parts in order; a part runs only if no part before it found a violation. */
static int prove(struct lsi_checker *c)
{
	enum {
		STEPS = 1 << LS_LAW_SHAPE | 1 << LS_LAW_PORT | 1 << LS_LAW_MATCH | 1 << LS_LAW_LINK
			| 1 << LS_LAW_IN_FLIGHT
	};
	static const struct {
		int (*check)(struct lsi_checker *);
		uint32_t laws;
	} parts[] = {
		{ check_steps, STEPS },
		{ lsi_check_results, 1u << LS_LAW_RESULT },
		{ check_counts, 1u << LS_LAW_COUNT },
		{ lsi_check_zero_copy, 1u << LS_LAW_ZERO_COPY },
	};
	int status = LS_OK;

	for (size_t i = 0; status == LS_OK && i < sizeof parts / sizeof *parts; i++) {
		status = parts[i].check(c);
		if (status == LS_OK)
			c->out->laws |= parts[i].laws;
	}
	if (!c->plan->algorithm->predict)
		c->out->laws &= ~(1u << LS_LAW_COUNT); /* no formula: not claimed */
	if (c->out->nodup && c->out->laws & STEPS)
		c->out->laws |= 1u << LS_LAW_NODUP;
	c->out->by_fingerprint = c->values.by_fingerprint;
	return status;
}

/*
 * The options with their defaults; false: they set fields that this version does not have, or the
 * observer is incomplete.
 */
static bool read_options(const struct ls_check_options *or_null, struct lsi_checker *c)
{
	struct ls_check_options *options = &c->options;

	*options = (struct ls_check_options){ .size = sizeof *options };
	if (or_null && !lsi_sized_read(options, sizeof *options, or_null))
		return false;
	if (options->memory == 0)
		options->memory = (size_t)1 << 30;
	if (!options->waits)
		options->waits = lsi_plan_zero_copy_waits;
	return lsi_replay_init(&c->replay, c, options->observer, &c->evaluated);
}

int ls_check(const ls_plan *plan, size_t n, const struct ls_check_options *or_null,
	struct ls_certificate *out)
{
	struct ls_certificate found = { .size = sizeof found,
		.broken_law = -1,
		.node = -1,
		.peer = -1,
		.round = -1,
		.link = -1,
		.ordered = true,
		.identical = true };
	struct lsi_checker c = { .plan = plan, .n = n, .out = &found };
	int status = LS_ERR_ARGUMENT;

	if (!out)
		return status;
	if (plan && !lsi_plan_is_countable(plan, n))
		snprintf(found.text, sizeof found.text,
			"%zu elements are too many to count the words of all messages; try fewer", n);
	else if (plan && read_options(or_null, &c))
		status = prove(&c);
	found.nodup = found.laws >> LS_LAW_NODUP & 1;
	if (status != LS_OK)
		found.ordered = found.identical = false;
	lsi_sized_write(out, &found, sizeof found);
	lsi_free(c.evaluated.value);
	lsi_needs_fini(&c.replay.needs);
	lsi_expressions_fini(&c.values);
	lsi_link_traffics_fini(&c.loads);
	lsi_free(c.received);
	lsi_free(c.memory);
	lsi_free(c.mark);
	return status;
}
