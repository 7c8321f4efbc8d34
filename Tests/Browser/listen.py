#!/usr/bin/env python3
"""Proves listen.html in a real browser, without a window: what `procd speak` writes is opened from disk,
and its bar, words, keys and memory are tried; the audio is decoded by the browser and its silences are
held against the times of words. A scanned page must have its picture beside the words.

    Tests/Browser/listen.py --programs .build/release [--pictures DIR] [--page FILE] [--scan FILE]

Needs the Debian packages chromium and chromium-driver. With --page and --scan pages that are there already
are tried. With --pictures the page is pictured at two widths, light and dark.
"""

import argparse
import base64
import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

TEXT = """# The lamp keeper

The keeper of the lamp lived alone on a rock in the sea, three miles from the harbour. Every evening she
climbed ninety-one steps, cleaned the glass, and lit the lamp before the first ships came in.

## The letter

One morning in March the boat brought a letter with a seal that she did not know. It said that the lamp
would be put out for ever, because the ships had learned to find their way without it.

She read it twice. Then she folded it, put it below the foot of the table that had always been too short,
and went up to clean the glass.

| Month | Ships | Nights of fog |
| --- | --- | --- |
| January | 41 | 9 |
| February | 38 | 12 |
| March | 52 | 4 |

## Der Sturm

In der Nacht kam ein Sturm, wie ihn die Insel seit vielen Jahren nicht mehr gesehen hatte, und alle Schiffe
suchten nach dem Licht.

## The end

- No ship was lost that night.
- The letter is still there.
- The table has not moved since.
"""


class Browser:
    """A session of chromedriver, spoken to as the WebDriver standard has it."""

    def __init__(self, profile):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = f"http://127.0.0.1:{port}"
        for _ in range(200):
            try:
                urllib.request.urlopen(self.base + "/status")
                break
            except OSError:
                time.sleep(0.1)
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--mute-audio",
            "--autoplay-policy=no-user-gesture-required", "--hide-scrollbars", f"--user-data-dir={profile}",
        ]
        answer = self.post("/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": {"args": arguments},
        }}})
        self.base += "/session/" + answer["sessionId"]

    def close(self):
        try:
            urllib.request.urlopen(urllib.request.Request(self.base, method="DELETE"))
        finally:
            self.driver.terminate()

    def post(self, path, body):
        request = urllib.request.Request(
            self.base + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from None

    def get(self, path):
        with urllib.request.urlopen(self.base + path, timeout=120) as answer:
            return json.load(answer)["value"]

    def open(self, page):
        self.post("/url", {"url": pathlib.Path(page).resolve().as_uri()})
        self.until("document.querySelector('audio').readyState >= 1")

    def run(self, script, *arguments):
        return self.post("/execute/sync", {"script": script, "args": list(arguments)})

    def value(self, expression, *arguments):
        return self.run("return " + expression, *arguments)

    def until(self, expression, seconds=20):
        end = time.monotonic() + seconds
        while not self.value(expression):
            assert time.monotonic() < end, f"never came true: {expression}"
            time.sleep(0.05)

    def command(self, name, **parameters):
        return self.post("/goog/cdp/execute", {"cmd": name, "params": parameters})

    def size(self, width, height, phone=False):
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
            mobile=phone)

    def scheme(self, name):
        self.command(
            "Emulation.setEmulatedMedia", features=[
                {"name": "prefers-color-scheme", "value": name},
                {"name": "prefers-reduced-motion", "value": "reduce"}])

    def click(self, x, y):
        self.post("/actions", {"actions": [{
            "type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
                {"type": "pointerMove", "x": int(x), "y": int(y), "duration": 0},
                {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0},
            ]}]})

    def hover(self, x, y):
        self.post("/actions", {"actions": [{
            "type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
            "actions": [{"type": "pointerMove", "x": int(x), "y": int(y), "duration": 0}]}]})

    def press(self, key):
        self.post("/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]}]})

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.get("/screenshot")))


def times(html):
    """The words of each passage and when they begin, in seconds, read from the file itself."""
    passages = []
    for steps, text in re.findall(r'data-t="([^"]*)">(.*?)</', html, re.S):
        total, starts = 0, []
        for step in steps.split(" "):
            total += int(step)
            starts.append(total / 1000)
        words = re.split("[ \u200b]", text)
        assert len(words) == len(starts) - 1, f"{len(words)} words, {len(starts)} times"
        passages.append((words, starts))
    return passages


def expected(passages, at):
    """The place of the word that is to be lit at a time."""
    place = (0, 0)
    for index, (words, starts) in enumerate(passages):
        for number in range(len(words)):
            if starts[number] <= at + 0.001:
                place = (index, number)
    return place


LIT = """[...document.querySelectorAll('main [data-t]')].reduce((found, passage, index) => {
  const word = passage.querySelector('.now');
  return word ? [index, [...passage.querySelectorAll('span')].indexOf(word)] : found; }, null)"""


def lit(browser):
    found = browser.value(LIT)
    return tuple(found) if found else None


def here(browser):
    return browser.value("document.getElementById('sound').currentTime")


def box(browser, selector, index=0):
    return browser.value(
        "(([s, i]) => { const b = document.querySelectorAll(s)[i].getBoundingClientRect();"
        " return [b.x, b.y, b.width, b.height]; })([arguments[0], arguments[1]])", selector, index)


def steady(browser):
    browser.until(
        "(() => { const y = scrollY, same = window.lastY === y; window.lastY = y; return same; })()")


def check_silences(browser, html, passages):
    """The browser's own decoder, and the silences that it gives, against the times of words."""
    encoded = re.search(r'id="audio">([^<]*)<', html).group(1)
    browser.post("/timeouts", {"script": 120000})
    gaps = browser.post("/execute/async", {"script": """
      const done = arguments[arguments.length - 1];
      const bytes = Uint8Array.from(atob(arguments[0]), (letter) => letter.charCodeAt(0));
      new OfflineAudioContext(1, 1, 24000).decodeAudioData(bytes.buffer).then((audio) => {
        const samples = audio.getChannelData(0), block = 120, gaps = [];
        let begin = 0;
        for (let at = 0; at <= samples.length; at += block) {
          let loudest = at + block > samples.length ? 1 : 0;
          for (let i = at; i < Math.min(at + block, samples.length); i++)
            loudest = Math.max(loudest, Math.abs(samples[i]));
          if (loudest > 0.01) {
            if (at - begin >= 0.25 * 24000) gaps.push([begin / 24000, at / 24000]);
            begin = at + block;
          }
        }
        done([audio.duration, gaps]);
      }, (error) => done(String(error)));""", "args": [encoded]})
    assert isinstance(gaps, list), gaps
    duration, gaps = gaps
    worst = 0
    for (_, before), (_, after) in zip(passages, passages[1:]):
        away = min(
            max(abs(before[-1] - begin), abs(after[0] - end)) for begin, end in gaps)
        worst = max(worst, away)
    assert worst <= 0.15, f"a word is {worst:.3f} s away from its sound"
    return duration, worst, len(passages) - 1


def check(browser, page, html):
    passages = times(html)
    data = json.loads(re.search(r'id="data">(.*?)</script>', html, re.S).group(1))
    browser.size(1280, 800)
    browser.open(page)

    duration, worst, count = check_silences(browser, html, passages)
    assert abs(duration - data["seconds"]) < 0.05, (duration, data["seconds"])
    say(f"silences between passages: {count}, the farthest word {worst * 1000:.0f} ms away")

    loaded = browser.value("performance.getEntriesByType('resource').map((e) => e.name)")
    assert all(name.startswith("blob:") for name in loaded), loaded
    say("nothing was fetched")

    # Play, and the lit word goes with the sound.
    button = box(browser, "#play")
    browser.click(button[0] + button[2] / 2, button[1] + button[3] / 2)
    browser.until("document.getElementById('sound').currentTime > 1.2")
    at, word, later = browser.value(
        "[document.getElementById('sound').currentTime, " + LIT
        + ", document.getElementById('sound').currentTime]")
    assert expected(passages, at - 0.1) <= tuple(word) <= expected(passages, later), (at, word)
    browser.press(" ")
    browser.until("document.getElementById('sound').paused")
    say("play, pause: the lit word goes with the sound")

    # The scrub bar moves the word.
    for share in [0.25, 0.8, 0.5]:
        bar = box(browser, "#position")
        browser.click(bar[0] + bar[2] * share, bar[1] + bar[3] / 2)
        at = here(browser)
        assert abs(at - share * duration) < 0.03 * duration, (share, at)
        browser.until(f"JSON.stringify({LIT}) === '{json.dumps(expected(passages, at)).replace(' ', '')}'")
        browser.until(
            "(() => { const b = document.querySelector('.now').getBoundingClientRect();"
            " return b.top >= 0 && b.bottom < document.getElementById('player').getBoundingClientRect().top; })()")
    say("the bar moves the word")

    # A click on a word moves the audio.
    for passage, number in [(1, 5), (3, 2), (len(passages) - 1, 1)]:
        browser.run("document.getElementById('sound').pause()")
        browser.run(
            "document.querySelectorAll('main [data-t]')[arguments[0]].scrollIntoView({block: 'center',"
            " behavior: 'instant'})", passage)
        steady(browser)
        whole = box(browser, "main [data-t]", passage)
        browser.hover(whole[0] + 5, whole[1] + 5)
        before = sum(len(words) for words, _ in passages[:passage])
        browser.until(f"document.querySelectorAll('main [data-t]')[{passage}].querySelector('span') !== null")
        target = browser.value(
            "(([p, n]) => { const b = document.querySelectorAll('main [data-t]')[p]"
            ".querySelectorAll('span')[n].getBoundingClientRect();"
            " return [b.x + b.width / 2, b.y + b.height / 2]; })(arguments)", passage, number)
        browser.run("window.jumps = []; document.getElementById('sound').addEventListener('seeking',"
                    " (e) => window.jumps.push(e.target.currentTime), { once: true })")
        browser.click(*target)
        browser.until("window.jumps.length > 0")
        jump = browser.value("window.jumps[0]")
        start = passages[passage][1][number]
        assert abs(jump - start) < 0.05, (passage, number, jump, start, before)
        browser.until("!document.getElementById('sound').paused")
    browser.run("document.getElementById('sound').pause()")
    say("a click on a word moves the audio there and plays")

    # Keys.
    browser.run("document.getElementById('sound').currentTime = 10")
    browser.press("\ue014")
    assert abs(here(browser) - 15) < 0.01, here(browser)
    browser.press("\ue012")
    assert abs(here(browser) - 10) < 0.01, here(browser)
    browser.press("l")
    following = min(s[0] for _, s in passages if s[0] > 10.001)
    assert abs(here(browser) - following) < 0.01
    browser.press(".")
    index = [s[0] for _, s in passages].index(following)
    assert abs(here(browser) - passages[index][1][1]) < 0.01
    browser.press("n")
    chapter = min(t for t, _, _ in data["chapters"] if t > passages[index][1][1])
    assert abs(here(browser) - chapter) < 0.02, (here(browser), chapter)
    browser.press("+")
    assert browser.value("document.getElementById('sound').playbackRate") == 1.25
    browser.press("?")
    assert browser.value("document.getElementById('keys').open")
    browser.press("\ue00c")
    assert not browser.value("document.getElementById('keys').open")
    say("keys: seconds, passages, words, chapters, speed, help")

    # The lock screen, and what a screen reader says.
    session = browser.value(
        "[navigator.mediaSession.playbackState, navigator.mediaSession.metadata.album]")
    assert session == ["paused", data["title"]], session
    for element in browser.post("/elements", {
            "using": "css selector", "value": "#player button, #player select, #player #position"}):
        name = browser.get(f"/element/{list(element.values())[0]}/computedlabel")
        assert name, "an element of the player has no name"
    say("Media Session is told; everything in the player has a name")

    for name in ["light", "dark"]:
        browser.scheme(name)
        least = browser.value("""(() => {
          const bright = (text) => { const [r, g, b] = text.match(/[\\d.]+/g).slice(0, 3).map((v) => {
            v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
          const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          const ground = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
            if (!/, 0\\)$/.test(c)) return c; } return 'rgb(255, 255, 255)'; };
          return ['main p', '.now', '#about', '#passed', '#speed', '#play', '#contents summary'].map((s) => {
            const e = document.querySelector(s);
            return ratio(bright(getComputedStyle(e).color), bright(ground(e))); })
            .reduce((a, b) => Math.min(a, b)); })()""")
        assert least >= 4.5, f"{name}: contrast {least:.2f}"
        say(f"{name}: the least contrast is {least:.1f}")

    # It remembers.
    at = here(browser)
    browser.open(page)
    browser.until("document.getElementById('sound').currentTime > 1")
    assert abs(here(browser) - at) < 0.1, (here(browser), at)
    assert browser.value("document.getElementById('sound').playbackRate") == 1.25
    say("opened again, it is where it was")


def check_scan(browser, page):
    browser.size(1280, 800)
    browser.scheme("light")
    browser.open(page)
    browser.run("const s = document.getElementById('sound'); s.currentTime = 9")
    browser.until("document.querySelector('.frame i').hidden === false && !document.getElementById('sound').seeking")
    picture, words = box(browser, ".frame img"), box(browser, ".words")
    assert picture[2] > 200 and picture[0] + picture[2] <= words[0], (picture, words)
    assert browser.value("document.querySelector('.frame img').naturalWidth") > 0
    mark = box(browser, ".frame i")
    assert mark[2] > 3 and mark[0] >= picture[0] - 3 and mark[0] + mark[2] <= picture[0] + picture[2] + 3, mark
    browser.run("const s = document.getElementById('sound'); s.currentTime = 16")
    browser.until("!document.getElementById('sound').seeking")
    assert box(browser, ".frame i") != mark, "the mark stays while the words go on"
    browser.size(390, 844, True)
    browser.until("!document.querySelector('.scan').open")
    assert browser.value("document.documentElement.scrollWidth") <= 390
    browser.run("document.querySelector('.scan summary').click()")
    browser.until("document.querySelector('.frame img').getBoundingClientRect().width > 200")
    assert browser.value("document.documentElement.scrollWidth") <= 390
    loaded = browser.value("performance.getEntriesByType('resource').map((e) => e.name)")
    assert all(name.startswith(("blob:", "data:")) for name in loaded), loaded
    say("a scanned page has its picture beside the words, folded on a phone; the word is marked in it")


def take_pictures(browser, page, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, width, height, phone in [("desktop", 1280, 800, False), ("phone", 390, 844, True)]:
        for scheme in ["light", "dark"]:
            browser.size(width, height, phone)
            browser.scheme(scheme)
            browser.open(page)
            browser.run(
                "const s = document.getElementById('sound'); s.currentTime = 9.2;"
                "document.getElementById('speed').value = '1'; s.playbackRate = 1")
            browser.until("document.querySelector('.now') !== null && !document.getElementById('sound').seeking")
            browser.run("scrollTo({ top: 0, behavior: 'instant' })")
            steady(browser)
            browser.picture(folder / f"listen-{name}-{scheme}.png")
            if phone:
                wide = browser.value("document.documentElement.scrollWidth")
                assert wide <= width, f"the page is {wide} wide on a phone of {width}"


def say(line):
    print(line, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path(".build/release"))
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--scan", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        page = arguments.page
        if page is None:
            (folder / "The lamp keeper.md").write_text(TEXT)
            page = folder / "listen.html"
            subprocess.run(
                [arguments.programs.resolve() / "procd", "speak", folder / "The lamp keeper.md", "-o", page],
                check=True, cwd=folder)
        scan = arguments.scan
        if scan is None:
            scan = folder / "scan.html"
            photo = pathlib.Path(__file__).resolve().parents[2] / "docs/samples/letter-photo.jpg"
            subprocess.run(
                [arguments.programs.resolve() / "procd", "speak", photo, "-o", scan], check=True, cwd=folder)
        html = page.read_text()
        say(f"{page.stat().st_size / 1e6:.1f} MB")
        browser = Browser(folder / "profile")
        try:
            check(browser, page, html)
            check_scan(browser, scan)
            if arguments.pictures:
                take_pictures(browser, page, arguments.pictures)
        finally:
            browser.close()
    say("all well")


if __name__ == "__main__":
    sys.exit(main())
