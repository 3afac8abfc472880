#!/bin/sh
# Output files are replaced as a whole: after a full disk, a limit of the file size or a signal at any
# moment, the old file is whole and no temporary file is left.  Ignored signals stay ignored.
# variants: release checked chaos asan
. "$(dirname "$0")/support/cli"

leftovers() { ls -A "${1:-.}" | grep '^\.lockstep-'; }
whole() { [ "$(cat "$1")" = precious ]; }

# Commands that write more than the limits below, to FILE.csv.
cat >commands <<'TABLE'
run allreduce -t ring:4 -m 20K --quiet --output
run alltoall -t complete:64 -e sweep --quiet --trace
run --plan played.csv --quiet --trace
steps alltoall -t complete:64
list links -t complete:64
TABLE
"$LOCKSTEP" steps alltoall -t complete:64 played.csv

# Too long for the limit of the file size.  The counts of make coverage exceed it, too: their errors go elsewhere.
while read -r arguments; do
	for old in "" precious; do
		rm -f file.csv
		[ -z "$old" ] || echo $old >file.csv
		(ulimit -f 8; GCOV_ERROR_FILE=counts "$LOCKSTEP" $arguments file.csv >out 2>err)
		code=$?
		check "exit 2 (was $code) beyond the file size: $arguments" [ $code -eq 2 ]
		check "one message beyond the file size: $arguments" one_message
		check "the reason beyond the file size: $arguments" grep -q '^lockstep: cannot write file.csv: File too large$' err
		check "the old file is whole: $arguments" sh -c '[ "$(cat file.csv 2>/dev/null)" = "$1" ]' - "$old"
		check "no temporary file: $arguments" [ -z "$(leftovers)" ]
	done
done <commands

# A full disk.
mkdir small
if mount -t tmpfs -o size=8k tmpfs small 2>/dev/null; then
	trap 'umount "$scratch/small"; rm -rf "$scratch"' EXIT
	while read -r arguments; do
		echo precious >small/file.csv
		run $arguments small/file.csv
		check "exit 2 (was $code) on a full disk: $arguments" [ $code -eq 2 ]
		check "the reason on a full disk: $arguments" grep -q 'small/file.csv: No space left' err
		check "the old file is whole on a full disk: $arguments" whole small/file.csv
		check "no temporary file on a full disk: $arguments" [ -z "$(leftovers small)" ]
	done <commands
	# Of two outputs, one fails: it keeps its file, the other is complete.
	echo precious >small/file.csv
	run run allreduce -t ring:4 -m 20K --quiet --output small/file.csv --trace trace.csv
	check "one of two outputs fails" [ $code -eq 2 ]
	check "the output that failed is whole" whole small/file.csv
	check "the output that did not fail is complete" [ "$(grep -vc '^[#r]' trace.csv)" -gt 0 ]
else
	skipped=$((skipped + 1))
fi

# Signals at many moments: the file has the old content or the complete new one.
"$LOCKSTEP" run alltoall -t complete:128 -e sweep --quiet --trace complete.csv
"$LOCKSTEP" run allgather -t ring:32 -m 2K --quiet --output results.csv
pauses="0 0.01 0.02 0.04 0.06 0.08 0.1 0.15 0.2"
signals="INT TERM HUP KILL"
[ -z "$LS_FAST" ] || pauses="0 0.05" signals="INT KILL"
for signal in $signals; do
	for pause in $pauses; do
		for arguments in "--trace complete.csv alltoall -t complete:128 -e sweep" \
			"--output results.csv allgather -t ring:32 -m 2K"; do
			set -- $arguments
			echo precious >file.csv
			$interruptible "$LOCKSTEP" run $3 $4 $5 $6 $7 --quiet $1 file.csv >out 2>err &
			sleep $pause
			kill -$signal $! 2>/dev/null
			wait $! 2>/dev/null
			code=$?
			check "the file after $signal at $pause s: $arguments" \
				sh -c '[ "$(cat file.csv)" = precious ] || cmp -s file.csv "$1"' - $2
			check "exit $code, but another file, after $signal at $pause s: $arguments" \
				sh -c '[ $1 -ne 0 ] || cmp -s file.csv "$2"' - $code $2
			[ $signal = KILL ] || check "no temporary file after $signal at $pause s: $arguments" \
				[ -z "$(leftovers)" ]
			rm -f .lockstep-*
		done
	done
done

# Signals that the tool was started with ignored.
signals="INT HUP TERM"
[ -z "$LS_FAST" ] || signals=INT
for engine in mailboxes sweep; do
	for signal in $signals; do
		(trap '' $signal; exec "$LOCKSTEP" run allreduce -t star:4 -i 1000000 --timeout 1 -e $engine) >out 2>err &
		sleep 0.3
		kill -$signal $!
		wait $!
		code=$?
		check "exit $code with SIG$signal ignored, engine $engine" [ $code -eq 5 -o $code -eq 0 ]
	done
done
"$LOCKSTEP" run allreduce -t star:4 >out 2>err & # its SIGINT is ignored
wait $!
check "a background command ends" [ $? -eq 0 ]

# Names: the file that a link leads to is replaced, permissions stay, other files are written directly.
write() { run steps broadcast -t ring:4 "$1"; }
write plain.csv
mkdir folder
echo precious >folder/real.csv
chmod 640 folder/real.csv
ln -s folder/real.csv link.csv
ln -s "$PWD/link.csv" link2.csv
ln -s folder/new.csv dangling.csv
write link2.csv
check "a link stays a link" [ $code -eq 0 -a -L link.csv -a -L link2.csv ]
check "its file is replaced" cmp -s folder/real.csv plain.csv
check "its permissions stay" [ "$(stat -c %a folder/real.csv)" = 640 ]
write dangling.csv
check "a link to a new file makes it" [ $code -eq 0 -a -L dangling.csv -a -f folder/new.csv ]
check "permissions of a new file are those of umask" [ "$(umask 027; write n.csv; stat -c %a n.csv)" = 640 ]
ln -s loop.csv loop.csv
write loop.csv
check "links without end exit 2" [ $code -eq 2 ]
mkfifo fifo.csv
ln -s fifo.csv pipe.csv
for name in fifo.csv pipe.csv; do
	cat fifo.csv >received &
	write $name
	wait $!
	check "$name is written directly" [ $code -eq 0 -a -p fifo.csv ]
	check "$name has all rows" cmp -s received plain.csv
done
"$LOCKSTEP" run broadcast -t ring:4 --quiet --trace /dev/fd/3 3>three.csv 2>err
check "/dev/fd/3 is written directly" [ $? -eq 0 -a -s three.csv ]
run run broadcast -t ring:4 --quiet --trace /dev/null
check "/dev/null stays a device" [ $code -eq 0 -a -c /dev/null ]
if [ -w /dev/full ]; then
	ln -s /dev/full full.csv
	for name in /dev/full full.csv; do
		run run broadcast -t ring:4 --quiet --trace $name
		check "$name exits 2" [ $code -eq 2 ]
		check "$name is an error" grep -q "^lockstep: cannot write $name: No space left" err
	done
fi

# Not as root: a file of a folder that is not writable is written directly; a file that is not
# writable stays.
chmod 755 .
user=$([ "$(id -u)" -eq 0 ] && echo 'setpriv --reuid=65534 --regid=65534 --clear-groups')
echo precious >folder/real.csv
echo precious >folder/locked.csv
chmod 666 folder/real.csv
chmod 444 folder/locked.csv
chmod 555 folder
cp "$LOCKSTEP" tool && chmod 755 tool
if $user ./tool --version >out 2>&1; then
	$user ./tool steps broadcast -t ring:4 folder/real.csv >out 2>err
	check "a writable file of such a folder is replaced" [ $? -eq 0 ]
	check "it is complete" cmp -s folder/real.csv plain.csv
	$user ./tool steps broadcast -t ring:4 folder/locked.csv >out 2>err
	check "a file that is not writable exits 2" [ $? -eq 2 ]
	check "a file that is not writable stays" whole folder/locked.csv
else
	skipped=$((skipped + 1))
fi
chmod 755 folder
check "no temporary file at the end" [ -z "$(leftovers)$(leftovers folder)" ]
finish
