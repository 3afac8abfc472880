/*
 * A collective call inside: what its buffers are, its plan and program, and what a node remembers.
 */
#ifndef LSI_CALL_CALL_H
#define LSI_CALL_CALL_H

#include <lockstep/collective.h>

#include "engine/cooperative/cooperative.h"

/*
 * The program of a plan for this handle, compiled when the node first executes it itself; programs
 * outlive the calls that are forgotten.
 */
struct lsi_program_entry {
	struct lsi_program_entry *next;
	const struct ls_plan *plan;
	bool compiled;
	struct lsi_program program;
	size_t *lengths; /* counts and offsets that it was last bound to; or NULL */
	uint64_t told;   /* what envelopes say of them */
};

/*
 * What a call reads and writes at a node, in bytes; and how far into a buffer of p blocks the
 * node's own lies where the other buffer is one block.
 */
struct lsi_call_extent {
	size_t input, output, input_own, output_own;
};

/* A call, and its execution with everything filled in but the buffers. */
struct lsi_cached_call {
	/* With the buffers that it was last made with; of counts only whether there are. */
	struct ls_call call;
	bool in_place;
	bool padded;          /* all-to-all: no plan takes blocks of unequal lengths */
	struct ls_op_info op; /* what a user's operator was: another may have its address */
	struct lsi_call_extent extent;
	struct lsi_program_entry *program_entry;
	bool assembles;              /* lockstep rounds, or cooperative */
	bool cooperative;            /* is ready to be */
	bool follows_root;           /* so that it is, when the root changes */
	const struct ls_plan *other; /* of a cooperative call: as in struct lsi_cooperative_call */
	struct lsi_send_counts send_counts; /* of a cooperative call: what the node sends */
	struct lsi_execution execution;
};

enum { LSI_CALL_CACHE_SIZE = 64 }; /* a power of two */

/* What a node keeps for a handle. */
struct lsi_call_cache {
	struct lsi_program_entry *program_entry;
	char *scratch;
	size_t scratch_bytes;
	struct lsi_cached_call *place[LSI_CALL_CACHE_SIZE];
	struct lsi_cached_call *last[LS_OPERATIONS]; /* see is_told_by_address; or NULL */
};

/* NULL: no memory. */
struct lsi_call_cache *lsi_call_cache_of(struct ls_node *);

/* Learn a call, and remember it at that place of the memo; NULL: *failed says why. */
struct lsi_cached_call *lsi_call_cache_insert(struct ls_node *, struct lsi_cached_call **place,
	const struct ls_call *, bool in_place, int *failed);

/*
 * The plan of a group for a problem: made by the first node that needs it, then found without a
 * lock.  Valid as long as the group.  LS_OK or LS_ERR_MEMORY.
 */
int lsi_group_plan(struct ls_node *, const struct lsi_algorithm *, const struct lsi_problem *,
	const struct ls_plan **out);

/* As lsi_choose, for the group: what it chose for the first calls is kept. */
int lsi_group_choose(struct ls_node *, const struct ls_request *, const struct lsi_algorithm **,
	struct lsi_problem *);

/* The program of what is held; LS_OK, LS_ERR_MEMORY, or LS_ERR_LAW: a plan of the caller's. */
int lsi_program_entry_compile(struct ls_node *, struct lsi_program_entry *);

/* The engine for a call of so many nodes, with so many bytes of operand, or of a block of it. */
enum ls_engine lsi_engine_choose(const struct ls_machine *, int64_t nodes, enum ls_operation,
	size_t bytes, const char **why_or_null);

/* Is it LS_MAILBOXES only because nodes run ahead of each other, as they do while the root stays?
 */
bool lsi_engine_follows_root(
	const struct ls_machine *, int64_t nodes, enum ls_operation, size_t bytes);

/* A call with its defaults filled in, by any node. */
int lsi_call_make(struct ls_node *, const struct ls_call *);
/* A call that is remembered, with the same buffers. */
int lsi_call_cached(struct ls_node *, struct lsi_cached_call *);
/* The same with counts: the call's count is their sum. */
int lsi_call_counted(struct ls_node *, struct ls_call);

/* A total exchange of blocks of unequal lengths by one of equal lengths. */
int lsi_call_padded(struct ls_node *, const struct ls_call *);

/* Stop the machine, for want of memory at this node. */
int lsi_call_no_memory(struct ls_node *, const char *operation);

#endif
