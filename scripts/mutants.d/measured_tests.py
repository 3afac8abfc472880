"""The tests of a tree: how they are run, how long they take, and which lines each of them executes."""
import collections
import glob
import json
import os
import re
import resource
import subprocess

NOBODY = 65534
MEMORY, FILE, CPU, PROCESSES = 16 << 30, 1 << 30, 600, 12000  # bytes, bytes, seconds, number
NO_TESTS = {"mpi_driver", "program_driver", "fiber_debugged", "thread_schedules"}
LONGEST = 90  # seconds: a test that takes longer is not used


def states(source, key):
    """What a source states in a comment line `KEY: ...`; None: it has none."""
    with open(source) as text:
        found = re.search(r"^(/\*|#) %s: (.*)" % key, text.read(), re.M)
    return found and found.group(2)


def is_used(source):
    """Whether check runs a test in release, and in checked, as which make treats coverage."""
    variants = (states(source, "variants") or "release checked").split()
    return not states(source, "all") and {"release", "checked"} <= set(variants)


def all_tests(tree):
    """Programs, and scripts that need the tool only."""
    sources = sorted(glob.glob(tree + "/test/*.c") + glob.glob(tree + "/test/cli*.sh") + [tree + "/test/reproduce.sh"])
    names = [os.path.basename(source).removesuffix(".c") for source in sources if is_used(source)]
    return [name for name in names if name not in NO_TESTS]


def confine():
    """A mutant may ask for anything: it has few rights, and little memory."""
    for limit, value in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_CPU, CPU), (resource.RLIMIT_AS, MEMORY),
                         (resource.RLIMIT_FSIZE, FILE), (resource.RLIMIT_NPROC, PROCESSES)):
        resource.setrlimit(limit, (value, value))
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def run_test(tree, work, name, build, program, limit, guard=confine):
    """Runs a test, whose program or tool is given: (pass, skip, fail or limit; seconds of processors, of time)."""
    script = name.endswith(".sh")
    source = "test/%s" % name if script else "test/%s.c" % name
    temporary = "%s/tmp.%d" % (work, os.getpid())
    for folder in (temporary, temporary + "/result"):
        os.mkdir(folder)
        os.chmod(folder, 0o777)
    environment = {**os.environ, "LS_FAST": "1", "LS_LIMIT": "%d" % limit, "TMPDIR": temporary, "LS_BUILD": build,
                   "LOCKSTEP": program if script else build + "/lockstep", "LS_VARIANT": "release", "MAKEFLAGS": "",
                   "MAKELEVEL": "0"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(["sh", "scripts/run-test", temporary + "/result", name, source,
                          *(["sh", source] if script else [program])], cwd=tree, env=environment, preexec_fn=guard,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["rm", "-rf", temporary], check=True)
    line = out.stdout.decode(errors="replace").split("\n")[0]
    word, _, passed = (line.split() + ["FAIL", "", "0"])[:3]
    found = word if word in ("pass", "skip") else "limit" if "time limit" in line else "fail"
    return found, round(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, 2), float(passed)


class Tests:
    """What is known of the tests: seconds of processors (None: it did not pass), and the tests of each line."""

    def __init__(self, path):
        self.path, self.seconds, self.of_line = path, {}, {}
        if os.path.exists(path):
            with open(path) as kept:
                self.seconds, self.of_line = json.load(kept)

    def measure(self, tree, work, names, say):
        """Runs tests in build/coverage; what a test executes are the lines whose counts grow."""
        build = tree + "/build/coverage"
        counts = dict(line_counts(tree, build))
        for name in names:
            found, seconds, _ = run_test(tree, work, name, build, "%s/%s" % (build, "lockstep" if name.endswith(".sh")
                                                                             else "test/" + name), LONGEST, None)
            say("%s: %s, %.2f s" % (name, found, seconds))
            now = dict(line_counts(tree, build))
            self.seconds[name] = seconds if found == "pass" else None
            if found == "pass":
                self.add(name, (place for place, count in now.items() if count > counts.get(place, 0)), now)
            counts = now

    def add(self, name, executed, places):
        for file, line in places:
            self.of_line.setdefault(file, {}).setdefault(str(line), [])
        for file, line in executed:
            if name not in self.of_line[file][str(line)]:
                self.of_line[file][str(line)].append(name)
        with open(self.path + ".new", "w") as out:
            json.dump([self.seconds, self.of_line], out)
        os.rename(self.path + ".new", self.path)

    def of(self, file, line):
        """The tests that execute a line, the fastest first.  A line without code: those of its file."""
        lines = self.of_line.get(file, {})
        names = lines.get(str(line))
        if names is None:
            names = {name for some in lines.values() for name in some}
        return sorted(names, key=lambda name: (self.seconds[name], name))


def line_counts(tree, build):
    """How often each line with code of the library and the tool was executed, as gcov says."""
    files = sorted(os.path.relpath(os.path.join(folder, name), tree) for part in ("/lib", "/demo")
                   for folder, _, names in os.walk(build + part) for name in names if name.endswith(".gcda"))
    counts = collections.Counter()
    for i in range(0, len(files), 64):
        text = subprocess.run(["gcov", "--stdout", *files[i:i + 64]], cwd=tree, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False).stdout.decode(errors="replace")
        wanted = False
        for line in text.split("\n"):
            if line.startswith("        -:    0:Source:"):
                file = line[23:]
                wanted = file.endswith(".c")
            elif wanted and line[8:10] != "-:":
                part = line.split(":", 2)
                if len(part) == 3 and part[1].strip().isdigit():
                    count = part[0].strip(" *")
                    counts[file, int(part[1])] += int(count) if count.isdigit() else 0
    return counts
