/*
 * Agreement by the calls of a transport.
 *
 * Broadcast and gather are a message between process 0 and each other process, one after the other.
 * All of them use one tag, because all processes make the same calls in the same order, and the
 * messages of a pair arrive in order.
 */
#include "world/agreement.h"

#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/futex.h"
#include "base/math.h"

/* Tests of a transfer without a pause, then with a yield after each; then sleeps between tests. */
enum { SPINS = 200, YIELDS = 2000, SLEEP_LEAST_NS = 50000, SLEEP_MOST_NS = 1000000 };

/* Other processes may need this core: MPI would spin for ever. */
void lsi_world_pause(int64_t tests)
{
	if (tests < SPINS) {
		lsi_pause();
	} else if (tests < SPINS + YIELDS) {
		lsi_yield();
	} else {
		const int64_t ns = lsi_min((tests - SPINS - YIELDS + 1) * SLEEP_LEAST_NS, SLEEP_MOST_NS);

		nanosleep(&(struct timespec){ .tv_nsec = (long)ns }, NULL);
	}
}

int lsi_world_wait(
	ls_world *world, struct lsi_transfer *transfer, const struct lsi_stop *stop_or_null)
{
	struct lsi_transport *const transport = world->transport;

	for (int64_t tests = 0;; tests++) {
		bool done = true;
		const int status = transport->test(transport, transfer, &done);

		if (status != LS_OK || done)
			return status;
		if (stop_or_null && stop_or_null->wanted(stop_or_null->context))
			return LS_ERR_STOPPED;
		lsi_world_pause(tests);
	}
}

static bool is_alone(const ls_world *world)
{
	return ls_world_processes(world) == 1;
}

/* Numbers of one reduction. */
enum { NUMBERS_MOST = LSI_MESSAGE_BYTES / sizeof(int64_t) };

/* The least, or the sums, of numbers of all processes, in amounts that one message holds. */
static int reduce(ls_world *world, bool sums, void *number, size_t n, const struct lsi_stop *stop)
{
	struct lsi_transport *const transport = world->transport;
	int status = LS_OK;

	for (size_t at = 0; at < n && status == LS_OK; at += NUMBERS_MOST) {
		struct lsi_transfer transfer = { .begun = false };
		const int some = (int)lsi_min((int64_t)(n - at), NUMBERS_MOST);

		status = sums ? transport->sum(transport, (uint64_t *)number + at, some, &transfer)
					  : transport->least(transport, (int64_t *)number + at, some, &transfer);
		if (status == LS_OK)
			status = lsi_world_wait(world, &transfer, stop);
	}
	return status;
}

int lsi_world_least(ls_world *world, int64_t *number, size_t n, const struct lsi_stop *stop)
{
	return is_alone(world) ? LS_OK : reduce(world, false, number, n, stop);
}

int lsi_world_sum(ls_world *world, uint64_t *number, size_t n, const struct lsi_stop *stop)
{
	return is_alone(world) ? LS_OK : reduce(world, true, number, n, stop);
}

/* All bytes to, or from, one process, in messages of the transport. */
static int pass_bytes(
	ls_world *world, bool sends, int peer, char *data, size_t bytes, const struct lsi_stop *stop)
{
	struct lsi_transport *const transport = world->transport;
	int status = LS_OK;

	for (size_t at = 0; at < bytes && status == LS_OK; at += LSI_MESSAGE_BYTES) {
		struct lsi_transfer transfer = { .begun = false };
		const size_t some = (size_t)lsi_min((int64_t)(bytes - at), LSI_MESSAGE_BYTES);

		status = sends
			? transport->send(transport, peer, LSI_TAG_AGREEMENT, data + at, some, &transfer)
			: transport->receive(transport, peer, LSI_TAG_AGREEMENT, data + at, some, &transfer);
		if (status == LS_OK)
			status = lsi_world_wait(world, &transfer, stop);
	}
	return status;
}

int lsi_world_broadcast(ls_world *world, void *data, size_t bytes, const struct lsi_stop *stop)
{
	int status = LS_OK;

	if (ls_world_process(world) > 0)
		return pass_bytes(world, false, 0, data, bytes, stop);
	for (int peer = 1; peer < ls_world_processes(world) && status == LS_OK; peer++)
		status = pass_bytes(world, true, peer, data, bytes, stop);
	return status;
}

int lsi_world_gather(
	ls_world *world, const void *data, void *rows, size_t bytes, const struct lsi_stop *stop)
{
	char *row = rows;
	int status = LS_OK;

	if (ls_world_process(world) > 0)
		return pass_bytes(world, true, 0, (char *)data, bytes, stop);
	memcpy(row, data, bytes);
	for (int peer = 1; peer < ls_world_processes(world) && status == LS_OK; peer++)
		status = pass_bytes(world, false, peer, row + (size_t)peer * bytes, bytes, stop);
	return status;
}

int lsi_world_fetch(
	ls_world *world, int process, void *data, size_t bytes, const struct lsi_stop *stop)
{
	const int me = ls_world_process(world);

	if (process == 0 || (me != 0 && me != process))
		return LS_OK;
	return pass_bytes(world, me == process, me == process ? 0 : process, data, bytes, stop);
}

/* The failure is that of the last call of this process. */
int lsi_world_failure(const ls_world *world, struct ls_error *why)
{
	return lsi_error_set(why, LS_ERR_STOPPED, "MPI (%s) in process %d: %s", ls_world_library(world),
		ls_world_process(world), world->transport->failure);
}
