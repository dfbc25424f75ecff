"""Opens the pages that `run` made and tries what a reader would: look, sort, search, open, and all of it by keyboard."""

import json
import pathlib
import sys
import time

from browser import Browser

ROWS = "[...document.querySelectorAll('#class tbody tr:not(.more)')].filter(row => !row.hidden)"
CELLS = ROWS + ".map(row => row.cells[{}].textContent.trim())"
# What the keyboard should reach: whatever can be acted on and is to be seen.
REACHABLE = """[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')]
  .filter(e => e.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true}) && !e.closest('details:not([open]) > :not(summary)'))"""

checks = 0


def expect(is_so, what):
    global checks
    checks += 1
    if not is_so:
        sys.exit(f"FAILED: {what}")


def fits(browser, name):
    wide = browser.run("[document.documentElement.scrollWidth, innerWidth]")
    expect(wide[0] <= wide[1], f"{name}: the page is {wide[0]} pixels wide in a window of {wide[1]}")


def quiet(browser, name):
    browser.run("new Promise(done => setTimeout(done, 50))")
    expect(not browser.troubles, f"{name}: {browser.troubles}")
    strange = [url for url in browser.requests if not url.startswith(("file://", "about:"))]
    expect(not strange, f"{name} asks the network for {strange}")
    expect(browser.run("typeof pwned === 'undefined'"), f"{name}: an answer was obeyed")
    expect(browser.run("document.images.length + document.scripts.length <= 1"), f"{name}: something foreign is in the page")


def numbers(cells):
    return [float(cell) if cell else float("-inf") for cell in cells]


def look(browser, page, room, name):
    """Pictures of a page in each way it is read."""
    for width, dark in [(1280, False), (1280, True), (360, False), (360, True)]:
        browser.size(width, dark=dark)
        browser.open(page)
        fits(browser, f"{name} at {width}")
        browser.picture(room / f"{name}-{width}{'-dark' if dark else ''}.png")
        quiet(browser, name)
    browser.size(794, media="print")
    browser.open(page)
    fits(browser, f"{name} on paper")
    browser.picture(room / f"{name}-print.png")
    browser.paper(room / f"{name}.pdf")
    expect((room / f"{name}.pdf").read_bytes().startswith(b"%PDF"), f"{name} cannot be printed")


def names(browser):
    """Everything that is drawn or asked for has a name for those who cannot see it."""
    unnamed = browser.run("""[...document.querySelectorAll('svg[role=img]')].filter(svg => {
        const title = document.getElementById(svg.getAttribute('aria-labelledby'));
        return !title || !title.textContent.trim() || !svg.contains(title);
    }).length""")
    expect(unnamed == 0, f"{unnamed} charts have no name")
    expect(browser.run("[...document.querySelectorAll('svg:not([role=img])')].every(svg => svg.getAttribute('aria-hidden') === 'true')"),
           "a picture that says nothing is read out")
    expect(browser.run("[...document.querySelectorAll('input, select')].every(field => field.labels.length === 1)"), "a field has no label")
    expect(browser.run("new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size === document.querySelectorAll('[id]').length"),
           "two places have the same name")


def table(browser):
    """The table sorts and filters."""
    count = len(browser.run(CELLS.format(0)))
    expect(count == 43, f"{count} students are in the table")
    browser.click("#class thead th:nth-child(2) button")
    points = numbers(browser.run(CELLS.format(1)))
    expect(points == sorted(points, reverse=True) and points[0] > points[-1], f"most points do not come first: {points}")
    expect(browser.run("document.querySelector('#class thead th:nth-child(2)').getAttribute('aria-sort')") == "descending", "aria-sort")
    browser.click("#class thead th:nth-child(2) button")
    points = numbers(browser.run(CELLS.format(1)))
    expect(points == sorted(points), f"fewest points do not come first: {points}")
    browser.click("#class thead th:nth-child(1) button")
    names = browser.run(CELLS.format(0))
    expect(names == sorted(names, key=lambda name: ("t" if name.startswith("<") else name.lower())) or len(names) == count, "names do not sort")

    browser.run("document.getElementById('search').focus()")
    browser.ask("Input.insertText", text="Student7, s007")
    browser.run("new Promise(done => setTimeout(done, 120))")
    expect(len(browser.run(CELLS.format(0))) == 1, "the search does not find one student")
    expect(browser.run("document.getElementById('shown').textContent") == "1 of 43", "how many are shown is not said")
    browser.run("(s => { s.value = ''; s.dispatchEvent(new Event('input')); })(document.getElementById('search'))")
    browser.run("new Promise(done => setTimeout(done, 120))")
    browser.run("(f => { f.value = 'error'; f.dispatchEvent(new Event('change')); })(document.getElementById('filter'))")
    expect(len(browser.run(CELLS.format(0))) == 1, "the filter does not find what was not graded")
    browser.run("(f => { f.value = ''; f.dispatchEvent(new Event('change')); })(document.getElementById('filter'))")
    expect(len(browser.run(CELLS.format(0))) == count, "nobody comes back")


def answers(browser):
    """A row opens its answer in place, a link into an answer opens its row, and both close again."""
    browser.click("#class tbody tr:nth-child(5) th a")
    expect(browser.run("document.querySelectorAll('#class tr.more article pre.answer').length") == 1, "the answer does not open")
    expect(browser.run("document.querySelector('#class tbody tr:nth-child(5) th a').ariaExpanded") == "true", "that it is open is not said")
    browser.click("#class thead th:nth-child(2) button")
    expect(browser.run("document.querySelector('#class tr.more').previousElementSibling.classList.contains('open')"), "sorting parts a row from its answer")
    browser.run("document.querySelector('#class tr.open th a').click()")
    expect(browser.run("document.querySelectorAll('#class tr.more').length") == 0, "the answer does not close")
    mark = browser.run("document.querySelector('#answers article a.m').id")
    browser.run(f"void (location.hash = {json.dumps(mark)})")
    browser.run("new Promise(done => setTimeout(done, 120))")
    expect(browser.run(f"document.getElementById({json.dumps(mark)}).checkVisibility()"), "a link into an answer does not open it")


def keyboard(browser):
    """Tab reaches everything once, in order, and Enter does what a click does."""
    browser.run("void document.querySelectorAll('details').forEach(e => { if (!e.closest('#answers')) e.open = true; })")
    browser.run(f"void {REACHABLE}.forEach((e, at) => e.dataset.name = at)")
    wanted = browser.run(f"{REACHABLE}.length")
    browser.run("document.activeElement.blur(), void scrollTo(0, 0), getSelection().removeAllRanges()")
    reached = []
    for _ in range(wanted + 5):
        browser.key("Tab")
        at = browser.run("document.activeElement.dataset.name")
        if at is None or int(at) in reached:
            break
        reached.append(int(at))
    missed = sorted(set(range(wanted)) - set(reached))
    if missed:
        what = browser.run(f"{REACHABLE}.filter(e => {missed[:5]}.includes(Number(e.dataset.name))).map(e => e.outerHTML.slice(0, 120))")
        expect(False, f"the keyboard misses {len(missed)} of {wanted}: {what}")
    expect(reached == sorted(reached), "the keyboard does not go in the order of the page")
    browser.run("document.querySelector('#class thead th:nth-child(3) button').focus()")
    browser.key("Enter")
    expect(browser.run("document.querySelector('#class thead th:nth-child(3)').ariaSort") == "descending", "Enter does not sort")
    browser.run("document.querySelector('#class tbody th a').focus()")
    browser.key("Enter")
    expect(browser.run("document.querySelectorAll('#class tr.more').length") >= 1, "Enter does not open an answer")
    browser.key("Tab")
    expect(browser.run("!!document.activeElement.closest('article')"), "Tab does not go on into the answer")
    focus = browser.run("getComputedStyle(document.activeElement).outlineStyle")
    expect(focus != "none", "where the focus is cannot be seen")


def without_script(browser, page):
    """Everything is there without the script: charts, table, and every answer in its fold."""
    browser.scripts(False)
    browser.open(page, "#s3")
    expect(browser.run("document.querySelector('.controls').checkVisibility()") is False, "fields that do nothing are shown")
    expect(browser.run("document.querySelectorAll('#class thead button').length") == 0, "buttons that do nothing are shown")
    expect(browser.run("document.querySelector('#answers').checkVisibility()"), "without the script there are no answers")
    expect(browser.run("document.getElementById('s3').closest('details').open"), "a link to a student does not open the answer")
    browser.scripts(True)


def main():
    program, room = sys.argv[1], pathlib.Path(sys.argv[2])
    began = time.monotonic()
    with Browser(program) as browser:
        page = room / "run" / "report.html"
        look(browser, page, room, "report")
        browser.size(1280)
        browser.open(page)
        names(browser)
        table(browser)
        answers(browser)
        browser.open(page)
        keyboard(browser)
        top = browser.run("document.querySelector('#students0').getBoundingClientRect().top + scrollY")
        browser.picture(room / "students-1280.png", top, 1400)
        quiet(browser, "the report")
        browser.size(360)
        browser.open(page, "#s3")
        fits(browser, "an open answer at 360")
        quiet(browser, "the report")
        browser.size(1280)
        without_script(browser, page)
        for name in ["check", "grade", "check-print", "grade-print"]:
            look(browser, room / f"{name}.html", room, name)
        for feedback in sorted((room / "run" / "feedback").glob("*.html")):
            browser.size(360)
            browser.open(feedback)
            fits(browser, feedback.name)
            quiet(browser, feedback.name)
    print(f"{checks} checks in {time.monotonic() - began:.0f} s; pictures in {room}")


main()
