/*
 * All-to-all in the rounds of an all-gather, on any network without switches.
 *
 * In the all-gather (gossip_search.h) the block of node x spreads along a tree.  Here the block
 * from x to w takes the path to w in this tree, in the same rounds.  A message carries all blocks
 * that take its link in its round.
 *
 *   rounds     length of the schedule of the all-gather
 *   words      m times the sum of the lengths of all paths
 *   memory     p slots and slots for blocks in transit; tables of 48 bytes per hop of a block
 *   requires   hop mode, at most 256 nodes
 *   source     this project: greedy matchings
 */
#include "base/alloc.h"
#include "collective/direct/combined_packets.h"
#include "collective/matching/gossip_search.h"
#include "collective/round_bound.h"

enum { NODES = 256 };

static bool supports(const struct lsi_problem *problem)
{
	return lsi_delivery_fits(problem) && problem->nodes <= NODES;
}

struct paths {
	const struct lsi_delivery *delivery;
	int64_t p, hops;
	int32_t *message; /* of each pair node * p + origin: that which brings the block; -1: none */
	int32_t *place;   /* of each message: where its next hop is written */
};

/* The hops of all messages: one for each node behind the receiver in the tree of a block. */
static bool find_paths(struct paths *s)
{
	const struct lsi_delivery *const d = s->delivery;
	const int64_t p = s->p;

	s->message = lsi_alloc(((size_t)(p * p) + (size_t)d->messages + 1) * sizeof *s->message);
	if (!s->message)
		return false;
	s->place = s->message + p * p;
	for (int64_t pair = 0; pair < p * p; pair++)
		s->message[pair] = -1;
	for (int32_t m = 0; m < d->messages; m++) {
		s->place[m] = 0;
		for (int32_t i = d->message[m].first; i < d->message[m + 1].first; i++)
			s->message[d->message[m].to * p + d->block[i]] = m;
	}
	s->hops = 0;
	for (int64_t pair = 0; pair < p * p; pair++)
		for (int32_t m = s->message[pair]; m >= 0;
			 m = s->message[d->message[m].from * p + pair % p]) {
			s->place[m]++;
			s->hops++;
		}
	return true;
}

/* Write the hops in the order of messages; in a message those first that are not the last hop. */
static void write_hops(struct paths *s, struct lsi_packets *packets)
{
	const struct lsi_delivery *const d = s->delivery;
	const int64_t p = s->p;
	int32_t sum = 0;

	for (int64_t m = 0; m < d->messages; m++) {
		const int32_t count = s->place[m];

		s->place[m] = sum;
		sum += count;
	}
	for (int last = 0; last < 2; last++)
		for (int64_t pair = 0; pair < p * p; pair++)
			for (int32_t m = s->message[pair]; m >= 0;
				 m = s->message[d->message[m].from * p + pair % p]) {
				const struct lsi_delivery_message *const message = &d->message[m];
				const int64_t target = pair / p, origin = pair % p;

				if ((message->to == target) == last)
					packets->hop[s->place[m]++] = (struct lsi_packet_hop){ message->round,
						message->from, message->to, (int32_t)(origin * p + target), -1, -1 };
			}
	packets->hops = s->hops;
}

/* NULL: no memory. */
static struct lsi_packets *make(const struct ls_topology *t)
{
	struct paths s = { .delivery = lsi_gossip_delivery(t), .p = t->nodes };
	struct lsi_packets *packets = NULL;

	if (s.delivery && find_paths(&s))
		packets = lsi_packets_allocate(s.p, s.hops);
	if (packets) {
		write_hops(&s, packets);
		packets = lsi_packets_finish(packets, s.p, s.p);
	}
	lsi_free(s.message);
	return packets;
}

static int prepare(struct ls_plan *plan)
{
	return lsi_combined_prepare_with(plan, make(plan->problem.topology));
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	return lsi_packets_predict_with(make(problem->topology), n);
}

const struct lsi_algorithm lsi_alltoall_gossip = {
	.operations = LSI_FOR(LS_ALLTOALL),
	.name = "gossip",
	.networks = "any network without switches, in hop mode",
	.rounds = "length of a schedule of matchings that spread most blocks",
	.bound = LSI_ROUND_BOUND,
	.source = "this project: greedy matchings",
	.claim = LS_MOVE,
	.identical = true,
	.general = true,
	.supports = supports,
	.frame = lsi_combined_frame,
	.prepare = prepare,
	.release = lsi_combined_release,
	.peers = lsi_combined_peers,
	.body = lsi_combined_body,
	.predict = predict,
	.predict_least = lsi_delivery_predict_least,
	.lower_bound = lsi_round_lower_bound,
	.whole = &lsi_combined_whole,
};
