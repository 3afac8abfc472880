#!/bin/sh
# Plans in place: all that `check` proves run on every engine.  --ports beside a plan.
# variants: release checked chaos asan
. "$(dirname "$0")/support/cli"

# The options of an operation.  Steps of a shift by 2 may be in place, those by 1 are not.
options() {
	case $1 in
	broadcast | reduce | scatter | gather) echo "-r 1" ;;
	shift) echo "-q 2" ;;
	esac
}

# The results, without that of an exclusive scan at node 0, which the call does not change.
results() {
	[ $operation = exscan ] && sed -i 1d results.csv
	mv results.csv $1
}

run list operations --csv
operations=$(sed '1d;s/,.*//' out)
tried=0
for network in ring:5 mesh:2x3 complete:4; do
	for ports in 1 2; do
		for operation in $operations; do
			tried=$((tried + 1))
			[ -z "$LS_FAST" ] || [ $((tried % 4)) -eq 0 ] || continue
			run steps $operation $(options $operation) -t $network --ports $ports apart.plan
			check "$operation on $network with $ports ports has a plan" [ $code -eq 0 ]
			sed 's/^nodes/in-place\nnodes/' apart.plan >in_place.plan
			run check --plan in_place.plan -t $network
			[ $code -eq 0 ] || continue
			name="$operation in place on $network, ports $ports"
			echo $operation >>proved
			# A barrier carries no elements.
			output="-m5 --output results.csv"
			[ $operation = barrier ] && output=
			run run --plan apart.plan -t $network $output
			check "exit 0 (was $code) of $operation on $network, ports $ports" [ $code -eq 0 ]
			[ $operation = barrier ] || results want.csv
			for engine in mailboxes cooperative auto sweep; do
				run run --plan in_place.plan -t $network $output -e $engine
				check "exit 0 (was $code) of $name, engine $engine" [ $code -eq 0 ]
				run run --plan in_place.plan -t $network ${output%% *} -i 3 --warmup 1 -e $engine
				check "exit 0 (was $code) of $name, engine $engine, 3 runs" [ $code -eq 0 ]
				[ $operation = barrier ] && continue
				results got.csv
				check "results of $name, engine $engine" cmp -s want.csv got.csv
				run run --plan in_place.plan -t $network -m1 -e $engine
				check "exit 0 (was $code) of $name, engine $engine, -m1" [ $code -eq 0 ]
			done
			elements=-m4:4
			[ $operation = barrier ] && elements=
			run bench --plan in_place.plan -t $network $elements -e mailboxes,cooperative,sweep \
				-i 2 --warmup 1 --samples 2
			check "exit 0 (was $code) of bench of $name" [ $code -eq 0 ]
		done
	done
done
for operation in $operations; do
	[ -z "$LS_FAST" ] || continue
	check "some plan of $operation in place is proved" grep -qx $operation proved
done

# An embedded plan is not in place, although ls_broadcast is.
run bench broadcast -t mesh:2x4 -a hypercube:3/ -m 1:1 --samples 1 -i 1
check "exit 0 (was $code) of bench of an embedded broadcast" [ $code -eq 0 ]

# The machine of a plan may have more ports than the plan uses.
run steps allgather -t ring:4 --ports 2 two.plan
for engine in mailboxes cooperative sweep; do
	for ports in 2 3; do
		run run --plan two.plan -t ring:4 --ports $ports -e $engine
		check "exit 0 (was $code) of a plan with 2 ports, --ports $ports, engine $engine" [ $code -eq 0 ]
		check "the machine has $ports ports, engine $engine" grep -q "^link load .*$ports-port" out
	done
done
run bench --plan two.plan -t ring:4 --ports 3 -m 1:1 --samples 1 -i 1
check "exit 0 (was $code) of bench with --ports 3" [ $code -eq 0 ]
refusals <<'TABLE'
2|run --plan two.plan -t ring:4 --ports 1|two.plan uses 2 ports, but --ports is 1; try --ports 2$
2|check --plan two.plan -t ring:4 --ports 1|two.plan uses 2 ports, but --ports is 1; try --ports 2$
TABLE

finish
