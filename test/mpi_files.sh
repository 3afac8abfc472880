#!/bin/sh
# The tool under mpirun: files of operands, results and plans, bench, and the ends of runs.  All is as in one
# process, byte for byte, but for times.
# variants: release coverage
. "$(dirname "$0")/support/cli"
. "$tree/test/support/mpi"

# same_json TEXT: the documents in alone.json and out are the same, but for what depends on times and processes
same_json() {
	check "JSON of $1" python3 -I -S - <<'PYTHON'
import json, sys
VARY = {"command", "machine", "processes", "workers", "threads", "time_ns", "bytes_per_second", "memory_bytes",
	"total_ns", "cores", "noisy", "operand_bytes_per_second", "exchange_ns", "others", "samples",
	"crossing_messages", "crossing_bytes", "crossing_rounds"}
def rest(d):
	if isinstance(d, list):
		return [rest(x) for x in d]
	return {k: rest(v) for k, v in d.items() if k not in VARY} if isinstance(d, dict) else d
a, b = (json.load(open(name, encoding="utf-8")) for name in ("alone.json", "out"))
sys.exit(rest(a) != rest(b))
PYTHON
}

# ends: of the lines on standard error, the message and the blocked nodes
ends() { grep -E '^(lockstep: |blocked nodes|  round )'; }

# message TEXT: the last mpirun printed the message of one process, in the file alone
message() { check "the message of $family: $1" cmp -s alone messages; }

# chosen: is the next case tested with this MPI?  All are with LS_LONG, few with LS_FAST; else the MPIs share them.
chosen() {
	cases=$((cases + 1))
	[ -z "$LS_LONG" ] || return 0
	set -- $families
	[ -z "$LS_FAST" ] || set -- 1 2 3 4
	[ $((cases % $#)) -eq $((place % $#)) ]
}
cases=0 place=0

# next_count: the next number of processes to test, into $count
next_count() {
	set -- $(counts_of $family)
	turn=$((turn + 1))
	shift $((turn % $#))
	count=$1
}
turn=0

# Operands: of one element a node, of p blocks a node, and of pairs.
awk 'BEGIN { for (r = 0; r < 24; r++) print r * 37 % 101 / 8 "," r - 3 }' >two.csv
head -n 16 two.csv >two16.csv
awk 'BEGIN { for (r = 0; r < 16; r++) { for (c = 0; c < 31; c++) printf "%d,", r * c % 19; print r } }' >blocks.csv
run run allgather -t star:4 -m 3 -d int32 --seed 5 -e sweep --output rows.npy
run run shift -t star:4 -q 0 -d int32 --input rows.npy -e sweep --output rows.raw
"$LOCKSTEP" steps allreduce -t hypercube:4 -a doubling sum.plan
"$LOCKSTEP" steps reduce-scatter -t hypercube:4 halves.plan
"$LOCKSTEP" steps allreduce -t hypercube:4 --mode routed routed.plan
"$LOCKSTEP" steps allreduce -t star:4 sum.csv
printf 'round,src,dst,words\n1,0,1,1\n1,0,7,1\n' >twice.csv
printf 'round,src,dst,words\n1,0,1,1\n2,9,8,3,R\n2,1,0,1\n' >stuck.csv
printf '0 1\n1 2\n2 3\n3 4\n' >graph.txt
echo 23 4 17 2 11 8 20 1 13 6 19 0 9 15 22 3 >scattered.map

for family in $families; do
	place=$((place + 1))
	# Files of operands and of results, which may lie on the host of process 0 alone.
	rm -rf elsewhere && mkdir elsewhere && cp *.plan elsewhere
	cases=0
	while IFS='|' read -r result arguments; do
		chosen || continue
		next_count
		rm -f "together$result"
		run run $arguments -e sweep --output "alone$result" --json
		mv out alone.json
		wanted=$code
		started -n 1 "$LOCKSTEP" run $arguments -e sweep --output "together$result" --json : \
			-n $((count - 1)) sh -c "cd elsewhere && exec \"\$@\"" - \
			"$LOCKSTEP" run $arguments -e sweep --output "together$result" --json
		check "exit $wanted of $count processes of $family: $arguments (was $code)" [ $code -eq $wanted ]
		check "results of $count processes of $family: $arguments" cmp -s "alone$result" "together$result"
		same_json "$count processes of $family: $arguments"
	done <<-'END'
		.csv|allreduce -t star:4 --input two.csv
		.raw|scan -t star:4 --input two.csv -d float -o max
		.npy|reduce -t star:4 -r 17 --input two.csv -o minloc
		.csv|reduce-scatter -t hypercube:4 -d int64 --input blocks.csv
		.npy|alltoall -t mesh:4x4 -d int16 --input blocks.csv
		.raw|scatter -t hypercube:4 -r 3 -d uint8 --input blocks.csv
		.npy|allgather -t star:4 --input rows.npy
		.csv|gather -t star:4 -r 23 --input rows.raw -d int32
		.npy|scan -t hypercube:4 -m 70000 --seed 1
		.npy|allreduce --plan sum.plan -t hypercube:4 -m 7 --seed 1
		.raw|reduce-scatter --plan halves.plan -t hypercube:4 -d int64 --input blocks.csv
		.csv|allreduce -t star:4 -a hypercube:4/doubling -m 3 --seed 2
		.csv|shift -t ring:5 -q -2 -m 2
		.csv|broadcast -t ring:1 -m 3
	END
	check "no file of another process" [ "$(ls elsewhere)" = "$(ls *.plan)" ]

	# Traces as plans, and what is wrong with them.
	while read -r arguments; do
		next_count
		run run --plan $arguments -e sweep --trace alone_trace.csv --json
		mv out alone.json
		mv err alone
		wanted=$code
		started -n $count "$LOCKSTEP" run --plan $arguments -e sweep --trace trace.csv --json
		check "exit $wanted of the trace of $family: $arguments (was $code)" [ $code -eq $wanted ]
		check "the trace of $family: $arguments" cmp -s alone_trace.csv trace.csv
		same_json "the trace of $family: $arguments"
		grep '^lockstep: ' alone >first
		mv first alone
		message "$arguments"
		[ -z "$LS_FAST" ] || break
	done <<-'END'
		sum.csv
		sum.csv -t star:4 broadcast
		twice.csv -t ring:10 broadcast
		stuck.csv -t ring:10 broadcast
		sum.csv -t star:4 --mode routed --strict
	END
	started -n 2 "$LOCKSTEP" run --plan sum.csv
	check "a trace is swept by all processes of $family" grep -q '^processes .* cross, ' out

	# Machines whose nodes are spread over the processes: results, traces, counts and errors of one process.
	while IFS='|' read -r crossing how arguments; do
		chosen || continue
		next_count
		rm -f alone* out* trace.csv
		run run $arguments $how --trace alone_trace.csv --json ${crossing:+--output alone.csv}
		mv out alone.json
		ends <err >alone
		wanted=$code
		started -n $count "$LOCKSTEP" run $arguments $how --trace trace.csv --json ${crossing:+--output out.csv}
		check "exit $wanted of $count processes of $family: $arguments $how (was $code)" [ $code -eq $wanted ]
		check "the trace of $count processes of $family: $arguments $how" cmp -s alone_trace.csv trace.csv
		same_json "$count processes of $family: $arguments $how"
		ends <err >messages
		message "$arguments $how"
		[ -n "$crossing" ] || continue
		check "results of $count processes of $family: $arguments $how" cmp -s alone.csv out.csv
		check "crossing messages of $family: $arguments $how" holds "d['processes']['crossing_messages'] $crossing 0"
	done <<-'END'
		>|-e mailboxes|allreduce -t star:4 -m 3 --seed 1 -i 3 --warmup 1
		>|-e cooperative --nodes fibers|allreduce -t star:4 -m 3 --seed 1 -i 3 --warmup 1
		|-e mailboxes|--plan stuck.csv -t ring:10
		>|-e mailboxes --nodes fibers --rounds free|scan -t hypercube:5 -d int32 -o max
		>|-e cooperative|alltoall -t mesh:4x4 -m 2
		>|-e mailboxes --nodes fibers|allgather -t hypercube:4 -d float --input two16.csv
		>|-e cooperative --rounds free|scatter -t star:4 -r 23 -m 700
		>|-e mailboxes --rounds free|broadcast -t tree:8 -r 5 -m 3000
		>|-e mailboxes|broadcast -t tree:8 -r 5 -m 3
		>|-e mailboxes --nodes fibers|allreduce -t star:4 -a hypercube:4/doubling
		>|-e cooperative --rounds free|scan -t star:4 -a hypercube:4/ --map scattered.map -m 3
		>|-e mailboxes|allreduce --plan routed.plan -t hypercube:4
		>|-e auto --nodes fibers|gather -t star:4 -a ring:24/ --map hamiltonian -r 5
		>|-e mailboxes --rounds free|allreduce --plan routed.plan -t hypercube:4
		>|-e cooperative --nodes fibers|reduce-scatter --plan halves.plan -t hypercube:4 -d int64 --input blocks.csv
		|-e cooperative --nodes fibers|barrier -t star:4
		|-e mailboxes|--plan sum.csv -t star:4 broadcast
		|-e mailboxes --nodes fibers|--plan sum.csv -t star:4
		==|-e mailboxes|broadcast -t ring:1 -m 3
		>|--nodes fibers -e mailboxes|gather -t ring:3 -m 2
	END

	# Times of messages: those of processes on one host have one clock.
	started -n 2 "$LOCKSTEP" run allreduce -t hypercube:4 --times --trace timed.csv
	check "times of messages that cross, of $family (was $code)" [ $code -eq 0 ]
	check "a message of $family is sent before it is received" [ "$(awk -F, 'NR > 2 && NF == 7 && $5 >= 0 && $5 <= $6 && $7 <= $6' timed.csv | wc -l)" -eq 64 ]
	check "a timed run of $family is shared" grep -q '^processes .* cross, ' out

	# bench: one table, of all processes.
	for format in text csv; do
		run bench allreduce -t star:4 -m 1:4 --samples 2 -a paper,substar -d int64 -e sweep --format $format
		cp out alone
		started -n 2 "$LOCKSTEP" bench allreduce -t star:4 -m 1:4 --samples 2 -a paper,substar -d int64 --format $format
		check "exit 0 of bench of $family (was $code)" [ $code -eq 0 ]
		check "as many rows of $family as $format" [ "$(grep -vc '^#' alone)" -eq "$(grep -vc '^#' out)" ]
	done
	check "columns of processes of $family" grep -q ',processes,crossing_messages,crossing_bytes,crossing_rounds' out
	run bench allreduce -t star:4 -m 1:4 --samples 2 -d int64 -e sweep --json
	mv out alone.json
	started -n 2 "$LOCKSTEP" bench allreduce -t star:4 -m 1:4 --samples 2 -d int64 --json table.svg
	same_json "bench of $family"
	check "messages that cross in bench of $family" holds 'd["processes"]["count"] == 2 and all(
		r["processes"] == 2 and 0 < r["crossing_messages"] < r["messages"] for r in results)'
	for how in '-e mailboxes,cooperative,sweep' '--nodes fibers --rounds lockstep,free'; do
		started -n 2 "$LOCKSTEP" bench allreduce -t star:4 -m 1:2 --samples 2 $how --json
		check "exit 0 of bench $how of $family (was $code)" [ $code -eq 0 ]
		check "messages that cross in bench $how of $family" holds 'len(results) >= 4 and all(
			r["status"] == "ok" and r["crossing_messages"] == 16 and r["crossing_rounds"] == 1 for r in results)'
	done
	for benchmark in exchange stream; do
		started -n 2 "$LOCKSTEP" bench $benchmark -t complete:2 -m 1:4 -i 3 --samples 2 --json
		check "exit 0 of bench $benchmark of $family (was $code)" [ $code -eq 0 ]
		check "messages of $benchmark cross with $family" holds 'len(results) == 3 and all(r["status"] == "ok" and
			r["crossing_messages"] == r["messages"] > 0 and r["crossing_rounds"] == 1 for r in results)'
	done
	check "a picture of $family" grep -q '</svg>' table.svg
	[ -z "$LS_FAST" ] || [ "$LS_THIN$family" = 1openmpi ] || continue

	# Ends of runs: the text, the exit code and the rows of one process.
	while IFS='|' read -r want arguments; do
		chosen || continue
		run $arguments -e sweep
		grep '^lockstep: ' err >alone
		check "exit $want of $arguments (was $code)" [ $code -eq "$want" ]
		started -n 2 "$LOCKSTEP" $arguments -e sweep
		check "exit $want of $family: $arguments (was $code)" [ $code -eq "$want" ]
		message "$arguments"
	done <<-'END'
		2|run allreduce -t star:4 --input missing.csv --quiet
		2|run allreduce -t star:3 --input two.csv --quiet
		2|run allreduce -t star:4 --output missing/file.csv --quiet
		2|run allreduce -t star:4 --trace missing/file.csv --quiet
		2|run allreduce -t graph:missing.txt --quiet
		2|bench allreduce -t star:4 --quiet missing/file.svg
		4|bench allreduce -t star:4 --quiet -a doubling
	END
	for verb in "run allreduce -t star:7 -i 100000" "bench allreduce -t star:7 --samples 100000 --csv"; do
		started -n 2 "$LOCKSTEP" $verb -d int64 -e sweep --timeout 0.5 --output limited.csv
		case $verb in bench*) started -n 2 "$LOCKSTEP" $verb -d int64 -e sweep --timeout 0.5 ;; esac
		check "exit 5 of $family after the time limit: $verb (was $code)" [ $code -eq 5 ]
		check "one message of $family: $verb" [ "$(grep -c 'time' messages)" -eq 1 ]
	done
	check "no results of a run that was stopped" [ ! -e limited.csv ]
	for how in '-e mailboxes' '-e cooperative --nodes fibers'; do
		started -n 2 "$LOCKSTEP" run allreduce -t star:5 -i 1000000 $how --timeout 0.5
		check "exit 5 of $family after the time limit: $how (was $code)" [ $code -eq 5 ]
		check "one message of $family: $how" [ "$(grep -c '^lockstep: timed out after 0.5 s' messages)" -eq 1 ]
	done

	# SIGINT between and in short sweeps, and on a machine: no process waits for another one.
	while read -r begun arguments; do
		rm -f pid out err
		$interruptible timeout -k 5 60 mpirun.$family -n 2 sh -c "[ \${OMPI_COMM_WORLD_RANK:-\$PMI_RANK} -gt 0 ] || echo \$\$ >pid
			exec $LOCKSTEP $arguments" >out 2>err </dev/null &
		until grep -q "^$begun" out err 2>/dev/null && [ -s pid ] || ! kill -0 $!; do sleep 0.1; done
		interrupt "$(cat pid)"
		wait $!
		code=$?
		check "exit 130 of $family: $arguments (was $code)" [ $code -eq 130 ]
		check "one message of $family: $arguments" [ "$(grep -c '^lockstep: interrupted' err)" -eq 1 ]
	done <<-'END'
		#.model bench allreduce -t star:5 --samples 100000000 -e sweep
		#.model bench allreduce -t star:5 --samples 100000000 -e sweep
		#.model bench allreduce -t star:5 --samples 100000000 -e cooperative,mailboxes --nodes fibers
		engine run allreduce -t star:5 -i 1000000 -e mailboxes -v
	END

	# What only one process finds.
	printf '0 1\n1 2\n2 3\n3 0\n3 4\n' >elsewhere/graph.txt
	started -n 1 "$LOCKSTEP" run allreduce -t graph:graph.txt : \
		-n 1 sh -c "cd elsewhere && exec $LOCKSTEP run allreduce -t graph:graph.txt"
	check "exit 2 of another graph of $family (was $code)" [ $code -eq 2 ]
	check "the graphs of $family" grep -Eq \
		'process 1 reads graph.txt of 20 bytes, checksum [0-9a-f]{8}; process 0 reads graph.txt of 16 bytes' messages
	started -n 1 "$LOCKSTEP" run allgather -t hypercube:13 --quiet : \
		-n 1 sh -c "ulimit -v 700000; exec $LOCKSTEP run allgather -t hypercube:13 --quiet"
	check "exit 3 if process 1 of $family lacks memory (was $code)" [ $code -eq 3 ]
	check "its message of $family" grep -Eq \
		'^lockstep: process 1 on [^ ]+: allgather on hypercube:13 needs .*, but only .* of memory is available \(ulimit -v, shared by 2 processes\); try hypercube:' messages

	# No colors: the terminal that Open MPI makes for a process is none.
	started -n 2 env -u NO_COLOR "$LOCKSTEP" run allreduce -t star:4 -v
	check "no colors of $family" sh -c '! grep -q "$(printf "\033")" out err'
	started -n 1 env -u NO_COLOR "$LOCKSTEP" run allreduce -t star:4 -v
	check "no colors of one process of $family" sh -c '! grep -q "$(printf "\033")" out err'
	started -n 2 "$LOCKSTEP" run allreduce -t star:4 --color=always
	check "colors that $family is asked for" grep -q "$(printf '\033')" out
done

# A wrong result in one process.  The operands that process 1 gets differ in one element of node 11: so it
# expects another result at node 12, its first one, than process 0 has sent.
cat >plant.c <<'END'
#include <mpi.h>
#include <string.h>

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm world, MPI_Request *request)
{
	static char changed[1 << 20];
	const long long planted = 4711;
	const int operands = count > 1024 && count <= (int)sizeof changed; /* not the message of a node */

	for (int at = 0; to == 1 && operands && at + 8 <= count; at += 8)
		if (memcmp((const char *)data + at, &planted, 8) == 0) {
			memcpy(changed, data, count);
			changed[at]++;
			data = changed;
		}
	return PMPI_Isend(data, count, type, to, tag, world, request);
}
END
awk 'BEGIN { for (r = 0; r < 24; r++) print r == 11 ? 4711 : r }' >planted.csv
for family in $families; do
	mpicc.$family -shared -fPIC -o plant.so plant.c 2>err || { skipped=$((skipped + 1)); continue; }
	for how in '-e sweep' '-e mailboxes' '-e cooperative --nodes fibers'; do
		started -n 2 env LD_PRELOAD="$scratch/plant.so" "$LOCKSTEP" run shift $how -t ring:24 -d int64 --input planted.csv --json --output wrong.csv
		check "exit 1 of a wrong result of $family $how (was $code)" [ $code -eq 1 ]
		check "its message of $family $how" grep -q '^lockstep: element 0 of node 12 is 4711; expected 4712$' messages
		check "one message of $family $how" [ "$(wc -l <messages)" -eq 1 ]
		check "its status of $family $how" holds '(r["status"], r["wrong"]) == ("wrong", 1)'
		check "no file of wrong results of $family $how" [ ! -e wrong.csv ]
	done
done
finish
