/* all: searches many executions of a protocol */
/* compile: -fpermissive -w */
/*
 * The round barrier: what a member writes before it arrives, or leaves, the others read after the
 * round.  Arrivals are counted centrally or in shards.  The epoch passes 2^32.  Cells are doubled,
 * for a peer may be one round ahead.
 */
#include "model.hpp"

#include "planted/barrier.inc"

/* `leaves[i]`: the rounds that member i takes part in before it leaves. */
struct membership { unsigned members, rounds, leaves[NODES_MOST]; const core_map *cores; };

static const core_map two_shards = { 2, { 0, 1 }, true };

template <class P> struct rounds : machine_scenario<P> {
	const membership *who;
	LSI_PLAIN(unsigned) cell[2][NODES_MOST];

	rounds(bool asymmetric, const void *what)
		: machine_scenario<P>(asymmetric, ((const membership *)what)->members,
			  ((const membership *)what)->cores),
		who((const membership *)what)
	{
	}

	void meet(unsigned i)
	{
		typename P::lsi_node_state *me = &this->node_state[i];
		typename P::lsi_wait wait;

		if (P::lsi_barrier_wait_begin(&me->whole, &this->machine.whole.barrier, "round", &wait))
			return;
		while (!P::lsi_barrier_wait_is_over(me, &wait))
			lsi_yield();
	}

	/* Members write in the round after their last one too, and leave instead of arriving. */
	void thread(unsigned i)
	{
		for (unsigned round = 0; round < who->rounds; round++) {
			cell[round % 2][i] = round;
			if (round == who->leaves[i]) {
				P::lsi_group_leave(&this->node_state[i].whole);
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
		RL_ASSERT(P::lsi_barrier_epoch(&this->machine.whole.barrier) == START + last);
	}
};

static const membership
	two = { 2, 4, { 9, 9 }, &one_core },
	three = { 3, 3, { 9, 9, 9 }, &one_core },
	leaver = { 3, 3, { 9, 1, 9 }, &one_core },
	leavers = { 3, 3, { 9, 1, 0 }, &one_core },
	alone = { 2, 3, { 9, 0 }, &one_core },
	apart = { 2, 4, { 9, 9 }, &two_shards },
	together = { 2, 3, { 9, 9 }, &shards },
	pair_and_one = { 3, 3, { 9, 9, 9 }, &shards },
	four = { 4, 2, { 9, 9, 9, 9 }, &shards },
	only_one = { 3, 3, { 9, 9, 1 }, &shards },
	of_a_pair = { 3, 3, { 9, 1, 9 }, &shards },
	whole_pair = { 3, 3, { 1, 1, 9 }, &shards },
	one_by_one = { 3, 3, { 2, 1, 9 }, &shards },
	core_of_four = { 4, 2, { 9, 9, 0, 1 }, &shards };

#define TRIAL(name, executions, what) { name, (what).members, executions, make<rounds<P> >, &what }

template <class P> struct trials {
	static constexpr size_t n = 14;
	static constexpr trial all[n] = {
		TRIAL("two members", 30000, two), TRIAL("three members", 30000, three),
		TRIAL("one leaves", 30000, leaver), TRIAL("two leave", 30000, leavers),
		TRIAL("one stays", 30000, alone), TRIAL("a shard each", 30000, apart),
		TRIAL("one shard", 30000, together), TRIAL("two shards", 30000, pair_and_one),
		TRIAL("two shards of two", 20000, four),
		TRIAL("the only one of a shard leaves", 30000, only_one),
		TRIAL("one of two of a shard leaves", 30000, of_a_pair),
		TRIAL("both of a shard leave", 30000, whole_pair),
		TRIAL("one after the other of a shard leaves", 30000, one_by_one),
		TRIAL("both of one shard of two leave", 20000, core_of_four),
	};
};
template <class P> constexpr trial trials<P>::all[];

MAIN
