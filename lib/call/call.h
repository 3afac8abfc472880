/*
 * The implementation of collective calls: buffers, plans and compiled plans, and their caches.
 *
 * docs/architecture.md shows the path of a call through these caches.
 */
#ifndef LSI_CALL_CALL_H
#define LSI_CALL_CALL_H

#include <lockstep/collective.h>

#include "machine/shared_threads.h"
#include "machine/verdict.h"
#include "engine/cooperative/cooperative.h"

/*
 * A plan, compiled for this handle when the node first executes its own steps.  It is kept until
 * the handle ends, even after the cached calls that use it were replaced.
 */
struct lsi_compiled_plan_entry {
	struct lsi_compiled_plan_entry *next; /* of its chain */
	const struct ls_plan *plan;
	bool is_compiled;
	struct lsi_compiled_plan compiled_plan;
	size_t *lengths;           /* the counts and offsets to which it was last bound, or NULL */
	uint64_t envelope_lengths; /* the word of an envelope for these counts */
};

/* The entries of a handle. */
struct lsi_compiled_plans {
	struct lsi_compiled_plan_entry **chain;
	size_t chains, n; /* chains: 0 or a power of two; n: entries */
};

/*
 * The bytes that a call reads and writes at this node.  Where one buffer has p blocks and the other
 * has one, input_own or output_own is the offset of this node's block in the longer buffer:
 *
 *   gather at node 1      input              | block 1 |
 *                         output   | block 0 | block 1 | block 2 |
 *                                  |<------->| output_own
 */
struct lsi_call_extent {
	size_t input, output, input_own, output_own;
};

/* A call, prepared except for its buffers, which each execution sets. */
struct lsi_cached_call {
	struct ls_call call;  /* with the last buffers; its counts are only compared with NULL */
	bool in_place;        /* at this node */
	bool padded;          /* all-to-all for which no plan takes blocks of unequal lengths */
	uint32_t number;      /* of calls that differ only in the root; 0: their roots are not kept */
	struct ls_op_info op; /* copied, because another operator may later have the address */
	struct lsi_call_extent extent;
	struct lsi_compiled_plan_entry *compiled_entry;
	bool waits_for_all;                 /* lockstep rounds, or the cooperative engine */
	bool cooperative;                   /* the cooperative engine may execute the call */
	bool cooperative_if_root_changes;   /* it does so only when the root changes */
	const struct ls_plan *plan, *other; /* see struct lsi_cooperative_call */
	struct lsi_send_counts send_counts; /* counted by this node when the call is cooperative */
	struct lsi_execution execution;
};

/*
 * What a cached call has of one root.  Calls with other roots share its entry if there are more
 * roots than entries; then this is kept for each root.
 */
struct lsi_call_root {
	uint64_t tag; /* lsi_cached_call.number << 1 | in_place; 0: nothing is kept here */
	int64_t root;
	struct lsi_compiled_plan_entry *compiled_entry;
	const struct ls_plan *other;
	struct lsi_send_counts send_counts;
	uint64_t envelope; /* the word of an envelope that has the root */
};

struct lsi_call_roots {
	size_t slots;   /* a power of two */
	uint32_t calls; /* numbers given */
	struct lsi_call_root slot[];
};

enum { LSI_CALL_CACHE_SIZE = 64 }; /* a power of two */

/* The caches of a handle. */
struct lsi_call_cache {
	struct lsi_compiled_plans compiled_plans;
	char *scratch; /* memory of the scratch buffers, shared by all compiled plans */
	size_t scratch_bytes;
	struct lsi_cached_call *entry[LSI_CALL_CACHE_SIZE];
	struct lsi_cached_call *last_call[LS_OPERATIONS]; /* or NULL; see identified_by_pointers */
	struct lsi_call_roots *roots;         /* NULL: no cached call has changed its root */
	struct lsi_used_operators *operators; /* over processes; or NULL */
};

/* Calls that differ only in root or distance have consecutive hashes. */
static inline uint64_t lsi_call_hash(const struct ls_call *call)
{
	const uint64_t mixed =
		((uint64_t)call->operation * 31 + call->count * 7 + (uint64_t)(uintptr_t)call->op / 8)
		* 0x9e3779b97f4a7c15u;

	return (mixed >> 32) + (uint64_t)call->root + (uint64_t)call->shift;
}

/* The caches of a handle, made on first use; NULL: no memory. */
struct lsi_call_cache *lsi_call_cache_of(struct ls_node *);

/*
 * Prepare a call, and store it in this entry of the cache.  is_same: the call there differs at most
 * in its root, its buffers and in place.  NULL: *failed is the error.
 */
struct lsi_cached_call *lsi_call_cache_insert(struct ls_node *, struct lsi_cached_call **entry,
	const struct ls_call *, bool in_place, bool is_same, int *failed);

/* The operator of a call for its envelope; *number 0: none.  LS_OK or LS_ERR_MEMORY. */
int lsi_call_number_operator(struct ls_node *, const struct ls_call *, uint64_t *number);

/* Keep what the call has of its root.  Without memory, the next call with it is prepared again. */
void lsi_call_keep_root(struct ls_node *, struct lsi_cached_call *);
/* What is kept of the cached call for the root of this call; NULL: nothing. */
const struct lsi_call_root *lsi_call_root_of(
	const struct lsi_call_cache *, const struct lsi_cached_call *, const struct ls_call *);
/* Change the root of a cached call. */
void lsi_call_set_root(struct lsi_cached_call *, const struct lsi_call_root *);

/*
 * The plan of a group for a problem.  The first node that needs it makes it; then it is found
 * without a lock.  It is valid as long as the group.  LS_OK or LS_ERR_MEMORY.
 */
int lsi_group_plan(struct ls_node *, const struct lsi_algorithm *, const struct lsi_problem *,
	const struct ls_plan **out);

/* As lsi_choose; the first choices of a group are cached. */
int lsi_group_choose(struct ls_node *, const struct ls_request *, const struct lsi_algorithm **,
	struct lsi_problem *, struct ls_error *why_or_null);

/* The entry of a plan, not compiled yet if it is new; NULL: no memory. */
struct lsi_compiled_plan_entry *lsi_compiled_plans_of(
	struct lsi_compiled_plans *, const struct ls_plan *);
void lsi_compiled_plans_release(struct lsi_compiled_plans *);

/*
 * Compile the plan of an entry, unless that is done: once per handle and plan.  A plan that is only
 * executed cooperatively is never compiled.
 *
 * Returns    LS_OK, LS_ERR_MEMORY, or LS_ERR_LAW: a plan of the caller breaks a law
 */
int lsi_compiled_plan_entry_make(struct ls_node *, struct lsi_compiled_plan_entry *);

/* The engine for a call of `nodes` nodes, with `bytes` bytes per operand, or per block. */
enum ls_engine lsi_engine_choose(const struct ls_machine *, int64_t nodes, enum ls_operation,
	size_t bytes, const char **why_or_null);

/*
 * Broadcast and scatter: is LS_MAILBOXES chosen only because nodes run ahead of each other
 * (engine_choice.c)?  They do so only while the root stays the same: a call with another root is
 * cooperative.  False for all other operations, and for few light nodes.
 */
bool lsi_engine_depends_on_root(
	const struct ls_machine *, int64_t nodes, enum ls_operation, size_t bytes);

/* Execute a call whose defaults are set.  The handle is valid. */
int lsi_call_execute(struct ls_node *, const struct ls_call *);
/* Execute a cached call again, with the same buffers. */
int lsi_call_execute_cached(struct ls_node *, struct lsi_cached_call *);
/* As lsi_call_execute, with counts; it checks the handle, too. */
int lsi_call_execute_counted(struct ls_node *, struct ls_call);

/* Execute an all-to-all of blocks of unequal lengths as one of padded blocks of equal length. */
int lsi_call_execute_padded(struct ls_node *, const struct ls_call *);

/* The sum of n counts, at most SIZE_MAX. */
size_t lsi_add_counts(const size_t *counts, int64_t n);

/* LS_OK or LS_ERR_ARGUMENT: type, root, count and operator.  The operation is valid. */
int lsi_call_check(const struct ls_node *, const struct ls_call *);
/*
 * As lsi_call_check: the counts.  A node sends itself as much as it receives from itself.  Sets the
 * count to their sum, or with result_counts to 0.
 */
int lsi_call_check_counts(const struct ls_node *, struct ls_call *);
/* LS_ERR_ARGUMENT: a buffer is missing, or they overlap in part. */
int lsi_call_refuse_buffers(
	const struct ls_node *, const struct lsi_call_extent *, const struct ls_call *);
/* Refuse a call whose handle is not valid; counts: its name ends in v. */
int lsi_call_refuse_handle(enum ls_operation, bool counts);
/* Refuse a call of this node, and record why (machine/refused_call.h); returns status. */
int lsi_call_refuse(const struct ls_node *, const struct ls_call *, int status, const char *format,
	...) __attribute__((format(printf, 4, 5)));

/* Stop the machine, because this node has no memory. */
int lsi_call_no_memory(struct ls_node *, const char *operation);

#endif
