#!/bin/sh
# Node programs over processes: the demo and test/program_driver.c under the mpirun of each MPI found here give
# what they give in one process.
# variants: release coverage
. "$(dirname "$0")/support/cli"
. "$tree/test/support/mpi"
driver=$build/test/program_driver

"$driver" >out 2>err
check "the driver in one process" [ $? -eq 0 ]
"$build/demo/spread" >alone 2>err
check "the demo in one process" [ $? -eq 0 ]
check "its nodes" grep -q '^process 0 of 1: nodes 0 to 7$' alone

for family in $families; do
	for count in $(counts_of $family); do
		started -n $count "$driver"
		check "$count processes of $family (was $code)" [ $code -eq 0 ]
		check "$count results of $family" [ "$(grep -c ' 0 failures$' out)" -eq $count ]
		started -n $count "$build/demo/spread"
		check "the demo in $count processes of $family (was $code)" [ $code -eq 0 ]
		check "the result of one process" sh -c 'grep "^the token" alone >a; grep "^the token" out | cmp -s a -'
		check "nodes of $count processes" [ "$(grep -c "^process [0-9] of $count: nodes [0-9] to [0-9]$" out)" -eq $count ]
	done
	for error in deadlock program mismatch untaken; do
		"$driver" $error >alone_error 2>err
		check "exit 5 of $error" [ $? -eq 5 ]
		check "a text of $error" [ -s alone_error ]
		started -n 2 "$driver" $error
		check "exit 5 of $error with $family (was $code)" [ $code -eq 5 ]
		check "the text of $error in one process, once" cmp -s alone_error out
	done
done
finish
