/* all: searches many executions of a protocol */
/* compile: -fpermissive -w */
/*
 * Threads that are nodes of several machines, or that wait for the run of a machine: machines that
 * wait for each other are reported, each exactly once.  A machine that only waits for another one
 * is not, also if that one is reported.
 *
 * A thread executes a line of actions.  Each names a machine, a or b or c:
 *
 *   a>1  send to node 1          a-   leave, and wait until all nodes have left (ls_detach)
 *   a<1  receive from node 1     a*   wait until all nodes have left (ls_run)
 *   a!   stop the machine
 *
 * An action that fails ends the line.  At the end the thread leaves all its machines.
 */
#include "play.hpp"

#include "planted/linked.inc"

enum { MACHINES_MOST = 3, TOKEN = 3 };

struct company {
	unsigned threads, machines;
	const char *nodes[MACHINES_MOST];      /* of each machine: the threads of its nodes */
	int deadlock_reports[MACHINES_MOST];
	const char *line[THREADS_MOST];        /* of each thread; a space fills up an action */
};

template <class P> struct linked_stages : scenario {
	typedef typename P::lsi_node_state node_state;

	const company *what;
	play part[MACHINES_MOST];
	stage<P> machines[MACHINES_MOST];
	rl::mutex lock;

	linked_stages(bool asymmetric, const void *what)
		: what((const company *)what),
		machines{ { asymmetric, part_of(0) }, { asymmetric, part_of(1) },
			{ asymmetric, part_of(2) } }
	{
	}

	const play *part_of(unsigned m)
	{
		const unsigned nodes = m < what->machines ? (unsigned)strlen(what->nodes[m]) : 0;

		part[m] = play{ nodes, nodes, {}, what->deadlock_reports[m] };
		for (unsigned i = 0; i < nodes; i++)
			part[m].line[i] = "";
		return &part[m];
	}

	typename P::ls_machine *machine(unsigned m) { return &machines[m].machine; }

	void before()
	{
		P::the_lock() = &lock;
		for (unsigned thread = 0; thread < THREADS_MOST; thread++)
			*P::node_of(thread) = NULL;
		for (unsigned m = 0; m < what->machines; m++) {
			machines[m].before();
			lsi_store(&machine(m)->runs, 0u, relaxed);
			lsi_store(&machine(m)->departures, machines[m].nodes, relaxed);
			for (unsigned i = 0; i < machines[m].nodes; i++)
				add(what->nodes[m][i] - '0', &machines[m].node_state[i]);
		}
	}

	/* The thread is this node, too. */
	void add(unsigned thread, node_state *me)
	{
		node_state **first = P::node_of(thread);

		lsi_store(&me->awaited, (typename P::ls_machine *)NULL, relaxed);
		me->next_of_thread = *first ? (*first)->next_of_thread : me;
		if (*first)
			(*first)->next_of_thread = me;
		*first = me;
	}

	/* The node of this thread in the machine; NULL: none. */
	node_state *node_in(unsigned thread, unsigned m)
	{
		for (unsigned i = 0; i < machines[m].nodes; i++)
			if (what->nodes[m][i] - '0' == (int)thread)
				return &machines[m].node_state[i];
		return NULL;
	}

	/* `departures` counts the nodes that have not left. */
	void leave(node_state *me, unsigned m)
	{
		P::lsi_node_leave(me);
		P::lsi_thread_leave(me);
		if (lsi_fetch_sub(&machine(m)->departures, 1u, acq_rel) > 1)
			return;
		if (is_attached(m))
			P::lsi_thread_end_run(machine(m));
		lsi_futex_wake(&machine(m)->departures, INT32_MAX);
	}

	/* Does a thread wait for the others in ls_detach? */
	bool is_attached(unsigned m)
	{
		const char leaves[] = { (char)('a' + m), '-', 0 };
		bool is = false;

		for (unsigned thread = 0; thread < what->threads; thread++)
			is |= strstr(what->line[thread], leaves) != NULL;
		return is;
	}

	int detach(node_state *me, unsigned m)
	{
		const uint32_t run = lsi_load(&machine(m)->runs, acquire) & ~1u;

		leave(me, m);
		P::lsi_thread_await(machine(m), run);
		while (lsi_load(&machine(m)->runs, acquire) == run)
			lsi_futex_wait(&machine(m)->runs, run, 0);
		P::lsi_thread_await(NULL, 0);
		return 0;
	}

	int await_run(unsigned m)
	{
		uint32_t left;

		P::lsi_thread_await(machine(m), lsi_load(&machine(m)->runs, relaxed));
		while ((left = lsi_load(&machine(m)->departures, acquire)) > 0)
			lsi_futex_wait(&machine(m)->departures, left, 0);
		P::lsi_thread_await(NULL, 0);
		return 0;
	}

	int act(unsigned thread, const char *c, bool *has_left)
	{
		const unsigned m = *c - 'a';
		node_state *me = node_in(thread, m);

		switch (c[1]) {
		case '>': return machines[m].send(me, c[2] - '0');
		case '<': return machines[m].receive(me, c[2] - '0');
		case '-': has_left[m] = true; return detach(me, m);
		case '*': return await_run(m);
		case '!': P::stop(machine(m), P::LS_ERR_STOPPED);
		}
		return 0;
	}

	void thread(unsigned thread)
	{
		bool has_left[MACHINES_MOST] = {};
		int failed = 0;

		for (const char *c = what->line[thread]; *c && !failed; c += TOKEN) {
			failed = act(thread, c, has_left);
			RL_ASSERT(!failed || failed == lsi_load(&machine(*c - 'a')->state, seq_cst));
		}
		for (unsigned m = 0; m < what->machines; m++)
			if (node_in(thread, m) && !has_left[m])
				leave(node_in(thread, m), m);
	}

	void after()
	{
		for (unsigned m = 0; m < what->machines; m++) {
			machines[m].after();
			RL_ASSERT(lsi_load(&machine(m)->park_counter.elsewhere, seq_cst) == 0);
		}
	}
};

#define PLAY(name, executions, what) \
	{ name, (what).threads, executions, make<linked_stages<P> >, &what }

static const company
	circle = { 2, 2, { "01", "10" }, { 1, 1 }, { "a<1", "b<1" } },
	circle_of_three = { 3, 3, { "02", "10", "21" }, { 1, 1, 1 }, { "a<1", "b<1", "c<1" } },
	around = { 2, 2, { "01", "10" }, { 0, 0 }, { "b>0a<1b>0a<1", "b<1a>0b<1a>0" } },
	crossed = { 2, 2, { "01", "01" }, { 1, 1 }, { "a<1", "b<0" } },
	later = { 2, 2, { "01", "01" }, { 1, 1 }, { "a>1b<1a<1", "a<0b>0b<0" } },
	computes = { 3, 2, { "01", "12" }, { 0, 0 }, { "a<1", "b<1a>0", "b>0" } },
	detaches = { 2, 2, { "01", "10" }, { 1, 1 }, { "b- ", "a<0" } },
	detached = { 2, 2, { "01", "10" }, { 1, 1 }, { "a- ", "b- " } },
	in_order = { 2, 2, { "01", "10" }, { 0, 0 }, { "a- b- ", "a- b- " } },
	runs = { 3, 2, { "0", "12" }, { 0, 0 }, { "b* ", "b>1b<1", "b<0b>0" } },
	run_fails = { 3, 2, { "0", "12" }, { 0, 1 }, { "b* ", "b<1", "b<0" } },
	run_fails_beside = { 4, 2, { "03", "12" }, { 0, 1 }, { "b* a>1", "b<1", "b<0", "a<0" } },
	runs_twice = { 4, 3, { "0", "1", "23" }, { 0, 0, 1 }, { "b* ", "c* ", "c<1", "c<0" } },
	circle_fails = { 3, 3, { "0", "12", "21" }, { 0, 1, 1 }, { "b* ", "b<1", "c<1" } },
	waits_beside = { 3, 2, { "01", "12" }, { 1, 0 }, { "a<1", "a<0b>1", "b<0" } },
	third_awaited = { 2, 3, { "01", "0", "10" }, { 1, 0, 1 }, { "c- ", "a<0" } },
	relay = { 3, 2, { "01", "02" }, { 0, 0 }, { "b<1a>1a<1b>1", "a<0a>0", "b>0b<0" } },
	released = { 2, 3, { "01", "10", "01" }, { 1, 1, 0 }, { "a- c>1", "b- c<0" } },
	one_leaves = { 3, 2, { "012", "10" }, { 1, 1 }, { "a<1", "b<1", "" } },
	run_stopped = { 3, 2, { "0", "1" }, { 0, 0 }, { "b* ", "", "b! " } };

template <class P> struct trials {
	static constexpr size_t n = 20;
	static constexpr trial all[n] = {
		PLAY("circle", 20000, circle), PLAY("circle of three", 20000, circle_of_three),
		PLAY("around", 20000, around), PLAY("crossed", 20000, crossed),
		PLAY("wait after messages", 20000, later), PLAY("one computes", 20000, computes),
		PLAY("one detaches", 20000, detaches), PLAY("both detach", 20000, detached),
		PLAY("detached in order", 20000, in_order), PLAY("a run", 20000, runs),
		PLAY("a run fails", 20000, run_fails),
		PLAY("a run fails, and a node waits", 20000, run_fails_beside),
		PLAY("a run in a run fails", 20000, runs_twice),
		PLAY("a run in a circle", 20000, circle_fails),
		PLAY("a machine waits for a deadlock", 20000, waits_beside),
		PLAY("a third machine waits", 20000, third_awaited),
		PLAY("relay", 20000, relay), PLAY("released", 20000, released),
		PLAY("one leaves", 20000, one_leaves),
		PLAY("a run is stopped", 20000, run_stopped),
	};
};
template <class P> constexpr trial trials<P>::all[];

MAIN
