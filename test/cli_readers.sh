#!/bin/sh
# Files that the tool reads: every reader ends, and a lack of memory is not reported as bad input.
# variants: release checked chaos asan
. "$(dirname "$0")/support/cli"

"$LOCKSTEP" steps allreduce -t ring:4 my.plan
"$LOCKSTEP" steps allreduce -t ring:4 sent.csv
"$LOCKSTEP" bench allreduce -t ring:2 -m 1:4 --samples 3 --csv >times.csv 2>err
"$LOCKSTEP" bench allreduce -t ring:2 -m 1 --samples 3 --json >times.json 2>err
printf '1,2\n3,4\n5,6\n7,8\n' >rows.csv
"$LOCKSTEP" run broadcast -t ring:4 --quiet --input rows.csv --output rows.npy
printf '0 1\n1 2\n2 3\n' >line.graph
echo 0 1 3 2 >order.map

# A reader that does not end must not take all memory; sanitizers need the address space.
limit_memory() { case $LS_VARIANT in asan | tsan) ;; *) ulimit -v 4000000 ;; esac; }

# Streams without end | options for the reader of stdin | message, after the name of the stream.
ln -s /dev/stdin stream.csv
while IFS='|' read -r endless arguments pattern; do
	case $LS_FAST$pattern in 1*MiB*) continue ;; esac # seconds each
	(limit_memory; sh -c "$endless" 2>/dev/null | timeout 120 "$LOCKSTEP" $arguments >out 2>err)
	check "the message of $arguments after $endless" grep -Eq ":[0-9]+: $pattern" err
	check "one message of $arguments after $endless" one_message
	check "no result of $arguments" [ ! -s out ]
done <<'TABLE'
cat /dev/zero|fit -|the line has a NUL byte; expected text
cat /dev/zero|run --plan - -t ring:4|the line has a NUL byte; expected text
cat /dev/zero|check allreduce --plan - -t ring:4|the line has a NUL byte; expected text
cat /dev/zero|bench allreduce -t ring:2 -m 1 --compare /dev/stdin|the line has a NUL byte; expected text
cat /dev/zero|run allreduce -t ring:4 --input stream.csv|the line has a NUL byte; expected text
cat /dev/zero|run allgather -t ring:4 -a linear:4/ --map /dev/stdin|the line has a NUL byte; expected text
cat /dev/zero|list topologies -t graph:/dev/stdin|'[?.]+' is not an edge; expected two
(printf '#'; cat /dev/zero)|list topologies -t graph:/dev/stdin|'[?.]+' is not an edge; expected two
tr '\0' 1 </dev/zero|fit -|the line is longer than 1048576 bytes; expected shorter lines
yes '#'|list topologies -t graph:/dev/stdin|more than 1024 MiB; expected less text
yes '# long long long long long comment'|fit -|the stream is longer than 1024 MiB; expected
yes '# long long long long long comment'|run --plan - -t ring:4|the stream is longer than 1024 MiB; expected
yes 1000000000000,200000000000000000000|run allreduce -t ring:4 --input stream.csv|the stream is longer than 1024 MiB; expected
TABLE
(echo '0 1' && yes '#') | head -c 1073741824 | "$LOCKSTEP" list topologies -t graph:/dev/stdin >out 2>err
check "a text of 1024 MiB is read" [ $? -eq 0 ]
printf '1,2\n3\0,4\n' >nul.csv
run run allreduce -t ring:2 --input nul.csv
check "the line of a NUL byte" grep -q '^lockstep: nul.csv:2: the line has a NUL byte; expected text$' err
printf 'x%.0s' $(seq 3000) >long.csv
run run allreduce -t ring:1 --input long.csv
check "a long cell loses its middle" grep -Eq "^lockstep: long.csv:1: '(x+)\.\.x+' is not a number .*; expected" err
check "a long cell has one message" one_message

# The header of a .npy file states more elements than the file has: memory for them is not needed.
sed 's/(4, 2)/(4, 999999999999999)/' rows.npy >large.npy
run run allreduce -t ring:4 --input large.npy
check "a header that states too many elements exits 2" [ $code -eq 2 ]
check "a header that states too many elements" grep -q 'does not hold 4 rows' err

# Each allocation of a command fails in turn.  The files of the system, and threads, may be lacking
# then, too: the exit code is 3, or that of the command where the tool goes on without the memory.
export FAIL=0 # counts
if preload <<'C'; then
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
static long fatal = -1, calls;
static int ended;

/* make coverage: the counts are written at the end; their allocations are not those of the tool. */
char *getenv(const char *name)
{
	const size_t n = strlen(name);

	ended |= strncmp(name, "GCOV_", 5) == 0;
	for (char **at = environ; at && *at; at++)
		if (strncmp(*at, name, n) == 0 && (*at)[n] == '=')
			return *at + n + 1;
	return NULL;
}

static int fails(void)
{
	if (ended)
		return 0;
	if (fatal < 0)
		fatal = atol(getenv("FAIL"));
	if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) != fatal)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t n) { return fails() ? NULL : __libc_malloc(n); }
void *calloc(size_t k, size_t n) { return fails() ? NULL : __libc_calloc(k, n); }
void *realloc(void *p, size_t n) { return fails() ? NULL : __libc_realloc(p, n); }
void *aligned_alloc(size_t a, size_t n) { return fails() ? NULL : __libc_memalign(a, n); }
__attribute__((destructor)) static void report(void)
{
	if (fatal == 0)
		dprintf(9, "%ld\n", calls);
}
C
	while IFS= read -r arguments; do
		FAIL=0
		preloaded $arguments 9>calls
		check "exit 0 of: $arguments" [ $code -eq 0 ]
		calls=$(cat calls)
		check "allocations of: $arguments" [ "$calls" -gt 10 ]
		while [ $FAIL -lt "$calls" ]; do
			FAIL=$((FAIL + 1))
			preloaded $arguments
			check "exit $code without allocation $FAIL of: $arguments" [ $code -eq 3 -o $code -eq 0 ]
			[ $code -eq 0 ] || check "the message without allocation $FAIL of: $arguments" \
				grep -Eq 'memory|started' err
		done
	done <<-'TABLE'
		check allreduce --plan my.plan -t ring:4
		check allreduce --plan sent.csv
		fit times.csv
		run allreduce -t ring:4 --input rows.csv --quiet -e sweep --workers 1
		run allreduce -t ring:4 --input rows.npy --quiet -e sweep --workers 1
		list topologies -t graph:line.graph
		run allgather -t ring:4 -a linear:4/ --map order.map --quiet -e sweep --workers 1
	TABLE
fi
finish
