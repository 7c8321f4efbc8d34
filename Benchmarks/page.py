#!/usr/bin/env python3
"""Measures the page and the search with a ledger of many jobs and documents.

    Benchmarks/page.py --programs .build/release [--jobs 100000] [--minutes 1]

Makes a place with so many jobs, each with a text of about 200 words; has the index made; asks the API and `procd find`;
sends files and takes the time until the page's stream tells of them; and keeps the stream open for some minutes while
files come, with the memory of `procd-web` at its beginning and end. Prints medians and the 95th percentile.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import statistics
import subprocess
import tempfile
import threading
import time
import urllib.parse
import urllib.request

WORDS = [a + b for a in ("har", "mor", "ten", "bal", "qui", "sol", "vin", "dra", "pel", "ost") for b in
         ("bour", "ning", "der", "lot", "ver", "dan", "mas", "tic", "len", "gor", "sten", "fel", "ria", "nok", "zim",
          "quet", "lund", "berg", "holm", "vik")]


def memory(process):
    text = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1])


class Place:
    def __init__(self, programs, root, jobs):
        self.procd = str(pathlib.Path(programs).resolve() / "procd")
        self.root, self.jobs = pathlib.Path(root).resolve(), jobs
        self.port = 8700 + random.randrange(40)
        shipped = pathlib.Path(__file__).resolve().parents[1] / "pipelines.json"
        configuration = json.loads(shipped.read_text())
        configuration["web"] = f"127.0.0.1:{self.port}"
        configuration["inbox"] = {"path": "inbox", "settle": "100ms"}
        configuration["pipelines"].insert(0, {
            "id": "texts", "match": {"mime": "text/plain"}, "steps": [], "emit": ["source"]})
        (self.root / "inbox").mkdir()
        (self.root / "pipelines.json").write_text(json.dumps(configuration))

    def run(self, *words):
        return subprocess.run([self.procd, *words], cwd=self.root, capture_output=True, text=True)

    def fill(self):
        """Doubles one real job into many, with texts of their own."""
        (self.root / "inbox/first.txt").write_text("one word\n")
        print(self.run("run", "--once").stderr, end="")
        ledger = sqlite3.connect(self.root / "spool/ledger.sqlite")
        columns = [row[1] for row in ledger.execute("PRAGMA table_info(job)")]
        row = dict(zip(columns, ledger.execute("SELECT * FROM job").fetchone()))
        numbers, now = random.Random(1), int(time.time() * 1000)
        rows = []
        for index in range(self.jobs):
            job, name = f"01A{index:023d}", f"{index % 500:03d}/text-{index}.txt"
            folder = self.root / "outbox" / f"{index % 500:03d}"
            folder.mkdir(exist_ok=True)
            text = " ".join(numbers.choices(WORDS, k=200)) + f" number{index}\n"
            (self.root / "outbox" / name).write_text(text)
            size = len(text)
            report = json.loads(row["report"])
            report["job"], report["source"]["path"] = job, name
            report["artifacts"][0]["path"], report["artifacts"][0]["bytes"] = name, size
            publication = row["publication"].replace("first.txt", name)
            report["artifacts"][0]["path"] = f"text-{index}.txt"
            made = dict(row, id=job, path=name.encode(), size=size, finished=now - 86_400_000 * 300 + index * 250_000,
                        arrived=now - 86_400_000 * 300 + index * 250_000 - 900, sha256=f"{index:064x}",
                        report=json.dumps(report), publication=publication, original=f"/nowhere/{name}".encode())
            rows.append([made[column] for column in columns])
        ledger.executemany(f"INSERT INTO job VALUES ({','.join('?' * len(columns))})", rows)
        ledger.commit()

    def start(self):
        self.daemon = subprocess.Popen([self.procd, "run", "--existing", "process"], cwd=self.root,
                                       stdout=open(self.root / "log", "wb"), stderr=subprocess.STDOUT)
        link = self.run("web", "open").stdout.strip()
        self.opener = urllib.request.build_opener(NoRedirect)
        for _ in range(600):
            try:
                answer = self.opener.open(link)
            except urllib.error.HTTPError as error:
                answer = error
            except OSError:
                time.sleep(0.05)
                continue
            self.cookie = answer.headers["Set-Cookie"].split(";")[0]
            break
        self.link = link

    def get(self, path):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers={"Cookie": self.cookie})
        begin = time.perf_counter()
        body = self.opener.open(request, timeout=60).read()
        return (time.perf_counter() - begin) * 1000, body

    def web(self):
        """The process of this place's server."""
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if (entry / "comm").read_text() == "procd-web\n" and os.readlink(entry / "cwd") == str(self.root):
                    return int(entry.name)
            except OSError:
                continue
        raise SystemExit("the page does not run")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def told(name, times):
    times = sorted(times)
    print(f"{name:44} {statistics.median(times):8.1f} ms   p95 {times[int(len(times) * 0.95) - 1]:8.1f} ms", flush=True)


class Stream(threading.Thread):
    """Reads the events, and notes when each file was first told as done."""

    def __init__(self, place):
        super().__init__(daemon=True)
        self.place, self.seen, self.events = place, {}, 0

    def run(self):
        request = urllib.request.Request(f"http://127.0.0.1:{self.place.port}/api/v1/events",
                                         headers={"Cookie": self.place.cookie})
        for line in self.place.opener.open(request, timeout=3600):
            if line.startswith(b"data: "):
                self.events += 1
                now = time.time()
                for job in json.loads(line[6:])["recent"]:
                    self.seen.setdefault(job["path"], now)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", default=".build/release")
    parser.add_argument("--jobs", type=int, default=100_000)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--keep", help="make the place here, and leave it")
    options = parser.parse_args()
    root = options.keep or tempfile.mkdtemp(prefix="procd-page-")
    pathlib.Path(root).mkdir(exist_ok=True)
    place = Place(options.programs, root, options.jobs)
    place.fill()
    begin = time.time()
    place.run("find", "--rebuild")
    took = time.time() - begin
    size = (place.root / "spool/find.sqlite").stat().st_size
    print(f"index of {options.jobs} documents: {took:.1f} s, {size >> 20} MiB")
    told("procd find, one word in many documents", [timed(place, "harbour") for _ in range(10)])
    told("procd find, a rare word", [timed(place, "number4711") for _ in range(10)])
    place.start()
    try:
        for path, name in [
            ("/", "page"), ("/api/v1/now", "now"), ("/api/v1/jobs?limit=100", "jobs, the newest"),
            (f"/api/v1/jobs?offset={options.jobs // 2}&limit=100", "jobs, far back"),
            ("/api/v1/find?q=number4711", "find, a rare word"),
            ("/api/v1/find?q=number47", "find, a beginning"),
            ("/api/v1/find?q=harbour", "find, a word in most"),
            ("/api/v1/find?q=harbour+vinnok+qui", "find, three words, one a beginning"),
            ("/api/v1/find?q=harbour&in=texts&since=2026-01-01", "find, narrowed"),
            ("/api/v1/find?q=harbuor", "find, a typo"), ("/api/v1/find?q=in:044", "find, a folder alone"),
            ("/api/v1/figures?span=day", "figures, a day"), ("/api/v1/figures?span=year", "figures, a year"),
        ]:
            told(f"GET {name}", [place.get(path)[0] for _ in range(20)])
        stream = Stream(place)
        stream.start()
        time.sleep(2)
        # Asked of the kernel: when the report appeared, and when the stream told of it.
        lags, before = [], memory(place.web())
        count, end = 0, time.time() + 60 * options.minutes
        while time.time() < end:
            name = f"event-{count}.txt"
            (place.root / "inbox" / name).write_text(f"event {count}\n")
            count += 1
            time.sleep(0.5 if options.minutes <= 2 else 1)
        time.sleep(3)
        for index in range(count):
            report = place.root / f"outbox/event-{index}.txt.report.json"
            if report.exists() and f"event-{index}.txt" in stream.seen:
                lags.append((stream.seen[f"event-{index}.txt"] - report.stat().st_ctime) * 1000)
        told(f"report to event ({len(lags)} of {count} files)", lags)
        print(f"procd-web: {before} kB before, {memory(place.web())} kB after {stream.events} events")
    finally:
        place.daemon.send_signal(signal.SIGTERM)
        place.daemon.wait()
        if not options.keep:
            shutil.rmtree(root)


def timed(place, *words):
    begin = time.perf_counter()
    place.run("find", *words)
    return (time.perf_counter() - begin) * 1000


if __name__ == "__main__":
    main()
