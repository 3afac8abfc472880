#!/bin/sh
# lockstep bench --compare: rows find their partners, and samples that are far apart, or mixed, have
# the verdict that follows.  No verdict depends on a measured time: old samples are a picosecond or an hour.
# variants: release checked chaos asan
. "$(dirname "$0")/support/cli"

short='0.001,0.001,0.001,0.001,0.001,0.001' long='3e12,3e12,3e12,3e12,3e12,3e12'

# row BYTES SAMPLES [EDIT]: a result as bench writes it, changed by a sed command
row() {
	printf '{"operation":"allreduce","algorithm":"neighbor-exchange","engine":"mailboxes","mode":"hop","round_mode":"free","type":"double","op":"sum","bytes":%s,"time_ns":{"median":1},"topology":"ring:4","engine_requested":"mailboxes","samples":[%s]}' \
		"$1" "$2" | sed "${3:-}"
}
# document ROW...: a document of bench
document() {
	printf '{"schema":1,"tool":"lockstep",\n"results":['
	between=
	for one; do
		printf '%s\n%s' "$between" "$one"
		between=,
	done
	printf '\n],"status":"ok"}\n'
}
compare() { # FORMAT...: bytes 8 to 64 against old.json
	run bench allreduce -t ring:4 -a neighbor-exchange -e mailboxes --rounds free -m 1:8 -i 1 -x 1 --samples 6 \
		--compare old.json "$@"
}
verdicts() { sed 1d out | awk -F, '{ printf "%s%s", between, $NF; between = " " } END { print "" }'; }

document "$(row 8 $long)" "$(row 16 $short)" "$(row 32 $short,$long)" "$(row 128 $long)" "$(row 64 '')" >old.json
compare --csv
check "exit 0" [ $code -eq 0 ]
check "no message about samples" sh -c '! grep -q "too few samples" err'
check "four columns more" sh -c \
	'head -n 1 out | grep -q ",compare.median_old,compare.ratio,compare.p,compare.verdict$"'
check "as many cells in every row" [ "$(awk -F, '{ print NF }' out | sort -u | wc -l)" -eq 1 ]
check "verdicts by samples; a failed row is no partner" [ "$(verdicts)" = "faster slower same only-new" ]
# Six samples against six that are all longer: U = 0, p = 0.00507 without ties, less with them.
check "p of samples apart" sh -c "awk -F, 'NR == 2 && !(\$(NF - 1) > 0 && \$(NF - 1) < 0.00508) { exit 1 }' out"
check "the old median" [ "$(sed 1d out | awk -F, '{ printf "%s ", $(NF - 3) }')" = "3000000000000 0.001 1500000000000  " ]
compare --compare - --csv <old.json
check "standard input" [ "$(verdicts)" = "faster slower same only-new" ]
compare --compare - </dev/null
check "the name of standard input" grep -q '^lockstep: standard input:1: expected a value' err

compare
check "exit 0 of text" [ $code -eq 0 ]
while read -r line; do
	check "the table has $line" grep -Eq "$line" out
done <<'TABLE'
^# compared with old.json: 
^ +8  neighbor-exchange .* 3e\+09 .*  faster$
^ +16  neighbor-exchange .* 1e-06 .*  slower$
^ +32  neighbor-exchange .*  same$
^ +64  neighbor-exchange +- .* - +-  only-new$
^ +128  neighbor-exchange .* - +- +-  only-old$
^# 1 faster, 1 slower, 1 same, 1 without an old row, 1 without a new row$
TABLE
compare --quiet
check "--quiet prints nothing" [ $code -eq 0 -a ! -s out -a ! -s err ]

# Version 0.1 has other names; every other key keeps rows apart; equal keys pair in order.
document "$(row 8 $long 's/engine_requested":"mailboxes/engine_asked":"threads/')" "$(row 16 $long)" "$(row 16 $short)" >old.json
compare --csv
check "a document of version 0.1" [ "$(verdicts)" = "faster faster only-new only-new" ]
for edit in s/ring:4/ring:5/ s/allreduce/allgather/ s/neighbor-/un/ 's/ested":"mailboxes/ested":"auto/' s/free/lockstep/ \
	s/hop/routed/ s/double/float/ s/sum/max/; do
	document "$(row 8 $long $edit)" >old.json
	compare --csv
	check "kept apart: $edit" [ "$(verdicts)" = "only-new only-new only-new only-new" ]
done

document "$(row 8 3e12,4e12,5e12,6e12,7e12)" >old.json
run bench allreduce -t ring:4 -a neighbor-exchange -e mailboxes --rounds free -i 1 --samples 5 --compare old.json
check "few samples: same" sh -c '[ $0 -eq 0 ] && grep -q "  same$" out' $code
check "few samples: a message" grep -q '^lockstep: .*too few samples.*; try --samples 11 for both$' err

# A document of the tool itself.
run bench allreduce -t ring:4 -m 1:2 -e mailboxes,auto -i 2 --samples 6 --json
cp out own.json
run bench allreduce -t ring:4 -m 1:2 -e mailboxes,auto -i 2 --samples 6 --compare own.json
check "each row of bench --json has a partner" sh -c '[ $0 -eq 0 ] && ! grep -q only- out && [ $(grep -Ec "  (faster|slower|same)$" out) -eq 4 ]' $code

# The mode of an embedding or a plan file is that of its messages.
"$LOCKSTEP" steps broadcast -t ring:8 --mode routed routed.plan
for more in 'allgather -a hypercube:3/doubling' '--plan routed.plan'; do
	run bench $more -t ring:8 -i 1 --samples 5 --json
	cp out routed.json
	run bench $more -t ring:8 -i 1 --samples 5 --compare routed.json
	check "a partner in routed mode: $more" sh -c '[ $0 -eq 0 ] && ! grep -q only- out' $code
done

bad() { # MESSAGE TEXT
	printf '%s' "$2" >bad.json
	run bench allreduce -t ring:4 --compare bad.json
	check "exit 2 of: $2" [ $code -eq 2 -a ! -s out ]
	check "one message of: $2" one_message
	check "the message of: $2" grep -q "^lockstep: $1" err
}
bad "bad.json:2: expected ':'" "$(printf '{\n"a" 1}')"
bad 'bad.json:1: expected a value' ''
bad 'bad.json holds no results' '{"schema":1}'
bad 'bad.json holds no results' '{"results":[]}'
bad 'bad.json: result 2 has no valid bytes or samples' "{\"results\":[$(row 8 1),{}]}"
bad 'bad.json: result 1 has no valid bytes or samples' "{\"results\":[$(row 8 -1)]}"
bad 'bad.json: result 1 has no valid bytes or samples' "{\"results\":[$(row 8 '"a"')]}"
run bench allreduce -t ring:4 --compare missing.json
check "a missing file" [ $code -eq 2 ]
check "one message of a missing file" one_message
run bench allreduce -t ring:4 --compare own.json --format osu
check "no comparison in the form of OSU" [ $code -eq 2 ]
check "one message of it" one_message

command -v python3 >/dev/null || finish
run bench allreduce -t ring:4 -m 1 -e mailboxes,auto -i 2 --samples 6 --compare own.json --json
check "the array compare" python3 - <<'PYTHON'
import json, statistics
new, old = json.load(open("out")), json.load(open("own.json"))
rows = new["compare"]
assert [r["bytes"] for r in rows] == [8, 8, 16, 16] and [r["verdict"] for r in rows[2:]] == ["only-old"] * 2
for r, n, o in zip(rows, new["results"], old["results"]):
    assert all(r[k] == n[k] == o[k] for k in ("topology", "operation", "algorithm", "engine_requested", "round_mode", "mode", "type", "op", "bytes"))
    assert abs(r["median_new"] - statistics.median(n["samples"])) < 0.001
    assert abs(r["median_old"] - statistics.median(o["samples"])) < 0.001
    assert abs(r["ratio"] - r["median_new"] / r["median_old"]) < 1e-3 * r["ratio"]
    assert 0 < r["p"] <= 1
    assert r["verdict"] == ("same" if r["p"] >= 0.01 or abs(r["ratio"] - 1) <= 0.02 else "faster" if r["ratio"] < 1 else "slower")
assert all(r["median_new"] is None and r["ratio"] is None and r["p"] is None for r in rows[2:])
PYTHON
finish
