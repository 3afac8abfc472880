#!/bin/sh
# Plans, traces and graphs with changed lines and numbers: the tool draws each, or refuses it in one line.
# test/fuzz_draw.c does the same in the library, with many more.
# variants: release checked asan chaos
. "$(dirname "$0")/support/cli"
command -v python3 >/dev/null || { echo 'python3 is not here to change the files'; exit 77; }

count=200
[ -z "$LS_FAST" ] || count=25
[ -z "$LS_LONG" ] || count=5000
: >err
python3 -I -S "$tree/test/support/changed_files.py" "$LOCKSTEP" "${LS_SEED:-1}" $count >out 2>err
check "$(tail -n 1 out)" [ $? -eq 0 ]
finish
