/* all: searches many executions of a protocol */
/* compile: -fpermissive -w */
/*
 * The mailbox: messages through 1, 2 and 4 slots; memory that is reused once a message was read;
 * zero-copy messages that the receiver claims or the sender revokes; replies that carry the head,
 * also a head of long ago.  Counters pass 2^32.
 */
#include "model.hpp"

#include "planted/mailbox.inc"

template <class P, unsigned slots> struct with_mailbox : scenario {
	struct cell {
		typename P::lsi_slot slot;
		typename P::lsi_zero_copy_message message;
	} cells[slots];
	typename P::lsi_mailbox box;
	typename P::lsi_mailbox_end mine; /* of the receiver */
	bool asymmetric;

	explicit with_mailbox(bool asymmetric = false) : asymmetric(asymmetric) {}

	void before()
	{
		box.sender.mask = slots - 1;
		box.sender.slot_bytes = sizeof(cell);
		box.sender.out = (char *)cells;
		mine = box.sender;
		mine.in = (char *)cells;
		P::lsi_mailbox_reset(&box, START);
	}

	void thread(unsigned) {}

	typename P::lsi_slot *room()
	{
		typename P::lsi_slot *slot;

		while (!(slot = P::lsi_mailbox_space(&box)))
			lsi_yield();
		return slot;
	}

	typename P::lsi_slot *first()
	{
		typename P::lsi_slot *slot;

		while (!(slot = P::lsi_mailbox_oldest(&box, &mine)))
			lsi_yield();
		return slot;
	}
};

/* Every message arrives once, whole and in order. */
template <class P, unsigned slots> struct stream : with_mailbox<P, slots> {
	enum { MESSAGES = slots + 4 };

	stream(bool asymmetric, const void *) : with_mailbox<P, slots>(asymmetric) {}

	void thread(unsigned i)
	{
		for (uint64_t k = 0; k < MESSAGES; k++) {
			if (i == 0) {
				this->room()->bytes = k;
				P::lsi_mailbox_put(&this->box, this->asymmetric);
			} else {
				typename P::lsi_slot *slot = this->first();

				RL_ASSERT(slot->bytes == k);
				slot->call[0] = k;                 /* it is the receiver's until it is released */
				P::lsi_mailbox_release(&this->box, this->asymmetric);
			}
		}
	}
};

/* What a message points to is the sender's again when the message has been read. */
template <class P> struct reuse : with_mailbox<P, 2> {
	enum { MESSAGES = 3 };
	LSI_PLAIN(int) memory;

	reuse(bool asymmetric, const void *) : with_mailbox<P, 2>(asymmetric) {}

	void send(int k)
	{
		const int64_t message = this->box.tail;

		memory = k;
		this->room();
		P::lsi_mailbox_put(&this->box, this->asymmetric);
		while (!P::lsi_mailbox_is_consumed(&this->box, message))
			lsi_yield();
	}

	void thread(unsigned i)
	{
		for (int k = 0; k < MESSAGES; k++) {
			if (i == 0) {
				send(k);
				continue;
			}
			this->first();
			RL_ASSERT(memory == k);
			P::lsi_mailbox_release(&this->box, this->asymmetric);
		}
	}
};

/*
 * Two nodes that exchange messages: what a message points to is the sender's again when an answer,
 * or head, says that it has been read.
 */
template <class P, unsigned slots> struct answers : scenario {
	enum { MESSAGES = slots + 3 };
	with_mailbox<P, slots> way[2];
	LSI_PLAIN(uint64_t) memory[2][2];

	answers(bool asymmetric, const void *)
	{
		way[0].asymmetric = way[1].asymmetric = asymmetric;
	}

	void before()
	{
		way[0].before();
		way[1].before();
	}

	void send(unsigned i, uint64_t k)
	{
		typename P::lsi_mailbox *box = &way[i].box;
		typename P::lsi_slot *slot = way[i].room();

		while (k >= 2 && !P::lsi_mailbox_is_consumed(box, box->tail - 2))
			lsi_yield();
		memory[i][k % 2] = k;
		slot->peer_head = P::lsi_mailbox_piggyback_head(&way[!i].box);
		P::lsi_mailbox_put(box, way[i].asymmetric);
	}

	void receive(unsigned i, uint64_t k)
	{
		typename P::lsi_mailbox *box = &way[i].box;

		P::lsi_mailbox_piggyback_load(box, way[!i].first());
		if (box->head_seen >= box->tail)
			memory[i][k % 2] = k;              /* the last message has been read, it says */
		RL_ASSERT(memory[!i][k % 2] == k);
		P::lsi_mailbox_release(&way[!i].box, way[i].asymmetric);
	}

	void thread(unsigned i)
	{
		for (uint64_t k = 0; k < MESSAGES; k++) {
			send(i, k);
			receive(i, k);
		}
	}
};

/*
 * Two handles of a pair of nodes: a message of one handle stayed in its mailbox while `age`
 * messages of the other handle passed.  The sender of these now receives it, and sends on.
 */
static const int64_t ages[] = { ((int64_t)1 << 31) + 8, ((int64_t)1 << 32) - 1 };

template <class P> struct two_handles : scenario {
	enum { SLOTS = 2, MESSAGES = SLOTS + 3 };
	with_mailbox<P, SLOTS> forth;
	with_mailbox<P, 1> back;
	int64_t age;

	two_handles(bool asymmetric, const void *what) : age(*(const int64_t *)what)
	{
		forth.asymmetric = back.asymmetric = asymmetric;
	}

	void before()
	{
		forth.before();
		P::lsi_mailbox_reset(&forth.box, START + age);
		back.before();
		back.room()->peer_head = START;
		P::lsi_mailbox_put(&back.box, back.asymmetric);
	}

	void thread(unsigned i)
	{
		for (uint64_t k = 0; k < MESSAGES; k++) {
			if (i == 0) {
				forth.room()->bytes = k;
				P::lsi_mailbox_put(&forth.box, forth.asymmetric);
				if (k == 0)
					P::lsi_mailbox_piggyback_load(&forth.box, back.first());
			} else {
				RL_ASSERT(forth.first()->bytes == k);
				P::lsi_mailbox_release(&forth.box, forth.asymmetric);
			}
		}
	}
};

/* A zero-copy message: the sender, whose machine stops, revokes it or waits until it is read. */
template <class P> struct zero_copy : with_mailbox<P, 1> {
	LSI_PLAIN(int) memory;
	typename P::ls_machine machine;
	typename P::lsi_node_state sender, receiver;

	zero_copy(bool asymmetric, const void *) : with_mailbox<P, 1>(asymmetric) {}

	void before()
	{
		with_mailbox<P, 1>::before();
		lsi_store(&machine.state, 0, relaxed);
		lsi_store(&machine.stopping, 0u, relaxed);
		machine.carrier = P::carrier_of_nodes();
		machine.fork_guard = "alive";
		sender.machine = &machine;
		this->box.sender.peer = &receiver.parking;
		lsi_store(&receiver.ended, 0u, relaxed);
	}

	void send()
	{
		const typename P::lsi_view view = { (uintptr_t)&memory, sizeof memory };
		typename P::lsi_slot *slot = this->room();

		memory = 1;
		slot->bytes = sizeof memory;
		P::lsi_slot_write_views(slot, &view, 1);
		sender.pending[0] = typename P::lsi_pending_send{ &this->box, this->box.tail, 0 };
		sender.n_pending = 1;
		P::lsi_mailbox_put(&this->box, this->asymmetric);
		lsi_store(&machine.state, -1, release);
		P::lsi_pending_cancel(&sender);
		memory = 2;
	}

	void receive()
	{
		const typename P::lsi_view *views;
		typename P::lsi_slot *slot;

		while (!(slot = P::lsi_mailbox_oldest(&this->box, &this->mine))) {
			if (lsi_load(&machine.state, acquire) < 0)
				return;
			lsi_yield();
		}
		if (!P::lsi_slot_claim(slot, &views))
			return;
		RL_ASSERT(*(plain<int> *)views->at == 1);
		if (rl::rand(4) == 0)
			lsi_store(&receiver.ended, 1u, release);    /* by its operator */
		else
			P::lsi_mailbox_release(&this->box, this->asymmetric);
	}

	void thread(unsigned i)
	{
		if (i == 0)
			send();
		else
			receive();
	}
};

template <class P> struct trials {
	static constexpr size_t n = 9;
	static constexpr trial all[n] = {
		{ "1 slot", 2, 40000, make<stream<P, 1> > },
		{ "2 slots", 2, 40000, make<stream<P, 2> > },
		{ "4 slots", 2, 40000, make<stream<P, 4> > },
		{ "reuse", 2, 40000, make<reuse<P> > },
		{ "answers, 1 slot", 2, 40000, make<answers<P, 1> > },
		{ "answers, 2 slots", 2, 40000, make<answers<P, 2> > },
		{ "two handles, 2^31 apart", 2, 40000, make<two_handles<P> >, &ages[0] },
		{ "two handles, 2^32 apart", 2, 40000, make<two_handles<P> >, &ages[1] },
		{ "zero copy", 2, 40000, make<zero_copy<P> > },
	};
};
template <class P> constexpr trial trials<P>::all[];

MAIN
