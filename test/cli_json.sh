#!/bin/sh
# Every --json document is one JSON value with the promised members, whatever its texts hold.
# variants: release checked chaos asan
. "$(dirname "$0")/support/cli"
command -v python3 >/dev/null || { echo 'python3 is not here to parse JSON'; exit 77; }


# Exit code | arguments | what must hold
while IFS='|' read -r want arguments expression; do
	run $arguments --json
	check "exit $want of: $arguments" [ $code -eq "$want" ]
	check "$expression of: $arguments" holds "$expression"
done <<'TABLE'
0|run allreduce -t star:4|d["schema"] == 1 and d["tool"] == "lockstep" and d["command"][1:3] == ["run", "allreduce"]
0|run allreduce -t star:4|d["topology"] == {"spec": "star:4", "nodes": 24, "degree": 3, "diameter": 4, "links": 36}
0|run allreduce -t star:4|all(d["machine"][k] for k in ("cpu", "cores", "memory_bytes"))
0|run allreduce -t star:4|(r["operation"], r["algorithm"], r["engine"], r["nodes_as"], r["mode"], r["round_mode"]) == ("allreduce", "substar", "mailboxes", "threads", "hop", "lockstep")
0|run allreduce -t star:4|(r["type"], r["op"], r["root"], r["elements"], r["bytes"], r["ports"], r["mailbox"], r["threads"]) == ("double", "sum", 0, 1, 8, 1, 4, 24)
0|run allreduce -t star:4|(r["rounds"], r["messages"], r["words"]) == (r["rounds_predicted"], r["messages_predicted"], r["words_predicted"]) == (6, 144, 144)
0|run allreduce -t star:4|r["max_link_load"] == 1 and r["identical"] is True and r["ordered"] is True and r["wrong"] == 0 and r["status"] == "ok" and "error" not in r
0|run allreduce -t star:4|r["time_ns"]["runs"] == 1 and r["time_ns"]["median"] == r["time_ns"]["min"] > 0 and r["time_ns"]["mad"] == 0 and r["bytes_per_second"] > 0
0|run allreduce -t ring:4 -i 7|r["time_ns"]["runs"] == 7 and r["time_ns"]["min"] <= r["time_ns"]["median"]
0|run shift -t ring:4 -q -3|r["shift"] == -3 and r["identical"] is None and r["wrong"] == 0
0|run allgather -t ring:4 -m 2|r["shift"] is None and r["identical"] is True and (r["elements"], r["bytes"], r["words"]) == (2, 16, 24)
0|run barrier -t ring:4|r["elements"] == 0 and r["words"] == 0
5|run allreduce -t star:4 -i 1000000 --timeout 0.2|r["status"] == "timeout" and r["error"]["kind"] == "timeout" and sum(g["nodes"] for g in r["error"]["blocked_nodes"]) <= 24
0|check allreduce -t ring:5|r["proved"] is True and [l["law"] for l in r["laws"]] == list(range(9)) and r["status"] == "ok"
0|check allreduce -t ring:5|r["gap"] == r["rounds"] - r["lower_bound"] and r["map"] is None
0|check allgather -t ring:8 -a hypercube:3/doubling|r["map"] == "identity"
0|check broadcast -t mesh:3x3|r["lower_bound"] <= r["rounds"] == r["rounds_predicted"]
0|list|{"topologies", "operations", "algorithms"} <= set(d) and len(d["operations"]) == 12
0|list topologies -t hypercube:62|d["topologies"][0]["nodes"] == 2 ** 62 and d["topologies"][0]["links"] is None
0|list algorithms -t star:4|any(a["algorithm"] == "substar" and a["gap"] == 0 and a["default"] is True for a in d["algorithms"])
0|list algorithms scan -t ring:6|{a["operation"] for a in d["algorithms"]} == {"scan"} and all(a["gap"] == a["rounds"] - a["bound"] >= 0 and a["claim"] == "rank-ordered" for a in d["algorithms"])
0|list algorithms|all(a["bound"] and a["source"] and a["rounds"] for a in d["algorithms"])
0|info|d["info"]["version"] == d["version"]
TABLE

# Every operation, by each name that the field has for it; in a fast test by its own.
while IFS='|' read -r operation names; do
	[ -z "$LS_FAST" ] || names=
	for name in $operation $names; do
		run run $name -t hypercube:3 --json
		check "$name is $operation" holds "r['operation'] == '$operation' and r['status'] == 'ok' and r['wrong'] == 0 and r['rounds'] >= 1 and all(r[k] == r[k + '_predicted'] for k in ('rounds', 'messages', 'words'))"
	done
done <<'TABLE'
broadcast|bcast one-to-all-broadcast
reduce|reduction all-to-one-reduction
allreduce|all-reduce
allgather|all-gather all-to-all-broadcast
reduce-scatter|reduce_scatter all-to-all-reduction
scan|prefix-sums
exscan|exclusive-scan exclusive-prefix-sums
scatter|one-to-all-personalized
gather|all-to-one-gather concatenation
alltoall|all-to-all total-exchange all-to-all-personalized
shift|circular-shift circular-q-shift
barrier|
TABLE

printf 'round,src,dst,words\n1,0,1,1\n1,0,2,1\n' >'two "sends"\.csv'
run run --plan 'two "sends"\.csv' -t complete:4 --json
check "a broken rule exits 1" [ $code -eq 1 ]
check "the error names node, peer, round and link" holds \
	'r["status"] == "port" and [r["error"][k] for k in ("kind", "node", "peer", "round", "link")] == ["port", 0, 2, 1, 1]'
check "quotes and backslashes survive" holds 'r["algorithm"] == "two \"sends\"\\.csv"'
printf '1,0,1,1\n' >plan.csv
run check broadcast --plan plan.csv -t ring:4 --json
check "a broken law exits 1" [ $code -eq 1 ]
check "no gap of a plan that breaks a law" holds 'r["gap"] is None and r["lower_bound"] == 2'
printf '1,0,1,3\n' >plan.csv
run run --plan plan.csv -t ring:4 -d float --json
check "a plan has words of a type, but no operands" holds '(r["status"], r["type"], r["words"], r["wrong"]) == ("ok", "float", 3, 0) and all(r[k] is None for k in ("op", "root", "elements", "bytes", "identical", "ordered"))'
run run --plan plan.csv -t ring:4 --csv
check "a plan as CSV" sh -c 'tail -n 1 out | grep -q "^plan,plan.csv,mailboxes,threads,hop,lockstep,double,,,,,1,"'
bad=$(printf 'x\377y.csv')
printf '1,0,1,1\n' >"$bad"
run run --plan "$bad" -t ring:4 --json
check "bytes that are not UTF-8 do no harm" holds 'r["status"] == "ok" and "\ufffd" in r["algorithm"]'
finish
