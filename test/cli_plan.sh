#!/bin/sh
# Plans as files: whatever `steps` writes is proved, run and shown again; what is damaged is named.
# variants: release checked asan chaos
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
	check "the run sends the messages of the file of $name" sh -c \
		'sed 1d planned.csv >a && sed 1d sent.csv >b && cmp -s a b'
	run steps --plan first.plan $network second.plan
	check "steps writes the same file of $name again" cmp -s first.plan second.plan
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

run steps broadcast -t ring:4 trace.csv
run steps allreduce -t ring:4 first.plan
for verb in run check steps; do
	for file in trace.csv first.plan; do
		[ $verb$file = runtrace.csv ] && continue # it plays messages, without an algorithm
		run $verb --plan $file -t ring:4 -v
		check "$verb -v names the file $file" grep -q "^algorithm  .*: read from $file$" err
	done
done

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
2|1s/1/2/|bad.plan:1: expected 'lockstep plan 1'
2|2s/all/al/|bad.plan:2: .*did you mean 'allreduce'
2|s/^nodes 4/nodes 5/|bad.plan:3: .*ring:4 has 4
2|s/^round/ruond/|bad.plan:[0-9]+: unknown word 'ruond'; did you mean 'round'
2|$s/OUTPUT/OUTPT/|bad.plan:[0-9]+: expected .send., .receive., OUTPUT.*, found 'OUTPT'
2|s/to 1;/to 4;/|bad.plan:[0-9]+: rank 4 is out of range; expected 0..3
1|s/OUTPUT\[0\]/OUTPUT[1]/|law 0 .shape.: .*OUTPUT
1|s/allreduce/allgather/;s/^claim .*/claim move/|law 0 .shape.: .* combines blocks, but the operation has no operator
1|s/^1: send [^;]*; /1: /|law 2 .match.
1|s/^mode routed/mode hop/;s/to 1; receive 1 from 1/to 2; receive 1 from 2/|law [23] .(link|match).
1|$d|law [25] .(match|result).
TABLE
sed 's/^mode.*/mode hop/' good.plan >bad.plan
run check --plan bad.plan -t linear:4
check "a message without a link breaks law 3" [ $code -eq 1 ]
check "law 3 is the violation" grep -Eq '^violation  law 3 .link.: node 0: round 2: sends to node 2, which is not a neighbor; try a neighbor .1., --mode routed, or' out
grep -v '^scratch' good.plan >bad.plan
for verb in check run steps; do
	run $verb --plan bad.plan -t ring:4 --quiet
	check "exit 2 (was $code) of $verb without the scratch line" [ $code -eq 2 ]
	check "$verb gives the scratch line" grep -q "the header does not declare buffer S; try 'scratch S 1' before" err
done
run steps allreduce -t ring:2 ordered.plan
# Claim | exit code with max | with sum
while IFS='|' read -r claim max sum; do
	sed "s/^claim ordered/claim $claim/" ordered.plan >claim.plan
	for engine in mailboxes cooperative sweep; do
		run run --plan claim.plan -t ring:2 -o max -e $engine
		check "exit $max (was $code) of max by a plan that claims $claim, engine $engine" [ $code -eq $max ]
		run run --plan claim.plan -t ring:2 -e $engine
		check "exit $sum (was $code) of sum by a plan that claims $claim, engine $engine" [ $code -eq $sum ]
		[ $sum -eq 0 ] || check "the message names both claims, engine $engine" grep -q -e \
			"claim.plan: the plan claims '$claim', but sum needs 'commutative' or" err
	done
done <<'TABLE'
ordered|0|0
commutative|0|0
idempotent|0|4
TABLE
run bench --plan claim.plan -t ring:2 -m 1:2
check "exit 4 (was $code) of bench with too weak a claim" [ $code -eq 4 ]
sed "s/^claim ordered/claim move/" ordered.plan >claim.plan
run check --plan claim.plan -t ring:2 --quiet
check "exit 2 (was $code) of check with a claim that does not fit" [ $code -eq 2 ]
check "the message gives line, claim and operation" grep -qx \
	"lockstep: claim.plan:6: the claim 'move' does not fit allreduce, which combines contributions; expected .*" err
printf 'lockstep plan 1\noperation barrier\nnodes 2\nround\n0: send INPUT to 1; receive 1 from 1; OUTPUT := INPUT (+) ARRIVAL\n1: send INPUT to 0; receive 1 from 0; OUTPUT := INPUT (+) ARRIVAL\n' >barrier.plan
run check --plan barrier.plan -t ring:2 --quiet
check "exit 0 (was $code): a barrier claims 'commutative' by default" [ $code -eq 0 ]
printf 'lockstep plan 1\noperation allreduce\nnodes 4\nround\n0: send INPUT to 1; send INPUT to 2 port 1; receive 1 from 1; receive 1 from 2 port 1; receive 1 from 3 port 2\n' >ports.plan
run check --plan ports.plan -t complete:4 --quiet
check "law 1 counts the larger side" grep -q 'node 0: round 1: receives 3 messages in this round, from nodes 1..3, but has 1 port; try another round' err
printf 'lockstep plan 1\noperation broadcast\nnodes 2\nround\n0: receive 1 from 1; OUTPUT := ARRIVAL\n1: send INPUT to 0; OUTPUT := INPUT\n' >from_1.plan
run check --plan from_1.plan -t ring:2
check "a broadcast by another node than the root names the reason" grep -q \
	'node 1: round 1: sends INPUT\[0\], but only the root has an INPUT' out
check "no law is proved by a plan that is broken in its first round" grep -q '^law 2 .* no round proved$' out
# two CLAIM ROWS..: a plan of allreduce on ring:2; a row `round` or `local` begins a step
two() {
	printf 'lockstep plan 1\noperation allreduce\nnodes 2\nclaim %s\nscratch S 1\n' "$1" >two.plan
	shift
	printf '%s\n' "$@" >>two.plan
}
exchange() {
	echo "0: send $1 to 1; receive 1 from 1; OUTPUT := INPUT (+) ARRIVAL"
	echo "1: send $1 to 0; receive 1 from 0; OUTPUT := ARRIVAL (+) INPUT"
}
again='local
0: OUTPUT := OUTPUT (+) INPUT
1: OUTPUT := OUTPUT (+) INPUT'
doubled='local
0: S := INPUT (+) INPUT
1: S := INPUT (+) INPUT'
for claim in ordered commutative; do
	two $claim round "$(exchange INPUT)" "$again"
	run check --plan two.plan -t ring:2
	check "exit 1 (was $code): a contribution twice in a plan that claims $claim" [ $code -eq 1 ]
	check "law 5 names it, claim $claim" grep -q \
		'^violation  law 5 .*OUTPUT\[0\] contains the contribution of node 0 twice$' out
done
two idempotent round "$(exchange INPUT)" "$again"
run check --plan two.plan -t ring:2
check "exit 0 (was $code): a contribution twice in an idempotent plan" [ $code -eq 0 ]
two 'idempotent nodup' "$doubled" round "$(exchange S)"
run check --plan two.plan -t ring:2
check "exit 1 (was $code): a sum that contains a contribution twice breaks nodup" [ $code -eq 1 ]
check "law 7 names it" grep -q '^violation  law 7 .*round 1: receives the contribution of node 1 twice in one block' out
two ordered round round "$(exchange INPUT)" round
run check --plan two.plan -t ring:2 --expect rounds=3,messages=2
check "exit 0 (was $code): rounds without messages count" [ $code -eq 0 ]
check "law 6 is not claimed" grep -q '^law 6 .* not claimed$' out
check "their number" grep -q '^rounds  *3  *in the file 3  *ok$' out
for engine in mailboxes cooperative sweep; do
	run run --plan two.plan -t ring:2 -e $engine
	check "exit 0 (was $code): rounds without messages, engine $engine" [ $code -eq 0 ]
	check "their number, engine $engine" grep -q '^rounds  *3  *in the file 3  *ok$' out
done
run check --plan good.plan -t ring:5
check "a plan for other networks is refused" [ $code -eq 2 ]
run check --plan /nowhere/x.plan -t ring:4
check "a file that is not there" [ $code -eq 2 ]
printf 'round,src,dst,words\n1,0,1,1\n' >nameless.csv
sed 's/^operation .*/operation nothing/' good.plan >nameless.plan
for file in nameless.csv nameless.plan; do
	for verb in check steps bench "list algorithms"; do
		run $verb --plan $file -t ring:4
		check "exit 2 (was $code) of $verb with $file" [ $code -eq 2 ]
		check "$verb says what is wrong with $file" grep -Eq '^lockstep: nameless[^;]*operation' err
	done
done
run check allreduce --plan good.plan -t ring:4
check "the operation that the plan states" [ $code -eq 0 ]
run check reduce --plan good.plan -t ring:4
check "another operation than the plan states" [ $code -eq 2 ]
run check --plan good.plan -t ring:4 --json
check "JSON of a plan from a file" grep -q '"proved": *true' out
finish
