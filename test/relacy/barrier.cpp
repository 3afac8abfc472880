/* compile: -fpermissive -w */
/*
 * The round barrier: what a member writes before it arrives, or leaves, the others read after the
 * round.  The epoch passes 2^32.  Cells are doubled, for a peer may be one round ahead.
 */
#include "model.hpp"

#include "planted/barrier.inc"

/* `leaves[i]`: the rounds that member i takes part in before it leaves. */
struct membership { unsigned members, rounds, leaves[3]; };

template <class P> struct rounds : machine_scenario<P> {
	const membership *who;
	LS_PLAIN(unsigned) cell[2][NODES_MOST];

	rounds(bool asymmetric, const void *what)
		: machine_scenario<P>(asymmetric, ((const membership *)what)->members),
		who((const membership *)what)
	{
	}

	void meet(unsigned i)
	{
		typename P::ls_processor *me = &this->processor[i];
		typename P::ls_meeting meeting;

		if (P::ls_meeting_arrive(&me->whole, &this->machine.whole.barrier, &meeting))
			return;
		while (!P::ls_meeting_over(me, &meeting))
			ls_yield();
	}

	/* Members write in the round after their last one too, and leave instead of meeting. */
	void thread(unsigned i)
	{
		for (unsigned round = 0; round < who->rounds; round++) {
			cell[round % 2][i] = round;
			if (round == who->leaves[i]) {
				P::ls_barrier_leave(&this->machine.whole.barrier, this->machine.asymmetric);
				return;
			}
			meet(i);
			for (unsigned peer = 0; peer < who->members; peer++)
				RL_ASSERT(round > who->leaves[peer] || cell[round % 2][peer] == round);
		}
	}

	void after()
	{
		unsigned last = 0;

		for (unsigned i = 0; i < who->members; i++)
			last = who->leaves[i] > last ? who->leaves[i] : last;
		last = last < who->rounds ? last : who->rounds;
		RL_ASSERT(P::ls_barrier_epoch(&this->machine.whole.barrier) == START + last);
	}
};

/* Collective calls of node i, by a letter each. */
struct calls { unsigned nodes; const char *call[NODES_MOST]; };

/* No call begins unless all that have not left are in the same one. */
template <class P> struct entrance : machine_scenario<P> {
	const calls *plan;

	entrance(bool asymmetric, const void *what)
		: machine_scenario<P>(asymmetric, ((const calls *)what)->nodes), plan((const calls *)what)
	{
	}

	void thread(unsigned i)
	{
		typename P::ls_processor *me = &this->processor[i];

		for (const char *c = plan->call[i]; *c; c++, me->whole.sequence++) {
			const uint64_t call[3] = { (uint64_t)*c, 0, 0 };

			if (P::ls_enter(&me->whole, call, "call"))
				break;
			for (unsigned peer = 0; peer < this->nodes; peer++) {
				const size_t k = c - plan->call[i];

				RL_ASSERT(k >= strlen(plan->call[peer]) || plan->call[peer][k] == *c);
			}
		}
		P::ls_depart(me);
	}
};

static const membership two = { 2, 4, { 9, 9 } }, three = { 3, 3, { 9, 9, 9 } },
	leaver = { 3, 3, { 9, 1, 9 } }, leavers = { 3, 3, { 9, 1, 0 } }, alone = { 2, 3, { 9, 0 } };
static const calls same = { 3, { "aba", "aba", "aba" } }, differ = { 3, { "ab", "ab", "aa" } },
	fewer = { 3, { "aab", "aab", "a" } };

template <class P> struct trials {
	static constexpr size_t n = 8;
	static constexpr trial all[n] = {
		{ "two members", 2, 30000, make<rounds<P> >, &two },
		{ "three members", 3, 30000, make<rounds<P> >, &three },
		{ "one leaves", 3, 30000, make<rounds<P> >, &leaver },
		{ "two leave", 3, 30000, make<rounds<P> >, &leavers },
		{ "one stays", 2, 30000, make<rounds<P> >, &alone },
		{ "same calls", 3, 20000, make<entrance<P> >, &same },
		{ "another call", 3, 20000, make<entrance<P> >, &differ },
		{ "fewer calls", 3, 20000, make<entrance<P> >, &fewer },
	};
};
template <class P> constexpr trial trials<P>::all[];

MAIN
