#!/bin/sh
# Files and streams that the tool writes: standard output stays open, unwritable files are reported
# before the run, and --json gives a document for every exit code but 2.
# variants: release checked chaos asan
. "$(dirname "$0")/support/cli"

: >out
# between ARGUMENTS...: what the tool adds to a redirected standard output, into the file middle;
# the lines before and after must stay.
between() {
	(echo head; "$LOCKSTEP" "$@"; echo foot) >all 2>err
	check "head and foot stay around: $*" sh -c '[ "$(head -c 5 all)" = head ] && [ "$(tail -c 5 all)" = foot ]'
	sed '1d;$d' all >middle
	: >appended
	"$LOCKSTEP" "$@" >>appended 2>err
	"$LOCKSTEP" "$@" >>appended 2>err
	check ">> appends: $*" [ "$(wc -c <appended)" -eq $((2 * ($(wc -c <all) - 10))) ]
}

"$LOCKSTEP" steps broadcast -t ring:4 trace.csv
between steps broadcast -t ring:4 --csv
check "the trace is that of a file" cmp -s middle trace.csv
for stream in - /dev/stdout /dev/fd/1; do
	between steps broadcast -t ring:4 --csv $stream
	check "steps to $stream has the rows of a file" cmp -s middle trace.csv
	between run broadcast -t ring:4 --quiet --trace $stream
	check "--trace $stream has the rows of a file" sh -c 'sort middle >a; sort trace.csv >b; cmp -s a b'
	between run allgather -t ring:3 --quiet --output $stream
	"$LOCKSTEP" run allgather -t ring:3 --quiet --output results.raw
	check "--output $stream has the bytes of a file" sh -c \
		'"$1" run allgather -t ring:3 --quiet --output "$2" >c && cmp -s c results.raw' - "$LOCKSTEP" $stream
done
"$LOCKSTEP" run broadcast -t ring:4 --quiet --trace /dev/stderr 2>>errors
"$LOCKSTEP" run broadcast -t ring:4 --quiet --trace /dev/stderr 2>>errors
check "--trace /dev/stderr appends" [ "$(wc -l <errors)" -eq $((2 * $(wc -l <trace.csv))) ]

# An unwritable file: no line of a run, exit 2.
for option in --output --trace; do
	for engine in mailboxes sweep; do
		run run allreduce -t ring:4 -e $engine $option /nowhere/x
		check "$option /nowhere/x exits 2" [ $code -eq 2 ]
		check "$option /nowhere/x is reported before the run" [ ! -s out ]
		check "$option /nowhere/x has one message" one_message
	done
done
run steps allreduce -t ring:4 /nowhere/x.csv
check "steps to /nowhere exits 2" [ $code -eq 2 ]
if [ -w /dev/full ]; then
	for arguments in "steps allreduce -t ring:4 --csv" "run allreduce -t ring:4 --quiet --trace -"; do
		"$LOCKSTEP" $arguments >/dev/full 2>err
		code=$?
		: >out
		check "a full disk exits 2: $arguments" [ $code -eq 2 ]
		check "a full disk has one message: $arguments" one_message
	done
else
	skipped=$((skipped + 1))
fi

# A failed run keeps an existing file, and leaves no new one.
echo precious >kept.csv
run run allreduce -t ring:4 -i 1000000 --timeout 0.1 --output kept.csv
check "the run is stopped" [ $code -eq 5 ]
check "a failed run keeps the file of --output" grep -qx precious kept.csv
run run allreduce -t ring:4 -i 1000000 --timeout 0.1 --output new.csv
check "a failed run leaves no new file" [ ! -e new.csv ]
run run broadcast -t ring:4 --quiet --output kept.csv
check "a successful run replaces the file" sh -c '[ $(wc -l <kept.csv) -eq 4 ] && ! grep -q precious kept.csv'

# Exit code | arguments: a document with status and error, its text that of the message.
cat >failed.py <<'PYTHON'
import json, sys
d = json.load(open("out"))
message = open("err").read().splitlines()[-1]
e = d["error"]
assert d["schema"] == 1 and d["tool"] == "lockstep" and d["command"][1:] == sys.argv[2:]
assert d["status"] == e["kind"] and e["exit_code"] == int(sys.argv[1])
assert message == "lockstep: " + e["text"]
PYTHON
if command -v python3 >/dev/null; then
	while read -r want arguments; do
		run $arguments --json
		check "exit $want of: $arguments" [ $code -eq "$want" ]
		check "a document of: $arguments" python3 failed.py "$want" $arguments --json
		[ "${arguments%% *}" = list ] && continue # takes no --quiet
		run $arguments --json --quiet
		check "no document with --quiet: $arguments" [ $code -eq "$want" -a ! -s out ]
	done <<-'TABLE'
		3 run allreduce -t hypercube:62
		3 run allreduce -t ring:4 -m 64G
		3 run allreduce -t hypercube:40 -e sweep
		3 run scan -t star:14 -e sweep
		3 bench allreduce -t star:9
		3 check allreduce -t hypercube:62
		4 run allreduce -t ring:4 -o band
		4 run allreduce -t ring:4 --workers 2
		4 bench allreduce -t ring:4 -a ring,halving
		4 list algorithms allreduce -t ring:4 -o band
	TABLE
	run run allreduce -t rinng:8 --json
	check "no document of a usage error" [ $code -eq 2 -a ! -s out ]
	limited() { (ulimit -v 60000; exec "$LOCKSTEP" "$@") >out 2>err; code=$?; }
	case $LS_VARIANT in
	asan | tsan) skipped=$((skipped + 1)) ;; # they need more address space
	*)
		limited run allgather -t ring:4 -m 2M --json
		check "without memory: exit 3" [ $code -eq 3 ]
		check "without memory: a document" python3 -c '
import json
d = json.load(open("out"))
assert d["error"]["exit_code"] == 3 or d["results"][0]["error"]'
		;;
	esac
else
	skipped=$((skipped + 1))
fi

finish
