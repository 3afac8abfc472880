#!/bin/sh
# The tool with nodes as fibers: outputs, signals, faults.
. "$(dirname "$0")/support/cli"

# ---- Results and counts are those of threads; the outputs name the kind

for operation in allreduce alltoall scan barrier; do
	for kind in threads fibers; do
		run run $operation -t star:4 --nodes $kind --json
		check "$operation, $kind: exit 0 (was $code)" [ $code -eq 0 ]
		check "$operation, $kind: named" grep -q "\"nodes_as\":\"$kind\"" out
		sed 's/"nodes_as":"[a-z]*"//; s/"threads":[0-9]*//; s/"time_ns":{[^}]*}//; s/"bytes_per_second":[0-9]*//' \
			out | grep -o '"rounds".*"wrong":[0-9]*' >counts.$kind
	done
	check "$operation: the same counts" cmp -s counts.threads counts.fibers
done
run run allreduce -t star:4 --nodes fibers
check "text names fibers" grep -q ' 24 fibers on ' out
run run allreduce -t star:4 --nodes fibers --csv
check "CSV names fibers" grep -q ',fibers,' out

# ---- bench compares both kinds, also with an earlier document

run bench allreduce -t complete:4 --nodes threads,fibers --samples 3 -i 10 --json
check "bench: exit 0 (was $code)" [ $code -eq 0 ]
cp out old.json
run bench allreduce -t complete:4 --nodes threads,fibers --samples 3 -i 10 --compare old.json
check "compare: exit 0 (was $code)" [ $code -eq 0 ]
check "compare: a row of each kind" [ "$(grep -c ' auto  *\(threads\|fibers\) ' out)" -eq 2 ]

# ---- Bad usage

refusals <<'END'
2|run allreduce -t star:4 --nodes green|--nodes; expected threads or fibers
2|run allreduce -t star:4 --nodes threads,fibers|lockstep bench
4|run allreduce -t star:4 -e sweep --nodes fibers|runs no node programs; try -e mailboxes
END

# ---- A signal ends a run, also one that would not end soon

"$LOCKSTEP" run allreduce -t star:4 --nodes fibers -i 100000000 >out 2>err &
sleep 1
kill -TERM $!
wait $!
code=$?
check "SIGTERM: exit 143 (was $code)" [ $code -eq 143 ]

# ---- A node that overflows its stack or blocks: in the 30th allocation of all threads but the first

if preload <<'END'; then
#define _GNU_SOURCE
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);

static int recurse(int n)
{
	volatile char page[4096];

	page[0] = (char)n;
	return n < 0 ? 0 : recurse(n + 1) + page[0];
}

void *malloc(size_t bytes)
{
	static int many;

	if (syscall(SYS_gettid) != getpid() && __atomic_add_fetch(&many, 1, __ATOMIC_RELAXED) == 30) {
		if (getenv("BLOCKS"))
			nanosleep(&(struct timespec){ .tv_sec = 2, .tv_nsec = 500000000 }, NULL);
		else
			recurse(1);
	}
	return __libc_malloc(bytes);
}
END
	preloaded run allreduce -t star:4 --nodes fibers
	check "overflow: exit 3 (was $code)" [ $code -eq 3 ]
	check "overflow: the node is named" grep -q '^lockstep: the stack of node [0-9]* has overflowed; try --nodes threads$' err
	BLOCKS=1
	export BLOCKS
	preloaded run allreduce -t star:4 --nodes fibers
	check "a node that blocks: exit 0 (was $code)" [ $code -eq 0 ]
	check "a node that blocks is named" grep -q '^lockstep: note: node [0-9]* has run for a second .*; try --nodes threads$' err
	preloaded run allreduce -t star:4 --nodes threads
	check "a thread that blocks: exit 0 (was $code)" [ $code -eq 0 ]
	check "a thread that blocks is not named" [ ! -s err ]
fi

finish
