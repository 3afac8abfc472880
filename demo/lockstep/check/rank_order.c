#include "check/rank_order.h"

#include "base/messages.h"

#include <inttypes.h>
#include <string.h>

/*
 * A value of the replay is the list of its ranks in the order of addition: "0..2 4".  Concatenation
 * is the simplest operator that is not commutative.
 */
struct ranks {
	bool is_run; /* first .. last, in order */
	int64_t first, last;
	char list[48];
};

/* What the observer of a replay looks for. */
struct search {
	char *text;
	size_t size;
};

static struct ranks run_of(int64_t first, int64_t last)
{
	struct ranks run = { .is_run = true, .first = first, .last = last };

	if (first == last)
		snprintf(run.list, sizeof run.list, "%" PRId64, first);
	else
		snprintf(run.list, sizeof run.list, "%" PRId64 "..%" PRId64, first, last);
	return run;
}

static void rank_of_operand(void *context, int64_t rank, int64_t block, void *out)
{
	(void)context, (void)block;
	*(struct ranks *)out = run_of(rank, rank);
}

static void concatenate(void *context, const void *a, const void *b, void *out)
{
	const struct ranks *x = a, *y = b;
	struct ranks *ranks = out;

	(void)context;
	if (x->is_run && y->is_run && y->first == x->last + 1) {
		*ranks = run_of(x->first, y->last);
		return;
	}
	ranks->is_run = false;
	snprintf(ranks->list, sizeof ranks->list, "%.22s %.22s", x->list, y->list);
}

/* Whether a block is out of order; then its text ends the replay. */
static bool is_out_of_order(
	const ls_replay *replay, int64_t rank, int buffer, int64_t block, const struct search *search)
{
	struct ls_contents contents = { .size = sizeof contents };
	const int64_t round = ls_plan_round(ls_replay_plan(replay), ls_replay_steps(replay) - 1);
	struct ranks ranks;

	if (ls_replay_contents(replay, rank, buffer, block, &contents) != LS_OK
		|| contents.holding == LS_HOLDS_NOTHING || contents.ordered
		|| ls_replay_value(replay, rank, buffer, block, &ranks) != LS_OK)
		return false;
	snprintf(search->text, search->size, "node %" PRId64 " adds %s", rank, ranks.list);
	if (round > 0)
		snprintf(search->text + strlen(search->text), search->size - strlen(search->text),
			" in round %" PRId64, round);
	return true;
}

/* A value other than 0 ends the replay. */
static int find_disorder(void *context, const ls_replay *replay)
{
	for (int64_t rank = 0; rank < ls_plan_nodes(ls_replay_plan(replay)); rank++)
		for (int buffer = LS_OUTPUT; ls_replay_steps(replay) > 0 && buffer < LS_BUFFERS; buffer++)
			for (int64_t block = 0; block < ls_replay_blocks(replay, buffer); block++)
				if (is_out_of_order(replay, rank, buffer, block, context))
					return 1;
	return 0;
}

void rank_order_lost(
	const ls_plan *plan, size_t n, const struct ls_check_options *options, char *text, size_t size)
{
	struct search search = { text, size };
	const struct ls_observer observer = { .size = sizeof observer,
		.observe = find_disorder,
		.context = &search,
		.bytes = sizeof(struct ranks),
		.operand = rank_of_operand,
		.combine = concatenate };
	struct ls_check_options watched = *options;
	struct ls_certificate found = { .size = sizeof found };

	text[0] = '\0';
	watched.observer = &observer;
	if (ls_check(plan, n, &watched, &found) == LS_ERR_MEMORY)
		text[0] = '\0';
}
