"""The page in a browser that prefers German. Used by page.py."""
import time

# Texts of the page itself that are still in English: those of the catalogue, and others with a common English word.
# Texts of files and rules, and sentences that procd tells (which are marked as English), are left out.
ENGLISH = r"""async () => {
  const catalogue = (await import('/german.js')).default, texts = [document.title], left = [];
  const keys = Object.entries(catalogue).filter(([key, text]) => key !== text).flatMap(([key]) => key.split('|'))
    .map((key) => key.replace(/\{[a-z]+\}/g, '')).filter((key) => /[a-z]{3}/i.test(key.replace(/\{\d\}/g, '')))
    .map((key) => new RegExp(`^${key.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\d\}/g, '.+')}$`));
  const words = /(?<![\w-])(the|of|and|is|are|were|files?|pages?|not|with|to|from|by|running|waiting|jobs?|words?|this|it|done|failed)(?![\w-])/i;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const isOthers = (element) => element.closest('bdi, code, pre, kbd, noscript, [dir=auto], [lang]:not(html)');
  while (walk.nextNode()) if (!isOthers(walk.currentNode.parentElement)) texts.push(walk.currentNode.data.trim());
  for (const name of ['aria-label', 'placeholder', 'alt']) {
    for (const element of document.querySelectorAll(`[${name}]`)) texts.push(element.getAttribute(name).trim());
  }
  for (const text of texts) if (keys.some((key) => key.test(text)) || words.test(text)) left.push(text);
  return left;
}"""


def german(walk, check):
    """German is shown on every view, and somebody may choose otherwise."""
    page = walk.page
    language = "document.documentElement.lang"
    page.wait_for_selector(".headline[data-tone]", timeout=5000)
    check("the page says that it is in German", page.evaluate(language) == "de")
    page.reload()
    page.wait_for_selector(".headline[data-tone]", timeout=5000)
    moved = page.evaluate("""() => new Promise((done) => {
      let moved = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((one) => { moved += one.value; })).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => done(moved), 800);
    })""")
    check("nothing moves while the page becomes German", moved < 0.1, f"{moved:.3f}")
    said = page.evaluate("""async () => {
      const { t } = await import('/language.js'), forms = (number) => t`${number} file|${number} files`;
      return [forms(0), forms(1), forms(1234), t`Page ${1} of ${2}`, t`Takes files whose ${document.createElement('b')}.`.length];
    }""")
    check("numbers have their form and their signs", said == ["0 Dateien", "1 Datei", "1.234 Dateien", "Seite 1 von 2", 3], str(said))
    walk.walk()
    walk.go("#/drop")
    name = f"junk-{walk.name}-{time.time_ns()}.jpg"
    page.set_input_files("input[type=file][multiple]:not([webkitdirectory])", {"name": name, "mimeType": "image/jpeg", "buffer": b"no picture"})
    card = page.locator(".upload", has_text="junk").first
    card.locator(".state", has_text="Keine Regel").wait_for(timeout=30000)
    told = card.locator("details")
    check("a cause is told in German, and in procd's own words under Details", "Keine Regel passt" in card.inner_text()
          and "content is no JPEG" in told.locator("[lang=en]").first.text_content())
    walk.picture("drop-cards")
    walk.hold("drop with a card")
    page.keyboard.press("?")
    walk.settle()
    walk.picture("help")
    walk.hold("help")
    for chosen, wanted in (("English", "en"), ("As in the browser", "de")):
        with page.expect_navigation():
            page.click(f"#language >> text={chosen}")
        page.wait_for_selector(".view h1", timeout=5000)
        check(f"the language chosen is used: {wanted}", page.evaluate(language) == wanted)
        page.click("#help-open")
