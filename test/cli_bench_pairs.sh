#!/bin/sh
# lockstep bench exchange, stream and cores: sizes, nodes, formats, and refusals.  No test depends on a time.
# variants: release checked chaos asan
. "$(dirname "$0")/support/cli"

few='-i 5 -x 2 --samples 3'
rows() { grep -v '^#' out | awk '{ printf "%s%s", between, $1; between = " " } END { print "" }'; }

# Arguments | bytes of the rows; messages that fit into a slot, and zero-copy messages
while IFS='|' read -r arguments bytes; do
	for benchmark in exchange stream; do
		run bench $benchmark $arguments $few
		check "exit 0 of: $benchmark $arguments" [ $code -eq 0 ]
		check "sizes $bytes of: $benchmark $arguments" [ "$(rows)" = "$bytes" ]
	done
done <<'TABLE'
-t complete:2|8
-t complete:2 -m 0:4 -d int8|0 1 2 4
-t complete:2 -m 1:256K:x512 -d cdouble --rounds lockstep|16 8192 4194304
-t complete:2 -m 3:7 --rounds free,lockstep|24 24 48 48
-t hypercube:4 -r 15 -m 100 -d float|400
-t star:4 --rounds lockstep -m 1K|8192
-t ring:64 -r 31 --mailbox 1 --bind none|8
TABLE

# The second node is the neighbor on link 0.
run bench exchange -t hypercube:3 -r 5 $few
check "the nodes" grep -q '^# lockstep bench .*: exchange of double, nodes 5 and 4 on hypercube:3:' out
run bench stream -t complete:2 -r 1 $few
check "the nodes exchanged" grep -q 'stream of double, nodes 1 and 0 on complete:2:' out

run bench exchange -t complete:2 -m 1:8 $few --format osu
check "the head of osu_latency" sh -c 'grep -q "^# Size  *Latency (us)$" out && [ "$(grep -Ec "^[0-9]+ +[0-9]+\.[0-9][0-9]$" out)" -eq 4 ]'
run bench stream -t complete:2 -m 1:8 $few --format osu
check "the head of osu_bw" sh -c 'grep -q "^# Size  *Bandwidth (MB/s)$" out && [ "$(grep -Ec "^[0-9]+ +[0-9]+\.[0-9][0-9]$" out)" -eq 4 ]'
run bench stream -t complete:2 $few --rounds free,lockstep --format osu
check "one variant in the form of OSU" [ $code -eq 2 ]

run bench exchange -t complete:2 -m 1:64:x8 $few --model 100,0.5 --csv
check "the columns of every operation" sh -c 'head -n 1 out | grep -q "^operation,algorithm,engine,.*,version,system,cpu$"'
check "counts that are measured: 1 round, 2 messages" [ "$(grep -c '^exchange,,mailboxes,threads,hop,free,double,,0,.*,1,1,2,2,.*,0,ok,' out)" -eq 3 ]
cp out exchange.csv
run fit exchange.csv
check "fit takes the rows" sh -c '[ $0 -eq 0 ] && grep -q "^t_s " out' $code
run bench stream -t complete:2 -m 4 $few --json
check "stream as JSON" grep -q '"operation":"stream".*"messages":1,.*"status":"ok"' out
cp out stream.json
run bench stream -t complete:2 -m 4 $few --compare stream.json
check "an earlier stream" sh -c '[ $0 -eq 0 ] && grep -Eq "^ +32  - .*  (same|slower|faster)$" out' $code
run bench exchange -t complete:2 --quiet
check "--quiet prints nothing" [ $code -eq 0 -a ! -s out -a ! -s err ]

run bench exchange -t complete:2 -i 1000000000 --timeout 0.2
check "the time limit: exit 5 and a row" sh -c '[ $0 -eq 5 ] && grep -q "^ *8 .*timeout$" out' $code

# Arguments | exit code | message
while IFS='|' read -r arguments expected message; do
	run $arguments
	check "exit $expected of: $arguments" [ $code -eq $expected ]
	check "one message of: $arguments" one_message
	check "'$message' of: $arguments" grep -q "^lockstep: $message" err
done <<'TABLE'
run exchange -t complete:2|2|no operation 'exchange'
check stream -t complete:2|2|no operation 'stream'
bench exchang -t complete:2|2|no operation or benchmark 'exchang'; did you mean 'exchange'?
bench zzzzzzzz -t complete:2|2|no operation or benchmark 'zzzzzzzz'; 'lockstep help bench' shows all
bench exchange|2|no topology
bench exchange -t complete:2 -a ring|2|bench exchange takes no --algorithm; try without it
bench stream -t complete:2 -e sweep|2|bench stream takes no --engine; try without it
bench exchange -t complete:2 -r 2|2|--root 2 is not a node of complete:2; expected 0..1
bench exchange -t complete:1|4|bench exchange needs two neighbors; complete:1 has one node; try -t complete:2
bench exchange -t tree:8|4|bench exchange needs two neighbors; link 0 of node 0 of tree:8 leads to a switch
bench exchange -t complete:2 -m 1000000G|3|2 nodes need .*, but only .* of memory is available
bench cores -t complete:2|2|bench cores takes no --topology; try without it
bench cores --format osu|2|bench cores writes text, csv and json, not osu; try --csv
TABLE

# ---- Cores

cores=$(nproc)
if [ "$cores" -ge 2 ]; then
	run bench cores --csv
	check "each pair of cores has a row" [ $code -eq 0 -a "$(wc -l <out)" -eq $((1 + cores * (cores - 1) / 2)) ]
	check "core_a < core_b, and a time" sh -c 'head -n 1 out | grep -qx core_a,core_b,ns && ! sed 1d out | awk -F, "\$1 >= \$2 || \$3 <= 0 { print }" | grep .'
	run bench cores
	check "a matrix" sh -c '[ $0 -eq 0 ] && [ "$(grep -vc "^#" out)" -eq $(($1 + 1)) ]' $code $cores
	check "the matrix is symmetric" sh -c 'grep -v "^#" out | awk "
		{ for (i = 2; i <= NF; i++) a[NR, i] = \$i }
		END { for (i = 2; i <= NR; i++) for (k = 2; k <= NR; k++) if (a[i, k] != a[k, i] || (i == k) != (a[i, k] == \"-\")) exit 1 }"'
	check "a summary" grep -Eq '^# min [0-9]+, median [0-9]+, max [0-9]+ ns; [0-9]+ of [0-9]+ pairs? (is|are) far' out
	run bench cores --json
	check "as JSON" grep -q '"results":\[{"core_a":[0-9]*,"core_b":[0-9]*,"ns":[0-9.]*}.*"exchange_ns":{"min":.*"far_pairs":' out
	run bench cores --quiet
	check "quiet cores" [ $code -eq 0 -a ! -s out -a ! -s err ]
else
	skipped=$((skipped + 1))
fi
if command -v taskset >/dev/null; then
	first=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
	taskset -c "$first" "$LOCKSTEP" bench cores >out 2>err
	code=$?
	check "one core: exit 4" [ $code -eq 4 -a ! -s out ]
	check "one core: one message" one_message
fi

"$LOCKSTEP" help bench >out
for word in exchange stream cores; do
	check "help shows $word" grep -Eq "^  $word  +[a-z]" out
done
finish
