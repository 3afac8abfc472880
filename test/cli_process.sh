#!/bin/sh
# How the tool was started and built: process launchers, environment variables, features.
. "$(dirname "$0")/support/cli"
unset OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_RANK PMI_SIZE PMI_RANK PMIX_RANK SLURM_NTASKS SLURM_PROCID LOCKSTEP_MPI
unset LOCKSTEP_TRACE

# started VARIABLE=VALUE... -- ARGUMENTS...: the tool in this environment
started() {
	set_to=
	while [ "$1" != -- ]; do
		set_to="$set_to $1"
		shift
	done
	shift
	env $set_to "$LOCKSTEP" "$@" >out 2>err
	code=$?
}

# An installation without plug-ins.
mkdir -p bare/bin && cp "$LOCKSTEP" bare/bin/lockstep
tool=$LOCKSTEP
LOCKSTEP=$scratch/bare/bin/lockstep
for environment in "OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK" "PMI_SIZE=2 PMI_RANK" \
	"SLURM_NTASKS=2 PMI_RANK" "SLURM_NTASKS=2 PMIX_RANK"; do
	for verb in "run allreduce -t ring:4" "list topologies" "steps broadcast -t ring:4 trace.csv"; do
		started $environment=0 -- $verb
		check "rank 0 of $environment exits 4: $verb" [ $code -eq 4 ]
		check "rank 0 of $environment has one message: $verb" one_message
		check "the message has the remedy" grep -q 'but built without MPI; try apt install .*=off to run 2 copies$' err
		check "rank 0 of $environment prints no result: $verb" [ ! -s out ]
		started $environment=1 -- $verb
		check "rank 1 of $environment exits 4 in silence: $verb" [ $code -eq 4 -a ! -s out -a ! -s err ]
		[ -z "$LS_FAST" ] || break
	done
	started $environment=0 -- run allreduce -t ring:4 --root 1
	check "the usage error comes first" grep -q "has no root; try without --root" err
	check "it is the only message, exit 2 (was $code)" [ $code -eq 2 -a "$(wc -l <err)" -eq 1 ]
	started $environment=1 LOCKSTEP_MPI=off -- run allreduce -t ring:4
	check "LOCKSTEP_MPI=off: rank 1 of $environment runs" [ $code -eq 0 -a -s out -a ! -s err ]
done
check "no file is written" [ ! -e trace.csv ]
LOCKSTEP=$tool

# A transport whose calls fail: the message names the process, and all end with exit code 3.
cat >failing.c <<'END'
#include <lockstep/status.h>
#include <stdio.h>
#include <stdlib.h>
#include "world/transport.h"

static int calls;
static struct lsi_transport transport;

static int call(struct lsi_transport *t)
{
	if (++calls <= atoi(getenv("GOOD_CALLS")))
		return LS_OK;
	snprintf(t->failure, sizeof t->failure, "MPI_ERR_OTHER: the network is down");
	return LS_ERR_STOPPED;
}

static int least(struct lsi_transport *t, int64_t *number, int n, struct lsi_transfer *transfer)
{
	return call(t);
}

static int sum(struct lsi_transport *t, uint64_t *number, int n, struct lsi_transfer *transfer)
{
	return call(t);
}

static int test(struct lsi_transport *t, struct lsi_transfer *transfer, bool *done)
{
	*done = true;
	return LS_OK;
}

static void abort_all(struct lsi_transport *t, int code, const char *text)
{
	fprintf(stderr, "lockstep: %s\n", text);
	exit(code);
}

static void close_transport(struct lsi_transport *t)
{
}

struct lsi_transport *lsi_transport_open(char *why)
{
	transport = (struct lsi_transport){ .size = sizeof transport, .version = atoi(getenv("VERSION")),
		.processes = 3, .process = atoi(getenv("PMI_RANK")), .library = "some MPI", .host = "here",
		.least = least, .sum = sum, .test = test, .abort = abort_all, .close = close_transport };
	return &transport;
}
END
if cc -shared -fPIC -I"$tree/include" -I"$tree/lib" -o failing.so failing.c 2>err; then
	for good in 0 2 3; do # while the world is made: hosts, cores; then the first call of the tool
		for rank in 0 2; do
			started PMI_SIZE=3 PMI_RANK=$rank LOCKSTEP_MPI=./failing.so GOOD_CALLS=$good VERSION=1 -- list topologies
			check "exit 3 of process $rank after $good calls (was $code)" [ $code -eq 3 ]
			check "the failure of process $rank" \
				grep -q "^lockstep: MPI (some MPI) in process $rank: MPI_ERR_OTHER: the network is down$" err
			check "no result of process $rank" [ ! -s out ]
		done
	done
	started PMI_SIZE=3 PMI_RANK=0 LOCKSTEP_MPI=./failing.so GOOD_CALLS=9 VERSION=0 -- list topologies
	check "exit 4 of another version (was $code)" [ $code -eq 4 ]
	check "the message of another version" grep -q 'failing.so belongs to another version of Lockstep; try make' err
	started PMI_SIZE=3 PMI_RANK=0 LOCKSTEP_MPI=failing.so -- list topologies
	check "a plug-in without a folder (was $code)" [ $code -eq 2 ]
	check "its message" grep -q "LOCKSTEP_MPI is 'failing.so'; expected 'off' or the path" err
else
	skipped=$((skipped + 1))
fi

# One process, or the variables of a batch script, in which nothing is parallel.
for environment in OMPI_COMM_WORLD_SIZE=1 PMI_SIZE=1 "SLURM_NTASKS=2 SLURM_PROCID=0" PMIX_RANK=0; do
	started $environment -- run allreduce -t ring:4
	check "$environment runs" [ $code -eq 0 -a -s out -a ! -s err ]
done

# srun without an interface for MPI: the first copy says so.
for number in 0 1; do
	started SLURM_NTASKS=2 SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=$number -- run allreduce -t ring:4
	check "copy $number of srun runs" [ $code -eq 0 -a -s out ]
	check "copy $number of srun says $((1 - number)) times what it is" [ "$(grep -c \
		'^lockstep: note: srun started 2 processes without MPI.*; try srun --mpi=pmix' err)" -eq $((1 - number)) ]
done
started SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0 LOCKSTEP_MPI=off -- run allreduce -t ring:4
check "copies that are wanted" [ $code -eq 0 -a ! -s err ]

run info
check "info without mpirun" grep -q '^processes  *1, without mpirun$' out
check "LOCKSTEP_MPI is not set" grep -Eq '^LOCKSTEP_MPI +not set$' out
check "LOCKSTEP_TRACE is not set" grep -Eq '^LOCKSTEP_TRACE +not set$' out
LOCKSTEP_TRACE=there.csv "$LOCKSTEP" info >out 2>err
check "LOCKSTEP_TRACE in force" grep -Eq '^LOCKSTEP_TRACE +there.csv$' out
LOCKSTEP_TRAC=1 "$LOCKSTEP" info >out 2>err
check "an unknown LOCKSTEP_ variable is marked" grep -Eq '^LOCKSTEP_TRAC +1 \(unknown\)$' out
LOCKSTEP_TRACE=there.csv "$LOCKSTEP" info --json >out 2>err
check "LOCKSTEP_TRACE in JSON" grep -q '"LOCKSTEP_TRACE":"there.csv"' out

run --version
check "--version is one line" [ "$(wc -l <out)" -eq 1 ]
for arguments in "--version -v" "-v --version" "run --version --verbose"; do
	run $arguments
	check "exit 0 of $arguments" [ $code -eq 0 ]
	for feature in compiler hwloc wait assertions sanitizers "instruction sets"; do
		check "$arguments names: $feature" grep -Eq "^$feature  +[^ ]" out
	done
done
case $LS_VARIANT in
asan) check "the sanitizers of asan" grep -Eq '^sanitizers +address, undefined$' out ;;
tsan) check "the sanitizer of tsan" grep -Eq '^sanitizers +thread$' out ;;
*) check "no sanitizer" grep -Eq '^sanitizers +none$' out ;;
esac

finish
