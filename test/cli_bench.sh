#!/bin/sh
# lockstep bench: ranges of sizes, variants, output formats, and the end of a run.  No test depends on a
# measured time, only on its presence.
. "$(dirname "$0")/support/cli"

few='-i 3 -x 1 --samples 3'

# The first column of the rows of text, in one line.
rows() { grep -v '^#' out | awk '{ printf "%s%s", between, $1; between = " " } END { print "" }'; }

# Arguments | bytes of the rows
while IFS='|' read -r arguments bytes; do
	run bench $arguments $few
	check "exit 0 of: $arguments" [ $code -eq 0 ]
	check "sizes $bytes of: $arguments" [ "$(rows)" = "$bytes" ]
	check "no row is wrong of: $arguments" sh -c '! grep -q WRONG out'
done <<'TABLE'
allreduce -t ring:4|8
allreduce -t ring:4 -m 1:8|8 16 32 64
allreduce -t ring:4 -m 1:9|8 16 32 64
allreduce -t ring:4 -m 1:1K:x32|8 256 8192
allreduce -t ring:4 -m 0:2|0 8 16
allreduce -t ring:4 -m 3:100:x10 -d int8|3 30
allreduce -t ring:4 -m 2 -o maxloc -d int16|32
scan -t linear:3 -m 1:2 --rounds free,lockstep|8 8 16 16
broadcast -t hypercube:2 -m 1:4:x4 -a binomial,scatter-allgather -e mailboxes,auto|8 8 8 8 32 32 32 32
allgather -t hypercube:3 -a doubling,ring:8/ring --map gray|8 8
allgather -t mct:2,2 -a mct:2,2/product,product|8 8
barrier -t star:3|0
shift -t ring:1|8
TABLE

all_rounds='lockstep free'
for operation in broadcast reduce allreduce allgather reduce-scatter scan exscan scatter gather \
	alltoall shift barrier; do
	case $LS_FAST$all_rounds in 1lockstep) all_rounds=free ;; 1*) all_rounds=lockstep ;; esac # in turn
	case $operation in barrier) seed= ;; *) seed='--seed 5' ;; esac
	for rounds in $all_rounds; do
		run bench $operation -t hypercube:2 --rounds $rounds $seed $few --csv
		check "$operation, $rounds" [ $code -eq 0 -a "$(wc -l <out)" -eq 2 ]
		check "$operation, $rounds: measured, predicted, right" sh -c \
			"tail -n 1 out | grep -Eq '^$operation,.*,true,(true|false),0,ok,|^$operation,.*,,(true|false),0,ok,'"
	done
done

run bench allreduce -t ring:4 -m 1:4 $few --csv
check "the first line is the head, for every reader of CSV" sh -c 'head -n 1 out | grep -q "^operation,algorithm,engine,.*,version,system,cpu$"'
check "one head, and as many cells in every row" sh -c \
	'[ "$(grep -v "^#" out | awk -F, "{ print NF }" | sort -u | wc -l)" -eq 1 -a "$(grep -c "^operation," out)" -eq 1 ]'
run bench allreduce -t ring:4 -m 1:4 $few --quiet
check "--quiet prints nothing" [ $code -eq 0 -a ! -s out -a ! -s err ]
run bench allreduce -t ring:64 $few
check "a warning about oversubscribed cores" grep -q '^lockstep: oversubscribed: 64 threads on .*; try at most' err
run bench allreduce -t ring:3 -m 2:4 -v $few
check "-v names the algorithm and the engine of each size" [ "$(grep -c '^engine  ' err)" -eq 2 -a "$(grep -c '^algorithm  ' err)" -eq 2 ]
run bench allreduce -t ring:3 -e mailboxes -v $few
check "-v gives the reason for the engine" grep -q "^engine     mailboxes: requested by -e$" err
run run allreduce -t ring:4 -e cooperative
check "run takes -e cooperative" [ $code -eq 0 ]
run bench allreduce -t ring:4 -i 1000000000 --timeout 0.2
check "a sample that lasts too long: exit 5" [ $code -eq 5 ]
check "the status of the row is timeout" grep -q '^ *8 .*timeout$' out
run bench allreduce -t ring:4 -m 1:1K -i 100 --samples 1000000 --timeout 0.2
check "a sweep that lasts too long: exit 5" [ $code -eq 5 ]
run bench allreduce -t ring:4
check "samples by time" [ $code -eq 0 -a "$(rows)" = 8 ]

: >out # rows of the previous run are not waited for
$interruptible "$LOCKSTEP" bench allreduce -t ring:3 -m 1:4M -i 10 --samples 1000 --csv >out 2>err &
while [ "$(wc -l <out)" -le 2 ] && kill -0 $! 2>/dev/null; do sleep 0.1; done
interrupt $!
wait $!
check "SIGINT exits 130" [ $? -eq 130 ]
check "the rows measured before SIGINT are complete" sh -c \
	'[ "$(grep -v "^#" out | awk -F, "{ print NF }" | sort -u | wc -l)" -eq 1 ]'
check "the message of SIGINT" grep -q '^lockstep: interrupted' err

command -v python3 >/dev/null || finish
run bench allreduce -t ring:4 -m 1:16:x4 -e mailboxes,auto --rounds free,lockstep $few --json
check "exit 0 with --json" [ $code -eq 0 ]
while read -r expression; do
	check "$expression" holds "$expression"
done <<'TABLE'
d["schema"] == 1 and d["tool"] == "lockstep" and d["status"] == "ok" and d["topology"]["spec"] == "ring:4"
[x["bytes"] for x in results] == [8] * 4 + [32] * 4 + [128] * 4
[(x["round_mode"], x["engine_requested"]) for x in results[:4]] == [("free", "mailboxes"), ("free", "auto"), ("lockstep", "mailboxes"), ("lockstep", "auto")]
all(x["engine"] in ("mailboxes", "cooperative") for x in results) and all(x["engine"] == "mailboxes" for x in results if x["engine_requested"] == "mailboxes")
all(x["status"] == "ok" and x["wrong"] == 0 and x["identical"] and x[k] == x[k + "_predicted"] for x in results for k in ("rounds", "messages", "words"))
all(len(x["samples"]) == x["time_ns"]["runs"] == 3 and x["calls"] == 3 and x["warmup"] == 1 for x in results)
all(abs(x["time_ns"]["median"] - sorted(x["samples"])[1]) < 0.001 and abs(x["time_ns"]["min"] - min(x["samples"])) < 0.001 for x in results)
all(0 < x["time_ns"]["min"] <= x["time_ns"]["lower_quartile"] <= x["time_ns"]["median"] <= x["time_ns"]["upper_quartile"] for x in results)
all(x["volume_bytes"] == 2 * x["bytes"] and x["model_ns"] == 1000 * x["rounds"] + x["volume_bytes"] for x in results)
all(abs(x["operand_bytes_per_second"] - x["bytes"] * 1e9 / x["time_ns"]["median"]) < 1 + 1e-3 * x["operand_bytes_per_second"] for x in results)
all(x["threads"] == 4 and x["oversubscribed"] == (4 > x["cores"]) and type(x["noisy"]) is bool for x in results)
all(x["exchange_ns"]["before"] is None or x["exchange_ns"]["before"] > 0 for x in results)
TABLE
run bench allreduce -t ring:4 --model 50,0.25 -a neighbor-exchange -m 8 $few --json
check "a model that is given" holds 'results[0]["model_ns"] == 50 * 2 + 0.25 * 128'
run bench allreduce -t ring:4 -i 1000000000 --timeout 0.2 --json
check "an error in the row that it ended" holds 'd["status"] == "stopped" and results[-1]["status"] == "timeout" and results[-1]["error"]["kind"] == "timeout" and results[-1]["time_ns"]["median"] is None'
$interruptible "$LOCKSTEP" bench allreduce -t ring:3 -m 1:4M -i 10 --samples 1000 --json >out 2>err &
interrupt $!
wait $!
check "an interrupted document is whole" holds 'd["status"] == "interrupted" and all(x["status"] == "ok" for x in results)'
finish
