"""check.py STUDY.html RUN.html STORE.html FOLDER: pages in a browser; FOLDER has the study's CSV."""
import os
import sys

import browser
import markup

failures = []


def same(what, is_, wanted):
    if is_ != wanted:
        failures.append(f"{what}: {is_!r}, expected {wanted!r}")


def check_quiet(name, page):
    same(f"{name}: console", page.said, [])
    outside = [a for a in page.asked if a != page.address and not a.startswith("data:")]
    same(f"{name}: requests", outside, [])


def check_markup(path):
    with open(path, encoding="utf-8") as f:
        same(f"{path}: markup", markup.Markup(f.read()).wrong, [])


COLUMN = """[...document.querySelector('%s table').tBodies[0].rows].map(r => r.cells[%d].textContent)"""
HEAD = """document.querySelector('%s thead').rows[0].cells[%d]"""


def check_sorting(page):
    place = "#figure-fig1"
    evil = "<script>document.title='caught'</script>"
    numbers, names = COLUMN % (place, 1), COLUMN % (place, 0)
    head = HEAD % (place, 1)
    page.run("document.querySelector('#figure-fig1 details').open = true")
    same("before", page.run(numbers), ["9.50", "100.2", ""])
    page.run(head + ".querySelector('button').click()")
    same("upwards", page.run(numbers), ["9.50", "100.2", ""])
    same("told", page.run(head + ".getAttribute('aria-sort')"), "ascending")
    page.run(head + ".querySelector('button').click()")
    same("downwards", page.run(numbers), ["100.2", "9.50", ""])
    same("told", page.run(head + ".getAttribute('aria-sort')"), "descending")
    same("the foot stays", page.run("document.querySelector('#figure-fig1 tfoot th').textContent"),
         "mean")
    page.run((HEAD % (place, 0)) + ".querySelector('button').focus()")
    page.press("Enter", 13)
    same("by key, as texts", page.run(names), [evil, "a \"b\", 'c' & d", "ten"])
    same("one at a time", page.run("document.querySelectorAll('#figure-fig1 [aria-sort]').length"), 1)
    page.press("Tab", 9)
    same("the next head has the focus", page.run("document.activeElement.textContent"), "ours")


def check_figures(page):
    sizes = page.run("""[...document.querySelectorAll('.picture svg')].map(s => {
        const r = s.getBoundingClientRect(); return r.width > 300 && r.height > 150; })""")
    same("pictures", sizes, [True, True])
    same("marks refer to their own picture", page.run("""[...document.querySelectorAll('.picture use')]
        .every(u => document.querySelector(u.getAttribute('xlink:href')).closest('svg') ===
                    u.closest('svg'))"""), True)
    same("labels", page.run("""document.querySelector('#figure-fig1 svg').textContent
        .includes('<script>')"""), True)


def check_csv(browser_, page, folder):
    browser_.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=os.getcwd(),
                  eventsEnabled=True)
    page.run("document.querySelector('#figure-fig1 .csv a').click()")
    same("name", browser_.wait("Browser.downloadWillBegin")["suggestedFilename"], "fig1.csv")
    browser_.wait("Browser.downloadProgress", state="completed")
    with open("fig1.csv", "rb") as got, open(f"{folder}/fig1.csv", "rb") as wanted:
        same("CSV", got.read(), wanted.read())


def check_looks(name, page):
    for width in (1280, 500):
        for dark in (False, True):
            page.show(width, dark)
            same(f"{name}: {width} wide", page.run("""document.documentElement.scrollWidth -
                document.documentElement.clientWidth"""), 0)
            page_colour = page.run("getComputedStyle(document.body).backgroundColor")
            same(f"{name}: dark", page_colour != "rgb(255, 255, 255)", dark)
            pictures = page.run("""[...document.querySelectorAll('.picture')]
                .every(p => getComputedStyle(p).backgroundColor === 'rgb(255, 255, 255)')""")
            same(f"{name}: pictures on white", pictures, True)


def check_paper(page):
    closed = "document.querySelectorAll('details:not([open])').length"
    before = page.run(closed)
    page.run("dispatchEvent(new Event('beforeprint'))")
    same("all unfolded", page.run(closed), 0)
    page.run("dispatchEvent(new Event('afterprint'))")
    same("as before", page.run(closed), before)


def check_study(b, path, folder):
    page = b.open(path)
    same("no label is a script", page.run("document.title"),
         "Made & <script>document.title='caught'</script>")
    check_figures(page)
    check_sorting(page)
    check_looks("study", page)
    check_paper(page)
    check_csv(b, page, folder)
    check_quiet("study", page)


def check_run(b, path):
    page = b.open(path)
    check_looks("run", page)
    pictures = page.run("document.querySelectorAll('.picture svg').length")
    same("figures of a run", pictures >= 3, True)
    page.run((HEAD % ("#kernels", 3)) + ".querySelector('button').click()")
    cycles = [int(c) for c in page.run(COLUMN % ("#kernels", 3))]
    same("kernels by cycles", cycles, sorted(cycles))
    check_quiet("run", page)


def check_store(b, path):
    page = b.open(path)
    check_looks("store", page)
    same("rows", page.run("document.querySelector('tbody').rows.length"), 4)
    page.run((HEAD % ("main", 5)) + ".querySelector('button').click()")
    page.run((HEAD % ("main", 5)) + ".querySelector('button').click()")
    same("by cycles", page.run(COLUMN % ("main", 5)), ["3000", "2000", "1000", ""])
    check_quiet("store", page)


def main(study, run, store, folder):
    for path in (study, run, store):
        check_markup(path)
    with browser.Browser() as b:
        check_study(b, study, folder)
        check_run(b, run)
        check_store(b, store)
    if failures:
        print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main(*sys.argv[1:]))
