#!/bin/sh
# `lockstep reproduce`: every claim is right or has an explanation, the corrections are the known ones, and JSON parses.
# all: runs every claim
# variants: release checked
. "$(dirname "$0")/support/cli"

run reproduce
check "no claim is unexplained (exit $code)" [ $code -eq 0 ]
check "stderr is empty" [ ! -s err ]
check "lines of at most 100 columns" sh -c '! grep -qE "^.{101}" out'
check "no colors in a file" sh -c '! grep -q "$(printf "\033")" out'
expected='192 claims: 162 right, 30 wrong in the source and explained, 0 unexplained'
check "the last line counts the verdicts" [ "$(tail -n 1 out)" = "$expected" ]
for document in 000 001 002 003 004; do
	check "document $document once" [ "$(grep -c "^$document  " out)" -eq 1 ]
done
check "documents in order" sh -c 'grep -oE "^00[0-4]  " out | sort -c'
for n in 1 2 3; do
	check "figure $n of the paper" grep -q "^figure$n  Figure $n: " out
done
for n in 1 2 3 5 6 7 8 9 10 11 12 13; do
	check "figure 4.$n" grep -q "^figure4.$n  Figure 4.$n" out
done

# Lines of the text: known corrections, and values computed by hand.
awk '/^          [^ ]/ { sub(/^ +/, " "); printf "%s", $0; next } { printf "\n%s", $0 }' out >flat
while IFS= read -r line; do
	check "line /$line/" grep -Eq -e "$line" flat
done <<'LINES'
^8 +40320 +127, is 147 +none found +42 +28$
^9 +362880 +192 +none found +50 +36$
^10 +3628800 +243 +none found +60 +45$
^MCT4\(3\) +81 +12, is 8 +16, is 8 +12$
^HS5,3 +720 +6 +9 +13$
^321 +6 +\[6\]\(5\) +\[11\]\(3\) +\[18\]\(3\) +21$
^4321 +24 +\[24\]\(23\) .* 300$
hypercube x star; found: star x star
wrong sums from n = 3
wrong sums from n = 4
for n <= 15, equal at n = 16: 120 and
27 75 147 243;
30 70 110 150
28 64 108 160
^0 +>1 \(0\) +>1 \(7\) +>1 \(6\)
found: \(0,1,2,3,4,5,6,7,8\)
^5 +\[5\]\(5\) +\[45\]\(45\) +\[45\]\(4567\) +\[012345\]\(01234567\)$
on threads: <3, 4, 8, 8, 10>
at node 3: 0123; found: 3210
^7>6>4>0$
^5 +>0 50 51 52 53 54 +>0 40 41 42 43 +>0 30 31 32 +>0 20 21 +>0 10$
the Gray code: 1 1 1 1 1; found: 1 2 2 2 2
^  Tseng \[11\]: computed by a formula$
^  along n - 1 trees \(added\): counted in the plan \(3 to 7\), the library has no plan \(8 to 10\)$
^  Ours: executed by threads \(3 to 6\), executed by a sweep \(7 to 10\)$
LINES

# Arguments | pattern of the last line
while IFS='|' read -r words pattern; do
	run reproduce $words
	check "success of: reproduce $words" [ $code -eq 0 ]
	check "/$pattern/ of: reproduce $words" sh -c 'tail -n 1 out | grep -Eq "$1"' sh "$pattern"
done <<'TABLE'
table2|^32 claims: 31 right, 1 wrong
table1 table2|^62 claims: 57 right, 5 wrong
004|^27 claims: 27 right, 0 wrong
figure4.10 figure4.12 004|^31 claims
-v figure4.3|^1 claim:
TABLE
run reproduce -v figure4.3
check "-v prints how a claim was found" grep -q '^ *counted in the plan$' out
check "-v prints the command of a claim" grep -q ' lockstep steps reduce -t ring:8 -a binomial --mode' out
run reproduce 003 --quiet
check "--quiet prints nothing" sh -c '[ ! -s out ] && [ ! -s err ]'

# Claims that lack memory are not run; the text reports them, and the exit status is 0.
(ulimit -v 160000 && "$LOCKSTEP" reproduce table2 >out 2>err)
code=$?
check "success without memory for S_10 (was $code)" [ $code -eq 0 ]
check "the cells of the claims are marked" grep -Eq '^10 +3628800 +243 +none found +not run +not run$' out
check "the text gives the reason" grep -Eq '^  not run  10, Sheu \[10\]: takes [0-9]+ MB of memory$' out
check "the last line counts them" grep -Eq '^32 claims: [0-9]+ right, 1 wrong .* 0 unexplained, [2-8] not run$' out

# A machine that cannot start a thread runs no claim that needs one; no claim is unexplained.
if preload <<'C'; then
#include <errno.h>
int pthread_create(void) { return EAGAIN; }
C
	preloaded reproduce
	check "success without threads (was $code)" [ $code -eq 0 ]
	check "claims are not run" grep -Eq '^[0-9]+ claims: .* 0 unexplained, [0-9]+ not run$' out
	check "every run on threads" sh -c '! grep -q "executed by threads" out'
	check "the text gives the reason" grep -q '^  not run  each node holds the sum 1 + 2 + .. + 3!: takes 6 threads$' out
fi

if command -v python3 >/dev/null; then
	run reproduce 001 002 003 004 --json
	check "every claim states how it was found" python3 -c \
		'import json; assert all(c["how"] for c in json.load(open("out"))["claims"])'
	run reproduce table2 figure2 conclusion --json
	check "exit 0 with --json" [ $code -eq 0 ]
	check "members and values of the claims" python3 - <<'PYTHON'
import json
d = json.load(open("out", encoding="utf-8"))
claims = {c["id"]: c for c in d["claims"]}
assert len(claims) == len(d["claims"]) == 40 + 5 + 6
assert all({"id", "document", "printed", "found", "how", "verdict", "why"} == set(c) for c in d["claims"])
assert all(c["how"] for c in claims.values())
assert d["count"]["unexplained"] == 0 and d["count"]["wrong"] == 1 + 3 + 3
tseng = claims["table2/8/Tseng [11]"]
assert (tseng["printed"], tseng["found"], tseng["verdict"]) == ("127", "147", "wrong")
assert tseng["why"]
methods = {"size of S_n": ["measured on the network"] * 8,
    "Tseng [11]": ["computed by a formula"] * 8,
    "along n - 1 trees (added)": ["counted in the plan"] * 5 + ["the library has no plan"] * 3,
    "Sheu [10]": ["executed by threads"] * 4 + ["executed by a sweep"] * 4,
    "Ours": ["executed by threads"] * 4 + ["executed by a sweep"] * 4}
for column, how in methods.items():
    for n in range(3, 11):
        assert claims["table2/%d/%s" % (n, column)]["how"] == how[n - 3], (n, column)
for n in range(3, 11):
    assert claims["table2/%d/Ours" % n]["found"] == str(n * (n - 1) // 2)
assert all(m["printed"] and m["right"] for m in d["misprints"]) and d["misprints"]
PYTHON
else
	skipped=$((skipped + 1))
fi
finish
