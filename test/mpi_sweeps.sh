#!/bin/sh
# Sweeps over the processes of each MPI found here: messages, counts, bits and errors are those of one process,
# in every cell of the tables of test/world_bits.c and test/world_laws.c.
# all: thousands of sweeps over each MPI
# variants: release
. "$(dirname "$0")/support/cli"
. "$tree/test/support/mpi"
limit=1500 # far above the time of every program

for family in $families; do
	for count in $(counts_of $family); do
		for program in world_bits world_laws; do
			started -wdir "$tree" -n $count "$build/test/$program" # which reads test/data
			check "$program in $count processes of $family (was $code)" [ $code -eq 0 ]
			check "$count results of $program with $family" [ "$(grep -c ' 0 failures$' out)" -eq $count ]
			[ $code -eq 0 ] || head -n 5 err
		done
	done
done
finish
