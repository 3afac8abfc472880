/*
 * Cost model of plans, and the choice of the default algorithm.
 */
#ifndef LOCKSTEP_COST_H
#define LOCKSTEP_COST_H

#include <lockstep/embedding.h>
#include <lockstep/plan.h>

LS_BEGIN_DECLS

/* Times of a message, all in the same unit. */
struct ls_cost_model {
	double t_s; /* start-up */
	double t_w; /* per byte */
	double t_h; /* per hop */
};

/* The fixed model that chooses default algorithms: the choice is the same on every machine. */
LS_API extern const struct ls_cost_model ls_cost_model_default;

/*
 * The cost of a plan for n elements of `bytes` bytes each:
 *
 *   T = sum over rounds of  t_s
 *                         + t_w * (bytes on the busiest directed link)
 *                         + t_h * (hops of the longest route)
 *
 * In hop mode a link carries one message in a round.  ls_plan_cost_on takes a plan for the guest of
 * an embedding, and counts bytes and hops on the host.
 *
 * Returns    T, or -1 if there is no memory
 */
LS_API double ls_plan_cost(const ls_plan *, size_t n, size_t bytes, struct ls_cost_model);
LS_API double ls_plan_cost_on(
	const ls_plan *, const ls_embedding *or_null, size_t n, size_t bytes, struct ls_cost_model);

/* The loads of one step of a plan.  A local step has only zeros. */
struct ls_round_load {
	size_t size;
	int64_t messages, words; /* maximum over all directed links */
	int64_t longest;         /* words of the longest message */
	int64_t hops;            /* of the longest route */
};
/* The load of one directed link, from a vertex to its neighbor, in one step. */
struct ls_link_load {
	int64_t from, to, messages, words;
};
/*
 * Compute the loads of a step of a plan for n elements, whose messages follow their routes.
 * ls_plan_link_loads calls link(context, ..) for each link that carries a message, sorted by
 * vertex, then link index.
 *
 * Returns    LS_OK
 *            LS_ERR_ARGUMENT
 *            LS_ERR_MEMORY
 *            the first non-zero value that link returned, which ends the list
 */
LS_API LS_MUST_CHECK int ls_plan_round_load(const ls_plan *, const ls_embedding *or_null,
	int64_t step, size_t n, struct ls_round_load *out);
LS_API LS_MUST_CHECK int ls_plan_link_loads(const ls_plan *, const ls_embedding *or_null,
	int64_t step, size_t n, int (*link)(void *context, const struct ls_link_load *), void *context);

/* One algorithm that could serve a request. */
struct ls_candidate {
	size_t size;
	const char *algorithm;
	struct ls_counts counts; /* volume includes congestion if `load` is known */
	double cost;             /* under ls_cost_model_default */
	bool chosen;             /* the default for this request */
	int64_t load;            /* maximum messages on a directed link in a round; -1 if unknown */
	int64_t lower_bound;     /* every algorithm needs at least this many rounds; -1 if unknown */
	enum ls_claim claim;
};
/*
 * List the candidates for a request, in the order of the table of algorithms.  Candidates with the
 * same name differ in their claims.
 *
 * Three limits keep the list fast on large networks:
 *
 *   LS_EXACT_CHOICE_NODES  On networks with more nodes, an algorithm for any network is the default
 *                          only if the network has no algorithm of its own.
 *   LS_COUNTED_NODES       On networks with more nodes, counts and cost of an algorithm for any
 *                          network are -1.
 *   LS_LOAD_WALK_LIMIT     If nodes times rounds is larger, routed mode does not walk all routes:
 *                          load is -1, and the cost does not include congestion.
 *
 * Shape      The caller sets out->size.
 * Returns    false if index is past the last candidate, or the request is invalid
 */
enum { LS_EXACT_CHOICE_NODES = 1 << 7, LS_COUNTED_NODES = 1 << 20, LS_LOAD_WALK_LIMIT = 1 << 18 };
LS_API bool ls_candidate_list(const struct ls_request *, size_t index, struct ls_candidate *out);

/*
 * Every plan with one block per message needs at least this many rounds for the request.  In any
 * other plan the longest messages of all rounds have at least this many blocks together.
 *
 * Returns    -1 if unknown: routed mode, any operation other than all-to-all and shift, a network
 *            with switches or more than 256 nodes, or an invalid request
 */
LS_API int64_t ls_block_bound(const struct ls_request *);

/*
 * In every plan for the request the longest messages of all rounds have at least this many words
 * together, for `count` elements.
 *
 * Returns    -1 if unknown: all-to-all, shift and barrier, no memory, or an invalid request
 */
LS_API int64_t ls_words_bound(const struct ls_request *);

/*
 * Every plan for the request costs at least this, for `count` elements: a bound of its rounds and
 * words together.  It does not count t_h.
 *
 * Returns    -1 if ls_words_bound is
 */
LS_API double ls_cost_bound(const struct ls_request *, struct ls_cost_model);

/* One measurement: the rounds of a plan, the bytes as ls_plan_cost counts them, and its time. */
struct ls_cost_sample {
	double rounds, bytes, time;
};
/*
 * Fit t_s >= 0 and t_w >= 0 to samples: time = rounds * t_s + bytes * t_w, by least squares of the
 * relative errors.  t_h is set to 0.  If no sample has bytes, only t_s is fitted.
 * *residual_or_null becomes the mean absolute relative error.
 *
 * Returns    LS_OK
 *            LS_ERR_ARGUMENT     no samples, a time <= 0, or negative rounds or bytes
 *            LS_ERR_UNSUPPORTED  all samples have the same ratio of bytes to rounds
 */
LS_API LS_MUST_CHECK int ls_cost_fit(const struct ls_cost_sample *, size_t count,
	struct ls_cost_model *out, double *residual_or_null);

LS_END_DECLS
#endif
