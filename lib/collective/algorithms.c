/*
 * The table of all algorithms.
 *
 * Each folder holds one communication pattern.  A file of an algorithm is OPERATION_NAME.c, after
 * the first operation that it serves.  A file with a header of its own holds parts that several
 * share.
 *
 *   tree/       Messages follow the edges of one tree, toward the root or away from it.
 *               broadcast_naive, broadcast_binomial, broadcast_wrong_order,
 *               broadcast_spanning_tree, reduce_binomial, reduce_gather_fold, scatter_binomial,
 *               scatter_spanning_tree, scan_binomial
 *   line/       Data move from neighbor to neighbor along lines and rings; on a grid, dimension by
 *               dimension.
 *               *_pipeline, *_ring, *_odd_even, *_neighbor_exchange, allreduce_pattern,
 *               reduce_scatter_ordered_ring, shift_dimension, shift_two_phase
 *   exchange/   Partners lie at distances of powers of two: doubling, halving, dissemination,
 *               shuffles.
 *               *_doubling, allreduce_halving_doubling, allgather_bruck, barrier_dissemination,
 *               scan_dimension, shift_gray, *_shuffle
 *   cayley/     All nodes of a Cayley graph use the same link in a round, or messages
 *               follow trees of the star graph.
 *               *_sequence (word), alltoall_translation (parcels), *_paper, allreduce_substar,
 *               broadcast_matching, broadcast_sheu, broadcast_tseng
 *   direct/     Every block goes from its source to its destination by itself: in one message, or
 *               in store-and-forward packets.
 *               alltoall_direct (ecube, pairwise), alltoall_packets (parcels), alltoall_combining,
 *               shift_direct
 *   matching/   Rounds are largest matchings of senders to receivers, found by search once for a
 *               topology.
 *               broadcast_matching_tree, broadcast_matchings, allreduce_tree_pipeline,
 *               scan_chain, allgather_gossip, allgather_matchings, alltoall_gossip,
 *               alltoall_flows, shift_flows
 *   found/      Schedules of the fewest rounds, from a table of records.
 *               broadcast_found
 *   compose/    Plans made of plans: products of networks, long messages, fallbacks for every
 *               network.
 *               product_network, long_message, fallback
 */
#include "base/sized.h"
#include "collective/algorithm.h"

/* One algorithm per line.  `lockstep list` keeps this order, and it breaks ties of cost. */
#define LSI_ALGORITHMS(X) \
	X(lsi_broadcast_binomial) \
	X(lsi_broadcast_pipeline) \
	X(lsi_broadcast_dimension) \
	X(lsi_reduce_binomial) \
	X(lsi_reduce_pipeline) \
	X(lsi_reduce_dimension) \
	X(lsi_allreduce_doubling) \
	X(lsi_allreduce_halving_doubling) \
	X(lsi_allreduce_pipeline) \
	X(lsi_allreduce_dimension) \
	X(lsi_allreduce_pattern) \
	X(lsi_allreduce_neighbor_exchange) \
	X(lsi_allreduce_ring) \
	X(lsi_allreduce_odd_even) \
	X(lsi_allreduce_paper) \
	X(lsi_allreduce_substar) \
	X(lsi_scan_pipeline) \
	X(lsi_scan_lines) \
	X(lsi_scan_pattern) \
	X(lsi_scan_neighbor_exchange) \
	X(lsi_scan_substar) \
	X(lsi_scan_dimension) \
	X(lsi_scan_doubling) \
	X(lsi_scan_binomial) \
	X(lsi_barrier_dissemination) \
	X(lsi_allgather_doubling) \
	X(lsi_allgather_bruck) \
	X(lsi_allgather_neighbor_exchange) \
	X(lsi_allgather_ring) \
	X(lsi_allgather_odd_even) \
	X(lsi_allgather_odd_even_pairs) \
	X(lsi_reduce_scatter_halving) \
	X(lsi_reduce_scatter_ordered_halving) \
	X(lsi_reduce_scatter_bruck) \
	X(lsi_reduce_scatter_neighbor_exchange) \
	X(lsi_reduce_scatter_ring) \
	X(lsi_reduce_scatter_ordered_ring) \
	X(lsi_reduce_scatter_odd_even) \
	X(lsi_reduce_scatter_odd_even_pairs) \
	X(lsi_broadcast_matching) \
	X(lsi_reduce_matching) \
	X(lsi_allreduce_matching) \
	X(lsi_broadcast_sheu) \
	X(lsi_reduce_sheu) \
	X(lsi_allreduce_sheu) \
	X(lsi_broadcast_tseng) \
	X(lsi_reduce_tseng) \
	X(lsi_broadcast_spanning_tree) \
	X(lsi_reduce_spanning_tree) \
	X(lsi_allreduce_spanning_tree) \
	X(lsi_reduce_gather_fold) \
	X(lsi_product_move) \
	X(lsi_product_ordered) \
	X(lsi_product_commutative) \
	X(lsi_product_idempotent) \
	X(lsi_broadcast_scatter_allgather) \
	X(lsi_reduce_reduce_scatter_gather_ordered) \
	X(lsi_reduce_reduce_scatter_gather) \
	X(lsi_allreduce_reduce_scatter_allgather_ordered) \
	X(lsi_allreduce_reduce_scatter_allgather) \
	X(lsi_allgather_gather_broadcast) \
	X(lsi_reduce_scatter_reduce_then_scatter_ordered) \
	X(lsi_reduce_scatter_reduce_then_scatter) \
	X(lsi_scan_allgather_fold) \
	X(lsi_scan_allgather_fold_without_record) \
	X(lsi_scatter_binomial) \
	X(lsi_gather_binomial) \
	X(lsi_scatter_pipeline) \
	X(lsi_gather_pipeline) \
	X(lsi_scatter_dimension) \
	X(lsi_gather_dimension) \
	X(lsi_scatter_spanning_tree) \
	X(lsi_gather_spanning_tree) \
	X(lsi_broadcast_naive) \
	X(lsi_reduce_naive) \
	X(lsi_scatter_naive) \
	X(lsi_broadcast_wrong_order) \
	X(lsi_alltoall_ring) \
	X(lsi_alltoall_neighbor_exchange) \
	X(lsi_alltoall_bidirectional) \
	X(lsi_alltoall_dimension) \
	X(lsi_alltoall_odd_even) \
	X(lsi_alltoall_ecube) \
	X(lsi_alltoall_pairwise) \
	X(lsi_allreduce_shuffle) \
	X(lsi_allgather_shuffle) \
	X(lsi_reduce_scatter_shuffle) \
	X(lsi_alltoall_shuffle) \
	X(lsi_allreduce_sequence) \
	X(lsi_allgather_sequence) \
	X(lsi_allgather_paper) \
	X(lsi_reduce_scatter_sequence) \
	X(lsi_reduce_scatter_paper) \
	X(lsi_gather_sequence) \
	X(lsi_scatter_matching) \
	X(lsi_alltoall_sequence) \
	X(lsi_shift_ring) \
	X(lsi_shift_dimension) \
	X(lsi_shift_ecube) \
	X(lsi_shift_direct) \
	X(lsi_shift_two_phase) \
	X(lsi_shift_textbook) \
	X(lsi_shift_gray) \
	X(lsi_alltoall_translation) \
	X(lsi_alltoall_packets) \
	X(lsi_alltoall_combining) \
	X(lsi_broadcast_matching_tree) \
	X(lsi_reduce_matching_tree) \
	X(lsi_allreduce_matching_tree) \
	X(lsi_scatter_matching_tree) \
	X(lsi_allgather_gossip) \
	X(lsi_reduce_scatter_gossip) \
	X(lsi_allgather_matchings) \
	X(lsi_reduce_scatter_matchings) \
	X(lsi_broadcast_matchings) \
	X(lsi_reduce_matchings) \
	X(lsi_allreduce_matchings) \
	X(lsi_allreduce_tree_pipeline) \
	X(lsi_scan_chain) \
	X(lsi_alltoall_gossip) \
	X(lsi_alltoall_flows) \
	X(lsi_shift_combining) \
	X(lsi_shift_flows) \
	X(lsi_broadcast_found) \
	X(lsi_scan_found) \
	X(lsi_reduce_found)

#define DECLARE(name) extern const struct lsi_algorithm name;
#define ENTRY(name)   &name,

LSI_ALGORITHMS(DECLARE)

const struct lsi_algorithm *const lsi_algorithms[] = { LSI_ALGORITHMS(ENTRY) NULL };

bool ls_algorithm_list(size_t index, struct ls_algorithm_info *out)
{
	for (size_t i = 0; out && lsi_algorithms[i]; i++) {
		if (i < index)
			continue;

		const struct lsi_algorithm *a = lsi_algorithms[i];

		const struct ls_algorithm_info info = { sizeof info, a->name, a->networks, a->rounds,
			a->bound, a->source, a->operations, a->claim, a->identical };

		lsi_sized_write(out, &info, sizeof info);
		return true;
	}
	return false;
}
