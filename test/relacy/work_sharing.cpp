/* all: searches many executions of a protocol */
/* compile: -fpermissive -w */
/*
 * Work sharing: the results of a call are complete when it returns.  No other node reads or writes
 * the buffers of a node that has returned or ended.  Both hold for every result of the call.
 */
#include "factory.hpp"

#include "planted/work_sharing.inc"

#define TRIAL(name, executions, what) { name, (what).threads, executions, make<factory<P> >, &what }

static const production
	alone = { 2, 2, { "abcb", "abcb" }, 1, &one_core },
	alone_asleep = { 3, 3, { "aa", "aa", "aa" }, 1, &shards, SLEEPS },
	shared = { 2, 2, { "aaa", "aaa" }, 3, &two_cores },
	mixed = { 3, 3, { "abca", "abca", "abca" }, 2, &two_cores },
	three = { 3, 3, { "aa", "aa", "aa" }, 3, &shards },
	asleep = { 3, 3, { "aa", "aa", "aa" }, 2, &two_cores, SLEEPS },
	other = { 3, 3, { "ab", "ab", "aa" }, 2, &one_core },
	fewer = { 3, 3, { "aab", "aab", "a" }, 2, &shards },
	fewer_asleep = { 3, 3, { "aa", "aa", "" }, 2, &shards, SLEEPS },
	stop_alone = { 3, 2, { "aa", "aa" }, 1, &one_core },
	stop_shared = { 3, 2, { "aa", "aa" }, 2, &two_cores },
	stop_asleep = { 4, 3, { "a", "a", "a" }, 2, &shards, SLEEPS },
	member_stops = { 3, 3, { "aa", "a!", "aa" }, 2, &two_cores },
	operator_stops = { 3, 3, { "S", "a", "a" }, 3, &two_cores },
	ends_alone = { 2, 2, { "Xa", "aa" }, 1, &one_core },
	ends = { 3, 3, { "Xa", "aa", "aa" }, 3, &two_cores },
	all_end = { 3, 3, { "X", "X", "X" }, 3, &shards },
	ends_asleep = { 3, 3, { "X", "a", "a" }, 3, &two_cores, SLEEPS },
	ends_stopped = { 3, 2, { "X", "X" }, 2, &two_cores },
	no_memory = { 3, 3, { "X", "a", "a" }, 3, &two_cores, NO_MEMORY },
	limit = { 3, 2, { "aa", "aa" }, 2, &two_cores, SLEEPS | LIMIT };

template <class P> struct trials {
	static constexpr size_t n = 21;
	static constexpr trial all[n] = {
		TRIAL("alone", 10000, alone), TRIAL("alone, others asleep", 10000, alone_asleep),
		TRIAL("shared", 10000, shared), TRIAL("three share", 10000, three),
		TRIAL("shared, alone, none", 10000, mixed),
		TRIAL("shared, others asleep", 10000, asleep), TRIAL("another call", 10000, other),
		TRIAL("fewer calls", 10000, fewer), TRIAL("no call, others asleep", 10000, fewer_asleep),
		TRIAL("stopped, alone", 10000, stop_alone), TRIAL("stopped, shared", 10000, stop_shared),
		TRIAL("stopped, others asleep", 10000, stop_asleep),
		TRIAL("a member stops", 10000, member_stops),
		TRIAL("the operator stops", 10000, operator_stops),
		TRIAL("the thread ends, alone", 10000, ends_alone),
		TRIAL("the thread ends", 10000, ends), TRIAL("all threads end", 10000, all_end),
		TRIAL("the thread ends, others asleep", 10000, ends_asleep),
		TRIAL("threads end, and a stop", 10000, ends_stopped),
		TRIAL("no memory", 10000, no_memory), TRIAL("time limit", 10000, limit),
	};
};
template <class P> constexpr trial trials<P>::all[];

MAIN
