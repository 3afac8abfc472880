#!/bin/sh
# Real limits on memory and threads: the tool succeeds, or ends with exit code 3 and one line that says why.
# Sanitizers reserve more address space than any limit leaves.
#
# all: many processes with small limits
# variants: release checked chaos
. "$(dirname "$0")/support/cli"

command -v prlimit >/dev/null || { echo "no prlimit"; exit 77; }

# limited LIMIT ARGUMENTS...: the tool under a limit, into out, err and $code; it must end as it may
limited() {
	limit=$1
	shift
	prlimit $limit "$LOCKSTEP" --version >out 2>&1 || return       # not even loaded
	prlimit $limit $as_user "$LOCKSTEP" "$@" >out 2>err
	code=$?
	if [ $code -eq 0 ]; then
		succeeded=$((succeeded + 1))
		check "$limit $*: nothing to say" [ ! -s err ]
	else
		ran_out=$((ran_out + 1))
		check "$limit $*: exit code 3 (was $code)" [ $code -eq 3 ]
		check "$limit $*: one message" one_message
	fi
}

# both TEXT: some of the limits were enough, some were not
both() {
	check "$1: enough sometimes" [ $succeeded -gt 0 ]
	check "$1: too little sometimes" [ $ran_out -gt 0 ]
	succeeded=0 ran_out=0
}

succeeded=0 ran_out=0 as_user=
for mb in 3 4 6 9 14 20 30 45 70 100 150 220 330 1000; do
	limited --as=${mb}000000 run allreduce -t star:6
done
both "memory of a run"
# Reservations of the allocator must not take what is enough: this failed in one of six runs.
for _ in 1 2 3 4 5 6 7 8 9 10; do
	limited --as=1000000000 run allreduce -t star:6
done
check "memory of a run: what is enough is so in every run" [ $ran_out -eq 0 ]
for mb in 3 6 14 30 50 60 70 100 1000; do
	limited --as=${mb}000000 run allreduce -t ring:6 -m 500000 --rounds free
done
both "memory of long vectors"
for mb in 3 5 7 9 14 20 30 60 100 1000; do
	limited --as=${mb}000000 check allreduce -t star:7
	limited --as=${mb}000000 check broadcast -t star:8
	limited --as=${mb}000000 steps broadcast -t mesh:30x30 --csv
done
both "memory of a proof"

# Root may make any number of threads; another user, who must be able to run the tool, may not.
if [ "$(id -u)" -eq 0 ]; then
	as_user='setpriv --reuid=64321 --clear-groups --inh-caps=-all'
	$as_user "$LOCKSTEP" --version >/dev/null 2>&1 || as_user=none
fi
if [ "$as_user" = none ]; then
	skipped=$((skipped + 1))
else
	for threads in 1 2 10 100 700; do
		limited --nproc=$threads run allreduce -t star:6
		check "$threads threads are too few" [ $code -eq 3 ]
		check "$threads threads: the message names threads" grep -q thread err
	done
fi

finish
