#!/bin/sh
# Tables of the tool: excluded rows, widths, the summary of `list`, links, and further formats.
# variants: release checked chaos asan
. "$(dirname "$0")/support/cli"

# Rows that the type or the operator excludes.
run list algorithms allreduce -t star:5
check "paper is listed for double, and marked" grep -Eq '^x paper +commutative +10 ' out
check "the legend names the remedy for the type" grep -Eq '^x excluded: .*double.*try -d int64$' out
check "the default is rank-ordered" grep -Eq '^\* allgather-fold +rank-ordered +9 +8 +1 +1080 ' out
run list algorithms allreduce -t star:5 -d int64
check "paper is not marked for int64" grep -Eq '^[* ] paper ' out
check "sum excludes idempotent algorithms" grep -Eq '^x [a-z-]+ +idempotent ' out
check "no row is excluded by int64" sh -c '! grep -q "try -d" out'
check "the legend names the remedy for the operator" grep -Eq '^x excluded: .*sum.*try -o max$' out
run list algorithms allreduce -t star:5 -d int64 -o max
check "int64 and max exclude nothing" sh -c '! grep -q "^x " out'
run list algorithms broadcast -t star:5
check "nothing is excluded where nothing is combined" sh -c '! grep -q "^x " out'
# What is marked can be had by its name for the type, and never for the operator.
for spec in star:4 torus:3x3; do
	"$LOCKSTEP" list algorithms allreduce -t $spec --csv >rows
	check "CSV has the column excluded" grep -q '^operation,mode,.*,cost,excluded$' rows
	for reason in operator $([ $spec = star:4 ] && echo type); do
		check "some row of $spec is excluded by the $reason" grep -q ",$reason\$" rows
	done
	awk -F, 'NR > 1 { print $1, $2, $3, $5, $NF }' rows | sed 's/ $/ -/' >cells
	tried=0 # every second row in a fast test
	while read -r operation mode algorithm claim reason; do
		tried=$((tried + 1))
		[ -z "$LS_FAST" ] || [ $((tried % 2)) -eq 0 ] || continue
		run steps $operation -t $spec --mode $mode -a $algorithm --quiet
		case $reason in
		operator)
			grep -q "^$operation $mode $algorithm .* [-t][a-z]*$" cells && continue
			check "operator excludes $mode $algorithm on $spec" [ $code -eq 4 ]
			;;
		*) check "type $reason: $mode $algorithm on $spec" [ $code -eq 0 ] ;;
		esac
	done <cells
done

# Widths: no line is wider than COLUMNS, and 100 where nothing says how wide.
widths='80 100 120 200'
[ -z "$LS_FAST" ] || widths='80 120'
wide() { awk -v most="$1" 'length > most' out; }
for columns in $widths; do
	while read -r arguments; do
		COLUMNS=$columns "$LOCKSTEP" $arguments >out 2>err
		check "$arguments fits $columns columns: $(wide $columns)" [ $? -eq 0 -a -z "$(wide $columns)" ]
	done <<'TABLE'
list
list topologies
list operations
list algorithms
list algorithms -t star:4
list algorithms -t hypercube:5 -m 32M
list algorithms allreduce -t hypercube:5 -m 32M -v
list links -t tree:8
run allreduce -t star:4
run allreduce -t star:4 -e cooperative
run allgather -t ring:8 -a hypercube:3/doubling
TABLE
done
COLUMNS=80 "$LOCKSTEP" list algorithms allreduce -t star:4 >out
check "the first columns that a table drops" grep -q '^not shown in 80 columns: gap' out
check "the table keeps rounds, messages and words" grep -Eq '^  algorithm .* rounds .*messages .*words' out
COLUMNS=200 "$LOCKSTEP" list algorithms allreduce -t hypercube:5 -m 32M -v >out
check "200 columns hold every column" sh -c '! grep -q "^not shown" out && grep -q " bytes_per_node$" out'
COLUMNS=nonsense "$LOCKSTEP" list topologies >out
check "COLUMNS that is no number" sh -c '"$1" list topologies | cmp -s - out' sh "$LOCKSTEP"
# Numbers of ten digits end where the head of their column ends.
COLUMNS=200 "$LOCKSTEP" list algorithms -t hypercube:5 -m 32M >out
check "columns of ten digits are aligned" awk '
	/^  algorithm / { ends = ""; columns = 0
		for (i = index($0, "claim") + 5; i <= length; i++)
			if (substr($0, i, 1) != " " && substr($0, i + 1, 1) ~ /^ ?$/) end[++columns] = i
		next }
	/^[*x ] [a-z]/ && !/^x excluded|^\* the default/ { rows++
		for (c = 1; c <= columns; c++)
			if (substr($0, end[c], 1) == " " || substr($0, end[c] + 1, 1) !~ /^ ?$/) bad++ }
	END { exit bad > 0 || rows < 20 || columns != 10 }' out
# So do the notes and verdicts of a check with counts of ten digits and more.
for m in 1 1G 64G; do
	run check broadcast -t hypercube:3 -m $m
	check "notes of counts are aligned for -m $m" [ "$(awk '/ predicted / { print index($0, "predicted") }' out | sort -u | wc -l)" -eq 1 ]
	check "verdicts are aligned for -m $m" [ "$(awk '/ ok$/ { print length }' out | sort -u | wc -l)" -eq 1 ]
done
"$LOCKSTEP" run broadcast -t ring:4 -d int8 -m 1M >out
check "notes of counts of a run are aligned" [ "$(awk '/ predicted / { print index($0, "predicted") }' out | sort -u | wc -l)" -eq 1 ]
if command -v python3 >/dev/null; then
	# A terminal's own width counts, not COLUMNS.
	python3 - "$LOCKSTEP" >out 2>err <<'PYTHON'
import fcntl, os, pty, struct, subprocess, sys, termios
for columns in 80, 120, 200:
    for words in (["list", "topologies"], ["list", "algorithms", "-t", "star:4"], ["run", "allreduce", "-t", "star:4"]):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        child = subprocess.Popen([sys.argv[1]] + words + ["--color=never"], stdout=slave,
            env=dict(os.environ, COLUMNS="60"))
        os.close(slave)
        data = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            if not piece:
                break
            data += piece
        assert child.wait() == 0
        lines = data.decode().replace("\r", "").split("\n")
        assert 60 < max(map(len, lines)) <= columns, (columns, words, max(lines, key=len))
PYTHON
	check "tables fit a terminal" [ $? -eq 0 ]
else
	skipped=$((skipped + 1))
fi

# The summary.
for columns in 80 100; do
	COLUMNS=$columns "$LOCKSTEP" list >out
	check "list has at most 40 lines in $columns columns" [ "$(wc -l <out)" -le 40 ]
done
tr -s ' ,;:' '\n' <out | sort -u >words
"$LOCKSTEP" list topologies --csv | sed '1d; s/"//; s/[:,].*//; /^A\*B/d' >names
"$LOCKSTEP" list operations --csv | sed '1d; s/,.*//' >>names
"$LOCKSTEP" list algorithms --csv | cut -d, -f2 | sed 1d | sort -u >algorithms
sort -u names algorithms >all
check "list names everything: $(comm -23 all words | tr '\n' ' ')" [ -z "$(comm -23 all words)" ]
check "list counts the operations" grep -q '^operations *12 ' out
check "list counts the algorithms" grep -q "^algorithms *$(wc -l <algorithms) " out
for list in topologies operations algorithms links; do
	check "list names the command for $list" grep -q "lockstep list $list" out
done
"$LOCKSTEP" list --csv >out 2>err
check "list --csv names a list that has a CSV" grep -q 'try .lockstep list algorithms --csv.' err

# Links: each undirected link once, by its ends.
while read -r spec links; do
	run list links -t $spec --csv
	check "$spec has $links links" [ $code -eq 0 -a "$(sed 1d out | wc -l)" -eq "$links" ]
	check "$spec: u < v, in order, each once" awk -F'"?,"?' 'NR > 1 && ($1 + 0 >= $2 + 0 ||
		($1 < u || ($1 == u && $2 <= v)) && NR > 2) { exit 1 } { u = $1 + 0; v = $2 + 0 }' out
done <<'TABLE'
ring:1 0
ring:2 1
ring:8 8
torus:2x2 4
debruijn:3 13
tree:8 14
star:4 36
complete:5 10
TABLE
run list links -t hypercube:4 --csv
check "the columns of links" grep -qx 'u,v,label_u,label_v,link_u,link_v' out
check "links of a hypercube flip the bit of their number" awk -F, 'NR > 1 && ($2 - $1 != 2 ^ $5 || $5 != $6) { exit 1 }' out
check "labels are those of the nodes" grep -qx '5,7,0101,0111,1,1' out
run list links -t star:4 --csv
check "links of a star are numbered 2 to 4" [ "$(sed 1d out | cut -d, -f5 | sort -u | tr '\n' ' ')" = '2 3 4 ' ]
run list links -t ring:4
check "links as text" sh -c 'grep -Eq "^ *u +v +" out && [ "$(grep -c "^ *[0-9]" out)" -eq 4 ]'
run list links -t mesh:2x2 mesh.csv
"$LOCKSTEP" list links -t mesh:2x2 --csv >expected
check "links in FILE.csv" sh -c '[ ! -s out ] && cmp -s mesh.csv expected'
run list links -t mesh:2x2 mesh.dot
check "links in FILE.dot" [ $code -eq 0 -a "$(grep -c -- ' -- ' mesh.dot)" -eq 4 ]
check "DOT is an undirected graph" sh -c 'head -n 1 mesh.dot | grep -q "^graph " && tail -n 1 mesh.dot | grep -qx "}"'
check "DOT labels the nodes" grep -Eq '^	3 \[label="3 \(1,1\)", pos="[-.0-9]*,[-.0-9]*!"\];$' mesh.dot
if command -v dot >/dev/null; then
	check "graphviz reads DOT" dot -Tplain mesh.dot -o plain
else
	skipped=$((skipped + 1))
fi
refusals <<'TABLE'
2|list links|no topology; try -t ring:8
2|list links -t ring:4 links.svg|expected .csv, .json or .dot
4|list topologies topologies.dot|DOT holds links only; try 'lockstep list links
3|list links -t hypercube:62|smaller network
3|list links -t hypercube:62 huge.csv|smaller network
TABLE

check "no file is left of a refused list" [ ! -e huge.csv -a ! -e topologies.dot ]

# A list in a file has the form of its ending.
run list topologies -t ring:5 ring.json
check "list in FILE.json" sh -c '[ ! -s out ] && grep -q "^{\"schema\":1," ring.json'
run list algorithms scan -t ring:5 scan.csv
check "list algorithms OPERATION FILE.csv" sh -c '[ ! -s out ] && [ "$(sed 1d scan.csv | cut -d, -f1 | sort -u)" = scan ]'

command -v python3 >/dev/null || { skipped=$((skipped + 1)); finish; }

run list links -t tree:4 --json
check "links as JSON" holds 'len(d["links"]) == 6 and set(d["links"][0]) == {"u", "v", "label_u", "label_v", "link_u", "link_v"} and d["topology"]["spec"] == "tree:4"'
run list algorithms allreduce -t star:4 --json
check "excluded rows in JSON" holds '{a["excluded"] for a in d["algorithms"]} == {None, "type", "operator"}'

# Bounds of words, where messages are long: those of check, and never above a volume.
for network in star:4 bintree:3; do
	for operation in broadcast allgather allreduce; do
		run check $operation -t $network -m 512 --json
		bound=$(sed 's/.*"words_bound":\([0-9]*\).*/\1/' out)
		run list algorithms $operation -t $network -m 512 --mode hop --json
		check "volumes of $operation on $network" holds "all(a['volume'] >= a['words_bound'] == ${bound:-0} > 0 for a in d['algorithms'])"
		check "costs of $operation on $network" holds "all(a['cost'] >= a['cost_bound'] >= 1000 * a['bound'] + 8 * a['words_bound'] for a in d['algorithms'])"
		run draw $operation -t $network -m 512
		check "the caption of $operation on $network has the bound" grep -Eq "; volume [0-9]+, at least $bound(<|\$)" out
	done
done
run list algorithms alltoall -t ring:4 -m 512 --json
check "no bound of words is known" holds '{a[bound] for a in d["algorithms"] for bound in ("words_bound", "cost_bound")} == {None}'
run list algorithms broadcast -t ring:4 --csv
check "one element: no columns of volumes" sh -c '! grep -q volume out'
run draw broadcast -t ring:4
check "one element: no volume in the caption" sh -c '! grep -q "; volume" out'

# steps --json: the messages of the trace, the network, and the moves of the text.
while read -r arguments; do
	run steps $arguments --json
	check "steps $arguments --json" [ $code -eq 0 -a ! -s err ]
	"$LOCKSTEP" steps $arguments --csv >trace
	"$LOCKSTEP" steps $arguments file.json
	check "the messages of steps $arguments --json" python3 - <<'PYTHON'
import json, re
d, f = json.load(open("out")), json.load(open("file.json"))
for document in d, f:
    document.pop("command")
assert d == f
rows = [tuple(map(int, line.split(","))) for line in open("trace") if line[0].isdigit()]
assert d["schema"] == 1
p, t = d["plan"], d["topology"]
steps = [s for s in d["steps"] if s["round"]]
assert [s["round"] for s in steps] == list(range(1, p["rounds"] + 1))
messages = [(s["round"], m["src"], m["dst"], m["words"]) for s in steps for m in s["messages"]]
assert messages == rows
assert p["messages"] == len(rows) and p["words"] == sum(r[3] for r in rows)
links = {(u, v): (a, b) for u, v, a, b in t["links"]}
for s in steps:
    crossed = {}
    for m in s["messages"]:
        route = m["route"] or [m["src"], m["dst"]]
        assert (p["mode"] == "hop") == (m["route"] is None)
        assert route[0] == m["src"] and route[-1] == m["dst"]
        for a, b in zip(route, route[1:]):
            assert (min(a, b), max(a, b)) in links
            n, w = crossed.get((a, b), (0, 0))
            crossed[a, b] = n + 1, w + m["words"]
        a, b = route[:2]
        assert links[min(a, b), max(a, b)][a > b] == str(m["link"])
        assert re.fullmatch(r"[A-Z][A-Z0-9]*(\[\d+(\.\.\d+)?(,\d+(\.\.\d+)?)*\])?", m["blocks"])
    assert {(u, v): (n, w) for u, v, n, w in s["loads"]} == crossed
    assert all(x["moves"] for x in s["after"])
loads = [load[2] for s in steps for load in s["loads"]]
assert p["max_link_load"] == max(loads, default=0)
assert len(t["labels"]) >= t["nodes"] and len(set(t["labels"])) == len(t["labels"])
assert len(t["positions"]) == len(t["labels"]) == len(set(map(tuple, t["positions"])))
PYTHON
done <<'TABLE'
broadcast -t ring:8 -r 3
allreduce -t star:4
allgather -t hypercube:3 -m 3
alltoall -t mesh:2x3
alltoall -t complete:40
scan -t tree:8
allreduce -t torus:3x3 --mode routed
allgather -t ring:8 -a hypercube:3/doubling
allreduce -t star:3*ring:3
barrier -t ring:5
allreduce -t ring:1
TABLE
run steps allgather -t hypercube:3 -a doubling --json
check "blocks, link and moves of a message" holds 'd["steps"][2]["messages"][0] == {"src": 0, "dst": 4, "words": 4, "blocks": "OUTPUT[0..3]", "holds": "0..3", "value": [1, 2, 3, 4], "link": 2, "route": None} and d["steps"][2]["after"][0] == {"node": 0, "buffer": "OUTPUT", "holds": "0..7", "moves": ["OUTPUT[4..7] := ARRIVAL[0..3]"], "written": ["4..7"]}'
check "the plan of a document" holds 'd["plan"]["operation"] == "allgather" and d["plan"]["algorithm"] == "doubling" and d["plan"]["claim"] == "move" and d["plan"]["mode"] == "hop" and d["plan"]["elements"] == 1 and d["plan"]["bound"] == 3 and d["plan"]["embedding"] is None'
run steps allgather -t ring:8 -a hypercube:3/doubling --json
check "an embedding in a document" holds 'd["plan"]["embedding"] == {"guest": "hypercube:3", "map": "identity", "ranks": list(range(8))}'
run steps allreduce -t star:3*ring:3 --json
check "phases of a plan of plans" holds 'len({s["phase"] for s in d["steps"]}) > 1'

# reproduce --csv: the claims of the JSON document.
ids='table2 figure2' claims_least=31
[ -z "$LS_FAST" ] || ids=figure4.3 claims_least=1
run reproduce $ids --csv
check "reproduce --csv" [ $code -eq 0 -a ! -s err ]
"$LOCKSTEP" reproduce $ids --json >claims.json
check "CSV holds the claims of JSON" python3 - $claims_least <<'PYTHON'
import csv, json, sys
rows = list(csv.DictReader(open("out", encoding="utf-8", newline="")))
claims = json.load(open("claims.json", encoding="utf-8"))["claims"]
assert len(rows) == len(claims) >= int(sys.argv[1])
for row, claim in zip(rows, claims):
    assert row == {name: claim[name] or "" for name in ("id", "document", "printed", "found", "how", "verdict", "why")}
PYTHON
finish
