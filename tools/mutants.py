#!/usr/bin/env python3
"""mutants -- would a test notice?  Changes one token of the simulator at a time and runs the tests.

    tools/mutants.py [N] [options]

N (60) changes are drawn at random: a relation, an operator or a constant is another one, a
condition is negated, a statement is dropped.  Each is made in a copy of the tree, the copy is built,
and the suites run, cheapest first, until one fails: the mutant is caught, by that suite.  A mutant
that does not compile is replaced by the next one drawn.  What survives is a test that is missing,
dead code, or a change that changes nothing; the last is explained in tests/mutants/equivalent.

    --only PATTERN  only files whose path has PATTERN in it (may be repeated)
    --skip PATTERN  no files whose path has PATTERN in it (may be repeated)
    --line FILE:N   only that line, every change of it (may be repeated)
    --seed S        another sample (1)
    --jobs J        so many compilers and test programs at once (1)
    --suites A,B    only these suites
    --again         run survivors of earlier times once more, against the tests of now
    --list          print the mutants and run nothing
    --stale         print what tests/mutants/equivalent explains and is no mutant any more; status 1 if there is any
    -o DIR          where the copy, its build and the results are (build/mutants)

Draws are by a hash of the seed, the line's text and the change, so N + 1 mutants are the N and one
more, and work elsewhere in the file does not change them.  Results are kept, a line each, in
DIR/results.tsv: what is known is not run again, so an interrupted run goes on where it was.

The build is -O1 with assertions, and ends where an index is beyond its array.  That is the cheapest in
which a broken invariant shows; of a mutant that only leaks, or follows a wrong pointer, the tests' own
sanitizer build sees more.  The source tree itself is never touched.  Status 0 if all were caught or explained, 1 if one
survived.
"""

import argparse
import hashlib
import os
import re
import resource
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ["src/sm", "src/mem", "src/mech", "src/exec", "src/gpu"]
CHECKS = {"src/sm/check.c"}  # nothing but assertions
EQUIVALENT = "tests/mutants/equivalent"

# What a mutant goes through, in this order: the suite; what is built for it, as Ninja names it; what is run of it:
# the test programs built, file by file, or what CTest knows by these names; and for mutants of which files.
PROGRAMS = None
SUITES = [
    ("props", r"tests/props(\.t_\w+)?", PROGRAMS, r"src/exec/(lane_|exec_(lane|mma|tex|atom)|\w+_ops|approx|texture)"),
    ("unit+micro", r"tests/(unit|micro)(\.t_\w+)?", PROGRAMS, ""),
    ("golden", r"smelt", r"^golden\.", ""),
    ("wrong", r"smelt", r"^wrong\.", ""),
    ("rt", r"libcudart\.so|libnvrtc\.so|smelt|tests/rt(\.t_\w+)?", PROGRAMS, ""),
    ("random", r"tests/random_config", r"^random\.", ""),
    ("workloads", r"smelt|cudart|math", r"^workloads\.[^.]*\.odd$", ""),
]

# Test files of rooms that see nothing of what is changed.
BEYOND = re.compile(r'^#include "((workload|runs|store|cluster|figure|study|page|cli|cc)/|tests/props/math_)', re.M)
SLACK = 5  # a program may take so many times the processor time that it takes unchanged, and some seconds
FLAGS = ["-DCMAKE_BUILD_TYPE=Mutants", "-DCMAKE_C_COMPILER=gcc", "-DSMELT_TESTS=ON",
         "-DCMAKE_C_FLAGS_MUTANTS=-O1 -fsanitize=bounds -fsanitize-undefined-trap-on-error",
         "-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=gold", "-DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=gold"]  # links in a third of the time


# --- mutants ----------------------------------------------------------------------------------

TOKEN = re.compile(r"""
    (?P<skip>  //[^\n]* | /\*.*?\*/ | ^[ \t]*\#(?:\\\n|[^\n])* | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' )
  | (?P<name>  [A-Za-z_]\w* )
  | (?P<number> \.?[0-9](?:[eEpP][+-]|[\w.])* )
  | (?P<op>    <<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}\[\]] )
""", re.X | re.S | re.M)

OTHER = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|",
    "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "<<=": ">>=", ">>=": "<<=", "*=": "/=", "/=": "*=",
    "!": "", "~": "",
}
WORDS = {"true": "false", "false": "true"}
TYPES = {"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "int", "char", "bool", "float", "double", "void",
         "const", "static", "struct", "enum", "union", "unsigned", "long", "size_t", "typedef", "extern"}
KEYWORDS = {"if", "else", "for", "while", "do", "switch", "case", "default", "return", "goto", "sizeof"}
QUIET = {"assert", "ensure", "ensure_of", "ensure_here", "check", "check_of", "check_here", "REQUIRE", "_Static_assert",
         "sizeof", "offsetof", "__attribute__"}  # nothing within is changed


class Token:
    def __init__(self, m, line):
        self.kind, self.text, self.at, self.line = m.lastgroup, m.group(), m.start(), line


class Mutant:
    """One change: `old` at offset `at` of `path` becomes `new`."""

    def __init__(self, path, text, line, at, old, new):
        self.path, self.line, self.at, self.old, self.new = path, line, at, old, new
        begin = text.rfind("\n", 0, at) + 1
        end = text.find("\n", at + len(old))
        self.before = " ".join(text[begin:end].split())
        self.after = " ".join((text[begin:at] + new + text[at + len(old):end]).split())
        self.key = None

    def where(self):
        return f"{self.path}:{self.line}"

    def what(self):
        return f"{self.before} -> {self.after}"


def tokens_of(text):
    tokens, line, seen = [], 1, 0
    for m in TOKEN.finditer(text):
        line += text.count("\n", seen, m.start())
        seen = m.start()
        if m.lastgroup != "skip":
            tokens.append(Token(m, line))
    return tokens


def closing(tokens, i):
    """The index of the bracket that closes the one at i."""
    depth = 0
    for k in range(i, len(tokens)):
        depth += tokens[k].text in "([{" and tokens[k].kind == "op"
        depth -= tokens[k].text in ")]}" and tokens[k].kind == "op"
        if depth == 0:
            return k
    return len(tokens) - 1


def quiet_tokens(tokens):
    """Tokens within assertions and sizes, where a change is no change of the program."""
    quiet, i = set(), 0
    while i + 1 < len(tokens):
        if tokens[i].text in QUIET and tokens[i + 1].text == "(":
            end = closing(tokens, i + 1)
            quiet.update(range(i, end + 1))
            i = end
        elif tokens[i].text == "sizeof":  # of an expression without brackets around it
            while tokens[i + 1].kind != "op" or tokens[i + 1].text in ("->", ".", "[", "*"):
                i = closing(tokens, i + 1) if tokens[i + 1].text == "[" else i + 1
                quiet.add(i)
        i += 1
    return quiet


def statement_begins(tokens):
    """Indices at which a statement may begin, within functions."""
    begins, depth = set(), 0
    for i, t in enumerate(tokens[:-1]):
        if t.text == "{":
            depth += 1
        elif t.text == "}":
            depth -= 1
        if depth > 0 and t.text in (";", "{", "}", ")", "else"):
            begins.add(i + 1)
    return begins


def dropped(tokens, i):
    """The last index of an expression statement, `continue;` or `break;` that begins at i, or None."""
    t = tokens[i]
    if t.kind != "name" and t.text not in ("*", "(", "++", "--"):
        return None
    if t.text in TYPES or t.text in KEYWORDS:
        return None
    if t.text in ("continue", "break"):
        return i + 1 if tokens[i + 1].text == ";" else None
    if t.kind == "name" and (tokens[i + 1].kind == "name" or tokens[i + 1].text == "*"):
        return None  # a declaration
    if tokens[i - 1].text == ")" and not after_condition(tokens, i - 1):
        return None
    depth, acts = 0, False
    for k in range(i, len(tokens)):
        text = tokens[k].text
        if text in ("{", "}") or text == ":" and depth == 0:
            return None
        depth += text in ("(", "[")
        depth -= text in (")", "]")
        if depth < 0:
            return None
        acts |= text == "(" or text in ("++", "--") or text.endswith("=") and text not in ("==", "!=", "<=", ">=")
        if text == ";" and depth == 0:
            return k if acts else None
    return None


def after_condition(tokens, i):
    """Whether the bracket closing at i belongs to an `if`, `for` or `while`."""
    depth = 0
    for k in range(i, 0, -1):
        depth += tokens[k].text == ")"
        depth -= tokens[k].text == "("
        if depth == 0:
            return tokens[k - 1].text in ("if", "for", "while")
    return False


def is_binary(tokens, i):
    before = tokens[i - 1]
    return before.kind == "number" or before.text in (")", "]") or (
        before.kind == "name" and before.text not in KEYWORDS and before.text not in TYPES)


def is_pointer(tokens, i):
    """Whether `*` or `&` declares or takes an address: `struct x *p`, `(u8 *)p`."""
    before, after = tokens[i - 1], tokens[i + 1]
    if not is_binary(tokens, i) or after.text in (")", "*", ",", "const"):
        return True
    return before.kind == "name" and tokens[i - 2].text in ("struct", "enum", "union", "const")


def numbers(text):
    """A constant becomes one more and one less."""
    m = re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)", text)
    if not m:
        return []
    n = int(m.group(1), 0 if m.group(1)[:2].lower() == "0x" else 10)
    return [f"{k}{m.group(2)}" for k in (n + 1, n - 1) if k >= 0]


def changes(tokens, i, in_function):
    """What the token at i may become."""
    t = tokens[i]
    if t.kind == "number":
        sized = tokens[i - 1].text == "[" and tokens[i + 1].text == "]" and declares(tokens, i)
        whole = tokens[i - 1].text == "{" and tokens[i + 1].text == "}"
        return [] if sized or whole else numbers(t.text)
    if not in_function:
        return []
    if t.kind == "name":
        return [WORDS[t.text]] if t.text in WORDS else []
    if t.text in ("*", "&") and is_pointer(tokens, i):
        return []
    if t.text in ("+", "-") and not is_binary(tokens, i):
        return []
    return [OTHER[t.text]] if t.text in OTHER else []


def declares(tokens, i):
    """Whether the line of the token at i begins with a type: a constant there is the size of an array."""
    while i > 0 and tokens[i - 1].text not in (";", "{", "}", ")"):
        i -= 1
    return tokens[i].text in TYPES


def mutants_of(path, text):
    tokens = tokens_of(text)
    quiet, begins = quiet_tokens(tokens), statement_begins(tokens)
    found, depth = [], 0

    def add(first, last, new):
        old = text[tokens[first].at:tokens[last].at + len(tokens[last].text)]
        found.append(Mutant(path, text, tokens[first].line, tokens[first].at, old, new))

    for i, t in enumerate(tokens):
        depth += t.text == "{"
        depth -= t.text == "}"
        if i in quiet or i + 1 >= len(tokens):
            continue
        for new in changes(tokens, i, depth > 0):
            add(i, i, new)
        if t.text == "if" and tokens[i + 1].text == "(":
            end = closing(tokens, i + 1)
            add(i + 1, end, f"(!{text[tokens[i + 1].at:tokens[end].at + 1]})")
        if i in begins:
            end = dropped(tokens, i)
            if end:
                add(i, end, ";")
    name_mutants(found)
    return found


def name_mutants(found):
    """Names that stay when lines move: the file, the line's text before and after, and which of its like."""
    seen = {}
    for m in found:
        name = f"{m.path}\t{m.before}\t{m.after}"
        seen[name] = seen.get(name, 0) + 1
        m.key = hashlib.sha256(f"{name}\t{seen[name]}".encode()).hexdigest()[:16]


def draw(mutants, seed):
    return sorted(mutants, key=lambda m: hashlib.sha256(f"{seed} {m.key}".encode()).digest())


def is_wanted(path, only, skip):
    return (not only or any(word in path for word in only)) and not any(word in path for word in skip)


def all_mutants(only, skip, lines):
    found = []
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*")):
            path = str(file.relative_to(ROOT))
            if path not in CHECKS and file.suffix in (".c", ".h", ".inc") and is_wanted(path, only, skip):
                found += mutants_of(path, file.read_text())
    return [m for m in found if not lines or m.where() in lines]


def read_equivalent(file):
    """{(path, line after the change): number of the entry's line}: see the top of that file."""
    known = {}
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if line and not line[0].isspace() and not line.startswith("#"):
            path, _, after = line.partition(": ")
            known[path, " ".join(after.split())] = number
    return known


def show_stale(mutants, equivalent):
    there = {(m.path, m.after) for m in mutants}
    stale = [(number, path, after) for (path, after), number in equivalent.items() if (path, after) not in there]
    for number, path, after in sorted(stale):
        print(f"{EQUIVALENT}:{number}: no mutant: {path}: {after}")
    return 1 if stale else 0


# --- the copy and its build -------------------------------------------------------------------

def run(command, cwd, timeout=None, env=None):
    """The status of a command in its own process group, None if it took too long; and its output."""
    with subprocess.Popen(command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          start_new_session=True) as p:
        try:
            out, _ = p.communicate(timeout=timeout)
            return p.returncode, out.decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            p.communicate()
            return None, ""
        except BaseException:
            os.killpg(p.pid, signal.SIGKILL)
            raise


def die(what):
    print(f"mutants: {what}", file=sys.stderr)
    sys.exit(2)


class Copy:
    """The tree that is changed, built and tested."""

    def __init__(self, folder, jobs, suites):
        self.tree, self.build, self.jobs = folder / "tree", folder / "build", jobs
        self.suites, self.usual, self.listed, self.caught, self.known = suites, {}, {}, {}, None
        self.sync()

    def sync(self):
        """Files that differ are written anew, so that only they are compiled; files that went are deleted."""
        names = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, check=True,
                               stdout=subprocess.PIPE).stdout.decode().split("\0")
        wanted = {name for name in names if name and (ROOT / name).is_file()}
        for name in wanted:
            source, target = ROOT / name, self.tree / name
            data = source.read_bytes()
            if not target.is_file() or target.read_bytes() != data:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
            target.chmod(source.stat().st_mode)
        for old in self.tree.rglob("*"):
            if old.is_file() and str(old.relative_to(self.tree)) not in wanted:
                old.unlink()

    def make(self):
        if not (self.build / "build.ninja").exists():
            self.must(["cmake", "-S", str(self.tree), "-B", str(self.build), "-G", "Ninja", *FLAGS], "does not configure")
        for suite in self.suites:
            status, out = self.compile(suite)
            if status:
                die(f"{suite[0]} does not build:\n{out[-3000:]}")

    def must(self, command, what):
        status, out = run(command, ROOT)
        if status:
            die(f"the tree {what}:\n{out[-3000:]}")

    def targets(self, suite):
        if self.known is None:
            out = run(["ninja", "-t", "targets", "all"], self.build)[1]
            self.known = [line.split(":")[0] for line in out.splitlines()]
        found = [t for t in self.known if re.fullmatch(suite[1], t)]
        return found if found else die(f"{suite[0]}: nothing to build is called {suite[1]}")

    def compile(self, suite):
        return run(["ninja", f"-j{self.jobs}", *self.targets(suite)], self.build)

    def commands(self, suite):
        """(name, command, folder it runs in)"""
        if suite[2]:
            command = ["ctest", "--test-dir", str(self.build), "-R", suite[2], "--stop-on-failure", "--output-on-failure",
                       "-j", str(self.jobs)]
            return [(suite[0], command, self.build)]
        found = []
        for target in self.targets(suite):
            if target.startswith("tests/"):
                found += self.files(self.build / target)
        return found

    def files(self, program):
        """A program of several files lists its cases as FILE.CASE; those of rooms beyond what is changed are left out."""
        if program not in self.listed:
            out = run([str(program), "--list"], self.build)[1]
            found = sorted({line.split(".")[0] for line in out.split() if "." in line})
            source = self.tree / "tests" / program.name.split(".")[0]
            self.listed[program] = [f for f in found if not BEYOND.search((source / f"{f}.c").read_text())]
        files = self.listed[program]
        name, folder = program.name, self.build / "tests" / "run"
        if not files:
            return [(name, [str(program)], folder / name)]
        return [(f"{name}.{file}", [str(program), file], folder / f"{name}.{file}") for file in files]

    def one(self, name, command, folder):
        """The status and output of one program, killed when it takes far longer than unchanged."""
        folder.mkdir(parents=True, exist_ok=True)
        env = dict(os.environ, SMELT=str(self.build / "smelt"), SRC=str(self.tree))
        usual = self.usual.get(name)
        if usual is None:
            return run(command, folder, None, env)
        seconds = int(SLACK * usual) + 3
        return run(["prlimit", f"--cpu={seconds}", *command], folder, 30 * seconds, env)

    def test(self, suite, path):
        """What failed first, or None.  Files that caught others there, or are named alike, run first, then the cheapest."""
        def rank(command):
            name = command[0]
            return -alike(path, name) - self.caught.get((path, name), 0), self.usual.get(name, 0)

        todo = sorted(self.commands(suite), key=rank)
        with ThreadPoolExecutor(self.jobs) as pool:
            for i in range(0, len(todo), self.jobs):
                some = todo[i:i + self.jobs]
                for command, (status, out) in zip(some, pool.map(lambda c: self.one(*c), some)):
                    if status != 0:
                        self.note(path, command[0])
                        return first_failure(command[0], status, out)
        return None

    def note(self, path, name):
        self.caught[path, name] = self.caught.get((path, name), 0) + 1

    def measure(self):
        """All must pass unchanged; what each takes bounds its time."""
        for suite in self.suites:
            begin = time.time()
            for command in self.commands(suite):
                start = processor_time()
                status, out = self.one(*command)
                if status != 0:
                    die(f"{command[0]} fails without a change:\n{out[-3000:]}")
                self.usual[command[0]] = processor_time() - start
            say(f"{suite[0]} passes unchanged, {time.time() - begin:.0f} s")

    def write(self, mutant):
        file = self.tree / mutant.path
        text = (ROOT / mutant.path).read_text()
        file.write_text(text[:mutant.at] + mutant.new + text[mutant.at + len(mutant.old):])

    def restore(self, mutant):
        (self.tree / mutant.path).write_bytes((ROOT / mutant.path).read_bytes())


def processor_time():
    """Of the programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def alike(path, test):
    """How many words of a source's name begin one of the test's, or the other way round: lsu_atom.c and t_atomic."""
    words = re.split(r"[_.]", Path(path).stem)
    return sum(any(w.startswith(t) or t.startswith(w) for t in re.split(r"[_.]", test)[1:] if len(t) > 1) for w in words)


def first_failure(name, status, out):
    m = re.search(r"\[  FAILED  \] (\w+)|^\s*\d+ - (\S+) \((?:Failed|Timeout|SEGFAULT|.*[Aa]bort.*)\)", out, re.M)
    running = re.findall(r"\[ RUN      \] (\w+)", out)
    case = m and (m.group(1) or m.group(2)) or running and running[-1] or ""
    how = "time" if status is None else f"signal {-status}" if status < 0 else "failed"
    return f"{name} {case} ({how})"


def judge(copy, mutant, passed):
    """(verdict, suite, what failed); `passed` are the suites that are known not to notice."""
    copy.write(mutant)
    try:
        for suite in copy.suites:
            if suite[0] in passed or not re.match(suite[3], mutant.path):
                continue
            status, out = copy.compile(suite)
            if status:
                if re.search(r"error: |undefined reference|FAILED: .*\.o", out):
                    return "invalid", "", ""
                return "caught", suite[0], "build"
            failed = copy.test(suite, mutant.path)
            if failed:
                return "caught", suite[0], failed
        return "survived", ",".join(dict.fromkeys(passed + [s[0] for s in copy.suites])), ""
    finally:
        copy.restore(mutant)


# --- results ----------------------------------------------------------------------------------

def say(what):
    print(what, flush=True)


class Results:
    """A line each: name, verdict, suite, what failed, where, the change.  `by`: where what was caught, and by whom."""

    def __init__(self, file):
        self.file, self.of, self.by = file, {}, []
        for line in file.read_text().splitlines() if file.exists() else []:
            fields = line.split("\t")
            self.of[fields[0]] = tuple(fields[1:4])
            if fields[1] == "caught":
                self.by.append((fields[4].split(":")[0], fields[3].split()[0]))

    def add(self, mutant, verdict):
        self.of[mutant.key] = verdict
        with self.file.open("a") as f:
            f.write("\t".join([mutant.key, *verdict, mutant.where(), mutant.what()]) + "\n")


def table(rows, head):
    rows = [head, *rows]
    width = [max(len(str(r[i])) for r in rows) for i in range(len(head))]
    for r in rows:
        say("  ".join(str(c).ljust(w) if i == 0 else str(c).rjust(w) for i, (c, w) in enumerate(zip(r, width))))
    say("")


def per_cent(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else "-"


def report(done, suites):
    """done: [(mutant, verdict)], equivalent ones left out of the sums."""
    counted = [(m, v) for m, v in done if v[0] in ("caught", "survived")]
    rows = []
    for folder in FOLDERS + [""]:
        here = [v for m, v in counted if m.path.startswith(folder + "/" if folder else "")]
        caught = sum(v[0] == "caught" for v in here)
        rows.append((folder or "all", len(here), caught, len(here) - caught, per_cent(caught, len(here))))
    say("")
    table(rows, ("folder", "mutants", "caught", "survived", ""))
    rows, so_far = [], 0
    for suite in suites:
        n = sum(v[0] == "caught" and v[1] == suite[0] for _, v in counted)
        so_far += n
        rows.append((suite[0], n, so_far, per_cent(so_far, len(counted))))
    table(rows, ("suite", "caught", "with those before", ""))
    for what, verdict in (("explained as equivalent", "equivalent"), ("survived", "survived")):
        some = [m for m, v in done if v[0] == verdict]
        if some:
            say(f"{len(some)} {what}:")
        for m in some:
            say(f"  {m.where()}: {m.before}\n      -> {m.after}")
    return any(v[0] == "survived" for _, v in counted)


# --- main -------------------------------------------------------------------------------------

def arguments():
    p = argparse.ArgumentParser(usage=__doc__, add_help=False)
    p.add_argument("n", type=int, nargs="?", default=60)
    p.add_argument("--only", action="append", default=[])
    p.add_argument("--skip", action="append", default=[])
    p.add_argument("--line", action="append", default=[])
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--suites", default=",".join(s[0] for s in SUITES))
    p.add_argument("--again", action="store_true")
    p.add_argument("--list", action="store_true")
    p.add_argument("--stale", action="store_true")
    p.add_argument("-o", dest="folder", type=Path, default=ROOT / "build" / "mutants")
    p.add_argument("-h", "--help", action="store_true")
    a = p.parse_args()
    if a.help:
        print(__doc__)
        sys.exit(0)
    names = a.suites.split(",")
    unknown = set(names) - {s[0] for s in SUITES}
    if unknown or a.n < 1 or a.jobs < 1:
        die(f"unknown suite {', '.join(sorted(unknown))}" if unknown else "N and J are at least 1")
    a.suites = [s for s in SUITES if s[0] in names]
    a.folder = a.folder.resolve()
    return a


def main():
    a = arguments()
    candidates = all_mutants(a.only, a.skip, a.line)
    if not candidates:
        die("nothing to change there")
    equivalent = read_equivalent(ROOT / EQUIVALENT)
    if a.stale:
        return show_stale(candidates, equivalent)
    order = draw(candidates, a.seed) if not a.line else candidates
    wanted = len(order) if a.line else a.n
    if a.list:
        for m in order[:wanted]:
            say(f"{m.where()}: {m.what()}")
        return 0
    a.folder.mkdir(parents=True, exist_ok=True)
    results = Results(a.folder / "results.tsv")
    names, copy, done = {s[0] for s in a.suites}, None, []
    for m in order:
        verdict = results.of.get(m.key)
        if (m.path, m.after) in equivalent:
            verdict = ("equivalent", "", "")
        if verdict is None or verdict[0] == "survived" and (a.again or names - set(verdict[1].split(","))):
            if copy is None:
                copy = Copy(a.folder, a.jobs, a.suites)
                for path, name in results.by:
                    copy.note(path, name)
                copy.make()
                copy.measure()
            begin = time.time()
            verdict = judge(copy, m, verdict[1].split(",") if verdict and not a.again else [])
            results.add(m, verdict)
            say(f"{len(done) + 1}: {verdict[0]} {verdict[1]} {m.where()}: {m.what()} {verdict[2]} "
                f"({time.time() - begin:.0f} s)")
        if verdict[0] == "invalid":
            continue
        done.append((m, verdict))
        if sum(v[0] != "equivalent" for _, v in done) >= wanted:
            break
    return 1 if report(done, a.suites) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
