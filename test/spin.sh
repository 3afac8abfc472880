#!/bin/sh
# Model checks of the protocols between processes: spin visits every state of each model in test/spin/ and finds
# no error.  It finds each bug that test/spin/planted_bugs.txt plants in a model.
#
# A plant is a line  MODEL | finding, finding | what is broken | sed expression ; the expression must change the model.
#
# all: compiles a checker for each model and each bug
# variants: release
. "$(dirname "$0")/support/cli"
command -v spin >/dev/null || { echo 'no spin; sh scripts/setup.sh --ci installs it'; exit 77; }

# search MODEL_FILE OPTIMIZATION: the result in out.  A bug is found soon: compile its checker fast.
search() {
	rm -f pan.c pan err
	: >err
	spin -a "$1" >out 2>&1 && ${CC:-cc} -w "$2" -DSAFETY -DCOLLAPSE -o pan pan.c >out 2>&1 && ./pan -m1000000 >out 2>&1
}

for model in verdict end_of_round meeting; do
	source=$tree/test/spin/$model.pml
	search "$source" -O1
	check "$model has no error" grep -q 'errors: 0$' out
	check "the search of $model is complete" sh -c '! grep -Eq "not completed|max search depth|out of memory" out'
	grep 'states, stored' out | sed "s/^/$model: /"
	plants=0
	while IFS='|' read -r name finding says expression; do
		[ "$name" = "$model " ] || continue
		plants=$((plants + 1))
		sed "$expression" "$source" >planted.pml
		check "'$says' changes $model" sh -c "! cmp -s '$source' planted.pml"
		search planted.pml -O0
		check "$model: the search finds that$says" grep -Eq "^pan:.*($(echo $finding | sed 's/, /|/g'))" out
	done <"$tree/test/spin/planted_bugs.txt"
	check "$model has bugs planted" [ $plants -ge 8 ]
done
finish
