#!/bin/sh
# scripts/compare: every contestant that can be built here gives verified results and a place in the table.
# The table of runs with known times has the expected figures.
#
# all: builds and runs other libraries
# variants: release
. "$(dirname "$0")/support/cli"

# Medians, quartiles, the ratio and what is discarded, of runs with known outcome.  Probes of 100 and
# less are near; one run of Lockstep is mixed, and far ones are fewer.
runs() { # CONTESTANT BEFORE AFTER NS...
	contestant=$1 before=$2 after=$3
	shift 3
	for ns; do echo "allreduce/2/8 $contestant $ns $before $after set way -"; done
}
{
	runs lockstep 60 60 40 20 30
	runs lockstep 60 400 1
	runs lockstep-fibers 60 60 6 3 9
	runs openmpi 60 60 90 80 100
	runs openmpi 400 400 5
	runs mpich 60 60 limit
	runs libgomp 60 60 200 60 100
	runs hand 60 60 15 15 15
	runs limit 60 60 10 10 10
	runs limit-fibers 60 60 3 3 3
	echo 'broadcast/8/8 lockstep 2 60 60 set way 128'
	echo 'broadcast/8/8 openmpi 4 60 60 set way 100'
	echo 'broadcast/8/8 limit 8 60 60 set way -'
} >data
table() { awk -v what="$1" -v row=allreduce/2/8 -v playing='lockstep openmpi libgomp libomp' -v runs=3 -v limit=4 \
	-f "$tree/scripts/compare.d/table.awk" data >out 2>err; }
table row
check "row" grep -q '^allreduce  *2  *8  near 60  *30\.0  *6\.0  *90\.0  *> limit  *100  *-  *-  *15\.0  *10\.0 ' out
check "ratio to the best library" grep -q ' openmpi   0\.33  0\.28 \.\. 0\.37  *2\.00  *3\.00  *0\.067  *0\.20$' out
table csv
check "quartiles and what was discarded" grep -q '^allreduce,2,8,lockstep,near,60,set,way,,3,1,25\.0,30\.0,35\.0,ok$' out
check "limit" grep -q '^allreduce,2,8,mpich,.*,,,,limit$' out
table page
check "page" grep -qF '| all-reduce | 2 | 8 | 30.0 | 6.0 | openmpi 90.0 | 0.33 | 0.067 | 0.28 .. 0.37 | | 15.0 | 10.0 | 0.11 | 3.0 | 0.033 |' out
check "no limit for a broadcast whose root runs ahead" \
	grep -qF "| broadcast | 8 | 8 | 2.0' | - | openmpi 4.0' | 0.50 | - | 0.50 .. 0.50 | | - | | | | |" out
table lacking
check "the contestants that must run again" [ "$(cat out)" = 'libomp ' ]

sh "$tree/scripts/compare" --rows reduce/2/8 >out 2>err
code=$?
check "no such row: exit 2 (was $code)" [ $code -eq 2 ]
check "no such row: one message" one_message

sh "$tree/scripts/compare" --rows 'allreduce/2/8 rotating/2/1K barrier/3' --runs 1 --sample 1 --limit 300 \
	--data "$scratch/runs" >out 2>err
code=$?
check "comparison: exit 0 (was $code)" [ $code -eq 0 ]
for row in 'allreduce  *2  *8' 'rotating  *2  *1K' 'barrier  *3  *-'; do
	check "row $row" [ "$(grep -c "^$row " out)" -eq 1 ]
done
for contestant in lockstep lockstep-fibers openmpi mpich libgomp libomp hand; do
	if grep -q "^skipped  *$contestant:" out; then
		skipped=$((skipped + 1))
	else
		check "$contestant ran each row" [ "$(grep " $contestant " "$scratch/runs" | cut -d' ' -f1 | sort -u | wc -l)" -eq 3 ]
	fi
done
grep -q "^skipped  *limit:" out ||
	check "limit ran the rows of two nodes" \
		[ "$(grep '^[a-z]*/2/[^ ]* limit [0-9]' "$scratch/runs" | cut -d' ' -f1 | sort -u | wc -l)" -eq 2 ]
if [ "$(nproc)" -lt 3 ]; then
	check "limit of fibers ran the row of more nodes than cores" \
		[ "$(grep -c '^[a-z]*/3[^ ]* limit-fibers [0-9]' "$scratch/runs")" -eq 1 ]
fi
check "a wrong command line is refused" \
	[ "$("$LS_BUILD/compare/lockstep" reduce 8 2 1 1 | cut -d: -f1)" = failed ]
[ $skipped -lt 5 ] || { echo "nothing but Lockstep can be built here"; exit 77; }
finish
