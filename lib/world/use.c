#include "world/use.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "base/futex.h"

/* ---- In this process */

int64_t lsi_world_number_machine(ls_world *world)
{
	int64_t number;

	if (ls_world_processes(world) == 1)
		return 0;
	pthread_mutex_lock(&world->lock);
	number = ++world->machines;
	pthread_mutex_unlock(&world->lock);
	return number;
}

/* The uses in which this thread takes part, the last one first. */
static _Thread_local struct lsi_world_scope *innermost;

void lsi_world_enter(struct lsi_world_scope *scope, const ls_world *world)
{
	*scope = (struct lsi_world_scope){ world, innermost };
	innermost = scope;
}

void lsi_world_leave(struct lsi_world_scope *scope)
{
	struct lsi_world_scope **at = &innermost;

	while (*at && *at != scope)
		at = &(*at)->outer;
	if (*at)
		*at = scope->outer;
}

bool lsi_world_is_inside(const ls_world *world)
{
	const struct lsi_world_scope *scope = innermost;

	while (scope && scope->world != world)
		scope = scope->outer;
	return world && scope;
}

/* With the lock. */
static void count_refused(ls_world *world)
{
	if (world->to_refuse > 0)
		world->to_refuse--;
	else
		world->refused++;
}

/* The end of a use is short: it waits for other processes that end it, too. */
static void lock_for_call(ls_world *world)
{
	pthread_mutex_lock(&world->lock);
	while (world->state == LSI_WORLD_ENDS) {
		pthread_mutex_unlock(&world->lock);
		lsi_yield();
		pthread_mutex_lock(&world->lock);
	}
}

bool lsi_world_is_used(ls_world *world)
{
	bool is_used;

	lock_for_call(world);
	is_used = world->state == LSI_WORLD_USED;
	pthread_mutex_unlock(&world->lock);
	return is_used;
}

bool lsi_world_refuse(ls_world *world)
{
	bool is_used;

	lock_for_call(world);
	is_used = world->state == LSI_WORLD_USED;
	if (is_used)
		count_refused(world);
	pthread_mutex_unlock(&world->lock);
	return is_used;
}

int lsi_world_take(ls_world *world, struct ls_error *why)
{
	bool is_free;

	if (lsi_world_is_inside(world))
		return lsi_error_set(why, LS_ERR_BUSY,
			"a node of a machine cannot begin another run in the world of this machine");
	lock_for_call(world);
	is_free = world->state == LSI_WORLD_FREE && world->to_refuse == 0;
	if (is_free) {
		world->state = LSI_WORLD_USED;
		lsi_world_enter(&world->scope, world);
	} else {
		count_refused(world);
	}
	pthread_mutex_unlock(&world->lock);
	if (is_free)
		return LS_OK;
	return lsi_error_set(why, LS_ERR_BUSY,
		"the world has another run, here or in another process; a world serves one at a time");
}

int64_t lsi_world_ending(ls_world *world)
{
	int64_t refused;

	pthread_mutex_lock(&world->lock);
	world->state = LSI_WORLD_ENDS;
	refused = world->refused;
	pthread_mutex_unlock(&world->lock);
	return refused;
}

/* With the lock, because another thread may take the world next. */
static void set_free(ls_world *world)
{
	lsi_world_leave(&world->scope);
	world->state = LSI_WORLD_FREE;
}

void lsi_world_ended(ls_world *world, int64_t refused)
{
	pthread_mutex_lock(&world->lock);
	if (refused > world->refused)
		world->to_refuse += refused - world->refused;
	world->refused = 0;
	set_free(world);
	pthread_mutex_unlock(&world->lock);
}

/* This process has begun nothing. */
static void give_back(ls_world *world)
{
	pthread_mutex_lock(&world->lock);
	set_free(world);
	pthread_mutex_unlock(&world->lock);
}

/* ---- In all processes */

int lsi_world_end(ls_world *world, const struct lsi_stop *stop)
{
	int64_t refused = -lsi_world_ending(world);
	const int status = lsi_world_least(world, &refused, 1, stop);

	lsi_world_ended(world, -refused);
	return status;
}

static void describe_use(int64_t use, char text[48])
{
	if (use > LSI_USE_SWEEP)
		snprintf(text, 48, "runs machine %" PRId64, use);
	else
		snprintf(text, 48, "%s", use == LSI_USE_SWEEP ? "runs a sweep" : "closes the world");
}

/* Find a process of the least use, and one of the greatest, and end both. */
static int refuse_different(ls_world *world, int64_t use, int64_t least, int64_t greatest,
	const struct lsi_stop *stop, struct ls_error *why)
{
	const int64_t me = ls_world_process(world);
	int64_t number[] = { use == least ? me : INT64_MAX, use == greatest ? me : INT64_MAX,
		-lsi_world_ending(world) };
	const int status = lsi_world_least(world, number, 3, stop);
	char one[48], other[48];

	lsi_world_ended(world, -number[2]);
	if (status != LS_OK)
		return status;
	describe_use(least, one);
	describe_use(greatest, other);
	return lsi_error_set(why, least == LSI_USE_CLOSE ? LS_ERR_LEFT : LS_ERR_BUSY,
		"process %" PRId64 " %s, and process %" PRId64
		" %s; expected the same in all processes, one after another",
		number[0], one, number[1], other);
}

/* Begin the use number[0]; number[1] is the opposite. */
static int begin(ls_world *world, int64_t number[LSI_MEETING_NUMBERS],
	const struct lsi_stop *withdraws, const struct lsi_stop *stop, struct ls_error *why)
{
	const int64_t use = number[0];
	bool met;
	const int status = lsi_world_meet(world, number, withdraws, stop, &met);

	if (status != LS_OK) {
		lsi_world_ended(world, 0);
		return status;
	}
	if (!met) {
		give_back(world);
		return LSI_USE_WITHDRAWN;
	}
	return number[0] == -number[1] ? LS_OK
								   : refuse_different(world, use, number[0], -number[1], stop, why);
}

int lsi_world_begin(ls_world *world, int64_t use, int64_t *number, size_t n,
	const struct lsi_stop *stop, struct ls_error *why)
{
	int64_t least[LSI_MEETING_NUMBERS] = { use, -use };
	int status;

	for (size_t i = 0; i < n; i++)
		least[2 + i] = number[i];
	status = begin(world, least, NULL, stop, why);
	for (size_t i = 0; i < n; i++)
		number[i] = least[2 + i];
	return status;
}

int lsi_world_begin_unless(ls_world *world, int64_t use, const struct lsi_stop *withdraws,
	const struct lsi_stop *stop, struct ls_error *why)
{
	return begin(world, (int64_t[LSI_MEETING_NUMBERS]){ use, -use }, withdraws, stop, why);
}
