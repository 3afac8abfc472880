#!/bin/sh
# Times in traces: run --trace FILE --times, LOCKSTEP_TRACE_TIMES, and readers of 4 or 7 columns.
. "$(dirname "$0")/support/cli"

columns=round,src,dst,words,sent_ns,received_ns,waited_ns

# Every row of $1 has 7 integers: sent <= received, waited <= received, none negative.
has_times() {
	[ "$(sed -n 2p "$1")" = "$columns" ] && awk -F, '
		NR > 2 { rows++; if (NF != 7 || $5 < 0 || $5 > $6 || $7 < 0 || $7 > $6 || /[^0-9,]/) wrong = 1 }
		END { exit !rows || wrong }' "$1"
}

# The first four columns of $1, under the title without cores, are the file $2.
equals_untimed() { sed '1s/ cores=[0-9,]*$//' "$1" | cut -d, -f1-4 | cmp -s - "$2"; }

cells=0
while read -r operation topology more; do
	for nodes in threads fibers; do
		run steps $operation -t $topology $(echo "$more" | sed 's/--rounds free//') steps.csv
		[ $code -eq 4 ] && continue
		cells=$((cells + 1))
		run run $operation -t $topology $more --nodes $nodes --trace times.csv --times
		check "success of $operation $topology $more" [ $code -eq 0 ]
		check "times of $operation $topology $more" has_times times.csv
		check "messages of $operation $topology $more" equals_untimed times.csv steps.csv
		nodes_count=$("$LOCKSTEP" list topologies -t $topology --json | sed 's/.*"nodes":\([0-9]*\).*/\1/')
		check "a core for each node of $topology (of $nodes_count)" [ "$(sed -n '1s/.* cores=//p' times.csv |
			tr , '\n' | grep -c '^[0-9][0-9]*$')" = "$nodes_count" ]
	done
done <<'TABLE'
allreduce star:4
allreduce ring:6 --rounds free -m 3000
broadcast tree:8
alltoall torus:3x3 --mode routed
allgather ring:5 --ports 2
allgather ring:8 -a hypercube:3/ --map gray
barrier hypercube:3 --rounds free
TABLE
check "at least 14 cells (were $cells)" [ $cells -ge 14 ]

run run allreduce -t ring:4 --bind none --trace times.csv --times
check "times without a binding" has_times times.csv
check "no cores without a binding" sh -c '! grep -q cores= times.csv'
run run allreduce -t ring:4 -e auto --trace times.csv --times
check "a trace selects mailboxes" has_times times.csv
run run allreduce -t ring:4 -i 3 -x 1 --trace times.csv --times
check "times of one of many runs" has_times times.csv
"$LOCKSTEP" steps allreduce -t ring:4 steps.csv
check "messages of one of many runs" equals_untimed times.csv steps.csv

# Every reader takes 7 columns, and gives what it gives without the times.
cut -d, -f1-4 times.csv | sed '1s/ cores=.*//' >plain.csv
for verb in 'check allreduce --plan' 'steps --plan' 'steps --csv --plan' 'run --plan' 'run -e sweep --plan' \
	'list algorithms allreduce --plan'; do
	for file in plain times; do
		cp $file.csv file.csv
		run $verb file.csv
		check "exit 0 of $verb of $file.csv (was $code)" [ $code -eq 0 ]
		sed '/^time/d; /s of one run/d; /^throughput/d' out >$file.out
	done
	check "$verb reads 7 columns as 4" cmp -s plain.out times.out
done
run run --plan times.csv --trace copy.csv
check "a replay without times has none" [ "$(sed 1,2d copy.csv)" = "$(sed 1,2d plain.csv)" ]
run run --plan times.csv --trace copy.csv --times
check "a replay with times" has_times copy.csv
sed 's/algorithm=[^ ]*/algorithm=trace/' plain.csv >trace.csv
check "the messages of a replay with times" equals_untimed copy.csv trace.csv
printf '# topology=ring:4\n%s\n1,0,1,1,5,9,4\n1,1,2,1\n1,2,3,1,7,-1,-1\n1,3,0,1,-1,-1,-1\n2,0,1,0,R\n' $columns >mixed.csv
run run --plan mixed.csv
check "rows with and without times, and a row with R (was $code)" [ $code -eq 5 ]

# A row | pattern of the message
while IFS='|' read -r row pattern; do
	printf '# topology=ring:4\n1,0,1,1,1,2,1\n%s\n' "$row" >bad.csv
	for verb in 'run --plan bad.csv' 'check broadcast --plan bad.csv' 'steps broadcast --plan bad.csv' \
		'run -e sweep --plan bad.csv'; do
		run $verb
		check "exit 2 of $verb with $row (was $code)" [ $code -eq 2 ]
		check "one message of $verb with $row" one_message
		check "message /$pattern/ of $verb with $row" grep -Eq "^lockstep: bad.csv:3: '$row' $pattern" err
	done
done <<'TABLE'
1|has 1 column; expected round,src,dst or round,src,dst,words, or these and sent_ns,received_ns,waited_ns$
1,2|has 2 columns; expected
1;2;3;1|has semicolons; expected commas: round,src,dst,words$
1,1,2,1,5|has 5 columns; expected
1,1,2,1,R,5|has 6 columns; expected
1,1,2,1,5,9|has 6 columns; expected
1,1,2,1,5,9,4,R|has 8 columns; expected
1,1,2,1,5,9,4,|has 8 columns; expected
1,1,2,1,5,9,|has impossible times; expected sent_ns <= received_ns
1,1,2,1,x,9,4|has impossible times
1,1,2,1,5,9,-1|has impossible times
1,1,2,1,9,5,4|has impossible times
1,1,2,1,5,9,10|has impossible times
1,1,2,1,-1,9,4|has impossible times
1,1,2,1,-2,-1,-1|has impossible times
1,1,2,1,5,-1,0|has impossible times
1,1,2,1,99999999999999999999,9,4|has impossible times
1,1,2,x,5,9,4|is not a message; expected round,src,dst,words with a round >= 1$
0,1,2,1,5,9,4|is not a message
TABLE

# Where there are no messages, there are no times.
refusals <<'TABLE'
2|run allreduce -t ring:4 --times|--times needs a trace; try --trace FILE --times$
2|run --plan plain.csv --times|--times needs a trace; try
4|run allreduce -t ring:4 -e sweep --trace x.csv --times|engine sweep passes no messages; try -e mailboxes, or without --times$
4|run allreduce -t ring:4 -e cooperative --trace x.csv --times|engine cooperative passes no messages; try -e mailboxes
4|run --plan plain.csv -e sweep --trace x.csv --times|engine sweep passes no messages
2|steps allreduce -t ring:4 --times|steps takes no --times; only run takes it$
2|bench allreduce -t ring:4 --times|bench takes no --times
2|run allreduce -t ring:4 --trace x.csv --times=1|--times takes no value
TABLE
check "no file of a refused trace" [ ! -e x.csv ]

# The variable of any program.
LOCKSTEP_TRACE=own.csv LOCKSTEP_TRACE_TIMES=1 run run allreduce -t ring:6
check "LOCKSTEP_TRACE_TIMES" has_times own.csv
check "the head of LOCKSTEP_TRACE_TIMES" grep -Eq '^# topology=ring:6 mode=hop cores=[0-9]+(,[0-9]+){5}$' own.csv
LOCKSTEP_TRACE_TIMES=1 run run allreduce -t ring:6 --trace x.csv
check "LOCKSTEP_TRACE_TIMES belongs to LOCKSTEP_TRACE" [ "$(sed -n 2p x.csv)" = round,src,dst,words ]
LOCKSTEP_TRACE_TIMES=1 "$LOCKSTEP" info >out 2>err
check "info shows LOCKSTEP_TRACE_TIMES" grep -Eq '^LOCKSTEP_TRACE_TIMES +1$' out
run help run
check "help has --times" grep -q -e '--times' out
finish
