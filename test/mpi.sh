#!/bin/sh
# Several processes: the transport of each MPI found here, and the tool under its mpirun.
# variants: release coverage
. "$(dirname "$0")/support/cli"
. "$tree/test/support/mpi"
driver=$build/test/mpi_driver
# For sed: drop the line `processes`, whose end may be on a line of its own.
processes_line='/^processes/d; /^ *\(Open MPI\|MPICH\) [0-9.]*$/d'
version=$(sed -n 's/^#define LS_VERSION "\(.*\)"/\1/p' "$tree/include/lockstep/version.h")

# The last mpirun printed one message and no result.
one_line() { # EXIT PATTERN TEXT
	check "exit $1 of $family: $3 (was $code)" [ $code -eq "$1" ]
	check "one message of $family: $3" [ "$(wc -l <messages)" -eq 1 ]
	check "message /$2/ of $family: $3" grep -Eq -e "$2" messages
	check "no result of $family: $3" [ ! -s out ]
}

# unbound_of FAMILY: the options with which all processes may use all cores
unbound_of() { [ $1 != openmpi ] || echo --bind-to none; }

# begin: a run of two processes in the background, which does not end; their ids are in pid.0 and pid.1
begin() {
	rm -f pid.* out err
	$interruptible timeout -k 5 60 mpirun.$family -n 2 sh -c "echo \$\$ >pid.\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}
		exec $LOCKSTEP run allreduce -t star:9 -i 100000000 -e sweep -v" >out 2>err </dev/null &
	until { grep -q '^engine' err && grep -q . pid.1; } 2>/dev/null || ! kill -0 $!; do sleep 0.1; done
}

cat >own.c <<'END'
#include <lockstep/mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	struct ls_error why = { .size = sizeof why };
	ls_world *all, *self;
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
	if (ls_world_of(MPI_COMM_WORLD, &all, &why) || ls_world_of(MPI_COMM_SELF, &self, &why))
		return puts(why.text), 1;
	printf("%d processes, %d and %d\n", ls_world_processes(all), ls_world_processes(all), ls_world_processes(self));
	ls_world_close(self);
	ls_world_close(all);
	return MPI_Finalize();
}
END
mkdir -p bare/bin && cp "$LOCKSTEP" bare/bin/lockstep # an installation without plug-ins
printf 'round,src,dst,words\n1,0,1,1\n2,1,2,1\n3,2,3,1\n' >plan.csv
printf 'round,src,dst,words\n1,0,1,1\n1,0,7,1\n' >twice.csv
printf 'round,src,dst,words\n1,0,1,1\n1,1,2,1\n' >other.csv
printf 'round,src,dst,words\n1,0,1,0,R\n' >stuck.csv

for family in $families; do
	plugin=$build/lockstep-$family.so
	counts=$(counts_of $family)
	for count in $counts; do
		started -n $count "$driver" $count
		check "the transport of $family over $count processes" [ $code -eq 0 ]
		check "$count results of $family" [ "$(grep -c ' 0 failures$' out)" -eq $count ]
	done

	run run allreduce -t star:4 --seed 1 -e mailboxes --mode routed --output alone.csv
	sed '/^time/d' out >alone
	started -n 2 "$LOCKSTEP" run allreduce -t star:4 --seed 1 -e mailboxes --mode routed --output out.csv
	check "exit 0 of run with $family" [ $code -eq 0 ]
	check "the line of $family" grep -Eq '^processes  2 on 1 host, 12 nodes each; [0-9.]+ % of the messages cross, [0-9]+ of [0-9]+ rounds (Open MPI|MPICH) [0-9.]+$' out
	sed "/^time/d; $processes_line" out >together
	check "run of $family prints the lines of one process" cmp -s alone together
	check "the file of $family" cmp alone.csv out.csv
	# Runs that all processes execute: the lines and the trace of one process.
	while read -r arguments; do
		run run $arguments -e sweep --trace alone_trace.csv
		sed '/^time/d; /^memory/d' out >alone
		for count in $counts; do
			started -n $count "$LOCKSTEP" run $arguments -e sweep --trace trace.csv
			sed "/^time/d; /^memory/d; $processes_line" out >together
			check "$count processes of $family: $arguments" sh -c '[ '$code' -eq 0 ] && cmp -s alone together'
			check "their trace of $family: $arguments" cmp -s alone_trace.csv trace.csv
			check "crossing messages of $family: $arguments" sh -c 'grep -Eq "^processes .*; [0-9.]+ % of the messages cross, [0-9]+ of [0-9]+ rounds" out &&
				! grep -q "; 0 %" out'
		done
		[ -z "$LS_FAST" ] || break
	done <<'RUNS'
allreduce -t star:4 -m 3
scan -t hypercube:5 -d int32 -o max
alltoall -t ring:6 -m 2 -i 3 --warmup 1
broadcast -t tree:8 -r 5
reduce-scatter -t mesh:4x4 --mode routed
allgather -t debruijn:4
RUNS
	started -n 2 "$LOCKSTEP" run allreduce -t hypercube:6
	check "sweep is the default of $family" grep -q 'engine sweep' out
	started -n 2 "$LOCKSTEP" run allreduce -t hypercube:6 --nodes fibers
	check "mailboxes are the default of fibers with $family" grep -q 'engine mailboxes' out
	started -n 1 "$LOCKSTEP" run allreduce -t star:4 -m 1 : -n 1 "$LOCKSTEP" run allreduce -t star:4 -m 2
	one_line 2 '^lockstep: process 1 runs allreduce -t star:4 -m 2; process 0 runs allreduce -t star:4 -m 1$' 'other arguments'
	started -n 2 bare/bin/lockstep list
	one_line 4 'started by mpirun, but built without MPI; try apt install lib(openmpi|mpich)-dev, make, or LOCKSTEP_MPI=off to run 2 copies$' 'no plug-in'
	for other in $families; do
		[ $other != $family ] || continue
		started -n 2 env LOCKSTEP_MPI="$build/lockstep-$other.so" "$LOCKSTEP" list
		one_line 2 "mpirun started 2 processes, but this MPI \\(.*\\) sees 1; try mpirun.$other, or LOCKSTEP_MPI=.*/lockstep-$family.so" "the plug-in of $other"
	done
	[ -z "$LS_FAST" ] || [ "$LS_THIN$family" = 1openmpi ] || continue

	# Verbs: printed once, as by one process.
	for verb in 'list topologies' 'steps broadcast -t ring:4' 'check allreduce -t star:4' \
		'reproduce table1' 'help run' '--version' 'help --completion bash' 'draw -t ring:4 -' \
		'steps allreduce -t ring:4 -d int8 --json'; do
		run $verb
		cp out alone
		wanted=$code
		started -n 2 "$LOCKSTEP" $verb
		check "exit $wanted of $family $verb (was $code)" [ $code -eq $wanted ]
		sed 's/"processes":{[^}]*},//; s/"cores_allowed":[0-9]*//' out >together
		sed -i 's/"cores_allowed":[0-9]*//' alone
		check "$family prints once: $verb" cmp -s alone together
	done
	started -n 2 "$LOCKSTEP" bench exchange -t ring:4 -m 1 -i 3
	check "bench of $family" grep -q '^# processes 2 on 1 host, 2 nodes each' out
	check "one bench of $family" [ "$(grep -c '^# lockstep bench' out)" -eq 1 ]
	started -n 2 "$LOCKSTEP" run allreduce -t ring:4 --json
	check "JSON of $family" holds '(d["processes"]["count"], d["processes"]["hosts"]) == (2, 1)'
	check "messages that cross with $family" holds 'd["processes"]["crossing_bytes"] == 8 * d["processes"]["crossing_messages"] > 0'
	check "rounds that cross with $family" holds '0 < d["processes"]["crossing_rounds"] <= r["rounds"]'
	check "the library $family" holds 'd["processes"]["library"].split()[0] in ("Open", "MPICH") and r["status"] == "ok"'
	started $(unbound_of $family) -n 2 "$LOCKSTEP" run allreduce -t star:5 --json
	check "processes of $family divide the cores" holds \
		'r["workers"] == 2 * max(1, d["machine"]["cores_allowed"] // 2) and r["status"] == "ok"'
	started -n 2 "$LOCKSTEP" info
	check "info of $family" sh -c 'grep -q "^processes  *2 on 1 host$" out &&
		grep -Eq "^MPI  *(Open MPI|MPICH) [0-9.]+$" out && grep -q "^plug-in .*/lockstep-'$family'.so$" out'
	timeout 120 mpirun.$family -n 2 "$LOCKSTEP" run --plan - broadcast -t linear:4 <plan.csv >out 2>err
	check "a plan from standard input with $family" [ $? -eq 0 -a "$(grep -c '^rounds' out)" -eq 1 ]
	check "all processes of $family execute it" grep -q '^processes .*; 33.3 % of the messages cross, 1 of 3 rounds' out
	started -n 1 "$LOCKSTEP" run allreduce -t ring:4
	check "one process of $family is as no mpirun" sh -c '! grep -q ^processes out && grep -q ^result out'

	# Processes other than 0 print nothing.
	case $family in
	openmpi) started -n 2 --output-filename parts "$LOCKSTEP" run allreduce -t ring:4 -v
		check "process 1 prints nothing" sh -c '[ ! -s parts/1/rank.1/stdout ] && [ ! -s parts/1/rank.1/stderr ]'
		check "process 0 prints" [ -s parts/1/rank.0/stdout ] ;;
	mpich) started -prepend-rank -n 2 "$LOCKSTEP" run allreduce -t ring:4 -v
		check "process 1 prints nothing" sh -c '! grep -h "^\[1\]" out err'
		check "process 0 prints" grep -q '^\[0\] result' out ;;
	esac

	# Exit codes.
	while IFS='|' read -r want arguments pattern; do
		started -n 2 "$LOCKSTEP" $arguments
		one_line "$want" "$pattern" "$arguments"
	done <<-'END'
		1|run --plan twice.csv -t ring:8 broadcast --quiet|node 0 sends to node 7 in round 1
		2|run allreduce -t ring:x|'x' is not a whole number
		2|run allreduc -t ring:4|did you mean
		2|run allreduce -t ring:4 --root 1|has no root
		2|run broadcast --plan missing.csv -t ring:4|cannot read missing.csv
		3|run allgather -t star:12 -e sweep|needs .* in process 0 on .*, but only .* shared by 2 processes
		4|run allreduce -t ring:4 -o sum -a doubling|doubling
		5|run --plan stuck.csv -t ring:4 broadcast --quiet|wait
	END

	# What the processes must have in common.
	started -n 1 "$LOCKSTEP" list : -n 1 "$LOCKSTEP" --version
	one_line 2 'process 1 runs --version; process 0 runs list$' 'another verb'
	started -n 1 "$LOCKSTEP" list : -n 1 "$LOCKSTEP" list --foo
	one_line 2 "process 1 on .*: unknown option --foo; try 'lockstep help list'" 'a usage error of process 1'
	mkdir -p here there && cp plan.csv here/plan.csv && cp other.csv there/plan.csv
	plan="run broadcast --plan plan.csv -t linear:4"
	started -n 1 sh -c "cd here && exec $LOCKSTEP $plan" : -n 1 sh -c "cd there && exec $LOCKSTEP $plan"
	one_line 2 'process 1 reads plan.csv of [0-9]+ bytes, checksum [0-9a-f]*; process 0 reads plan.csv' 'another plan'
	rm there/plan.csv
	started -n 1 sh -c "cd here && exec $LOCKSTEP $plan" : -n 1 sh -c "cd there && exec $LOCKSTEP $plan"
	one_line 2 'process 1 on .*: cannot read plan.csv: No such file' 'no plan in process 1'
	LC_ALL=C sed "s/$version/$(echo "$version" | tr 0-8 1-9)/g" "$LOCKSTEP" >changed && chmod +x changed
	started -n 1 "$LOCKSTEP" list : -n 1 env LOCKSTEP_MPI="$plugin" ./changed list
	one_line 2 "process 1 is lockstep .*; process 0 is lockstep $version " 'another version'

	# Plug-ins.
	started -n 2 env LOCKSTEP_MPI=/nonexistent/plugin.so "$LOCKSTEP" list
	one_line 2 'cannot open the plug-in: /nonexistent/plugin.so.*; try without LOCKSTEP_MPI' 'no such plug-in'
	mkdir -p bare/lib/lockstep && cp "$plugin" bare/lib/lockstep
	started -n 2 bare/bin/lockstep info
	check "the plug-in of an installation of $family" grep -q '^plug-in .*/bare/.*lib/lockstep/lockstep-' out
	rm bare/lib/lockstep/*
	started -n 2 env LOCKSTEP_MPI=off "$LOCKSTEP" list topologies
	run list topologies
	cat out out >twice
	started -n 2 env LOCKSTEP_MPI=off "$LOCKSTEP" list topologies
	check "two copies of $family" sh -c 'sort twice >a && sort out | cmp -s a -'
	# A program that calls MPI_Init itself.
	check "a program of $family with its own communicator is built" mpicc.$family -I"$tree/include" -o own own.c \
		"$build/liblockstep.a" $(pkg-config --libs liburcu-qsbr hwloc 2>/dev/null || echo -lurcu-qsbr -lurcu-common) \
		-lm -pthread "$plugin" -Wl,-rpath,"$build"
	started -n 2 ./own
	check "worlds of $family on two communicators" [ $code -eq 0 -a "$(grep -c '^2 processes, 2 and 1$' out)" -eq 2 ]

	# A signal to process 0 ends all of them: the rounds done are printed once.
	begin
	interrupt "$(cat pid.0)"
	wait $!
	code=$?
	check "exit 130 of an interrupted $family (was $code)" [ $code -eq 130 ]
	check "$family prints what was done once" [ "$(grep -c '^result  *interrupted' out)" -eq 1 ]

	# A process that is killed ends all of them.
	begin
	kill -KILL "$(cat pid.1)"
	wait $!
	code=$?
	check "a killed process of $family ends all (exit $code)" [ $code -ne 0 -a $code -ne 124 ]
done
finish
