/*
 * A collective call inside: its buffers, its plan and its program, and the caches of all three.
 *
 * docs/architecture.md shows the way of one call through these caches.
 */
#ifndef LSI_CALL_CALL_H
#define LSI_CALL_CALL_H

#include <lockstep/collective.h>

#include "engine/cooperative/cooperative.h"

/*
 * The program of a plan for this handle, compiled when the node first executes the plan itself.  It
 * lives as long as the handle, also when the calls that use it leave the cache.
 */
struct lsi_program_entry {
	struct lsi_program_entry *next;
	const struct ls_plan *plan;
	bool compiled;
	struct lsi_program program;
	size_t *lengths;           /* counts and offsets that it was last bound to; or NULL */
	uint64_t envelope_lengths; /* the word for these counts in envelopes */
};

/*
 * The bytes that a call reads and writes at a node; and, where one buffer has p blocks and the
 * other is one block, the offset of the node's own block.
 */
struct lsi_call_extent {
	size_t input, output, input_own, output_own;
};

/* A call, and its execution with all fields set but the buffers. */
struct lsi_cached_call {
	struct ls_call call; /* with its last buffers; of counts only whether they are given */
	bool in_place;
	bool padded;          /* all-to-all: no plan takes blocks of unequal lengths */
	struct ls_op_info op; /* of a user's operator: another may have its address later */
	struct lsi_call_extent extent;
	struct lsi_program_entry *program_entry;
	bool assembles;              /* nodes meet first: lockstep rounds, or cooperative */
	bool cooperative;            /* the cooperative engine may execute it */
	bool follows_root;           /* it does so when the root changes */
	const struct ls_plan *other; /* see struct lsi_cooperative_call */
	struct lsi_send_counts
		send_counts; /* the messages that the node counts when it is cooperative */
	struct lsi_execution execution;
};

enum { LSI_CALL_CACHE_SIZE = 64 }; /* a power of two */

/* The caches of a handle. */
struct lsi_call_cache {
	struct lsi_program_entry *programs;
	char *scratch; /* of the plans' scratch buffers: shared by all programs */
	size_t scratch_bytes;
	struct lsi_cached_call *entry[LSI_CALL_CACHE_SIZE];
	struct lsi_cached_call *last_call[LS_OPERATIONS]; /* see identified_by_pointers; or NULL */
};

/* The caches of a handle, made on first use; NULL: no memory. */
struct lsi_call_cache *lsi_call_cache_of(struct ls_node *);

/* Prepare a call, and insert it into that entry of the cache; NULL: *failed says why. */
struct lsi_cached_call *lsi_call_cache_insert(struct ls_node *, struct lsi_cached_call **entry,
	const struct ls_call *, bool in_place, int *failed);

/*
 * The plan of a group for a problem: made by the first node that needs it, then found without a
 * lock.  Valid as long as the group.  LS_OK or LS_ERR_MEMORY.
 */
int lsi_group_plan(struct ls_node *, const struct lsi_algorithm *, const struct lsi_problem *,
	const struct ls_plan **out);

/* As lsi_choose, for the group; its first choices are cached. */
int lsi_group_choose(struct ls_node *, const struct ls_request *, const struct lsi_algorithm **,
	struct lsi_problem *);

/* LS_OK, LS_ERR_MEMORY, or LS_ERR_LAW: a plan of the caller breaks a law. */
int lsi_program_entry_compile(struct ls_node *, struct lsi_program_entry *);

/* The engine for a call of that many nodes, with that many bytes of operand, or of its block. */
enum ls_engine lsi_engine_choose(const struct ls_machine *, int64_t nodes, enum ls_operation,
	size_t bytes, const char **why_or_null);

/*
 * Is the engine LS_MAILBOXES only because nodes run ahead of each other?  They do so as long as the
 * root stays the same.
 */
bool lsi_engine_follows_root(
	const struct ls_machine *, int64_t nodes, enum ls_operation, size_t bytes);

/* Execute a call whose defaults are set; any node may call it. */
int lsi_call_make(struct ls_node *, const struct ls_call *);
/* Execute a cached call, with the same buffers. */
int lsi_call_cached(struct ls_node *, struct lsi_cached_call *);
/* Execute a call with counts: the call's count becomes their sum. */
int lsi_call_counted(struct ls_node *, struct ls_call);

/* Execute an all-to-all of blocks of unequal lengths by one of equal lengths. */
int lsi_call_padded(struct ls_node *, const struct ls_call *);

/* Stop the machine: this node has no memory. */
int lsi_call_no_memory(struct ls_node *, const char *operation);

#endif
