#include "support/random_program.h"

#include <stdio.h>
#include <string.h>

#include <lockstep/node.h>
#include <lockstep/status.h>

#include "support/guard.h"
#include "test.h"

/* ---- Making */

static void add_action(
	struct random_program *g, int node, enum action_kind kind, int peer, bool is_long)
{
	g->action[node][g->actions[node]++] = (struct action){ kind, peer, is_long };
}

static void shuffle(struct action *action, int n, uint64_t *seed)
{
	for (int i = n - 1; i > 0; i--) {
		const int j = (int)random_below(seed, i + 1);
		const struct action other = action[i];

		action[i] = action[j];
		action[j] = other;
	}
}

static bool is_linked(const struct program_shape *shape, int u, int v)
{
	return u != v && u % shape->groups == v % shape->groups
		&& (!shape->is_sparse || shape->link[u][v]);
}

/* All messages of a round; each node then sends before it receives, or in any order. */
static void add_round(struct random_program *g, bool is_shuffled, bool has_long, uint64_t *seed)
{
	bool sent[PROGRAM_NODES][PROGRAM_NODES], is_long[PROGRAM_NODES][PROGRAM_NODES];
	int begin[PROGRAM_NODES], sends[PROGRAM_NODES] = { 0 }, receives[PROGRAM_NODES] = { 0 };
	const int64_t one_in = 1 + random_below(seed, g->shape.p);

	for (int u = 0; u < g->shape.p; u++) {
		begin[u] = g->actions[u];
		for (int v = 0; v < g->shape.p; v++) {
			sent[u][v] = u != v && random_below(seed, one_in + 1) == 0 && is_linked(&g->shape, u, v)
				&& sends[u] < g->shape.ports && receives[v] < g->shape.ports;
			is_long[u][v] = has_long && random_below(seed, 4) == 0;
			sends[u] += sent[u][v];
			receives[v] += sent[u][v];
		}
	}
	for (int u = 0; u < g->shape.p; u++) {
		for (int v = 0; v < g->shape.p; v++)
			if (sent[u][v])
				add_action(g, u, SENDS, v, is_long[u][v]);
		for (int v = 0; v < g->shape.p; v++)
			if (sent[v][u])
				add_action(g, u, RECEIVES, v, is_long[v][u]);
		if (is_shuffled && random_below(seed, 2))
			shuffle(&g->action[u][begin[u]], g->actions[u] - begin[u], seed);
		add_action(g, u, ENDS_ROUND, 0, false);
	}
}

static void remove_action(struct random_program *g, int node, int at)
{
	g->actions[node]--;
	memmove(&g->action[node][at], &g->action[node][at + 1],
		(size_t)(g->actions[node] - at) * sizeof(struct action));
}

/* A message that no one expects; its peer is any node of the group, or the node itself. */
static void insert_action(struct random_program *g, int node, uint64_t *seed)
{
	const int groups = g->shape.groups, at = (int)random_below(seed, g->actions[node] + 1);
	const int members = (g->shape.p - node % groups + groups - 1) / groups;
	const int peer = node % groups + groups * (int)random_below(seed, members);

	memmove(&g->action[node][at + 1], &g->action[node][at],
		(size_t)(g->actions[node] - at) * sizeof(struct action));
	g->action[node][at] = (struct action){ random_below(seed, 2) ? SENDS : RECEIVES, peer, false };
	g->actions[node]++;
}

void random_program_make(
	struct random_program *g, const struct program_shape *shape, uint64_t *seed)
{
	const int p = shape->p;
	const int64_t n_rounds = 1 + random_below(seed, 4), defects = random_below(seed, 3);
	const bool is_shuffled = random_below(seed, 4) == 0, leaves = random_below(seed, 6) == 0;

	*g = (struct random_program){ .shape = *shape };
	for (int64_t i = 0; i < n_rounds; i++)
		add_round(g, is_shuffled, !leaves, seed);
	for (int64_t i = 0; i < defects; i++) {
		const int node = (int)random_below(seed, p);

		if (shape->adds && random_below(seed, 2) && g->actions[node] < PROGRAM_ACTIONS - 2)
			insert_action(g, node, seed);
		else if (g->actions[node] > 0)
			remove_action(g, node, (int)random_below(seed, g->actions[node]));
	}
	if (leaves) {
		const int node = (int)random_below(seed, p);

		g->actions[node] = (int)random_below(seed, g->actions[node] + 1);
	}
	for (int u = 0; u < p; u++)
		add_action(g, u, LEAVES, 0, false);
}

void random_program_print(const struct random_program *g)
{
	static const char letter[] = "sren";

	fprintf(stderr, "%s rounds, mailbox %d, %d ports, %d groups\n",
		g->shape.rounds == LS_FREE ? "free" : "lockstep", g->shape.mailbox, g->shape.ports,
		g->shape.groups);
	for (int u = 0; u < g->shape.p; u++) {
		fprintf(stderr, "  node %d:", u);
		for (int i = 0; i < g->actions[u]; i++) {
			const struct action *a = &g->action[u][i];

			fprintf(stderr, " %c", a->is_long ? letter[a->kind] - 'a' + 'A' : letter[a->kind]);
			if (a->kind <= RECEIVES)
				fprintf(stderr, "%d", a->peer);
		}
		fputc('\n', stderr);
	}
}

/* ---- The forecast */

struct letter {
	int round;
	bool is_long, read;
};
struct letters {
	int sent, read;
	struct letter letter[PROGRAM_ACTIONS];
};

struct simulated_node {
	int at, round;
	bool left, failed, arrived;
};
struct simulation {
	const struct random_program *program;
	struct simulated_node node[PROGRAM_NODES];
	struct letters mail[PROGRAM_NODES][PROGRAM_NODES]; /* by sender and receiver */
	struct forecast *forecast;
};

static bool fail_node(struct simulated_node *node)
{
	node->failed = true;
	return true;
}

/* Has the node used all its ports for this kind of action in this round? */
static bool has_no_port(const struct simulation *s, int u)
{
	const struct action *action = s->program->action[u], *now = &action[s->node[u].at];
	int used = 0;

	for (const struct action *a = now; a > action && a[-1].kind != ENDS_ROUND; a--)
		used += a[-1].kind == now->kind;
	return used >= s->program->shape.ports;
}

/* Each returns whether the node got any further. */
static bool simulate_send(struct simulation *s, int u, const struct action *a)
{
	struct letters *mail = &s->mail[u][a->peer];

	if (has_no_port(s, u) || !is_linked(&s->program->shape, u, a->peer))
		return fail_node(&s->node[u]);
	if (mail->sent - mail->read == s->program->shape.mailbox)
		return s->node[a->peer].left && fail_node(&s->node[u]);
	mail->letter[mail->sent++] = (struct letter){ s->node[u].round, a->is_long, false };
	s->node[u].at++;
	return true;
}

static bool simulate_receive(struct simulation *s, int u, const struct action *a)
{
	struct letters *mail = &s->mail[a->peer][u];
	struct letter *letter = &mail->letter[mail->read];

	if (has_no_port(s, u) || !is_linked(&s->program->shape, u, a->peer))
		return fail_node(&s->node[u]);
	if (mail->sent == mail->read)
		return s->node[a->peer].left && fail_node(&s->node[u]);
	if (letter->round != s->node[u].round || letter->is_long != a->is_long)
		return fail_node(&s->node[u]);
	mail->read++;
	s->forecast->received[u]++;
	s->node[u].at++;
	return true;
}

/* Are messages of the node unread?  Only long ones count, or those to nodes that have left. */
static bool has_unread(const struct simulation *s, int u, bool only_long, bool only_left)
{
	for (int v = 0; v < s->program->shape.p; v++) {
		const struct letters *mail = &s->mail[u][v];

		for (int i = mail->read; i < mail->sent; i++)
			if ((mail->letter[i].is_long || !only_long) && (!only_left || s->node[v].left))
				return true;
	}
	return false;
}

/* Wait until long messages are read; then end the round, or leave. */
static bool simulate_end(struct simulation *s, int u, bool leaves)
{
	if (has_unread(s, u, true, true))
		return fail_node(&s->node[u]);
	if (has_unread(s, u, true, false))
		return false;
	s->node[u].left = leaves;
	s->node[u].round++;
	s->node[u].at++;
	return true;
}

/* The barrier of a group opens when all of its nodes that have not left have arrived. */
static bool open_barrier(struct simulation *s, int group)
{
	const struct program_shape *shape = &s->program->shape;
	bool some = false;

	for (int u = group; u < shape->p; u += shape->groups) {
		if (!s->node[u].left && !s->node[u].arrived)
			return false;
		some |= !s->node[u].left;
	}
	for (int u = group; u < shape->p && some; u += shape->groups) {
		struct simulated_node *node = &s->node[u];

		if (node->left)
			continue;
		node->arrived = false;
		node->failed = has_unread(s, u, false, false);
		node->round++;
		node->at++;
	}
	return some;
}

static bool simulate_action(struct simulation *s, int u)
{
	struct simulated_node *node = &s->node[u];
	const struct action *a = &s->program->action[u][node->at];

	if (node->left || node->failed || node->arrived)
		return false;
	switch (a->kind) {
	case SENDS:
		return simulate_send(s, u, a);
	case RECEIVES:
		return simulate_receive(s, u, a);
	case LEAVES:
		return simulate_end(s, u, true);
	default:
		if (s->program->shape.rounds == LS_FREE)
			return simulate_end(s, u, false);
		return node->arrived = true;
	}
}

/* Those who have left have read all messages, or a rule is broken. */
static enum outcome outcome_of(const struct simulation *s)
{
	bool all_left = true, broken = false;

	for (int u = 0; u < s->program->shape.p; u++) {
		all_left &= s->node[u].left;
		broken |= s->node[u].failed;
	}
	for (int u = 0; u < s->program->shape.p && all_left; u++)
		broken |= has_unread(s, u, false, false);
	return broken ? RULE_BROKEN : all_left ? ALL_END : ALL_WAIT;
}

void random_program_forecast(const struct random_program *g, struct forecast *forecast)
{
	static _Thread_local struct simulation s;
	bool moved = true;

	memset(&s, 0, sizeof s);
	memset(forecast, 0, sizeof *forecast);
	s.program = g;
	s.forecast = forecast;
	for (int u = 0; u < g->shape.p; u++)
		s.node[u].round = 1;
	while (moved) {
		moved = false;
		for (int u = 0; u < g->shape.p; u++)
			while (simulate_action(&s, u))
				moved = true;
		for (int group = 0; group < g->shape.groups && g->shape.rounds == LS_LOCKSTEP; group++)
			moved |= open_barrier(&s, group);
	}
	forecast->outcome = outcome_of(&s);
	for (int u = 0; u < g->shape.p; u++)
		forecast->is_race |= has_unread(&s, u, false, true);
}

/* ---- The node program */

static size_t words_of(const struct action *a)
{
	return a->is_long ? PROGRAM_WORDS : 2;
}

static uint64_t content(int64_t from, int64_t to, int64_t round, size_t i)
{
	return (uint64_t)from << 48 | (uint64_t)to << 40 | (uint64_t)round << 32 | i;
}

/* A node of the machine, and the handle by which it communicates. */
struct player {
	ls_node *handle;
	int rank, groups;
};

static int play_send(const struct player *me, const struct action *a, uint64_t *words)
{
	for (size_t i = 0; i < words_of(a); i++)
		words[i] = content(me->rank, a->peer, ls_round(me->handle), i);
	return ls_send(me->handle, a->peer / me->groups, words, words_of(a) * sizeof *words);
}

static int play_receive(
	const struct player *me, const struct action *a, uint64_t *words, struct random_run *run)
{
	const int failed =
		ls_receive(me->handle, a->peer / me->groups, words, words_of(a) * sizeof *words);

	for (size_t i = 0; i < words_of(a) && !failed; i++)
		atomic_fetch_add(
			&run->wrong, words[i] != content(a->peer, me->rank, ls_round(me->handle), i));
	run->received[me->rank] += !failed;
	return failed;
}

int random_program_play(ls_node *node, void *random_run)
{
	struct random_run *run = random_run;
	struct player me = { node, (int)ls_rank(node), run->program->shape.groups };
	int failed = LS_OK;

	if (me.groups > 1)
		failed = ls_split(node, me.rank % me.groups, me.rank, &me.handle);
	for (int i = 0; !failed; i++) {
		const struct action *a = &run->program->action[me.rank][i];

		if (a->kind == LEAVES)
			return LS_OK;
		if (a->kind == SENDS)
			failed = play_send(&me, a, run->words[me.rank][i]);
		else if (a->kind == RECEIVES)
			failed = play_receive(&me, a, run->words[me.rank][i], run);
		else
			failed = ls_next_round(me.handle);
	}
	return failed;
}

void random_run_begin(struct random_run *run, const struct random_program *g)
{
	run->program = g;
	atomic_store(&run->wrong, 0);
	memset(run->received, 0, sizeof run->received);
}

static bool is_expected(const struct forecast *forecast, int status)
{
	if (forecast->outcome == RULE_BROKEN || (forecast->is_race && status != LS_ERR_DEADLOCK))
		return status == LS_ERR_UNTAKEN || status == LS_ERR_LEFT || status == LS_ERR_MATCH
			|| status == LS_ERR_PORT || status == LS_ERR_LINK;
	return status == (forecast->outcome == ALL_END ? LS_OK : LS_ERR_DEADLOCK);
}

void random_run_check(const struct random_run *run, const struct forecast *forecast,
	const struct ls_error *error, int64_t first, int64_t last)
{
	bool right = is_expected(forecast, error->kind) && run->wrong == 0;

	for (int64_t u = first; u < last && forecast->outcome != RULE_BROKEN && !forecast->is_race; u++)
		right &= run->received[u] == forecast->received[u];
	CHECK(right, "%s: forecast %d: %s: %s", guarded(), (int)forecast->outcome,
		ls_status_name(error->kind), error->text);
	if (!right)
		random_program_print(run->program);
}
