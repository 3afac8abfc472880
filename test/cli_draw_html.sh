#!/bin/sh
# The HTML pages of plans: they hold each message once, and the moves of the plan; in Chromium the script
# shows them step by step, and the page is not blank in light, dark and on a narrow screen.
# variants: release checked asan chaos
. "$(dirname "$0")/support/cli"
command -v python3 >/dev/null || { echo 'python3 is not here to read the pages'; exit 77; }
support=$tree/test/support

# ---- Pages and plans: ARGUMENTS|LIMIT in bytes

page() { # ARGUMENTS: the page, the plan, its trace and its steps
	run steps $1 page.html && "$LOCKSTEP" steps $1 page.plan && "$LOCKSTEP" steps $1 page.csv &&
		"$LOCKSTEP" steps $1 --json >page.json
	check "exit 0 of: steps $1" [ $code -eq 0 ]
}

# A fast test takes every fifth.
row=0
while IFS='|' read -r limit arguments; do
	row=$((row + 1))
	[ -z "$LS_FAST" ] || [ $((row % 5)) -eq 1 ] || continue
	page "$arguments"
	check "the page shows: $arguments" \
		python3 -I -S "$support/stepper_page.py" page.html page.plan page.csv page.json
	check "at most $limit bytes: $arguments ($(wc -c <page.html))" [ "$(wc -c <page.html)" -le "$limit" ]
	if command -v xmllint >/dev/null; then
		check "xmllint reads: $arguments" xmllint --noout page.html
	fi
done <<'TABLE'
40000|broadcast -t hypercube:3
50000|alltoall -t ring:8 --mode routed
55000|allreduce -t mesh:3x4 --mode routed
45000|scan -t ring:6
60000|reduce-scatter -t hypercube:4
45000|allgather -t ring:8 -a hypercube:3/doubling --map gray
45000|broadcast -t tree:8
40000|scatter -t star:3 -r 2
70000|allreduce -t hypercube:4 -m 9 -a halving-doubling
45000|alltoall -t star:3
40000|shift -q 3 -t ring:9 --mode routed
100000|broadcast -t mesh:8x8 -r 9
100000|broadcast -t hypercube:6
70000|allreduce -t hypercube:5
85000|allgather -t ring:64
100000|allgather -t ring:64 -a ring
85000|alltoall -t ring:16 --mode routed
TABLE
page "allreduce -t star:4"
check "star:4 in 30 to 70 KB: $(wc -c <page.html)" [ "$(wc -c <page.html)" -gt 30000 -a "$(wc -c <page.html)" -le 70000 ]
check "past messages fade to 16 %" grep -qF '.message.past{opacity:.16}' page.html

run draw broadcast -t hypercube:3 again.html
run draw broadcast -t hypercube:3 - --format html
sed 's/<metadata>.*//' again.html >one
sed 's/<metadata>.*//' out >other
check "the same page to standard output" cmp -s one other
run draw broadcast -t hypercube:3 --step 2-3 part.html
check "a page of two steps" [ $code -eq 0 ]
check "they keep their numbers" grep -q '^{"first":2,' part.html
run draw broadcast -t hypercube:3 --labels rank ranks.html
check "no labels" grep -q '^"labels":\[\]' ranks.html

# A named view, a network without messages, and a plan beyond the limits are pictures without steps.
while read -r arguments; do
	run draw $arguments picture.html
	check "a picture of: $arguments" [ $code -eq 0 ]
	check "no script in: $arguments" [ "$(grep -c '<script' picture.html)" -eq 0 ]
	check "no http in: $arguments" [ "$(grep -c http picture.html)" -eq 0 ]
	check "XML of: $arguments" python3 -I -S -c \
		'import xml.etree.ElementTree as x; assert x.parse("picture.html").find("body/main/figure/svg") is not None'
done <<'TABLE'
-t torus:4x4
broadcast -t hypercube:3 --view panels
allgather -t hypercube:3 --view step --step 2
allreduce -t hypercube:9
TABLE

refusals <<'TABLE'
4|draw broadcast -t linear:60 --view panels page.html|the view panels is limited to .*; try --view [a-z]+$
TABLE
run draw broadcast -t hypercube:3 --view stepper page.html
check "the stepper is the default, not a view with a name" [ $code -ne 0 ]

# ---- The script in a browser

browser=
for name in chromium chromium-browser google-chrome; do
	command -v $name >/dev/null && browser=$name && break
done
# A fast test starts no browser.
if [ -z "$browser" ] || [ -n "$LS_FAST" ]; then
	[ -n "$LS_FAST" ] || skipped=$((skipped + 1))
	if command -v node >/dev/null; then
		for part in "$tree"/lib/draw/*.js; do
			check "the script is ECMAScript" node --check "$part"
		done
	fi
	finish
fi

# browse URL OPTION...
browse() {
	url=file://$scratch/$1
	shift
	HOME=$scratch timeout 60 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
		--user-data-dir="$scratch/profile" "$@" "$url" 2>err
}

# probe PAGE ADDRESS OPTION...: what the probe saw, into the file out
probe() {
	sed '/^<\/body>/d; /^<\/html>/d' "$1" >probe.html
	{ echo '<script>'; cat "$support/stepper_probe.js"; echo '</script></body></html>'; } >>probe.html
	browse "probe.html$2" --dump-dom "$3" |
		python3 -I -S -c 'import html, re, sys
print(html.unescape(re.search("<pre id=\"seen\">({.*?})</pre>", sys.stdin.read(), re.S).group(1)))' >out
}

page "broadcast -t hypercube:3"
probe page.html '' --window-size=1200,800
check "no errors" holds 'd["errors"] == []'
check "the start" holds 'd["start"] == "Before step 1 of 3"'
check "keys" holds '[k[1:] for k in d["keys"]] == [[s, "#%d" % k, str(k)] for s, k in [
	("Step 1 of 3: 1 message", 1), ("Step 2 of 3: 2 messages", 2), ("Step 1 of 3: 1 message", 1),
	("Before step 1 of 3", 0), ("Step 3 of 3: 4 messages", 3), ("Step 3 of 3: 4 messages", 3),
	("Before step 1 of 3", 0), ("Before step 1 of 3", 0), ("Step 2 of 3: 2 messages", 2),
	("Step 1 of 3: 1 message", 1), ("Before step 1 of 3", 0)]]'
check "Ctrl is not ours" holds 'd["ctrl"] == "Before step 1 of 3"'
check "the slider" holds 'd["slider"] == "Step 3 of 3: 4 messages"'
check "messages of each step" holds '[s["shown"] for s in d["steps"]] == [["0-4"], ["0-2", "4-6"], ["0-1", "2-3", "4-5", "6-7"]]'
check "past messages fade" holds '[s["past"] for s in d["steps"]] == [[], ["0-4"], ["0-4", "0-2", "4-6"]]'
check "active nodes stand out if they are few" holds '[s["active"] for s in d["steps"]] == [2, 0, 0]'
check "tables" holds '[(s["rows"], s["folded"]) for s in d["steps"]] == [(1, 0), (2, 0), (4, 0)]'
check "a message" holds 'd["arrow"] == "Step 3: 0 (000) sends INPUT, 1 word, to 1 (001)"'
check "all steps" holds 'd["all"] == ["All 3 steps: 7 messages", "#all", True, True]'
check "loads" holds 'd["loads"] == [True, 4, 4]'
check "the moves of a node" holds 'd["node"].startswith("Node 0 (000)") and "send INPUT to 4; OUTPUT := INPUT" in d["node"]'
check "its row is marked" holds 'd["selected"] == 1 and d["escape"] and d["enter"]'
check "names" holds 'd["contents"][0] is False or d["contents"][1][5] == "101"'
check "help" holds 'd["help"] is True'
check "swipe" holds 'd["swipe"] == "Step 2 of 3: 2 messages"'
check "the quiz hides the step" holds 'd["quiz"] == ["Step 1 of 3: find 1 message", "#quiz1", 0, True]'
check "the quiz judges" holds 'd["judged"] == ["Sender 0 (000). Click the receiver.", "No: in step 1, 0 (000) does not send to 1 (001).", 0]'
check "the quiz ends" holds 'd["complete"][0].startswith("Yes: 0 (000) sends to 4 (100). Step 1 is complete") and d["complete"][1:] == ["Step 1 of 3: 1 message", 1]'
check "play and pause" holds 'd["play"] == [True, "Step 2 of 3: 2 messages"] and d["pause"] is False'
check "as wide as the window" holds 'd["width"][0] <= d["width"][1]'

probe page.html '#2' --window-size=400,900
check "step 2 by its address" holds 'd["start"] == "Step 2 of 3: 2 messages" and d["errors"] == []'
check "as wide as a narrow window" holds 'd["width"][0] <= d["width"][1] <= 500'
browse 'page.html#quiz2' --dump-dom >out
check "the quiz by its address" grep -q 'Step 2 of 3: find 2 messages' out
browse 'page.html?print' --dump-dom >out
check "a picture of each step" [ "$(grep -o '<figcaption>Step [1-3] of 3' out | sort -u | wc -l)" -eq 3 ]
check "no controls in a handout" [ "$(grep -c '<nav' out)" -eq 0 ]

# The loads of links, and exchanges, of other plans.
for arguments in "alltoall -t ring:6 -a pairwise --mode routed" "allreduce -t star:4" "broadcast -t tree:8" \
	"allgather -t ring:6" "allgather -t ring:5 -a ring"; do
	[ -z "$LS_FAST" ] || [ "$arguments" != "broadcast -t tree:8" ] || continue
	page "$arguments"
	probe page.html '' --window-size=1200,800
	check "no errors with: $arguments" holds 'd["errors"] == [] and "wrong answers: 1" in d["complete"][0]'
	check "past exchanges vanish: $arguments" holds 'all(s["pastExchanges"] == 0 for s in d["steps"])'
	check "the loads of: $arguments" python3 -I -S - <<'PYTHON'
import json, re
seen, steps = json.load(open("out")), json.load(open("page.json"))
rounds = [s for s in steps["steps"] if s["round"]]
assert len(rounds) == len(seen["steps"])
for step, shown in zip(rounds, seen["steps"]):
	loads = {}
	for text in shown["loads"]:
		for messages, words, u, v in re.findall(r"(\d+) messages? \((\d+) words?\) from (\d+) to (\d+)", text):
			if int(messages):
				loads[int(u), int(v)] = [int(messages), int(words)]
	assert loads == {(u, v): rest for u, v, *rest in step["loads"]}, (step["round"], loads)
	assert shown["folded"] == (len(step["messages"]) > 16)
	pairs = {(m["src"], m["dst"]) for m in step["messages"]}
	assert shown["shown"] == sorted(f"{u}-{v}" for u, v in pairs if u < v or (v, u) not in pairs), step["round"]
PYTHON
done

# What the reader sees: colors, brightness.
page "allreduce -t star:4"
shot() { # NAME CONDITION OPTION...: condition on the colors c and the brightness b
	browse "page.html#4" --screenshot="$scratch/$1.png" $3 $4 >/dev/null
	set -- "$1" "$2" $(python3 -I -S "$support/pixels.py" "$1.png")
	check "the screen $1 has $3 colors, brightness $4" awk -v c="$3" -v b="$4" "BEGIN { exit !($2) }"
}
shot light 'c > 30 && b > 180' --window-size=640,480
shot dark 'c > 30 && b < 80' --window-size=640,480 --force-dark-mode
shot narrow 'c > 30 && b > 180' --window-size=400,600
finish
