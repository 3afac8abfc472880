/*
 * The part that all contestants of scripts/compare share: command line, operands, timing,
 * verification.
 *
 *   CONTESTANT OPERATION BYTES P REPETITIONS SAMPLES
 *
 * BYTES is the size of the vector, or of one block (allgather, alltoall); elements are doubles.
 * REPETITIONS is a number, or the duration of a sample such as 10ms.  The output is the time of one
 * operation in ns for each sample, lines that begin with #, and a last line `ok`.  A wrong result
 * is reported instead, with exit code 1.
 *
 * One sample: all ranks synchronize; each notes the time, repeats the operation and notes the time
 * again; the sample is (last end - first begin) / repetitions.  In every repetition each rank
 * stores a new value into one element of its operand and adds one element of its result to a sum,
 * so no repetition can be skipped.  After each sample, outside the measured time, the sum and every
 * element of the result are compared with the expected values.
 *
 * With COMPARE_TOUCH=1 each repetition also writes every cache line of the operand before, and
 * reads every line of the result after the operation, inside the measured time: the behavior of a
 * program that computes between two operations.  Without it, operands may stay in the caches of
 * several cores.
 *
 * A rotating broadcast has root t mod p in repetition t.  Each broadcast depends on the one before,
 * so no root can run ahead.
 *
 * A contestant has a table of variants, several ways to perform an operation.  The fastest one is
 * found first and then measured.  The contestant defines this table and `maxima`.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

#undef usleep /* SimGrid replaces it by a simulated sleep */
/* Compiled with LIGHT_RANKS, ranks are fibers: one that sleeps lets no other of its thread run. */
#ifdef LIGHT_RANKS
#define RANKS_CAN_SLEEP false
#else
#define RANKS_CAN_SLEEP true
#endif

enum operation { ALLREDUCE, BROADCAST, BARRIER, ALLGATHER, ALLTOALL, OPERATIONS };

struct contest {
	enum operation operation;
	size_t n;     /* doubles of the vector or block */
	bool rotates; /* the root is another one each time */
	bool touches; /* all of operands and results */
	int nodes;
	int repetitions; /* 0: as many as take `target` ns */
	double target;
	int samples;
};

/* A rank of a contestant, and its place in the sums that are verified. */
struct participant {
	const struct contest *contest;
	int rank;
	double *operand, *result;
	double *written;    /* the element of the operand that changes */
	const double *seen; /* the element of the result that is added up */
	double idle;        /* written and seen where the operation has no operand */
	double turn;        /* repetitions so far */
	int root;
	void *peer; /* the contestant's own */
};

typedef void act(struct participant *);
enum { VARIANTS = 3 };
struct variant {
	const char *name;
	act *operate;
};

/* What the contestant defines: its variants, and the maxima of both values over all ranks. */
static const struct variant variants[OPERATIONS][VARIANTS];
static void maxima(struct participant *, double value[2]);

static void fail(const char *what)
{
	printf("failed: %s\n", what);
	fflush(stdout);
	_exit(1);
}

static struct contest contest_of(int argc, char **argv)
{
	static const char *const names[OPERATIONS] = { "allreduce", "broadcast", "barrier", "allgather",
		"alltoall" };
	struct contest c = { .operation = OPERATIONS };

	if (argc != 6)
		fail("usage: OPERATION BYTES P REPETITIONS SAMPLES");
	c.touches = getenv("COMPARE_TOUCH") != NULL;
	c.rotates = !strcmp(argv[1], "rotating");
	if (c.rotates)
		c.operation = BROADCAST;
	for (int i = 0; i < OPERATIONS; i++)
		if (!strcmp(argv[1], names[i]))
			c.operation = (enum operation)i;
	c.n = strtoul(argv[2], NULL, 10) / sizeof(double);
	c.nodes = atoi(argv[3]);
	if (strstr(argv[4], "ms"))
		c.target = atof(argv[4]) * 1e6;
	else
		c.repetitions = atoi(argv[4]);
	c.samples = atoi(argv[5]);
	if (c.operation == OPERATIONS || (c.operation != BARRIER && c.n == 0) || c.nodes < 1
		|| c.samples < 1 || (c.repetitions < 1 && c.target <= 0))
		fail("no such operation, or a number out of range");
	return c;
}

/* ---- Operands and results */

/*
 * Element e of rank r is r + 1 + e; all-to-all adds the destination, and a broadcast has 1 + e.  In
 * turn t element 0 of what is written is t more.
 */

static size_t blocks_given(const struct contest *c)
{
	return c->operation == ALLTOALL ? (size_t)c->nodes : c->operation == BARRIER ? 0 : 1;
}

static size_t blocks_got(const struct contest *c)
{
	return c->operation == ALLGATHER ? (size_t)c->nodes : blocks_given(c);
}

static int neighbor(const struct participant *s, int distance)
{
	return (s->rank + distance + s->contest->nodes) % s->contest->nodes;
}

/* What element e of block b of the result is after turn t. */
static double expected(const struct participant *s, size_t b, size_t e, double turn)
{
	const double p = s->contest->nodes, from = (double)b, at = (double)e;
	const bool changes = s->contest->operation != ALLTOALL || (int)b == neighbor(s, -1);
	const double now_more = e == 0 && changes ? turn : 0;

	switch (s->contest->operation) {
	case ALLREDUCE:
		return p * (p + 1) / 2 + p * (at + now_more);
	case BROADCAST:
		return 1 + at + now_more;
	case ALLGATHER:
		return from + 1 + at + now_more;
	case ALLTOALL:
		return from + 1 + at + s->rank + now_more;
	default:
		return turn;
	}
}

static double first_written(const struct participant *s)
{
	switch (s->contest->operation) {
	case BROADCAST:
		return 1;
	case BARRIER:
		return 0;
	case ALLTOALL:
		return s->rank + 1 + neighbor(s, 1);
	default:
		return s->rank + 1;
	}
}

static double *doubles(size_t n)
{
	double *vector = aligned_alloc(4096, (n * sizeof *vector + 4096) & ~(size_t)4095);

	if (!vector)
		fail("no memory");
	memset(vector, 0, n * sizeof *vector);
	return vector;
}

static void participant_begin(struct participant *s, const struct contest *c, int rank, void *peer)
{
	const size_t given = blocks_given(c) * c->n, got = blocks_got(c) * c->n;
	const bool in_place = c->operation == BROADCAST;

	*s = (struct participant){ .contest = c, .rank = rank, .peer = peer };
	s->operand = doubles(given);
	s->result = in_place ? s->operand : doubles(got);
	for (size_t i = 0; i < given; i++)
		s->operand[i] = (in_place ? 0 : rank) + 1 + (double)(i % c->n)
			+ (c->operation == ALLTOALL ? (double)(i / c->n) : 0);
	s->written = s->operand;
	s->seen = s->result;
	if (c->operation == ALLTOALL)
		s->written += (size_t)neighbor(s, 1) * c->n;
	if (c->operation == ALLGATHER || c->operation == ALLTOALL)
		s->seen += (size_t)neighbor(s, -1) * c->n;
	if (c->operation == BARRIER || (in_place && rank != 0))
		s->written = &s->idle;
	if (c->operation == BARRIER)
		s->seen = &s->idle;
}

static void rotate(struct participant *s)
{
	s->root = (int)s->turn % s->contest->nodes;
	s->written = s->rank == s->root ? s->operand : &s->idle;
}

static void write_lines(const struct participant *s)
{
	const size_t given = s->written == &s->idle ? 0 : blocks_given(s->contest) * s->contest->n;
	volatile double *operand = s->operand;

	for (size_t i = 0; i < given; i += 8)
		operand[i] = operand[i];
}

static void read_lines(const struct participant *s)
{
	const size_t got = blocks_got(s->contest) * s->contest->n;
	const volatile double *result = s->result;

	for (size_t i = 0; i < got; i += 8)
		(void)result[i];
}

/* ---- Time */

struct outcome {
	double ns;
	bool wrong;
};

static bool result_is_wrong(const struct participant *s, double sum, int n)
{
	const struct contest *c = s->contest;
	const size_t seen_block = c->n ? (size_t)(s->seen - s->result) / c->n : 0;
	const bool barrier = c->operation == BARRIER;
	const double each = expected(s, barrier ? 0 : seen_block, 0, 0);
	const double step = expected(s, barrier ? 0 : seen_block, 0, 1) - each;

	/* Sums of integers below 2^53: exact. */
	if (sum != n * each + step * (n * (s->turn - n) + (double)n * (n - 1) / 2))
		return true;
	for (size_t b = 0; b < blocks_got(c); b++)
		for (size_t e = 0; e < c->n; e++)
			if (s->result[b * c->n + e] != expected(s, b, e, s->turn - 1))
				return true;
	return false;
}

/* One sample of n repetitions, the same at all ranks. */
static struct outcome sample(struct participant *s, act *operate, int n)
{
	const struct contest *c = s->contest;
	const double first = first_written(s);
	double span[2] = { 0, 0 }, wrong[2] = { 0, 0 }, sum = 0;

	if (c->rotates)
		rotate(s);
	if (s->result != s->operand || s->rank != s->root)
		memset(s->result, -1, blocks_got(c) * c->n * sizeof *s->result);
	maxima(s, span);
	span[0] = -now();
	for (int i = 0; i < n; i++, s->turn++) {
		if (c->rotates)
			rotate(s);
		if (c->touches)
			write_lines(s);
		*s->written = first + s->turn;
		operate(s);
		sum += *s->seen;
		if (c->touches)
			read_lines(s);
	}
	span[1] = now();
	maxima(s, span);
	wrong[0] = result_is_wrong(s, sum, n);
	maxima(s, wrong);
	return (struct outcome){ (span[0] + span[1]) / n, wrong[0] != 0 };
}

/*
 * The number of repetitions that take `target` ns.  It is estimated again while the first
 * repetitions are slower than the rest; each root has had one before.
 */
static int calibrated(struct participant *s, act *operate, double target)
{
	double ns, n = 1;

	if (s->contest->rotates)
		sample(s, operate, s->contest->nodes);
	ns = sample(s, operate, 1).ns;
	for (int i = 0; i < 12 && ns * n < target / 2; i++) {
		n = n * 8 < target / ns ? n * 8 : target / ns;
		ns = sample(s, operate, (int)n).ns;
	}
	return (int)(target / ns) + 1;
}

static const struct variant *fastest(struct participant *s, int repetitions)
{
	const struct variant *of = variants[s->contest->operation], *best = NULL;
	double least = 0;

	for (int v = 0; v < VARIANTS && of[v].operate; v++) {
		const int n =
			repetitions ? repetitions : calibrated(s, of[v].operate, s->contest->target / 4);

		for (int i = 0; i < 3; i++) {
			const double ns = sample(s, of[v].operate, n).ns;

			if (!best || ns < least) {
				best = &of[v];
				least = ns;
			}
		}
	}
	if (!best)
		fail("the contestant has no such operation");
	return best;
}

/* Does anybody leave before the last has come?  Every rank in turn comes late. */
static bool barrier_leaks(struct participant *s, act *operate)
{
	bool leaks = false;

	for (int k = 0; k < 8; k++) {
		double come_and_gone[2];

		if (s->rank == k * (s->contest->nodes - 1) / 7)
			usleep(1000);
		come_and_gone[0] = now();
		operate(s);
		come_and_gone[1] = -now();
		maxima(s, come_and_gone);
		leaks |= come_and_gone[0] > -come_and_gone[1];
	}
	return leaks;
}

/* How many broadcasts the root finishes before any other node begins the first. */
static int run_ahead(struct participant *s, act *operate)
{
	enum { MOST = 256 };
	double done[MOST], begin[2] = { -1e300, 0 };
	int count = 0;

	maxima(s, begin);
	begin[0] = -1e300;
	if (s->rank != 0) {
		usleep(20000);
		begin[0] = -now();
	}
	for (int i = 0; i < MOST; i++) {
		operate(s);
		done[i] = now();
	}
	maxima(s, begin);
	while (count < MOST && done[count] < -begin[0])
		count++;
	return count;
}

static void play(struct participant *s)
{
	const struct contest *c = s->contest;
	const struct variant *v = fastest(s, c->repetitions);
	const int n = c->repetitions ? c->repetitions : calibrated(s, v->operate, c->target);
	bool wrong = c->operation == BARRIER && barrier_leaks(s, v->operate);

	if (s->rank == 0)
		printf("# way %s\n# repetitions %d\n", v->name, n);
	for (int i = 0; i < c->samples; i++) {
		const struct outcome o = sample(s, v->operate, n);

		wrong |= o.wrong;
		if (s->rank == 0)
			printf("%.1f\n", o.ns);
	}
	if (RANKS_CAN_SLEEP && c->operation == BROADCAST && !c->rotates && c->nodes > 1) {
		const int ahead = run_ahead(s, v->operate);

		if (s->rank == 0)
			printf("# ahead %d\n", ahead);
	}
	if (wrong)
		fail("wrong result");
	if (s->rank == 0)
		puts("ok");
	fflush(stdout);
	if (s->result != s->operand)
		free(s->result);
	free(s->operand);
}
