#!/bin/sh
# Debuggers follow light nodes.  gdb: a backtrace shows all functions of the node and ends at the first one of
# its fiber.  Valgrind knows the stacks: it reports errors planted on them, and none in programs that are right.
# variants: release
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=${LS_BUILD:-build/release}/test/fiber_debugged
seen=

fail() { # TEXT
	cat "$work/out"
	echo "fibers_debuggers: $1"
	exit 1
}

# ---- gdb

functions() { sed -n 's/^#[0-9]* .*[ *]\([a-z_?]*\) (.*/\1/p' "$work/out" | tr '\n' ' '; }

if ! command -v gdb >/dev/null; then
	echo 'gdb is not installed'
elif ! gdb -batch -nx -ex start /bin/true 2>&1 | cat >"$work/out" || grep -q 'ptrace\|not permitted' "$work/out"; then
	echo 'gdb cannot start a program here'
else
	seen=gdb
	gdb -batch -nx -ex 'break fiber_debugged_stop' -ex run -ex bt "$program" >"$work/out" 2>&1
	expected='fiber_debugged_stop stop_between lsi_node_run_program lsi_fiber_run'
	case $(functions) in
	"$expected lsi_switch_start ") ;;
	"$expected ?? ?? " | "$expected start "*) ;; # SWITCH=ucontext: functions of libc
	*) fail 'the backtrace of a light node is not as expected' ;;
	esac
	! grep -q 'Backtrace stopped' "$work/out" || fail 'the backtrace of a light node has no end'
fi

# ---- Valgrind

checked() { valgrind -q --error-exitcode=9 "$@" >"$work/out" 2>&1; }
reports() { # PLANTED TEXT...: Valgrind prints each text
	! checked "$program" "$1" || fail "Valgrind did not report the planted error '$1'"
	planted=$1
	shift
	for text; do
		grep -q "$text" "$work/out" || fail "the report of the planted error '$planted' lacks '$text'"
	done
}

if ! command -v valgrind >/dev/null; then
	echo 'Valgrind is not installed'
elif ! echo '#include <valgrind/valgrind.h>' | cc -E - >/dev/null 2>&1; then
	echo 'without valgrind/valgrind.h, the library does not announce the stacks of light nodes'
else
	seen="$seen valgrind"
	for arguments in '-e mailboxes -m 1' '-e mailboxes -m 1K --rounds free' '-e cooperative -m 1K'; do
		checked "$LOCKSTEP" run allreduce -t star:3 --nodes fibers $arguments ||
			fail "lockstep run allreduce -t star:3 --nodes fibers $arguments"
	done
	checked "$program" || fail 'Valgrind reports an error in a program that is right'
	reports undefined 'depends on uninitialised value' decide_by_undefined lsi_fiber_run
	reports below 'Invalid write' 'below stack pointer' write_below lsi_fiber_run
fi

[ -n "$seen" ] || exit 77
