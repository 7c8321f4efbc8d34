#!/usr/bin/env python3
"""Looks at the page of procd-web in headless Chromium, as people would use it.

    Tests/Browser/page.py --url "$(procd web open)" [--pictures FOLDER]

Needs Debian's chromium and the Python packages playwright and axe-core-python.
Walks every view at desktop and phone width, light and dark, and in German, takes pictures, holds each against the rules of
axe-core, and checks the keyboard, the console, overflow, the list of all jobs, and the size of the files.
Uses whatever documents there are. Ends with 1 where something does not hold.
"""
import argparse
import pathlib
import re
import sys
import tempfile
import time
import urllib.parse

from languages import ENGLISH, german
from making import making

try:
    import axe_core_python
    from playwright.sync_api import TimeoutError as Late, sync_playwright
except ImportError as missing:
    sys.exit(f"page.py: {missing.name} is missing: pip install playwright axe-core-python (and Debian's chromium)")

SIZES = ((1280, 800), (390, 844))
VIEWS = ("now", "documents", "assemble", "jobs", "drop", "find", "quarantine", "deleted", "figures", "rules")
SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "docs/samples"
# Of the files of the first view, as they are sent.
MOST_BYTES = 60_000
failed = []


def check(what, holds, detail=""):
    print(f"{'ok  ' if holds else 'FAIL'} {what} {detail}".rstrip(), flush=True)
    if not holds:
        failed.append(what)


def axe_source():
    folder = pathlib.Path(axe_core_python.__file__).parent
    return next(folder.rglob("axe*.js")).read_text()


class Walk:
    def __init__(self, browser, link, width, height, scheme, pictures, axe, locale="en-GB"):
        self.base = "{0.scheme}://{0.netloc}/".format(urllib.parse.urlsplit(link))
        self.language = locale.split("-")[0]
        self.name = f"{width}-{scheme}" if self.language == "en" else f"{width}-{self.language}"
        self.pictures, self.axe, self.width = pictures, axe, width
        self.errors = []
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, bypass_csp=True,
            has_touch=width < 600, reduced_motion="reduce", locale=locale)
        self.page = self.context.new_page()
        self.page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        self.page.on("dialog", lambda dialog: (self.errors.append("a name was run as script"), dialog.dismiss()))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(link)
        self.page.evaluate("history.replaceState(null, '', '/')")

    def go(self, hash_):
        self.page.evaluate("hash => { location.hash = hash; }", hash_)
        view = hash_.lstrip("#/").split("/")[0].split("?")[0]
        self.page.wait_for_selector(f".view[data-view={view}] h1", timeout=15000)
        self.settle()

    def settle(self):
        # Events never end, so the network is never idle: wait until the view has no more to draw.
        self.page.wait_for_timeout(600)

    def picture(self, name):
        if self.pictures:
            self.page.screenshot(path=str(self.pictures / f"{name}-{self.name}.png"))

    def hold(self, what):
        """What must be so in every state of every view."""
        found = self.page.evaluate("""async (source) => {
          if (!window.axe) (0, eval)(source);
          const { violations } = await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] });
          return violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 140)} ${(node.any[0] || node.all[0] || node.none[0] || {}).message || ''}`).join(' | ')}`);
        }""", self.axe)
        check(f"{what} {self.name}: axe finds nothing", not found, "; ".join(found))
        wide = self.page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
        check(f"{what} {self.name}: not wider than the window", wide[0] <= wide[1], str(wide) if wide[0] > wide[1] else "")
        # A refused upload is told on its card; that the browser notes it too is no fault of the page.
        errors = [error for error in self.errors if "status of 409" not in error]
        check(f"{what} {self.name}: the console is clean", not errors, "; ".join(errors[:3]))
        self.errors.clear()
        check(f"{what} {self.name}: has a title and one heading of the first order", self.page.evaluate(
            "document.title.endsWith('procd') && document.querySelectorAll('main h1').length === 1"))
        if self.language != "en":
            left = self.page.evaluate(ENGLISH)
            check(f"{what} {self.name}: no English is left", not left, "; ".join(left[:5]))

    def documents(self):
        """One document of each kind that the latest jobs have."""
        return self.page.evaluate("""async () => {
          const ask = async (path) => (await fetch('api/v1/' + path)).json();
          const kinds = {};
          const { jobs } = await ask('jobs?limit=100');
          for (const job of jobs) {
            const { views = {}, job: full, why } = await ask('jobs/' + encodeURIComponent(job.job));
            const own = [views.pages ? 'pages' : views.text ? 'text' : null, views.rows && 'rows', views.notes && 'notes',
              views.audio && 'audio', why && 'failed', full.path.length > 150 && 'long-name', /[\\u0590-\\u08ff]/.test(full.path) && 'right-to-left'];
            for (const kind of own) if (kind && !kinds[kind]) kinds[kind] = job.job;
          }
          return kinds;
        }""")

    def walk(self):
        page = self.page
        for view in VIEWS:
            self.go(f"#/{view}")
            if view == "figures":
                page.wait_for_selector(".plot svg", timeout=10000)
            self.picture(view)
            self.hold(view)
        for span in ("week", "year"):
            self.go(f"#/figures?span={span}")
            self.hold(f"figures of a {span}")
        documents = self.documents()
        print(f"     documents: {', '.join(documents)}")
        for kind, job in documents.items():
            part = {"rows": "?part=rows", "notes": "?part=notes", "audio": "?part=audio"}.get(kind, "")
            self.go(f"#/document/{job}{part}")
            page.wait_for_selector(".tabs button", timeout=10000)
            self.settle()
            self.picture(f"document-{kind}")
            self.hold(f"document with {kind}")
        if documents:
            self.go(f"#/document/{next(iter(documents.values()))}?part=report")
            self.picture("document-report")
            self.hold("report")
        self.go("#/find?q=zzznosuchword")
        self.picture("find-nothing")
        self.hold("find without a hit")
        word = self.word(documents)
        self.go(f"#/find?q={urllib.parse.quote(word)}")
        self.picture("find-hits")
        self.hold(f"find “{word}”")
        # A word on some page that can be drawn.
        drawn = next((word for word in (word, "the", "and", "of", "der") if self.page.evaluate(
            "async (q) => (await (await fetch(`api/v1/find?q=${q}`)).json()).hits.some((hit) => hit.picture)", word)), None)
        if drawn:
            self.go(f"#/find?q={drawn}")
            strip = self.page.locator(".strip img").first
            strip.scroll_into_view_if_needed()
            self.page.wait_for_timeout(1500)
            check(f"{self.name}: the place of a hit is cut out of its page",
                  strip.evaluate("image => image.naturalWidth / image.naturalHeight > 6"))
            self.picture("find-strip")
        typo = word[:2] + word[3:]
        self.go(f"#/find?q={urllib.parse.quote(typo)}")
        self.picture("find-typo")
        self.hold(f"find “{typo}”")
        check(f"{self.name}: “{typo}” finds “{word}”", word in self.page.locator("main .notice").all_inner_texts()[0]
              and self.page.locator(".found").count() > 0)

    def word(self, documents):
        """A word that stands in some document."""
        job = documents.get("pages") or documents.get("text")
        text = job and self.page.evaluate(
            "async (job) => (await (await fetch(`api/v1/jobs/${job}/text?page=1`)).json()).text", job)
        words = re.findall(r"\b[a-z]{5,}\b", text or "")
        return words[0] if words else "letter"


def notes(walk):
    """A note is dragged over the picture of a document and handed in, and another set on a word by keyboard alone."""
    page = walk.page
    job = page.evaluate("""async () => {
      const ask = async (path) => (await fetch('api/v1/' + path)).json();
      for (const { job } of (await ask('jobs?limit=100')).jobs) if ((await ask('jobs/' + job)).views?.annotate) return job;
    }""")
    if not job:
        return print("     notes: no rule takes a PDF together with notes")
    walk.go(f"#/document/{job}?part=pages")
    page.wait_for_selector(".sheet.loaded")
    page.click(".pagebar >> text=Add notes")
    page.wait_for_selector(".maker")
    page.locator(".sheet").scroll_into_view_if_needed()
    box = page.locator(".sheet").bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 60, steps=4)
    page.mouse.up()
    page.keyboard.type("Dragged")
    page.keyboard.press("Enter")
    page.focus(".text [data-word][tabindex='0']")
    page.keyboard.press("Enter")
    page.focus(".maker form input")
    page.keyboard.type("Set on a word")
    page.keyboard.press("Enter")
    walk.settle()
    walk.picture("document-notes-new")
    walk.hold("new notes")
    check("two notes are made, by dragging and by keyboard", page.locator(".maker li").count() == 2)
    page.click(".maker >> text=Hand in 2 notes")
    page.wait_for_selector(".maker .notice.good", timeout=10000)
    check("the notes are handed in", page.locator(".maker li").count() == 0)
    return None


def keyboard(walk):
    page = walk.page
    walk.go("#/now")
    page.reload()
    page.wait_for_selector(".headline[data-tone]")
    page.keyboard.press("Tab")
    check("the first stop is the skip link", page.evaluate("document.activeElement.id") == "skip")
    page.keyboard.press("Enter")
    check("it leads to the content", page.evaluate("document.activeElement.closest('main') !== null"))
    page.keyboard.press("/")
    check("/ goes to the search", page.evaluate("document.activeElement.id") == "words")
    word = walk.word(walk.documents())
    page.keyboard.type(word, delay=25)
    try:
        page.wait_for_selector(".found a", timeout=5000)
        page.keyboard.press("ArrowDown")
        check("down goes to the first hit", page.evaluate("document.activeElement.closest('.found') !== null"))
        page.keyboard.press("Enter")
        page.wait_for_selector(".view[data-view=document] .tabs button", timeout=5000)
        check("enter opens the document", "#/document/" in page.url)
        page.wait_for_timeout(1200)
        if page.locator(".text [data-word]").count():
            page.locator(".text [data-word][tabindex='0']").focus()
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
            check("a word lights its place in the picture", page.evaluate(
                "document.querySelector('.text .lit') !== null && !document.querySelector('.boxes .lit').hidden"))
            area = page.locator(".sheet").bounding_box()
            lit = page.locator(".boxes .lit").bounding_box()
            page.evaluate("document.querySelector('.text .lit').classList.remove('lit')")
            if area and lit:
                page.mouse.click(lit["x"] + lit["width"] / 2, lit["y"] + lit["height"] / 2)
                check("a click on the picture lights the word", page.evaluate("document.querySelector('.text .lit') !== null"))
            walk.picture("word-lit")
        if page.locator(".pagebar:not(.single)").count():
            page.evaluate("document.activeElement.blur()")
            page.keyboard.press("j")
            page.wait_for_timeout(500)
            after = page.input_value("#page-number")
            page.keyboard.press("k")
            page.wait_for_timeout(500)
            check("j and k turn the pages", after != page.input_value("#page-number"))
        page.go_back()
        page.wait_for_selector(".found a", timeout=5000)
        check("back shows the hits again", page.input_value("#words") == word)
    except Late:
        check("the search finds a word of a document", False, word)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("?")
    check("? opens the help", page.evaluate("document.getElementById('help').open"))
    walk.hold("help")
    walk.picture("help")
    page.keyboard.press("Escape")
    check("escape closes it", not page.evaluate("document.getElementById('help').open"))
    for view in VIEWS:
        walk.go(f"#/{view}")
        check(f"{view}: the heading has the focus", page.evaluate("document.activeElement.tagName") == "H1")
        stops, lost = set(), 0
        for _ in range(30):
            page.keyboard.press("Tab")
            seen = page.evaluate("""() => {
              const one = document.activeElement, area = one.getBoundingClientRect();
              return [one === document.body, area.width > 0, one.outerHTML.slice(0, 80)];
            }""")
            if seen[0]:
                break
            lost += not seen[1]
            stops.add(seen[2])
        check(f"{view}: every stop of the Tab key is in sight", lost == 0 and len(stops) > 0, f"{len(stops)} stops")


def all_jobs(walk):
    page = walk.page
    walk.go("#/jobs")
    total = int(page.get_attribute(".jobs", "aria-rowcount") or 1) - 1
    frames = page.evaluate("""() => new Promise((done) => {
      const scroller = document.querySelector('.jobs'), times = [];
      let last = performance.now(), most = 0, count = 0;
      const step = (now) => {
        times.push(now - last); last = now;
        most = Math.max(most, document.querySelectorAll('.virtual-body .job').length);
        scroller.scrollTop += count % 3 ? 400 : 90000;
        if (++count < 120) requestAnimationFrame(step);
        else { times.sort((a, b) => a - b); done({ median: times[60], p95: times[114], most }); }
      };
      requestAnimationFrame(step);
    })""")
    print(f"     {total} jobs, frames while scrolling: median {frames['median']:.1f} ms, 95 % {frames['p95']:.1f} ms")
    check("only rows in sight are drawn", frames["most"] < 200, str(frames["most"]))
    check("scrolling is smooth", frames["median"] < 34)
    page.wait_for_timeout(1500)
    check("rows are filled after a jump", page.evaluate(
        "document.querySelectorAll('.virtual-body .empty-row').length === 0"))
    walk.picture("jobs-far")
    page.focus(".jobs")
    page.keyboard.press("End")
    page.wait_for_timeout(800)
    if total:
        check("End goes to the last row", page.evaluate(
            "document.activeElement.closest('.job')?.getAttribute('aria-rowindex')") == str(total + 1))
    check("rows have different names or jobs", page.evaluate("""() => {
      const links = [...document.querySelectorAll('.virtual-body a[href]')].map((one) => one.href);
      return new Set(links).size === links.length; }"""))
    page.keyboard.press("Home")
    page.fill(".filters input", "letter")
    page.wait_for_timeout(1000)
    check("the name filters", page.evaluate(
        "[...document.querySelectorAll('.virtual-body .job:not(.empty-row) a')].every((one) => one.title.toLowerCase().includes('letter'))"))
    check("typing keeps the focus", page.evaluate("document.activeElement.closest('.filters') !== null"))


def live_updates(walk):
    """What is not changed by an event is not made again, and what has the focus keeps it."""
    page = walk.page
    walk.go("#/now")
    link = page.locator(".view a.file").last
    if not link.count():
        return
    link.focus()
    page.evaluate("""() => { window.kept = document.activeElement;
      window.rows = [...document.querySelectorAll('.view li')]; window.before = scrollY; }""")
    page.wait_for_timeout(2500)
    check("events leave the focus alone", page.evaluate("document.activeElement === kept || !kept.isConnected && document.activeElement !== document.body"))
    check("events keep the rows", page.evaluate("rows.filter((row) => row.isConnected).length >= rows.length / 4"))
    check("events do not scroll", page.evaluate("Math.abs(scrollY - before) < 400"))


def hand_in(walk):
    page = walk.page
    walk.go("#/drop")
    with tempfile.TemporaryDirectory() as folder:
        names = ["a page test.txt", "‮gpj.page-test.txt", "W" * 180 + ".txt"]
        files = []
        for name in names:
            file = pathlib.Path(folder) / name
            file.write_text("A page to test the page.\n")
            files.append(str(file))
        page.set_input_files("input[type=file][multiple]:not([webkitdirectory])", files)
        page.wait_for_function("""() => [...document.querySelectorAll('.upload .state')].filter((one) =>
          !['Next', 'Sending'].includes(one.textContent)).length >= 3""", timeout=15000)
    check("each file has a card", page.locator(".upload").count() >= 3)
    walk.picture("drop-cards")
    walk.hold("drop with cards")
    check("control characters of names are seen", page.evaluate("document.body.textContent.includes('\\u202e')") is False)


def upload(walk, path, name, state):
    """Hands a file in under a name of its own; the card with that state is given."""
    page = walk.page
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / name
        file.write_bytes(path.read_bytes() if isinstance(path, pathlib.Path) else path)
        walk.go("#/drop")
        page.set_input_files("input[type=file][multiple]:not([webkitdirectory])", str(file))
        card = page.locator(".upload", has_text=name).first
        card.locator(".state", has_text=state).wait_for(timeout=30000)
    return card


def acting(walk):
    """A locked PDF gets its password, a document is deleted and brought back, and a file is only tried."""
    page, mark = walk.page, f"{walk.name}-{time.time_ns()}"
    card = upload(walk, b"no picture at all", f"junk-{mark}.jpg", "No rule")
    check("junk is called junk before it is handed in", "its content is no JPEG" in card.inner_text(), card.inner_text())
    # Behind its end a PDF may have anything: the content is another one each time.
    locked = (SAMPLES / "locked.pdf").read_bytes() + f"% {mark}\n".encode()
    name = f"locked-{mark}.pdf"
    card = upload(walk, locked, name, "Failed")
    card.get_by_text("See what happened").click()
    for password, wanted in (("not it", "does not open this file"), ("harbour", None)):
        page.wait_for_selector(".retry input[type=password]", timeout=10000)
        before = page.url
        page.fill(".retry input[type=password]", password)
        page.click(".retry button")
        page.wait_for_function("before => location.href !== before", arg=before, timeout=30000)
        if wanted:
            page.wait_for_selector(f".trouble >> text={wanted}", timeout=30000)
            check("a wrong password is told beside the field", page.locator(".retry input[type=password]").count() == 1)
    try:
        page.wait_for_selector(".dochead .state.good", timeout=30000)
        page.wait_for_selector(".text [data-word]", timeout=30000)
        check("the right password gives a document that can be read", True)
    except Late:
        check("the right password gives a document that can be read", False, page.inner_text("main")[:300])
    check("all tries are one story", page.locator(".tries").inner_text().startswith("3 tries"), page.locator(".tries").inner_text())
    walk.picture("document-unlocked")
    walk.hold("an unlocked document")
    page.click(".downloads >> text=Delete")
    page.wait_for_selector("text=This document is deleted.", timeout=10000)
    check("a document is deleted, and can be undone", page.locator("#toast >> text=Undo").count() == 1)
    walk.picture("document-deleted")
    walk.hold("a deleted document")
    walk.go("#/deleted")
    page.locator(".rows li", has_text=name).get_by_role("button").click()
    page.locator(".rows li", has_text=name).wait_for(state="detached", timeout=10000)
    check("it is brought back", True)
    walk.go("#/rules")
    handed = page.evaluate("""async () => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['%PDF-1.4'], 'tried.pdf', { type: 'application/pdf' }));
      document.querySelector('h1').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
      await new Promise((done) => setTimeout(done, 3000));
      return [document.querySelector('.verdict').textContent, document.getElementById('toast').hidden];
    }""")
    check("a file that is dropped beside the box on Rules is only tried", "tried.pdf" in handed[0] and handed[1], str(handed))


def narrow(walk):
    """As with letters twice as large, and as on the smallest phone."""
    page = walk.page
    for width, height, name in ((640, 400, "200 %"), (320, 568, "320 px")):
        page.set_viewport_size({"width": width, "height": height})
        for view in VIEWS:
            walk.go(f"#/{view}")
            wide = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
            check(f"{view} at {name}: not wider than the window", wide <= 0, str(wide) if wide > 0 else "")
            walk.picture(f"narrow-{width}-{view}")
    page.set_viewport_size({"width": walk.width, "height": 800})


MOVED = """() => new Promise((done) => {
  let moved = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((one) => { moved += one.value; })).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => done({ moved, paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0 }), 300);
})"""


def shifts(browser, link):
    """First paint, and what moves while the page builds itself."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    told = []
    page.on("console", lambda message: message.type == "error" and told.append(message.text))
    page.goto(link)
    page.wait_for_selector(".headline[data-tone]", timeout=5000)
    first = page.evaluate("""() => performance.getEntriesByType('resource')
      .filter((one) => /\\.(js|css|svg)$/.test(one.name)).reduce((sum, one) => sum + one.encodedBodySize, 0)""")
    page.evaluate("history.replaceState(null, '', '/')")
    page.reload()
    page.wait_for_selector(".headline[data-tone]", timeout=5000)
    page.wait_for_timeout(800)
    found = page.evaluate(MOVED)
    print(f"     first paint {found['paint']:.0f} ms")
    check("no other language is sent to an English browser", not page.evaluate(
        "performance.getEntriesByType('resource').some((one) => one.name.endsWith('german.js'))"))
    check("the first view is small", 0 < first < MOST_BYTES, f"{first} bytes")
    check("nothing moves while the page builds itself", found["moved"] < 0.02, f"{found['moved']:.3f}")
    for view in VIEWS:
        page.goto("about:blank")
        page.goto(f"{link.split('/open')[0]}/#/{view}")
        page.wait_for_timeout(1000)
        moved = page.evaluate(MOVED)["moved"]
        check(f"nothing moves while {view} builds itself", moved < 0.02, f"{moved:.3f}")
    own, bad = page.evaluate("""async () => {
      const seen = new Set(['index.html', 'family.css', 'page.css', 'icon.svg', 'app.js']), sizes = {}, bad = [];
      for (const file of seen) {
        const text = await (await fetch(file)).text();
        if (/innerHTML|outerHTML|insertAdjacentHTML|document\\.write|\\beval\\(| style="|<script>/.test(text)) bad.push(file);
        sizes[file] = performance.getEntriesByType('resource').filter((one) => one.name.endsWith(`/${file}`)).at(-1)?.encodedBodySize ?? 0;
        for (const [, names] of text.matchAll(/VIEWS = \\[([^\\]]*)/g)) names.match(/[a-z]+/g).forEach((name) => seen.add(`${name}.js`));
        for (const [, name] of text.matchAll(/['"(]\\.\\/([a-zA-Z0-9-]+\\.js)['")]/g)) seen.add(name);
      }
      return [sizes, bad];
    }""")
    shared = own.pop("family.css")
    total = sum(own.values())
    print(f"     {total} bytes in {len(own)} files, and {shared} of shared styles")
    check("no text can become markup", not bad, ", ".join(bad))
    for view in VIEWS:
        page.evaluate("hash => { location.hash = hash; }", f"#/{view}")
        page.wait_for_timeout(500)
    check("the page keeps its own security policy", not told, "; ".join(told[:3]))
    context.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True, help="a link with which a browser gets its cookie")
    parser.add_argument("--pictures", type=pathlib.Path, help="folder for pictures")
    parser.add_argument("--browser", default="/usr/bin/chromium")
    parser.add_argument("--quick", action="store_true", help="desktop and light only")
    options = parser.parse_args()
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=options.browser, args=["--no-sandbox"])
        axe = axe_source()
        shifts(browser, options.url)
        for width, height in SIZES:
            for scheme in ("light", "dark"):
                if options.quick and (width, scheme) != (1280, "light"):
                    continue
                print(f"-- {width}x{height} {scheme}")
                walk = Walk(browser, options.url, width, height, scheme, options.pictures, axe)
                walk.walk()
                if scheme == "light":
                    hand_in(walk)
                    acting(walk)
                    making(walk, check, (SAMPLES / "letter-photo.jpg").read_bytes())
                    notes(walk)
                if (width, scheme) == (1280, "light"):
                    keyboard(walk)
                    all_jobs(walk)
                    live_updates(walk)
                    narrow(walk)
                walk.context.close()
        for width, height in SIZES:
            print(f"-- {width}x{height} German")
            walk = Walk(browser, options.url, width, height, "light", options.pictures, axe, locale="de-DE")
            german(walk, check)
            walk.context.close()
        browser.close()
    print(f"{len(failed)} checks failed" if failed else "all checks hold")
    sys.exit(1 if failed else 0)


main()
