#!/usr/bin/env python3
"""How much procd takes and how soon it answers: small files offered at once, at a steady rate, and in a burst that
overflows the kernel's queue of events. Prints figures; fails only where a file is missing or doubled."""

import contextlib
import os
import resource
import statistics
import sys
import tempfile
import threading
import time

import sites
import tool
from watching import Watched

QUEUE = "/proc/sys/fs/inotify/max_queued_events"


# What is in a file of a kind; of all kinds much the same.
CONTENTS = {"pdf": sites.pdf, "txt": lambda words: f"{words}\n".encode()}
# Texts go to the outbox as they came, PDFs are read.
KEPT = {"id": "texts", "match": {"mime": "text/*"}, "emit": ["source"]}


def filled(place, count, kind="pdf"):
    """Small files, each with another line."""
    os.makedirs(place, exist_ok=True)
    for number in range(count):
        with open(f"{place}/f{number:06}.{kind}", "wb") as file:
            file.write(CONTENTS[kind](f"words of file {number}"))
            file.flush()
            # Before it is closed: a procd that runs may take it right afterwards.
            os.utime(file.fileno(), (1_600_000_000, 1_600_000_000))


def reported(site):
    try:
        return sum(1 for entry in os.scandir(site("outbox")) if entry.name.endswith(".report.json"))
    except FileNotFoundError:
        return 0


def at_once(programs, count, kind):
    """A folder full of files and `--once`, against a loop that copies each of them and syncs the copy."""
    root = tempfile.mkdtemp(prefix="procd-load-", dir=os.environ.get("LOAD_DISK"))
    site = sites.Site(programs, "none", place=root)
    try:
        whole = sites.text_alone()
        site.configure(whole | {"pipelines": whole["pipelines"] + [KEPT]})
        filled(site("inbox"), count, kind)
        os.makedirs(site("copies"))
        os.sync()
        begun = time.time()
        for name in sorted(os.listdir(site("inbox"))):
            with open(site(f"inbox/{name}"), "rb") as source, open(site(f"copies/{name}"), "wb") as target:
                target.write(source.read())
                target.flush()
                os.fsync(target.fileno())
        loop = time.time() - begun
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
        status, output = site.run("run", "--once", "--existing", "process", timeout=3600)
        seconds, after = time.time() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
        bad = [] if status == 0 and reported(site) == count else [f"ended with {status}, {reported(site)} of {count}"]
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return {"test": "at once", "kind": kind, "files": count, "seconds": round(seconds, 2), "filesPerSecond": round(count / seconds, 1),
                "cpuMillisecondsPerFile": round(cpu / count * 1000, 2), "loopSeconds": round(loop, 2),
                "ratioToLoop": round(loop / seconds, 3), "megabytes": after.ru_maxrss >> 10}, bad
    finally:
        site.remove()


def steady(programs, rate, seconds):
    """Files at a steady rate: from the writer's close to the report."""
    watched = Watched(programs, change=lambda configuration: configuration["inbox"].update({"settle": "0s"}))
    closed, seen, stopped = {}, {}, threading.Event()

    def look():
        while not stopped.is_set():
            try:
                for entry in os.scandir(watched.site("outbox")):
                    if entry.name.endswith(".report.json"):
                        seen.setdefault(entry.name[:-len(".report.json")], time.time())
            except FileNotFoundError:
                pass
            time.sleep(0.002)

    looker = threading.Thread(target=look)
    looker.start()
    try:
        begun, count = time.time(), max(5, int(rate * seconds))
        for number in range(count):
            time.sleep(max(0, begun + number / rate - time.time()))
            name = f"s{number}.pdf"
            with open(watched.site(f"inbox/{name}"), "wb") as file:
                file.write(sites.pdf(name))
            closed[name] = time.time()
        watched.wait(lambda: len(seen) >= count, "files are missing", seconds=300)
        taken = sorted(1000 * (seen[name] - closed[name]) for name in closed)
        return {"test": "steady", "rate": rate, "files": count, "medianMilliseconds": round(statistics.median(taken), 1),
                "p99Milliseconds": round(taken[min(count - 1, int(count * 0.99))], 1)}, []
    except AssertionError as error:
        return {"test": "steady", "rate": rate}, [str(error)]
    finally:
        stopped.set()
        looker.join()
        watched.end()


def memory(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) >> 10 for line in file if line.startswith("VmHWM"))


@contextlib.contextmanager
def short_queue(events):
    """For who begins to watch meanwhile."""
    with open(QUEUE, encoding="ascii") as file:
        before = file.read()
    with open(QUEUE, "w", encoding="ascii") as file:
        file.write(str(events))
    try:
        yield
    finally:
        with open(QUEUE, "w", encoding="ascii") as file:
            file.write(before)


def burst(programs, count):
    """All at once beside a running procd, with a queue of events that is far too short."""
    with short_queue(64):
        watched = Watched(programs, change=lambda configuration: configuration["inbox"].update({"settle": "0s"}))
    try:
        begun = time.time()
        filled(watched.site("inbox"), count)
        offered = time.time() - begun
        watched.wait(lambda: reported(watched.site) >= count, "files are missing", seconds=60 + count // 5)
        seconds = time.time() - begun
        return {"test": "burst", "files": count, "offeredInSeconds": round(offered, 1), "seconds": round(seconds, 1),
                "filesPerSecond": round(count / seconds, 1), "daemonMegabytes": memory(watched.process.pid)}, []
    except AssertionError as error:
        return {"test": "burst", "files": count}, [str(error)]
    finally:
        watched.end()


def main():
    parser = tool.parser(__doc__)
    parser.add_argument("--files", type=int, default=1000, help="files offered at once")
    parser.add_argument("--burst", type=int, default=0, help="files of the burst; needs root")
    parser.add_argument("--rates", default="1,10,100", help="files a second; empty for none")
    parser.add_argument("--seconds", type=float, default=10, help="for each rate")
    options = parser.parse_args()
    programs, failed = sites.programs(options.programs), 0
    if options.burst and not os.access(QUEUE, os.W_OK):
        sys.exit("a burst needs root, to shorten the kernel's queue of events")
    tests = [lambda kind=kind: at_once(programs, options.files, kind) for kind in CONTENTS if options.files]
    tests += [lambda rate=float(rate): steady(programs, rate, options.seconds) for rate in options.rates.split(",") if rate]
    if options.burst:
        tests.append(lambda: burst(programs, options.burst))
    for test in tests:
        figures, bad = test()
        failed |= tool.end(bad, figures)
    sys.exit(failed)


if __name__ == "__main__":
    main()
