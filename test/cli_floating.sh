#!/bin/sh
# Sums and products of floating types are verified in the order of the plan, whatever over- or underflows, by all engines.
# variants: release checked chaos asan
. "$(dirname "$0")/support/cli"

# Operation and options | operand, one row per node, : between
while IFS='|' read -r arguments rows; do
	echo "$rows" | tr : '\n' >in.csv
	for engine in mailboxes cooperative sweep; do
		run run $arguments --input in.csv -e $engine
		check "$arguments of $rows by $engine" [ $code -eq 0 ]
		check "no bound alone verifies $arguments" [ -z "$(grep '^error' out)" ]
	done
done <<'TABLE'
allreduce -t hypercube:2|1e308:0:1e308:-1e308
allreduce -t hypercube:2 -o prod|1e100:1e100:1e200:1e-200
allreduce -t hypercube:2 -o prod|1e-200:1e-200:1e200:1e200
reduce -t mesh:2x2 -d float|3e38:3e38:-3e38:-3e38
reduce-scatter -t complete:2|inf,-inf:-inf,1
scan -t ring:4 -o prod|inf:0:-0:nan
exscan -t ring:4|1e308:1e308:-1e308:1
allreduce -t ring:4 -d cdouble -o prod|1e200+1e200i:1e200-1e200i:1e-200i:0
allreduce -t ring:4 -d cfloat|nan+1i:1e38+3e38i:1-3e38i:3e38i
allreduce -t ring:4 -o min|nan:-0:0:-inf
TABLE

# Products whose partial results leave the range of float.
for engine in mailboxes cooperative sweep; do
	run run allreduce -t star:4 -d float -o prod -m 300 --seed 2 -e $engine
	check "float products on a star by $engine" [ $code -eq 0 ]
done

# Rows of random numbers of all magnitudes up to 10^exponent, signed zeros, infinities and NaN.
operands() { # nodes columns exponent imaginary
	awk -v p="$1" -v n="$2" -v e="$3" -v imaginary="$4" '
		function number(  kind, scale) {
			kind = int(rand() * 64)
			if (kind < 4) return substr("inf -infnan -0  ", 4 * kind + 1, 4)
			scale = kind < 40 ? int(rand() * 7) - 3 : (kind % 2 ? e - 1 : 1 - e) - int(rand() * 4)
			return sprintf("%.17ge%d", (kind % 2 ? 1 : -1) * (1 + rand()), scale)
		}
		BEGIN {
			srand(p + e)
			for (r = 0; r < p; r++)
				for (i = 0; i < n; i++)
					printf "%s%s%s", number(), imaginary ? sprintf("%+gi", 9 * rand() - 4) : "", i + 1 < n ? "," : "\n"
		}' | tr -d ' '
}

networks='ring:7 hypercube:3 star:3 mesh:3x4'
[ -z "$LS_FAST" ] || networks='hypercube:3 mesh:3x4'
for network in $networks; do
	nodes=$("$LOCKSTEP" list topologies -t $network --json | sed -n 's/.*"nodes": *\([0-9]*\).*/\1/p' | head -n 1)
	for type in float:38 double:308 cfloat:38 cdouble:308; do
		case $type in c*) imaginary=1 ;; *) imaginary=0 ;; esac
		operands $nodes $((2 * nodes)) ${type#*:} $imaginary >in.csv
		for operation in allreduce reduce reduce-scatter scan exscan; do
			for op in sum prod; do
				for engine in mailboxes cooperative sweep; do
					cell="$operation -t $network -d ${type%:*} -o $op --input in.csv -e $engine"
					run run $cell --output $engine.npy
					check "$cell" [ $code -eq 0 ]
				done
				check "the same results of $cell by threads" cmp -s mailboxes.npy sweep.npy
				run run $cell
				check "$cell without a file" [ $code -eq 0 ]
			done
		done
	done
done

# Sums of small integers are exact in double, but not in float: 1 + .. + 8192 exceeds 2^24.
for type in double float; do
	run run allreduce -t hypercube:13 --nodes fibers -e cooperative -d $type
	check "1 + .. + 8192 in $type" [ $code -eq 0 ]
done

# Beyond the limits of a replay, results lie within the error bound if nothing overflows.
run run allreduce -t hypercube:17 -e sweep --seed 1
check "a bound on large machines" [ $code -eq 0 -a "$(grep -c '^error .*eps sum|x|.* ok$' out)" -eq 1 ]
run run allreduce -t hypercube:17 -e sweep -o prod -d float -m 2
check "no bound on an overflow" [ $code -eq 0 -a "$(grep -c '^error .*eps prod|x|.* ok$' out)" -eq 1 ]
awk 'BEGIN { for (r = 0; r < 131072; r++) print (r == 77 ? "nan" : r) ",-0,-0" }' >in.csv
for operation in allreduce exscan; do
	run run $operation -t hypercube:17 -e sweep --input in.csv
	check "NaN and -0 beyond a replay: $operation" [ $code -eq 0 -a "$(grep -c '^error .* ok$' out)" -eq 1 ]
done
run run allreduce -t hypercube:17 -e sweep -d int64
check "integers are exact" [ $code -eq 0 -a "$(grep -c '^error' out)" -eq 0 ]

# A replay that does not fit beside the run is left out; sanitizers need the address space.
case $LS_VARIANT in
asan | tsan) skipped=$((skipped + 1)) ;;
*)
	(ulimit -v 30000 && "$LOCKSTEP" run allreduce -t hypercube:16 -e sweep --workers 1 >out 2>err)
	code=$?
	check "a bound where memory is short (exit $code)" [ $code -eq 0 -a "$(grep -c '^error .* ok$' out)" -eq 1 ]
	;;
esac
finish
