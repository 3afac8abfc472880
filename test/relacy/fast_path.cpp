/* all: searches many executions of a protocol */
/* compile: -fpermissive -w */
/*
 * The fast path of the engine for mailboxes.  Where it stops, the node continues with the send or
 * the receive that is next, and waits, as lsi_execute does.
 *
 *   exchange  two nodes exchange their sums twice: each call gives 2 x the sum of the inputs
 *   ring      the values go around: each call gives the input of the node two places before
 */
#include "play.hpp"

#include "planted/fast_path.inc"

enum { STEPS = 2, SLOTS_MOST = 2, WORDS_MOST = 2 };

struct talk {
	play cast;
	unsigned slots, calls;
	bool ring, is_down, words_differ, calls_differ;
};

template <class P> struct conversation : stage<P> {
	struct body_cell {
		typename P::lsi_slot slot;
		LSI_PLAIN(uint64_t) body[WORDS_MOST];
	};

	const talk *what;
	body_cell cells[NODES_MOST][NODES_MOST][SLOTS_MOST];
	LSI_PLAIN(uint64_t) value[NODES_MOST][WORDS_MOST];
	typename P::lsi_compiled_port port[NODES_MOST];
	typename P::lsi_compiled_move move[NODES_MOST];
	typename P::lsi_compiled_step step[NODES_MOST][STEPS];
	typename P::lsi_compiled_plan plan[NODES_MOST];
	int directory;

	conversation(bool asymmetric, const void *what)
		: stage<P>(asymmetric, &((const talk *)what)->cast), what((const talk *)what)
	{
	}

	void before()
	{
		stage<P>::before();
		for (unsigned from = 0; from < this->nodes; from++)
			for (unsigned to = 0; to < this->nodes; to++)
				extend(&this->links[from][to].box, cells[from][to], cells[to][from]);
		for (unsigned i = 0; i < this->nodes; i++)
			compile(i);
		if (what->is_down)
			lsi_store(&this->machine.links, (void *)&directory, relaxed);
		this->machine.mailbox_polls = 1;
	}

	void extend(typename P::lsi_mailbox *box, body_cell *out, body_cell *in)
	{
		box->sender.mask = what->slots - 1;
		box->sender.slot_bytes = sizeof *out;
		box->sender.out = (char *)out;
		box->sender.in = (char *)in;
		P::lsi_mailbox_reset(box, START);
	}

	typename P::lsi_channel channel(unsigned i, unsigned peer)
	{
		return typename P::lsi_channel{ peer, 0, 0, &this->links[i][peer].box,
			&this->links[peer][i].box };
	}

	typename P::lsi_operand operand(int buffer, size_t words)
	{
		typename P::lsi_operand o = {};

		o.buffer = buffer;
		o.elements = words;
		o.bytes = words * P::WORD;
		return o;
	}

	void compile(unsigned i)
	{
		const unsigned n = this->nodes, to = (i + 1) % n, from = (i + n - 1) % n;
		const size_t words = what->words_differ ? i + 1 : 1;

		port[i] = typename P::lsi_compiled_port{ to, from, channel(i, to), channel(i, from),
			operand(P::LS_OUTPUT, words) };
		port[i].expected = words * P::WORD;
		move[i] = typename P::lsi_compiled_move{ what->ring ? P::LS_COPY : P::LS_COMBINE, true, 0,
			operand(P::LS_OUTPUT, words), operand(P::LS_ARRIVAL, words),
			operand(P::LS_OUTPUT, words) };
		for (unsigned s = 0; s < STEPS; s++)
			step[i][s] = typename P::lsi_compiled_step{ false, 1, 1, -1, &port[i], &move[i] };
		plan[i] = typename P::lsi_compiled_plan{ STEPS, step[i] };
		this->node_state[i].count.messages = 0;
	}

	/* The slow path: the send of a step. */
	int send_slowly(typename P::lsi_execution *x, unsigned i)
	{
		const typename P::lsi_compiled_port *p = &port[i];
		typename P::lsi_node_state *me = x->node->self;
		int failed;
		typename P::lsi_slot *slot = this->slot_to(me, p->to, &failed);

		if (!slot)
			return failed;
		P::lsi_slot_write_header(&p->out, slot, &x->envelope, p->send.bytes);
		P::lsi_copy(slot + 1, P::lsi_operand_address(x, &p->send), p->send.bytes);
		P::lsi_mailbox_send(&this->machine, p->out.out);
		return 0;
	}

	/* The slow path: the receive of a step, and its moves. */
	int receive_slowly(typename P::lsi_execution *x, unsigned i)
	{
		const typename P::lsi_compiled_port *p = &port[i];
		typename P::lsi_node_state *me = x->node->self;
		int failed;
		typename P::lsi_slot *slot = this->slot_from(me, p->from, &failed);

		if (!slot)
			return failed;
		if (!P::lsi_slot_matches(&x->envelope, slot) || slot->bytes != p->expected)
			return P::lsi_machine_fail(
				me, typename P::lsi_fault{ P::LS_ERR_MISMATCH }, "mismatch");
		x->base[P::LS_ARRIVAL] = (uintptr_t)(slot + 1);
		P::lsi_move_contiguous(x, &move[i]);
		P::lsi_mailbox_consume(&this->machine, p->in.in, &p->in.out->sender);
		x->node->round++;
		return 0;
	}

	int call(typename P::lsi_node_state *me, unsigned k)
	{
		const unsigned i = (unsigned)me->rank;
		typename P::lsi_execution x = {};
		int failed = 0;

		x.node = &me->whole;
		x.envelope = typename P::lsi_envelope{ &me->whole, "call",
			{ k, what->calls_differ ? i : 0, 0 } };
		x.base[P::LS_OUTPUT] = (uintptr_t)value[i];
		x.compiled = &plan[i];
		if (P::lsi_fast_path(&x))
			return 0;
		for (; x.step < STEPS && !failed; x.step++, x.phase = P::LSI_PHASE_SEND) {
			if (x.phase == P::LSI_PHASE_SEND)
				failed = send_slowly(&x, i);
			if (!failed)
				failed = receive_slowly(&x, i);
		}
		return failed;
	}

	static uint64_t input(unsigned i, unsigned k) { return 1 + i + 10 * k; }

	uint64_t result(unsigned i, unsigned k)
	{
		return what->ring ? input((i + this->nodes - STEPS) % this->nodes, k)
			: 2 * (input(0, k) + input(1, k));
	}

	void run(typename P::lsi_node_state *me)
	{
		const unsigned i = (unsigned)me->rank;
		int *failed = &this->status[i];

		for (unsigned k = 0; k < what->calls && !*failed; k++) {
			for (unsigned word = 0; word < WORDS_MOST; word++)
				value[i][word] = input(i, k);
			*failed = call(me, k);
			RL_ASSERT(*failed || value[i][0] == result(i, k));
		}
		P::lsi_node_leave(me);
	}

	void thread(unsigned i) { run_or_interrupt(this, i); }

	void after()
	{
		const bool differ = what->words_differ || what->calls_differ;

		stage<P>::after();
		for (unsigned i = 0; i < this->nodes; i++) {
			RL_ASSERT(!this->status[i] == !differ);
			RL_ASSERT(!what->is_down || this->node_state[i].count.messages == 0);
		}
	}
};

#define TALK(name, executions, what) \
	{ name, (what).cast.threads, executions, make<conversation<P> >, &what }

static const talk
	exchange = { { 2, 2, { "", "" }, 0 }, 1, 3 },
	ahead = { { 2, 2, { "", "" }, 0 }, 2, 3 },
	ring = { { 3, 3, { "", "", "" }, 0 }, 1, 2, true },
	down = { { 2, 2, { "", "" }, 0 }, 1, 2, false, true },
	lengths = { { 2, 2, { "", "" }, 0 }, 2, 1, false, false, true },
	calls = { { 2, 2, { "", "" }, 0 }, 2, 1, false, false, false, true };

template <class P> struct trials {
	static constexpr size_t n = 6;
	static constexpr trial all[n] = {
		TALK("exchange", 20000, exchange), TALK("exchange, 2 slots", 20000, ahead),
		TALK("ring", 20000, ring), TALK("a link is down", 5000, down),
		TALK("lengths differ", 10000, lengths), TALK("calls differ", 10000, calls),
	};
};
template <class P> constexpr trial trials<P>::all[];

MAIN
