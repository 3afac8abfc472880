#!/bin/sh
# Plans as files: whatever `steps` writes is proved, run and shown again; what is damaged is named.
. "$(dirname "$0")/support/cli"

# Operation and options of `steps`, which a plan keeps.
while IFS='|' read -r arguments more; do
	name="$arguments $more"
	run steps $arguments first.plan
	check "steps writes $name" [ $code -eq 0 -a ! -s out -a ! -s err ]
	network=$(echo "$arguments" | sed 's/.*\(-t [^ ]*\).*/\1/')
	run check --plan first.plan $network $more
	check "the file of $name is proved" [ $code -eq 0 ]
	check "law 5 of $name" grep -Eq '^law 5 .* proved$' out
	run run --plan first.plan $network $more --trace sent.csv
	check "the file of $name runs" [ $code -eq 0 ]
	check "no WRONG of $name" sh -c '! grep -q WRONG out'
	run steps --plan first.plan $network $more planned.csv
	check "what is sent is what the file of $name says" sh -c \
		'sed 1d planned.csv >a && sed 1d sent.csv >b && cmp -s a b'
	run steps --plan first.plan $network second.plan
	check "the file of $name is written again as it is" cmp -s first.plan second.plan
	run steps --plan first.plan $network
	check "the file of $name is shown" grep -q '^round 1 ' out
done <<'TABLE'
broadcast -t mesh:3x3 -r 4|-m 5
reduce -t star:4 -r 7|-o max -d int16
allreduce -t ring:6|-m 3 -d float
allreduce -t hypercube:3 -a reduce-scatter-allgather|-m 17
allgather -t star:3*hypercube:1|-m 2
reduce-scatter -t torus:3x3|
scan -t debruijn:3|-o prod
exscan -t linear:5|
scatter -t bintree:3 -r 2|-m 4
gather -t tree:8 -r 5|
alltoall -t complete:6|-m 3
shift -t star:4 -q 5|
barrier -t pancake:4|
allreduce -t tree:8 --mode routed|
TABLE

# Exit code | verb | sed script on the plan of allreduce on ring:4 | the message
run steps allreduce -t ring:4 -a doubling --mode routed good.plan
check "a plan to be damaged" [ $code -eq 0 ]
while IFS='|' read -r want script pattern; do
	sed "$script" good.plan >bad.plan
	for verb in check run; do
		run $verb --plan bad.plan -t ring:4 --quiet
		check "exit $want (was $code) of $verb after $script" [ $code -eq "$want" ]
		check "one line of $verb after $script" [ "$(wc -l <err)" -eq 1 ]
		check "message /$pattern/ of $verb after $script" grep -Eq -e "$pattern" err
	done
done <<'TABLE'
2|1s/1/2/|bad.plan: line 1 of the plan: .*expected 'lockstep plan 1'
2|2s/all/al/|bad.plan: line 2 of the plan: .*did you mean 'allreduce'
2|s/^nodes 4/nodes 5/|bad.plan: line 3 of the plan: .*ring:4 has 4
2|s/^round/ruond/|bad.plan: line [0-9]+ of the plan: 'ruond'; did you mean 'round'
2|$s/OUTPUT/OUTPT/|bad.plan: line [0-9]+ of the plan: 'OUTPT.*expected INPUT, OUTPUT
2|s/to 1;/to 4;/|bad.plan: line [0-9]+ of the plan: .*expected a number from 0 to 3
1|s/OUTPUT\[0\]/OUTPUT[1]/|law 0 .shape.: .*OUTPUT
1|s/^1: send [^;]*; /1: /|law 2 .match.
1|s/^mode routed/mode hop/;s/to 1; receive 1 from 1/to 2; receive 1 from 2/|law [23] .(link|match).
1|$d|law [25] .(match|result).
TABLE
sed 's/^mode.*/mode hop/' good.plan >bad.plan
run check --plan bad.plan -t linear:4
check "what is no wire breaks law 3" [ $code -eq 1 ]
check "law 3 is the violation" grep -Eq '^violation  law 3 .link.: node 0: round 2: sends to node 2, which is no neighbor; try mode routed' out
grep -v '^scratch' good.plan >bad.plan
for verb in check run steps; do
	run $verb --plan bad.plan -t ring:4 --quiet
	check "exit 2 (was $code) of $verb without the scratch line" [ $code -eq 2 ]
	check "$verb gives the scratch line" grep -q "no scratch line for S; expected 'scratch S 1' before" err
done
run check --plan good.plan -t ring:5
check "a plan for other networks is refused" [ $code -eq 2 ]
run check --plan /nowhere/x.plan -t ring:4
check "a file that is not there" [ $code -eq 2 ]
run check allreduce --plan good.plan -t ring:4
check "the operation that the plan states" [ $code -eq 0 ]
run check reduce --plan good.plan -t ring:4
check "another operation than the plan states" [ $code -eq 2 ]
run check --plan good.plan -t ring:4 --json
check "JSON of a plan from a file" grep -q '"proved": *true' out
finish
