/*
 * A world inside the library: its transport, waits, and what processes agree on.
 *
 * All calls are built from the calls of a transport that begin an operation.  A wait spins, then
 * yields, then sleeps, and calls `stop`, which may end it; so no process waits inside MPI.
 *
 * Every call that returns an int returns LS_OK, or LS_ERR_STOPPED: the transport failed, or `stop`
 * was true.  After a stop the operation is still under way, and its buffers belong to the
 * transport.
 */
#ifndef LSI_WORLD_AGREEMENT_H
#define LSI_WORLD_AGREEMENT_H

#include <lockstep/world.h>

#include <pthread.h>

#include "base/cores.h"
#include "world/transport.h"

/* A thread takes part in a use of the world: see use.h. */
struct lsi_world_scope {
	const ls_world *world;
	struct lsi_world_scope *outer; /* of the same thread */
};

enum lsi_world_state { LSI_WORLD_FREE, LSI_WORLD_USED, LSI_WORLD_ENDS };

struct ls_world {
	struct lsi_transport *transport; /* NULL: one process, without MPI */
	struct lsi_meeting *meeting;     /* NULL: one process */
	int hosts;
	struct lsi_core_part cores; /* see core_part.c */
	uint64_t core_set;          /* as above: the host and the units that this process may use */
	pthread_mutex_t lock;       /* protects what follows: see use.h */
	enum lsi_world_state state;
	int64_t refused, to_refuse;   /* calls of this use; next calls */
	int64_t machines;             /* that were made */
	struct lsi_world_scope scope; /* of the thread that has taken the world */
	char plugin[4096];            /* path; "": the transport does not come from a file */
};

/* Tags: those of agreement and of meetings, and the first one that engines may use. */
enum { LSI_TAG_AGREEMENT, LSI_TAG_MEETING, LSI_TAG_ENGINES };

enum { LSI_EXIT_BROKEN = 3 }; /* exit code of processes that cannot communicate */

/* Called between two tests of the transport; NULL in place of the struct: never stop. */
struct lsi_stop {
	bool (*wanted)(void *context);
	void *context;
};

/*
 * A world on a transport, which ls_world_close closes.  Collective: counts the hosts.  A failure
 * closes the transport.
 */
LS_MUST_CHECK int lsi_world_make(
	struct lsi_transport *, ls_world **out, struct ls_error *why_or_null);

/* Pause before the next test of a transfer: spin, then yield, then sleep.  Tests count from 0. */
void lsi_world_pause(int64_t tests);

/* Wait until the operation is complete. */
LS_MUST_CHECK int lsi_world_wait(ls_world *, struct lsi_transfer *, const struct lsi_stop *);

/* As in world.h; numbers and bytes may be of any amount. */
LS_MUST_CHECK int lsi_world_least(ls_world *, int64_t *number, size_t n, const struct lsi_stop *);
LS_MUST_CHECK int lsi_world_sum(ls_world *, uint64_t *number, size_t n, const struct lsi_stop *);
LS_MUST_CHECK int lsi_world_broadcast(
	ls_world *, void *data, size_t bytes, const struct lsi_stop *);
LS_MUST_CHECK int lsi_world_gather(
	ls_world *, const void *data, void *rows, size_t bytes, const struct lsi_stop *);
LS_MUST_CHECK int lsi_world_fetch(
	ls_world *, int process, void *data, size_t bytes, const struct lsi_stop *);

/*
 * Wait until all processes are in this call.  All of them then return with *met, and the numbers
 * are the least of all.  A process that wants to withdraw before, returns without; the others wait
 * until it calls again.
 */
enum { LSI_MEETING_NUMBERS = 10 };
LS_MUST_CHECK int lsi_world_meet(ls_world *, int64_t number[LSI_MEETING_NUMBERS],
	const struct lsi_stop *withdraws_or_null, const struct lsi_stop *, bool *met);
struct lsi_meeting *lsi_meeting_make(int processes); /* NULL: no memory */
void lsi_meeting_free(ls_world *);

/*
 * The part of the cores that this process uses.  Processes of a host divide the cores if they may
 * all use the same ones.
 */
struct lsi_core_part lsi_world_core_part(const ls_world *); /* NULL: one part */
int lsi_world_core_count(const ls_world *);                 /* of that part */
LS_MUST_CHECK int lsi_world_divide_cores(ls_world *);       /* collective, when a world is made */

/* "MPI (Open MPI 4.1.4) in process 2: MPI_ERR_TRUNCATE: message truncated"; returns the status. */
int lsi_world_failure(const ls_world *, struct ls_error *why_or_null);

#endif
