#!/usr/bin/env python3
"""Folders that stop answering while procd runs, as a share does whose server is gone. Each folder that procd uses is
frozen in turn, beside every command: procd says so within ten seconds everywhere, everything else goes on, a stop ends
within ten seconds, and all is done once the folder answers again.

A folder is a bindfs over another bindfs, and the lower one is stopped: the upper one has taken the call and never
answers it, so not even SIGKILL ends the process that made it. In a mount namespace of its own, which needs root."""

import concurrent.futures
import contextlib
import http.cookiejar
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

import sites
import tool
from watching import Watched
from world import has, put, reports

# What is frozen, and how procd calls it.
FOLDERS = {"inbox": "the inbox", "outbox": "the outbox", "archive": "the archive", "quarantine": "the quarantine",
           "inbox/lists": "the folder of the source lists", "figures": "the folder of the metrics"}
# Files go on without them.
ASIDE = ["quarantine", "inbox/lists", "figures"]
SHORT_FOLDERS = ["inbox", "archive", "quarantine"]
LONGEST = 10
COMMANDS = [["status"], ["status", "--json"], ["status", "a.pdf"], ["health"], ["check"], ["doctor"], ["verify"],
            ["jobs"], ["jobs", "--quarantined"], ["find", "words"], ["fetch"], ["explain", "letter.pdf"],
            ["add", "letter.pdf"], ["reload"], ["clean", "--older", "1d", "--dry-run"], ["lookup", "12345678901"],
            ["retry", "bad.pdf"], ["plugins"], ["fleet"], ["web", "open"], ["run", "--once"], ["run", "--dry-run"]]
SHORT = [["status"], ["health"], ["check"], ["verify"], ["jobs", "--quarantined"], ["add", "letter.pdf"], ["run", "--once"]]


class Frozen:
    """A folder on a file system that can stop answering."""

    def __init__(self, site, name):
        self.path = site(name)
        self.lower, back = site(f"lower-{name.replace('/', '-')}"), site(f"back-{name.replace('/', '-')}")
        for path in (self.path, self.lower, back):
            os.makedirs(path, exist_ok=True)
        self.processes = [self.mount(back, self.lower), self.mount(self.lower, self.path)]

    @staticmethod
    def mount(back, at):
        process = subprocess.Popen(["bindfs", "-f", "-o", "attr_timeout=0,entry_timeout=0,negative_timeout=0", back, at],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.time() + 20
        while not os.path.ismount(at):
            assert time.time() < end and process.poll() is None, f"nothing was mounted at {at}"
            time.sleep(0.02)
        return process

    def freeze(self):
        self.processes[0].send_signal(signal.SIGSTOP)

    def thaw(self):
        self.processes[0].send_signal(signal.SIGCONT)

    def end(self):
        self.thaw()
        for path in (self.path, self.lower):
            subprocess.run(["umount", "-l", path], capture_output=True, check=False)
        for process in self.processes:
            process.kill()
            process.wait()


class Opener:
    """A browser that has opened the page."""

    def __init__(self, link, port):
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        self.opener.open(link, timeout=LONGEST).read()
        self.base = f"http://127.0.0.1:{port}/api/v1/"

    def get(self, what):
        try:
            with self.opener.open(self.base + what, timeout=LONGEST) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())


@contextlib.contextmanager
def frozen_site(programs, name):
    place = tempfile.mkdtemp(prefix="procd-silence-", dir=sites.scratch())
    site = sites.Site(programs, "none", place=place)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    told = site("told")
    site.write("tell", f"#!/bin/sh\ncat >> {told}\n".encode())
    os.chmod(site("tell"), 0o755)

    def change(configuration):
        configuration["sources"] = [{"id": "lists", "url": "http://127.0.0.1:9/none.pdf", "to": "lists", "every": "1h"}]
        configuration["metrics"] = {"file": "figures/procd.prom"}
        configuration["notify"] = [{"on": ["paused"], "command": [site("tell")]}]
        configuration["web"] = f"127.0.0.1:{port}"
        configuration["inbox"]["settleUnleased"] = "300ms"

    os.makedirs(site("figures"))
    frozen, watched = Frozen(site, name), None
    try:
        # Claims lie in an inbox on a mount of its own, so nobody else may rename what is in it.
        watched = Watched(programs, place=place, change=change, rights=0o755)
        yield watched, frozen, port
    finally:
        frozen.thaw()
        if watched and watched.process.poll() is None:
            watched.stop(signal.SIGKILL)
        frozen.end()
        shutil.rmtree(place, ignore_errors=True)


def within(seconds, done, complaint, watched):
    started = time.time()
    while not done():
        assert time.time() - started < seconds, f"{complaint} within {seconds} s\n{watched.text().decode()[-1500:]}"
        time.sleep(0.05)
    return time.time() - started


def claims(watched):
    """The files that procd has in work."""
    found = []
    for root in ("spool/claimed", "inbox/.procd/claimed"):
        found += os.listdir(watched.site(root)) if os.path.isdir(watched.site(root)) else []
    return found


def told(watched):
    path = watched.site("told")
    return open(path, encoding="utf-8").read() if os.path.exists(path) else ""


def ask(watched, commands, bad, called):
    """Runs commands, some at a time: each has to end in time. Gives the exit code, the text and the seconds of each."""
    def run(words):
        started = time.time()
        process = subprocess.Popen(watched.site.command(*words), cwd=watched.site.root, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            text = process.communicate(timeout=LONGEST)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            bad.append(f"{called}: procd {' '.join(words)} has not ended within {LONGEST} s")
            process.kill()
            return None, "", LONGEST
        return process.returncode, text, time.time() - started

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return list(pool.map(run, commands))


def frozen_in_turn(programs, name, commands, bad):
    """One folder: reported everywhere, beside every command, and all goes on afterwards."""
    called, slowest = FOLDERS[name], 0
    with frozen_site(programs, name) as (watched, frozen, port):
        watched.site.write("letter.pdf", sites.pdf("letter"))
        put(watched, "a.pdf")
        has(watched, "a.pdf")
        link = watched.site.run("web", "open")[1].split()[0]
        page = Opener(link, port)
        frozen.freeze()
        at = time.time()
        within(LONGEST, lambda: b"does not answer" in watched.text(), f"the log does not tell of {called}", watched)
        noticed = time.time() - at
        assert called.encode() in watched.text(), watched.text().decode()
        within(LONGEST, lambda: name in ("inbox/lists", "figures") or "does not answer" in told(watched),
               "nobody was notified", watched)
        for words, (status, text, seconds) in zip(commands, ask(watched, commands, bad, called)):
            slowest = max(slowest, seconds)
            if words[0] in ("status", "check", "doctor", "health") and words != ["status", "a.pdf"] \
                    and "does not answer" not in text:
                bad.append(f"{called}: procd {' '.join(words)} says nothing of it ({status}): {text[-300:]}")
            if words == ["health"] and status != 1:
                bad.append(f"{called}: health ends with {status}: {text}")
        status, now = page.get("now")
        if status != 200 or called not in json.dumps(now):
            bad.append(f"{called}: the page answers {status}: {json.dumps(now)[:300]}")
        if name in ASIDE:
            put(watched, "beside.pdf")
            if name == "quarantine":
                put(watched, "refused.bin", "nothing takes this")
            has(watched, "beside.pdf")
        frozen.thaw()
        within(LONGEST, lambda: b"answers again" in watched.text(), "the end is not told", watched)
        put(watched, "after.pdf")
        has(watched, "after.pdf")
        # A call that is under way when the folder freezes cannot be given up: see docs/reliability.md.
        watched.wait(lambda: not claims(watched), "after.pdf is not archived")
        frozen.freeze()
        put_aside = threading.Thread(target=lambda: put(watched, "late.pdf"), daemon=True)
        put_aside.start()
        time.sleep(0.5)
        watched.process.send_signal(signal.SIGTERM)
        stopped = time.time()
        try:
            watched.process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            bad.append(f"{called}: a stop has not ended within {LONGEST} s")
        stopped = time.time() - stopped
        frozen.thaw()
        watched.process.wait(20)
        put_aside.join(20)
        watched.start()
        has(watched, "late.pdf")
    print(f"{called}: noticed after {noticed:.1f} s, slowest command {slowest:.1f} s, stopped in {stopped:.1f} s", flush=True)


def frozen_while_busy(programs, name, bad):
    """Files are on their way through the folder when it stops answering. None is lost or made twice."""
    called = FOLDERS[name]
    names = [f"f{number:03}.pdf" for number in range(60)]
    with frozen_site(programs, name) as (watched, frozen, _):
        for each in names:
            put(watched, each)
        watched.wait(lambda: len(reports(watched)) >= 5, "nothing was done")
        frozen.freeze()
        within(LONGEST, lambda: b"does not answer" in watched.text(), f"the log does not tell of {called}", watched)
        [(status, text, _)] = ask(watched, [["health"]], bad, called)
        if status != 1 or "does not answer" not in text:
            bad.append(f"{called}, busy: health ends with {status}: {text}")
        frozen.thaw()
        watched.wait(lambda: set(names) <= set(reports(watched)), f"{len(reports(watched))} of {len(names)} are done", 60)
        if len(reports(watched)) != len(names):
            bad.append(f"{called}, busy: {len(reports(watched))} reports of {len(names)} files")
        frozen.freeze()
        watched.process.send_signal(signal.SIGTERM)
        time.sleep(1)
        frozen.thaw()
        watched.process.wait(30)


def main():
    parser = tool.parser(__doc__)
    parser.add_argument("--short", action="store_true", help="fewer folders and commands")
    parser.add_argument("--only", help="folders whose name contains this")
    parser.add_argument("--inside", action="store_true", help="used by itself")
    options = parser.parse_args()
    if not options.inside:
        if os.geteuid() != 0 or not os.path.exists("/dev/fuse") or not shutil.which("bindfs"):
            print("SKIPPED: only root can mount, and a folder that stops answering needs bindfs and /dev/fuse")
            return 0
        return os.execvp("unshare", ["unshare", "-m", sys.executable, *sys.argv, "--inside"])
    programs, bad, count = sites.programs(options.programs), [], 0
    names = [name for name in (SHORT_FOLDERS if options.short else FOLDERS) if not options.only or options.only in name]
    cases = [(frozen_in_turn, name, SHORT if options.short else COMMANDS) for name in names]
    cases += [(frozen_while_busy, name) for name in names if name in ("outbox", "archive")]
    for case, name, *more in cases:
        count += 1
        try:
            case(programs, name, *more, bad)
        except (AssertionError, OSError, subprocess.SubprocessError) as error:
            bad.append(f"{case.__name__}, {name}: {error}")
    return tool.end(bad, {"test": "silence", "cases": count, "failed": len(bad)})


if __name__ == "__main__":
    sys.exit(main())
