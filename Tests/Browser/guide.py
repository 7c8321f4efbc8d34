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
        third.send_keys(Keys.ENTER)
        check("enter opens the details", wait(driver, "document.getElementById('details').open", 5))
        wait(driver, "document.querySelectorAll('#details-text > *').length > 3", 5)
        picture("details")
        driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        check("escape closes them", wait(driver, "!document.getElementById('details').open", 5))

        # Zoom and days
        scale = driver.execute_script("return Grid.scale")
        driver.find_element(By.ID, "in").click()
        check("zoom shows less time", driver.execute_script("return Grid.scale") > scale)
        driver.find_element(By.ID, "out").click()
        buttons = driver.find_elements(By.CSS_SELECTOR, "#days button")
        driver.execute_script("arguments[0].click()", buttons[-1])
        time.sleep(0.3)
        check("a day is gone to", driver.execute_script(
            "return document.querySelector('#days [aria-current]') === document.querySelector('#days').lastChild"))

        # Search
        title = driver.execute_script("return Guide.title(Guide.rows[0].works[Guide.rows[0].count - 1])")
        words = driver.find_element(By.ID, "words")
        begin = time.time()
        words.send_keys(title.upper())
        check("what is sought is found", wait(driver, "document.querySelector('#results li') !== null", 10),
              f"{title}: {time.time() - begin:.2f} s")
        first = driver.find_element(By.CSS_SELECTOR, "#results b").text
        check("the best comes first", first.casefold() == title.casefold(), first)
        wait(driver, "!document.querySelector('#results p').textContent.includes('…')", 60)
        print(f"     descriptions too: {time.time() - begin:.2f} s")
        picture("search")
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
