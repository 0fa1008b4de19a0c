#!/usr/bin/env python3
"""coverage -- which lines of src the tests have executed, after gcov.

    tools/coverage.py BUILD OUT [--source DIR] [--against FILE]

BUILD is a build folder with --coverage whose programs have run.  Written are OUT/index.html, a page
with folders, files and the lines that nobody has executed, and OUT/coverage.txt, a line for each
file: lines covered, lines, per cent, path.  Only files below DIR (src) of this tree count.

    --against FILE  such a coverage.txt of another time: files whose percentage is lower now are
                    named, and the status is 1.  A file that is not in it is compared with nothing.

Lines that a compiler makes no code of do not count.  A line that several programs or instruction
sets compile is covered if one of them executed it.
"""

import argparse
import html
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Coverage of smelt</title>
<meta name="viewport" content="width=device-width">
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; }}
table {{ border-collapse: collapse; }}
td, th {{ padding: .1em .8em; text-align: right; font-variant-numeric: tabular-nums; }}
td:first-child, th:first-child {{ text-align: left; padding-left: 0; }}
details {{ margin: .2em 0; }}
summary span {{ color: GrayText; }}
pre {{ font-size: 13px; margin: .3em 0 .8em 1em; overflow-x: auto; }}
pre b {{ font-weight: normal; color: GrayText; }}
</style></head><body>
<h1>Coverage</h1>
<p>{covered} of {lines} lines, {percent}: what the tests of <code>./run coverage</code> have executed.
Below, a folder's files with the lines that nobody has.</p>
<table><tr><th>folder</th><th>files</th><th>lines</th><th>covered</th><th></th></tr>
{folders}
</table>
{files}
</body></html>
"""


def die(what):
    print(f"coverage: {what}", file=sys.stderr)
    sys.exit(2)


# --- what was executed ------------------------------------------------------------------------

def gcov(notes):
    """[(path of a source file, {line: times})] of an object; without counts if nobody ran it."""
    p = subprocess.run(["gcov", "--json-format", "--stdout", str(notes)], cwd=notes.parent, check=False,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode:
        die(f"gcov {notes}: {p.stderr.decode(errors='replace').strip()}")
    found = []
    for text in p.stdout.splitlines():
        report = json.loads(text)
        for file in report["files"]:
            path = os.path.normpath(os.path.join(report["current_working_directory"], file["file"]))
            found.append((path, {line["line_number"]: line["count"] for line in file["lines"]}))
    return found


def executed(build, source):
    """{path: {line: times}} of the files below `source`."""
    objects = sorted(Path(build).rglob("*.gcno"))
    if not objects:
        die(f"{build}: nothing there was built with --coverage")
    lines = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(gcov, objects):
            for path, counts in found:
                if path.startswith(f"{source}{os.sep}"):
                    of_file = lines.setdefault(os.path.relpath(path, source.parent), {})
                    for line, n in counts.items():
                        of_file[line] = of_file.get(line, 0) + n
    if not lines:
        die(f"{build}: no object is made of files of {source}")
    return lines


def sums(lines):
    """{path: (covered, lines)}"""
    return {path: (sum(n > 0 for n in of.values()), len(of)) for path, of in sorted(lines.items()) if of}


# --- what is written --------------------------------------------------------------------------

def per_cent(covered, lines):
    """Rounded down: 100.0 is all."""
    return f"{1000 * covered // lines / 10:.1f}"


def write_text(file, of):
    rows = [f"{covered} {lines} {per_cent(covered, lines)} {path}\n" for path, (covered, lines) in of.items()]
    file.write_text("".join(rows))


def missed(path, counts):
    """Lines that nobody executed, with their text; a mark between those that are apart."""
    text = path.read_text(errors="replace").splitlines()
    rows, last = [], None
    for line in sorted(n for n, times in counts.items() if not times):
        if last is not None and line > last + 1:
            rows.append("<b>  ..</b>")
        rows.append(f"<b>{line:5}</b> {html.escape(text[line - 1])}" if line <= len(text) else "")
        last = line
    return "\n".join(rows)


def row(cells):
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def write_page(file, source, lines, of):
    folders, files = {}, []
    for path, (covered, n) in of.items():
        has = folders.setdefault(os.path.dirname(path), [0, 0, 0])
        has[0], has[1], has[2] = has[0] + 1, has[1] + n, has[2] + covered
    last = None
    for path, (covered, n) in of.items():
        folder = os.path.dirname(path)
        if folder != last:
            files.append(f'<h2 id="{folder}">{folder}</h2>')
        last = folder
        what = f"{os.path.basename(path)} <span>{covered} of {n}, {per_cent(covered, n)} %</span>"
        if covered == n:
            files.append(f"<div>{what}</div>")
        else:
            text = missed(source.parent / path, lines[path])
            files.append(f"<details><summary>{what}</summary><pre>{text}</pre></details>")
    rows = [row((f'<a href="#{name}">{name}</a>', n, all_lines, covered, per_cent(covered, all_lines) + " %"))
            for name, (n, all_lines, covered) in folders.items()]
    covered, n = sum(c for c, _ in of.values()), sum(k for _, k in of.values())
    file.write_text(PAGE.format(covered=covered, lines=n, percent=per_cent(covered, n) + " %",
                                folders="\n".join(rows), files="\n".join(files)))


def read_text(file):
    """{path: (covered, lines)} of an earlier coverage.txt."""
    of = {}
    for number, line in enumerate(file.read_text().splitlines(), 1):
        fields = line.split(" ", 3)
        if len(fields) != 4 or not fields[0].isdigit() or not fields[1].isdigit() or fields[1] == "0":
            die(f"{file}:{number}: not a line of a coverage.txt: COVERED LINES PERCENT PATH")
        of[fields[3]] = (int(fields[0]), int(fields[1]))
    return of


def compare(before, now):
    """Prints the files that are lower; whether there are none."""
    lower = 0
    for path, (covered, lines) in now.items():
        had = before.get(path)
        if had and covered * had[1] < had[0] * lines:
            print(f"{path}: {per_cent(covered, lines)} % of {lines} lines, before {per_cent(*had)} % of {had[1]}")
            lower += 1
    return lower == 0


def main():
    p = argparse.ArgumentParser(usage=__doc__, add_help=False)
    p.add_argument("build", type=Path)
    p.add_argument("out", type=Path)
    p.add_argument("--source", type=Path, default=ROOT / "src")
    p.add_argument("--against", type=Path)
    if {"-h", "--help"} & set(sys.argv):
        print(__doc__)
        return 0
    a = p.parse_args()
    if a.against and not a.against.is_file():
        die(f"--against {a.against}: no such file")
    before = read_text(a.against) if a.against else None
    source = a.source.resolve()
    lines = executed(a.build.resolve(), source)
    of = sums(lines)
    a.out.mkdir(parents=True, exist_ok=True)
    write_text(a.out / "coverage.txt", of)
    write_page(a.out / "index.html", source, lines, of)
    covered, n = sum(c for c, _ in of.values()), sum(k for _, k in of.values())
    print(f"{covered} of {n} lines, {per_cent(covered, n)} %: {a.out / 'index.html'}")
    return 0 if before is None or compare(before, of) else 1


if __name__ == "__main__":
    sys.exit(main())
