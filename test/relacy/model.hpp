/*
 * The shipped protocol sources under relacy, a model checker of the C11 memory model.
 *
 * The atomics of base/atomic.h become relacy's, plain data becomes race-checked data, and a futex
 * becomes relacy's.  A protocol is the shipped text inside a struct (scripts/plant writes it): once
 * as it is, and once for every planted bug.  A scenario is a template on it.
 *
 * The asymmetric barrier (membarrier) is outside the C11 model: each running thread of the process
 * passes a fence at some moment during the sleeper's call.  If that is before the waker's store,
 * its look sees the word; if it is after its look, the sleeper's second look sees the store; if
 * between, both.  A sequentially consistent fence on both sides promises the same, that not both
 * look in vain, and no more; so such fences stand for lsi_compiler_barrier and lsi_membarrier here.
 */
#ifndef TEST_RELACY_MODEL_HPP
#define TEST_RELACY_MODEL_HPP

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <new>

#include <relacy/relacy.hpp>          /* last: it redefines words of the language */

#define LSI_ATOMIC(T) rl::atomic<T>
#define LSI_PLAIN(T) plain<T>
#define LSI_PREFETCH_WRITE(p) ((void)(p))
#define lsi_load(p, order) (p)->load(rl::mo_##order, $)
#define lsi_store(p, v, order) (p)->store((v), rl::mo_##order, $)
#define lsi_exchange(p, v, order) (p)->exchange((v), rl::mo_##order, $)
#define lsi_fetch_add(p, v, order) (p)->fetch_add((v), rl::mo_##order, $)
#define lsi_fetch_sub(p, v, order) (p)->fetch_sub((v), rl::mo_##order, $)
#define lsi_compare_swap(p, old, v, order) \
	(p)->compare_exchange_strong(*(old), (v), rl::mo_##order, $, rl::mo_relaxed, $)
#define lsi_compiler_barrier() rl::atomic_thread_fence(rl::mo_seq_cst, $)
#define lsi_prefetch(line) ((void)(line))
#define lsi_prefetch_write(line) ((void)(line))

/* Data that an edge must protect: every access is checked for races. */
template <class T> class plain {
	mutable rl::var<T> value;

public:
	operator T() const { return value($).load(); }
	T operator=(T v) { return value($) = v; }
	T operator=(const plain &other) { return *this = T(other); }
	T operator++() { return *this = T(T(*this) + 1); }
	T operator|=(T v) { return *this = T(T(*this) | v); }
	T operator+=(T v) { return *this = T(T(*this) + v); }
	T operator--(int) { return (*this += -1) + 1; }
};

/* Written when the enclosing object is assigned. */
struct mark {
	LSI_PLAIN(int) cell;

	mark &operator=(const mark &)
	{
		cell = 1;
		return *this;
	}
	void look() const { RL_ASSERT(cell == 1); }
};

/* ---- base/wait.h */

static uint64_t model_time;               /* of this execution: 0, and 1 when time has passed */

static inline uint64_t lsi_now_ns()
{
	if (model_time == 0)
		model_time = rl::rand(2);
	return model_time;
}

static inline void lsi_yield()
{
	rl::yield(1, $);
}

static inline void lsi_membarrier()
{
	rl::atomic_thread_fence(rl::mo_seq_cst, $);
}

/* As the futex: the comparison and the queue are one moment; it may wake for no reason. */
static inline void lsi_futex_wait(rl::atomic<uint32_t> *word, uint32_t value, uint64_t deadline)
{
	rl::ctx().sched();
	if (word->debug_value() == value
		&& word->wait(rl::ctx(), deadline != 0, true, $) == rl::unpark_reason_timeout)
		model_time = 1;
	rl::yield(1, $);
}

static inline void lsi_futex_wake(rl::atomic<uint32_t> *word, int sleepers)
{
	rl::ctx().sched();
	word->wake(rl::ctx(), sleepers, $);
}

/* ---- Fibers */

/* Of a relacy thread: its worker, or NO_WORKER. */
enum { NO_WORKER = 2, SLOTS, THREADS_MOST = 5 };
static unsigned slot_of_thread[THREADS_MOST];

/* ---- Scenarios: what the threads do, and what must hold at the end */

struct scenario {
	virtual ~scenario() {}
	virtual void before() {}
	virtual void thread(unsigned i) = 0;
	virtual void after() {}
};

enum { ASYMMETRIC = 1, NODES_MOST = 4, CORES_MOST = 2 };
static const uint32_t START = (uint32_t)-2;      /* of every counter: they pass 2^32 */

/* What executes the units of a collective call. */
struct execution {
	virtual bool has_memory(int64_t) { return true; }
	virtual int64_t units_of(uint64_t) { return 0; }
	virtual void execute(int64_t, int64_t, int64_t) {}
};

/* Where nodes run, and whether the barriers of their group have a shard for each core. */
struct core_map { unsigned cores, core[NODES_MOST]; bool sharded; };
static const core_map one_core = { 1 }, two_cores = { 2, { 0, 1, 0, 1 } },
	shards = { 2, { 0, 0, 1, 1 }, true };

/* A machine as it is when its run begins, but for its counters. */
template <class P> struct machine_scenario : scenario {
	typename P::ls_machine machine;
	typename P::lsi_node_state node_state[NODES_MOST];
	typename P::lsi_split_offer post[NODES_MOST];
	typename P::lsi_member_call operands[NODES_MOST];
	typename P::lsi_unit_range ranges[CORES_MOST];
	typename P::lsi_shard shard[3 * CORES_MOST];
	const core_map *cores;
	unsigned nodes;

	machine_scenario(bool asymmetric, unsigned nodes, const core_map *cores = &one_core)
		: cores(cores), nodes(nodes)
	{
		machine.asymmetric = asymmetric;
	}

	void before()
	{
		machine.nodes = machine.end_local = machine.whole.size = machine.whole.locals = nodes;
		machine.first_local = 0;
		lsi_store(&machine.contexts, 1u, relaxed);
		machine.processes = machine.whole.far = NULL;
		machine.node_state = node_state;
		machine.cores = machine.whole.work_sharing.cores = cores->cores;
		machine.whole.offers = post;
		machine.whole.member_calls = operands;
		machine.whole.worker_calls = NULL;
		machine.whole.work_sharing.ranges = ranges;
		machine.whole.shards = cores->sharded ? shard : NULL;
		machine.carrier = P::carrier_of_nodes();
		machine.fork_guard = "alive";
		machine.spins = machine.deadlock_reports = 0;
		machine.barrier_spins = 1;
		machine.yield_ns_before_sleep = machine.deadline = 0;
		machine.other_load = 0;
		for (unsigned i = 0; i < nodes; i++)
			reset(&node_state[i], i);
		P::lsi_group_reset(&machine, &machine.whole);
		lsi_store(&machine.whole.barrier.epoch, START, relaxed);
		lsi_store(&machine.whole.work_sharing.barrier.epoch, START, relaxed);
		lsi_store(&machine.links, (void *)NULL, relaxed);
		lsi_store(&machine.state, (int)P::LSI_RUNNING, relaxed);
		lsi_store(&machine.stopping, 0u, relaxed);
		lsi_store(&machine.gate, (uint32_t)P::LSI_GATE_OPEN, relaxed);
		P::lsi_park_counter_reset(&machine.park_counter, nodes);
		lsi_store(&machine.sleepers, 0, relaxed);
	}

	void reset(typename P::lsi_node_state *me, unsigned i)
	{
		lsi_store(&me->parking.word, 0u, relaxed);
		lsi_store(&me->ended, 0u, relaxed);
		lsi_store(&me->gone, 0u, relaxed);
		lsi_store(&me->reported, 0, relaxed);
		me->machine = &machine;
		me->rank = i;
		me->core = cores->core[i];
		me->current_work = NULL;
		me->units = 0;
		me->sends = me->receives = me->n_pending = 0;
		me->whole = typename P::ls_node{ me, &machine.whole, (int64_t)i, 1, 0, NULL };
		me->waits_for = NULL;
		me->worker = (typename P::lsi_worker *)me; /* of threads: one each */
		lsi_store(&me->local_parking.word, 0u, relaxed);
		P::nodes_with_words()[i] = me;
		operands[i].input = NULL;
		post[i].part = post[i].kind = 0;
	}

	/* Everybody has gone: the books are even. */
	void after()
	{
		const uint64_t count = lsi_load(&machine.park_counter.count, seq_cst);

		RL_ASSERT(count == 0);
		RL_ASSERT(lsi_load(&machine.sleepers, seq_cst) == 0);
		for (unsigned i = 0; i < nodes; i++)
			RL_ASSERT(lsi_load(&node_state[i].parking.word, seq_cst) == 0);
	}
};

/* The body of a thread: a node of the machine, or a thread that interrupts it. */
template <class S> void run_or_interrupt(S *scenario, unsigned i)
{
	if (i < scenario->nodes)
		scenario->run(&scenario->node_state[i]);
	else
		scenario->interrupt();
}

struct trial {
	const char *name;
	unsigned threads, executions;
	scenario *(*make)(void *memory, bool asymmetric, const trial *);
	const void *what;                     /* for the scenario */
};

enum { SCENARIO_BYTES = 1 << 16 };

template <class S> scenario *make(void *memory, bool asymmetric, const trial *t)
{
	static_assert(sizeof(S) <= SCENARIO_BYTES, "the scenario fits");
	return new (memory) S(asymmetric, t->what);
}

static const trial *current;
static bool current_asymmetric;

template <unsigned threads> struct suite : rl::test_suite<suite<threads>, threads> {
	alignas(64) char memory[SCENARIO_BYTES];
	scenario *body;

	suite() : body(current->make(memory, current_asymmetric, current)) { model_time = 0; }
	~suite() { body->~scenario(); }
	void before() { body->before(); }
	void thread(unsigned i) { body->thread(i); }
	void after() { body->after(); }
};

/* ---- The judge */

struct finding {
	rl::iteration_t executions;           /* until it was found */
	rl::test_result_e what;
};

/*
 * Relacy's random scheduler changes the thread at every step, and so never lets one thread fall far
 * behind; here a thread runs on seven times in eight.
 */
template <rl::thread_id_t threads> struct steady_scheduler
	: rl::scheduler<steady_scheduler<threads>, rl::scheduler_thread_info, threads> {
	typedef rl::scheduler<steady_scheduler<threads>, rl::scheduler_thread_info, threads> base;
	typedef typename base::shared_context_t shared_context_t;
	typedef typename base::thread_info_t thread_info_t;
	struct task_t {};

	rl::random_generator random;
	rl::thread_id_t last;

	steady_scheduler(rl::test_params &p, shared_context_t &c, rl::thread_id_t dynamic)
		: base(p, c, dynamic)
	{
	}

	rl::thread_id_t iteration_begin_impl()
	{
		rl::unpark_reason reason;

		random.seed(this->iter_);
		last = -1;
		return schedule_impl(reason, 0);
	}

	bool iteration_end_impl() { return this->iter_ == this->params_.iteration_count; }
	rl::iteration_t iteration_count_impl() { return this->params_.iteration_count; }
	unsigned rand_impl(unsigned limit, rl::sched_type) { return random.rand() % limit; }
	void get_state_impl(std::ostream &) {}
	void set_state_impl(std::istream &) {}
	void on_thread_block(rl::thread_id_t, bool) {}

	/* A sleeper whose time is over, or that wakes for no reason. */
	bool disturb(thread_info_t **from, unsigned n, unsigned one_in, rl::thread_id_t *chosen)
	{
		const unsigned i = n ? random.rand() % (n * one_in) : 1;

		if (i >= n)
			return false;
		*chosen = from[i]->index_;
		this->unpark_thread(*chosen);
		return true;
	}

	rl::thread_id_t schedule_impl(rl::unpark_reason &reason, unsigned yield)
	{
		const unsigned running = this->running_threads_count;

		if (disturb(this->timed_threads_, this->timed_thread_count_, running ? 16 : 1, &last))
			return reason = rl::unpark_reason_timeout, last;
		if (running && disturb(this->spurious_threads_, this->spurious_thread_count_, 64, &last))
			return reason = rl::unpark_reason_spurious, last;
		reason = rl::unpark_reason_normal;

		const bool stay = !yield && random.rand() % 8;

		for (unsigned i = 0; i < running && stay; i++)
			if (this->running_threads[i] == last)
				return last;
		return last = this->running_threads[random.rand() % running];
	}
};

template <unsigned threads> rl::test_result_e simulate(rl::test_params &p)
{
	std::ostringstream state;

	return rl::run_test<suite<threads>, steady_scheduler<threads> >(p, state, p.output_history);
}

static finding search(const trial &t, bool asymmetric, rl::iteration_t executions, bool history)
{
	rl::test_params p;
	std::ostream nowhere(NULL);

	current = &t;
	current_asymmetric = asymmetric;
	p.iteration_count = executions;
	p.output_stream = history ? &std::cout : &nowhere;
	p.progress_stream = &nowhere;
	p.execution_depth_limit = 20000;
	p.collect_history = p.output_history = history;
	(t.threads == 2 ? simulate<2> : t.threads == 3 ? simulate<3> : t.threads == 4 ? simulate<4>
		: simulate<5>)(p);
	return finding{ p.stop_iteration, p.test_result };
}

/* The shipped text reports nothing in any trial: in all its executions with LS_LONG, else in a part of them. */
static bool is_clean(const trial *t, size_t n)
{
	const unsigned part = getenv("LS_LONG") ? 1 : 4;
	bool clean = true;

	for (size_t i = 0; i < n; i++) {
		for (int asymmetric = 0; asymmetric <= ASYMMETRIC; asymmetric++) {
			const finding found = search(t[i], asymmetric, t[i].executions / part, false);

			printf("shipped: %s, %s: %u threads, %" PRIu64 " executions: %s\n", t[i].name,
				asymmetric ? "asymmetric" : "symmetric", t[i].threads,
				(uint64_t)found.executions, rl::test_result_str(found.what));
			if (found.what == rl::test_result_success)
				continue;
			fflush(stdout);
			search(t[i], asymmetric, t[i].executions / part, true); /* with its history */
			clean = false;
		}
	}
	return clean;
}

/* A planted bug is found in the trial that is there for it, as one of the findings named. */
static bool is_found(const trial *t, size_t n, const char *name, const char *findings, const char *says)
{
	rl::iteration_t tried = 0;

	for (size_t i = 0; i < n; i++) {
		for (int asymmetric = 0; asymmetric <= ASYMMETRIC && strcmp(t[i].name, name) == 0; asymmetric++) {
			const finding found = search(t[i], asymmetric, t[i].executions, false);

			tried += found.executions;
			if (!strstr(findings, rl::test_result_str(found.what))) {
				printf("(%s) ", rl::test_result_str(found.what));
				continue;
			}
			printf("found after %" PRIu64 " executions: %s (%s: %s)\n", (uint64_t)tried, says, name,
				rl::test_result_str(found.what));
			return true;
		}
	}
	printf("NOT FOUND in %" PRIu64 " executions: %s (%s: %s)\n", (uint64_t)tried, says, name, findings);
	return false;
}

/* main: the trials of a protocol are trials<P> */
#define JUDGE(k, P, name, what, says) \
	printf("planted bug %d: ", k); \
	good &= is_found(trials<P>::all, trials<P>::n, name, what, says);
#define MAIN \
	int main() \
	{ \
		bool good = is_clean(trials<shipped>::all, trials<shipped>::n); \
		PLANTS(JUDGE) \
		return good ? 0 : 1; \
	}

#endif
