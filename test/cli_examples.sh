#!/bin/sh
# The examples of `lockstep help VERB` run as they stand.
# all: the ranges of bench and the tables of reproduce take half a minute
# variants: release checked
. "$(dirname "$0")/support/cli"

mkdir bin
ln -s "$LOCKSTEP" bin/lockstep
PATH=$PWD/bin:$PATH
# The files that the examples read.
run steps broadcast -t ring:8 mine.csv
run steps allreduce -t ring:8 my.plan
"$LOCKSTEP" run allreduce -t ring:8 --trace run.csv --times --quiet
"$LOCKSTEP" bench allreduce -t complete:2 -m 1:64K --csv >times.csv 2>err

run help
for verb in $(sed -n 's/^  lockstep \([a-z]*\).*/\1/p' out | sort -u); do
	run help "$verb"
	sed -n '/^Examples:/,$s/^  \(lockstep .*\)/\1/p' out >examples
	check "help $verb has examples" [ -s examples -o "$verb" = help ]
	while read -r example; do
		sh -c "$example" >out 2>err </dev/null
		code=$?
		check "exit 0 (was $code) of: $example" [ $code -eq 0 ]
		check "output of: $example" [ -s out -o -e "${example##* }" ]
	done <examples
done
finish
