/*
 * The time that the machine itself needs for each operation: the work that no implementation can
 * avoid, without any verification.  Command line and output are those of contest.h.
 *
 * p <= cores, short messages
 *     Every thread writes a vector and a flag to memory that the others read.  In all-reduce,
 *     all-gather, all-to-all and barrier each thread waits for all flags and reads (and folds) all
 *     vectors.  In a rotating broadcast it waits for the root's flag only.  A broadcast of one root
 *     uses a ring of 128 vectors; the root waits while the ring is full.
 *
 * p <= cores, long messages
 *     Every core reads and writes its share of all bytes, and sets one flag.  The fastest of
 *     several loops counts: memcpy in strips of three lengths, or 64-byte vectors, with and without
 *     non-temporal stores.  The direction alternates between forward and backward.
 *
 * p > cores
 *     Every thread of a core but one calls sched_yield once for each operation.  A rotating
 *     broadcast needs one call in all.
 *
 * Operands are written and results are read between samples, as in contest.h.
 */
#include <immintrin.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bind.h"
#include "clock.h"

enum { SHORT = 16 << 10, SLOTS = 128, MOST = 2, ROUNDS = 5 };
enum { STRIP = 16 << 10, SIZES = 3, WAYS = SIZES + 2 };
enum { SHORT_WAYS = 3, POLL_DELAY = 40 }; /* POLL_DELAY: iterations of an empty loop */

enum operation { ALLREDUCE, BROADCAST, ROTATING, BARRIER, ALLGATHER, ALLTOALL, OPERATIONS };

struct line {
	alignas(64) atomic_long flag;
};
struct mail {
	atomic_long flag;
	char data[];
}; /* begins a cache line */

static struct {
	enum operation operation;
	size_t bytes;
	int nodes, cores, samples;
	double target;
	long n; /* repetitions */
	int way;
	struct line flag[2][MOST]; /* of even and odd turns */
	size_t stride;             /* bytes from one mail to the next */
	char *mail[2];             /* of even and odd repetitions, or the ring */
	char *operand[MOST], *result[MOST];
} all;

static bool is(enum operation operation)
{
	return all.operation == operation;
}

static void reach(const atomic_long *flag, long turn)
{
	while (atomic_load_explicit(flag, memory_order_acquire) < turn)
		;
}

static void post(atomic_long *flag, long turn)
{
	atomic_store_explicit(flag, turn, memory_order_release);
}

static struct mail *mail_at(int which, long i)
{
	return (struct mail *)(void *)(all.mail[which] + (size_t)i * all.stride);
}

/* The variant of a short operation. */
static int moments(void)
{
	return all.bytes > SHORT ? 0 : all.way;
}

static void pass_moments(void)
{
	const int turns = POLL_DELAY * moments();

	for (int i = 0; i < turns; i++)
		__asm__ volatile("");
}

static void take_back(const void *line)
{
	if (moments() > 0)
		__asm__ volatile("prefetchw %0" : : "m"(*(const char *)line));
}

static void meet(int me, long turn)
{
	struct line *flag = all.flag[turn & 1];

	post(&flag[me].flag, turn);
	pass_moments();
	for (int r = 0; r < all.nodes; r++)
		if (r != me)
			reach(&flag[r].flag, turn);
	take_back(&all.flag[(turn + 1) & 1][me]);
}

/* ---- Short: turn counts from 1 */

/* to := a, or a (+) b */
static void work(char *to, const char *a, const char *b, size_t bytes)
{
	double *sum = (double *)(void *)to;
	const double *x = (const double *)(const void *)a, *y = (const double *)(const void *)b;

	if (!b)
		memcpy(to, a, bytes);
	for (size_t i = 0; b && i < bytes / sizeof *sum; i++)
		sum[i] = x[i] + y[i];
}

static void exchange(int me, long turn)
{
	struct mail *mail = mail_at(turn & 1, me);
	const bool folds = is(ALLREDUCE), rotates = is(ROTATING);
	const int root = (int)(turn % all.nodes);
	const size_t block = is(ALLTOALL) ? all.bytes * (size_t)all.nodes : all.bytes;

	if (!rotates || me == root) {
		memcpy(mail->data, all.operand[me], block);
		post(&mail->flag, turn);
		pass_moments();
	}
	for (int r = 0; r < all.nodes; r++) {
		if (rotates && r != root)
			continue;
		mail = mail_at(turn & 1, r);
		reach(&mail->flag, turn);
		work(all.result[me], mail->data, folds && r > 0 ? all.result[me] : NULL, all.bytes);
	}
	if (!rotates)
		take_back(mail_at((turn + 1) & 1, me));
}

static void stream(int me, long turn)
{
	struct mail *mail = mail_at(0, turn % SLOTS);

	if (me == 0) {
		if (turn % (SLOTS / 2) == 0)
			for (int r = 1; r < all.nodes; r++)
				reach(&all.flag[0][r].flag, turn - SLOTS / 2);
		memcpy(mail->data, all.operand[0], all.bytes);
		post(&mail->flag, turn);
	} else {
		reach(&mail->flag, turn);
		memcpy(all.result[me], mail->data, all.bytes);
		if (turn % (SLOTS / 2) == 0)
			post(&all.flag[0][me].flag, turn);
	}
}

/* ---- Long */

__attribute__((target("avx512f"))) static void vectors(
	char *to, char *also, const char *a, const char *b, size_t bytes, bool past)
{
	for (size_t i = 0; i < bytes; i += 64) {
		__m512d v = _mm512_loadu_pd(a + i);

		if (b)
			v = _mm512_add_pd(v, _mm512_loadu_pd(b + i));
		if (past)
			_mm512_stream_pd((void *)(to + i), v);
		else
			_mm512_storeu_pd(to + i, v);
		if (also && past)
			_mm512_stream_pd((void *)(also + i), v);
		else if (also)
			_mm512_storeu_pd(also + i, v);
	}
	_mm_sfence();
}

/* to, and `also` where there is one, := a, or a (+) b */
static void strip(char *to, char *also, const char *a, const char *b, size_t bytes)
{
	if (all.way >= SIZES && __builtin_cpu_supports("avx512f")) {
		vectors(to, also, a, b, bytes, all.way > SIZES);
		return;
	}
	work(to, a, b, bytes);
	if (also)
		memcpy(also, to, bytes);
}

static void share(int me, size_t at, size_t bytes)
{
	const size_t n = all.bytes;
	char **operand = all.operand, **result = all.result;

	if (is(ALLREDUCE))
		strip(result[0] + at, result[1] + at, operand[0] + at, operand[1] + at, bytes);
	else if (is(BROADCAST))
		strip(result[1] + at, NULL, operand[0] + at, NULL, bytes);
	for (size_t k = 0; k < 2 && is(ALLGATHER); k++)
		strip(result[0] + k * n + at, result[1] + k * n + at, operand[k] + at, NULL, bytes);
	for (size_t k = 0; k < 2 && is(ALLTOALL); k++) /* at: of a thread's own two blocks */
		strip(result[me] + k * n + at, NULL, operand[k] + (size_t)me * n + at, NULL, bytes);
}

static void move(int me, long turn)
{
	const size_t part = all.bytes / (is(ALLTOALL) ? 1 : 2);
	const size_t begin = is(ALLTOALL) ? 0 : (size_t)me * part;
	const size_t length = (size_t)STRIP >> (all.way < SIZES ? SIZES - 1 - all.way : 0);

	meet(me, 2 * turn - 1);
	for (size_t done = 0; done < part; done += length) {
		const size_t bytes = length < part - done ? length : part - done;

		share(me, begin + (turn % 2 ? part - done - bytes : done), bytes);
	}
	meet(me, 2 * turn);
}

/* ---- Measurement */

static void repeat(int me)
{
	const bool is_long = all.bytes > SHORT;
	const int on_core = all.nodes / all.cores;

	for (long turn = 1; turn <= all.n; turn++) {
		if (all.nodes > all.cores) {
			if (is(ROTATING) == (turn % on_core == me % on_core))
				sched_yield();
			continue;
		}
		*(volatile char *)all.operand[me] = (char)turn;
		if (is(BARRIER))
			meet(me, turn);
		else if (is_long)
			move(me, turn);
		else if (is(BROADCAST))
			stream(me, turn);
		else
			exchange(me, turn);
	}
}

static pthread_barrier_t gate;
static double span;

static void sample(int me)
{
	double begin;

	if (all.nodes <= all.cores)
		memset(all.result[me], -1, (is(ALLGATHER) || is(ALLTOALL) ? 2 : 1) * all.bytes);
	pthread_barrier_wait(&gate);
	for (int i = 0; me == 0 && i < 2 * SLOTS; i++)
		post(&mail_at(i % 2, i / 2)->flag, 0);
	for (int i = 0; i < 2 && me < MOST; i++)
		post(&all.flag[i][me].flag, 0);
	pthread_barrier_wait(&gate);
	begin = now();
	repeat(me);
	pthread_barrier_wait(&gate);
	if (me == 0)
		span = (now() - begin) / (double)all.n;
}

static void *body(void *arg)
{
	const int me = (int)(intptr_t)arg;
	const bool is_long = all.bytes > SHORT;
	const bool exchanges = all.nodes <= all.cores && !is(BROADCAST);
	const int ways = is_long ? WAYS : exchanges ? SHORT_WAYS : 1;
	double best = 1e300;
	int way = 0;

	bind_block(me, all.nodes);
	for (int w = 0; w < ways; w++) {
		double least = 1e300;

		for (int i = 0; i < ROUNDS; i++) {
			if (me == 0) {
				all.way = w;
				all.n = i == 0 ? 2 : (long)(all.target / 4 / (span > 0 ? span : 1)) + 2;
			}
			sample(me);
			if (span < least)
				least = span;
			pthread_barrier_wait(&gate);
		}
		if (least < best) {
			best = least;
			way = w;
		}
	}
	for (int i = 0; i < all.samples; i++) {
		if (me == 0) {
			all.way = way;
			all.n = (long)(all.target / best) + 2;
		}
		sample(me);
		if (me == 0)
			printf("%.1f\n", span);
		pthread_barrier_wait(&gate);
	}
	if (me == 0)
		printf("# way %d\nok\n", way);
	return NULL;
}

static char *memory(size_t bytes)
{
	char *at = aligned_alloc(4096, (bytes + 8191) & ~(size_t)4095);

	if (!at) {
		puts("failed: no memory");
		exit(1);
	}
	return memset(at, 0, bytes);
}

int main(int argc, char **argv)
{
	static const char *const name[OPERATIONS] = { "allreduce", "broadcast", "rotating", "barrier",
		"allgather", "alltoall" };
	const cpu_set_t allowed = cores_allowed();
	pthread_t *id;

	if (argc != 6) {
		puts("failed: usage: OPERATION BYTES P MSms SAMPLES");
		return 1;
	}
	while (all.operation < OPERATIONS && strcmp(argv[1], name[all.operation]))
		all.operation++;
	all.bytes = strtoul(argv[2], NULL, 10);
	all.nodes = atoi(argv[3]);
	all.target = atof(argv[4]) * 1e6;
	all.samples = atoi(argv[5]);
	all.cores = CPU_COUNT(&allowed);
	if (all.operation == OPERATIONS || (all.nodes <= all.cores && all.nodes != 2)) {
		puts("failed: no such operation, or neither two nodes nor more than cores");
		return 1;
	}
	for (int r = 0; r < MOST && all.nodes <= all.cores; r++) {
		all.operand[r] = memory(2 * all.bytes + 64);
		all.result[r] = memory(2 * all.bytes + 64);
	}
	all.stride =
		(sizeof(struct mail) + (all.bytes > SHORT ? 0 : (size_t)all.nodes * all.bytes) + 63)
		& ~(size_t)63;
	for (int i = 0; i < 2; i++)
		all.mail[i] = memory(SLOTS * all.stride);
	pthread_barrier_init(&gate, NULL, (unsigned)all.nodes);
	id = calloc((size_t)all.nodes, sizeof *id);
	for (int r = 0; r < all.nodes && id; r++)
		if (pthread_create(&id[r], NULL, body, (void *)(intptr_t)r))
			return 1;
	for (int r = 0; r < all.nodes && id; r++)
		pthread_join(id[r], NULL);
	return 0;
}
