/* compile: -fpermissive -w */
/*
 * The mailbox: messages through 1, 2 and 4 slots, memory reused once a message was read, lent
 * messages claimed by the receiver or revoked by the sender, answers that say what was read.
 * Counters pass 2^32.
 */
#include "model.hpp"

#include "planted/mailbox.inc"

template <class P, unsigned slots> struct wired : scenario {
	struct cell { typename P::ls_slot slot; typename P::ls_loan loan; } cells[slots];
	typename P::ls_mailbox box;
	bool asymmetric;

	explicit wired(bool asymmetric = false) : asymmetric(asymmetric) {}

	void before()
	{
		box.mask = slots - 1;
		box.slot_bytes = sizeof(cell);
		box.slots = (char *)cells;
		P::ls_mailbox_reset(&box, START);
	}

	void thread(unsigned) {}

	typename P::ls_slot *room()
	{
		typename P::ls_slot *slot;

		while (!(slot = P::ls_mailbox_room(&box)))
			ls_yield();
		return slot;
	}

	typename P::ls_slot *first()
	{
		typename P::ls_slot *slot;

		while (!(slot = P::ls_mailbox_first(&box)))
			ls_yield();
		return slot;
	}
};

/* Every message arrives once, whole and in order. */
template <class P, unsigned slots> struct stream : wired<P, slots> {
	enum { MESSAGES = slots + 4 };

	stream(bool asymmetric, const void *) : wired<P, slots>(asymmetric) {}

	void thread(unsigned i)
	{
		for (uint64_t k = 0; k < MESSAGES; k++) {
			if (i == 0) {
				this->room()->bytes = k;
				P::ls_mailbox_put(&this->box, this->asymmetric);
			} else {
				typename P::ls_slot *slot = this->first();

				RL_ASSERT(slot->bytes == k);
				slot->call[0] = k;                 /* it is the receiver's until it is released */
				P::ls_mailbox_release(&this->box, this->asymmetric);
			}
		}
	}
};

/* What a message points to is the sender's again when the message has been read. */
template <class P> struct reuse : wired<P, 2> {
	enum { MESSAGES = 3 };
	LS_PLAIN(int) memory;

	reuse(bool asymmetric, const void *) : wired<P, 2>(asymmetric) {}

	void send(int k)
	{
		const uint32_t message = this->box.tail;

		memory = k;
		this->room();
		P::ls_mailbox_put(&this->box, this->asymmetric);
		while (!P::ls_mailbox_read(&this->box, message))
			ls_yield();
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
			P::ls_mailbox_release(&this->box, this->asymmetric);
		}
	}
};

/*
 * Two nodes that exchange messages: what a message points to is the sender's again when an answer,
 * or head, says that it has been read.
 */
template <class P, unsigned slots> struct answers : scenario {
	enum { MESSAGES = slots + 3 };
	wired<P, slots> way[2];
	LS_PLAIN(uint64_t) memory[2][2];

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
		typename P::ls_mailbox *box = &way[i].box;
		typename P::ls_slot *slot = way[i].room();

		while (k >= 2 && !P::ls_mailbox_read(box, box->tail - 2))
			ls_yield();
		memory[i][k % 2] = k;
		slot->heard = P::ls_mailbox_tell(&way[!i].box);
		P::ls_mailbox_put(box, way[i].asymmetric);
	}

	void receive(unsigned i, uint64_t k)
	{
		typename P::ls_mailbox *box = &way[i].box;

		P::ls_mailbox_hear(box, way[!i].first());
		if ((int32_t)(box->head_seen - box->tail) >= 0)
			memory[i][k % 2] = k;              /* the last message has been read, it says */
		RL_ASSERT(memory[!i][k % 2] == k);
		P::ls_mailbox_release(&way[!i].box, way[i].asymmetric);
	}

	void thread(unsigned i)
	{
		for (uint64_t k = 0; k < MESSAGES; k++) {
			send(i, k);
			receive(i, k);
		}
	}
};

/* A lent message: the sender, whose machine stops, takes it back or waits until it is read. */
template <class P> struct loan : wired<P, 1> {
	LS_PLAIN(int) memory;
	typename P::ls_machine machine;
	typename P::ls_processor sender, receiver;

	loan(bool asymmetric, const void *) : wired<P, 1>(asymmetric) {}

	void before()
	{
		wired<P, 1>::before();
		ls_store(&machine.stopped, 0, relaxed);
		machine.pulse = "alive";
		sender.machine = &machine;
		this->box.receiver = &receiver.parking;
		ls_store(&receiver.ended, 0u, relaxed);
	}

	void lend()
	{
		const typename P::ls_view view = { (uintptr_t)&memory, sizeof memory };
		typename P::ls_slot *slot = this->room();

		memory = 1;
		slot->bytes = sizeof memory;
		P::ls_slot_lend(slot, &view, 1);
		sender.debt[0] = typename P::ls_debt{ &this->box, this->box.tail, 0 };
		sender.n_debts = 1;
		P::ls_mailbox_put(&this->box, this->asymmetric);
		ls_store(&machine.stopped, 1, release);
		P::ls_revoke(&sender);
		memory = 2;
	}

	void borrow()
	{
		const typename P::ls_view *views;
		typename P::ls_slot *slot;

		while (!(slot = P::ls_mailbox_first(&this->box))) {
			if (ls_load(&machine.stopped, acquire))
				return;
			ls_yield();
		}
		if (!P::ls_slot_claim(slot, &views))
			return;
		RL_ASSERT(*(plain<int> *)views->at == 1);
		if (rl::rand(4) == 0)
			ls_store(&receiver.ended, 1u, release);    /* by its operator */
		else
			P::ls_mailbox_release(&this->box, this->asymmetric);
	}

	void thread(unsigned i)
	{
		if (i == 0)
			lend();
		else
			borrow();
	}
};

template <class P> struct trials {
	static constexpr size_t n = 7;
	static constexpr trial all[n] = {
		{ "1 slot", 2, 40000, make<stream<P, 1> > },
		{ "2 slots", 2, 40000, make<stream<P, 2> > },
		{ "4 slots", 2, 40000, make<stream<P, 4> > },
		{ "reuse", 2, 40000, make<reuse<P> > },
		{ "answers, 1 slot", 2, 40000, make<answers<P, 1> > },
		{ "answers, 2 slots", 2, 40000, make<answers<P, 2> > },
		{ "loan", 2, 40000, make<loan<P> > },
	};
};
template <class P> constexpr trial trials<P>::all[];

MAIN
