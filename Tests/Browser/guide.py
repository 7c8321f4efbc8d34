#!/usr/bin/env python3
"""Looks at a guide's page in headless Chromium, as people would use it.

    Tests/Browser/guide.py guide.html [--pictures FOLDER]

Needs Debian's chromium, chromium-driver and python3-selenium. Checks what is drawn, the keyboard, the
search, the details, moving and zooming, and how long a frame takes while the grid scrolls; takes pictures
at desktop and phone width, light and dark. Ends with 1 where something does not hold.
"""
import argparse
import json
import pathlib
import sys
import time

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.chrome.service import Service

failed = []


def check(what, holds, detail=""):
    print(f"{'ok  ' if holds else 'FAIL'} {what} {detail}")
    if not holds:
        failed.append(what)


def browser(width, height):
    options = webdriver.ChromeOptions()
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--lang=en-GB",
                 f"--window-size={width},{height}"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.set_script_timeout(60)
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
    return driver


def wait(driver, script, seconds=60):
    end = time.time() + seconds
    while time.time() < end:
        if driver.execute_script(f"return {script}"):
            return True
        time.sleep(0.05)
    return False


FRAMES = """
const done = arguments[0], grid = document.getElementById('grid'), times = [];
let last = performance.now(), count = 0;
function step(now) {
  times.push(now - last); last = now;
  grid.scrollLeft += 60; grid.scrollTop += 24;
  if (++count < 240) requestAnimationFrame(step);
  else {
    times.sort((a, b) => a - b);
    done({ median: times[120], p95: times[228], worst: times[239],
           drawn: document.querySelectorAll('.show').length });
  }
}
requestAnimationFrame(step);
"""

DRAWING = """
// What the page itself needs to draw after a jump, without what the browser does with it.
const grid = document.getElementById('grid'), times = [];
for (let turn = 0; turn < 60; turn++) {
  grid.scrollLeft = (turn * 7919) % (grid.scrollWidth - 1300);
  grid.scrollTop = (turn * 3571) % Math.max(1, grid.scrollHeight - 700);
  const begin = performance.now();
  Grid.goTo(Grid.view().from, 0);
  Grid.zoom(0);
  grid.offsetWidth;
  times.push(performance.now() - begin);
}
times.sort((a, b) => a - b);
return { median: times[30], worst: times[59] };
"""


# Texts that are cut so that fewer than four letters are left.
CUT = """
const cut = [];
for (const text of document.querySelectorAll('.show b, .show i')) {
  if (!text.offsetParent || text.scrollWidth <= text.clientWidth) continue;
  const size = parseFloat(getComputedStyle(text).fontSize);
  if (text.clientWidth < 4 * size || text.localName === 'i' && !text.querySelector('s')?.offsetParent)
    cut.push(text.textContent);
}
return cut;
"""

# Minutes after midnight at the place that is looked at.
SHOWN = "const view = Grid.view(); return Math.round(Guide.clockTime(view.from + (view.to - view.from) / 4));"


def look(path, width, height, pictures):
    print(f"-- {width}x{height}")
    driver = browser(width, height)
    try:
        begin = time.time()
        driver.get(path.resolve().as_uri())
        check("the page unpacks", wait(driver, "document.querySelector('.show') !== null"))
        print(f"     open: {time.time() - begin:.2f} s")
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "light"}]})
        time.sleep(0.3)

        def picture(name):
            if pictures:
                driver.save_screenshot(str(pictures / f"{name}-{width}.png"))

        picture("light")
        share = driver.execute_script(
            "return document.querySelector('header').getBoundingClientRect().height / innerHeight")
        check("controls leave the screen to the guide", share < (0.125 if width < 600 else 0.16), f"{share:.1%}")
        check("kinds have colors, and the legend names them", driver.execute_script("""
          const colors = new Set([...document.querySelectorAll('.show')].map((show) =>
            getComputedStyle(show).backgroundColor));
          return document.querySelectorAll('#legend li').length >= 4 && colors.size >= 4;"""))
        check("channels have marks", driver.execute_script("""
          const logos = [...document.querySelectorAll('.name .logo')];
          return logos.length > 0 && logos.every((logo) => logo.textContent || logo.querySelector('img'));"""))
        check("the line of now is in no word", driver.execute_script("""
          const line = document.getElementById('line'), rows = document.getElementById('rows');
          return line.compareDocumentPosition(rows) === Node.DOCUMENT_POSITION_FOLLOWING
            && getComputedStyle(line).zIndex === 'auto';"""))
        shows = driver.find_elements(By.CSS_SELECTOR, ".show")
        total = driver.execute_script("return Guide.count")
        check("only what is seen is drawn", len(shows) < 1500, f"{len(shows)} of {total}")
        check("titles stay in sight", driver.execute_script("""
          const left = document.querySelector('.name').getBoundingClientRect().right;
          return [...document.querySelectorAll('.show')].filter((show) => {
            const box = show.getBoundingClientRect();
            return box.left < left && box.right > left + 120;
          }).every((show) => show.querySelector('b').getBoundingClientRect().left >= left - 1);"""))
        driver.execute_script("document.getElementById('grid').scrollTop += 300")
        time.sleep(0.2)
        check("names stay while the grid scrolls", driver.execute_script("""
          return Math.abs(document.querySelector('.name').getBoundingClientRect().left
            - document.getElementById('grid').getBoundingClientRect().left) < 1;"""))
        frames = driver.execute_async_script(FRAMES)
        print(f"     frames while scrolling: median {frames['median']:.1f} ms, 95 % {frames['p95']:.1f} ms, "
              f"worst {frames['worst']:.1f} ms; {frames['drawn']} drawn")
        check("scrolling is smooth", frames["median"] < 34 and frames["drawn"] < 1500)
        jumps = driver.execute_script(DRAWING)
        print(f"     jumps: median {jumps['median']:.1f} ms, worst {jumps['worst']:.1f} ms")

        # Keyboard
        driver.execute_script("Grid.goTo(Math.min(Date.now() / 60000, Guide.to - 600)); Grid.enter()")
        active = driver.switch_to.active_element
        label = active.get_attribute("aria-label")
        check("programmes have labels", bool(label), label or "")
        active.send_keys(Keys.ARROW_DOWN)
        second = driver.switch_to.active_element
        check("down goes to the next channel", second.get_attribute("data-row") != active.get_attribute("data-row"))
        second.send_keys(Keys.ARROW_RIGHT)
        third = driver.switch_to.active_element
        check("right goes to the next programme",
              int(third.get_attribute("data-index")) == int(second.get_attribute("data-index")) + 1)
        check("a programme says what kind it is", driver.execute_script("""
          return [...document.querySelectorAll('.show:not(.k0)')].every((show) =>
            Guide.genreNames.some((name) => name && show.getAttribute('aria-label').endsWith(name)));"""))
        third.send_keys(Keys.ENTER)
        check("enter opens the details", wait(driver, "document.getElementById('details').open", 5))
        wait(driver, "document.querySelectorAll('#details-text > *').length > 3", 5)
        picture("details")
        driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        check("escape closes them", wait(driver, "!document.getElementById('details').open", 5))

        # Zoom and days
        if width < 600:
            driver.find_element(By.ID, "more").click()
            check("a phone has all controls behind one", driver.find_element(By.ID, "in").is_displayed())
        scale = driver.execute_script("return Grid.scale")
        driver.find_element(By.ID, "in").click()
        check("zoom shows less time", driver.execute_script("return Grid.scale") > scale)
        for turn in range(8):
            driver.find_element(By.ID, "out").click()
            time.sleep(0.1)
            cut = driver.execute_script(CUT)
            check("no letters are cut off", not cut, f"{driver.execute_script('return Grid.scale')} {cut[:3]}")
        while driver.execute_script("return Grid.scale") < scale:
            driver.find_element(By.ID, "in").click()
        if width < 600:
            driver.find_element(By.ID, "more").click()
        buttons = driver.find_elements(By.CSS_SELECTOR, "#days button")
        driver.execute_script("Grid.goTo(Guide.atClock(Grid.days()[1], 14 * 60 + 30), 0.25)")
        time.sleep(0.3)
        driver.execute_script("arguments[0].click()", buttons[-1])
        time.sleep(0.3)
        check("a day is gone to", driver.execute_script(
            "return document.querySelector('#days [aria-current]') === document.querySelector('#days').lastChild"))
        driver.execute_script("arguments[0].click()", buttons[2])
        time.sleep(0.3)
        shown = driver.execute_script(SHOWN)
        driver.execute_script("arguments[0].click()", buttons[3])
        time.sleep(0.3)
        other = driver.execute_script(SHOWN)
        check("another day shows the same time of day", abs(shown - other) <= 1, f"{shown} {other}")
        today = driver.execute_script("""
          const now = Date.now() / 60000, days = Grid.days();
          return now >= Guide.from && now < Guide.to ? days.filter((day) => day <= now).length - 1 : -1;""")
        if today >= 0:
            driver.execute_script("arguments[0].click()", buttons[today])
            time.sleep(0.3)
            check("today is gone to at now", driver.execute_script(
                "const view = Grid.view(), now = Date.now() / 60000; return view.from < now && now < view.to;"))
        driver.execute_script("Grid.goTo(Guide.atClock(Grid.days()[2], 0), 0.4)")
        time.sleep(0.3)
        check("midnight has its date", driver.execute_script("""
          const midnight = Guide.atClock(Grid.days()[2], 0);
          return [...document.querySelectorAll('#hours .day')].some((mark) => mark.textContent === Guide.day(midnight)
            && mark.getBoundingClientRect().right < innerWidth);"""))
        check("hours do not run into each other", driver.execute_script("""
          const marks = [...document.querySelectorAll('#hours span:not(.under)')].map((mark) => {
            const range = document.createRange();
            range.selectNodeContents(mark);
            return range.getBoundingClientRect();
          }).sort((a, b) => a.left - b.left);
          return marks.every((box, index) => index === 0 || marks[index - 1].right <= box.left);"""))

        # Search
        title = driver.execute_script("return Guide.title(Guide.rows[0].works[Guide.rows[0].count - 1])")
        words = driver.find_element(By.ID, "words")
        begin = time.time()
        words.send_keys(title.upper())
        check("what is sought is found", wait(driver, "document.querySelector('#results li') !== null", 10),
              f"{title}: {time.time() - begin:.2f} s")
        # In one go: the list is made anew when descriptions were searched.
        first = driver.execute_script("return document.querySelector('#results b').textContent")
        check("the best comes first", first.casefold() == title.casefold(), first)
        wait(driver, "!document.querySelector('#results p').textContent.includes('…')", 60)
        print(f"     descriptions too: {time.time() - begin:.2f} s")
        picture("search")
        check("results fill the width", driver.execute_script("""
          const item = document.querySelector('#hits li').getBoundingClientRect(), last = document.querySelector(
            innerWidth > 960 ? '#hits .about' : '#hits .what')?.getBoundingClientRect();
          return item.width > innerWidth * 0.9 && (!last || last.right > innerWidth * 0.9);"""))
        first_chosen = words.get_attribute("aria-activedescendant")
        words.send_keys(Keys.ARROW_DOWN)
        second_chosen = words.get_attribute("aria-activedescendant")
        several = len(driver.find_elements(By.CSS_SELECTOR, "#hits li")) > 1
        check("the arrow keys walk the results", not several or first_chosen == "hit-0" and second_chosen == "hit-1",
              f"{first_chosen} {second_chosen}")
        words.send_keys(Keys.ARROW_UP)
        check("one result is chosen", driver.execute_script(
            "return [...document.querySelectorAll('#hits [aria-selected=true]')].map((hit) => hit.id).join()") == "hit-0")
        words.send_keys(Keys.ENTER)
        check("enter opens the result", wait(driver, "document.getElementById('details').open", 5))
        check("it is what was chosen", driver.execute_script(
            "return document.getElementById('details-title').textContent").casefold() == first.casefold())
        driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        wait(driver, "!document.getElementById('details').open", 5)
        words.send_keys(title[:3])
        wait(driver, "document.querySelector('#hits li') !== null", 10)
        words.send_keys(Keys.ESCAPE)
        check("escape ends the search", driver.execute_script("return document.getElementById('results').hidden"))

        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark"}]})
        driver.find_element(By.ID, "now").click()
        time.sleep(0.4)
        picture("dark")
        check("the page is not wider than the window", driver.execute_script(
            "return document.documentElement.scrollWidth <= innerWidth"))
        unnamed = driver.execute_script("""
          return [...document.querySelectorAll('button, input')].filter((element) =>
            !element.textContent.trim() && !element.getAttribute('aria-label') && !element.labels?.length).length;""")
        check("everything has a name", unnamed == 0, str(unnamed))
        urls = {json.loads(entry["message"])["message"]["params"].get("request", {}).get("url", "")
                for entry in driver.get_log("performance") if "requestWillBeSent" in entry["message"]}
        check("nothing is loaded", all(url.startswith(("file:", "data:", "blob:", "")) and "http" not in url[:5]
                                       for url in urls))
        errors = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
        check("the console is clean", not errors, "; ".join(errors))
    finally:
        driver.quit()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args()
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    for width, height in ((1280, 800), (390, 844)):
        look(options.page, width, height, options.pictures)
    sys.exit(1 if failed else 0)


main()
