#!/bin/sh
# Valgrind finds no error in runs of light nodes: it follows their stacks.
# variants: release
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v valgrind >/dev/null || { echo "valgrind is not installed"; exit 77; }
# Without its header, the library does not announce the stacks of light nodes.
echo '#include <valgrind/valgrind.h>' | cc -E - >/dev/null 2>&1 || { echo "no valgrind/valgrind.h"; exit 77; }

for arguments in '-e mailboxes -m 1' '-e mailboxes -m 1K --rounds free' '-e cooperative -m 1K'; do
	valgrind -q --error-exitcode=9 "$LOCKSTEP" run allreduce -t star:3 --nodes fibers $arguments >"$work/out" 2>&1 || {
		cat "$work/out"
		echo "fibers_valgrind: lockstep run allreduce -t star:3 --nodes fibers $arguments"
		exit 1
	}
done
