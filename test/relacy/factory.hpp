/*
 * Calls that share work.
 *
 * Each node makes the calls of a line, one per letter:
 *
 *   a   the units of the trial      X   as a; its operator may end the thread
 *   b   one unit                    S   as a; its operator stops the machine
 *   c   no unit                     !   no call: the node stops the machine
 *
 * A thread that is no node stops the machine, too.  A unit reads the operands of all nodes and
 * writes to all results.  A node overwrites its buffers when its call returns.  Then the next run
 * begins.
 */
#ifndef TEST_RELACY_FACTORY_HPP
#define TEST_RELACY_FACTORY_HPP

#include "model.hpp"

enum { UNITS_MOST = 3 };
enum { SLEEPS = 1, LIMIT = 2, NO_MEMORY = 4 };

struct production {
	unsigned threads, nodes;
	const char *line[NODES_MOST];
	int64_t units;
	const core_map *cores;
	unsigned how;
};

struct thread_ended {};

template <class P> struct factory : machine_scenario<P>, execution {
	const production *plan;
	LSI_PLAIN(int) operand[NODES_MOST], result[NODES_MOST][UNITS_MOST];
	typename P::cooperative_state cooperative_state;
	unsigned at[NODES_MOST];              /* in its line       */
	bool memory[NODES_MOST];

	factory(bool asymmetric, const void *what)
		: machine_scenario<P>(asymmetric, ((const production *)what)->nodes,
			  ((const production *)what)->cores),
		plan((const production *)what), memory()
	{
	}

	void before()
	{
		machine_scenario<P>::before();
		this->machine.yield_ns_before_sleep = plan->how & SLEEPS ? 0 : UINT64_MAX;
		this->machine.deadline = (plan->how & LIMIT) != 0;
		this->machine.executes = this;
		this->machine.whole.cooperative_state = &cooperative_state;
		cooperative_state.ready = 0;
		cooperative_state.is_collected = false;
	}

	void connect() {} /* it has no mailboxes */

	/* A node that has memory keeps it. */
	bool has_memory(int64_t rank)
	{
		return memory[rank] |= !(plan->how & NO_MEMORY) || rl::rand(2);
	}

	int64_t units_of(uint64_t letter)
	{
		return letter == 'a' ? plan->units : letter == 'b';
	}

	void execute(int64_t rank, int64_t first, int64_t last)
	{
		for (int64_t unit = first; unit < last; unit++) {
			int sum = 0;

			for (unsigned i = 0; i < plan->nodes; i++)
				sum += operand[i];
			if (plan->line[rank][at[rank]] == 'X' && rl::rand(2))
				throw thread_ended();
			if (plan->line[rank][at[rank]] == 'S')
				P::stop(&this->machine, P::LS_ERR_STOPPED);
			for (unsigned i = 0; i < plan->nodes; i++)
				result[i][unit] = sum;
		}
	}

	static char letter(char c) { return c == 'X' || c == 'S' ? 'a' : c; }
	static int value(unsigned i, unsigned k) { return 1 << 8 * i << k; }

	/* What may come of call k: was everybody in it, and may the machine stop? */
	bool all_in(unsigned k)
	{
		bool same = true;

		for (unsigned i = 0; i < plan->nodes; i++)
			same &= strlen(plan->line[i]) > k
				&& letter(plan->line[i][k]) == letter(plan->line[0][k]);
		return same;
	}

	bool some_left(unsigned k)
	{
		bool left = false;

		for (unsigned i = 0; i < plan->nodes; i++)
			left |= strlen(plan->line[i]) <= k || (k > 0 && plan->line[i][k - 1] == 'X');
		return left;
	}

	bool may_stop()
	{
		bool stop = plan->threads > plan->nodes || plan->how & (LIMIT | NO_MEMORY);

		for (unsigned i = 0; i < plan->nodes; i++) {
			stop |= strpbrk(plan->line[i], "!XS") != NULL;
			for (unsigned k = 0; k < strlen(plan->line[i]); k++)
				stop |= !all_in(k) && !some_left(k);
		}
		return stop;
	}

	void check(unsigned i, unsigned k, int status)
	{
		int sum = 0;

		for (unsigned j = 0; j < plan->nodes; j++)
			sum += value(j, k);
		if (status == P::LS_OK) {
			RL_ASSERT(all_in(k));
			for (int64_t unit = 0; unit < units_of(letter(plan->line[i][k])); unit++)
				RL_ASSERT(result[i][unit] == sum);
		} else if (status == P::LSI_USE_MAILBOXES) {
			RL_ASSERT(some_left(k));
		} else {
			RL_ASSERT(may_stop());
		}
	}

	void take_back(unsigned i)
	{
		operand[i] = -1;
		for (int64_t unit = 0; unit < plan->units; unit++)
			result[i][unit] = -1;
	}

	/* False: the thread has ended. */
	bool call(typename P::lsi_node_state *me, unsigned k, char c)
	{
		const unsigned i = (unsigned)me->rank;
		typename P::lsi_execution x = { &me->whole,
			{ &me->whole, "call", { (uint64_t)letter(c), k, 0 } }, { k + 1 } };
		const typename P::lsi_cooperative_call call = { true, false, false };

		if (P::lsi_machine_status(me))
			return true;
		at[i] = k;
		operand[i] = value(i, k);
		try {
			check(i, k, P::lsi_cooperative_execute(&x, &call));
		} catch (thread_ended) {
			P::lsi_work_abort(me);
			take_back(i);
			return false;
		}
		take_back(i);
		return true;
	}

	void thread(unsigned i) { run_or_interrupt(this, i); }

	void interrupt() { P::stop(&this->machine, P::LS_ERR_STOPPED); }

	void run(typename P::lsi_node_state *me)
	{
		const char *line = plan->line[me->rank];

		for (unsigned k = 0; k < strlen(line); k++) {
			const char c = line[k];

			if (c == '!')
				P::stop(&this->machine, P::LS_ERR_STOPPED);
			else if (!call(me, k, c))
				break;
		}
		P::lsi_node_leave(me);
	}

	void after()
	{
		static const uint64_t no_call[3] = {};
		const typename P::lsi_arriving_call nothing = { no_call };
		uint32_t epoch;

		machine_scenario<P>::after();
		RL_ASSERT(this->machine.deadlock_reports == 0);
		P::lsi_group_reset(&this->machine, &this->machine.whole);           /* the next run */
		RL_ASSERT(!lsi_load(&this->machine.whole.member_left, relaxed));
		RL_ASSERT(!lsi_load(&this->machine.whole.work_sharing.aborted, relaxed));
		for (unsigned i = 0; i < this->nodes; i++) {
			const bool last = P::lsi_work_arrive(&this->node_state[i].whole, &nothing, &epoch);

			RL_ASSERT(last == (i == this->nodes - 1));
			RL_ASSERT(!P::lsi_work_is_open(&this->machine.whole.work_sharing, epoch));
			RL_ASSERT(!P::lsi_work_is_shared(&this->machine.whole.work_sharing, epoch));
		}
	}
};

#endif
