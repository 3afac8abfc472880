#include "support/transport_memory.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/guard.h"
#include "support/message_lanes.h"
#include "support/reduction.h"
#include "test.h"

enum { TICKS = 3 };      /* an operation is under way for fewer than this many tests */
enum { REDUCTIONS = 4 }; /* under way: processes are at most one apart */

/* A process's part in one. */
struct share {
	int64_t number;
	int64_t *into;
	int ticks;
};

struct member {
	struct lsi_transport transport;
	struct network *network;
	int64_t calls, fail_at, reductions;
	bool dies, dead;
	atomic_bool held;
	struct operation *found; /* by `probe` */
	int found_from;
	struct share share;
};

struct network {
	pthread_mutex_t mutex;
	int processes;
	uint64_t random;
	bool counts_calls, aborted, reports, shares_cores;
	int failed; /* process; -1: none */
	char abort_text[256];
	struct lane *lane; /* LANES of each pair, at (from * processes + to) * LANES */
	struct reduction *reduction[REDUCTIONS];
	struct member *member;
	struct chunk *chunk;
	struct network_counts counts;
};

/* ---- Calls */

static struct network *lock_of(struct lsi_transport *t)
{
	struct member *m = t->state;
	struct network *n = m->network;

	while (atomic_load(&m->held))
		nap(0.1);
	pthread_mutex_lock(&n->mutex);
	return n;
}

static int unlock(struct network *n, int status)
{
	pthread_mutex_unlock(&n->mutex);
	return status;
}

/* Every call begins here; false: it fails. */
static bool call_begins(struct network *n, struct lsi_transport *t)
{
	struct member *m = t->state;

	if (n->counts_calls && ++m->calls == m->fail_at) {
		n->failed = t->process;
		m->dead = m->dies;
		snprintf(t->failure, sizeof t->failure, "call %" PRId64 " failed", m->calls);
		return false;
	}
	if (m->dead || n->aborted)
		snprintf(t->failure, sizeof t->failure, m->dead ? "the host is down" : "aborted");
	return !m->dead && !n->aborted;
}

static int random_ticks(struct network *n)
{
	return (int)random_below(&n->random, TICKS);
}

static struct lane *lane_of(struct network *n, int from, int to, int tag)
{
	return lane_for(&n->lane[(from * n->processes + to) * LANES], tag);
}

/* Words of a transfer: the operation, or a share; whether it is a share; the other process. */
static struct operation *begin_operation(struct lsi_transport *t, struct queue *q, int peer,
	const void *at, size_t bytes, struct lsi_transfer *transfer)
{
	const struct member *m = t->state;
	struct operation *o =
		operation_make(&m->network->chunk, at, bytes, random_ticks(m->network), &m->dead);

	queue_add(q, o);
	*transfer = (struct lsi_transfer){ .word = { (uintptr_t)o, 0, (uint64_t)peer }, .begun = true };
	return o;
}

static int call_send(struct lsi_transport *t, int to, int tag, const void *at, size_t bytes,
	struct lsi_transfer *transfer)
{
	struct network *n = lock_of(t);
	struct operation *o;

	if (!call_begins(n, t))
		return unlock(n, LS_ERR_STOPPED);
	CHECK(bytes <= LSI_MESSAGE_BYTES && bytes > 0, "a message of %zu bytes", bytes);
	CHECK(to >= 0 && to < n->processes && to != t->process, "a message to process %d", to);
	n->counts.messages++;
	n->counts.bytes += (int64_t)bytes;
	n->counts.longest = bytes > n->counts.longest ? bytes : n->counts.longest;
	o = begin_operation(t, &lane_of(n, t->process, to, tag)->sent, to, at, bytes, transfer);
	if (random_below(&n->random, 2)) {
		o->copy = chunk_take(&n->chunk, bytes);
		memcpy(o->copy, at, bytes);
		o->done = true;
	}
	return unlock(n, LS_OK);
}

static int call_receive(struct lsi_transport *t, int from, int tag, void *at, size_t bytes,
	struct lsi_transfer *transfer)
{
	struct network *n = lock_of(t);

	if (!call_begins(n, t))
		return unlock(n, LS_ERR_STOPPED);
	begin_operation(t, &lane_of(n, from, t->process, tag)->received, from, at, bytes, transfer);
	return unlock(n, LS_OK);
}

/* The operation, or a probe (NULL), waits for a process that has died, and this is reported. */
static bool is_lost(struct network *n, struct lsi_transport *t, const struct lsi_transfer *transfer)
{
	const struct member *m = t->state;
	const bool shares = transfer && transfer->word[1];

	for (int i = 0; n->reports && i < n->processes; i++) {
		const bool waits = shares ? n->member[i].reductions <= m->share.number
								  : !transfer || transfer->word[2] == (uint64_t)i;

		if (waits && n->member[i].dead)
			return snprintf(t->failure, sizeof t->failure, "process %d is lost", i) > 0;
	}
	return false;
}

static int call_probe(struct lsi_transport *t, int tag, int *from, size_t *bytes)
{
	struct network *n = lock_of(t);
	struct member *m = t->state;
	int peer;

	*from = -1;
	if (!call_begins(n, t))
		return unlock(n, LS_ERR_STOPPED);
	CHECK(!m->found, "process %d: a second probe before take", t->process);
	peer = (int)random_below(&n->random, n->processes);
	for (int i = 0; i < n->processes && *from < 0; i++, peer = (peer + 1) % n->processes) {
		if (peer != t->process && (m->found = lane_take(lane_of(n, peer, t->process, tag)))) {
			*from = m->found_from = peer;
			*bytes = m->found->bytes;
		}
	}
	return unlock(n, *from < 0 && is_lost(n, t, NULL) ? LS_ERR_STOPPED : LS_OK);
}

static int call_take(struct lsi_transport *t, void *at, struct lsi_transfer *transfer)
{
	struct network *n = lock_of(t);
	struct member *m = t->state;
	struct queue alone = { 0 };

	if (!call_begins(n, t))
		return unlock(n, LS_ERR_STOPPED);
	CHECK(m->found, "process %d: nothing to take", t->process);
	begin_operation(t, &alone, m->found_from, at, m->found->bytes, transfer)->sent = m->found;
	m->found = NULL;
	return unlock(n, LS_OK);
}

/* ---- Progress */

static void end_share(struct network *n, struct share *share)
{
	struct reduction *r = n->reduction[share->number % REDUCTIONS];

	memcpy(share->into, r->value, (size_t)r->n * sizeof *r->value);
	if (++r->left == n->processes)
		n->reduction[share->number % REDUCTIONS] = NULL;
	share->into = NULL;
}

static int call_test(struct lsi_transport *t, struct lsi_transfer *transfer, bool *done)
{
	struct network *n = lock_of(t);

	if (!call_begins(n, t))
		return unlock(n, LS_ERR_STOPPED);
	lane_advance(&n->lane[random_below(&n->random, (int64_t)n->processes * n->processes * LANES)]);
	*done = !transfer->begun;
	if (transfer->begun && transfer->word[1]) {
		struct share *share = (struct share *)(uintptr_t)transfer->word[0];

		*done = n->reduction[share->number % REDUCTIONS]->arrived == n->processes
			&& share->ticks-- <= 0;
		if (*done)
			end_share(n, share);
	} else if (transfer->begun) {
		struct operation *o = (struct operation *)(uintptr_t)transfer->word[0];

		if (o->sent && !o->done && !operation_is_lost(o->sent) && o->ticks-- <= 0)
			deliver_message(o->sent, o);
		*done = o->done;
	}
	transfer->begun = !*done;
	return unlock(n, !*done && is_lost(n, t, transfer) ? LS_ERR_STOPPED : LS_OK);
}

/* ---- Reductions */

static int reduce(struct lsi_transport *t, int64_t *values, int n_values, bool sums,
	struct lsi_transfer *transfer)
{
	struct network *n = lock_of(t);
	struct member *m = t->state;
	struct share *share;
	struct reduction **r;

	if (!call_begins(n, t))
		return unlock(n, LS_ERR_STOPPED);
	r = &n->reduction[m->reductions % REDUCTIONS];
	if (!*r) {
		*r = reduction_make(&n->chunk, sums, n_values);
		n->counts.collectives++;
	}
	CHECK((*r)->sums == sums && (*r)->n == n_values,
		"process %d: reductions differ: %d numbers, not %d", t->process, n_values, (*r)->n);
	reduction_contribute(*r, values);
	share = &m->share;
	CHECK(!share->into, "process %d: two reductions at once", t->process);
	*share = (struct share){ m->reductions++, values, random_ticks(n) };
	*transfer = (struct lsi_transfer){ .word = { (uintptr_t)share, 1 }, .begun = true };
	return unlock(n, LS_OK);
}

static int call_least(
	struct lsi_transport *t, int64_t *values, int n_values, struct lsi_transfer *transfer)
{
	return reduce(t, values, n_values, false, transfer);
}

static int call_sum(
	struct lsi_transport *t, uint64_t *values, int n_values, struct lsi_transfer *transfer)
{
	return reduce(t, (int64_t *)values, n_values, true, transfer);
}

/* ---- The ends */

static void call_abort(struct lsi_transport *t, int code, const char *text)
{
	struct network *n = lock_of(t);

	CHECK(code == 3 && text[0], "aborted with %d: '%s'", code, text);
	n->aborted |= !((struct member *)t->state)->dead;
	snprintf(n->abort_text, sizeof n->abort_text, "%s", text);
	unlock(n, LS_OK);
}

static void call_close(struct lsi_transport *t)
{
	(void)t;
}

struct network *network_make(int processes, uint64_t seed)
{
	struct network *n = memory(1, sizeof *n);

	pthread_mutex_init(&n->mutex, NULL);
	n->processes = processes;
	n->random = seed;
	n->shares_cores = seed % 2 == 0;
	n->failed = -1;
	chunk_take(&n->chunk, 1); /* the first chunk */
	n->lane = memory((size_t)processes * (size_t)processes * LANES, sizeof *n->lane);
	n->member = memory((size_t)processes, sizeof *n->member);
	for (int i = 0; i < processes; i++) {
		struct member *m = &n->member[i];

		m->network = n;
		m->transport = (struct lsi_transport){ sizeof m->transport, LSI_TRANSPORT_VERSION,
			processes, i, "memory", "here", "", m, call_send, call_receive, call_probe, call_take,
			call_test, call_least, call_sum, call_abort, call_close };
	}
	return n;
}

void network_destroy(struct network *n)
{
	for (int i = 0; i < n->processes * n->processes * LANES; i++)
		CHECK(n->aborted || n->failed >= 0 || lane_is_empty(&n->lane[i]), "%s: operations are left",
			guarded());
	chunks_free(n->chunk);
	free(n->lane);
	free(n->member);
	pthread_mutex_destroy(&n->mutex);
	free(n);
}

ls_world *network_world(struct network *n, int process)
{
	ls_world *world;

	if (lsi_world_make(&n->member[process].transport, &world, NULL) != LS_OK)
		exit(1);
	if (!n->shares_cores)
		world->cores.parts = 1;
	return world;
}

void network_begin(struct network *n)
{
	pthread_mutex_lock(&n->mutex);
	n->counts_calls = true;
	n->counts = (struct network_counts){ 0 };
	pthread_mutex_unlock(&n->mutex);
}

void network_report_losses(struct network *n)
{
	pthread_mutex_lock(&n->mutex);
	n->reports = true;
	pthread_mutex_unlock(&n->mutex);
}

void network_end(struct network *n)
{
	network_report_losses(n);
	pthread_mutex_lock(&n->mutex);
	n->counts_calls = false;
	pthread_mutex_unlock(&n->mutex);
}

void network_fail(struct network *n, int process, int64_t k, bool dies)
{
	n->member[process].fail_at = k;
	n->member[process].dies = dies;
}

void network_kill(struct network *n, int process)
{
	pthread_mutex_lock(&n->mutex);
	n->member[process].dead = true;
	n->failed = process;
	pthread_mutex_unlock(&n->mutex);
}

void network_fail_soon(struct network *n, int process, int64_t k, bool dies)
{
	pthread_mutex_lock(&n->mutex);
	network_fail(n, process, n->member[process].calls + k, dies);
	pthread_mutex_unlock(&n->mutex);
}

void network_hold(struct network *n, int process, bool held)
{
	atomic_store(&n->member[process].held, held);
}

int network_failed(struct network *n)
{
	return n->failed;
}

bool network_is_aborted(struct network *n)
{
	return n->aborted;
}

const char *network_abort_text(struct network *n)
{
	return n->abort_text;
}

struct network_counts network_counts_of(struct network *n)
{
	return n->counts;
}
