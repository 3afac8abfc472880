/*
 * Cooperative calls of all kinds, one after the other, twice: on machines of one node and of many,
 * on several machines at the same time, and by attached threads.
 */
/* alone: beside others its nodes wait for processors, up to ten times as long */
/* nodes: threads fibers */
#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/payload.h"
#include "test.h"

enum { JOBS = 60 };

struct show {
	const char *spec;
	enum ls_rounds rounds;
	enum ls_engine engine;
	uint64_t seed;
	int n;
	ls_topology *topology;
	ls_machine *machine;
	struct job job[JOBS];
	struct payload load[JOBS];
};

static struct element element[ELEMENTS];

static struct job some_job(const ls_topology *t, uint64_t *state)
{
	static const size_t counts[] = { 0, 1, 3, 60, 700, 5000 };
	const int64_t p = ls_topology_nodes(t);
	const enum ls_operation operation = (enum ls_operation)random_below(state, LS_OPERATIONS);

	return (struct job){ .topology = t,
		.operation = operation,
		.element = &element[random_below(state, ELEMENTS)],
		.count = operation == LS_BARRIER ? 0 : counts[random_below(state, p > 20 ? 4 : 6)],
		.root = random_below(state, p),
		.shift = random_below(state, 2 * p) - p,
		.ports = 1 + (int)random_below(state, 3),
		.in_place = random_below(state, 3) == 0 };
}

static bool is_served(const struct job *job)
{
	const struct ls_request request = job_request(job);
	ls_plan *plan = NULL;
	const bool served = ls_plan_make(&request, &plan, NULL) == LS_OK;

	ls_plan_destroy(plan);
	return served;
}

static void show_make(struct show *s)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = s->rounds, .engine = s->engine, .ports = 3
	};
	uint64_t state = s->seed;

	s->topology = topology_of(s->spec);
	s->machine = machine_on(s->topology, &options);
	for (int i = 0; i < s->n; i++) {
		do
			s->job[i] = some_job(s->topology, &state);
		while (!is_served(&s->job[i]));
		s->load[i] = payload_make(&s->job[i]);
	}
}

static void show_destroy(struct show *s)
{
	for (int i = 0; i < s->n; i++)
		payload_destroy(&s->load[i]);
	ls_machine_destroy(s->machine);
	ls_topology_destroy(s->topology);
}

static int perform(ls_node *me, void *arg)
{
	struct show *s = arg;
	const int64_t r = ls_rank(me);
	int failed = LS_OK;

	for (int i = 0; i < s->n && !failed; i++) {
		const struct job *job = &s->job[i];

		failed = ls_collective(me,
			&(struct ls_call){ .size = sizeof(struct ls_call),
				.operation = job->operation,
				.input = s->load[i].memory[r].input,
				.output = s->load[i].memory[r].output,
				.count = job->count,
				.type = job->element->type,
				.op = job->element->op,
				.root = job->root,
				.shift = job->shift,
				.ports = job->ports });
	}
	return failed;
}

static void show_begin(struct show *s)
{
	for (int i = 0; i < s->n; i++)
		payload_prepare(&s->load[i]);
}

static void show_check(struct show *s)
{
	for (int i = 0; i < s->n; i++)
		payload_check(&s->load[i], false);
}

/* Twice: the second time everything is remembered. */
static void *play(void *show)
{
	struct show *s = show;

	for (int i = 0; i < 2; i++) {
		show_begin(s);
		must_run(s->machine, perform, s);
		show_check(s);
	}
	return NULL;
}

static void test_shows(void)
{
	static const char *const specs[] = { "complete:1", "complete:2", "ring:5", "hypercube:4",
		"star:3", "mesh:4x3", "complete:200" };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		for (unsigned k = 0; k < 4; k++) {
			struct show *s = memory(1, sizeof *s);

			*s = (struct show){ .spec = specs[i],
				.rounds = k % 2 ? LS_FREE : LS_LOCKSTEP,
				.engine = k / 2 ? LS_COOPERATIVE : LS_AUTO,
				.seed = 10 * i + k,
				.n = is_fast() ? 6
					: i == 6   ? 12
							   : JOBS };
			guard("calls on %s, %s rounds, engine %s", s->spec, k % 2 ? "free" : "lockstep",
				ls_engine_name(s->engine));
			show_make(s);
			play(s);
			show_destroy(s);
			free(s);
		}
	}
}

/* Several at once, and nodes that the program's own threads are. */
static void test_at_once(void)
{
	enum { SHOWS = 3 };
	struct show *s = memory(SHOWS, sizeof *s);
	pthread_t thread[SHOWS];

	guard("machines at once");
	for (unsigned i = 0; i < SHOWS; i++) {
		s[i] = (struct show){ .spec = "ring:4",
			.rounds = i % 2 ? LS_FREE : LS_LOCKSTEP,
			.engine = LS_COOPERATIVE,
			.seed = i,
			.n = JOBS };
		show_make(&s[i]);
	}
	for (int i = 0; i < SHOWS; i++)
		thread[i] = start_thread(play, &s[i]);
	for (int i = 0; i < SHOWS; i++) {
		pthread_join(thread[i], NULL);
		show_destroy(&s[i]);
	}
	free(s);
}

struct guest {
	struct show *show;
	int64_t rank;
};

static void *visit(void *arg)
{
	struct guest *g = arg;
	ls_node *me = attached_to(g->show->machine, g->rank, 0);

	CHECK(perform(me, g->show) == LS_OK && ls_detach(me) == LS_OK, "%s", guarded());
	return NULL;
}

static void test_attached(void)
{
	enum { P = 5 };
	struct show *s = memory(1, sizeof *s);
	struct guest guest[P];
	pthread_t thread[P];

	guard("attached threads");
	*s = (struct show){ .spec = "ring:5", .engine = LS_COOPERATIVE, .seed = 3, .n = JOBS };
	show_make(s);
	for (int run = 0; run < 2; run++) {
		show_begin(s);
		for (int i = 0; i < P; i++) {
			guest[i] = (struct guest){ s, i };
			thread[i] = start_thread(visit, &guest[i]);
		}
		for (int i = 0; i < P; i++)
			pthread_join(thread[i], NULL);
		show_check(s);
	}
	show_destroy(s);
	free(s);
}

int main(void)
{
	elements_make(element);
	test_shows();
	test_at_once();
	if (node_kind() == LS_NODE_THREAD)
		test_attached();
	elements_destroy(element);
	return test_result();
}
