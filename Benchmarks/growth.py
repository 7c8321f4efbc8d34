#!/usr/bin/env python3
"""Measures what procd costs as the ledger and the inbox grow.

    Benchmarks/growth.py --programs .build/release [--jobs 5000 20000 100000] [--inbox 2000 8000 12000]

For each number of jobs, makes a ledger of so many and takes the time of `procd verify`, of a round of retention that
lets all originals go, and of answers of the page, and the share of a core that one open page costs. For each number of
the inbox, holds so many files open for writing, then makes as many new folders, and takes the processor time of procd
and how long one complete file waits meanwhile. A second inbox is a tree of so many folders with two files each.
"""
import argparse
import json
import os
import pathlib
import resource
import shutil
import signal
import sqlite3
import statistics
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from page import Place

TICKS = os.sysconf("SC_CLK_TCK")
COMPLETE = "complete-{}.txt"


def used(process):
    """Seconds of processor time that a process has used."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def say(name, value, unit):
    print(f"  {name:52} {value:10.2f} {unit}", flush=True)


class Jobs(Place):
    """A place whose ledger has many jobs without files."""

    def __init__(self, programs, root, jobs):
        super().__init__(programs, root, jobs)
        path = self.root / "pipelines.json"
        configuration = json.loads(path.read_text())
        configuration["find"] = False
        path.write_text(json.dumps(configuration))

    def fill(self):
        (self.root / "inbox/first.txt").write_text("one word\n")
        self.run("run", "--once")
        ledger = sqlite3.connect(self.root / "spool/ledger.sqlite")
        columns = [row[1] for row in ledger.execute("PRAGMA table_info(job)")]
        row = dict(zip(columns, ledger.execute("SELECT * FROM job").fetchone()))
        # A report of usual length: that of a scan with ten pages.
        report = dict(json.loads(row["report"]), notes=["x" * 150] * 10)
        now = int(time.time() * 1000)

        def rows():
            for number in range(self.jobs):
                name = f"{number % 500:03d}/text-{number}.txt"
                ended = now - 86_400_000 * 300 + number * (86_400_000 * 299 // self.jobs)
                report["job"], report["source"]["path"] = f"01A{number:023d}", name
                made = dict(row, id=report["job"], path=name.encode(), finished=ended, arrived=ended - 900,
                            sha256=f"{number:064x}", report=json.dumps(report),
                            publication=row["publication"].replace("first.txt", name),
                            original=str(self.root / "archive" / name).encode())
                if number % 1000 == 0:
                    made["outcome"], made["errorCode"] = "quarantined", "route.unmatched"
                yield [made[column] for column in columns]

        ledger.executemany(f"INSERT INTO job VALUES ({','.join('?' * len(columns))})", rows())
        ledger.execute("""INSERT INTO attempt (job, step, pipeline, started, ended, class)
                          SELECT id, 'step', 'texts', finished - 800, finished - 100, 'done' FROM job""")
        ledger.commit()
        ledger.close()

    def timed(self, *words):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.run(*words)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def answerer(self):
        """The process that answers the page from the ledger."""
        for entry in pathlib.Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                if b"procd-daemon" in words[0] and b"web" in words and os.readlink(entry / "cwd") == str(self.root):
                    return int(entry.name)
            except (OSError, IndexError):
                continue
        raise SystemExit("the page does not run")


def measure_jobs(programs, count):
    print(f"{count} jobs in the ledger", flush=True)
    root = tempfile.mkdtemp(prefix="procd-growth-")
    place = Jobs(programs, root, count)
    try:
        place.fill()
        say("procd verify", place.timed("verify"), "s of processor time")
        place.start()
        try:
            answerer = place.answerer()
            for path in ["now", "jobs?limit=100", f"jobs?offset={count - 200}&limit=100", "jobs?outcome=quarantined",
                         "jobs?name=text-77", "quarantine", "rules", "figures?span=day", "figures?span=year"]:
                # What is remembered for some seconds is asked for once only.
                times, processor = [], used(answerer)
                for _ in range(5):
                    times.append(place.get(f"/api/v1/{path}")[0])
                say(f"GET {path}, the first time", times[0], "ms")
                say(f"GET {path}, median of {len(times)}", statistics.median(times), "ms")
            request = urllib.request.Request(f"http://127.0.0.1:{place.port}/api/v1/events",
                                             headers={"Cookie": place.cookie})
            with place.opener.open(request) as events:
                events.read(10)
                time.sleep(3)
                begin = used(answerer)
                time.sleep(20)
                say("an open page", (used(answerer) - begin) / 20 * 100, "% of a core")
        finally:
            place.daemon.send_signal(signal.SIGTERM)
            place.daemon.wait()
        path = place.root / "pipelines.json"
        configuration = json.loads(path.read_text())
        configuration["archive"] = {"path": "archive", "keep": "1d"}
        path.write_text(json.dumps(configuration))
        (place.root / "archive").mkdir(exist_ok=True)
        (place.root / "archive/something").write_text("not empty\n")
        say("a round of retention", place.timed("run", "--once"), "s of processor time")
    finally:
        shutil.rmtree(root)


class Inbox:
    """A running procd with an inbox that is about to be flooded."""

    def __init__(self, programs, root):
        self.procd = str(pathlib.Path(programs).resolve() / "procd")
        self.root = pathlib.Path(root).resolve()
        (self.root / "inbox").mkdir()
        (self.root / "aside").mkdir()
        (self.root / "pipelines.json").write_text(json.dumps({
            "version": 1, "inbox": {"path": "inbox"}, "find": False,
            "pipelines": [{"id": "texts", "match": {"mime": "text/plain"}, "steps": [], "emit": ["source"]}]}))
        self.daemon = subprocess.Popen([self.procd, "run", "--existing", "process"], cwd=self.root,
                                       stdout=open(self.root / "log", "wb"), stderr=subprocess.STDOUT)
        time.sleep(2)

    def cost(self, name, action):
        begin = used(self.daemon.pid)
        action()
        say(name, used(self.daemon.pid) - begin, "s of processor time")

    def wait_for_complete(self, number):
        """Moves a complete file in and waits for its report."""
        name = COMPLETE.format(number)
        (self.root / "aside" / name).write_text(f"the complete file number {number}\n")
        (self.root / "aside" / name).rename(self.root / "inbox" / name)
        begin = time.time()
        while not (self.root / f"outbox/{name}.report.json").exists():
            if time.time() - begin > 300:
                return 300
            time.sleep(0.02)
        return time.time() - begin

    def end(self):
        self.daemon.send_signal(signal.SIGTERM)
        self.daemon.wait()


def measure_inbox(programs, count):
    print(f"{count} files held open, and {count} new folders", flush=True)
    root = tempfile.mkdtemp(prefix="procd-growth-")
    held = []
    inbox = Inbox(programs, root)
    try:
        for number in range(count):
            held.append(os.open(inbox.root / f"inbox/held-{number}", os.O_CREAT | os.O_WRONLY))
        time.sleep(4)
        inbox.cost("10 s with the files held open", lambda: time.sleep(10))
        say("a complete file waits", inbox.wait_for_complete(1), "s")

        def make_folders():
            for number in range(count):
                (inbox.root / f"inbox/folder-{number}").mkdir()
            say("a complete file waits behind the folders", inbox.wait_for_complete(2), "s")
        inbox.cost("the folders", make_folders)
        begin = time.time()
        while held:
            os.close(held.pop())
        while len(list((inbox.root / "inbox").glob("held-*"))) == count and time.time() - begin < 300:
            time.sleep(0.02)
        say("the first of the files is taken after they were closed", time.time() - begin, "s")
    finally:
        for descriptor in held:
            os.close(descriptor)
        inbox.end()
        shutil.rmtree(root)

    print(f"a tree of {count} folders with two files each", flush=True)
    root = tempfile.mkdtemp(prefix="procd-growth-")
    inbox = Inbox(programs, root)
    try:
        begin = used(inbox.daemon.pid)
        for number in range(count):
            folder = inbox.root / f"inbox/folder-{number}"
            folder.mkdir()
            for name in ["a", "b"]:
                (folder / f"{number}-{name}.txt").write_text(f"the file {name} of the folder {number}\n")
        done, last = 0, time.time()
        while done < 2 * count and time.time() - last < 60:
            time.sleep(1)
            now = sum(len(names) for _, _, names in os.walk(inbox.root / "archive")) // 2
            if now != done:
                done, last = now, time.time()
        say(f"each of {done} files", (used(inbox.daemon.pid) - begin) / max(1, done) * 1000, "ms of processor time")
    finally:
        inbox.end()
        shutil.rmtree(root)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", default=".build/release")
    parser.add_argument("--jobs", type=int, nargs="*", default=[5000, 20_000, 100_000])
    parser.add_argument("--inbox", type=int, nargs="*", default=[2000, 8000, 12_000])
    options = parser.parse_args()
    most = max(options.inbox, default=0) + 1000
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, hard), hard))
    for count in options.jobs:
        measure_jobs(options.programs, count)
    for count in options.inbox:
        measure_inbox(options.programs, count)


if __name__ == "__main__":
    main()
