#!/usr/bin/env python3
"""Attacks the page of a running procd while files come, and kills its two processes again and again.

    Tests/Faults/page.py --programs .build/release [--files 120] [--kills 30] [--short] [--api]

Three rounds with the same files: at rest, under attack, and with kills. Attack is: 1,000 connections that say nothing or
one byte a second, readers that take nothing of what they are sent, streams of events that nobody reads, wrong tokens
and passwords as fast as they go, uploads that are cut off, paths that lead elsewhere, other names and origins. It holds
where every file ends once and whole, nobody comes in, what a page shows is right afterwards, and nothing is left of
cut uploads. Prints how long a file takes from its coming to its report, at rest and under attack. `--api` lets
schemathesis, where it is installed, try the API by its OpenAPI document. Ends with 1 where something does not hold.
"""
import argparse
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

failed = []


def check(what, holds, detail=""):
    print(f"{'ok  ' if holds else 'FAIL'} {what} {detail}", flush=True)
    if not holds:
        failed.append(what)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirect)


class Place:
    def __init__(self, programs):
        self.procd = str(pathlib.Path(programs).resolve() / "procd")
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="procd-page-"))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        configuration = {
            "version": 1, "web": f"127.0.0.1:{self.port}", "inbox": {"path": "inbox", "settle": "100ms"},
            "pipelines": [{"id": "copy", "match": {"name": "*.txt"}, "steps": [], "emit": ["source"]},
                          {"id": "text", "match": {"mime": "application/pdf"},
                           "steps": [{"id": "text", "use": "pdf.text"}], "emit": ["text.text"]}],
        }
        (self.root / "pipelines.json").write_text(json.dumps(configuration))
        (self.root / "inbox").mkdir()
        self.daemon = subprocess.Popen([self.procd, "run"], cwd=self.root, stdout=open(self.root / "log", "ab"),
                                       stderr=subprocess.STDOUT)
        self.open()

    def run(self, *words):
        return subprocess.run([self.procd, *words], cwd=self.root, capture_output=True, text=True)

    def open(self):
        end = time.time() + 60
        while time.time() < end:
            link = self.run("web", "open").stdout.strip()
            try:
                if link:
                    OPENER.open(link, timeout=10)
            except urllib.error.HTTPError as answer:
                if answer.status == 303:
                    self.cookie = answer.headers["Set-Cookie"].split(";")[0]
                    return
            except OSError:
                pass
            time.sleep(0.1)
        raise SystemExit("the page does not open")

    def ask(self, path, data=None, cookie=True, headers=()):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data=data,
                                         headers=dict({"Cookie": self.cookie} if cookie else {}, **dict(headers)))
        try:
            answer = OPENER.open(request, timeout=30)
            return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.status, error.read()

    def children(self):
        """The desk and the server of this page."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                where = os.readlink(entry / "cwd")
            except OSError:
                continue
            name = os.path.basename(words[0])
            if where == str(self.root) and (name == b"procd-web" or name == b"procd-daemon" and b"web" in words):
                found.append(int(entry.name))
        return found

    def close(self):
        self.daemon.send_signal(signal.SIGTERM)
        check("procd ends when it is asked to", self.daemon.wait(60) == 0)
        shutil.rmtree(self.root)


def drop(place, prefix, count, pause):
    """Files as they come, and how long each takes to its report."""
    sums, began = {}, {}
    took, seen = [], set()

    def look():
        now = time.time()
        for name in os.listdir(place.root / "outbox") if (place.root / "outbox").exists() else []:
            if name.startswith(prefix) and name.endswith(".report.json") and name not in seen:
                seen.add(name)
                took.append(now - began[name.removesuffix(".report.json")])

    for index in range(count):
        name = f"{prefix}-{index}.txt"
        body = (f"{name} " * random.randrange(1, 200)).encode()
        sums[name] = hashlib.sha256(body).hexdigest()
        temporary = place.root / f"inbox/.{name}.part"
        temporary.write_bytes(body)
        began[name] = time.time()
        temporary.rename(place.root / "inbox" / name)
        end = time.time() + pause
        while time.time() < end:
            look()
            time.sleep(0.01)
    end = time.time() + 120
    while len(took) < count and time.time() < end:
        look()
        time.sleep(0.01)

    def is_whole(name):
        result = place.root / "outbox" / name
        return (result.exists() and hashlib.sha256(result.read_bytes()).hexdigest() == sums[name]
                and (place.root / "archive" / name).exists() and not (place.root / "inbox" / name).exists())

    # The original follows its report.
    while (whole := sum(map(is_whole, sums))) < count and time.time() < end:
        time.sleep(0.05)
    check(f"{prefix}: {count} files are done once and whole", whole == count and len(took) == count,
          f"{whole} of {count}")
    took.sort()
    return took


def told(name, took):
    print(f"     {name:12} median {statistics.median(took) * 1000:6.0f} ms, p99 {took[int(len(took) * 0.99) - 1] * 1000:6.0f} ms")


class Attack:
    def __init__(self, place, connections):
        self.place, self.over = place, threading.Event()
        self.entered, self.tries = [], 0
        self.threads = [threading.Thread(target=body, daemon=True) for body in
                        [lambda: self.crowd(connections), self.slow, self.deaf, self.guess, self.guess, self.cut, self.wander]]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join(30)

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.place.port), timeout=5)
        return connection

    def crowd(self, count):
        """Connections that say nothing."""
        held = []
        while not self.over.is_set():
            try:
                if len(held) < count:
                    held.append(self.connect())
                else:
                    time.sleep(0.2)
            except OSError:
                time.sleep(0.05)
        for connection in held:
            connection.close()

    def slow(self):
        """A head that comes a byte a second."""
        while not self.over.is_set():
            try:
                with self.connect() as connection:
                    for byte in b"GET /api/v1/now HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 1000:
                        if self.over.is_set():
                            return
                        connection.send(bytes([byte]))
                        time.sleep(0.5)
            except OSError:
                time.sleep(0.2)

    def deaf(self):
        """Whoever asks with a session and takes nothing of the answers."""
        held = []
        while not self.over.is_set():
            try:
                connection = self.connect()
                path = random.choice(["/api/v1/events", "/api/v1/jobs?limit=500", "/api/v1/openapi.json"])
                for _ in range(20):
                    connection.send(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.place.port}\r\n"
                                    f"Cookie: {self.place.cookie}\r\n\r\n".encode())
                held.append(connection)
            except OSError:
                pass
            time.sleep(0.1)
            if len(held) > 50:
                held.pop(0).close()

    def guess(self):
        """Tokens, cookies and passwords, as fast as they go."""
        while not self.over.is_set():
            self.tries += 1
            token = f"{random.getrandbits(256):064x}"
            way = random.randrange(4)
            try:
                if way == 0:
                    status, _ = self.place.ask(f"/open?token={token}", cookie=False)
                    entered = status == 303
                elif way == 1:
                    status, _ = self.place.ask("/api/v1/now", cookie=False,
                                               headers={"Cookie": f"procd-{self.place.port}=9999999999.{token}"})
                    entered = status == 200
                elif way == 2:
                    status, _ = self.place.ask("/api/v1/login", json.dumps({"password": token}).encode(), cookie=False,
                                               headers={"Content-Type": "application/json"})
                    entered = status == 204
                else:
                    status, _ = self.place.ask("/api/v1/retry", b'{"all":true}',
                                               headers={"Content-Type": "application/json",
                                                        "Origin": "http://elsewhere.example"})
                    entered = status == 200
            except (OSError, urllib.error.URLError):
                continue
            if entered:
                self.entered.append(way)

    def cut(self):
        """Uploads that end too early."""
        while not self.over.is_set():
            try:
                with self.connect() as connection:
                    connection.send(f"POST /api/v1/uploads?name=cut-{random.randrange(10**9)}.txt HTTP/1.1\r\n"
                                    f"Host: 127.0.0.1:{self.place.port}\r\nCookie: {self.place.cookie}\r\n"
                                    f"Content-Length: 1000000\r\n\r\n".encode() + b"x" * random.randrange(100_000))
                    time.sleep(random.random() * 0.1)
            except OSError:
                time.sleep(0.05)

    def wander(self):
        """Paths and names that lead elsewhere."""
        while not self.over.is_set():
            try:
                for path in ["/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/api/v1/jobs/..%2f..%2fetc",
                             "/api/v1/jobs/x/results/-1", "/api/v1/jobs/" + "a" * 5000, "//etc/passwd", "/page.css/..",
                             "/api/v1/jobs/x/pages/99999999999999999999.png", "/api/v1/find?q=" + "%00" * 100]:
                    status, body = self.place.ask(path)
                    if b"root:" in body:
                        self.entered.append(path)
                with self.connect() as connection:
                    connection.send(os.urandom(2000))
                    connection.settimeout(1)
                    connection.recv(1000)
            except (OSError, urllib.error.URLError, ValueError):
                pass
            time.sleep(0.05)


def kills(place, count, count_of_files):
    """Kills desk and server at random moments while files come."""
    done, over = [0], threading.Event()

    def kill():
        while not over.is_set() and done[0] < count:
            time.sleep(random.uniform(0.05, 0.6))
            children = place.children()
            if children:
                try:
                    os.kill(random.choice(children), signal.SIGKILL)
                    done[0] += 1
                except ProcessLookupError:
                    pass

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    took = drop(place, "killed", count_of_files, 0.1)
    end = time.time() + 120
    while done[0] < count and time.time() < end:
        time.sleep(0.1)
    over.set()
    killer.join(10)
    check(f"{done[0]} kills of desk and server", done[0] >= count)
    return took


def api(place):
    """Has schemathesis try the API."""
    program = shutil.which("schemathesis") or str(pathlib.Path(sys.executable).parent / "schemathesis")
    if not os.access(program, os.X_OK):
        print("not tried: schemathesis is not installed")
        return
    status, body = place.ask("/api/v1/openapi.json")
    document = json.loads(body)
    # Streams do not end by themselves, and a session is to last.
    for path in ["/api/v1/events", "/api/v1/logout"]:
        document["paths"].pop(path)
    children = place.children()
    (place.root / "openapi.json").write_text(json.dumps(document))
    result = subprocess.run(
        [program, "run", str(place.root / "openapi.json"), "--url", f"http://127.0.0.1:{place.port}", "--header",
         f"Cookie: {place.cookie}", "--checks", "not_a_server_error,status_code_conformance,content_type_conformance",
         "--max-examples", "60", "--suppress-health-check", "all", "--request-timeout", "20"],
        capture_output=True, text=True, cwd=place.root)
    lines = result.stdout.splitlines()
    check("the server is the same one after it", place.children() == children)
    check("schemathesis finds nothing", result.returncode == 0, "\n".join(lines[-60:]) if result.returncode else
          next((line for line in lines if "generated" in line), ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", default=".build/release")
    parser.add_argument("--files", type=int, default=120)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--short", action="store_true", help="the form that the tests have")
    parser.add_argument("--api", action="store_true")
    options = parser.parse_args()
    random.seed(options.seed)
    if options.short:
        options.files, options.kills = 30, 5
    place = Place(options.programs)
    try:
        if options.api:
            api(place)
        before = json.loads(place.ask("/api/v1/jobs?limit=1")[1])["total"]
        rest = drop(place, "rest", options.files, 0.1)
        with Attack(place, 200 if options.short else 1000) as attack:
            time.sleep(2)
            attacked = drop(place, "attacked", options.files, 0.1)
        check("nobody came in", not attack.entered, f"{attack.tries} tries {attack.entered[:3]}")
        kills(place, options.kills, options.files)
        place.open()
        end = time.time() + 60
        shown = 0
        while shown - before != 3 * options.files and time.time() < end:
            status, body = place.ask("/api/v1/jobs?limit=1")
            shown = json.loads(body)["total"] if status == 200 else 0
            time.sleep(0.2)
        check("the page shows them all", shown - before == 3 * options.files, str(shown))
        left = [name for name in os.listdir(place.root / "inbox") if name not in (".procd",)]
        check("nothing is left of cut uploads", not left, str(left[:5]))
        verified = place.run("verify")
        check("verify finds nothing wrong", verified.returncode == 0, verified.stdout[-300:])
        told("at rest", rest)
        told("attacked", attacked)
    finally:
        place.close()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
