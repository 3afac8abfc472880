#include "collective/algorithm.h"

/* One line an algorithm.  The order is that of `lockstep list`, and breaks ties of cost. */
#define LS_ALGORITHMS(X) \
	X(ls_broadcast_binomial) \
	X(ls_broadcast_pipeline) \
	X(ls_broadcast_dimension) \
	X(ls_reduce_binomial) \
	X(ls_reduce_pipeline) \
	X(ls_reduce_dimension) \
	X(ls_allreduce_doubling) \
	X(ls_allreduce_halving_doubling) \
	X(ls_allreduce_pipeline) \
	X(ls_allreduce_dimension) \
	X(ls_allreduce_pattern) \
	X(ls_allreduce_neighbor_exchange) \
	X(ls_allreduce_ring) \
	X(ls_allreduce_odd_even) \
	X(ls_allreduce_paper) \
	X(ls_allreduce_substar) \
	X(ls_scan_pipeline) \
	X(ls_scan_lines) \
	X(ls_scan_pattern) \
	X(ls_scan_neighbor_exchange) \
	X(ls_scan_substar) \
	X(ls_scan_dimension) \
	X(ls_scan_doubling) \
	X(ls_scan_binomial) \
	X(ls_barrier_dissemination) \
	X(ls_allgather_doubling) \
	X(ls_allgather_bruck) \
	X(ls_allgather_neighbor_exchange) \
	X(ls_allgather_ring) \
	X(ls_allgather_odd_even) \
	X(ls_allgather_odd_even_pairs) \
	X(ls_reduce_scatter_halving) \
	X(ls_reduce_scatter_ordered_halving) \
	X(ls_reduce_scatter_bruck) \
	X(ls_reduce_scatter_neighbor_exchange) \
	X(ls_reduce_scatter_ring) \
	X(ls_reduce_scatter_ordered_ring) \
	X(ls_reduce_scatter_odd_even) \
	X(ls_reduce_scatter_odd_even_pairs) \
	X(ls_broadcast_matching) \
	X(ls_reduce_matching) \
	X(ls_allreduce_matching) \
	X(ls_broadcast_sheu) \
	X(ls_reduce_sheu) \
	X(ls_allreduce_sheu) \
	X(ls_broadcast_tseng) \
	X(ls_reduce_tseng) \
	X(ls_broadcast_spanning_tree) \
	X(ls_reduce_spanning_tree) \
	X(ls_allreduce_spanning_tree) \
	X(ls_reduce_gather_fold) \
	X(ls_product_move) \
	X(ls_product_ordered) \
	X(ls_product_commutative) \
	X(ls_product_idempotent) \
	X(ls_broadcast_scatter_allgather) \
	X(ls_reduce_reduce_scatter_gather_ordered) \
	X(ls_reduce_reduce_scatter_gather) \
	X(ls_allreduce_reduce_scatter_allgather_ordered) \
	X(ls_allreduce_reduce_scatter_allgather) \
	X(ls_allgather_gather_broadcast) \
	X(ls_reduce_scatter_reduce_then_scatter_ordered) \
	X(ls_reduce_scatter_reduce_then_scatter) \
	X(ls_scan_allgather_fold) \
	X(ls_scatter_binomial) \
	X(ls_gather_binomial) \
	X(ls_scatter_pipeline) \
	X(ls_gather_pipeline) \
	X(ls_scatter_dimension) \
	X(ls_gather_dimension) \
	X(ls_scatter_spanning_tree) \
	X(ls_gather_spanning_tree) \
	X(ls_broadcast_naive) \
	X(ls_reduce_naive) \
	X(ls_scatter_naive) \
	X(ls_broadcast_wrong_order) \
	X(ls_alltoall_ring) \
	X(ls_alltoall_bidirectional) \
	X(ls_alltoall_dimension) \
	X(ls_alltoall_odd_even) \
	X(ls_alltoall_ecube) \
	X(ls_alltoall_pairwise) \
	X(ls_allreduce_shuffle) \
	X(ls_allgather_shuffle) \
	X(ls_reduce_scatter_shuffle) \
	X(ls_alltoall_shuffle) \
	X(ls_allreduce_word) \
	X(ls_allgather_word) \
	X(ls_allgather_paper) \
	X(ls_reduce_scatter_word) \
	X(ls_reduce_scatter_paper) \
	X(ls_gather_word) \
	X(ls_alltoall_word) \
	X(ls_shift_ring) \
	X(ls_shift_dimension) \
	X(ls_shift_ecube) \
	X(ls_shift_direct) \
	X(ls_shift_two_phase) \
	X(ls_shift_textbook) \
	X(ls_shift_gray) \
	X(ls_alltoall_translation) \
	X(ls_alltoall_parcels) \
	X(ls_alltoall_combining)

#define DECLARE(name) extern const struct ls_algorithm name;
#define ENTRY(name) &name,

LS_ALGORITHMS(DECLARE)

const struct ls_algorithm *const ls_algorithms[] = { LS_ALGORITHMS(ENTRY) NULL };

bool ls_algorithm_list(size_t index, struct ls_algorithm_info *out)
{
	for (size_t i = 0; ls_algorithms[i]; i++) {
		if (i < index)
			continue;

		const struct ls_algorithm *a = ls_algorithms[i];

		*out = (struct ls_algorithm_info){ sizeof *out, a->name, a->networks, a->rounds, a->bound,
			a->source, a->operations, a->claim, a->identical };
		return true;
	}
	return false;
}
