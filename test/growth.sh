#!/bin/sh
# scripts/growth: counts equal the formulas, figures agree with each other, networks that do not fit are reported, and the
# table of docs/benchmarks.md is that of the kept figures.
#
# all: measures
# variants: release
. "$(dirname "$0")/support/cli"

# growth ARGUMENTS...: on a tree of our own, into out and err
growth() {
	LOCKSTEP=$LOCKSTEP GROWTH_ROOT=$scratch sh "$tree/scripts/growth" "$@" >out 2>err
	code=$?
}
mark='<!-- scripts/growth'
mkdir -p docs
printf 'before\n%s -->\nold\n<!-- its end -->\nafter\n' "$mark" >docs/benchmarks.md

while IFS='|' read -r arguments wanted; do
	growth $arguments
	check "exit 2 of: growth $arguments (was $code)" [ $code -eq 2 ]
	check "/$wanted/ of: growth $arguments" sh -c 'grep -qF -- "$1" err' sh "$wanted"
	check "one message of: growth $arguments" one_message
done <<'END'
ring:3..8|no networks ring:3..8
star:4|no networks star:4
--runs|--runs takes a value
--runs 0|--runs 0 is no number
--max 1T|--max 1T is no number of bytes
--fast|no networks --fast
END

growth --runs 2 --save star:4..6 hypercube:3..8
check "exit 0 (was $code)" [ $code -eq 0 ]
csv=scripts/results/growth.csv
check "a line a network" [ "$(wc -l <$csv)" -eq 10 ]
check "counts are those of the formulas; time, rate and bytes agree" awk -F, '
	function near(a, b) { return a > 0 && a < 1.005 * b && b < 1.005 * a }
	FNR > 1 {
		split($1, spec, ":")
		n = spec[2]; nodes = 1
		for (i = 1; i <= n; i++) nodes *= spec[1] == "star" ? i : 2
		rounds = spec[1] == "star" ? n * (n - 1) / 2 : n
		if ($2 != nodes || $3 != rounds || $4 != nodes * rounds || $6 < 2) bad = bad " " $1
		if (!near($10 * $4, $7 * 1e9) || !near($11 * $7, $4) || !near($12 * $2, $13)) bad = bad " " $1
		if ($8 > $7 || $7 > $9 || $14 !~ /^(L[1-4]|memory|unknown)$/) bad = bad " " $1
		seen++
	}
	END { if (bad) print "not:" bad; exit bad != "" || seen != 9 }' $csv
check "the text has nine rows" [ "$(grep -cE '^(star|hypercube):[0-9]+ .* (L[1-4]|memory|unknown)$' out)" -eq 9 ]
check "the file growth.txt has nine rows" [ "$(grep -cE '^(star|hypercube):' scripts/results/growth.txt)" -eq 9 ]
check "docs/benchmarks.md has stars and every fourth cube" [ "$(grep -c '^| `' docs/benchmarks.md)" -eq 5 ]
check "the table is between its marks" [ "$(sed -n '1p;2p;$p' docs/benchmarks.md | tr '\n' ' ')" = "before $mark --> after " ]
check "no old row is left" sh -c '! grep -q old docs/benchmarks.md'
check "a picture with a curve for each family" [ "$(grep -c '<g class="series"' scripts/results/growth.svg)" -eq 2 ]
rm scripts/results/growth.svg
growth --draw
check "the picture again" sh -c '[ $0 -eq 0 ] && grep -q "<svg" scripts/results/growth.svg' $code

growth --runs 1 --max 256M hypercube:8..8 hypercube:27..30
check "exit 0 where something does not fit (was $code)" [ $code -eq 0 ]
check "one message, and larger networks are not tried" [ "$(grep -c ' skipped: ..*; ..*' out)" -eq 1 ]
check "the smaller are measured" grep -q '^hypercube:8 .* 2048 ' out

kept=$tree/scripts/results/growth.csv
if [ -e "$kept" ]; then
	awk -v form=page -f "$tree/scripts/growth.awk" "$kept" >out
	sed -n "\\|^$mark|,/^<!-- its end/p" "$tree/docs/benchmarks.md" | sed '1d;$d' >err
	check "docs/benchmarks.md has the table of the figures kept" cmp out err
fi
finish
