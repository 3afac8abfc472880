/*
 * Check: proves that a plan obeys the laws, by replaying it with symbolic contents.
 *
 *   0 shape      every block that a step names exists; the operands of a move have equal lengths;
 *                only operations with an operator combine blocks
 *   1 port       in a round a node sends at most one message on each port, and receives at most
 *                one; no two ports send to the same node, or receive from the same node
 *   2 match      u sends to v if and only if v receives from u: equally many blocks, of the same
 *                lengths
 *   3 link       hop mode: sender and receiver are neighbors.  Routed mode, strict: no directed
 *                link carries two messages in a round.
 *   4 in flight  no move of a round writes a block that its node sends in that round
 *   5 result     every node ends with the result of the operation: each contribution exactly once
 *                (at least once in an idempotent plan), in rank order if the plan claims `ordered`,
 *                by the same expression at every node if it claims `identical`
 *   6 count      rounds, messages, words and volume equal the formulas of the algorithm
 *   7 nodup      if the plan claims it: no node receives a contribution twice
 *   8 zero-copy  zero-copy blocks are read before they are overwritten: a node overwrites a block
 *                that it sent without a copy only after the acknowledgment of the receiver
 */
#ifndef LOCKSTEP_CHECK_H
#define LOCKSTEP_CHECK_H

#include <lockstep/embedding.h>
#include <lockstep/plan.h>
#include <lockstep/replay.h>

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
	LS_LAW_ZERO_COPY,
	LS_LAWS
};
LS_API const char *ls_law_name(enum ls_law); /* "in flight" */

/*
 * A function that writes the waits of one node.  waits[t] = s means: before the moves of step t,
 * all zero-copy messages that the node sent in steps up to s must be acknowledged.  -1 means no
 * wait.
 *
 * Shape      waits has ls_plan_steps() entries.
 * Returns    LS_OK or LS_ERR_MEMORY
 */
typedef int ls_wait_steps(const ls_plan *, int64_t rank, int64_t *waits);

/* Set size to the size of the struct.  Zero in any other field selects its default. */
struct ls_check_options {
	size_t size;
	bool strict; /* law 3 allows one message on a directed link in a round */
	/*
	 * Bytes for sets of contributions; default 1 GiB.  If a plan needs more, law 5 is proved by two
	 * random 64-bit fingerprints, or for an idempotent plan exactly, but more slowly.  Law 7 is
	 * then not checked.
	 */
	size_t memory;
	ls_wait_steps *waits; /* waits that law 8 assumes; default: those of the engines */
	/*
	 * Not NULL: the plan is for the guest of this embedding.  Law 3 is then checked on the host, in
	 * `mode`, and a violation of it names vertices and links of the host.  NULL: law 3 is checked
	 * on the network and in the mode of the plan.
	 */
	const ls_embedding *embedding;
	enum ls_mode mode;
	const struct ls_observer *observer; /* sees what nodes hold in each step */
};

struct ls_certificate {
	size_t size;
	uint32_t laws;           /* bit 1 << law is set if the law is proved */
	struct ls_counts counts; /* of the replay with n elements */
	int64_t link_load;       /* maximum number of messages on a directed link in a round */
	bool ordered;            /* every result is in rank order */
	bool identical;          /* all nodes evaluate the same expression, and so get the same bits */
	bool nodup;              /* law 7 was claimed and proved */
	bool by_fingerprint;     /* a result was compared by fingerprint */

	/* The first violation.  Fields that do not apply are -1. */
	int broken_law; /* an enum ls_law; -1 if every law holds */
	int64_t node, peer;
	int64_t round;  /* from 1; 0 for a local step */
	int64_t link;   /* number of the link, as ls_link_label gives it */
	char text[256]; /* one line: law, location, violation */
};

/*
 * Prove that a plan obeys the laws when it runs with n elements.
 *
 * Shape      The caller sets out->size.  The certificate is written even if the call fails.
 * Returns    LS_OK            every law holds
 *            LS_ERR_LAW       the certificate describes the first violation
 *            LS_ERR_ARGUMENT  the size of the options is 0, unknown fields are set, the observer is
 *                             incomplete, or more than 2^61 words are sent: the text says so
 *            LS_ERR_MEMORY    the proof is incomplete
 *            any other value  that of the observer, which ended the check
 * Cost       Time: proportional to the messages times the contributions in each.  Memory: 4 bytes
 *            for each block of each node's buffers, and up to options->memory.
 */
LS_API LS_MUST_CHECK int ls_check(
	const ls_plan *, size_t n, const struct ls_check_options *or_null, struct ls_certificate *out);

LS_END_DECLS
#endif
