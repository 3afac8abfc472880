/*
 * Status codes and errors.
 *
 * Every call that can fail returns LS_OK (0) or a negative LS_ERR_*, and reports nothing by errno.
 * A struct ls_error holds one line of text for people.  The library never prints or exits, with one
 * exception: over processes, when they can no longer agree, it prints one line and ends all of
 * them, as ls_world_abort does.
 *
 * A call that returns a status refuses NULL with LS_ERR_ARGUMENT, unless the header allows NULL for
 * this argument, e.g. as `or_null`.  Destroy calls ignore NULL.  Queries give 0, -1, false, NULL or
 * "" for it and fill no struct.  Only these queries require valid pointers: ls_degree to
 * ls_link_label (topology.h), and ls_slice_* (plan.h).
 *
 * Structs that may grow begin with `size_t size`.  The caller sets it to sizeof the struct; a
 * program built with an older header then keeps working:
 *
 *   options    a missing field counts as zero; a field that the library does not know must be zero,
 *              or the call fails with LS_ERR_ARGUMENT
 *   results    the library writes at most `size` bytes and leaves `size` as it is
 */
#ifndef LOCKSTEP_STATUS_H
#define LOCKSTEP_STATUS_H

#include <lockstep/api.h>

LS_BEGIN_DECLS

enum ls_status {
	LS_OK = 0,
	LS_ERR_ARGUMENT = -1,    /* an argument is out of range: NULL, root, size, a count */
	LS_ERR_SPEC = -2,        /* a topology spec, a name or a plan file cannot be parsed */
	LS_ERR_UNSUPPORTED = -3, /* no algorithm for this operation, topology, operator and mode;
	                            ls_attach: of light nodes */
	LS_ERR_MEMORY = -4,      /* an allocation failed */
	LS_ERR_THREADS = -5,     /* a thread could not be created */
	LS_ERR_PORT = -6,        /* more sends or receives in one round than the node has ports */
	LS_ERR_LINK = -7,        /* a message without a link or path that exists and is up */
	LS_ERR_MATCH = -8,       /* a message has another size or round than its receiver expects */
	LS_ERR_MISMATCH = -9,    /* nodes of one group called different collectives */
	LS_ERR_UNTAKEN = -10,    /* a message was not received before both nodes left its round */
	LS_ERR_DEADLOCK = -11,   /* every running node waits, and no wait can end */
	LS_ERR_LEFT = -12,       /* a node waits for a node whose program has ended */
	LS_ERR_PROGRAM = -13,    /* a node's program returned non-zero */
	LS_ERR_STOPPED = -14,    /* the machine was stopped from outside */
	LS_ERR_TIMEOUT = -15,    /* the time limit of the machine's options is over */
	LS_ERR_FORK = -16,       /* the call was made in a child of fork */
	LS_ERR_LAW = -17,        /* a plan breaks one of the laws 0..8 */
	LS_ERR_BUSY = -18,       /* the machine, or its world, has a run, or threads of the last one */
	LS_ERR_CONGESTION = -19  /* strict routed mode: two messages on one link in one round */
};

/*
 * One error: its kind, its location and one line of text.
 *
 * Fields that do not apply are -1 (node, peer, round, link) or NULL (operation).  Rounds count
 * from 1.
 */
struct ls_error {
	size_t size;
	int kind;              /* an enum ls_status */
	int64_t node;          /* rank of the node that broke the rule or detected it first */
	int64_t peer;          /* rank of the other node */
	int64_t round;         /* the round of `node` */
	int64_t link;          /* number of the link, as ls_link_label gives it */
	const char *operation; /* static string: "allreduce", "send", ... */
	char text[256];        /* "PROBLEM; REMEDY", no newline */
};

/* The name of a status, e.g. "deadlock": a static string, never NULL. */
LS_API const char *ls_status_name(int status);

/* The name most similar to a mistyped word, by edit distance; NULL if none is similar. */
LS_API const char *ls_name_suggest(const char *word, const char *const *names, size_t count);

LS_END_DECLS
#endif
