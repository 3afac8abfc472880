#!/bin/sh
# The command line by its contract: exit codes, messages, and the lines of its results.
. "$(dirname "$0")/support/cli"

# Exit code | arguments | pattern of the message.  Codes 2 to 4: one line, nothing on stdout.
refusals <<'TABLE'
2||^lockstep: no verb; try 'lockstep run allreduce -t star:4' or 'lockstep help'$
2|runn|^lockstep: no verb 'runn'; did you mean 'run'[?]$
2|allreduce -t ring:4|^lockstep: 'allreduce' is an operation, not a verb; try 'lockstep run allreduce'$
2|help rum|did you mean 'run'[?]
2|help zzzzzz|expected run, steps, draw, check, .* or help$
2|bench|needs an operation or benchmark;
2|bench allreduce -t ring:4 -m 10:1|expected MIN <= MAX$
2|bench allreduce|^lockstep: no topology; try -t ring:8; 'lockstep list topologies' shows all$
2|fit|needs a file
2|fit x.csv|^lockstep: cannot read x.csv: No such file or directory$
2|reproduce tabel2|did you mean 'table2'
2|run|needs an operation
2|run allreduce|no topology
2|list topologies -t ring:3 ring:4 x|unexpected operand
2|run alreduce -t ring:8|^lockstep: no operation 'alreduce'; did you mean 'allreduce'[?]$
2|run zzzzzzzz -t ring:8|no operation 'zzzzzzzz'; 'lockstep list operations' shows all
2|run allreduce broadcast -t ring:8|unexpected operand
2|run allreduce -t rinng:8|did you mean 'ring:P'
2|run allreduce -t star:0|star:0
2|run allreduce -t star:21|star:21
2|run allreduce -t mesh:4x|mesh:4x
2|run allreduce -t hypercube:64|hypercube:64
2|run allreduce -t torus:3x-1|torus:3x-1
2|run allreduce -t hypercube:31*hypercube:32|more than 2.62 nodes
2|run allreduce -t ring:3*|factor is missing
2|run allreduce -t mct:3|mct:R,L
2|run allreduce -t graph:/nowhere/x|cannot read '/nowhere/x': No such file
2|run allreduce -t ring:99999999999999999999|too large
2|run allreduce -t|-t needs a value
2|run allreduce -t ring:4 --topologie ring:3|did you mean --topology
2|run allreduce -t ring:4 -Z|unknown option -Z; try 'lockstep help run'$
2|run allreduce -t ring:4 -vZ|unknown option -Z
2|run allreduce -t ring:4 --json=yes|takes no value
2|run allreduce -t ring:4 --json --csv|^lockstep: --json and --csv cannot be used together; try one of them$
2|run allreduce -t ring:4 -m -1|not a message size
2|run allreduce -t ring:4 -m 1K5|not a message size
2|run allreduce -t ring:4 -m K|not a message size
2|run allreduce -t ring:4 -m 99999999999999999999|not a message size
2|run allreduce -t ring:4 -m 17179869184G|not a message size
2|run allreduce -t ring:4 -m 1:8|run takes one message size; try -m 1, or 'lockstep bench'
2|run allreduce -t ring:4 -a rign|rign.*; .*ring
2|run allreduce -t ring:4 -o summ|did you mean 'sum'
2|run allreduce -t ring:4 -d doubel|did you mean 'double'
2|run allreduce -t ring:4 -d pair-double|no type
2|run broadcast -t ring:4 -r 4|^lockstep: --root 4 is not a node; expected 0..3$
2|check allreduce -t ring:4 -a star:3|^lockstep: no algorithm 'star:3'; a network in place of an algorithm needs a slash: -a star:3/$
2|run broadcast -t ring:4 -r -1|not a rank
2|run broadcast -t ring:4 -r 1x|not a rank
2|run broadcast -t ring:4 -r 9223372036854775808|not a rank
2|run shift -t ring:4 -q 1.5|not a distance
2|run allreduce -t ring:4 -i 0|not a number of runs
2|run allreduce -t ring:4 -x -1|not a number of runs
2|run allreduce -t ring:4 --mode hopp|invalid value 'hopp' for --mode; did you mean 'hop'
2|run allreduce -t ring:4 --rounds fre|did you mean 'free'
2|run allreduce -t ring:4 --bind socket|expected none, core or pu
2|run allreduce -t ring:4 --color=blue|expected never, auto or always
2|run allreduce -t ring:4 --ports 0|expected 1..4
2|run allreduce -t ring:4 --ports 5|expected 1..4
2|run allreduce -t ring:4 --mailbox 0|mailbox
2|run allreduce -t ring:4 --timeout 0|time limit
2|run allreduce -t ring:4 --timeout inf|time limit
2|run allreduce -t ring:4 --timeout 1s|time limit
2|run allreduce -t ring:4 --seed -1|not a seed
2|run allreduce -t ring:4 --input /nowhere/x|cannot read /nowhere/x: No such file or directory$
2|run allreduce -t ring:4 --trace /nowhere/x|cannot write /nowhere/x: No such file or directory$
2|run allreduce -t ring:4 --input x.npy --seed 1|--input and --seed cannot be used together; try one of them
2|run --plan /nowhere/x -t ring:4|cannot read /nowhere/x: No such file
2|run allreduce --plan . -t ring:4|^lockstep: cannot read .: Is a directory$
2|run barrier -t ring:4 -m 3|^lockstep: barrier carries no elements; try without --message-size$
2|run barrier -t ring:4 -o sum|barrier has no operator; try without --op$
2|run barrier -t ring:4 --output x.npy|barrier carries no elements; try without --output$
2|run barrier -t ring:4 --seed 1|barrier carries no elements; try without --seed$
2|run allreduce -t ring:4 -q 3|^lockstep: allreduce has no shift distance; try without --shift$
2|run prefix-sums -t ring:4 -r 0|^lockstep: scan has no root; try without --root$
2|steps broadcast -t ring:4 -o max|broadcast has no operator; try without --op$
2|check shift -t ring:4 -r 1|shift has no root; try without --root$
2|bench allgather -t ring:4 -o max|allgather has no operator
2|bench exchange -t complete:2 -o max|bench exchange takes no --op; try without it$
2|bench exchange -t complete:2 -v|bench exchange takes no --verbose
2|list algorithms broadcast -t ring:4 -q 3|broadcast has no shift distance
2|list algorithms -m 3|list algorithms shows no costs without a network; try -t ring:8, or without --message-size$
2|list topologies -t ring:4 -m 3|list topologies takes no --message-size; try without it$
2|list operations -t ring:4|list operations takes no --topology
2|list links -t ring:4 -v|list links takes no --verbose
2|info -v|info takes no --verbose; only run, steps, draw, check, find, bench, list and reproduce take it$
4|run allreduce -t ring:4 -e sweep --mailbox 8|^lockstep: engine sweep has no mailboxes; try -e mailboxes, or without --mailbox$
4|run allreduce -t ring:4 --rounds free --strict|free rounds have no link load; try --rounds lockstep, or without --strict$
2|run allgather -t ring:8 -a doubling --map gray|try -a GUEST/ALGORITHM
2|run allgather -t ring:8 -a hypercube:3/doubling --map grey|^lockstep: no map or file 'grey'; did you mean 'gray'[?]$
2|run allgather -t ring:8 -a hypercube:3/doubling --map nofile|^lockstep: no map or file 'nofile'; expected identity, gray, hamiltonian or a FILE$
2|run allgather -t ring:8 -a hypercube:3/doublin|doublin.*; .*doubling
2|run allgather -t ring:8 -a hypercub:3/doubling|hypercube:D
2|run allgather -t ring:8 -a hypercube:3/doubling --map /dev/null|fewer than 8 ranks
2|run broadcast -t ring:8 -a hypercube:2/ -r 4|^lockstep: --root 4 is not a node; expected 0..3$
4|run allreduce -t ring:4 --mode routed -e cooperative|message by message; try --rounds free
4|run allgather -t ring:8 -a hypercube:4/doubling|no larger than its host
4|run allgather -t ring:8 -a hypercube:3/doubling --mode hop|4 hops on ring:8; try --mode routed
4|check allgather -t ring:24 -a star:4/ --map gray|; .* hypercube
1|run allgather -t ring:8 -a hypercube:3/doubling --strict --quiet|2 messages cross the link from node [0-9]* to node [0-9]* in round 2
2|run allreduce -t tree:8 --mode hop -a foo|no algorithm 'foo'; try the default algorithm$
2|steps allreduce -t ring:4 x.csv --format text|the extension of x.csv selects csv, but an option selects text; try without the option$
2|run allreduce -t ring:4 -o xor|no operator 'xor'; did you mean 'lxor'[?]$
2|steps allreduce -t ring:4 x.csv --json|the extension of x.csv selects csv, but an option selects json; try without the option$
2|run allreduce -t ring:8 -a ring:4/ --map ./none|cannot read ./none: No such file
2|steps allreduce -t ring:4 --timeout 3|steps takes no --timeout
2|info -t ring:4|info takes no --topology
2|list algoritms|no list 'algoritms'; did you mean 'algorithms'
2|list --csv|list algorithms --csv
2|list operations scan|unexpected operand 'scan'; expected 'lockstep list operations \[FILE.csv\]'
2|list algorithms scan broadcast|unexpected operand 'broadcast'; expected 'lockstep list algorithms \[OPERATION\] \[FILE.csv\]'
2|list algorithms scna|did you mean 'scan'
2|run allreduce -t ring:4 -e thread|no engine 'thread'; expected mailboxes, cooperative, sweep or auto
2|run allreduce -t ring:4 -e swep|did you mean 'sweep'
2|run allreduce -t ring:4 -e mailboxes,auto|run takes one engine; try -e mailboxes, or 'lockstep bench'
2|run allreduce -t ring:4 --rounds free,lockstep|run takes one kind of rounds; try --rounds free, or 'lockstep bench'
2|bench allreduce -t ring:4 -m 8:1|not a range
2|bench allreduce -t ring:4 -m 1:8:3|not a range
2|bench allreduce -t ring:4 -m 1:8:x1|not a range
2|bench allreduce -t ring:4 -m 1:8:x2:x2|not a range
2|bench allreduce -t ring:4 -m :8|not a range
2|bench allreduce -t ring:4 -e mailboxes,thread|no engine 'thread'; expected mailboxes
2|bench allreduce -t ring:4 -e mailboxes,|no engine
2|bench allreduce -t ring:4 --rounds lockstep,fre|did you mean 'free'
2|bench allreduce -t ring:4 --rounds free,free,free,free,free,free,free,free,free|more than 8 values
2|bench allreduce -t ring:4 -a ring,rign|rign.*; .*ring
4|bench allreduce -t ring:4 -a ring,halving|halving does not support allreduce
2|bench allgather -t ring:8 -a doubling --map gray|try -a GUEST/ALGORITHM
2|bench barrier -t ring:4 -m 1:8|carries no elements
2|bench allreduce -t ring:4 --samples 0|not a number of samples
2|bench allreduce -t ring:4 --model 1|not a model
2|bench allreduce -t ring:4 --model 1,-1|not a model
2|bench allreduce -t ring:4 --trace x|bench takes no --trace
3|bench allreduce -t star:9|star:9 needs 362880 threads, but only [0-9]+ are available
3|bench allreduce -t ring:4 -m 1:1024G|4 nodes need .*, but only .* of memory is available
4|bench allreduce -t ring:4 --workers 2|engine auto has no workers
4|run allreduce -t ring:4 --workers 2|try -e sweep
4|run allreduce -t tree:8 --mode hop|; try --mode routed$
4|run allreduce -t ring:4 -a substar|; .*ring
4|run allreduce -t ring:4 -o band|try -d int64
4|run allreduce -t ring:4 -o minloc -d cdouble|try -d double
2|steps allreduce -t ring:4 x.svgz|^lockstep: unknown file extension .\.svgz.; expected .txt, .csv, .plan, .json, .svg, .html, .png, .pdf, .tex or .dot$
2|steps allreduce -t ring:4 a.b/x|a.b/x has no file extension; expected .txt
3|run allreduce -t star:20|threads.*-e sweep
3|run allreduce -t hypercube:62|threads
3|run allreduce -t ring:4 -m 64G|4 nodes need 6 TiB, but only .* of memory is available
3|check allreduce -t hypercube:62|smaller network
2|check allreduce -t hypercube:4 -m 1152921504606846975|^lockstep: -m: 1152921504606846975 elements are too many
2|check alltoall -t ring:4 -m 1152921504606846975|too many to count the words of all messages; try fewer$
3|steps allreduce -t hypercube:62|steps lists at most 4294967296
TABLE

# What `run` prints, line by line.
run run allreduce -t star:4
check "run allreduce -t star:4 succeeds" [ $code -eq 0 ]
check "no message of success" [ ! -s err ]
while IFS= read -r line; do
	check "line /$line/ of run" grep -Exq "$line" out
done <<'LINES'
topology   star:4   24 nodes, degree 3, diameter 4, 36 links
algorithm  substar \(Oh, Choi, Primeaux 2005\), rank-ordered       engine mailboxes, lockstep, hop
result     sum of 24 values at every node                        ok
rounds     6      predicted n\(n-1\)/2 = 6                         ok
messages   144    predicted 144                                  ok
words      144    predicted 144                                  ok
link load  1      single-port                                    ok
time       [0-9.]+ [mun]?s +1 run, 24 threads on [0-9]+ cores? .*messages/s, [0-9.e+-]+ MB/s
LINES
check "eight lines of run" [ "$(wc -l <out)" -eq 8 ]

# Arguments of `run` that must succeed | a line of the result.
while IFS='|' read -r arguments pattern; do
	run run $arguments
	check "success of: $arguments" [ $code -eq 0 ]
	check "/$pattern/ of: $arguments" grep -Eq -e "$pattern" out
	check "no WRONG of: $arguments" sh -c '! grep -q WRONG out'
done <<'TABLE'
broadcast -t ring:8 -m 1K|  1024 elements of node 0 at every node +ok
allgather -t ring:8 -a hypercube:3/doubling|^embedding  hypercube:3 by identity: dilation 4, congestion 6, expansion 1$
allgather -t ring:8 -a hypercube:3/doubling|^link load  4 +single-port, congestion +ok
allreduce -t star:4 -a ring:24/ring --map hamiltonian --strict|^link load  1 +single-port +ok
broadcast -t hypercube:3 -a linear:5/ --map gray -r 2 -x 1 -i 3|value of node 011.3. at every node +ok
broadcast -t mesh:3x5 -r 7|value of node \(1,2\)\(7\) at every node +ok
reduce -t hypercube:3 -r 5 -o max -d uint8|max of 8 values at node 101\(5\) +ok
reduce -t linear:7 -o minloc -d int16 -m 3 --seed 5|minloc of 7 vectors of 3 elements
allreduce -t ring:5 -o prod -d cdouble -m 9 --seed 5|prod of 5 vectors of 9 elements
allreduce -t star:4 -o prod -d double|prod of 24 values
allreduce -t torus:3x3 -d int8 -m 300|sum of 9 vectors of 300 elements
allreduce -t ring:1|rounds +0 +predicted .*0 +ok
allreduce -t hypercube:3 -m 0|vectors of 0 elements
allreduce -t complete:6 --mode routed -a doubling|routed
broadcast -t tree:8|engine mailboxes, lockstep, routed
allreduce -t debruijn:3|engine mailboxes, lockstep, hop
allreduce -t ring:6 --ports 2|2-port
allreduce -t ring:6 --rounds free -i 3 -x 1|3 runs
allreduce -t mesh:2x3 --bind none --mailbox 1 -e auto|ok
barrier -t star:3|no node left before all had entered +ok
allgather -t ring:5|  5 values at every node +ok
all-to-all-broadcast -t mesh:3x3 -m 3 -d uint8|  9 blocks of 3 elements at every node +ok
gather -t hypercube:3 -r 5|  8 values at node 101\(5\) +ok
scatter -t linear:5 -r 2 -m 4|  blocks of 4 of node 2, each at its node +ok
reduce-scatter -t torus:3x3 -o max -d int16 -m 7 --seed 3|  max of 9 blocks of 7 elements, each at its node +ok
scan -t mesh:2x5 -m 2|  sum of nodes 0 .. r at node r, 2 elements +ok
exscan -t hypercube:3 -o prod -d float --seed 2|  prod of the values of nodes 0 .. r-1 at node r +ok
prefix-sums -t ring:6 -o minloc -d int8 --seed 4|  minloc of the values of nodes 0 .. r at node r +ok
alltoall -t ring:6 -m 2 --seed 1 -i 2|  6 blocks of 2 elements for node r at node r +ok
total-exchange -t hypercube:3 --seed 1 --rounds free|  8 values for node r at node r +ok
shift -t ring:7 -q 3|  value of node r at node \(r \+ 3\) mod 7 +ok
shift -t hypercube:3 -q -11 -m 5|  5 elements of node r at node \(r - 11\) mod 8 +ok
alltoall -t ring:1 -m 3|rounds +0 +predicted .*0 +ok
TABLE

# Columns: what is found begins in column 12 and its verdict in column 66; no line is wider than 100.
wrong_columns() {
	awk 'length > 100 || (/ (ok|proved)$/ && !/^proved / && length - length($NF) != 65) ||
		(/ engine mailboxes/ && index($0, "engine mailboxes") != 66)' out
}
specs='ring:5 hypercube:3 star:4'
verbs='run check' tried=0
[ -z "$LS_FAST" ] || specs=star:4
for spec in $specs; do
	"$LOCKSTEP" list algorithms -t $spec --csv | sed '1d; /,operator$/d' | tr , ' ' >algorithms
	while read -r operation mode algorithm rest; do
		tried=$((tried + 1))
		[ -z "$LS_FAST" ] || verbs=$([ $((tried % 2)) -eq 0 ] && echo run || echo check)
		for verb in $verbs; do
			run $verb $operation -t $spec --mode $mode -a $algorithm
			check "columns of $verb $operation -t $spec --mode $mode -a $algorithm: $(wrong_columns)" \
				[ $code -eq 0 -a -z "$(wrong_columns)" ]
		done
	done <algorithms
done
printf '1,0,1,1\n' >a-file-whose-name-is-much-too-long-for-any-column-that-there-is.csv
run run --plan a-file*.csv -t ring:3
check "columns of a plan with a long name: $(wrong_columns)" [ $code -eq 0 -a -z "$(wrong_columns)" ]
run check allreduce -t hypercube:3
check "check gives the whole source" grep -q '^source     Grama, Gupta, Karypis, Kumar 2003, section 4.3, Problem 4.1$' out

run reproduce figure4.3
check "one figure of the textbook is reproduced" sh -c 'tail -n 1 out | grep -q "^1 claim: 1 right"'
run run allreduce -t ring:4 --quiet
check "--quiet prints nothing" [ $code -eq 0 -a ! -s out -a ! -s err ]
run run allreduce -t ring:4 -v
check "-v shows candidates" grep -q '^candidate .*the default' err
check "-v gives the reason for the engine" grep -q '^engine .*the default of run' err
run run allreduce -t ring:4 --color
check "--color marks ok" grep -q "$(printf '\033')\[32mok" out
NO_COLOR=1 "$LOCKSTEP" run allreduce -t ring:4 >out 2>err
check "NO_COLOR" sh -c '! grep -q "$(printf "\033")" out'
"$LOCKSTEP" list >/dev/full 2>err
check "a full disk is noticed" [ $? -eq 2 ]

# Limits that stop a run: a time limit, a signal.
run run allreduce -t star:5 -i 1000000 --timeout 0.3
check "--timeout exits 5" [ $code -eq 5 ]
check "the message of the time limit" grep -Eq \
	'^lockstep: timed out after 0.3 s in round [0-9]+ [(](allreduce|next_round)[)]: node [0-9]+ is waiting; try a longer --timeout' err
check "the blocked nodes at the time limit" grep -q '^blocked nodes: [0-9]* of 120 nodes wait' err
for engine in mailboxes sweep; do
	for pause in 0 0 0.01 0.02 0.04; do # before the counted run, in it, or in the timed runs
		$interruptible "$LOCKSTEP" run allreduce -t star:4 -i 3000000 -e $engine >out 2>err &
		sleep $pause
		interrupt $!
		wait $!
		check "SIGINT exits 130, engine $engine" [ $? -eq 130 ]
		check "SIGINT is one message, engine $engine" one_message
	done
done
# A signal that is blocked and pending when the tool starts: no engine misses it.
if command -v python3 >/dev/null; then
	for engine in mailboxes cooperative sweep; do
		for more in '' '-i 3'; do
			python3 -I -S - "$LOCKSTEP" run allreduce -t star:4 -e $engine $more >out 2>err <<-'PYTHON'
				import os, signal, sys
				signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
				os.system("kill -INT %d" % os.getpid())
				os.execv(sys.argv[1], sys.argv[1:])
			PYTHON
			code=$?
			check "a pending SIGINT exits 130 (was $code), engine $engine $more" [ $code -eq 130 ]
			check "a pending SIGINT is one message, engine $engine $more" one_message
		done
	done
fi
case $LS_VARIANT in
asan | tsan) skipped=$((skipped + 1)) ;; # sanitizers need more address space than any limit
*)
	(ulimit -v 300000 && "$LOCKSTEP" run allreduce -t star:7 >out 2>err)
	check "stacks that do not fit exit 3" [ $? -eq 3 ]
	check "one message of stacks that do not fit" one_message
	;;
esac

# check, list, info, help
run check allreduce -t star:4
check "check proves nine laws" [ "$(grep -c '^law [0-8] .*proved$' out)" -eq 9 ]
check "check states the bound" grep -Eq '^bound +at least 6 rounds; gap 0$' out
# Argument of `check` | what the result is.
while IFS='|' read -r arguments pattern; do
	run check $arguments
	check "result of $arguments: $pattern" grep -Eq "^result     $pattern$" out
done <<'TABLE'
broadcast -t star:4|every block as it was sent +the same bits at every node
reduce -t ring:4|every contribution once, in rank order
scatter -t ring:4|every block as it was sent
allreduce -t star:4|every contribution once, in rank order +the same bits at every node
allreduce -t star:4 -a paper -d int32|every contribution once, in some order +bits may differ between nodes
barrier -t star:4|every node knows that all others entered
TABLE
# A violation is named once, and what was proved before it.
run check allreduce -t ring:8 --mode routed --strict
check "congestion is a broken law under --strict" [ $code -eq 1 -a ! -s err ]
check "the violation" grep -q '^violation  law 3 (link): node 1: round 2: ' out
check "laws 0, 1, 2 and 4 hold before it" [ "$(grep -c '^law [0124] .* holds to round 1$' out)" -eq 4 ]
check "law 3 is wrong" grep -q '^law 3 .* WRONG$' out
check "laws after it are not reached" [ "$(grep -c '^law [5678] .* not reached$' out)" -eq 4 ]
run check allreduce -t ring:8 --mode routed --strict --quiet
check "with --quiet it is the message" [ $code -eq 1 -a ! -s out -a "$(wc -l <err)" -eq 1 ]

run list topologies -t hypercube:10
check "list topologies -t" grep -Eq ' 1024 +10 +10 +5120 ' out
run list algorithms -t star:4
check "one default a cell" [ "$(awk -F, '/, (hop|routed)$/ { cells++ } /^\* [a-z-]+  / { n[cells]++ }
	END { for (c = 1; c <= cells; c++) bad += n[c] != 1; print cells - 24 + bad }' out)" -eq 0 ]
check "list algorithms -t has the substar row" grep -Eq '^\* substar +rank-ordered +6 +6 +0 +144 +144 ' out
run list algorithms -t ring:8 --mode routed
check "--mode shows that mode only" sh -c '! grep -q "^scan, hop$" out && grep -q "^scan, routed$" out'
for spec in ring:6 star:4 hypercube:6; do
	run list algorithms -t $spec -m 1M
	check "list algorithms -t $spec fits 100 columns" sh -c 'awk "length > 100 { exit 1 }" out'
	"$LOCKSTEP" list algorithms -t $spec -m 1M --csv >rows
	check "no gap is negative on $spec" awk -F, 'NR > 1 && $8 < 0 { exit 1 }' rows
	check "rows of list algorithms -t $spec differ" sh -c 'cut -d, -f1-5 rows | grep -v ,true, | sort | uniq -d | wc -l | grep -qx 0'
done
run list algorithms total-exchange -t star:4
check "list algorithms OPERATION -t" sh -c 'grep -q "^alltoall, hop$" out && ! grep -q "^scan" out'
run list algorithms scatter
check "list algorithms OPERATION" sh -c 'grep -q "^naive   scatter gather$" out && ! grep -q "^substar" out'
for list in topologies operations algorithms; do
	run list $list
	check "list $list fits 100 columns" sh -c 'awk "length > 100 { exit 1 }" out'
done
run list operations
check "list operations tells what" grep -Fxq 'allreduce       all-reduce: every node gets x_0 (+) .. (+) x_p-1' out
check "list operations tells how" grep -Fq '                doubling halving-doubling pipeline' out
check "no line ends with a blank" sh -c '! grep -q " $" out'
run list operations --csv
check "list operations names all twelve" [ "$(wc -l <out)" -eq 13 ]
run info
check "info names the version" grep -q "^version  *$("$LOCKSTEP" --version | cut -d' ' -f2)$" out

finish
