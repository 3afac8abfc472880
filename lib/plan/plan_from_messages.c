#include "plan/plan_from_messages.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/math.h"
#include "plan/step.h"

/* ---- Sorted messages */

/* Negative, 0 or positive, as a comparison of qsort. */
static int compare(
	const struct ls_message *a, int64_t node_a, const struct ls_message *b, int64_t node_b)
{
	if (a->round != b->round)
		return a->round < b->round ? -1 : 1;
	if (node_a != node_b)
		return node_a < node_b ? -1 : 1;
	return (a > b) - (a < b); /* both lie in one array */
}

static int compare_by_src(const void *a, const void *b)
{
	const struct ls_message *const *x = a, *const *y = b;

	return compare(*x, (*x)->src, *y, (*y)->src);
}

static int compare_by_dst(const void *a, const void *b)
{
	const struct ls_message *const *x = a, *const *y = b;

	return compare(*x, (*x)->dst, *y, (*y)->dst);
}

/* The first entry that is not before (round, node). */
static const struct ls_message *const *lower_bound(
	const struct lsi_message_list *list, bool by_src, int64_t round, int64_t node)
{
	size_t low = 0, high = list->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct ls_message *row = list->row[middle];
		const int64_t at = by_src ? row->src : row->dst;

		if (row->round < round || (row->round == round && at < node))
			low = middle + 1;
		else
			high = middle;
	}
	return list->row + low;
}

/* The messages of the nodes first .. last - 1 in a round. */
static struct lsi_message_range range_of(
	const struct lsi_message_list *list, bool by_src, int64_t round, int64_t first, int64_t last)
{
	return (struct lsi_message_range){ lower_bound(list, by_src, round, first),
		lower_bound(list, by_src, round, last) };
}

struct lsi_message_range lsi_messages_sent(
	const struct lsi_message_index *index, int64_t step, int64_t first, int64_t last)
{
	return range_of(&index->sent, true, step + 1, first, last);
}

struct lsi_message_range lsi_messages_received(
	const struct lsi_message_index *index, int64_t step, int64_t first, int64_t last)
{
	return range_of(&index->received, false, step + 1, first, last);
}

/* ---- The plan */

/* A step shows LS_PORTS messages at most; checkers read the range instead. */
static int ports_used(struct lsi_message_range range)
{
	return (int)lsi_min(range.end - range.begin, LS_PORTS);
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_message_range sent = lsi_messages_sent(plan->table, round, rank, rank + 1);
	const struct lsi_message_range received =
		lsi_messages_received(plan->table, round, rank, rank + 1);

	for (int q = 0; q < ports_used(sent); q++)
		out->to[q] = sent.begin[q]->dst;
	for (int q = 0; q < ports_used(received); q++)
		out->from[q] = received.begin[q]->src;
}

/* A message of w words is a slice of w blocks of one word. */
static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *out)
{
	const struct lsi_message_range sent = lsi_messages_sent(plan->table, round, rank, rank + 1);
	const struct lsi_message_range received =
		lsi_messages_received(plan->table, round, rank, rank + 1);

	for (int q = 0; q < ports_used(sent); q++)
		lsi_step_send_on(out, q, lsi_blocks(LS_INPUT, 0, (int64_t)sent.begin[q]->words));
	for (int q = 0; q < ports_used(received); q++)
		lsi_step_receive_on(out, q, (int64_t)received.begin[q]->words);
}

static struct ls_counts counts_of(const struct ls_plan *plan, size_t n)
{
	const struct lsi_message_index *index = plan->table;

	(void)n; /* messages state their words */
	return index->counts;
}

static void release_index(struct lsi_message_index *index)
{
	if (!index)
		return;
	lsi_free((void *)index->sent.row);
	lsi_free((void *)index->received.row);
	lsi_free(index);
}

static void release(struct ls_plan *plan)
{
	release_index(plan->table);
}

static const struct lsi_algorithm message_algorithm = { .name = "messages",
	.networks = "one",
	.rounds = "as recorded",
	.source = "a list",
	.claim = LS_MOVE,
	.release = release,
	.peers = peers,
	.body = body,
	.predict_exactly = counts_of };

const struct lsi_message_index *lsi_message_index_of(const struct ls_plan *plan)
{
	return plan->algorithm == &message_algorithm ? plan->table : NULL;
}

/* ---- Making the plan */

int lsi_schedule_begin(const struct ls_request *request, const struct ls_message *message,
	size_t count, ls_plan **out, struct ls_error *why)
{
	const char *missing = !request ? "request"
		: !message && count > 0    ? "message"
		: !out                     ? "out"
								   : NULL;

	if (out)
		*out = NULL;
	if (missing)
		return lsi_error_set(why, LS_ERR_ARGUMENT,
			"%s is NULL; expected a request, messages and the address of a plan", missing);
	if (!request->topology)
		return lsi_error_set(
			why, LS_ERR_ARGUMENT, "the request has no topology; expected one of ls_topology_make");
	return LS_OK;
}

static int check_messages(const struct ls_request *request, const struct ls_message *message,
	size_t n, struct ls_error *why)
{
	const int64_t nodes = ls_topology_nodes(request->topology);

	if (request->ports < 0 || request->ports > LS_PORTS)
		return lsi_error_set(
			why, LS_ERR_ARGUMENT, "the port count is %d; expected 1..%d", request->ports, LS_PORTS);
	for (size_t i = 0; i < n; i++) {
		const struct ls_message *m = &message[i];

		if (m->round < 1 || m->round > LS_SCHEDULE_ROUNDS)
			return lsi_error_set(why, LS_ERR_ARGUMENT,
				"message %zu: round %" PRId64 " is out of range; expected 1..%d", i, m->round,
				LS_SCHEDULE_ROUNDS);
		if (m->src < 0 || m->src >= nodes || m->dst < 0 || m->dst >= nodes)
			return lsi_error_set(why, LS_ERR_ARGUMENT,
				"message %zu: from %" PRId64 " to %" PRId64 "; expected ranks 0..%" PRId64, i,
				m->src, m->dst, nodes - 1);
	}
	return LS_OK;
}

/* Pointers into the array of the caller, sorted; false: no memory. */
static bool make_lists(struct lsi_message_index *index, const struct ls_message *message, size_t n)
{
	struct lsi_message_list *sent = &index->sent, *received = &index->received;

	sent->row = lsi_alloc_zero(n + 1, sizeof *sent->row);
	received->row = lsi_alloc_zero(n + 1, sizeof *received->row);
	if (!sent->row || !received->row)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!message[i].unsent)
			sent->row[sent->n++] = &message[i];
		received->row[received->n++] = &message[i];
	}
	qsort(sent->row, sent->n, sizeof *sent->row, compare_by_src);
	qsort(received->row, received->n, sizeof *received->row, compare_by_dst);
	return true;
}

/* A round counts even if its only message is never sent. */
static void count(struct lsi_message_index *index)
{
	const struct lsi_message_list *sent = &index->sent, *received = &index->received;
	struct ls_counts *counts = &index->counts;
	int64_t longest = 0;

	for (size_t i = 0; i < sent->n; i++) {
		const int64_t words = (int64_t)sent->row[i]->words;

		longest = words > longest ? words : longest;
		if (i + 1 == sent->n || sent->row[i + 1]->round != sent->row[i]->round) {
			counts->volume = lsi_add_sat(counts->volume, longest);
			longest = 0;
		}
		counts->words = lsi_add_sat(counts->words, words);
	}
	counts->messages = (int64_t)sent->n;
	counts->rounds = received->n ? received->row[received->n - 1]->round : 0;
}

int ls_plan_from_messages(const struct ls_request *request, const struct ls_message *message,
	size_t n, ls_plan **out, struct ls_error *why)
{
	struct lsi_message_index *index;
	struct ls_plan *plan;
	int failed = lsi_schedule_begin(request, message, n, out, why);

	if (!failed)
		failed = check_messages(request, message, n, why);
	if (failed)
		return failed;
	plan = lsi_alloc_zero(1, sizeof *plan);
	index = lsi_alloc_zero(1, sizeof *index);
	if (!plan || !index || !make_lists(index, message, n)) {
		release_index(index);
		lsi_free(plan);
		return lsi_error_set(why, LS_ERR_MEMORY, "no memory for a plan of %zu messages", n);
	}
	count(index);
	*plan = (struct ls_plan){ .algorithm = &message_algorithm,
		.table = index,
		.frame = { .rounds = index->counts.rounds, .blocks = 1 },
		.problem = { .topology = request->topology,
			.nodes = ls_topology_nodes(request->topology),
			.operation = LS_SHIFT,
			.mode = request->mode,
			.segments = 1,
			.ports = request->ports ? request->ports : 1 } };
	*out = plan;
	return LS_OK;
}
