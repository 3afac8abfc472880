#!/bin/sh
# run -e sweep: the same results, traces and counts as by the engine mailboxes; messages, refusals, and the end of a run.
. "$(dirname "$0")/support/cli"

topologies='hypercube:3 star:4 tree:8 star:3*ring:4 ring:1' cells_least=290
[ -z "$LS_FAST" ] || topologies=star:4 cells_least=20

# The number behind a name, in the lines of a run.
counts() { sed -n 's/^\(rounds\|messages\|words\|link load\) *\([0-9]*\) .*/\1 \2/p' "$1"; }

# output OPERATION FILE: a barrier has no results.
output() {
	case $1 in barrier) : >"$2" ;; *) echo "--output $2" ;; esac
}

# By both engines: equal files, equal counts, the plan's trace.
cells=0 tried=0
for operation in broadcast reduce allreduce allgather reduce-scatter scan exscan scatter gather \
	alltoall shift barrier; do
	for topology in $topologies; do
		for more in '' '-m 5 --seed 3' '-m 0 -d int8' '-m 3 -d float -o maxloc --seed 9' '-m 2 -d cdouble -o prod' \
			'--mode routed -d uint16 -o max -m 70'; do
			case "$operation $more" in barrier*-m*) continue ;; esac
			case $operation in
			*reduce* | *scan) ;;
			*) more=$(echo "$more" | sed 's/-o [a-z]*//') ;;
			esac
			tried=$((tried + 1)) # a third of the cells in a fast test, each operation twice
			[ -z "$LS_FAST" ] || [ $((tried % 3)) -eq 0 ] || continue
			cell="$operation -t $topology $more"
			run run $cell $(output $operation threads.npy)
			mv out by_threads
			wanted=$code
			run run $cell -e sweep --workers $((1 + cells % 3)) $(output $operation sweep.npy) --trace trace.csv
			check "exit $wanted of the sweep of $cell (was $code)" [ $code -eq $wanted ]
			[ $wanted -eq 0 ] || continue
			cells=$((cells + 1))
			check "the same results of $cell" cmp -s threads.npy sweep.npy
			check "the same counts of $cell" [ "$(counts out)" = "$(counts by_threads)" ]
			"$LOCKSTEP" steps $operation -t $topology $(echo "$more" | sed 's/--seed .//') steps.csv 2>/dev/null
			check "the trace of the plan, of $cell" cmp -s trace.csv steps.csv
			run run $cell -e sweep
			check "success of the sweep without files of $cell" [ $code -eq 0 ]
		done
	done
done
check "at least $cells_least cells (were $cells)" [ $cells -ge $cells_least ]

# Operands from files, roots, embeddings, plans, ports.
run run scan -t ring:5 -m 3 --seed 8 --output operands.csv
while read -r arguments; do
	run run $arguments $(output ${arguments%% *} threads.npy)
	check "mailboxes: $arguments" [ $code -eq 0 ]
	run run $arguments -e sweep $(output ${arguments%% *} sweep.npy) --trace trace.csv
	check "success of $arguments" [ $code -eq 0 ]
	check "the same results: $arguments" cmp -s threads.npy sweep.npy
	"$LOCKSTEP" steps $(echo "$arguments" | sed 's/--input operands.csv//') steps.csv
	check "the trace of the plan: $arguments" cmp -s trace.csv steps.csv
	run run $arguments -e sweep
	check "without --output: $arguments" [ $code -eq 0 ]
done <<'TABLE'
allreduce -t ring:5 -m 3 --input operands.csv
broadcast -t ring:5 -m 3 --input operands.csv -r 3
reduce -t ring:5 -m 3 --input operands.csv -r 4
exscan -t linear:5 -m 3 --input operands.csv
shift -t ring:5 -m 3 --input operands.csv -q -2
allgather -t ring:5 -m 3 --input operands.csv
scatter -t star:4 -m 2 -r 7
gather -t star:4 -m 2 -r 23
gather -t star:4 -a linear:7/ --map hamiltonian -r 6
alltoall -t hypercube:3 -a ring:8/ --map gray --mode routed
barrier -t tree:8 -a star:3/ --map identity
TABLE
"$LOCKSTEP" steps allreduce -t ring:4 my.plan
run run --plan my.plan -t ring:4 -e sweep
check "a plan from a file is swept" [ $code -eq 0 ]

# What it says.
run run allreduce -t star:4 -e sweep --workers 3
while IFS= read -r line; do
	check "the line: $line" grep -Eq "^$line" out
done <<'TABLE'
algorithm  substar .*engine sweep, lockstep, hop$
result     sum of 24 values at every node +ok$
proved     all contributions by fingerprints, in rank order +ok$
rounds     6 +predicted n\(n-1\)/2 = 6 +ok$
messages   144 +predicted 144 +ok$
link load  1 +single-port +ok$
time       .* 1 run, 3 workers on [0-9]+ cores? .*messages/s
TABLE
check "nothing on stderr, which is no terminal" [ ! -s err ]
run run allreduce -t star:5 -e sweep -a word -o max
check "of many nodes 64 stand for all, where twice is once" grep -q '^proved     64 contributions, drawn at random, by fingerprints *ok$' out
run run broadcast -t star:5 -e sweep --workers 1
check "moves" grep -q '^proved     all blocks by fingerprints *ok$' out
check "one worker" grep -q '1 run, 1 worker on' out
run run allreduce -t star:6 -e sweep -v
check "-v: memory and time" sh -c 'grep -Eq "^memory     [0-9.]+ [KM]iB, [0-9.]+ bytes per node$" err && grep -q "^seconds    .* for the rounds, .* with operands and results$" err'
run run allreduce -t star:4 -e sweep -i 5 -x 1
check "five runs" grep -q '5 runs, ' out
run run allreduce -t star:4 -e sweep --quiet
check "--quiet prints nothing" [ $code -eq 0 -a ! -s out -a ! -s err ]
run list algorithms allreduce -t star:5 -v
check "list -v: bytes per node" grep -Eq '^\* allgather-fold .* [0-9]+$' out

printf "1,0,1,1\n" >one.csv

# Exit code | arguments | pattern of the message
refusals <<'TABLE'
3|run allreduce -t hypercube:40 -e sweep|^lockstep: allreduce on hypercube:40 needs 8 TiB for the fingerprints of its nodes alone, but only .* of memory is available .*; try hypercube:[0-9]+, which needs [0-9.]+ [MG]iB$
3|run scan -t star:14 -e sweep|try star:(9|1[01]), which needs
3|run alltoall -t mesh:1000x1000 -e sweep|needs .* TiB.*try mesh:[0-9]+x[0-9]+, which needs
3|run allreduce -t ring:4 -m 1024G -e sweep|needs
3|run allgather -t hypercube:20 -m 17592186044416 -e sweep --output x.npy|needs more bytes than 64 bits can count
3|bench allreduce -t hypercube:40 -e sweep|try hypercube:
3|run --plan one.csv -t hypercube:40 -e sweep|fewer nodes
4|run allreduce -t ring:4 -e sweep --rounds free|try --rounds lockstep
4|bench allreduce -t ring:4 -e mailboxes,sweep --rounds lockstep,free|try --rounds lockstep
4|bench allreduce -t ring:4 -e mailboxes --workers 2|-e sweep
2|run allreduce -t ring:4 -e sweep --workers 0|not a number of workers
1|run allgather -t ring:8 -a hypercube:3/doubling --strict -e sweep --quiet|2 messages cross the link from node [0-9]* to node [0-9]* in round 2
TABLE

# Traces that a run executes: the same result as by the engine mailboxes.
played=0
while IFS='|' read -r rows arguments; do
	printf "$rows" >plan.csv
	run run --plan plan.csv $arguments --trace threads.csv
	wanted=$code
	mv err by_threads
	run run --plan plan.csv $arguments -e sweep --trace sweep.csv
	check "exit $wanted of $rows on $arguments (was $code)" [ $code -eq $wanted ]
	check "the same message of $rows on $arguments" [ "$(sed 1q err)" = "$(sed 1q by_threads)" ]
	[ $wanted -ne 0 ] || check "the same trace of $rows on $arguments" cmp -s threads.csv sweep.csv
	[ $wanted -ne 5 ] || check "the same blocked nodes of $rows" [ "$(sort err)" = "$(sort by_threads)" ]
	played=$((played + 1))
done <<'TABLE'
1,0,1,1\n1,0,2,1\n|-t complete:4
1,0,1,1\n3,4,5,1\n3,4,3,1\n|-t ring:8
1,0,1,1\n1,2,1,1\n|-t ring:8
2,0,3,1\n|-t ring:8
1,2,2,1\n|-t ring:8
1,0,1,1\n1,0,0,1\n|-t ring:8
1,0,1,1\n2,1,2,0,R\n|-t ring:8
1,0,3,0,R\n|-t ring:8
1,0,0,1,R\n|-t ring:4
1,0,3,1\n|-t ring:8 --mode routed
1,0,2,1\n1,1,2,1\n|-t ring:8 --mode routed
1,0,2,1\n1,1,2,1\n|-t ring:8 --mode routed --ports 2
1,1,0,1\n1,0,1,1\n3,2,1,4\n|-t ring:8
1,0,1,1\n1,0,2,1\n|-t complete:4 --ports 2
|-t ring:8
1,0,8,1\n|-t ring:8
TABLE
check "at least 16 traces (were $played)" [ $played -ge 16 ]
printf '1,0,1,2305843009213693951\n1,2,3,1\n' >plan.csv
run run --plan plan.csv -t ring:8 -e sweep
check "bytes that cannot be counted are refused" [ $code -eq 3 -a "$(grep -c 'than can be counted' err)" -eq 1 ]
"$LOCKSTEP" steps alltoall -t tree:8 steps.csv
run run --plan steps.csv -t tree:8
counts out >by_threads
run run --plan steps.csv -t tree:8 -e sweep
check "the load of routes, played" [ "$(counts out)" = "$(cat by_threads)" ]

# Bench, beside threads.
run bench allreduce -t ring:4 -m 1:4 -e mailboxes,sweep --samples 3 -i 2 --workers 2
check "bench: a row for each engine and size" [ $code -eq 0 -a "$(grep -c ' sweep ' out)" -eq 3 ]
run bench allreduce -t star:5 -e sweep --samples 3
check "bench: nodes of a sweep are not too many" [ $code -eq 0 -a "$(grep -c oversubscribed err)" -eq 0 ]

# Ends before its end: 20 thousand million messages.
long='run shift -t ring:200000 -q 100000 -e sweep --workers 1'
run $long --timeout 0.3
check "--timeout exits 5" [ $code -eq 5 ]
check "the message of --timeout" grep -Eq '^lockstep: timed out after 0.3 s in round [0-9]+; try a longer --timeout' err
check "the result counts the rounds done" sh -c 'grep -q "^result     timeout$" out && grep -Eq "^rounds +[0-9]+ of [0-9]+ rounds done$" out'
for seconds in 0.3 3 30; do # until a busy machine has done some round
	run run allreduce -t star:7 -e sweep -i 1000000 --timeout $seconds
	grep -q ' 0 workers' out || break
done
check "the result of a time limit among many runs" sh -c 'grep -q "^result     timeout$" out && ! grep -q " 0 workers" out'
$interruptible "$LOCKSTEP" $long >out 2>err &
interrupt $!
wait $!
check "SIGINT exits 130" [ $? -eq 130 ]
check "the message of SIGINT" grep -q '^lockstep: interrupted' err
check "the result of SIGINT counts the messages sent" sh -c 'grep -q "^result     interrupted$" out && grep -Eq "^messages +[0-9]+ of [0-9]+ messages sent$" out'

if script -qec true typescript >/dev/null 2>&1; then
	progress='round [0-9]* of [0-9]*  .* messages/s'
	for seconds in 1 10 60; do # until a busy machine has shown some progress
		script -qec "timeout -s INT $seconds $LOCKSTEP $long" typescript >/dev/null
		! grep -q "$progress" typescript || break
	done
	check "progress on a terminal" grep -q "$progress" typescript
	script -qec "timeout -s INT 1 $LOCKSTEP $long --quiet" typescript >/dev/null
	check "--quiet: none" sh -c '! grep -q "messages/s" typescript'
else
	skipped=$((skipped + 2))
fi

command -v python3 >/dev/null || finish
run run allreduce -t star:5 -d int64 -e sweep --workers 2 --json
while read -r expression; do
	check "$expression" holds "$expression"
done <<'TABLE'
r["engine"] == "sweep" and r["round_mode"] == "lockstep" and r["algorithm"] == "allgather-fold" and r["status"] == "ok"
r["workers"] == 2 and r["threads"] == 2 and r["max_link_load"] == 1
r["proved"] is True and r["identical"] is True and r["wrong"] == 0
r["memory_bytes"] > 120 * 8 and r["total_ns"] >= r["time_ns"]["median"] > 0
all(r[k] == r[k + "_predicted"] for k in ("rounds", "messages", "words"))
TABLE
run run allreduce -t star:4 --json
check "threads prove nothing by fingerprints" holds 'r["proved"] is None and r["threads"] == 24'
run $long --timeout 0.3 --json
check "the document of a time limit" holds 'r["status"] == "timeout" and r["error"]["kind"] == "timeout" and 0 <= r["messages"] < r["messages_predicted"]'
$interruptible "$LOCKSTEP" $long --json >out 2>err &
interrupt $!
wait $!
check "an interrupted document is whole" holds 'r["status"] == "interrupted"'
printf '1,0,1,1\n2,1,2,0,R\n' >plan.csv
run run --plan plan.csv -t ring:8 -e sweep --json
check "the blocked nodes of a trace" holds 'r["status"] == "deadlock" and r["error"]["node"] == 2 and len(r["error"]["blocked_nodes"]) == 2'
run list algorithms scan -t ring:8 -v --json
check "bytes per node in JSON" python3 -c 'import json; assert json.load(open("out"))["algorithms"][0]["bytes_per_node"] > 0'
finish
