#!/bin/sh
# What steps --json and steps -v say about contents: texts and values equal those of a replay, in
# Python, of the moves that the document prints.
# variants: release checked asan chaos
. "$(dirname "$0")/support/cli"
command -v python3 >/dev/null || { echo 'python3 is not here to parse JSON'; exit 77; }

cat >replay.py <<'PYTHON'
import json, re, sys

d = json.load(open("out"))
plan, operation = d["plan"], d["plan"]["operation"]
nodes, count = int(sys.argv[1]), plan["elements"]
combine = {"sum": lambda a, b: a + b, "max": max, "prod": lambda a, b: a * b}[sys.argv[2]]
host = plan["embedding"]["ranks"] if plan["embedding"] else range(nodes)
rank_at = {h: r for r, h in enumerate(host)}
by_rank = operation in ("allgather", "gather", "shift")
by_block = operation in ("scatter", "alltoall", "reduce-scatter")
def slice_of(text):
    name, numbers = re.fullmatch(r"([A-Z]+)(?:\[(.*)\])?", text).groups()
    blocks = []
    for part in (numbers or "0").split(","):
        first, _, last = part.partition("..")
        blocks += range(int(first), int(last or first) + 1)
    return name, blocks

# ---- The text of contents: a set of (ranks, block)

def runs(numbers, pair=False):
    parts = []
    for n in sorted(numbers):
        if parts and n == parts[-1][1] + 1:
            parts[-1][1] = n
        else:
            parts.append([n, n])
    texts = [str(a) if a == b else f"{a},{b}" if a + 1 == b and not pair else f"{a}..{b}"
             for a, b in parts]
    return "{%s}" % ",".join(texts) if pair and len(texts) > 1 else ",".join(texts)

def text_of(held, blocks):
    if by_rank:
        return runs({r for ranks, _ in held for r in ranks})
    if operation == "scatter":
        return runs({b for _, b in held})
    of = {}
    for ranks, b in sorted((sorted(ranks), b) for ranks, b in held):
        of.setdefault(tuple(ranks), set()).add(b)
    if operation == "alltoall":
        pairs = []
        for (r,), named in of.items():
            if pairs and pairs[-1][1] == named:
                pairs[-1][0].append(r)
            else:
                pairs.append(([r], named))
        return " ".join(f"({runs(a, True)},{runs(b, True)})" for a, b in pairs)
    return "; ".join(runs(ranks) + ("" if len(named) == blocks else f"[{runs(named)}]")
                     for ranks, named in sorted(of.items(), key=lambda item: (min(item[1]), bounds(item[0]))))

# [0, 1, 2, 5]: the runs 0..2 and 5..5 as 0, 2, 5, 5
def bounds(ranks):
    return [r for i, r in enumerate(ranks) for edge in (ranks[i - 1:i] != (r - 1,), ranks[i + 1:i + 2] != (r + 1,)) if edge]

# ---- The replay: memory[rank][buffer, block] = (ranks, block, value)

used = [s for step in d["steps"] for s in [m["blocks"] for m in step["messages"]]
        + [t for a in step["after"] for move in a["moves"] for t in re.findall(r"[A-Z]+(?:\[[^]]*\])?", move)]]
vector = not (by_rank or by_block)
blocks = nodes if by_block else 1 if by_rank else 1 + max(
    b for s in used for name, listed in [slice_of(s)] if name in ("INPUT", "OUTPUT") for b in listed)

def operand(r, b):
    if vector:
        if count // blocks + (b < count % blocks) == 0:
            return None
        return r + 1 + count // blocks * b + min(b, count % blocks)
    return r + 1 + (b if operation in ("scatter", "alltoall") else b * count)

memory = [{("INPUT", b): (frozenset([r]), b, operand(r, b)) for b in range(blocks)}
          for r in range(nodes)]
shown = 0
for step in d["steps"]:
    arrivals = {}
    for m in step["messages"]:
        name, listed = slice_of(m["blocks"])
        sent = [memory[rank_at[m["src"]]][name, b] for b in listed]
        arrivals[rank_at[m["dst"]]] = sent
        assert m["holds"] == text_of({s[:2] for s in sent}, blocks), (m, sent)
        assert m["value"] == [s[2] for s in sent], (m, sent)
        shown += 1
    for a in step["after"]:
        mine = memory[rank_at[a["node"]]]
        for i, s in enumerate(arrivals.get(rank_at[a["node"]], [])):
            mine["ARRIVAL", i] = s
        for move in a["moves"]:
            dst, _, right = move.partition(" := ")
            name, listed = slice_of(dst)
            fold = right.startswith("fold ")
            terms = []
            for t in right.removeprefix("fold ").split(" (+) "):
                at = slice_of(t)
                terms.append([mine[at[0], b] for b in at[1]])
            if fold:
                terms = [terms[0][i:i + len(listed)] for i in range(0, len(terms[0]), len(listed))]
            for k, b in enumerate(listed):
                ranks, of, value = terms[0][k]
                for t in terms[1:]:
                    ranks, value = ranks | t[k][0], value is not None and combine(value, t[k][2])
                mine[name, b] = (ranks, of, None if value is False else value)
        whole = text_of({c[:2] for (name, _), c in mine.items() if name == a["buffer"]}, blocks)
        names = [slice_of(move.partition(" := ")[0]) for move in a["moves"]]
        assert a["buffer"] == ("OUTPUT" if "OUTPUT" in [n[0] for n in names] else names[-1][0]), a
        assert a["buffer"] != "OUTPUT" or a["holds"] == whole, (a, whole)
        assert a["written"] == [text_of({mine[name, b][:2] for b in listed}, blocks)
                                for name, listed in names], a
assert shown == plan["messages"]
PYTHON

# NODES|OP|ARGUMENTS
while IFS='|' read -r nodes op arguments; do
	run steps $arguments --json
	check "exit 0 of: steps $arguments" [ $code -eq 0 ]
	check "contents of: steps $arguments" python3 -I replay.py "$nodes" "$op"
done <<'TABLE'
8|sum|allgather -t hypercube:3 -d int64
8|sum|allgather -t ring:8 -a ring -d int64 -m 3
8|sum|alltoall -t hypercube:3 -d int32 -m 2
6|sum|alltoall -t ring:6 -a ring
7|sum|scatter -t linear:7 -r 3 -m 2
8|sum|gather -t tree:8 -r 5
9|sum|shift -t torus:3x3 -q 5
24|sum|allreduce -t star:4 -a paper -d int64
24|max|allreduce -t star:4 -o max
8|sum|allreduce -t ring:8 -a ring -m 20 -d int64
8|sum|allreduce -t ring:8 -a ring -m 5 -d int64
8|prod|scan -t hypercube:3 -o prod
5|sum|exscan -t linear:5 -m 2
6|sum|reduce -t mesh:2x3 -r 4
8|sum|reduce-scatter -t hypercube:3 -m 2 -d int64
12|sum|broadcast -t mesh:3x4 -r 7 --mode routed
8|sum|allgather -t ring:8 -a hypercube:3/doubling --map gray --mode routed
8|sum|allreduce -t hypercube:3 -a ring:8/ring --map gray -m 9
TABLE

run steps barrier -t hypercube:2 --json
check "a barrier: nodes that have arrived, without values" holds \
	'[m["holds"] for m in d["steps"][1]["messages"]] == ["0,1", "0,1", "2,3", "2,3"] and all(m["value"] == [None] for s in d["steps"] for m in s["messages"])'
run steps allreduce -t ring:2 -d cdouble --json
check "complex values are lists" holds 'd["steps"][0]["messages"][0]["value"] == [[1, 0]]'
run steps allreduce -t ring:2 -o minloc --json
check "pairs are lists" holds 'd["steps"][0]["messages"][1]["value"] == [[2, 1]]'

# A plan that breaks a law: contents up to the step before.
cat >broken.plan <<'PLAN'
lockstep plan 1
operation allreduce
nodes 2
scratch S 1
round
0: send INPUT to 1; receive 1 from 1; S[0] := INPUT (+) ARRIVAL
1: send INPUT to 0; receive 1 from 0; S[0] := ARRIVAL (+) INPUT
round
0: send S[0] to 1; OUTPUT := S[0]
1: OUTPUT := S[0]
PLAN
run steps --plan broken.plan -t ring:2 --json
check "a broken plan is shown" [ $code -eq 0 ]
check "contents before the violation" holds \
	'd["steps"][0]["messages"][0]["holds"] == "0" and d["steps"][0]["after"][1]["holds"] == "0,1"'
check "no contents after it" holds \
	'd["steps"][1]["messages"][0]["holds"] is None and d["steps"][1]["messages"][0]["value"] is None and d["steps"][1]["after"][0]["holds"] is None and d["steps"][1]["after"][0]["written"] == [None]'
run steps --plan broken.plan -t ring:2 -v
check "the text lists contents once" sh -c '[ "$(grep -c "^  contents" out)" -eq 1 ]'

run steps scan -t hypercube:2 -v
check "steps -v prints contents" sh -c 'grep -A 3 "^  contents" out | grep -q "^    01(1)  *0,1 in OUTPUT$"'
finish
