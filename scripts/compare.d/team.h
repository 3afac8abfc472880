/*
 * Threads that share memory, each with its own operand and result: the hand-written loops that
 * OpenMP and plain pthreads have in common.  The includer defines `wait_for_all`, a barrier.
 *
 *   staged   Each thread copies its operand into a shared stage, passes a barrier and reads the
 *            parts that it needs.  Two stages alternate, so one barrier for each operation is
 *            enough: before a stage is written again, all its readers have passed the next barrier.
 *   direct   Barrier; each thread reads the operands in place (all-reduce: one slice of every
 *            operand, and writes that slice of every result); barrier.
 */
struct team {
	int nodes;
	size_t stride; /* doubles of a thread's part of a stage, whole cache lines */
	double *stage[2];
	double (*maxima)[2];
	double **operand, **result; /* of every thread */
};

struct member {
	struct team *team;
	int stage;
};

static void wait_for_all(struct participant *);

static struct team *team_of(const struct participant *s)
{
	return ((const struct member *)s->peer)->team;
}

static void maxima(struct participant *s, double value[2])
{
	struct team *team = team_of(s);

	memcpy(team->maxima[s->rank], value, sizeof *team->maxima);
	wait_for_all(s);
	for (int r = 0; r < team->nodes; r++)
		for (int i = 0; i < 2; i++)
			if (team->maxima[r][i] > value[i])
				value[i] = team->maxima[r][i];
	wait_for_all(s);
}

static struct team *team_make(const struct contest *c)
{
	struct team *team = calloc(1, sizeof *team);
	const size_t p = (size_t)c->nodes;

	if (!team)
		fail("no memory");
	team->nodes = c->nodes;
	team->stride = (blocks_given(c) * c->n + 7) & ~(size_t)7;
	for (int i = 0; i < 2; i++)
		team->stage[i] = doubles(p * team->stride);
	team->maxima = calloc(p, sizeof *team->maxima);
	team->operand = calloc(p, sizeof *team->operand);
	team->result = calloc(p, sizeof *team->result);
	if (!team->maxima || !team->operand || !team->result)
		fail("no memory");
	return team;
}

static void team_play(struct team *team, const struct contest *c, int rank, struct member *me)
{
	struct participant participant;

	me->team = team;
	participant_begin(&participant, c, rank, me);
	team->operand[rank] = participant.operand;
	team->result[rank] = participant.result;
	wait_for_all(&participant);
	play(&participant);
}

/* The part of a thread in the stage of this operation. */
static double *staged(const struct participant *s, int rank)
{
	const struct member *me = s->peer;

	return me->team->stage[me->stage] + (size_t)rank * me->team->stride;
}

static void stage_mine(struct participant *s, size_t n)
{
	memcpy(staged(s, s->rank), s->operand, n * sizeof(double));
	wait_for_all(s);
}

static void stage_done(struct participant *s)
{
	((struct member *)s->peer)->stage ^= 1;
}

/* sum := a + b, or sum += b where a is sum */
static void add(double *sum, const double *a, const double *b, size_t n)
{
	for (size_t e = 0; e < n; e++)
		sum[e] = a[e] + b[e];
}

static void allreduce_staged(struct participant *s)
{
	const size_t n = s->contest->n;
	const int p = s->contest->nodes;

	stage_mine(s, n);
	if (p == 1)
		memcpy(s->result, s->operand, n * sizeof(double));
	for (int r = 1; r < p; r++)
		add(s->result, r == 1 ? staged(s, 0) : s->result, staged(s, r), n);
	stage_done(s);
}

static void allreduce_sliced(struct participant *s)
{
	enum { STRIP = 512 };
	const struct team *team = team_of(s);
	const size_t n = s->contest->n, p = (size_t)s->contest->nodes, rank = (size_t)s->rank;
	const size_t end = n * (rank + 1) / p;

	wait_for_all(s);
	for (size_t at = n * rank / p; at < end; at += STRIP) {
		const size_t length = end - at < STRIP ? end - at : STRIP;
		double *sum = s->result + at;

		memcpy(sum, team->operand[0] + at, length * sizeof *sum);
		for (size_t r = 1; r < p; r++)
			add(sum, r == 1 ? team->operand[0] + at : sum, team->operand[r] + at, length);
		for (size_t r = 0; r < p; r++)
			if (r != rank)
				memcpy(team->result[r] + at, sum, length * sizeof *sum);
	}
	wait_for_all(s);
}

static void broadcast_staged(struct participant *s)
{
	const size_t bytes = s->contest->n * sizeof(double);

	if (s->rank == s->root)
		memcpy(staged(s, s->root), s->operand, bytes);
	wait_for_all(s);
	if (s->rank != s->root)
		memcpy(s->operand, staged(s, s->root), bytes);
	stage_done(s);
}

static void broadcast_direct(struct participant *s)
{
	wait_for_all(s);
	if (s->rank != s->root)
		memcpy(s->operand, team_of(s)->operand[s->root], s->contest->n * sizeof(double));
	wait_for_all(s);
}

static void allgather_staged(struct participant *s)
{
	const size_t n = s->contest->n;

	stage_mine(s, n);
	for (int r = 0; r < s->contest->nodes; r++)
		memcpy(s->result + (size_t)r * n, staged(s, r), n * sizeof(double));
	stage_done(s);
}

static void allgather_direct(struct participant *s)
{
	const size_t n = s->contest->n;

	wait_for_all(s);
	for (int r = 0; r < s->contest->nodes; r++)
		memcpy(s->result + (size_t)r * n, team_of(s)->operand[r], n * sizeof(double));
	wait_for_all(s);
}

static void alltoall_staged(struct participant *s)
{
	const size_t n = s->contest->n, mine = (size_t)s->rank * n;

	stage_mine(s, n * (size_t)s->contest->nodes);
	for (int r = 0; r < s->contest->nodes; r++)
		memcpy(s->result + (size_t)r * n, staged(s, r) + mine, n * sizeof(double));
	stage_done(s);
}

static void alltoall_direct(struct participant *s)
{
	const size_t n = s->contest->n, mine = (size_t)s->rank * n;

	wait_for_all(s);
	for (int r = 0; r < s->contest->nodes; r++)
		memcpy(s->result + (size_t)r * n, team_of(s)->operand[r] + mine, n * sizeof(double));
	wait_for_all(s);
}

#define TEAM_ALLREDUCE \
	{ "staged", allreduce_staged }, \
	{ \
		"sliced", allreduce_sliced \
	}
#define TEAM_BROADCAST \
	{ "staged", broadcast_staged }, \
	{ \
		"direct", broadcast_direct \
	}
#define TEAM_ALLGATHER \
	{ "staged", allgather_staged }, \
	{ \
		"direct", allgather_direct \
	}
#define TEAM_ALLTOALL \
	{ "staged", alltoall_staged }, \
	{ \
		"direct", alltoall_direct \
	}
