/* all: searches many executions of a protocol */
/* compile: -fpermissive -w */
/*
 * Parking, waking and reporting a deadlock: no wake is lost; a machine in which all nodes wait is
 * reported exactly once, any other machine never.
 *
 * Each node executes a line: `>1` send to node 1, `<0` receive from node 0, `|` end the round, `!`
 * report an error; then it leaves.  A thread that is no node stops the machine.  All nodes that
 * fail get the same status.  Mailboxes hold one message; every wait
 * parks at once.
 */
#include "model.hpp"

#include "planted/park.inc"

struct play {
	unsigned threads, nodes;
	const char *line[NODES_MOST];
	int deadlock_reports;                  /* -1: the time limit decides */
	const core_map *cores;                 /* NULL: one */
};

template <class P> struct stage : machine_scenario<P> {
	struct cell { typename P::lsi_slot slot; };
	struct link { cell cells[1]; typename P::lsi_mailbox box; uint64_t sent, received; };

	const play *what;
	link links[NODES_MOST][NODES_MOST];
	int status[NODES_MOST];

	stage(bool asymmetric, const void *what)
		: machine_scenario<P>(asymmetric, ((const play *)what)->nodes,
			  ((const play *)what)->cores ? ((const play *)what)->cores : &one_core),
		what((const play *)what)
	{
	}

	void before()
	{
		machine_scenario<P>::before();
		this->machine.deadline = what->deadlock_reports < 0;
		for (unsigned i = 0; i < NODES_MOST; i++)
			status[i] = 0;
		for (unsigned from = 0; from < this->nodes; from++)
			for (unsigned to = 0; to < this->nodes; to++)
				reset(&links[from][to], from, to);
	}

	void reset(link *w, unsigned from, unsigned to)
	{
		w->box.mask = 0;
		w->box.slot_bytes = sizeof(cell);
		w->box.slots = (char *)w->cells;
		w->box.sender = &this->node_state[from].parking;
		w->box.receiver = &this->node_state[to].parking;
		w->sent = w->received = 0;
		P::lsi_mailbox_reset(&w->box, START);
	}

	typename P::ls_wait_state reason(int kind, int64_t peer)
	{
		using state = typename P::ls_wait_state;

		return state{ sizeof(state), kind, peer, 1, "play" };
	}

	int send(typename P::lsi_node_state *me, unsigned to)
	{
		link *w = &links[me->rank][to];
		typename P::lsi_mailbox_wait room = { &w->box, &this->node_state[to] };

		if (const int failed = P::lsi_wait_until(
				me, reason(P::LS_WAITS_FOR_SPACE, to), P::lsi_mailbox_has_space, &room))
			return failed;

		typename P::lsi_slot *slot = P::lsi_mailbox_space(&w->box);

		if (!slot)
			return P::lsi_machine_fail(me, typename P::lsi_fault{ P::LS_ERR_LEFT }, "left");
		slot->bytes = w->sent++;
		P::lsi_mailbox_send(&this->machine, &w->box);
		return 0;
	}

	int receive(typename P::lsi_node_state *me, unsigned from)
	{
		link *w = &links[from][me->rank];
		typename P::lsi_mailbox_wait message = { &w->box, &this->node_state[from] };

		if (const int failed = P::lsi_wait_until(me, reason(P::LS_WAITS_FOR_MESSAGE, from),
				P::lsi_mailbox_has_message, &message))
			return failed;

		typename P::lsi_slot *slot = P::lsi_mailbox_oldest(&w->box);

		if (!slot)
			return P::lsi_machine_fail(me, typename P::lsi_fault{ P::LS_ERR_LEFT }, "left");
		RL_ASSERT(slot->bytes == w->received);
		w->received++;
		P::lsi_mailbox_consume(&this->machine, &w->box);
		return 0;
	}

	int act(typename P::lsi_node_state *me, const char *c)
	{
		switch (*c) {
		case '>': return send(me, c[1] - '0');
		case '<': return receive(me, c[1] - '0');
		case '!':
			return P::lsi_machine_fail(
				me, typename P::lsi_fault{ -30 - (int)me->rank }, "error");
		case '|': return P::lsi_barrier_wait_all(&me->whole, &this->machine.whole.barrier, "play");
		}
		return 0;
	}

	void thread(unsigned i)
	{
		typename P::lsi_node_state *me = &this->node_state[i];

		if (i >= this->nodes) {
			P::stop(&this->machine, P::LS_ERR_STOPPED);
			return;
		}
		for (const char *c = what->line[i]; *c; c++) {
			if ((status[i] = act(me, c)))
				break;
		}
		P::lsi_node_leave(me);
	}

	void after()
	{
		machine_scenario<P>::after();
		for (unsigned i = 0; i < this->nodes; i++)
			RL_ASSERT(!status[i] || status[i] == lsi_load(&this->machine.state, seq_cst));
		RL_ASSERT(what->deadlock_reports < 0
			|| this->machine.deadlock_reports == what->deadlock_reports);
	}
};

#define PLAY(name, executions, what) { name, (what).threads, executions, make<stage<P> >, &what }

static const play
	message = { 2, 2, { ">1", "<0" }, 0 },
	space = { 2, 2, { ">1>1>1", "<0<0<0" }, 0 },
	answer = { 2, 2, { ">1<1>1", "<0>0<0" }, 0 },
	again = { 3, 3, { "<1<1>2", ">0>0", "<0" }, 0 },
	leaver = { 3, 3, { "<1", "<2>0", ">1" }, 0 },
	chain = { 3, 3, { ">1<2", "<0>2", "<1>0" }, 0 },
	barrier = { 3, 3, { "||", "||", "||" }, 0 },
	sharded = { 3, 3, { "||", "||", "|" }, 0, &shards },
	torn_shards = { 3, 3, { "|", "<2", "|<0" }, 1, &shards },
	mixed = { 3, 3, { ">1||", "<0||", "|" }, 0 },
	left = { 2, 2, { "<1", "" }, 0 },
	both = { 2, 2, { "<1", "<0" }, 1 },
	cycle = { 3, 3, { "<2", "<0", "<1" }, 1 },
	later = { 2, 2, { ">1<1", "<0<0" }, 1 },
	full = { 2, 2, { ">1>1>1", ">0>0>0" }, 1 },
	without = { 3, 3, { "<2", "", "<0" }, 1 },
	absent = { 3, 3, { "|<1", "|<0", "|" }, 1 },
	torn = { 2, 2, { "|", "<0" }, 1 },
	stopped = { 3, 2, { ">1<1>1", "<0>0<0" }, 0 },
	limit = { 2, 2, { ">1<1>1<1", "<0>0<0" }, -1 },
	error = { 2, 2, { "<1", "!" }, 0 },
	errors = { 3, 3, { "!", "|!", ">0!" }, 0 },
	error_stopped = { 3, 2, { "<1", "!" }, 0 },
	error_limit = { 2, 2, { "<1", "!" }, -1 };

template <class P> struct trials {
	static constexpr size_t n = 24;
	static constexpr trial all[n] = {
		PLAY("message", 20000, message), PLAY("space", 20000, space), PLAY("answer", 20000, answer),
		PLAY("woken and parked again", 20000, again), PLAY("a node leaves", 20000, leaver),
		PLAY("chain", 20000, chain), PLAY("barrier", 20000, barrier), PLAY("mixed", 20000, mixed),
		PLAY("barrier of shards", 20000, sharded), PLAY("a shard waits", 20000, torn_shards),
		PLAY("left", 20000, left), PLAY("both wait", 20000, both), PLAY("cycle", 20000, cycle),
		PLAY("wait after a message", 20000, later), PLAY("all is full", 20000, full),
		PLAY("two wait, one leaves", 20000, without), PLAY("wait after a round", 20000, absent),
		PLAY("round and message", 20000, torn), PLAY("stopped", 20000, stopped),
		PLAY("time limit", 20000, limit), PLAY("an error", 20000, error),
		PLAY("errors of all", 20000, errors), PLAY("an error and a stop", 20000, error_stopped),
		PLAY("an error and the time limit", 20000, error_limit),
	};
};
template <class P> constexpr trial trials<P>::all[];

MAIN
