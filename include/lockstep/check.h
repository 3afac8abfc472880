/*
 * Check: the laws that every plan obeys, proved by replaying it with symbolic contents.
 *
 *   0 shape      every block that is named exists, and a move reads and writes what fits together
 *   1 port       a node sends and receives at most one message on each port in a round
 *   2 match      u sends to v exactly when v receives from u: as many blocks, of the same lengths
 *   3 link       hop mode: u and v are neighbours; routed mode: the load of each directed link
 *   4 in flight  no move of a round writes what its node sends in that round
 *   5 result     every node ends with what the operation defines: each contribution exactly once
 *                (at least once where the plan claims to be idempotent), in rank order where
 *                claimed, the same expression at every node where claimed
 *   6 count      rounds, messages, words and volume equal the formulas of the algorithm
 *   7 nodup      where claimed: no node receives a contribution twice
 *   8 lending    storage lent to a receiver is overwritten only when the receiver is known to have
 *                read it
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
 * For each step of one node, into waits[ls_plan_steps()]: the latest earlier step whose lent
 * slice must be acknowledged before the moves of this one, or -1.  It stands for that step and
 * all before it.  Returns LS_OK or LS_ERR_MEMORY.
 */
typedef int ls_wait_steps(const ls_plan *, int64_t rank, int64_t *waits);

/* Zero means the default in every field but size. */
struct ls_check_options {
	size_t size;
	bool strict; /* a link that two messages cross in one round breaks law 3 */
	/*
	 * Bytes for sets of contributions; default 1 GiB.  Beyond, law 5 is proved by two random
	 * fingerprints of 64 bits (of idempotent plans exactly, but more slowly), and law 7 is left
	 * open.
	 */
	size_t memory;
	ls_wait_steps *waits; /* what law 8 is proved of; default: the waits that engines use */
	/*
	 * The plan is one for the guest: law 3 is proved of the host, in this mode.  Of that law the
	 * certificate names vertices and links of the host, of others nodes of the guest.  NULL: the
	 * network and mode of the plan.
	 */
	const ls_embedding *embedding;
	enum ls_mode mode;
};

struct ls_certificate {
	size_t size;
	uint32_t laws;           /* bit 1 << law: proved, also before a violation of another */
	struct ls_counts counts; /* counted, for n elements */
	int64_t link_load;       /* most messages on one directed link in one round */
	bool ordered;            /* every result is in rank order */
	bool identical;          /* every node evaluates the same expression: the same bits */
	bool nodup;              /* law 7 was claimed and proved */
	bool by_fingerprint;     /* some result was compared by fingerprint */

	/* The first violation; broken is -1 when there is none.  What does not apply is -1. */
	int broken_law; /* the law */
	int64_t node, peer;
	int64_t round;  /* 1 ..; 0: a local step */
	int64_t link;   /* the network's own number of the link */
	char text[256]; /* one line: law, place, and what was there */
};

/*
 * Prove the laws of a plan run with n elements.
 *
 * Shape      out->size is set by the caller to sizeof *out; all else is written, whatever is
 *            returned.
 * Returns    LS_OK           every law holds
 *            LS_ERR_LAW      the certificate describes the first violation
 *            LS_ERR_MEMORY   nothing is known
 * Cost       linear in messages x contributions that they carry.  Memory: 4 bytes for each block
 *            of each node's buffers, and the sets of options->memory.
 */
LS_API LS_MUST_CHECK int ls_check(
	const ls_plan *, size_t n, const struct ls_check_options *or_null, struct ls_certificate *out);

LS_END_DECLS
#endif
