/*
 * Plays: each node executes a line, and then leaves.
 *
 *   >1  send to node 1                               |  end the round
 *   <0  receive from node 0                          !  report an error
 *   }1  the same without a copy: the sender waits    .  yield
 *   {0  until its memory has been read               @  yield until the machine stops
 *   %0  split the group; this node is in part 0
 *
 * A thread that is no node stops the machine, or sees the end of the time limit.  All nodes that
 * fail get the same status.  Mailboxes hold one message.
 */
#ifndef TEST_RELACY_PLAY_HPP
#define TEST_RELACY_PLAY_HPP

#include "model.hpp"

struct play {
	unsigned threads, nodes;
	const char *line[NODES_MOST];
	int deadlock_reports;                  /* -1: the time limit decides */
	const core_map *cores;                 /* NULL: one */
	bool loaded;                           /* nodes park when other programs use the cores, not sooner */
};

template <class P> struct stage : machine_scenario<P> {
	struct cell {
		typename P::lsi_slot slot;
		typename P::lsi_zero_copy_message message;
	};
	struct link {
		cell cells[1];
		typename P::lsi_mailbox box;
		uint64_t sent, received;
		LSI_PLAIN(uint64_t) memory;
	};

	const play *what;
	link links[NODES_MOST][NODES_MOST];
	int status[NODES_MOST];
	unsigned rounds[NODES_MOST];
	LSI_PLAIN(unsigned) cell[2][NODES_MOST];

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
		this->machine.yield_ns_before_sleep = what->loaded ? UINT64_MAX : 0;
		this->machine.other_load = what->loaded;
		for (unsigned i = 0; i < NODES_MOST; i++)
			status[i] = rounds[i] = 0;
		connect();
	}

	/* The words of a mailbox depend on the workers of its nodes. */
	void connect()
	{
		for (unsigned from = 0; from < this->nodes; from++)
			for (unsigned to = 0; to < this->nodes; to++)
				reset(&links[from][to], from, to);
	}

	void reset(link *w, unsigned from, unsigned to)
	{
		typename P::lsi_node_state *sender = &this->node_state[from], *receiver = &this->node_state[to];

		w->box.sender.mask = 0;
		w->box.sender.slot_bytes = sizeof(cell);
		w->box.sender.out = (char *)w->cells;
		w->box.sender.in = (char *)links[to][from].cells;
		w->box.sender.peer = P::lsi_parking_for(receiver, sender);
		w->box.sender.asymmetric = this->machine.asymmetric || sender->worker == receiver->worker;
		w->sent = w->received = 0;
		P::lsi_mailbox_reset(&w->box, START);
	}

	const typename P::lsi_mailbox_end *end_of(typename P::lsi_node_state *me, unsigned peer)
	{
		return &links[me->rank][peer].box.sender;
	}

	int wait(typename P::lsi_node_state *me, int reason, int64_t peer,
		bool (*ready)(typename P::lsi_node_state *, void *), void *condition)
	{
		const typename P::lsi_wait wait = { { sizeof wait.state, reason, peer, 1, "play" }, ready,
			condition, NULL, 0, false };

		return P::lsi_wait_until(me, &wait);
	}

	/* The slot for the next message; NULL: *failed is the status. */
	typename P::lsi_slot *slot_to(typename P::lsi_node_state *me, unsigned to, int *failed)
	{
		link *w = &links[me->rank][to];
		typename P::lsi_mailbox_wait room = { &w->box, &w->box.sender, &this->node_state[to] };
		typename P::lsi_slot *slot;

		*failed = wait(me, P::LS_WAITS_FOR_SPACE, to, P::lsi_mailbox_has_space, &room);
		slot = *failed ? NULL : P::lsi_mailbox_space(&w->box);
		if (!slot && !*failed)
			*failed = P::lsi_machine_fail(me, typename P::lsi_fault{ P::LS_ERR_LEFT }, "left");
		return slot;
	}

	/* The slot of the oldest message; NULL: *failed is the status. */
	typename P::lsi_slot *slot_from(typename P::lsi_node_state *me, unsigned from, int *failed)
	{
		link *w = &links[from][me->rank];
		typename P::lsi_mailbox_wait message = { &w->box, end_of(me, from), &this->node_state[from] };
		typename P::lsi_slot *slot;

		*failed = wait(me, P::LS_WAITS_FOR_MESSAGE, from, P::lsi_mailbox_has_message, &message);
		slot = *failed ? NULL : P::lsi_mailbox_oldest(&w->box, end_of(me, from));
		if (!slot && !*failed)
			*failed = P::lsi_machine_fail(me, typename P::lsi_fault{ P::LS_ERR_LEFT }, "left");
		return slot;
	}

	int send(typename P::lsi_node_state *me, unsigned to)
	{
		link *w = &links[me->rank][to];
		int failed;

		if (typename P::lsi_slot *slot = slot_to(me, to, &failed)) {
			slot->bytes = w->sent++;
			P::lsi_mailbox_send(&this->machine, &w->box);
		}
		return failed;
	}

	int receive(typename P::lsi_node_state *me, unsigned from)
	{
		link *w = &links[from][me->rank];
		int failed;

		if (typename P::lsi_slot *slot = slot_from(me, from, &failed)) {
			RL_ASSERT(slot->bytes == w->received);
			w->received++;
			P::lsi_mailbox_consume(&this->machine, &w->box, end_of(me, from));
		}
		return failed;
	}

	/* The memory is the sender's again when the call returns, also if it fails. */
	int send_memory(typename P::lsi_node_state *me, unsigned to)
	{
		link *w = &links[me->rank][to];
		int failed;

		if (typename P::lsi_slot *slot = slot_to(me, to, &failed)) {
			const typename P::lsi_view view = { (uintptr_t)&w->memory, sizeof w->memory };

			w->memory = w->sent++;
			slot->bytes = sizeof w->memory;
			P::lsi_slot_write_views(slot, &view, 1);
			me->pending[0] = typename P::lsi_pending_send{ &w->box, w->box.tail, 0 };
			me->n_pending = 1;
			P::lsi_mailbox_send(&this->machine, &w->box);
			failed = P::lsi_pending_wait(&me->whole, 0, "play");
			P::lsi_pending_cancel(me);
			w->memory = UINT64_MAX;
		}
		return failed;
	}

	/* The receiver reads twice: meanwhile its operator may let other nodes run. */
	int receive_memory(typename P::lsi_node_state *me, unsigned from)
	{
		link *w = &links[from][me->rank];
		const typename P::lsi_view *views;
		int failed;
		typename P::lsi_slot *slot = slot_from(me, from, &failed);

		if (!slot)
			return failed;
		if (!P::lsi_slot_claim(slot, &views))
			return P::lsi_stop_reason(&this->machine);
		RL_ASSERT(*(plain<uint64_t> *)views->at == w->received);
		P::lsi_node_yield(me);
		RL_ASSERT(*(plain<uint64_t> *)views->at == w->received);
		w->received++;
		P::lsi_mailbox_consume(&this->machine, &w->box, end_of(me, from));
		return 0;
	}

	int split(typename P::lsi_node_state *me, int64_t part)
	{
		typename P::lsi_split_offer offer;
		typename P::ls_node *sub;

		offer.part = part;
		offer.key = offer.kind = 0;

		const int failed =
			P::try_split(&me->whole, &offer, typename P::lsi_group_network{}, &sub);

		RL_ASSERT(failed || sub->group == &this->machine.parts[part]);
		return failed;
	}

	/* What the others have written before the end of the round is visible after it. */
	int end_round(typename P::lsi_node_state *me, unsigned round)
	{
		cell[round % 2][me->rank] = round;
		if (const int failed =
				P::lsi_barrier_wait_all(&me->whole, &this->machine.whole.barrier, "play"))
			return failed;
		for (unsigned peer = 0; peer < this->nodes; peer++)
			RL_ASSERT(rounds_of(what->line[peer]) <= round || cell[round % 2][peer] == round);
		return 0;
	}

	static unsigned rounds_of(const char *line)
	{
		unsigned n = 0;

		while (*line)
			n += *line++ == '|';
		return n;
	}

	int yield_until_stop(typename P::lsi_node_state *me)
	{
		int reason;

		while (!(reason = P::lsi_stop_reason(&this->machine)))
			P::lsi_node_yield(me);
		return reason;
	}

	int act(typename P::lsi_node_state *me, const char *c)
	{
		switch (*c) {
		case '>': return send(me, c[1] - '0');
		case '<': return receive(me, c[1] - '0');
		case '}': return send_memory(me, c[1] - '0');
		case '{': return receive_memory(me, c[1] - '0');
		case '%': return split(me, c[1] - '0');
		case '!':
			return P::lsi_machine_fail(
				me, typename P::lsi_fault{ -30 - (int)me->rank }, "error");
		case '|': return end_round(me, rounds[me->rank]++);
		case '.': P::lsi_node_yield(me); break;
		case '@': return yield_until_stop(me);
		}
		return 0;
	}

	void thread(unsigned i) { run_or_interrupt(this, i); }

	/* Of a thread that is no node. */
	void interrupt()
	{
		if (what->deadlock_reports < 0)
			P::lsi_time_out(&this->machine);
		else
			P::stop(&this->machine, P::LS_ERR_STOPPED);
	}

	void run(typename P::lsi_node_state *me)
	{
		int *failed = &status[me->rank];

		for (const char *c = what->line[me->rank]; *c && !*failed; c++)
			*failed = act(me, c);
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

#endif
