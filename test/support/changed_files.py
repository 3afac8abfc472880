"""Draw plans, traces and graphs with changed lines and numbers by the tool.

    changed_files.py LOCKSTEP SEED COUNT

Each file is drawn in one view as SVG, HTML, TikZ and DOT, and as text.  The tool ends with 0 and
well-formed files, or with an exit code of the interface and one line.  Prints each failure, with a
copy of its file, and the number of checks.
"""
import os
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

tool, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
VIEWS = [None, "network", "all", "panels", "timeline", "exemplar", "matrix", "step", "load", "table"]
NETWORKS = ["ring:4", "hypercube:3", "star:3", "mesh:2x3", "tree:4", "complete:5", "linear:1"]
OPERATIONS = ["broadcast", "allreduce", "allgather", "scan", "alltoall", "barrier", "gather"]
GRAPHS = ["0 1\n1 2\n2 3\n3 0\n", "0 1\n0 2\n0 3\n1 2\n3 4\n4 5\n", "0 1\n1 2\n2 0\n2 3\n"]
NUMBERS = ["0", "1", "2", "3", "4", "5", "8", "64", "-1", "1000000",
    "2147483648", "9223372036854775807", "18446744073709551616"]
checks = failures = 0


def check(text, is_true, file):
    global checks, failures
    checks += 1
    if not is_true:
        failures += 1
        kept = "failed.%d%s" % (failures, os.path.splitext(file)[1])
        with open(file, "rb") as source, open(kept, "wb") as copy:
            copy.write(source.read())
        print("not: %s\n%s" % (text, open(kept, errors="replace").read()))


def change(text, chance):
    lines = text.splitlines(True) or [""]
    i, k = chance.randrange(len(lines)), chance.randrange(len(lines))
    numbers = list(re.finditer(r"[0-9]+", text))
    kind = chance.randrange(8)
    if kind == 0:
        del lines[i]
    elif kind == 1:
        lines.insert(k, lines[i])
    elif kind == 2:
        lines[i], lines[k] = lines[k], lines[i]
    elif kind == 3:
        at = chance.randrange(len(text) + 1)
        return text[:at] + chance.choice(" ,;:[].#\n\t-0\u00e9") + text[at:]
    elif numbers:
        at = chance.choice(numbers)
        new = chance.choice(NUMBERS if kind < 6 else numbers)
        return text[:at.start()] + (new if kind < 6 else new.group()) + text[at.end():]
    return "".join(lines)


def run(arguments):
    """Exit code, lines on stderr, output."""
    ended = subprocess.run([tool, "draw"] + arguments, capture_output=True, timeout=60)
    return ended.returncode, ended.stderr.decode(errors="replace"), ended.stdout


def judge(code, errors, what, file):
    check("%s: exit %d, '%s'" % (what, code, errors), code == 0 and not errors
        or code in (1, 2, 3, 4) and re.fullmatch(r"lockstep: [^\n]*\n", errors) is not None, file)


def draw(subject, file, chance):
    view = chance.choice(VIEWS)
    options = subject + (["--view", view] if view else []) + chance.choice(
        [[], ["--values", "both"], ["--labels", "rank"], ["--step", "1"]])
    for ending in ("svg", "html", "tex", "dot"):
        if os.path.exists("x." + ending):
            os.remove("x." + ending)
        code, errors, _ = run(options + ["x." + ending])
        judge(code, errors, " ".join(options) + " " + ending, file)
        if code == 0 and ending in ("svg", "html"):
            try:
                xml.parse("x." + ending)
            except xml.ParseError as error:
                check("%s: %s" % (ending, error), False, file)
    code, errors, _ = run(subject + ["--format", "text"])
    judge(code, errors, " ".join(subject) + " as text", file)


for number in range(count):
    chance = random.Random(seed + number)
    network, operation = chance.choice(NETWORKS), chance.choice(OPERATIONS)
    ending = chance.choice(["plan", "plan", "csv", "csv", "graph"])
    name = "changed." + ending
    if ending == "graph":
        text, subject = chance.choice(GRAPHS), ["-t", "graph:" + name]
    else:
        mode = chance.choice(["hop", "routed"])
        subprocess.run([tool, "steps", operation, "-t", network, "--mode", mode, "base." + ending],
            capture_output=True)
        text = open("base." + ending).read() if os.path.exists("base." + ending) else ""
        subject = ["--plan", name, "-t", network]
    for _ in range(chance.randrange(4)):
        text = change(text, chance)
    with open(name, "w") as out:
        out.write(text)
    try:
        draw(subject, name, chance)
    except subprocess.TimeoutExpired as error:
        check("number %d hangs: %s" % (seed + number, error), False, name)
print("%d pictures, %d failures" % (checks, failures))
sys.exit(1 if failures or not checks else 0)
