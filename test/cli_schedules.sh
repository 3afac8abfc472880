#!/bin/sh
# Schedules written by hand: traces that check, run, steps, list and bench complete and judge.
# variants: release checked chaos asan
. "$(dirname "$0")/support/cli"

# ---- A broadcast that reaches all, and one that reaches half of the nodes

printf '1,0,1,1\n2,0,2,1\n2,1,3,1\n' >all.csv
printf '# operation=broadcast topology=hypercube:2\nround,src,dst,words\n1,0,1,1\n' >half.csv

run check broadcast --plan all.csv -t hypercube:2
check "a schedule that reaches all nodes" [ $code -eq 0 ]
check "the bound of check OPERATION" grep -q '^bound  *at least 2 rounds; gap 0$' out
run check broadcast -t hypercube:2
check "the same bound" grep -q '^bound  *at least 2 rounds; gap 0$' out

run check --plan half.csv
check "a schedule that reaches half of the nodes" [ $code -eq 1 ]
check "the node that lacks it" grep -q 'law 5 (result): node 2: OUTPUT\[0\] was never written; it must have the contribution of node 0; incomplete nodes: 2, 3$' out
run run --plan half.csv
check "run judges a trace that names its operation (was $code)" [ $code -eq 1 ]
check "the result of run" grep -q '^broadcast .*node 2.*WRONG$' out
check "the message of run" grep -q 'law 5 (result): node 2: OUTPUT\[0\] was never written' err
run run --plan half.csv --json
check "the error in JSON" grep -q '"error":{"kind":"law","node":2,"peer":-1,"round":-1,"link":-1,"operation":"broadcast","text":"law 5 ' out
run run --plan half.csv -e sweep --json
check "the error of a sweep in JSON" grep -q '"error":{"kind":"law","node":2,"peer":-1,"round":-1,"link":-1,' out
sed '$s/$/\n2,1,3,1,R/' half.csv >stuck.csv
for engine in mailboxes sweep; do
	run run --plan stuck.csv -e $engine --json
	check "exit 5 of a deadlock that breaks a law, too (was $code)" [ $code -eq 5 ]
	check "status and error are those of the run on $engine" \
		sh -c 'grep -q "\"status\":\"deadlock\"" out && grep -q "\"error\":{\"kind\":\"deadlock\",\"node\":3,.*\"text\":\"deadlock: " out'
done
run run broadcast --plan all.csv -t hypercube:2
check "run judges by the operation of the command line" [ $code -eq 0 ]
run run --plan all.csv -t hypercube:2
check "without an operation only messages are judged" [ $code -eq 0 ]
for verb in check steps bench list 'list algorithms'; do
	run $verb --plan all.csv -t hypercube:2
	check "$verb needs an operation (was $code)" [ $code -eq 2 ]
	[ "$verb" != list ] || verb='list algorithms'
	check "the remedy of $verb" grep -qx \
		"lockstep: all.csv names no operation; try 'lockstep $verb OPERATION --plan all.csv'" err
done

# ---- The command line wins over the first line of the trace

run check --plan half.csv -t hypercube:1
check "-t overrides the network of the trace" [ $code -eq 0 ]
run check reduce --plan half.csv -t hypercube:1 -r 1
check "the operation and -r win" [ $code -eq 0 ]
run check reduce --plan half.csv -t hypercube:1
check "a reduction to the other node" [ $code -eq 1 ]
printf '1,0,3,1\n2,0,2,1\n2,3,1,1\n' >far.csv
run check broadcast --plan far.csv -t hypercube:2
check "a message off the links" [ $code -eq 1 ]
check "law 3" grep -q '^violation.*law 3 (link)' out
run check broadcast --plan far.csv -t hypercube:2 --mode routed
check "--mode routed" [ $code -eq 0 ]
printf '1,0,1,1\n1,0,2,1\n2,1,3,1\n' >ports.csv
run check broadcast --plan ports.csv -t hypercube:2
check "two sends in one round" [ $code -eq 1 ]
run check broadcast --plan ports.csv -t hypercube:2 --ports 2
check "--ports 2" [ $code -eq 0 ]
printf '1,1,0,1\n' >early.csv
run check broadcast --plan early.csv -t hypercube:1
check "a message before the sender has anything" [ $code -eq 1 ]
check "the violation names the node and the round" grep -q 'node 1: round 1: sends to node 0, but has nothing to send' err

# Rows of a broadcast on ring:4 | end of the message
while IFS='|' read -r rows message; do
	echo "$rows" | tr ' ' '\n' >wrong.csv
	run check broadcast --plan wrong.csv -t ring:4 --quiet
	check "exit 1 of $rows (was $code)" [ $code -eq 1 ]
	check "message of $rows" grep -qF -- "$message" err
done <<'END'
1,0,1 1,1,2|node 1: round 1: sends to node 2, but has nothing to send yet; its first message arrives in round 1, and a node sends what it had before the round
1,0,1 1,2,3 2,1,2|node 2: round 1: sends to node 3, but has nothing to send yet; its first message arrives in round 2
1,0,1 2,2,3|node 2: round 2: sends to node 3, but has nothing to send yet; no message reaches it before
1,0,1 1,0,3 1,0,1 1,0,3 1,0,1|law 1 (port): node 0: round 1: sends more than 4 messages in this round, but has 1 port; try other rounds for them
1,1,1|law 3 (link): node 1: round 1: sends to itself
1,0,0|law 3 (link): node 0: round 1: sends to itself
1,0,2 2,2,3|law 3 (link): node 0: round 1: sends to node 2, which is not a neighbor; try a neighbor (1, 3), --mode
1,0,2 2,1,2|law 3 (link): node 0: round 1: sends to node 2, which is not a neighbor
1,0,2|law 3 (link): node 0: round 1: sends to node 2, which is not a neighbor; try a neighbor (1, 3), --mode
1,0,1 1,0,3|law 1 (port): node 0: round 1: sends 2 messages in this round, to nodes 1, 3, but has 1 port; try another
END
printf '1,0,1\n1,1,0\n' >pair.csv
run check allreduce --plan pair.csv -t hypercube:3 --quiet
check "all missing contributions, and all incomplete nodes" grep -qF -- \
	'OUTPUT[0] lacks the contributions of nodes 2..7; incomplete nodes: 0..7' err

# ---- Three columns, and files of spreadsheets

printf '\357\273\277round, src, dst\r\n1, 0, 1\r\n1, 1, 0\r\n1,2,3\n1,3,2\n2,0,2\n2,2,0\n2,1,3\n2,3,1\n' >gather.csv
run check allgather --plan gather.csv -t hypercube:2 --expect 'words=12,rounds=2'
check "words are those of the contents, if the file states none (was $code)" [ $code -eq 0 ]
run list algorithms allgather --plan gather.csv -t hypercube:2 --csv
check "words in list" grep -q '^allgather,hop,gather.csv,.*,8,12,1,' out
run run allgather --plan gather.csv -t hypercube:2
check "run sends one word in each message" grep -q '^words  *8 ' out

# ---- --expect

while IFS='|' read -r want list pattern; do
	run check broadcast --plan all.csv -t hypercube:2 --expect "$list"
	check "exit $want of --expect $list (was $code)" [ $code -eq "$want" ]
	[ -z "$pattern" ] || check "message of --expect $list" grep -q -- "$pattern" err
done <<'END'
0|rounds<=2,messages=3,words>=3,load<=1|
0|ordered,identical,rounds=2|
1|rounds<=1|^lockstep: rounds 2, expected <= 1$
1|rounds<=2,messages>=4|messages 3, expected >= 4
1|rounds<=1,messages<=2,words=3|^lockstep: rounds 2, expected <= 1; messages 3, expected <= 2$
1|words=4|words 3, expected = 4
2|round<=1|'round<=1' is not an expectation; expected rounds, messages, words or load
2|rounds<1|expected rounds
2||expected rounds
2|orderd|'orderd' is not an expectation; expected .*ordered, or identical
2|ordered=1|'ordered=1' is not an expectation
2|rounds|'rounds' is not an expectation
2|rounds<=2,|expected rounds
END
# A reduction | exit code | message of --expect ordered
while IFS='|' read -r rows want message; do
	echo "$rows" | tr ' ' '\n' >reduce.csv
	run check reduce --plan reduce.csv -t complete:4 --expect ordered --quiet
	check "exit $want of $rows (was $code)" [ $code -eq "$want" ]
	check "message of $rows" [ "$(cat err)" = "$message" ]
done <<'END'
1,1,0 1,3,2 2,2,0|0|
1,2,0 1,3,1 2,1,0|1|lockstep: node 0 adds 0 2 in round 1, expected ordered
1,1,0 2,3,0 3,2,0|1|lockstep: node 0 adds 0..1 3 in round 2, expected ordered
END
run check allreduce -t star:4 -a paper --expect ordered,identical --quiet
check "the all-reduce of the paper adds in another order at each node" [ "$(cat err)" = \
	"lockstep: node 1 adds 1 0 in round 1, expected ordered; bits may differ between nodes, expected identical" ]
run check allreduce -t star:4 --expect 'rounds=6'
check "--expect of a shipped plan" [ $code -eq 0 ]

# ---- Every operation: the trace of each default plan performs it

for operation in $("$LOCKSTEP" list operations --csv | sed '1d; s/,.*//'); do
	run steps "$operation" -t hypercube:3 trace.csv
	run check --plan trace.csv --expect 'load<=1'
	check "the trace of $operation performs it" [ $code -eq 0 ]
	"$LOCKSTEP" steps "$operation" -t hypercube:3 first.csv
	run steps --plan trace.csv again.csv
	check "the inferred plan of $operation has the same messages" sh -c 'sed 1d trace.csv | cut -d, -f1-3 >a; sed 1d again.csv | cut -d, -f1-3 >b; cmp a b'
done

# ---- steps, list, bench, standard input

run steps broadcast --plan all.csv -t hypercube:2
check "steps of a trace" grep -q '^plan  *broadcast, hop: 2 rounds, 3 messages' out
run steps broadcast --plan all.csv -t hypercube:2 made.plan
check "a plan from a trace" [ $code -eq 0 ]
run run --plan made.plan -t hypercube:2 -m 5
check "runs on data" [ $code -eq 0 ]
run list algorithms broadcast --plan all.csv -t hypercube:2
check "list shows the trace as an algorithm" grep -Eq '^  all\.csv +move +2 +2 +0 +3 +3 +1 +2016$' out
check "list shows the algorithms of the library, too" grep -q '^\* binomial' out
run list algorithms --plan made.plan -t hypercube:2
check "list knows the operation of a plan" grep -q '^  made\.plan' out
run bench --plan made.plan -t hypercube:2 -m 1 --samples 3 -i 3 --csv
check "bench measures it beside the default (was $code)" [ "$(grep -c '^broadcast,' out)" -eq 2 ]
run bench broadcast --plan all.csv -t hypercube:2 -m 2 --samples 3 -i 3 --csv
check "bench takes a trace" [ "$(grep -c '^broadcast,.*,ok,' out)" -eq 2 ]
run check broadcast --plan - -t hypercube:2 <all.csv
check "a trace from standard input" [ $code -eq 0 ]
run check --plan - -t hypercube:2 <made.plan
check "a plan from standard input" [ $code -eq 0 ]
run check broadcast --plan all.csv -t hypercube:2 --csv
check "check --csv" sh -c 'sed -n 2p out | grep -q "^broadcast,.*,true,,ok,,$"'

finish
