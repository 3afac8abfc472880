#!/bin/sh
# find: plans for all operations, bounds with proofs, solvers that are not there or that lie.
# variants: release checked asan chaos
. "$(dirname "$0")/support/cli"

# bare ARGUMENTS...: as run, without any program in PATH
mkdir none
bare() {
	(PATH=$PWD/none && "$LOCKSTEP" "$@") >out 2>err
	code=$?
}
bare find allgather -t torus:3x3x3 default.plan
check "without a solver the default plan is written" [ $code -eq 0 -a -s default.plan ]
check "the package is named" grep -q 'install the package cadical' out
check "it is not proved least" grep -q 'not proved least' out
bare find allgather -t torus:3x3x3 --within 5
check "--within needs a solver" [ $code -eq 4 ]
check "the message names the package" grep -q 'install the package cadical' err
bare find allgather -t mesh:3x3 --proof p.drat
check "--proof needs a solver" [ $code -eq 4 -a ! -e p.drat ]
bare find allreduce -t debruijn:4 record.plan
check "a record needs no solver" grep -q 'record: 5 rounds' out
check "it is the least" grep -q 'the fewest rounds possible' out
run check --plan record.plan -t debruijn:4 --expect 'rounds=5' --quiet
check "its plan is proved" [ $code -eq 0 ]
bare find allgather -t mesh:3x3 --within 4
check "what a record excludes is impossible" [ $code -eq 1 ]
check "the record is named" grep -q '^record     bound 5, refuted by an earlier search' out
bare find allgather -t mesh:3x3 --within 4 --json
check "the record is named as JSON" grep -q '"bound":5,"bound_by":"record"' out
bare find shift -t torus:3x3 -q 4 --json
check "the shift as JSON" grep -q '"shift":4,.*"bound_by":"known"' out
bare find allgather -t torus:3x5 --within 5 --quiet
check "what a record reaches is possible" [ $code -eq 0 ]
if script -qec true typescript >/dev/null 2>&1; then
	script -qec "$LOCKSTEP find broadcast -t ring:9" typescript >/dev/null
	check "a search on a terminal" grep -q searching typescript
	script -qec "$LOCKSTEP find broadcast -t ring:9 --quiet" typescript >/dev/null
	check "--quiet: no progress" sh -c '! grep -q searching typescript'
fi
run records allgather -t mesh:3x5 --csv
check "the record is listed" grep -q '^mesh:3x5,allgather,0,0,6,6,closed,found,210,0$' out
run records allgather --json
check "as JSON" grep -q '"network":"mesh:3x5","operation":"allgather"' out
check "fewer rounds may be enough" grep -q '"mesh:3x3x3","operation":"allgather","root":0,"shift":0,"rounds":7,"bound":6,"state":"open"' out
check "words need the edges of a graph" grep -q '"graph:wheel8.txt",[^}]*"plan":"default","words":null' out
cp "$tree/test/data/graphs/wheel8.txt" renamed.txt
run records allgather -t graph:renamed.txt --csv
check "a graph is known by its edges" grep -q '^graph:wheel8.txt,allgather,0,0,4,4,closed,default,56,0$' out
run records -t complete:4
check "no record is stated" [ "$code $(cat out)" = '0 no record of complete:4; try lockstep find' ]
run records scan -t complete:4
check "nor one of an operation" grep -q '^no record of scan on complete:4; try lockstep find$' out
run records -t complete:4 --csv
check "as CSV, a head" [ "$(wc -l <out)" -eq 1 ]
run records -t rin:9
check "records of no network" [ $code -eq 2 ]
run find allgather -t mesh:3x3 --solver ./nowhere
check "a solver that is not there" [ $code -eq 4 ]
run find allgather -t tree:8
check "no search through switches" [ $code -eq 4 ]
check "the switches are named" grep -q 'tree:8 has switches' err
run find allgather -t ring:129
check "no search on 129 nodes" [ $code -eq 4 ]
check "the limit is named" grep -q '128' err

# Files that cannot be written are found before the search: the solver is not there.
for file in nowhere/x.plan '--proof nowhere/x' '--record nowhere/x'; do
	run find allgather -t mesh:3x3 --solver ./nowhere $file
	check "no file $file" [ $code -eq 2 ]
	check "$file is named" grep -q 'cannot write nowhere/x' err
done
echo kept >kept.plan
run find allgather -t mesh:3x3 --solver ./nowhere kept.plan --proof kept.drat --record kept.inc
check "after a failure a file keeps its content" [ "$(cat kept.plan)" = kept ]
check "and no other is left" [ ! -e kept.drat -a ! -e kept.inc -a -z "$(ls -A | grep lockstep-)" ]

# Solvers that lie: of a model, of a refutation, of nothing at all.
liar() { # NAME TEXT PROOF
	printf '#!/bin/sh\nfor last; do :; done\nprintf "%s"\nprintf "%s" >"$last"\n' "$2" "$3" >"$1"
	chmod +x "$1"
}
liar model 's SATISFIABLE\\nv 1 2 3 0\\n' ''
liar refuter 's UNSATISFIABLE\\n' '1 0\\n0\\n'
liar empty 's UNSATISFIABLE\\n' ''
liar silent '' ''
printf '#!/bin/sh\necho "s UNSATISFIABLE"\n' >proofless
chmod +x proofless
while IFS='|' read -r solver message; do
	run find allgather -t mesh:3x3 --solver ./$solver wrong.plan
	check "$solver is caught" [ $code -eq 4 -a ! -e wrong.plan ]
	check "$solver has a message of one line" [ "$(wc -l <err)" -eq 1 ]
	check "$solver: $message" grep -q "$message" err
done <<'TABLE'
model|claims a plan of 4 rounds, but its model is none
refuter|clause 1 of its refutation
empty|the solver writes no proof
proofless|the solver writes no proof
silent|
TABLE

# A file of holes, as long as a refutation may not be.
printf '#!/bin/sh\nfor last; do :; done\ntruncate -s 1G "$last"\necho "s UNSATISFIABLE"\n' >lengthy
chmod +x lengthy
run find alltoall -t torus:7x7 --within 6 --symmetry none --solver ./lengthy
check "a long refutation is no bound" [ $code -eq 5 ]
check "its length is named" grep -q 'undecided, the refutation is too long to check' out

# The solver ends with the tool, and nothing is left in TMPDIR; /proc shows who runs.
gone() { # PID: it ends soon
	for i in $(seq 100); do
		case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in '' | Z* | X*) return ;; esac
		sleep 0.02
	done
	false
}
printf '#!/bin/sh\necho $$ >"$PIDS/new"\nmv "$PIDS/new" "$PIDS/pid"\nexec sleep 60\n' >sleeper
printf '#!/bin/sh\nsleep 60 &\necho $! >"$PIDS/pid"\n' >parent
printf '#!/bin/sh\nsleep 60 &\necho $! >"$PIDS/new"\nmv "$PIDS/new" "$PIDS/pid"\nwait\n' >wrapper
chmod +x sleeper parent wrapper
mkdir files
export PIDS=$PWD
for signal in TERM HUP KILL; do for solver in sleeper wrapper; do
	rm -f pid
	TMPDIR=$PWD/files "$LOCKSTEP" find allgather -t mesh:3x3 --solver ./$solver files/a.plan >out 2>err &
	for i in $(seq 250); do [ -s pid ] || sleep 0.02; done
	kill -$signal $!
	wait $! 2>/dev/null
	check "the $solver ends at SIG$signal to the tool" gone "$(cat pid)"
	check "no file of the solver is left at SIG$signal" [ -z "$(ls files)" ]
	check "no file is left at SIG$signal" [ $signal = KILL -o -z "$(ls -A files)" ]
done; done
run find allgather -t mesh:3x3 --solver ./parent
check "what the solver started is ended with it" gone "$(cat pid)"

# A refutation of the tree is proved without a solver; a damaged one is not.
proof=$tree/test/data/mesh3x3_gossip4.drat
bare check allgather -t mesh:3x3 --bound "$proof"
check "the bound is proved" [ $code -eq 0 ]
check "the bound is 5" grep -q 'at least 5 rounds' out
run check allgather -t mesh:3x3 --bound "$proof" --json
check "as JSON" grep -q '"bound":5,"proved":true' out
for option in '--plan default.plan' '-a gossip' --strict; do
	run check allgather -t mesh:3x3 --bound "$proof" $option
	check "a refutation takes no $option" [ $code -eq 2 ]
	check "$option is named" grep -q "check --bound takes no --" err
done
sed 20d "$proof" >damaged.drat
run check allgather -t mesh:3x3 --bound damaged.drat
check "a line less is found" [ $code -eq 1 ]
run check scan -t mesh:3x3 --bound "$proof"
check "another operation is found" [ $code -eq 1 ]
run check allgather -t mesh:3x3 --bound default.plan
check "a plan is no refutation" [ $code -eq 2 ]
run check allgather -t mesh:3x3 --bound nowhere.drat
check "no file" [ $code -eq 2 ]

command -v cadical >/dev/null || {
	echo 'no cadical: searches are not tested'
	finish
}

# Records would leave little to search for.
bare=${LS_BUILD:-$tree/build/release}/lockstep-bare
check "lockstep-bare is built" [ -x "$bare" ]
[ -x "$bare" ] || finish
with_records=$LOCKSTEP
LOCKSTEP=$bare

# The default plans of these need more rounds, or keep the sums of an all-reduce apart.  A fast run,
# and one under a sanitizer, takes every sixth row.
cat >rows <<'TABLE'
allgather -t debruijn:4|5
allgather -t debruijn:3 --ports 2|3
alltoall -t debruijn:3 --ports 2|3
allreduce -t ring:9|6
allreduce -t debruijn:4|5
allreduce -t debruijn:3 --ports 2|3
reduce-scatter -t mesh:2x2x3|4
barrier -t mesh:2x2x3|4
scan -t ring:9|5
scan -t bintree:3|6
exscan -t ring:7|4
exscan -t bintree:3|6
broadcast -t debruijn:4 -r 3 --ports 2|3
reduce -t debruijn:5 -r 3 --ports 2|4
scatter -t pancake:4 -r 5 --ports 2|4
gather -t star:4 -r 3 --ports 3|4
shift -t bintree:4 -q 10|8
shift -t bintree:5 -q 8|12
TABLE
case ${LS_FAST:-}$LS_VARIANT in release | checked | chaos) ;; *) sed -i -n '1~6p' rows ;; esac

engine=sweep
# Every operation: the file is proved and runs, and has the rounds that are known to be the fewest.
while IFS='|' read -r arguments rounds; do
	network=$(echo "${arguments#* }" | sed 's/ -[rq] [0-9]*//') # the plan has root and shift
	run find $arguments found.plan
	check "$arguments is found by the search" sh -c "[ $code -eq 0 ] && grep -q 'result     exact: $rounds round' out"
	check "$arguments is the fewest rounds" grep -q 'the fewest rounds possible' out
	run check --plan found.plan $network --expect "rounds=$rounds" --quiet
	check "$arguments has $rounds rounds, and is proved" [ $code -eq 0 ]
	engine=$([ "$engine" = sweep ] && echo mailboxes || echo sweep) # in turn
	run run --plan found.plan $network -e $engine
	check "$arguments runs by $engine" sh -c "[ $code -eq 0 ] && ! grep -q WRONG out"
done <rows

run find allreduce -t pancake:4 one.plan
run find allreduce -t pancake:4 two.plan
check "the same seed gives the same plan" cmp -s one.plan two.plan
check "sums are merged in the rounds of the default plan" grep -Eq 'exact: 5 rounds, 1[0-9][0-9] words' out
check "the default plan keeps them apart" grep -q 'default    allgather-fold: 5 rounds, 552 words' out
run check --plan one.plan -t pancake:4 --expect 'rounds=5,words<=200' --quiet
check "that plan is proved" [ $code -eq 0 ]
bare find allreduce -t pancake:4
check "without a solver the default plan has the fewest rounds" [ $code -eq 0 ]
run find allgather -t mesh:3x3 --within 4 --proof mesh.drat
check "--within 4 is impossible" [ $code -eq 1 -a -s mesh.drat ]
run check allgather -t mesh:3x3 --bound mesh.drat --quiet
check "its refutation is right" [ $code -eq 0 ]
run find allgather -t mesh:3x3 --within 5 --quiet
check "--within 5 is enough" [ $code -eq 0 ]
run find allgather -t star:5 --within 8 --budget 1 --quiet
check "a budget that is spent" [ $code -eq 5 ]
run find allgather -t torus:5x5 --within 7 --json
check "a symmetric plan is found" grep -q '"outcome":"found".*"symmetry":\([5-9]\|[1-9][0-9]\)' out
run find allgather -t torus:5x5 --within 7 --symmetry none --json
check "any other plan is found" grep -q '"outcome":"found".*"symmetry":1[,}]' out
run find allgather -t "graph:$tree/test/data/graphs/hoffman-singleton.txt" --within 7
check "a symmetric plan of a graph is found" grep -q '7 rounds   found: .* under 25 automorphisms' out
# A prefix: the messages of the first rounds pass over its links, also in a plan that runs backwards.
for operation in allgather reduce-scatter; do
	run find $operation -t ring:8 --prefix 0,0 prefix.plan
	check "$operation: the fewest rounds with a prefix" grep -q 'result     exact: 5 rounds' out
	check "$operation: its plan is proved" "$LOCKSTEP" check --plan prefix.plan -t ring:8 --quiet
	"$LOCKSTEP" steps --plan prefix.plan -t ring:8 prefix.csv
	check "$operation: it has the prefix" awk -F, '
		$1 ~ /^[12]$/ { n++; wrong += $3 != ($2 + 1) % 8 } END { exit n == 0 || wrong }' prefix.csv
done
run find allgather -t star:4 --within 5 --prefix 2,3
check "5 rounds with a prefix are refuted" [ $code -eq 1 ]
check "which is no bound" grep -q '5 rounds are impossible with this prefix; other plans may have them' out
run find allgather -t star:4 --within 5 --prefix 2,3 --json
check "the prefix as JSON" grep -q '"prefix":\[2,3\],"prefix_bound":6,.*"bound":5,"bound_by":"known"' out
run find allgather -t star:4 --prefix 2 --proof prefix.drat
check "a prefix proves no bound" [ $code -eq 2 -a ! -e prefix.drat ]
run find allgather -t star:4 --prefix 1
check "no such link" grep -q 'no link 1 of star:4; its links have the numbers 2 to 4' err
run find allgather -t star:4 --prefix 2,x
check "no list of links" [ $code -eq 2 ]
run find allgather -t mesh:3x3 --prefix 0
check "no prefix on a mesh" [ $code -eq 4 ]
run find allgather -t star:4 --prefix 2,3 --within 1
check "the prefix is too long" [ $code -eq 2 ]
run find allgather -t ring:9 --symmetry some
check "no such symmetry" [ $code -eq 2 ]
run find allgather -t mesh:3x3 --json
check "the steps as JSON" grep -q '"rounds":4,"outcome":"impossible"' out
check "the result as JSON" grep -q '"rounds":5,"words":72.*"bound":5,"bound_by":"search","proved_least":true,"found_by":"gossip"' out
run find allgather -t ring:9 -m 1M long.plan
run check --plan long.plan -t ring:9 --expect 'rounds=8' --quiet
check "with long messages the default plan is cheaper" [ $code -eq 0 ]
run find allgather -t ring:9 -m 1K --verbose
check "few rounds are on the front" grep -q '^front      6 rounds, volume 13312: ' out
check "and little volume" grep -q '^           8 rounds, volume 8192: ' out
check "one round more is searched, too" grep -q '^7 rounds   found' out
run find allgather -t "graph:$tree/test/data/graphs/dodecahedron.txt" -m 1K --verbose longer.plan
check "one round more may cost least" grep -q '^result     exact: 7 rounds, 389120 words, volume 19456$' out
check "it is on the front" grep -q '^           7 rounds, volume 19456: exact$' out
run check --plan longer.plan -t "graph:$tree/test/data/graphs/dodecahedron.txt" -m 1K --expect 'rounds=7' --quiet
check "its plan is proved" [ $code -eq 0 ]
bare find allgather -t ring:9 -m 1K
check "it needs no solver" [ $code -eq 0 ]

# A record may have more volume than other plans: no default costs more with it than without it.
cost() { # TOOL ARGUMENTS...
	tool=$1 && shift
	"$tool" list algorithms "$@" --mode hop --csv | awk -F, '$4 == "true" { print $12 }'
}
for network in "graph:$tree/test/data/graphs/hoffman-singleton.txt" debruijn:4; do
	for operation in allgather scan; do for m in 1 64 1K; do
		costs="$(cost "$with_records" $operation -t $network -m $m) $(cost "$bare" $operation -t $network -m $m)"
		check "$operation on $network, m = $m: $costs" awk -v c="$costs" 'BEGIN {
			exit split(c, cost, " ") != 2 || cost[1] > cost[2] }'
	done; done
done

# Records of the user lie beside the file of a graph.
LOCKSTEP=$with_records
printf '0 1\n0 2\n1 3\n1 4\n2 5\n2 6\n' >net.txt
run check scan -t graph:net.txt
check "the default has no record" grep -q '^algorithm  allgather-fold' out
run find scan -t graph:net.txt --record net.txt.records
check "fewer rounds are found" grep -q 'exact: 6 rounds' out
run check scan -t graph:net.txt
check "the record serves" grep -q '^algorithm  found' out
check "its plan is proved" [ $code -eq 0 -a ! -s err ]
run run scan -t graph:net.txt --quiet
check "its plan runs" [ $code -eq 0 ]
sed 's/\.\(.*\)" }/0\1" }/' net.txt.records >changed && mv changed net.txt.records
run check scan -t graph:net.txt
check "a damaged record is not used" grep -q '^algorithm  allgather-fold' out
check "it is named" grep -q "^lockstep: net.txt.records: record 1 is damaged; none is used" err

# A file that cannot be read is named, too, and the command goes on.
unreadable() { # WHAT MESSAGE
	run check scan -t graph:net.txt --quiet
	check "with $1 the command goes on" [ $code -eq 0 -a "$(wc -l <err)" -eq 1 ]
	check "$1 is named" grep -q "net.txt.records$2" err
}
printf '\0\n' >net.txt.records
unreadable 'a NUL byte' ':1: the line has a NUL byte'
echo '/* no end' >net.txt.records
unreadable 'a comment without an end' ': record 1 is damaged; none is used'
rm net.txt.records
mkdir net.txt.records
unreadable 'a directory' ': '

finish
