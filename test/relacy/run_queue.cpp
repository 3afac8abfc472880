/* all: searches many executions of a protocol */
/* compile: -fpermissive -w */
/*
 * Nodes that are fibers: no wake is lost, no fiber is in two queues or runs on two workers, and a
 * machine in which all nodes wait is reported exactly once, any other machine never.
 *
 * A group is not freed while one of its fibers is in an inbox: queues link the fibers themselves,
 * which are part of the machine, and a fiber in a queue cannot leave its group.
 */
#include "factory.hpp"
#include "play.hpp"

#include "planted/run_queue.inc"

/* A scenario on workers. */
template <class P, class S> struct fibers : S {
	typename P::lsi_worker worker[CORES_MOST];
	typename P::lsi_calls worker_calls[CORES_MOST];
	int error;

	fibers(bool asymmetric, const void *what) : S(asymmetric, what) {}

	void before()
	{
		S::before();
		this->machine.whole.worker_calls = worker_calls;
		this->machine.worker = worker;
		this->machine.workers = this->cores->cores;
		for (unsigned w = 0; w < this->machine.workers; w++)
			reset(&worker[w], w);
		for (unsigned thread = 0; thread < THREADS_MOST; thread++)
			slot_of_thread[thread] = NO_WORKER;
		for (unsigned slot = 0; slot < SLOTS; slot++)
			*P::node_of_slot(slot) = NULL;
		for (unsigned i = 0; i < this->nodes; i++)
			reset(&this->node_state[i], i);
		this->connect();
		this->machine.carrier->reset(&this->machine);
		P::lsi_park_counter_reset(&this->machine.park_counter, this->machine.workers);
	}

	void reset(typename P::lsi_worker *w, unsigned core)
	{
		w->machine = &this->machine;
		w->errno_at = &error;
		w->first = 0;
		while (this->cores->core[w->first] != core)
			w->first++;
		w->end = w->first;
		while (w->end < this->nodes && this->cores->core[w->end] == core)
			w->end++;
		w->context.is_thread = true;
	}

	void reset(typename P::lsi_node_state *me, unsigned i)
	{
		me->worker = &worker[me->core];
		lsi_store(&me->fiber.context.runs, 0u, relaxed);
		me->fiber.context.slot = slot_of_thread[i] = me->core;
		me->fiber.context.has_ended = me->fiber.context.is_thread = false;
	}

	void thread(unsigned i)
	{
		typename P::lsi_node_state *me = &this->node_state[i];

		if (i >= this->nodes) {
			this->interrupt();
			return;
		}
		P::begin_fiber(me);
		this->run(me);
		P::end_fiber(me);
	}

	/* All queues are empty. */
	void after()
	{
		S::after();
		for (unsigned w = 0; w < this->machine.workers; w++) {
			RL_ASSERT(lsi_load(&worker[w].parking.word, seq_cst) == 0);
			RL_ASSERT(!lsi_load(&worker[w].inbox.newest, seq_cst));
			RL_ASSERT(!worker[w].queue.first && !worker[w].lists && worker[w].unfinished == 0);
		}
	}
};

#define PLAY(name, executions, what) \
	{ name, (what).threads, executions, make<fibers<P, stage<P> > >, &what }
#define WORK(name, executions, what) \
	{ name, (what).threads, executions, make<fibers<P, factory<P> > >, &what }

/* Two workers: a node each, two nodes each, or two nodes of one and one of the other. */
static const core_map one = { 1, { 0, 0, 0, 0 }, true }, each = { 2, { 0, 1 }, true },
	pairs = { 2, { 0, 0, 1, 1 }, true }, second = { 2, { 0, 1, 1 }, true },
	three = { 2, { 0, 0, 0, 1 }, true };

static const play
	message = { 2, 2, { ">1", "<0" }, 0, &each },
	within = { 3, 3, { "<1<2", "<2>0", ">1>0" }, 0, &one },
	space = { 2, 2, { ">1>1>1", "<0<0<0" }, 0, &each },
	answer = { 2, 2, { ">1<1>1", "<0>0<0" }, 0, &each },
	crossed = { 4, 4, { ">2<3", ">3<2", "<0>1", "<1>0" }, 0, &pairs },
	neighbors = { 4, 4, { ">1<3", "<0>2", "<1>3", "<2>0" }, 0, &pairs },
	again = { 3, 3, { "<1<1>2", ">0>0", "<0" }, 0, &second },
	two_wakers = { 3, 3, { "<1<2", ">0", ">0" }, 0, &pairs },
	yields = { 4, 4, { ">2.", ".<3", ".<0", ">1." }, 0, &pairs },
	barrier_within = { 3, 3, { "||", "||", "||" }, 0, &one },
	barrier_each = { 2, 2, { "|||", "|||" }, 0, &each },
	barrier = { 4, 4, { "||", "||", "||", "||" }, 0, &pairs },
	mixed = { 4, 4, { ">2|", "||<2", "<0|", "||>1" }, 0, &pairs },
	leaver = { 4, 4, { "|", "", "|", "|" }, 0, &pairs },
	leavers = { 4, 4, { "||", "|", "", "||" }, 0, &pairs },
	one_of_three = { 4, 4, { "|", "|", "", "|" }, 0, &three },
	left_within = { 2, 2, { "<1", "" }, 0, &one },
	left_each = { 2, 2, { "<1", "" }, 0, &each },
	left = { 4, 4, { "<2", "|", "", "|" }, 0, &pairs },
	left_full = { 3, 3, { ">2>2", "", "" }, 0, &pairs },
	both_within = { 2, 2, { "<1", "<0" }, 1, &one },
	both = { 2, 2, { "<1", "<0" }, 1, &each },
	cycle = { 4, 4, { "<1", "<2", "<3", "<0" }, 1, &pairs },
	later = { 3, 3, { ">2<2", "|", "<0<0" }, 1, &pairs },
	absent = { 4, 4, { "|<1", "|<0", "|", "|" }, 1, &pairs },
	torn = { 3, 3, { "|", "<2", "|" }, 1, &pairs },
	without = { 3, 3, { "", "<2", "<1" }, 1, &second },
	stopped = { 3, 2, { "<1", "@" }, 0, &each },
	stopped_within = { 3, 2, { "<1", "@" }, 0, &one },
	stopped_list = { 4, 3, { "|", "|", "@" }, 0, &one },
	stopped_round = { 5, 4, { "|", "|", "@", "|" }, 0, &pairs },
	stopped_message = { 3, 2, { ">1<1>1", "<0>0<0" }, 0, &each },
	stopped_rounds = { 5, 4, { "||", "||", "||", "||" }, 0, &pairs },
	error = { 3, 3, { "<1", "|", "!" }, 0, &pairs },
	errors = { 3, 3, { "!", "|!", ">0!" }, 0, &pairs },
	error_stopped = { 4, 3, { "<1", "|", "!" }, 0, &pairs },
	limit = { 5, 4, { "<1", "@", "|", "|" }, -1, &pairs },
	memory_within = { 2, 2, { "}1}1", "{0{0" }, 0, &one },
	memory_each = { 2, 2, { "}1}1", "{0{0" }, 0, &each },
	memory = { 4, 4, { "}2{3", "{2}3", "{0}1", "{1}0" }, 0, &pairs },
	memory_left = { 3, 3, { "}2", "|", "" }, 0, &pairs },
	memory_both = { 2, 2, { "}1", "}0" }, 1, &each },
	memory_stopped = { 3, 2, { "}1}1", "{0{0" }, 0, &each },
	memory_stopped_within = { 3, 2, { "}1}1", "{0{0" }, 0, &one },
	splits = { 4, 4, { "%0%1", "%1%0", "%0%0", "%1%1" }, 0, &pairs },
	split_within = { 3, 3, { "%0%0", "%1%0", "%0%1" }, 0, &one },
	split_left = { 4, 4, { "%0%0", "%0", "%1%0", "%1%0" }, 0, &pairs },
	split_stopped = { 4, 3, { "%0", "%1", "%0" }, 0, &pairs },
	error_limit = { 4, 3, { "!", "<2", "@" }, -1, &pairs };

static const production
	work_within = { 3, 3, { "ab", "ab", "ab" }, 2, &one },
	work = { 4, 4, { "ab", "ab", "ab", "ab" }, 3, &pairs },
	work_and_none = { 4, 4, { "aca", "aca", "aca", "aca" }, 1, &pairs },
	other_work = { 3, 3, { "ab", "ab", "aa" }, 2, &pairs },
	fewer = { 4, 4, { "a", "aa", "aa", "aa" }, 2, &pairs },
	work_stopped = { 5, 4, { "a", "a", "a", "a" }, 2, &pairs },
	member_stops = { 4, 4, { "aa", "a!", "aa", "aa" }, 2, &pairs },
	ends = { 4, 4, { "Xa", "aa", "aa", "aa" }, 3, &pairs },
	all_end = { 4, 4, { "X", "X", "X", "X" }, 3, &pairs };

template <class P> struct trials {
	static constexpr size_t n = 58;
	static constexpr trial all[n] = {
		PLAY("message", 20000, message), PLAY("messages within a worker", 20000, within),
		PLAY("space", 20000, space), PLAY("answer", 20000, answer),
		PLAY("messages of pairs", 20000, crossed), PLAY("messages of neighbors", 20000, neighbors),
		PLAY("woken and parked again", 20000, again), PLAY("two wakers", 20000, two_wakers),
		PLAY("yields", 20000, yields), PLAY("barrier within a worker", 20000, barrier_within),
		PLAY("barrier, a fiber each", 20000, barrier_each), PLAY("barrier", 20000, barrier),
		PLAY("mixed", 20000, mixed), PLAY("a member leaves", 20000, leaver),
		PLAY("members leave", 20000, leavers), PLAY("one of three leaves", 20000, one_of_three),
		PLAY("left within a worker", 20000, left_within),
		PLAY("left, a fiber each", 20000, left_each), PLAY("left", 20000, left),
		PLAY("left, and no space", 20000, left_full),
		PLAY("both wait within a worker", 20000, both_within), PLAY("both wait", 20000, both),
		PLAY("cycle", 20000, cycle), PLAY("wait after a message", 20000, later),
		PLAY("wait after a round", 20000, absent), PLAY("round and message", 20000, torn),
		PLAY("two wait, one leaves", 20000, without), PLAY("stopped", 20000, stopped),
		PLAY("stopped within a worker", 20000, stopped_within),
		PLAY("stopped, with a list", 20000, stopped_list),
		PLAY("stopped in a round", 20000, stopped_round),
		PLAY("stopped between messages", 20000, stopped_message),
		PLAY("stopped between rounds", 20000, stopped_rounds), PLAY("an error", 20000, error),
		PLAY("errors of all", 20000, errors), PLAY("an error and a stop", 20000, error_stopped),
		PLAY("time limit", 20000, limit), PLAY("an error and the time limit", 20000, error_limit),
		PLAY("memory within a worker", 20000, memory_within),
		PLAY("memory, a fiber each", 20000, memory_each), PLAY("memory", 20000, memory),
		PLAY("memory, left", 20000, memory_left), PLAY("memory of both", 20000, memory_both),
		PLAY("memory, stopped", 20000, memory_stopped),
		PLAY("memory within a worker, stopped", 20000, memory_stopped_within),
		PLAY("splits", 20000, splits), PLAY("splits within a worker", 20000, split_within),
		PLAY("splits, one leaves", 20000, split_left),
		PLAY("a split, stopped", 20000, split_stopped),
		WORK("work within a worker", 10000, work_within), WORK("work", 10000, work),
		WORK("work and no work", 10000, work_and_none), WORK("another call", 10000, other_work),
		WORK("fewer calls", 10000, fewer), WORK("work, stopped", 10000, work_stopped),
		WORK("a member stops", 10000, member_stops), WORK("a fiber ends", 10000, ends),
		WORK("all fibers end", 10000, all_end),
	};
};
template <class P> constexpr trial trials<P>::all[];

/* A machine of fibers uses the asymmetric barrier where each fiber has a core. */
MAIN
