/*
 * The steps of an all-reduce, by the partitions of partition.h.  Each node has a slot of scratch
 * for each class of its partition:
 *
 *   local steps   add up classes of which a message needs the sum; add what arrived before
 *   round         send slots; keep each arriving sum in a free slot
 *
 * A slot that is sent is not written in its round (law 4), because arrivals go to free slots.
 * Additions that do not depend on each other form a wave, which is one move; a local step has up
 * to LS_MOVES waves.
 */
#include "schedule/partial_sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "schedule/partition.h"

/* A node holds at most a slot for each class, for each sum that it sends, and for each arrival. */
enum { SLOTS = 3 * LSI_FIND_NODES };

/* An addition between two rounds: slot dst := slot a + slot b, at a node. */
struct addition {
	int node, wave; /* additions of one wave do not depend on each other */
	int64_t dst, a, b;
};

/* The slots of a node, and the waves of its additions that wait: first those of its classes. */
struct node_sums {
	int64_t slot[LSI_FIND_NODES]; /* by class */
	bool taken[SLOTS];
	int waves, merging_waves;
};

/* A sum that is sent once. */
struct temporary {
	int node;
	int64_t slot;
};

/* A node holds the sum of each class of R(v) in a slot of its scratch. */
struct merge {
	struct lsi_inference *x;
	const struct lsi_deliveries *d;
	int p, rounds;
	struct lsi_partitions R;
	struct node_sums *node;
	struct addition *addition; /* that wait for a local step */
	size_t additions, room;
	struct lsi_sum_message *message; /* of the round */
	size_t messages;
	int64_t *send, *keep, *class; /* of their pieces, message by message */
	size_t pieces;
	struct temporary *temporary;
	size_t temporaries;
	int64_t slots; /* the most that a node uses */
};

static const uint8_t *classes_at(const struct merge *m, int t, int v)
{
	return lsi_partition_at(&m->R, t, v);
}

/* ---- slots and additions */

/* The lowest free slot, so that a node uses few. */
static int64_t take_slot(struct merge *m, int v)
{
	int64_t slot = 0;

	while (m->node[v].taken[slot])
		slot++;
	m->node[v].taken[slot] = true;
	m->slots = slot + 1 > m->slots ? slot + 1 : m->slots;
	return slot;
}

/* An addition waits until the next local step. */
static void add_slots(struct merge *m, struct addition addition)
{
	struct node_sums *node = &m->node[addition.node];

	if (!lsi_table_grow(&m->addition, m->additions, &m->room, sizeof *m->addition)) {
		m->x->no_memory = true;
		return;
	}
	m->addition[m->additions++] = addition;
	if (node->waves < addition.wave + 1)
		node->waves = addition.wave + 1;
}

static int compare_additions(const void *left, const void *right)
{
	const struct addition *a = left, *b = right;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->wave != b->wave)
		return a->wave < b->wave ? -1 : 1;
	return (a->dst > b->dst) - (a->dst < b->dst);
}

/* One move: the additions first .. of one node and wave; returns the first after them. */
static size_t write_wave(struct merge *m, size_t first)
{
	int64_t dst[SLOTS], a[SLOTS], b[SLOTS];
	size_t last = first;

	for (; last < m->additions && m->addition[last].node == m->addition[first].node
		 && m->addition[last].wave == m->addition[first].wave;
		 last++) {
		dst[last - first] = m->addition[last].dst;
		a[last - first] = m->addition[last].a;
		b[last - first] = m->addition[last].b;
	}

	const int64_t n = (int64_t)(last - first);

	lsi_infer_node(m->x, m->addition[first].node);
	lsi_infer_action(m->x,
		(struct lsi_table_action){ .kind = LSI_ACT_COMBINE,
			.dst = lsi_infer_slice(m->x, LS_SCRATCH, dst, n),
			.a = lsi_infer_slice(m->x, LS_SCRATCH, a, n),
			.b = lsi_infer_slice(m->x, LS_SCRATCH, b, n) });
	return last;
}

/* The additions that wait, in local steps of at most LS_MOVES waves. */
static void write_additions(struct merge *m)
{
	int waves = 0;

	for (int v = 0; v < m->p; v++) {
		waves = m->node[v].waves > waves ? m->node[v].waves : waves;
		m->node[v].waves = 0;
	}
	if (m->additions)
		qsort(m->addition, m->additions, sizeof *m->addition, compare_additions);
	for (int first = 0; first < waves; first += LS_MOVES) {
		lsi_infer_step(m->x, true);
		for (size_t i = 0; i < m->additions && !m->x->no_memory;) {
			const int wave = m->addition[i].wave;

			i = wave >= first && wave < first + LS_MOVES ? write_wave(m, i) : i + 1;
		}
	}
	m->additions = 0;
}

/* ---- messages */

/* The sum of the members of D that v keeps in class `after`: a slot of u. */
static int64_t sum_piece(
	struct merge *m, int t, const struct lsi_arc *arc, const struct lsi_node_set *D, int after)
{
	struct node_sums *u = &m->node[arc->from];
	const uint8_t *own = classes_at(m, t, arc->from), *theirs = classes_at(m, t + 1, arc->to);
	bool seen[LSI_FIND_NODES] = { false };
	int64_t sum = -1;
	int parts = 0, wave = u->merging_waves;

	for (int x = lsi_nodes_next(D, 0); x < m->p; x = lsi_nodes_next(D, x + 1)) {
		if (theirs[x] != after || seen[own[x]])
			continue;
		seen[own[x]] = true;
		parts++;
		if (parts == 1) {
			sum = u->slot[own[x]];
			continue;
		}

		const int64_t so_far = sum;

		if (parts == 2) {
			sum = take_slot(m, arc->from);
			m->temporary[m->temporaries++] = (struct temporary){ arc->from, sum };
		}
		add_slots(m, (struct addition){ arc->from, wave++, sum, so_far, u->slot[own[x]] });
	}
	return sum;
}

/* The pieces of a message, in the order of their least members. */
static void add_message(struct merge *m, int t, int a)
{
	const struct lsi_node_set *D = lsi_deliveries_at(m->d, t, a);
	const struct lsi_arc *arc = &m->d->schedule->arcs->arc[a];
	const uint8_t *theirs = classes_at(m, t + 1, arc->to);
	const size_t first = m->pieces;
	bool seen[LSI_FIND_NODES] = { false };

	for (int x = lsi_nodes_next(D, 0); x < m->p; x = lsi_nodes_next(D, x + 1)) {
		if (seen[theirs[x]])
			continue;
		seen[theirs[x]] = true;
		m->class[m->pieces] = theirs[x];
		m->send[m->pieces] = sum_piece(m, t, arc, D, theirs[x]);
		m->keep[m->pieces] = take_slot(m, arc->to);
		m->pieces++;
	}
	m->message[m->messages++] = (struct lsi_sum_message){ arc->from, arc->to,
		(int64_t)(m->pieces - first), &m->send[first], &m->keep[first] };
}

/* Slot `from` enters the sum of a class of v after the round, which is -1 so far or in a slot. */
static void enter_sum(struct merge *m, int v, int64_t *sum, int *wave, int64_t from)
{
	if (*sum < 0) {
		*sum = from;
		return;
	}
	add_slots(m, (struct addition){ v, (*wave)++, *sum, *sum, from });
	m->node[v].taken[from] = false;
}

/*
 * After round t: the slots of the classes of R[t + 1][v].  The first slot of a class takes the sum
 * of the old classes and arrived sums in it; the other slots become free.
 */
static void merge_node(struct merge *m, int t, int v)
{
	const uint8_t *before = classes_at(m, t, v), *after = classes_at(m, t + 1, v);
	bool seen[LSI_FIND_NODES] = { false };
	int64_t sum[LSI_FIND_NODES];
	int wave[LSI_FIND_NODES] = { 0 };

	for (int c = 0; c < m->p; c++)
		sum[c] = -1;
	for (int x = 0; x < m->p; x++)
		if (before[x] != LSI_UNKNOWN_CLASS && !seen[before[x]]) {
			seen[before[x]] = true;
			enter_sum(m, v, &sum[after[x]], &wave[after[x]], m->node[v].slot[before[x]]);
		}
	for (size_t i = 0; i < m->messages; i++)
		for (int64_t k = 0; k < m->message[i].n && m->message[i].to == v; k++) {
			const size_t piece = (size_t)(&m->message[i].keep[k] - m->keep);
			const int64_t c = m->class[piece];

			enter_sum(m, v, &sum[c], &wave[c], m->keep[piece]);
		}
	memcpy(m->node[v].slot, sum, sizeof sum);
}

/* The sums that are sent, the round, then the sums of what arrived. */
static void write_round(struct merge *m, int t)
{
	m->messages = m->pieces = m->temporaries = 0;
	for (int v = 0; v < m->p; v++)
		m->node[v].merging_waves = m->node[v].waves;
	for (int a = 0; a < m->d->schedule->arcs->count && !m->x->no_memory; a++)
		if (!lsi_nodes_is_empty(lsi_deliveries_at(m->d, t, a)))
			add_message(m, t, a);
	write_additions(m);
	lsi_sums_round(m->x, m->message, m->messages, false);
	for (int v = 0; v < m->p && !m->x->no_memory; v++)
		merge_node(m, t, v);
	for (size_t i = 0; i < m->temporaries; i++)
		m->node[m->temporary[i].node].taken[m->temporary[i].slot] = false;
}

/* After the last round each node has one class, of everything. */
static void write_result(struct merge *m)
{
	write_additions(m);
	lsi_infer_step(m->x, true);
	for (int v = 0; v < m->p && !m->x->no_memory; v++) {
		lsi_infer_node(m->x, v);
		lsi_infer_action(m->x,
			(struct lsi_table_action){ .kind = LSI_ACT_COPY,
				.dst = { 0, 1, false, LS_OUTPUT },
				.a = { m->node[v].slot[0], 1, false, LS_SCRATCH } });
	}
}

/* All steps.  Before the first round, each node has its own contribution in slot 0. */
static void write_plan(struct merge *m)
{
	lsi_sums_copy(m->x, 1, LS_SCRATCH, LS_INPUT);
	for (int v = 0; v < m->p; v++)
		take_slot(m, v);
	for (int t = 0; t < m->rounds && !m->x->no_memory; t++)
		write_round(m, t);
	write_result(m);
	m->x->plan->frame.scratch[0] = (struct lsi_scratch){ m->slots, m->slots };
}

int lsi_merge_plan(const struct ls_request *request, const struct lsi_deliveries *d, ls_plan **out,
	struct ls_error *why)
{
	const size_t p = (size_t)d->schedule->arcs->nodes, rounds = (size_t)d->schedule->rounds;
	struct lsi_inference x = { .why = why };
	struct merge m = { .x = &x, .d = d, .p = (int)p, .rounds = (int)rounds };
	int status = lsi_infer_begin(&x, request);

	if (status != LS_OK)
		return status;
	/* A node receives each contribution once, so all rounds have at most p * p pieces. */
	m.node = lsi_alloc_zero(p, sizeof *m.node);
	m.message = lsi_alloc(p * p * sizeof *m.message);
	m.send = lsi_alloc(3 * p * p * sizeof *m.send);
	m.temporary = lsi_alloc(p * p * sizeof *m.temporary);
	x.no_memory =
		lsi_partitions_init(&m.R, d) != LS_OK || !m.node || !m.message || !m.send || !m.temporary;
	x.table->algorithm.claim = LS_COMMUTATIVE;
	if (!x.no_memory) {
		m.keep = m.send + p * p;
		m.class = m.keep + p * p;
		write_plan(&m);
	}
	lsi_partitions_fini(&m.R);
	lsi_free(m.node);
	lsi_free(m.message);
	lsi_free(m.send);
	lsi_free(m.temporary);
	lsi_free(m.addition);
	return lsi_infer_end(&x, LS_OK, out);
}
