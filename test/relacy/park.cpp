/* all: searches many executions of a protocol */
/* compile: -fpermissive -w */
/*
 * Parking, waking and reporting a deadlock: no wake is lost; a machine in which all nodes wait is
 * reported exactly once, any other machine never.  The nodes execute plays; every wait parks at
 * once, or after some yields, when other programs use the cores.
 */
#include "play.hpp"

#include "planted/park.inc"

#define PLAY(name, executions, what) { name, (what).threads, executions, make<stage<P> >, &what }

static const play
	message = { 2, 2, { ">1", "<0" }, 0 },
	space = { 2, 2, { ">1>1>1", "<0<0<0" }, 0 },
	answer = { 2, 2, { ">1<1>1", "<0>0<0" }, 0 },
	again = { 3, 3, { "<1<1>2", ">0>0", "<0" }, 0 },
	leaver = { 3, 3, { "<1", "<2>0", ">1" }, 0 },
	chain = { 3, 3, { ">1<2", "<0>2", "<1>0" }, 0 },
	barrier = { 3, 3, { "||", "||", "||" }, 0 },
	sharded = { 3, 3, { "||", "||", "|" }, 0, &shards },
	torn_shards = { 3, 3, { "|", "<2", "|<0" }, 1, &shards },
	mixed = { 3, 3, { ">1||", "<0||", "|" }, 0 },
	left = { 2, 2, { "<1", "" }, 0 },
	both = { 2, 2, { "<1", "<0" }, 1 },
	cycle = { 3, 3, { "<2", "<0", "<1" }, 1 },
	later = { 2, 2, { ">1<1", "<0<0" }, 1 },
	full = { 2, 2, { ">1>1>1", ">0>0>0" }, 1 },
	without = { 3, 3, { "<2", "", "<0" }, 1 },
	absent = { 3, 3, { "|<1", "|<0", "|" }, 1 },
	torn = { 2, 2, { "|", "<0" }, 1 },
	stopped = { 3, 2, { ">1<1>1", "<0>0<0" }, 0 },
	limit = { 2, 2, { ">1<1>1<1", "<0>0<0" }, -1 },
	error = { 2, 2, { "<1", "!" }, 0 },
	errors = { 3, 3, { "!", "|!", ">0!" }, 0 },
	error_stopped = { 3, 2, { "<1", "!" }, 0 },
	error_limit = { 2, 2, { "<1", "!" }, -1 },
	loaded = { 2, 2, { ">1<1>1", "<0>0<0" }, 0, NULL, true },
	loaded_barrier = { 3, 3, { "||", "||", "|" }, 0, NULL, true },
	loaded_cycle = { 3, 3, { "<2", "<0", "<1" }, 1, NULL, true };

template <class P> struct trials {
	static constexpr size_t n = 27;
	static constexpr trial all[n] = {
		PLAY("message", 20000, message), PLAY("space", 20000, space), PLAY("answer", 20000, answer),
		PLAY("woken and parked again", 20000, again), PLAY("a node leaves", 20000, leaver),
		PLAY("chain", 20000, chain), PLAY("barrier", 20000, barrier), PLAY("mixed", 20000, mixed),
		PLAY("barrier of shards", 20000, sharded), PLAY("a shard waits", 20000, torn_shards),
		PLAY("left", 20000, left), PLAY("both wait", 20000, both), PLAY("cycle", 20000, cycle),
		PLAY("wait after a message", 20000, later), PLAY("all is full", 20000, full),
		PLAY("two wait, one leaves", 20000, without), PLAY("wait after a round", 20000, absent),
		PLAY("round and message", 20000, torn), PLAY("stopped", 20000, stopped),
		PLAY("time limit", 20000, limit), PLAY("an error", 20000, error),
		PLAY("errors of all", 20000, errors), PLAY("an error and a stop", 20000, error_stopped),
		PLAY("an error and the time limit", 20000, error_limit), PLAY("loaded", 20000, loaded),
		PLAY("loaded, barrier", 20000, loaded_barrier), PLAY("loaded, cycle", 20000, loaded_cycle),
	};
};
template <class P> constexpr trial trials<P>::all[];

MAIN
