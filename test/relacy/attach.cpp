/* all: searches many executions of a protocol */
/* compile: -fpermissive -w */
/*
 * The gate of a run, and threads that attach and detach.
 *
 * A thread executes a line of actions:
 *
 *   0..3  attach as this node, and detach.  The k-th time of a node is in the k-th run
 *   +     the next action again until it gets in: a run may be stopped before it begins
 *   r     reserve the machine as ls_run does, and release it
 *   !     stop the machine
 *   o     open the gate       c   cancel it       w   wait for it       (of a run that has begun)
 *
 * All nodes of a run get in, or none.  Who is in sees what the begin of the run has prepared, and
 * returns with the result of this run.
 */
#include <climits>

#include "model.hpp"

#include "planted/attach.inc"

struct visitors {
	unsigned threads, nodes;
	const char *line[THREADS_MOST];
	double timeout;
};

template <class P> struct visits : scenario {
	enum { RUNS_MOST = 16 };
	typename P::ls_machine machine;
	rl::mutex lock;
	const visitors *what;
	bool stops, alone, has_begun;
	unsigned entered[RUNS_MOST], refused[RUNS_MOST], runs_of[THREADS_MOST];

	visits(bool, const void *what) : what((const visitors *)what) {}

	void before()
	{
		static const typename P::lsi_carrier carrier = { P::ignore, P::ignore };

		P::lock_of_threads() = &lock;
		machine.options.timeout = what->timeout;
		machine.nodes = machine.end_local = machine.workers = what->nodes;
		machine.first_local = 0;
		machine.processes = NULL;
		machine.carrier = &carrier;
		machine.attached = machine.detaching = 0;
		machine.running = machine.abandoned = false;
		machine.supervised = machine.ends = machine.has_failed = false;
		machine.prepared = 0;
		machine.error.kind = 0;
		lsi_store(&machine.state, 0, relaxed);
		lsi_store(&machine.stopping, 0u, relaxed);
		lsi_store(&machine.runs, 0u, relaxed);
		lsi_store(&machine.gate, (uint32_t)P::LSI_GATE_CANCELLED, relaxed);
		for (unsigned i = 0; i < what->nodes; i++) {
			lsi_store(&machine.worker[i].finished, 0u, relaxed);
			machine.node_state[i].machine = &machine;
			machine.node_state[i].worker = &machine.worker[i];
			machine.node_state[i].rank = i;
			machine.node_state[i].attached = false;
			runs_of[i] = 0;
		}
		for (unsigned run = 0; run < RUNS_MOST; run++)
			entered[run] = refused[run] = 0;
		stops = what->timeout > 0;
		alone = has_begun = false;
		for (unsigned i = 0; i < what->threads; i++) {
			stops |= strpbrk(what->line[i], "!c") != NULL;
			has_begun |= strpbrk(what->line[i], "oc") != NULL;
		}
		if (has_begun)
			P::lsi_run_begin(&machine);
	}

	/* The thread is in the run, if not refused; the number of the run. */
	unsigned enter(int refusal)
	{
		const unsigned run = machine.prepared;

		RL_ASSERT(run < RUNS_MOST);
		if (refusal) {
			refused[run]++;
			RL_ASSERT(stops && lsi_load(&machine.state, seq_cst) < 0);
		} else {
			entered[run]++;
			(void)(uint64_t)machine.opened_ns;
		}
		return run;
	}

	/* Whether the thread was in.  Another thread may be the node. */
	bool visit(unsigned rank)
	{
		typename P::lsi_node_state *me = &machine.node_state[rank];
		int failed, result;
		unsigned run;

		while ((failed = P::attach_node(&machine, rank)) != 0) {
			RL_ASSERT(failed == P::LS_ERR_BUSY || failed == P::LS_ERR_ARGUMENT);
			lsi_yield();
		}
		failed = P::wait_for_gate(me);
		run = enter(failed);
		runs_of[rank]++;
		RL_ASSERT(stops || run == runs_of[rank]);
		RL_ASSERT(!alone);
		result = P::leave_run(me);
		RL_ASSERT(result == P::RUN - (int)run || (stops && what->timeout > 0));
		return !failed;
	}

	void reserve()
	{
		while (!P::reserve_machine(&machine))
			lsi_yield();
		RL_ASSERT(machine.attached == 0 && !alone);
		alone = true;
		lsi_yield();
		alone = false;
		machine.prepared = machine.prepared - 1; /* the run of ls_run does not count */
		P::release_machine(&machine);
	}

	void act(const char *c)
	{
		switch (*c) {
		case '+': while (!visit(c[1] - '0')) ; break;
		case 'r': return reserve();
		case '!': return P::ls_machine_stop(&machine, 0);
		case 'o': P::lsi_gate_open(&machine, P::LSI_GATE_OPEN); break;
		case 'c': P::ls_machine_stop(&machine, 0); break;
		case 'w': enter(P::lsi_gate_wait(&machine)); break;
		default: visit(*c - '0');
		}
	}

	void thread(unsigned i)
	{
		for (const char *c = what->line[i]; *c; c += 1 + (*c == '+'))
			act(c);
	}

	void after()
	{
		for (unsigned run = 0; run < RUNS_MOST; run++)
			RL_ASSERT(!entered[run] || !refused[run]);
		RL_ASSERT(machine.attached == 0 && machine.detaching == 0);
		RL_ASSERT(has_begun || !machine.running);
	}
};

#define VISIT(name, executions, what) { name, (what).threads, executions, make<visits<P> >, &what }

static const visitors
	gate = { 3, 2, { "o", "w", "w" } },
	cancelled = { 4, 2, { "o", "w", "w", "c" } },
	unopened = { 3, 2, { "c", "w", "w" } },
	pair = { 2, 2, { "00", "11" } },
	relieved = { 3, 2, { "0", "11", "0" } },
	three = { 3, 3, { "00", "11", "22" } },
	beside = { 3, 2, { "00", "11", "r" } },
	stopped = { 3, 2, { "+0", "+1", "!" } },
	missing = { 2, 2, { "0", "" }, 1.0 },
	late = { 2, 2, { "0", "1" }, 1.0 };

template <class P> struct trials {
	static constexpr size_t n = 10;
	static constexpr trial all[n] = {
		VISIT("gate", 20000, gate), VISIT("cancelled gate", 20000, cancelled),
		VISIT("a gate that nobody opens", 10000, unopened), VISIT("two runs", 20000, pair),
		VISIT("two threads as one node", 10000, relieved), VISIT("three nodes", 10000, three),
		VISIT("ls_run beside", 10000, beside), VISIT("stopped", 20000, stopped),
		VISIT("a node is missing", 20000, missing), VISIT("a time limit", 20000, late),
	};
};
template <class P> constexpr trial trials<P>::all[];

MAIN
