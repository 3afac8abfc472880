#!/bin/sh
# How the tool was started and built: process launchers, environment variables, features.
. "$(dirname "$0")/support/cli"
unset OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_RANK PMI_SIZE PMI_RANK PMIX_RANK SLURM_NTASKS SLURM_PROCID
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

for environment in "OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK" "PMI_SIZE=2 PMI_RANK" \
	"SLURM_NTASKS=2 PMI_RANK" "SLURM_NTASKS=2 PMIX_RANK"; do
	for verb in "run allreduce -t ring:4" "list topologies" "steps broadcast -t ring:4 trace.csv"; do
		started $environment=0 -- $verb
		check "rank 0 of $environment exits 4: $verb" [ $code -eq 4 ]
		check "rank 0 of $environment has one message: $verb" one_message
		check "the message names the processes" grep -q '2 processes.*; .*without' err
		check "rank 0 of $environment prints no result: $verb" [ ! -s out ]
		started $environment=1 -- $verb
		check "rank 1 of $environment exits 4 in silence: $verb" [ $code -eq 4 -a ! -s out -a ! -s err ]
	done
done
check "no file is written" [ ! -e trace.csv ]

# One process, or the variables of a batch script, in which nothing is parallel.
for environment in OMPI_COMM_WORLD_SIZE=1 PMI_SIZE=1 "SLURM_NTASKS=2 SLURM_PROCID=0" PMIX_RANK=0; do
	started $environment -- run allreduce -t ring:4
	check "$environment runs" [ $code -eq 0 -a -s out -a ! -s err ]
done

# The launchers themselves.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
for mpirun in mpirun.openmpi mpirun.mpich mpirun; do
	if ! command -v $mpirun >/dev/null; then
		[ $mpirun = mpirun ] || skipped=$((skipped + 1))
		continue
	fi
	timeout 600 $mpirun -n 2 "$LOCKSTEP" run allreduce -t ring:4 --trace mpi.csv >out 2>err
	code=$?
	check "exit 4 (was $code) of $mpirun -n 2" [ $code -eq 4 ]
	check "one message of $mpirun -n 2" [ "$(grep -c '^lockstep: ' err)" -eq 1 ]
	check "no result and no file of $mpirun -n 2" sh -c '! grep -q "^result" out && [ ! -e mpi.csv ]'
	timeout 600 $mpirun -n 1 "$LOCKSTEP" run allreduce -t ring:4 >out 2>err
	check "$mpirun -n 1 runs" [ $? -eq 0 -a "$(grep -c '^result' out)" -eq 1 ]
done

run info
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
