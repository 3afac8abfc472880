#include "support/play.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "op/op_internal.h"
#include "plan/storage.h"
#include "support/guard.h"
#include "test.h"

/* What one port of a node has received: the words, and where its blocks begin; -1: nothing yet. */
struct parcel {
	char *words;
	size_t *begin;
	int64_t blocks;
};

/* Loads of directed links in a round, numbered by vertex and link. */
struct loads {
	int64_t *load;
	size_t n;
	int64_t degree;
};

struct play {
	const ls_plan *plan;
	const struct payload *given;
	const ls_embedding *embedding;
	const ls_topology *network;
	enum ls_mode mode;
	struct lsi_operator combine;
	struct lsi_measure measure;
	int64_t nodes;
	char **buffer, **owned; /* LS_BUFFERS a node; of these, what is no part of another */
	struct ls_step *step;   /* of each node */
	struct parcel *parcel;  /* LS_PORTS a node */
	struct loads loads;
	struct played played;
};

/* ---- Messages */

void messages_add(struct messages *m, const struct ls_record *record)
{
	if (m->n == m->room) {
		m->room = 2 * m->room + 64;
		m->record = realloc(m->record, m->room * sizeof *m->record);
		if (!m->record)
			abort();
	}
	m->record[m->n++] = *record;
}

void messages_check(const struct messages *want, const struct messages *got)
{
	const size_t n = want->n < got->n ? want->n : got->n;

	CHECK(want->n == got->n, "%s: %zu messages, planned %zu", guarded(), got->n, want->n);
	for (size_t i = 0; i < n; i++) {
		const struct ls_record *x = &want->record[i], *y = &got->record[i];

		if (x->round == y->round && x->src == y->src && x->dst == y->dst && x->words == y->words
			&& x->bytes == y->bytes)
			continue;
		CHECK(false,
			"%s: message %zu is round %" PRId64 ", %" PRId64 " to %" PRId64
			", %zu words, %zu bytes; planned round %" PRId64 ", %" PRId64 " to %" PRId64
			", %zu words",
			guarded(), i, y->round, y->src, y->dst, y->words, y->bytes, x->round, x->src, x->dst,
			x->words);
		return;
	}
}

static int before(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int in_order(const void *a, const void *b)
{
	const struct ls_record *x = a, *y = b;
	const int round = before(x->round, y->round), src = before(x->src, y->src);

	return round ? round : src ? src : before(x->dst, y->dst);
}

/* ---- Links */

static void cross(struct play *p, int64_t at, int64_t link)
{
	const int64_t load = ++p->loads.load[at * p->loads.degree + link];

	if (load > p->played.stats.link_load)
		p->played.stats.link_load = load;
}

static void walk(struct play *p, int64_t src, int64_t dst)
{
	if (p->mode == LS_HOP && p->played.stats.link_load == 0)
		p->played.stats.link_load = 1;
	if (p->mode == LS_HOP)
		return;
	for (int64_t at = src; at != dst;) {
		const int64_t link = ls_first_hop(p->network, at, dst);

		cross(p, at, link);
		at = ls_neighbor(p->network, at, link);
	}
}

static struct loads loads_of(const ls_topology *t)
{
	struct loads l = { 0 };

	for (int64_t v = 0; v < ls_topology_vertices(t); v++)
		l.degree = ls_degree(t, v) > l.degree ? ls_degree(t, v) : l.degree;
	l.n = (size_t)(ls_topology_vertices(t) * l.degree);
	l.load = memory(l.n, sizeof *l.load);
	return l;
}

/* ---- Sending */

static char *block_at(const struct play *p, int64_t node, int buffer, int64_t block)
{
	return p->buffer[node * LS_BUFFERS + buffer]
		+ lsi_buffer_offset(p->plan, buffer, block, &p->measure) * p->combine.size;
}

static size_t length_of(const struct play *p, int64_t node, int buffer, int64_t block)
{
	return lsi_buffer_length(p->plan, node, buffer, block, &p->measure) * p->combine.size;
}

/* The port on which a node hears another; -1: it does not. */
static int port_from(const struct ls_step *step, int64_t src)
{
	for (int q = 0; q < step->ports; q++) {
		if (step->from[q] == src)
			return q;
	}
	return -1;
}

/* Copies what port q of a node sends to where it arrives; its bytes. */
static size_t send(struct play *p, int64_t src, int q)
{
	const struct ls_slice *slice = &p->step[src].send[q];
	const int64_t dst = p->step[src].to[q], blocks = ls_slice_blocks(slice);
	const int port = port_from(&p->step[dst], src);

	if (port < 0 || p->step[dst].arrives[port] != blocks)
		abort();

	struct parcel *parcel = &p->parcel[dst * LS_PORTS + port];

	*parcel = (struct parcel){ .begin = memory((size_t)blocks + 1, sizeof *parcel->begin),
		.blocks = blocks };
	for (int64_t k = 0; k < blocks; k++)
		parcel->begin[k + 1] =
			parcel->begin[k] + length_of(p, src, slice->buffer, ls_slice_at(slice, k));
	parcel->words = memory(parcel->begin[blocks], 1);
	for (int64_t k = 0; k < blocks; k++)
		memcpy(parcel->words + parcel->begin[k],
			block_at(p, src, slice->buffer, ls_slice_at(slice, k)),
			parcel->begin[k + 1] - parcel->begin[k]);
	return parcel->begin[blocks];
}

static int64_t place(const struct play *p, int64_t rank)
{
	return p->embedding ? ls_embedding_host_rank(p->embedding, rank) : rank;
}

static void send_all(struct play *p, int64_t node, int64_t t)
{
	for (int q = 0; q < p->step[node].ports; q++) {
		if (p->step[node].to[q] == LS_NO_RANK)
			continue;

		const size_t bytes = send(p, node, q);
		const struct ls_record record = { .round = ls_plan_round(p->plan, t),
			.src = place(p, node),
			.dst = place(p, p->step[node].to[q]),
			.words = bytes / p->combine.size,
			.bytes = bytes };

		messages_add(&p->played.messages, &record);
		walk(p, record.src, record.dst);
		p->played.stats.messages++;
		p->played.stats.words += (int64_t)record.words;
		p->played.stats.bytes += (int64_t)bytes;
	}
}

/* ---- Moving */

struct span {
	char *at;
	size_t bytes;
};

static struct span operand(
	const struct play *p, int64_t node, const struct ls_slice *slice, int64_t k)
{
	const int64_t block = ls_slice_at(slice, k);

	if (slice->buffer < LS_ARRIVAL || slice->buffer >= LS_SCRATCH)
		return (struct span){ block_at(p, node, slice->buffer, block),
			length_of(p, node, slice->buffer, block) };

	const struct parcel *parcel = &p->parcel[node * LS_PORTS + slice->buffer - LS_ARRIVAL];

	return (struct span){ parcel->words + parcel->begin[block],
		parcel->begin[block + 1] - parcel->begin[block] };
}

/* One block of a move, computed apart and then written. */
static void move_block(
	const struct play *p, int64_t node, const struct ls_move *move, int64_t k, int64_t blocks)
{
	const struct span dst = operand(p, node, &move->dst, k);
	const int64_t parts = move->action == LS_FOLD ? ls_slice_blocks(&move->a) / blocks
		: move->action == LS_COMBINE              ? 2
												  : 1;
	char *sum = memory(dst.bytes, 1);

	for (int64_t i = 0; i < parts; i++) {
		const struct span a = move->action == LS_COMBINE && i == 1
			? operand(p, node, &move->b, k)
			: operand(p, node, &move->a, move->action == LS_FOLD ? i * blocks + k : k);

		if (a.bytes != dst.bytes)
			abort();
		if (i == 0)
			memcpy(sum, a.at, a.bytes);
		else if (a.bytes > 0) /* a barrier combines nothing */
			p->combine.kernel(sum, sum, a.at, a.bytes / p->combine.size, p->combine.context);
	}
	memcpy(dst.at, sum, dst.bytes);
	free(sum);
}

static void move_all(const struct play *p, int64_t node)
{
	const struct ls_step *step = &p->step[node];

	for (int i = 0; i < step->n_moves; i++) {
		const int64_t blocks = ls_slice_blocks(&step->move[i].dst);

		for (int64_t k = 0; k < blocks; k++)
			move_block(p, node, &step->move[i], k, blocks);
	}
}

static void play_step(struct play *p, int64_t t)
{
	for (int64_t u = 0; u < p->nodes; u++)
		ls_plan_step(p->plan, u, t, &p->step[u]);
	for (int64_t u = 0; u < p->nodes; u++)
		send_all(p, u, t);
	for (int64_t u = 0; u < p->nodes; u++)
		move_all(p, u);
	for (int64_t i = 0; i < p->nodes * LS_PORTS; i++) {
		free(p->parcel[i].words);
		free(p->parcel[i].begin);
		p->parcel[i] = (struct parcel){ 0 };
	}
	memset(p->loads.load, 0, p->loads.n * sizeof *p->loads.load);
}

/* ---- Memory */

/* In place: which buffer is part of the other. */
static void share(struct play *p, int64_t node)
{
	const size_t own = (size_t)node * p->measure.n * p->combine.size;
	char **buffer = p->buffer + node * LS_BUFFERS;

	if (!lsi_storage_has(p->plan, node, LS_INPUT) || !lsi_storage_has(p->plan, node, LS_OUTPUT))
		return;
	switch (ls_plan_operation(p->plan)) {
	case LS_GATHER:
	case LS_ALLGATHER:
		buffer[LS_INPUT] = buffer[LS_OUTPUT] + own;
		break;
	case LS_SCATTER:
	case LS_REDUCE_SCATTER:
		buffer[LS_OUTPUT] = buffer[LS_INPUT] + own;
		break;
	default:
		buffer[LS_OUTPUT] = buffer[LS_INPUT];
	}
}

static size_t bytes_of(const struct play *p, int64_t node, int buffer)
{
	return lsi_buffer_size(p->plan, node, buffer, &p->measure) * p->combine.size;
}

static void lay(struct play *p, int64_t node)
{
	for (int b = 0; b < LS_BUFFERS; b++) {
		const int64_t i = node * LS_BUFFERS + b;
		const bool has = b >= LS_SCRATCH || (b < LS_ARRIVAL && lsi_storage_has(p->plan, node, b));

		if (has)
			p->buffer[i] = p->owned[i] = memory(bytes_of(p, node, b), 1);
	}
	if (p->plan->problem.in_place)
		share(p, node);
	if (p->buffer[node * LS_BUFFERS + LS_INPUT])
		memcpy(p->buffer[node * LS_BUFFERS + LS_INPUT], p->given->given[node],
			bytes_of(p, node, LS_INPUT));
}

static void take_results(struct play *p)
{
	char *to = p->played.results = memory(payload_room(p->given), 1);

	for (int64_t u = 0; u < p->nodes; u++) {
		if (p->given->memory[u].result > 0)
			memcpy(to, p->buffer[u * LS_BUFFERS + LS_OUTPUT], p->given->memory[u].result);
		to += p->given->memory[u].result;
	}
	p->played.length = (size_t)(to - p->played.results);
}

struct played play(const ls_plan *plan, const struct payload *given, const ls_embedding *embedding,
	enum ls_mode mode)
{
	const struct job *job = given->job;
	const int64_t nodes = ls_plan_nodes(plan);
	struct play p = { .plan = plan,
		.given = given,
		.embedding = embedding,
		.mode = mode,
		.network = embedding ? ls_embedding_host(embedding) : job->topology,
		.combine = { .size = job->element->size },
		.measure = { .n = job->count },
		.nodes = nodes };

	if (job_combines(job))
		p.combine = lsi_kernel_for(job->element->op, job->element->type);
	p.buffer = memory((size_t)(nodes * LS_BUFFERS), sizeof *p.buffer);
	p.owned = memory((size_t)(nodes * LS_BUFFERS), sizeof *p.owned);
	p.step = memory((size_t)nodes, sizeof *p.step);
	p.parcel = memory((size_t)(nodes * LS_PORTS), sizeof *p.parcel);
	p.loads = loads_of(p.network);
	p.played.stats =
		(struct ls_stats){ .size = sizeof p.played.stats, .rounds = ls_plan_rounds(plan) };
	for (int64_t u = 0; u < nodes; u++)
		lay(&p, u);
	for (int64_t t = 0; t < ls_plan_steps(plan); t++)
		play_step(&p, t);
	take_results(&p);
	if (p.played.messages.n > 1)
		qsort(p.played.messages.record, p.played.messages.n, sizeof *p.played.messages.record,
			in_order);
	for (int64_t i = 0; i < nodes * LS_BUFFERS; i++)
		free(p.owned[i]);
	free(p.buffer);
	free(p.owned);
	free(p.step);
	free(p.parcel);
	free(p.loads.load);
	return p.played;
}

void played_free(struct played *played)
{
	free(played->messages.record);
	free(played->results);
	*played = (struct played){ 0 };
}
