"""Compare the page of a plan with the plan: its file, its trace, its steps as JSON.

stepper_page.py PAGE.html PLAN.plan TRACE.csv STEPS.json

A page is well-formed XML without references.  The picture and the data hold the messages of the trace;
the texts of blocks and moves are those of the plan file, where `INPUT` stands for all blocks of INPUT.
"""
import json, re, sys
import xml.etree.ElementTree as xml

page, plan_file, trace_file, steps_file = sys.argv[1:5]
text = open(page, encoding="utf-8").read()
root = xml.fromstring(text)
steps = json.load(open(steps_file, encoding="utf-8"))
vector, block, blocks = "vector", "block", "blocks"
forms = {"broadcast": (vector, vector), "reduce": (vector, vector), "allreduce": (vector, vector),
	"allgather": (block, blocks), "reduce-scatter": (blocks, block), "scan": (vector, vector),
	"exscan": (vector, vector), "scatter": (blocks, block), "gather": (block, blocks),
	"alltoall": (blocks, blocks), "shift": (block, block), "barrier": (vector, vector)}
failures = 0


def check(what, holds):
	global failures
	if not holds:
		failures += 1
		print(f"{page}: {what}")


def by_id(name):
	return next(e for e in root.iter() if e.get("id") == name)


# ---- No references; a language, a title, a live region

check("no http", "http" not in text)
check("no references", not re.search(r'(?<![\w-])(src|href|action|xlink:href)=|@import|url\(', text))
check("lang", root.get("lang") == "en")
check("title", root.find("head/title").text == root.find("body/header/h1").text)
live = [e for e in root.iter() if e.get("aria-live") == "polite"]
check("a live region", len(live) == 1 and live[0].get("role") == "status")
svg = by_id("figure").find("svg")
check("a title and a description of the picture", svg.get("role") == "img" and all(
	by_id(name).text for name in svg.get("aria-labelledby").split()))
names = [e.get("id") for e in root.iter() if e.get("id")]
check("each id once", len(names) == len(set(names)))
check("each control has a name", all(e.text or e.get("aria-label") for e in root.iter()
	if e.tag in ("button", "input", "nav")))

# ---- Messages

trace = [tuple(map(int, line.split(","))) for line in open(trace_file)
	if not line.startswith(("#", "round"))]
drawn, shapes = [], {}
for e in svg.iter():
	number = lambda name: int(e.get("data-" + name))
	kind = (e.get("class") or "").split()
	shape = "exchange" in kind, tuple(path.get("d") for path in e.iter("path"))
	if "message" in kind or "exchange" in kind:
		drawn.append((number("round"), number("src"), number("dst"), number("words")))
		shapes[drawn[-1]] = shape
	if "exchange" in kind:
		check("src < dst of an exchange", number("src") < number("dst"))
		drawn.append((number("round"), number("dst"), number("src"), number("words-back")))
		shapes[drawn[-1]] = shape

# What looks as the last arrow between its nodes is drawn by the script.
newest, once = {}, len({m[:3] for m in trace}) == len(trace)
for message in sorted(trace):
	rounds = {m[1:3] for m in trace if m[0] == message[0]}
	is_exchange, pair = message[2:0:-1] in rounds, message[1:3]
	check("no arrow is drawn twice", not once or message not in shapes or shapes[message] != newest.get(pair))
	check(f"an arrow for {message}", message in shapes or (pair in newest and newest[pair][0] == is_exchange))
	newest[pair] = shapes.get(message, newest.get(pair))
check("only messages of the trace are drawn, each once", len(shapes) == len(drawn) and set(drawn) <= set(trace))


def numbers(column):
	"""Of a list in which [count, step, first ..] is a run."""
	out = []
	for item in column:
		if isinstance(item, list):
			count, step, *begin = item
			out += [begin[i % len(begin)] + step * (i // len(begin)) for i in range(count)]
		else:
			out.append(item)
	return out


def rows_of(table):
	return [list(row) for row in zip(*map(numbers, table), strict=True)]


def moves_by_row(table):
	nodes, counts, texts = map(numbers, table or [[], [], []])
	out = [[node] for node in nodes]
	for index in range(max(counts, default=0)):
		for row, count in zip(out, counts, strict=True):
			if index < count:
				row.append(texts.pop(0))
	check("a text for each move", not texts)
	return out


def texts_of(form, column):
	values, holes = numbers(column), form.count("#")
	for i in range(0, len(values), holes):
		text = form
		for value in values[i:i + holes]:
			text = text.replace("#", str(value), 1)
		yield text


data = json.loads(by_id("data").text)
first = data["first"]
data["messages"] = [rows_of(table) for table in data["messages"]]
data["contents"] = [rows_of(table) for table in data["contents"]]
for name in "before", "moves":
	data[name] = [moves_by_row(table) for table in data[name]]
data["texts"] = [text for item in data["texts"] for text in ([item] if isinstance(item, str) else texts_of(*item))]
listed = [(first + i, *m[:3]) for i, round in enumerate(data["messages"]) for m in round]
check("each message of the trace is listed once", listed == sorted(trace))
check("only nodes and labels have their attribute", sorted(
	int(e.get("data-node")) for e in svg.iter("g") if e.get("data-node")) == list(range(
	len(steps["topology"]["labels"]))))

# ---- Network

labels = steps["topology"]["labels"]
ranks = [str(i) for i in range(len(labels))]
check("labels", data["labels"] == ([] if labels == ranks
	else [label if label != rank else "" for label, rank in zip(labels, ranks)]))
adjacent = {frozenset(link[:2]) for link in steps["topology"]["links"]}
check("links", {frozenset((int(e.get("data-src")), int(e.get("data-dst")))) for e in svg.iter("path")
	if e.get("class") == "link"} == adjacent)
routes = {f'{m["src"]}-{m["dst"]}': m["route"] for step in steps["steps"] for m in step["messages"]
	if frozenset((m["src"], m["dst"])) not in adjacent}
check("routes", data["routes"] == routes)

# ---- Texts, against the lines of the plan file

plan = open(plan_file).read().splitlines()
header = dict(line.split(" ", 1) for line in plan if re.match("(operation|nodes|blocks) ", line))
nodes, embedding = int(header["nodes"]), steps["plan"]["embedding"]
host = embedding["ranks"] if embedding else list(range(nodes))
size = {vector: int(header["blocks"]), block: 1, blocks: nodes}
whole = dict(zip(("INPUT", "OUTPUT"), (size[form] for form in forms[header["operation"]])))


def explicit(text, received):
	"""With the numbers of all blocks; received[port]: blocks of the messages."""
	def numbers(match):
		buffer = match.group()
		n = whole[buffer] if buffer in whole else received[int(buffer[len("ARRIVAL"):] or 0)]
		return f"{buffer}[0..{n - 1}]" if n > 1 else f"{buffer}[0]"
	return re.sub(r"(INPUT|OUTPUT|ARRIVAL\d?)\b(?!\[)", numbers, text)


def moves_of(rows, node):
	return [data["texts"][i] for row in rows for i in row[1:] if row[0] == node]


round, local = 0, {}  # local moves since the last round, by node


def check_local():
	rows = data["before"][round]
	check(f"local moves before round {round + 1}", {n: m for n in range(len(labels))
		for m in [[explicit(t, {}) for t in moves_of(rows, n)]] if m} == local)
	local.clear()


is_local = False
for line in plan:
	if line in ("round", "local"):
		is_local = line == "local"
		if not is_local:
			check_local()
			round += 1
		continue
	row = re.match(r"(\d+): (.*)", line)
	if not row:
		continue
	node, received, sent, moves = host[int(row.group(1))], {}, {}, []
	for part in row.group(2).split("; "):
		send = re.match(r"send (\S+) to (\d+)", part)
		receive = re.match(r"receive (\d+) from \d+(?: port (\d+))?", part)
		if send:
			sent[host[int(send.group(2))]] = send.group(1)
		elif receive:
			received[int(receive.group(2) or 0)] = int(receive.group(1))
		else:
			moves.append(part)
	if is_local:
		local.setdefault(node, []).extend(moves)
		continue
	check(f"blocks that {node} sends in round {round}", sent == {m[1]: explicit(data["texts"][m[3]], {})
		for m in data["messages"][round - 1] if m[0] == node})
	check(f"moves of {node} in round {round}", moves == [explicit(t, received)
		for t in moves_of(data["moves"][round - 1], node)])
check_local()
check("all rounds", round == len(data["messages"]) == len(data["moves"]) == len(data["before"]) - 1)
sys.exit(1 if failures else 0)
