"""The page in a browser that prefers German. Used by page.py."""

# Texts of the page itself that are still in English: those of the catalogue, and others with a common English word.
# Texts of files and rules, and sentences that procd tells (which are marked as English), are left out.
ENGLISH = r"""async () => {
  const catalogue = (await import('/german.js')).default, texts = [document.title], left = [];
  const keys = Object.entries(catalogue).filter(([key, text]) => key !== text).flatMap(([key]) => key.split('|'))
    .map((key) => key.replace(/\{[a-z]+\}/g, '')).filter((key) => /[a-z]{3}/i.test(key.replace(/\{\d\}/g, '')))
    .map((key) => new RegExp(`^${key.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\d\}/g, '.+')}$`));
  const words = /\b(the|of|and|is|are|was|were|files?|pages?|not|with|to|from|by|running|waiting|jobs?|words?|this|it)\b/i;
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
    walk.walk()
    page.keyboard.press("?")
    walk.settle()
    walk.picture("help")
    walk.hold("help")
    for chosen, wanted in (("en", "en"), ("", "de")):
        with page.expect_navigation():
            page.select_option("#language", chosen)
        page.wait_for_selector(".view h1", timeout=5000)
        check(f"the language chosen is used: {wanted}", page.evaluate(language) == wanted)
        page.click("#help-open")
