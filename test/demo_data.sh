#!/bin/sh
# The demos find their data from any folder: in LOCKSTEP_DATA, else by the place of the program, else in
# the tree.
# variants: release coverage
set -eu
root=$PWD work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "demo data: $*"; exit 1; }

demos='cannon fft gauss kmeans shortest_paths'
for demo in $demos; do
	(cd / && "$LS_BUILD/demo/$demo" >"$work/out" 2>&1) || { cat "$work/out"; fail "$demo in another folder"; }
done

# The program alone, without a tree around it.
mkdir "$work/alone" "$work/data"
for demo in $demos; do
	cp "$LS_BUILD/demo/$demo" "$work/alone/"
	if (cd "$work" && "$work/alone/$demo" >"$work/out" 2>&1); then fail "$demo without its data"; fi
	grep -q 'LOCKSTEP_DATA' "$work/out" || fail "$demo does not name the remedy"
	(cd "$work" && LOCKSTEP_DATA=$root/demo/data "$work/alone/$demo" >"$work/out" 2>&1) ||
		{ cat "$work/out"; fail "$demo with LOCKSTEP_DATA"; }
	"$work/alone/$demo" >"$work/out" 2>&1 || { cat "$work/out"; fail "$demo in the root of the tree"; }
	if LOCKSTEP_DATA=$work/data "$work/alone/$demo" >"$work/out" 2>&1; then fail "$demo ignores LOCKSTEP_DATA"; fi
done
