#!/bin/sh
# Traces: what a run sends is what `steps` says, byte by byte, and both can be played; broken plans are named.
. "$(dirname "$0")/support/cli"

cells=0 tried=0 cells_least=110
[ -z "$LS_FAST" ] || cells_least=30 # a third, each algorithm once or twice
while read -r operation topology algorithms; do
	for algorithm in $algorithms; do
		for more in '' '-m 5' '-m 0' '--rounds free' '--mode routed'; do
			case "$operation $more" in 'barrier -m'*) continue ;; esac
			tried=$((tried + 1))
			[ -z "$LS_FAST" ] || [ $((tried % 3)) -eq 0 ] || continue
			cell="$operation -t $topology -a $algorithm $more"
			"$LOCKSTEP" steps $operation -t $topology -a $algorithm \
				$(echo "$more" | sed 's/--rounds free//') steps.csv 2>err
			case $? in 0) ;; 4) continue ;; esac
			cells=$((cells + 1))
			run run $cell --trace trace.csv
			check "success of: $cell" [ $code -eq 0 ]
			check "trace equals steps of: $cell" cmp -s steps.csv trace.csv
			run run --plan steps.csv $(echo "$more" | grep -e --rounds) --trace played.csv
			check "playing the steps of: $cell" [ $code -eq 0 ]
			sed "1s/algorithm=$algorithm/algorithm=trace/" steps.csv >a
			check "what was played equals the steps of: $cell" cmp -s a played.csv
		done
	done
done <<'TABLE'
broadcast ring:7 pipeline binomial spanning-tree
broadcast mesh:3x4 dimension spanning-tree
broadcast hypercube:3 binomial
broadcast star:4 matching sheu
reduce linear:6 pipeline gather-fold
reduce star:4 substar matching
allreduce ring:6 pattern ring pipeline
allreduce torus:3x3 dimension ring
allreduce hypercube:3 doubling halving-doubling
allreduce complete:7 doubling halving-doubling
allreduce star:4 substar spanning-tree
allgather mesh:3x3 ring
reduce-scatter ring:6 ring
scan hypercube:3 dimension
exscan linear:5 pipeline
scatter ring:7 binomial pipeline
gather star:3 spanning-tree
alltoall hypercube:3 dimension
alltoall complete:5 pairwise
shift torus:3x3 dimension
barrier star:4 paper
barrier complete:5 dissemination
barrier hypercube:3 doubling
TABLE
check "at least $cells_least cells (were $cells)" [ $cells -ge $cells_least ]

run steps allreduce -t star:4 --csv
check "--csv is the file" [ $code -eq 0 ]
"$LOCKSTEP" steps allreduce -t star:4 steps.csv
check "--csv equals FILE.csv" cmp -s out steps.csv
check "the first lines of a trace" [ "$(sed 3q steps.csv)" = "# operation=allreduce algorithm=substar topology=star:4 m=1 root=0 q=1
round,src,dst,words
1,0,1,1" ]
"$LOCKSTEP" steps shift -t ring:4 -q -1 back.csv
run check shift -t ring:4 --plan back.csv
check "a shift by -1, read again" [ $code -eq 0 ]
"$LOCKSTEP" steps --plan back.csv -t ring:4 back.plan
run check --plan back.plan -t ring:4
check "a shift by -1, written as a plan" [ $code -eq 0 ]
run run allreduce -t star:4 -i 5 -x 2 --trace trace.csv
check "the trace of many runs is that of one" cmp -s steps.csv trace.csv

# A plan of a guest, by the nodes that it is placed on: what is run is what it says.
placed=0
while read -r operation host guest map more; do
	run steps "$operation" -t "$host" -a "$guest/" --map "$map" $more steps.csv
	check "steps of $guest on $host by $map" [ $code -eq 0 ]
	run run "$operation" -t "$host" -a "$guest/" --map "$map" $more --trace trace.csv
	check "run of $guest on $host by $map" [ $code -eq 0 ]
	check "equal traces of $guest on $host by $map" cmp -s steps.csv trace.csv
	run run --plan steps.csv --trace played.csv
	check "playing the steps of $guest on $host by $map" [ $code -eq 0 ]
	sed 's/algorithm=[^ ]*/algorithm=trace/' steps.csv >a
	check "what was played of $guest on $host by $map" cmp -s a played.csv
	check "sorted: $guest on $host" sh -c 'sed 1,2d trace.csv | sort -c -n -t, -k1,1 -k2,2'
	placed=$((placed + 1))
done <<'TABLE'
allgather ring:8 hypercube:3 identity
allgather ring:8 hypercube:3 gray
alltoall hypercube:3 ring:8 gray --mode routed
scan mesh:3x3 linear:9 hamiltonian -m 5
gather star:4 linear:7 hamiltonian -r 6
shift hypercube:4 torus:2x6 gray -q 5
barrier tree:8 star:3 identity
TABLE
check "at least 7 embeddings (were $placed)" [ $placed -ge 7 ]
check "nodes by their rank on the host" [ "$("$LOCKSTEP" steps allgather -t hypercube:2 -a ring:4/ring \
	--map gray --csv | sed -n 1,6p)" = "# operation=allgather algorithm=ring:4/ring topology=hypercube:2 m=1 root=0 q=1 map=gray
round,src,dst,words
1,0,1,1
1,1,3,1
1,2,0,1
1,3,2,1" ]

# Figure 4.12: one link of the ring carries four messages of the hypercube's last step.
run steps allgather -t ring:8 -a hypercube:3/doubling --map identity -v
check "the load of each round" [ "$(sed -n 's/^round .*load //p' out | tr -d '\n')" = 124 ]
check "the load of a link" grep -Eq '^ +3 --> 4 +4 messages, 16 words$' out

# The first line states mode and ports if they are not the defaults: a trace needs no options.
while IFS='|' read -r arguments stated; do
	"$LOCKSTEP" steps $arguments stated.csv
	check "the first line of $arguments" sh -c '[ "$(sed -n "1s/.* q=1//p" stated.csv)" = "$0" ]' "$stated"
	run run $arguments --quiet --trace sent.csv
	check "--trace of $arguments" cmp -s stated.csv sent.csv
	for verb in 'check --plan stated.csv' 'run --plan stated.csv --trace copy.csv' \
		'run --plan stated.csv -e sweep --trace copy.csv' 'check --plan copy.csv' \
		'steps --plan stated.csv inferred.csv'; do
		run $verb
		check "$verb of $arguments (was $code)" [ $code -eq 0 ]
	done
	check "the first line of a copy, and of the inferred plan: $arguments" \
		[ "$(sed 1q copy.csv)" = "$(sed 1q inferred.csv)" ]
done <<'TABLE'
reduce -t ring:8 --mode routed| mode=routed
reduce -t ring:8 --mode hop|
broadcast -t tree:8|
broadcast -t tree:8 --mode routed|
allgather -t ring:5 --ports 2| ports=2
allgather -t ring:5 --ports 1|
allgather -t ring:6 --mode routed --ports 2| mode=routed ports=2
TABLE
"$LOCKSTEP" steps allgather -t ring:5 --ports 2 two.plan
for engine in mailboxes cooperative sweep; do
	run run --plan two.plan -t ring:5 -e $engine --trace two.csv
	check "the ports of a plan file on $engine (was $code)" [ $code -eq 0 ]
	check "the trace of a plan file on $engine" grep -q '^# .* ports=2$' two.csv
	run check --plan two.csv
	check "the trace of a plan file on $engine, checked" [ $code -eq 0 ]
done
run run --plan two.plan -t ring:5
check "the ports in the text" grep -q '^link load  1 *2-port' out
run steps allgather -t ring:8 -a hypercube:3/doubling --csv
check "the mode and the map of an embedding" grep -q '^# .* q=1 mode=routed map=identity$' out
# A trace without an operation keeps its m for the operation of the command line.
printf '# m=3 topology=ring:4\n1,1,0,3\n1,1,2,3\n' >none.csv
run run --plan none.csv --trace copy.csv
check "a copy of a trace without an operation" [ "$(sed 1q copy.csv)" = \
	'# algorithm=trace topology=ring:4 m=3 root=0 q=1' ]
run check broadcast -r 1 --plan copy.csv --json
check "the m of the copy" grep -q '"elements":3,' out
while IFS='|' read -r statement pattern; do
	printf '# operation=broadcast topology=ring:4 %s\n1,0,1,1\n' "$statement" >bad.csv
	run run --plan bad.csv
	check "exit 2 of $statement (was $code)" [ $code -eq 2 ]
	check "one message of $statement" one_message
	check "the message of $statement" grep -q "^lockstep: bad.csv:1: $pattern$" err
done <<'TABLE'
mode=hops|mode=hops; expected hop or routed
mode=|mode=; expected hop or routed
mode=ROUTED|mode=ROUTED; expected hop or routed
ports=4294967297|ports=4294967297; expected 1..4
ports=5|ports=5; expected 1..4
ports=0|ports=0; expected 1..4
ports=-1|ports=-1; expected 1..4
ports=two|ports=two; expected 1..4
TABLE
printf '# topology=ring:4 mode=hops ports=9\n1,0,2,1\n1,0,1,1\n' >bad.csv
run run --plan bad.csv --mode routed --ports 2
check "the command line wins over the first line" [ $code -eq 0 ]

# The grid for people: every message of the trace is an arrow.
run steps allreduce -t mesh:3x3
arrows=$(awk '/-->/ && /word/ { n++ } /<->/ && /word/ { n += 2 } END { print n }' out)
"$LOCKSTEP" steps allreduce -t mesh:3x3 steps.csv
check "as many arrows as messages" [ "$arrows" -eq "$(sed 1,2d steps.csv | wc -l)" ]
check "no line ends with a blank" sh -c '! grep -q " $" out'
run steps broadcast -t mesh:2x2
check "a picture of a mesh" grep -q '^    0 --> 1$' out
# Figure 4.5: along the row of the root, then along the columns.
run steps broadcast -t mesh:4x4 --mode routed
sed -n '/^round 1 /,/ --> (/p; /^round 3 /,/ --> (/p' out | grep -v '^ *$' | sed '/word/d' >figure
check "a message passes over the nodes between" [ "$(cat figure)" = "round 1   1 message, link load 1
     0 ---( 1)-->  2      3
     4      5      6      7
     8      9     10     11
    12     13     14     15
round 3   4 messages, link load 1
     0      1      2      3
     |      |      |      |
     |      |      |      |
   ( 4)   ( 5)   ( 6)   ( 7)
     |      |      |      |
     v      v      v      v
     8      9     10     11
    12     13     14     15" ]
# Every message has one head in the picture of its round, and wires that do not exist none.
grids=0
for cell in 'broadcast mesh:3x3' 'broadcast mesh:4x4' 'reduce mesh:3x5' 'broadcast mesh:2x7' \
	'allreduce mesh:4x4' 'broadcast torus:5x5' 'reduce torus:4x6' 'allreduce torus:2x3'; do
	for mode in hop routed; do
		case $cell in allreduce*) root= ;; *) root='-r 4' ;; esac
		run steps ${cell% *} -t ${cell#* } $root --mode $mode
		grids=$((grids + $(awk '
			/^round [0-9]+ +[0-9]+ message/ { inside = 1; messages = $3; heads = row = 0; next }
			/^topology/ { split($2, spec, /[:x]/) }
			inside && /word/ {
				if (row == spec[2]) print heads == messages ? "right" : "wrong " heads " of " messages
				inside = 0
			}
			inside && /[0-9]/ {
				row++
				if (spec[1] == "mesh" && /^ *[<-]|[->]$/) print "wrong end: " $0
				sub(/^ *<?-*>?/, "") # of a wire round the back, which is drawn at both ends
			}
			inside && row > 0 { heads += gsub(/[<>v^]/, "") }
		' out | tee -a heads | grep -c right)))
	done
done
check "a head for each message: $(grep wrong heads)" sh -c '! grep -q wrong heads'
check "at least 40 grids (were $grids)" [ $grids -ge 40 ]
run steps allreduce -t hypercube:2 -v
check "-v shows moves" grep -q ':= .*(+)' out

# Plans that break a rule | exit | topology | pattern of the message
play() { printf "$1" >plan.csv; shift; run run --plan plan.csv "$@"; }
while IFS='|' read -r rows want arguments pattern; do
	play "$rows" $arguments
	check "exit $want of $rows on $arguments (was $code)" [ $code -eq $want ]
	check "message /$pattern/ of $rows on $arguments" grep -Eq "^lockstep: .*$pattern" err
done <<'TABLE'
1,0,1,1\n1,0,2,1\n|1|-t complete:4|node 0 sends to node 2 in round 1
1,0,1,1\n3,4,5,1\n3,4,3,1\n|1|-t ring:8|node 4 sends to node 3 in round 3
1,0,1,1\n1,2,1,1\n|1|-t ring:8|node 1 receives from node 2 in round 1
2,0,3,1\n|1|-t ring:8|node 0 has no link to node 3 in round 2
1,2,2,1\n|1|-t ring:8|node 2 .*itself in round 1
1,0,1,1\n2,1,2,0,R\n|5|-t ring:8|node 2 waits for node 1 in round 2
1,0,1,1\n2,1,2,0,R\n|5|-t ring:8 --rounds free|node 2 .*node 1 in round 2
1,0,1,0,R\n1,1,0,0,R\n|5|-t ring:4 --rounds free|deadlock
1,0,8,1\n|2|-t ring:8|plan.csv:1: rank 8 .*expected 0[.][.]7
1,0\n|2|-t ring:8|plan.csv:1:.*round,src,dst,words
0,0,1,1\n|2|-t ring:8|plan.csv:1:
1,0,1,1,X\n|2|-t ring:8|plan.csv:1:
1,0,1,-1\n|2|-t ring:8|plan.csv:1:
1,0,1,1x\n|2|-t ring:8|plan.csv:1:
TABLE
play '1,0,1,1\n2,1,2,0,R\n' -t ring:8
check "the blocked nodes are counted" grep -q '^blocked nodes: 8 of 8 nodes wait$' err
check "the blocked nodes name their peers" grep -q '1 node waits for a message: 2 for 1$' err
play '1,0,3,1\n' -t ring:8 --mode routed
check "in routed mode any node is reached" [ $code -eq 0 ]
play '1,0,1,1\n1,0,2,1\n' -t complete:4 --ports 2
check "with two ports two sends are right" [ $code -eq 0 ]
play '' -t ring:8
check "an empty plan is played" [ $code -eq 0 ]
printf '1,0,1,1\n' >one.csv
for option in '-m 64' '-o max' '--seed 1' '-i 3'; do
	run run --plan one.csv -t ring:4 $option
	check "playing a trace takes no $option" [ $code -eq 2 ]
	check "one message about $option" one_message
done

# LOCKSTEP_TRACE: a machine's trace without --trace; --trace wins.
LOCKSTEP_TRACE=own.csv run run allreduce -t ring:6
check "LOCKSTEP_TRACE beside a run" [ $code -eq 0 ]
run run allreduce -t ring:6 --trace option.csv
check "rows of LOCKSTEP_TRACE are those of --trace" [ "$(sed 1d own.csv)" = "$(sed 1d option.csv)" ]
check "the head of LOCKSTEP_TRACE" [ "$(sed 2q own.csv)" = "# topology=ring:6 mode=hop
round,src,dst,words" ]
cp option.csv both.csv
LOCKSTEP_TRACE=both.csv run run allreduce -t ring:6 --trace both.csv
check "one file for both is written once" cmp -s option.csv both.csv
rm own.csv
LOCKSTEP_TRACE=own.csv run run allreduce -t ring:6 --trace option.csv
check "--trace wins over LOCKSTEP_TRACE" [ ! -e own.csv ]
LOCKSTEP_TRACE=/absent/own.csv run run allreduce -t ring:6
check "an unwritable LOCKSTEP_TRACE is an error" grep -q "LOCKSTEP_TRACE" err
check "an unwritable LOCKSTEP_TRACE fails the run (was $code)" [ $code -ne 0 ]
finish
