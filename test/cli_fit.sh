#!/bin/sh
# lockstep fit: known t_s and t_w are found again; each bad file has its message.
# variants: release checked chaos asan
. "$(dirname "$0")/support/cli"

# rows T_S T_W [ALGORITHM [HEAD]]: a file of bench with times that the model itself gives
rows() {
	awk -v t_s="$1" -v t_w="$2" -v algorithm="${3:-doubling}" 'BEGIN {
		print "# lockstep bench version=0 topology=\"any\""
		print "operation,algorithm,engine,mode,round_mode,type,op,bytes,ports,rounds,status,time_ns.median,map,topology,volume_bytes"
		for (bytes = 8; bytes <= 1048576; bytes *= 8) {
			rounds = bytes > 1000 ? 6 : 3
			volume = bytes > 1000 ? 2 * bytes : 3 * bytes
			printf "allreduce,%s,threads,hop,free,double,sum,%d,1,%d,ok,%.9f,,\"mct:2,2\",%d\n", algorithm,
				bytes, rounds, rounds * t_s + volume * t_w, volume
		}
	}'
}

rows 100 0.5 >one.csv
run fit one.csv
check "exit 0" [ $code -eq 0 -a ! -s err ]
check "t_s and t_w are found" grep -q '^t_s 100 ns per round, t_w 0.5 ns per byte (2 GB/s), mean residual 0.0 %: --model 100,0.5$' out
check "a title" grep -q '^allreduce of double, sum, on mct:2,2: doubling, engine mailboxes, free rounds, hop$' out
check "a row each" [ "$(grep -cE '[+-]0\.0$' out)" -eq 6 ]

rows 45 0.02 ring | sed 's/$/\r/' >two.csv
run fit two.csv one.csv
check "a fit for each algorithm, lines as on Windows" sh -c \
	'grep "^t_s" out | sed "s/.*--model//" | tr "\n" " " | grep -q "^ 45,0.02  100,0.5 $"'
cat one.csv two.csv | "$LOCKSTEP" fit - >out 2>err
check "files joined, standard input" [ "$(grep -c '^t_s' out)" -eq 2 ]
run fit - </dev/null
check "the name of standard input" grep -q '^lockstep: standard input holds no results; ' err
sed 's/,doubling,/,ring,/' one.csv >as_ring.csv
run fit as_ring.csv two.csv
check "rows of one kind are one fit" [ "$(grep -c '^t_s' out)" -eq 1 ]
for key in allreduce:reduce threads:cooperative free:lockstep hop:routed double:float sum:max mct:star; do
	sed "s/${key%:*}/${key#*:}/g" one.csv >other.csv
	run fit one.csv other.csv
	check "kept apart: $key" [ $code -eq 0 -a "$(grep -c '^t_s' out)" -eq 2 ]
done

# Rows of which bench says that they are not ok do not count.
sed 's/,8,1,3,ok,/,8,1,3,timeout,/' one.csv >bad_row.csv
run fit bad_row.csv
check "a row that is not ok" [ $code -eq 0 -a "$(grep -cE '[+-]0\.0$' out)" -eq 5 ]
check "one message about it" one_message
{ cat two.csv; sed -n 2,3p one.csv; } >lacks.csv
run fit lacks.csv
check "one kind without two sizes" [ $code -eq 0 -a "$(grep -c '^t_s' out)" -eq 1 ]
check "the message names the plan and the rows" grep -q 'doubling on mct:2,2 cannot be fitted: 1 row' err

"$LOCKSTEP" bench barrier -t ring:3 -i 3 --samples 3 --csv >barrier.csv 2>err
run fit barrier.csv
check "a barrier has t_s alone" sh -c 'grep -q "^t_s .*, t_w 0 ns per byte, mean residual 0.0 %" out'
"$LOCKSTEP" bench allreduce -t ring:3 -m 1:4K:x16 -a ring,gather-fold -i 3 --samples 3 --csv >real.csv 2>err
run fit real.csv
check "what bench wrote is read" [ $code -eq 0 -a "$(grep -c '^t_s' out)" -eq 2 ]
run fit one.csv --csv
check "as CSV" [ $code -eq 0 -a "$(wc -l <out)" -eq 7 ]
check "numbers of the first row" grep -q '^"mct:2,2",allreduce,doubling,mailboxes,free,hop,double,sum,1,,8,3,24,312,312,' out
run fit one.csv --quiet
check "--quiet" [ $code -eq 0 -a ! -s out ]

# A script for sed that spoils the file | pattern of the message
while IFS='|' read -r script pattern; do
	sed "$script" one.csv >bad.csv
	run fit bad.csv
	check "exit 2 after $script (was $code)" [ $code -eq 2 ]
	check "one message after $script" one_message
	check "message /$pattern/ after $script" grep -Eq -e "$pattern" err
	check "nothing on stdout after $script" [ ! -s out ]
done <<'TABLE'
s/,volume_bytes/,volume/|bad.csv:2: no column volume_bytes; expected a file that 'lockstep bench --csv'
s/^operation/works/|bad.csv:2: no column operation;
2d|bad.csv:2: no column topology
4s/,1572864*/,x/;4s/,ok,[0-9.]*/,ok,fast/|bad.csv:4: time_ns.median is fast; expected a number > 0
5s/,ok,[0-9.]*/,ok,/|bad.csv:5: time_ns.median is empty;
5s/,ok,[0-9.]*/,ok,0/|bad.csv:5: time_ns.median is 0;
5s/,ok,[0-9.]*/,ok,nan/|bad.csv:5: time_ns.median is nan;
5s/,ok,[0-9.]*/,ok,inf/|bad.csv:5: time_ns.median is inf;
5s/,free,double,sum,512/,free,double,sum,-512/|bad.csv:5: bytes is -512;
5s/,512,1,/,512,one,/|bad.csv:5: ports is one; expected an integer >= 1
5s/,free//|bad.csv:5: 14 cells; expected 15
5s/$/,1/|bad.csv:5: 16 cells; expected 15
4,$d|cannot be fitted: 1 row
3,$d|no rows to fit; expected two sizes or more
s/,ok,/,failed,/|no row to fit has status ok; try to measure them again
1,$d|bad.csv holds no results
TABLE
run fit "$tree/README.md"
check "no file of bench" [ $code -eq 2 ]
run fit /nowhere/x.csv
check "no file" [ $code -eq 2 ]

command -v python3 >/dev/null || finish
run fit one.csv two.csv lacks.csv --json
check "as JSON" python3 - <<'PYTHON'
import json
d = json.load(open("out"))
f = d["fits"]
assert [g["algorithm"] for g in f] == ["doubling", "ring"] and all(g["fitted"] for g in f)
assert abs(f[0]["t_s_ns"] - 100) < 1e-6 and abs(f[0]["t_w_ns"] - 0.5) < 1e-9
assert abs(f[1]["t_s_ns"] - 45) < 1e-6 and abs(f[1]["t_w_ns"] - 0.02) < 1e-9
assert len(f[0]["rows"]) == 7 and all(abs(r["residual"]) < 1e-9 for g in f for r in g["rows"])
assert all(g["ports"] == 1 and g["map"] is None for g in f)
assert all(g["topology"] == "mct:2,2" and g["mean_residual"] < 1e-9 for g in f)
PYTHON
finish
