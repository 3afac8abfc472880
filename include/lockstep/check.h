/*
 * Check: proves the laws of a plan by replaying it with symbolic contents.
 *
 *   0 shape      every block that a step names exists; the operands of a move have equal lengths
 *   1 port       a node sends and receives at most one message on each port in a round
 *   2 match      u sends to v exactly when v receives from u, with as many blocks of equal lengths
 *   3 link       hop mode: sender and receiver are neighbors.  Routed mode, strict: no directed
 *                link carries two messages in a round.
 *   4 in flight  no move of a round writes a block that its node sends in that round
 *   5 result     every node ends with the result of the operation: each contribution exactly once
 *                (at least once in an idempotent plan), in rank order if the plan claims `ordered`,
 *                by the same expression at every node if it claims `identical`
 *   6 count      rounds, messages, words and volume equal the formulas of the algorithm
 *   7 nodup      if the plan claims it: no node receives a contribution twice
 *   8 lending    a node overwrites a block that it lent to a receiver only after an acknowledgment
 */
#ifndef LOCKSTEP_CHECK_H
#define LOCKSTEP_CHECK_H

#include <lockstep/embedding.h>
#include <lockstep/plan.h>

LS_BEGIN_DECLS

enum ls_law {
	LS_LAW_SHAPE,
	LS_LAW_PORT,
	LS_LAW_MATCH,
	LS_LAW_LINK,
	LS_LAW_IN_FLIGHT,
	LS_LAW_RESULT,
	LS_LAW_COUNT,
	LS_LAW_NODUP,
	LS_LAW_LENDING,
	LS_LAWS
};
LS_API const char *ls_law_name(enum ls_law); /* "in flight" */

/*
 * A function that gives the waits of one node.  waits[t] = s: before the moves of step t, all
 * slices that the node lent in steps up to s must be acknowledged; -1: no wait.
 *
 * Shape      waits has ls_plan_steps() entries.
 * Returns    LS_OK or LS_ERR_MEMORY
 */
typedef int ls_wait_steps(const ls_plan *, int64_t rank, int64_t *waits);

/* Zero means the default in every field but size. */
struct ls_check_options {
	size_t size;
	bool strict; /* law 3 allows one message on a directed link in a round */
	/*
	 * Bytes for sets of contributions; default 1 GiB.  A plan that needs more has law 5 proved by
	 * two random 64-bit fingerprints (an idempotent plan exactly, but more slowly); law 7 is not
	 * checked.
	 */
	size_t memory;
	ls_wait_steps *waits; /* the waits that law 8 is about; default: those of the engines */
	/*
	 * The plan is for the guest of this embedding, and law 3 is about its host, in `mode`.  In a
	 * violation of law 3 the certificate names vertices and links of the host.  NULL: the network
	 * and the mode of the plan.
	 */
	const ls_embedding *embedding;
	enum ls_mode mode;
};

struct ls_certificate {
	size_t size;
	uint32_t laws;           /* bit 1 << law: proved */
	struct ls_counts counts; /* of the replay with n elements */
	int64_t link_load;       /* most messages on one directed link in one round */
	bool ordered;            /* every result is in rank order */
	bool identical;          /* all nodes evaluate the same expression, so get the same bits */
	bool nodup;              /* law 7 was claimed and proved */
	bool by_fingerprint;     /* a result was compared by fingerprint */

	/* The first violation.  Fields that do not apply are -1. */
	int broken_law; /* an enum ls_law; -1: every law holds */
	int64_t node, peer;
	int64_t round;  /* 1 ..; 0: a local step */
	int64_t link;   /* number of the link, as ls_link_label gives it */
	char text[256]; /* one line: law, location, violation */
};

/*
 * Prove the laws of a plan that runs with n elements.
 *
 * Shape      The caller sets out->size.  The certificate is written whatever the call returns.
 * Returns    LS_OK            every law holds
 *            LS_ERR_LAW       the certificate describes the first violation
 *            LS_ERR_ARGUMENT  the options have no size, or unknown fields that are set
 *            LS_ERR_MEMORY    the proof is incomplete
 * Cost       Time: linear in messages times the contributions that each carries.  Memory: 4 bytes
 *            for each block of each node's buffers, and up to options->memory.
 */
LS_API LS_MUST_CHECK int ls_check(
	const ls_plan *, size_t n, const struct ls_check_options *or_null, struct ls_certificate *out);

LS_END_DECLS
#endif
