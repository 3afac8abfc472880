/*
 * Status: what a call returns, and what an error says.
 *
 * Every call that can fail returns LS_OK (0) or one of the negative values below.  The library
 * never prints, never sets errno and never exits; the one line that a person reads is in `struct
 * ls_error`.
 */
#ifndef LOCKSTEP_STATUS_H
#define LOCKSTEP_STATUS_H

#include <lockstep/api.h>

LS_BEGIN_DECLS

enum ls_status {
	LS_OK = 0,
	LS_ERR_ARGUMENT = -1,    /* an argument out of its range: null, rank, root, size */
	LS_ERR_SPEC = -2,        /* a topology spec, or a name, that means nothing */
	LS_ERR_UNSUPPORTED = -3, /* no algorithm for this operation, topology, operator and mode */
	LS_ERR_MEMORY = -4,      /* an allocation failed */
	LS_ERR_THREADS = -5,     /* a thread could not be created */
	LS_ERR_PORT = -6,        /* more sends or receives in one round than the node has ports */
	LS_ERR_LINK = -7,        /* a message on a wire that does not exist or is down */
	LS_ERR_MATCH = -8,       /* what arrived is not what the receiver expected: size, round */
	LS_ERR_MISMATCH = -9,    /* nodes of one group called different collectives */
	LS_ERR_UNTAKEN = -10,    /* a message was left untaken when both ends had left its round */
	LS_ERR_DEADLOCK = -11,   /* every live node waits and no message is in flight */
	LS_ERR_LEFT = -12,       /* a node waits for a node whose program has ended */
	LS_ERR_PROGRAM = -13,    /* a node's program returned non-zero */
	LS_ERR_STOPPED = -14,    /* the machine was stopped from outside */
	LS_ERR_TIMEOUT = -15,    /* the time limit of the machine's options ran out */
	LS_ERR_FORK = -16,       /* the call was made in a child of fork */
	LS_ERR_LAW = -17,        /* a plan breaks one of the laws 0..8 */
	LS_ERR_BUSY = -18,       /* the machine is running, or the thread already is a node of it */
	LS_ERR_CONGESTION = -19  /* strict routed mode: two messages on one link in one round */
};

/*
 * One error, complete: what was wrong, where, and one line of text.
 *
 * Fields that do not apply hold -1 (node, peer, round, link) or NULL (operation).  Rounds count
 * from 1. `size` is set by the caller to sizeof(struct ls_error) before the call.
 */
struct ls_error {
	size_t size;
	int kind;              /* one of enum ls_status */
	int64_t node;          /* rank of the node that broke the rule or saw it broken first */
	int64_t peer;          /* the other node, when there is one */
	int64_t round;         /* the node's round */
	int64_t link;          /* the network's own number of the link (ls_link_label) */
	const char *operation; /* static string: "allreduce", "send", ... */
	char text[256];        /* one line, no newline: what was wrong; what would be right */
};

/* The name of a status, e.g. "deadlock"; a static string, never NULL. */
LS_API const char *ls_status_name(int status);

/* Of the names that a mistyped word may have meant, the most similar; NULL: none resembles it. */
LS_API const char *ls_name_suggest(const char *word, const char *const *names, size_t count);

LS_END_DECLS
#endif
