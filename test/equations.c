/*
 * The equations of the textbook hold exactly: T in t_s and t_w of the plans, and of the messages
 * that threads send, for a grid of p and m.
 *
 * The numbers are those of the slides, (1) to (10), and of the book, 4.1 to 4.5.
 */
/* nodes: threads fibers */
#include <inttypes.h>

#include <lockstep/cost.h>
#include <lockstep/trace.h>

#include "support/cells.h"
#include "support/collective_job.h"
#include "support/guard.h"
#include "test.h"

/* T = starts t_s + words t_w m, by what is side^2 or 2^d = p. */
struct terms {
	int64_t starts;
	double words;
};

static int64_t log_of(int64_t p)
{
	return p > 1 ? 1 + log_of(p / 2) : 0;
}

static int64_t side_of(int64_t p)
{
	int64_t s = 1;

	while (s * s < p)
		s++;
	return s;
}

static struct terms steps(int64_t n)
{
	return (struct terms){ n, (double)n };
}

static struct terms log_steps(int64_t p)
{
	return steps(log_of(p));
}
static struct terms ring_steps(int64_t p)
{
	return steps(p - 1);
}
static struct terms one_step(int64_t p)
{
	return steps(p > 1);
}
static struct terms gray_steps(int64_t p)
{
	return steps(2 * log_of(p) - 1);
}
static struct terms mesh_shift(int64_t p)
{
	return steps(side_of(p) + 1);
}

static struct terms mesh_blocks(int64_t p)
{
	return (struct terms){ 2 * (side_of(p) - 1), (double)(p - 1) };
}

static struct terms log_blocks(int64_t p)
{
	return (struct terms){ log_of(p), (double)(p - 1) };
}

static struct terms ring_exchange(int64_t p)
{
	return (struct terms){ p - 1, (double)(p * (p - 1)) / 2 };
}

static struct terms mesh_exchange(int64_t p)
{
	return (struct terms){ 2 * (side_of(p) - 1), (double)(p * (side_of(p) - 1)) };
}

static struct terms cube_exchange(int64_t p)
{
	return (struct terms){ log_of(p), (double)(p * log_of(p)) / 2 };
}

static struct terms in_parts(int64_t p)
{
	return (struct terms){ 2 * log_of(p), 2 * (double)(p - 1) / (double)p };
}

/* The network of p nodes: FLAT kind:p, SQUARE kind:s x s, CUBE kind:d. */
enum size { FLAT, SQUARE, CUBE };
/* The shift: none, the one that takes longest, or any. */
enum shift { NO, LAST, ANY };

static const struct equation {
	const char *number, *kind;
	enum size size;
	enum ls_operation operation;
	const char *algorithm;
	enum ls_mode mode;
	struct terms (*terms)(int64_t p);
	enum shift shift;
} equations[] = {
	{ "(1) 4.1", "ring", FLAT, LS_BROADCAST, "binomial", LS_ROUTED, log_steps, NO },
	{ "(1) 4.1", "ring", FLAT, LS_REDUCE, "binomial", LS_ROUTED, log_steps, NO },
	{ "(1) 4.1", "linear", FLAT, LS_BROADCAST, "binomial", LS_ROUTED, log_steps, NO },
	{ "(1) 4.1", "mesh", SQUARE, LS_BROADCAST, "binomial", LS_ROUTED, log_steps, NO },
	{ "(1) 4.1", "hypercube", CUBE, LS_BROADCAST, "binomial", LS_HOP, log_steps, NO },
	{ "(1) 4.1", "hypercube", CUBE, LS_REDUCE, "binomial", LS_HOP, log_steps, NO },
	{ "(1) 4.1", "tree", FLAT, LS_BROADCAST, "binomial", LS_ROUTED, log_steps, NO },
	{ "4.2", "ring", FLAT, LS_ALLGATHER, "ring", LS_HOP, ring_steps, NO },
	{ "4.2", "ring", FLAT, LS_REDUCE_SCATTER, "ring", LS_HOP, ring_steps, NO },
	{ "4.2", "linear", FLAT, LS_ALLGATHER, "ring", LS_ROUTED, ring_steps, NO },
	{ "4.3", "torus", SQUARE, LS_ALLGATHER, "ring", LS_HOP, mesh_blocks, NO },
	{ "4.3", "torus", SQUARE, LS_REDUCE_SCATTER, "ring", LS_HOP, mesh_blocks, NO },
	{ "(2) 4.4", "hypercube", CUBE, LS_ALLGATHER, "doubling", LS_HOP, log_blocks, NO },
	{ "(2) 4.4", "hypercube", CUBE, LS_REDUCE_SCATTER, "halving", LS_HOP, log_blocks, NO },
	{ "(1) 4.5", "hypercube", CUBE, LS_ALLREDUCE, "doubling", LS_HOP, log_steps, NO },
	{ "(1) 4.5", "hypercube", CUBE, LS_SCAN, "dimension", LS_HOP, log_steps, NO },
	{ "(3)", "hypercube", CUBE, LS_SCATTER, "binomial", LS_HOP, log_blocks, NO },
	{ "(3)", "hypercube", CUBE, LS_GATHER, "binomial", LS_HOP, log_blocks, NO },
	{ "(3)", "linear", FLAT, LS_SCATTER, "binomial", LS_ROUTED, log_blocks, NO },
	{ "(3)", "mesh", SQUARE, LS_GATHER, "binomial", LS_ROUTED, log_blocks, NO },
	{ "(4)", "ring", FLAT, LS_ALLTOALL, "ring", LS_HOP, ring_exchange, NO },
	{ "(5)", "torus", SQUARE, LS_ALLTOALL, "ring", LS_HOP, mesh_exchange, NO },
	{ "(6)", "hypercube", CUBE, LS_ALLTOALL, "dimension", LS_HOP, cube_exchange, NO },
	{ "(7)", "hypercube", CUBE, LS_ALLTOALL, "ecube", LS_ROUTED, ring_steps, NO },
	{ "mesh shift", "torus", SQUARE, LS_SHIFT, "textbook", LS_HOP, mesh_shift, LAST },
	{ "(8)", "ring", FLAT, LS_SHIFT, "gray", LS_ROUTED, gray_steps, LAST },
	{ "(9)", "hypercube", CUBE, LS_SHIFT, "ecube", LS_ROUTED, one_step, ANY },
	{ "(10)", "hypercube", CUBE, LS_BROADCAST, "scatter-allgather", LS_HOP, in_parts, NO },
	{ "(10)", "hypercube", CUBE, LS_REDUCE, "reduce-scatter-gather", LS_HOP, in_parts, NO },
	{ "(10)", "hypercube", CUBE, LS_ALLREDUCE, "halving-doubling", LS_HOP, in_parts, NO },
};

/* The shift that takes longest: all bits, or side and half a side; then the rows step backward. */
static int64_t longest_shift(const struct equation *e, int64_t p)
{
	const int64_t s = side_of(p);

	return e->size == SQUARE ? s * (s / 2) + s / 2 : p - 1;
}

static ls_topology *network(const struct equation *e, int64_t p)
{
	const int64_t s = side_of(p);
	char spec[64];

	if (e->size == SQUARE)
		snprintf(spec, sizeof spec, "%s:%" PRId64 "x%" PRId64, e->kind, s, s);
	else
		snprintf(spec, sizeof spec, "%s:%" PRId64, e->kind, e->size == CUBE ? log_of(p) : p);
	return topology_of(spec);
}

/* The rounds and the sum of their longest messages, from the messages themselves. */
struct sum {
	int64_t rounds;
	size_t words, longest;
};

static int on_row(void *context, const struct ls_record *row)
{
	struct sum *sum = context;

	if (row->round != sum->rounds) {
		sum->words += sum->longest;
		sum->longest = 0;
	}
	sum->rounds = row->round;
	sum->longest = row->words > sum->longest ? row->words : sum->longest;
	return 0;
}

/* T; for the shift by a Gray code, on the hypercube that the ring is mapped on. */
static double cost_of(const struct equation *e, const ls_topology *t, const ls_plan *plan, size_t m,
	struct ls_cost_model model)
{
	ls_embedding *embedding = NULL;
	ls_topology *cube = NULL;

	if (e->terms == gray_steps) {
		cube =
			network(&(struct equation){ .kind = "hypercube", .size = CUBE }, ls_topology_nodes(t));
		CHECK(ls_embedding_make(t, cube, "gray", &embedding, NULL) == LS_OK, "gray");
	}

	const double cost = ls_plan_cost_on(plan, embedding, m, 1, model);

	ls_embedding_destroy(embedding);
	ls_topology_destroy(cube);
	return cost;
}

static void test_plan(const struct equation *e, const ls_topology *t, const ls_plan *plan, size_t m)
{
	static const struct ls_cost_model models[] = { { 1000, 1, 0 }, { 1, 0, 0 }, { 7, 64, 0 } };
	const int64_t p = ls_plan_nodes(plan);
	const struct terms terms = e->terms(p);
	const double words = terms.words * (double)m;
	struct sum sum = { 0, 0, 0 };

	ls_trace_plan(plan, m, on_row, &sum);
	CHECK(sum.rounds == terms.starts && (double)(sum.words + sum.longest) == words,
		"%s %s p %" PRId64 " m %zu: %" PRId64 " t_s + %zu t_w, not %" PRId64 " t_s + %g t_w",
		e->number, e->kind, p, m, sum.rounds, sum.words + sum.longest, terms.starts, words);
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		const double cost = cost_of(e, t, plan, m, models[i]);

		CHECK(cost == (double)terms.starts * models[i].t_s + words * models[i].t_w,
			"%s %s p %" PRId64 " m %zu: T %g", e->number, e->kind, p, m, cost);
	}
}

static void test_equation(
	const struct equation *e, int64_t p, size_t m, const struct element *element)
{
	ls_topology *t = network(e, p);
	struct job job = { .topology = t,
		.operation = e->operation,
		.algorithm = e->algorithm,
		.element = element,
		.count = m,
		.mode = e->mode,
		.ports = 1,
		.mailbox = 4,
		.ways = LOCKSTEP_THREADS | FREE_COOPERATIVE,
		.runs = 1 };
	const int64_t first = e->shift == LAST ? longest_shift(e, p) : e->shift == ANY,
				  last = e->shift == ANY ? p - 1 : first;

	for (job.shift = first; job.shift <= last; job.shift++) {
		const struct ls_request request = job_request(&job);
		struct ls_error why = { .size = sizeof why };
		ls_plan *plan = NULL;

		CHECK(ls_plan_make(&request, &plan, &why) == LS_OK, "%s", why.text);
		if (plan)
			test_plan(e, t, plan, m);
		ls_plan_destroy(plan);
		if (p <= 16 && m < 100 && (job.shift == first || job.shift == last))
			CHECK(job_check(&job), "%s", job_name(&job).text); /* the same messages */
	}
	ls_topology_destroy(t);
}

int main(void)
{
	static const int64_t nodes[] = { 4, 8, 16, 64, 128, 256 };
	static struct element element[ELEMENTS];
	const size_t sizes = is_fast() ? 4 : sizeof nodes / sizeof *nodes;

	elements_make(element);
	for (size_t i = 0; i < sizeof equations / sizeof *equations; i++) {
		for (size_t k = 0; k < sizes; k++) {
			const int64_t p = nodes[k];

			if (equations[i].size == SQUARE && side_of(p) * side_of(p) != p)
				continue;
			for (size_t m = (size_t)p; m <= 49 * (size_t)p; m *= 7)
				test_equation(&equations[i], p, m, &element[0]);
		}
	}
	elements_destroy(element);
	return test_result();
}
