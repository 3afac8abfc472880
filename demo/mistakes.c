/*
 * What a wrong program looks like: each mistake stops the machine with one error that says who
 * broke which rule, where and when.  Nothing hangs; afterwards the machine runs a correct program.
 */
#include "demo.h"

enum { P = 6 }; /* all on ring:6 */

/* The memory of a node is one word. */
static int64_t *word_of(ls_node *me, void *words)
{
	return (int64_t *)words + ls_rank(me);
}

static int add_up(ls_node *me, void *words)
{
	int64_t *word = word_of(me, words);

	return ls_allreduce(me, word, word, 1, LS_INT64, LS_SUM);
}

static int two_sends(ls_node *me, void *words)
{
	int64_t *word = word_of(me, words);

	if (ls_rank(me) == 0)
		return ls_send(me, 1, word, sizeof *word) || ls_send(me, 5, word, sizeof *word);
	return ls_next_round(me);
}

static int two_receives(ls_node *me, void *words)
{
	int64_t *word = word_of(me, words);

	switch (ls_rank(me)) {
	case 0:
	case 2:
		return ls_send(me, 1, word, sizeof *word) || ls_next_round(me);
	case 1:
		return ls_receive(me, 0, word, sizeof *word) || ls_receive(me, 2, word, sizeof *word);
	default:
		return ls_next_round(me);
	}
}

static int no_such_wire(ls_node *me, void *words)
{
	int64_t *word = word_of(me, words);

	return (ls_rank(me) == 0 && ls_send(me, 3, word, sizeof *word)) || ls_next_round(me);
}

static int untaken(ls_node *me, void *words)
{
	int64_t *word = word_of(me, words);

	return (ls_rank(me) == 4 && ls_send(me, 5, word, sizeof *word)) || ls_next_round(me);
}

static int half_a_word(ls_node *me, void *words)
{
	int64_t *word = word_of(me, words);

	switch (ls_rank(me)) {
	case 2:
		return ls_send(me, 3, word, sizeof *word) || ls_next_round(me);
	case 3:
		return ls_receive(me, 2, word, sizeof *word / 2) || ls_next_round(me);
	default:
		return ls_next_round(me);
	}
}

static int two_operators(ls_node *me, void *words)
{
	int64_t *word = word_of(me, words);

	return ls_allreduce(me, word, word, 1, LS_INT64, ls_rank(me) == 3 ? LS_MAX : LS_SUM);
}

static int early_leaver(ls_node *me, void *words)
{
	return ls_rank(me) == 3 ? 0 : add_up(me, words);
}

static int failure(ls_node *me, void *words)
{
	return ls_rank(me) == 2 ? 7 : add_up(me, words);
}

static int all_wait(ls_node *me, void *words)
{
	int64_t *word = word_of(me, words);
	const int64_t left = (ls_rank(me) + P - 1) % P, right = (ls_rank(me) + 1) % P;

	return ls_receive(me, left, word, sizeof *word) || ls_send(me, right, word, sizeof *word)
		|| ls_next_round(me);
}

static const struct mistake {
	const char *what;
	int (*program)(ls_node *, void *);
	int kind;
	int64_t culprit; /* whom the error must name */
} mistakes[] = {
	{ "two sends of a node in one round", two_sends, LS_ERR_PORT, 0 },
	{ "two receives of a node in one round", two_receives, LS_ERR_PORT, 1 },
	{ "a message to a node that is no neighbor", no_such_wire, LS_ERR_LINK, 0 },
	{ "a message that no node receives", untaken, LS_ERR_UNTAKEN, 4 },
	{ "a message of another size than expected", half_a_word, LS_ERR_MATCH, 3 },
	{ "one node seeks the maximum while the others add", two_operators, LS_ERR_MISMATCH, 3 },
	{ "a node ends while the others need it", early_leaver, LS_ERR_LEFT, 3 },
	{ "the program of a node fails", failure, LS_ERR_PROGRAM, 2 },
	{ "all nodes receive before they send", all_wait, LS_ERR_DEADLOCK, 0 },
};

/* In the deadlock each node waits for its left neighbor. */
static void print_blocked_nodes(const ls_machine *machine)
{
	struct ls_wait_state wait = { .size = sizeof wait };

	for (int64_t node = 0; node < P; node++) {
		require(ls_blocked_on(machine, node, &wait), "node %d was not waiting", (int)node);
		require(wait.reason == LS_WAITS_FOR_MESSAGE && wait.peer == (node + P - 1) % P,
			"node %d waits for node %d", (int)node, (int)wait.peer);
		printf("    node %d awaits a message of node %d, round %d\n", (int)node, (int)wait.peer,
			(int)wait.round);
	}
}

int main(void)
{
	const struct network ring = network_make("ring:6", NULL);

	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
		const struct mistake *m = &mistakes[i];
		struct ls_error error = { .size = sizeof error };
		int64_t words[P] = { 1, 2, 3, 4, 5, 6 }, again[P] = { 1, 2, 3, 4, 5, 6 };
		const int kind = ls_run(ring.machine, m->program, words);

		ls_last_error(ring.machine, &error);
		printf("%s: %s\n  %s\n", m->what, ls_status_name(kind), error.text);
		require(kind == m->kind, "it should be: %s", ls_status_name(m->kind));
		require(error.node == m->culprit || error.peer == m->culprit, "node %d is not named",
			(int)m->culprit);
		if (kind == LS_ERR_DEADLOCK)
			print_blocked_nodes(ring.machine);
		network_run(ring, add_up, again);
		for (int node = 0; node < P; node++)
			require(again[node] == 21, "afterwards node %d has %d", node, (int)again[node]);
	}
	network_destroy(ring);
	return EXIT_SUCCESS;
}
