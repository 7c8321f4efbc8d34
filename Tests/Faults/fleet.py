#!/usr/bin/env python3
"""A fleet of real processes: a broker, a keeper with its files, helpers. What is killed, cut off or deleted loses no
file, makes none twice, and is charged to none; what comes from helpers is what this machine would have made.

Needs nats-server. What cuts lines needs root, for network namespaces."""

import contextlib
import ctypes
import errno
import fcntl
import glob
import hashlib
import json
import os
import queue
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

import invariants
import sites
import tool
from watching import family

SLOW = """#!/bin/sh
# A step that takes a while: what comes of it shows what it was made of.
set -eu
pause=$(printf '%s' "$PROCD_OPTIONS" | sed -n 's/.*"ms":\\([0-9]*\\).*/\\1/p')
sleep "$(printf '%d.%03d' $((pause / 1000)) $((pause % 1000)))"
mkdir -p "$PROCD_WORK/out"
sha256sum < "$PROCD_INPUT" > "$PROCD_WORK/out/sum.txt"
"""

MANIFEST = {
    "name": "slow", "version": "1", "command": ["./slow.sh"],
    "steps": {"slow.sum": {"travels": True, "outputs": {"sum": {"mime": "text/plain", "extension": "txt"}},
                           "options": {"ms": {"type": "integer", "default": 200}}}},
}


def free_port():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


class Net:
    """Three machines in namespaces of their own: the broker in the middle, a line to the keeper and one to helpers."""

    ADDRESSES = {"keeper": "10.77.1", "helper": "10.77.2"}

    def __init__(self):
        self.names = {role: f"procd-{role}-{os.getpid()}" for role in ("broker", "keeper", "helper")}
        for name in self.names.values():
            self.call("ip", "netns", "add", name)
            self.call("ip", "-n", name, "link", "set", "lo", "up")
        for role, address in self.ADDRESSES.items():
            line = f"p{role[0]}{os.getpid()}"
            self.lay(role, line)
            for name, device, end in ((self.names[role], line, 2), (self.names["broker"], role, 1)):
                self.call("ip", "-n", name, "addr", "add", f"{address}.{end}/24", "dev", device)
                self.call("ip", "-n", name, "link", "set", device, "up")

    def lay(self, role, line):
        """Lays the line of a role: a device in its namespace, and one in the broker's."""
        self.call("ip", "link", "add", line, "netns", self.names[role], "type", "veth",
                  "peer", "name", role, "netns", self.names["broker"])

    @staticmethod
    def call(*command):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"

    def role(self, name):
        return name if name in ("broker", "keeper") else "helper"

    def inside(self, name):
        return ["ip", "netns", "exec", self.names[self.role(name)]]

    def line(self, role, up):
        """Cuts the line of a role, or mends it. Packets are dropped: nobody is told."""
        self.call("ip", "-n", self.names["broker"], "link", "set", role, "up" if up else "down")

    def end(self):
        for name in self.names.values():
            subprocess.run(["ip", "netns", "del", name], capture_output=True)


class LossyNet(Net):
    """The same with lines that lose packets, send some twice, and let some overtake others (tun devices, for kernels
    without netem)."""

    def __init__(self):
        self.loss, self.lost, self.passed, self.ends = 0.0, 0, 0, []
        super().__init__()

    def lay(self, role, line):
        ends = [self.device(self.names[role], line), self.device(self.names["broker"], role)]
        self.ends += ends
        for source, sink in (ends, reversed(ends)):
            threading.Thread(target=self.carry, args=(source, sink), daemon=True).start()

    @staticmethod
    def device(namespace, name):
        """A tun device in a namespace; packets are read from and written to what it answers (tuntap.txt of Linux)."""
        made = []

        def make():
            # Of this thread alone.
            libc = ctypes.CDLL(None, use_errno=True)
            with open(f"/var/run/netns/{namespace}", "rb") as there:
                assert libc.setns(there.fileno(), 0x40000000) == 0, os.strerror(ctypes.get_errno())
            end = os.open("/dev/net/tun", os.O_RDWR)
            fcntl.ioctl(end, 0x400454CA, struct.pack("16sH22x", name.encode(), 0x0001 | 0x1000))
            made.append(end)

        maker = threading.Thread(target=make)
        maker.start()
        maker.join()
        assert made, "no tun device could be made"
        return made[0]

    def carry(self, source, sink):
        held = None
        while True:
            try:
                packet = os.read(source, 65536)
            except OSError as error:
                # The device is not up yet, or is gone.
                if error.errno != errno.EIO:
                    return
                time.sleep(0.01)
                continue
            self.passed += 1
            if random.random() < self.loss:
                self.lost += 1
            elif held is None and random.random() < self.loss / 2:
                held = packet
            else:
                again = [packet] if random.random() < self.loss / 4 else []
                for each in [packet] + again + ([held] if held is not None else []):
                    with contextlib.suppress(OSError):
                        os.write(sink, each)
                held = None

    def end(self):
        super().end()
        for end in self.ends:
            with contextlib.suppress(OSError):
                os.close(end)


class Fleet:
    """A site whose procd is the keeper, a broker beside it, and helpers; all are processes of this machine."""

    def __init__(self, programs, helpers=2, slots=1, patience="2s", pipelines=None, workers=2, net=None, **more):
        self.programs, self.slots, self.keys, self.net = programs, slots, {}, net
        self.root = tempfile.mkdtemp(prefix="procd-fleet-", dir=sites.scratch())
        self.site = sites.Site(programs, "none", place=self("keeper")) if os.makedirs(self("keeper")) is None else None
        os.makedirs(self("plugins/slow"))
        with open(self("plugins/slow/slow.sh"), "w", encoding="utf-8") as file:
            file.write(SLOW)
        os.chmod(self("plugins/slow/slow.sh"), 0o755)
        with open(self("plugins/slow/plugin.json"), "w", encoding="utf-8") as file:
            json.dump(MANIFEST, file)
        self.run("fleet", "key", self("key"))
        self.port, self.processes = free_port(), {}
        fleet = {"servers": [self.server("keeper")], "key": self("key"), "credentials": self("broker/broker.login"),
                 "patience": patience, "local": False} | more
        configuration = sites.configuration(workers) | {
            "fleet": fleet, "plugins": [self("plugins")],
            "pipelines": pipelines or [{"id": "sum", "steps": [{"id": "sum", "use": "slow.sum"}], "emit": ["sum.sum"]}]}
        self.site.configure(configuration)
        os.makedirs(self.site("inbox"), exist_ok=True)
        self.start("broker")
        for number in range(helpers):
            self.start(f"helper-{number}")

    def __call__(self, path):
        return os.path.join(self.root, path)

    def server(self, name):
        """Where a machine finds the broker."""
        host = "127.0.0.1" if not self.net else Net.ADDRESSES["helper" if name.startswith("helper") else "keeper"] + ".1"
        return f"nats://{host}:{self.port}"

    def run(self, *arguments, check=True):
        inside = self.net.inside("keeper") if self.net else []
        return subprocess.run([*inside, os.path.join(self.programs, "procd"), *arguments], check=check, capture_output=True,
                              cwd=self.site.root, timeout=60).stdout.decode()

    def words(self, name):
        """How a process is started."""
        procd = os.path.join(self.programs, "procd")
        if name == "broker":
            return [procd, "fleet", "run-broker", "--listen", f"{'0.0.0.0' if self.net else '127.0.0.1'}:{self.port}",
                    "--store", self("broker")]
        if name == "keeper":
            return [procd, "run", "--existing", "process", "pipelines.json"]
        return [procd, "work", "--servers", self.server(name), "--key", self.keys.get(name, self("key")), "--credentials",
                self("broker/broker.login"), "--slots", str(self.slots), "--name", name, "--plugins", self("plugins"),
                "--scratch", self.root]

    def start(self, name):
        log = open(self(f"{name}.log"), "ab")
        start = log.tell()
        inside = self.net.inside(name) if self.net else []
        self.processes[name] = subprocess.Popen(
            [*inside, *self.words(name)], cwd=self.site.root, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        log.close()
        if name == "broker":
            self.wait(lambda: b"Server is ready" in self.log(name, start), "the broker does not listen")

    def log(self, name, start=0):
        with open(self(f"{name}.log"), "rb") as file:
            file.seek(start)
            return file.read()

    def kill(self, name, inner=False):
        """Kills a process at once; `inner` means the one below it that speaks to the broker."""
        process = self.processes[name]
        if inner:
            for number in family(process.pid):
                with contextlib.suppress(OSError), open(f"/proc/{number}/comm", encoding="utf-8") as file:
                    if file.read().strip() == "procd-fleet":
                        os.kill(number, signal.SIGKILL)
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        process.wait()

    def wait(self, done, complaint, seconds=60):
        end = time.time() + seconds
        while not done():
            if time.time() > end:
                raise AssertionError(f"{complaint}\n{self.text()}")
            time.sleep(0.05)

    def text(self, lines=12):
        """The ends of all logs."""
        told = []
        for path in sorted(glob.glob(self("*.log"))):
            with open(path, "rb") as file:
                told += [f"-- {os.path.basename(path)}", *file.read().decode(errors="replace").splitlines()[-lines:]]
        return "\n".join(told)

    def drop(self, name, content):
        os.makedirs(self("aside"), exist_ok=True)
        with open(self(f"aside/{os.path.basename(name)}"), "wb") as file:
            file.write(content)
        os.rename(self(f"aside/{os.path.basename(name)}"), self.site(f"inbox/{name}"))

    def reports(self):
        return {os.path.basename(path): json.load(open(path, "rb"))
                for path in glob.glob(self.site("outbox/**/*.report.json"), recursive=True)}

    def machines(self):
        """Those that are there; none while the broker is away."""
        return json.loads(self.run("fleet", "list", "--json", check=False) or "{}").get("machines", [])

    def revive(self):
        """Starts again what is dead."""
        for name, process in list(self.processes.items()):
            if process.poll() is not None:
                self.start(name)

    def helpers_there(self, count):
        self.wait(lambda: sum(machine["kind"] == "helper" and machine["noWork"] == [] for machine in self.machines())
                  >= count and any(machine["kind"] == "keeper" for machine in self.machines()),
                  f"{count} helpers are not there")

    def end(self):
        for name, process in self.processes.items():
            process.terminate() if name == "keeper" else process.kill()
        for process in self.processes.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(30)
        shutil.rmtree(self.root, ignore_errors=True)
        if self.net:
            self.net.end()


@contextlib.contextmanager
def fleet(programs, **more):
    there = Fleet(programs, **more)
    try:
        yield there
    finally:
        there.end()


def checked(there, dropped, quarantined=()):
    """What is wrong once all was done: each file once, its result what it must be, nobody charged."""
    bad, reports = [], there.reports()
    for name, content in dropped.items():
        report = reports.get(f"{name}.report.json")
        if not report:
            bad.append(f"{name} has no report")
            continue
        stem = name.rsplit(".", 1)[0]
        with open(there.site(f"outbox/{stem}.txt"), "rb") as file:
            if not file.read().startswith(hashlib.sha256(content).hexdigest().encode()):
                bad.append(f"{name} has a result that is not its own")
        if not os.path.exists(there.site(f"archive/{name}")):
            bad.append(f"{name} is not in the archive")
    if len(reports) != len(dropped):
        bad.append(f"{len(dropped)} files have {len(reports)} reports")
    results = glob.glob(there.site("outbox/*.txt"))
    if len(results) != len(dropped):
        bad.append(f"{len(dropped)} files have {len(results)} results")
    left = [path for place in ("inbox", "quarantine") for path in sites.tree(there.site(place))] if os.path.isdir(
        there.site("quarantine")) else os.listdir(there.site("inbox"))
    bad += [f"{path} is left" for path in left]
    bad += [f"{path} was charged {count} times" for path, count in invariants.rows(
        there.site, "SELECT CAST(path AS TEXT), count(*) FROM attempt JOIN job ON job.id = attempt.job"
                    " WHERE charged = 1 GROUP BY 1")]
    return bad


def travelled(there):
    """How many files were done by which machine."""
    counts = {}
    for report in there.reports().values():
        for step in report["steps"]:
            counts[step.get("machine", "here")] = counts.get(step.get("machine", "here"), 0) + 1
    return counts


def all_done(there, count, seconds=120):
    there.wait(lambda: len(there.reports()) >= count and not os.listdir(there.site("spool/claimed")),
               f"not all of {count} files were done: {len(there.reports())}", seconds)


def content(number):
    return f"content {number} {random.random()}\n".encode() * 50


# What happens

def kills(programs, count, seed):
    """Kills at random moments, one after the other; what was killed comes back after a moment."""
    random.seed(seed)
    victims = ["keeper", "keeper/inner", "helper-0", "helper-1", "helper-0/inner", "helper-1/inner", "broker"]
    with fleet(programs) as there:
        there.start("keeper")
        there.helpers_there(2)
        dropped = {}
        for number in range(count):
            for index in range(3):
                name = f"f{number}-{index}.txt"
                dropped[name] = content(name)
                there.drop(name, dropped[name])
            time.sleep(random.uniform(0, 0.6))
            victim, _, inner = random.choice(victims).partition("/")
            there.kill(victim, bool(inner))
            time.sleep(random.choice([0, 0, 0.2, 1]))
            if not inner:
                there.start(victim)
        all_done(there, len(dropped))
        where = travelled(there)
        return checked(there, dropped), {"kills": count, "files": len(dropped), "away": sum(
            number for name, number in where.items() if name != "here"), "here": where.get("here", 0)}


def relayed(programs, folder):
    """A copy of the programs in which a relay stands in the place of procd-fleet."""
    for name in os.listdir(programs):
        path, copy = os.path.join(programs, name), os.path.join(folder, name)
        if name == "procd-fleet":
            copy += ".real"
        if os.path.isdir(path):
            continue
        try:
            os.link(path, copy)
        except OSError:
            shutil.copy2(path, copy)
    shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), "fleet_relay.py"),
                os.path.join(folder, "procd-fleet"))
    os.chmod(os.path.join(folder, "procd-fleet"), 0o755)


def position(programs, folder, side, at, victim):
    """One kill at one message. Gives what is wrong, and how many messages there were."""
    def plan(at, victim):
        with open(os.path.join(folder, "relay.json"), "w", encoding="utf-8") as file:
            json.dump({"side": side, "at": at, "victim": victim}, file)

    for name in ("relay.done", f"relay.{side}.count"):
        with contextlib.suppress(OSError):
            os.remove(os.path.join(folder, name))
    plan(0, "host")
    with fleet(folder, helpers=0, pipelines=[
            {"id": "sum", "steps": [{"id": "sum", "use": "slow.sum", "with": {"ms": 300}}], "emit": ["sum.sum"]}]) as there:
        number = {"broker": there.processes["broker"].pid}
        plan(at, number.get(victim, victim))
        dropped = {f"p{number}.txt": content(number) for number in range(3)}
        names = ["helper-0", "helper-1", "keeper"]
        for name in names:
            there.start(name)
        end = time.time() + 10
        while time.time() < end and sum(machine.get("noWork") == [] for machine in there.machines()) < 2:
            there.revive()
        for name, bytes in dropped.items():
            there.drop(name, bytes)
        end = time.time() + 60
        while time.time() < end and not (len(there.reports()) >= 3 and not os.listdir(there.site("spool/claimed"))):
            there.revive()
            time.sleep(0.1)
        bad = checked(there, dropped)
        if bad:
            bad.append(there.text())
        with contextlib.suppress(OSError), open(os.path.join(folder, f"relay.{side}.count"), encoding="ascii") as file:
            # Killed while it wrote, it says nothing.
            return bad, int(file.read() or 0)
        return bad, 0


def positions(programs, step, limit):
    """Kills at each message between procd and procd-fleet: of the keeper, of a helper, and of the broker."""
    bad, cases = [], 0
    with tempfile.TemporaryDirectory(prefix="procd-relay-", dir=os.path.dirname(os.path.abspath(programs))) as folder:
        relayed(programs, folder)
        for side, victims in (("keeper", ["host", "self", "broker"]), ("helper-0", ["host", "self", "broker"])):
            _, messages = position(programs, folder, side, 0, "host")
            for victim in victims:
                for at in list(range(1, messages + 1, step))[:limit]:
                    wrong, _ = position(programs, folder, side, at, victim)
                    bad += [f"{side}, {victim} at message {at}: {text}" for text in wrong]
                    cases += 1
                print(f"{side}: {victim} at {messages} messages, every {step}: {len(bad)} wrong so far", flush=True)
    return bad, {"cases": cases}


def lost_store(programs):
    """The broker loses all that it keeps while orders are out."""
    with fleet(programs) as there:
        there.start("keeper")
        there.helpers_there(2)
        dropped = {f"s{number}.txt": content(number) for number in range(20)}
        for name, bytes in dropped.items():
            there.drop(name, bytes)
        there.wait(lambda: len(there.reports()) > 3, "nothing was done")
        there.kill("broker")
        shutil.rmtree(there("broker/store"))
        there.start("broker")
        all_done(there, 20)
        more = {f"t{number}.txt": content(number) for number in range(10)}
        there.helpers_there(2)
        for name, bytes in more.items():
            there.drop(name, bytes)
        all_done(there, 30)
        bad = checked(there, dropped | more)
        if travelled(there).get("here", 0) > 20:
            bad.append("no work spread again")
        return bad, {"files": 30}


def no_broker(programs):
    """Without a broker the keeper does all by itself and says so; when it comes back, work spreads again."""
    with fleet(programs) as there:
        there.kill("broker")
        there.start("keeper")
        dropped = {f"n{number}.txt": content(number) for number in range(6)}
        for name, bytes in dropped.items():
            there.drop(name, bytes)
        all_done(there, 6)
        bad = checked(there, dropped)
        if travelled(there) != {"here": 6}:
            bad.append(f"done elsewhere without a broker: {travelled(there)}")
        if "the fleet:" not in there.run("status"):
            bad.append("status does not tell of the broker")
        there.start("broker")
        there.helpers_there(2)
        there.drop("later.txt", b"later\n")
        all_done(there, 7)
        if travelled(there).get("here") != 6:
            bad.append("no work spread when the broker came back")
        if "the fleet:" in there.run("status"):
            bad.append("status tells of a broker that is there")
        return bad, {"files": 7}


def two_keepers(programs):
    """Two keepers share helpers; neither starves."""
    with fleet(programs, helpers=2) as there:
        other = Fleet.__new__(Fleet)
        other.__dict__ |= there.__dict__
        other.site = sites.Site(programs, "none", place=there("other")) if os.makedirs(there("other")) is None else None
        shutil.copy(there.site("pipelines.json"), other.site("pipelines.json"))
        os.makedirs(other.site("inbox"))
        other.processes = {}
        there.start("keeper")
        other.start("keeper")
        try:
            there.helpers_there(2)
            # So many that the other's six come in between, however slow this machine is.
            mine = {f"a{number}.txt": content(number) for number in range(120)}
            for name, bytes in mine.items():
                there.drop(name, bytes)
            theirs = {f"b{number}.txt": content(number) for number in range(6)}
            for name, bytes in theirs.items():
                other.drop(name, bytes)
            all_done(other, 6)
            done = len(there.reports())
            all_done(there, 120)
            bad = checked(there, mine) + checked(other, theirs)
            if done >= 120:
                bad.append("the keeper that came later waited for all of the other's")
            return bad, {"files": 126, "of the other then": done}
        finally:
            other.processes["keeper"].terminate()
            other.processes["keeper"].wait()


def drained(programs):
    """A helper that is drained finishes, takes nothing more and ends; one that is told to stop gives back."""
    with fleet(programs) as there:
        there.start("keeper")
        there.helpers_there(2)
        dropped = {f"d{number}.txt": content(number) for number in range(20)}
        for name, bytes in dropped.items():
            there.drop(name, bytes)
        there.wait(lambda: len(there.reports()) > 2, "nothing was done")
        there.run("fleet", "drain", "helper-0")
        there.wait(lambda: there.processes["helper-0"].poll() is not None, "the helper did not end")
        there.processes["helper-1"].terminate()
        there.wait(lambda: there.processes["helper-1"].poll() is not None, "the helper did not end")
        all_done(there, 20)
        bad = checked(there, dropped)
        bad += [f"{name} ended with {there.processes[name].returncode}" for name in ("helper-0", "helper-1")
                if there.processes[name].returncode != 0]
        return bad, {"files": 20}


def other_key(programs):
    """A helper with another key gets nothing and is told so on both sides."""
    with fleet(programs, helpers=1) as there:
        there.start("keeper")
        there.helpers_there(1)
        there.keys["helper-1"] = there("other.key")
        there.run("fleet", "key", there("other.key"))
        there.start("helper-1")
        there.wait(lambda: "another key" in there.run("fleet"), "the fleet does not tell of another key")
        there.wait(lambda: "another key" in there.text().split("-- helper-1")[1],
                   "the helper does not tell that its key is another")
        there.drop("k.txt", b"key\n")
        all_done(there, 1)
        return checked(there, {"k.txt": b"key\n"}), {"files": 1}


def full_helper(programs):
    """A helper whose disk is full gives back what it took, says so and takes nothing for a while."""
    with fleet(programs, helpers=1) as there:
        small = there("small")
        os.makedirs(small)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100k", "none", small], capture_output=True)
        if done.returncode != 0:
            return [], {"SKIPPED: only root may mount": 0}
        try:
            plain = there.words
            there.words = lambda name: [small if name == "helper-1" and word == there.root else word for word in plain(name)]
            there.start("keeper")
            there.start("helper-1")
            there.helpers_there(2)
            with open(os.path.join(small, "rest"), "wb") as file, contextlib.suppress(OSError):
                file.write(bytes(200_000))
            dropped = {f"u{number}.txt": content(number) for number in range(12)}
            for name, bytes_ in dropped.items():
                there.drop(name, bytes_)
            all_done(there, 12)
            bad = checked(there, dropped)
            told = there.run("fleet")
            if "helper-1: 0 of 0 busy" not in told or "No space left" not in told:
                bad.append(f"the fleet does not tell of the full disk: {told}")
            return bad, {"files": 12} | travelled(there)
        finally:
            there.kill("helper-1")
            subprocess.run(["umount", "--lazy", small])


def old_build(programs):
    """A helper with another version of a plugin beside one with the same: it gets nothing, and is told why."""
    with fleet(programs, helpers=1) as there:
        shutil.copytree(there("plugins"), there("older"))
        with open(there("older/slow/slow.sh"), "a", encoding="utf-8") as file:
            file.write("# as it was\n")
        plain = there.words
        there.words = lambda name: [there("older") if name == "helper-1" and word == there("plugins") else word
                                    for word in plain(name)]
        there.start("keeper")
        there.start("helper-1")
        there.helpers_there(1)
        there.wait(lambda: "another build" in there.run("fleet"), "the fleet does not tell of the other build")
        there.wait(lambda: b"another build" in there.log("helper-1"), "the helper does not tell of it")
        dropped = {f"o{number}.txt": content(number) for number in range(8)}
        for name, bytes_ in dropped.items():
            there.drop(name, bytes_)
        all_done(there, 8)
        bad = checked(there, dropped)
        if "helper-1" in travelled(there):
            bad.append("another build was given work")
        return bad, {"files": 8} | travelled(there)


def same_results(programs, folder):
    """What helpers make of real files is byte for byte what this machine makes."""
    files = {}
    for path in sorted(glob.glob(os.path.join(folder, "scans/*")) + glob.glob(os.path.join(folder, "pdf/*.pdf"))):
        if not path.endswith((".txt", ".json")):
            files[f"{len(files):03}-{os.path.basename(path)}"] = path
    assert files, f"{folder} has no scans/ and pdf/ with files"
    ocr = [{"id": "ocr", "steps": [{"id": "ocr", "use": "ocr.tesseract"}], "emit": ["ocr.pdf", "ocr.text?"]}]
    results, counts = [], {}
    for helpers in (0, 2):
        with fleet(programs, helpers=helpers, pipelines=ocr, local=helpers == 0, patience="30s") as there:
            there.start("keeper")
            if helpers:
                there.helpers_there(helpers)
            for name, path in files.items():
                shutil.copy(path, there("aside-file"))
                os.rename(there("aside-file"), there.site(f"inbox/{name}"))
            there.wait(lambda: not os.listdir(there.site("inbox")) and not os.listdir(there.site("spool/claimed")),
                       "not all was done", 3600)
            counts = travelled(there)
            results.append({path: what for path, what in sites.tree(there.site("outbox")).items()
                            if not path.endswith(".report.json")})
    here, away = results
    bad = [f"{path} is not the same" for path in sorted(here.keys() | away.keys()) if here.get(path) != away.get(path)]
    return bad, {"files": len(files), "results": len(here)} | counts


def cut(programs, role):
    """The line between a side and the broker is cut while orders are out, and mended."""
    with fleet(programs, net=Net()) as there:
        there.start("keeper")
        there.helpers_there(2)
        dropped = {}

        def drop(count):
            for _ in range(count):
                name = f"c{len(dropped)}.txt"
                dropped[name] = content(name)
                there.drop(name, dropped[name])

        drop(12)
        there.wait(lambda: len(there.reports()) > 2, "nothing was done")
        there.net.line(role, up=False)
        drop(4)
        all_done(there, len(dropped))
        there.net.line(role, up=True)
        there.helpers_there(2)
        before = travelled(there).get("here", 0)
        drop(4)
        all_done(there, len(dropped))
        bad = checked(there, dropped)
        if travelled(there).get("here", 0) > before:
            bad.append("no work spread again")
        return bad, {"files": len(dropped)} | travelled(there)


def cut_helper(programs):
    return cut(programs, "helper")


def cut_keeper(programs):
    return cut(programs, "keeper")


class SlowLine:
    """A line to the broker that is slow: what goes through it waits, goes at a rate, or stands still now and then as
    where packets are lost and sent again."""

    def __init__(self, port):
        self.port, self.delay, self.rate, self.stalls = port, 0, None, 0
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.at = self.listening.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                line, _ = self.listening.accept()
                other = socket.create_connection(("127.0.0.1", self.port))
                for source, sink in ((line, other), (other, line)):
                    threading.Thread(target=self.carry, args=(source, sink), daemon=True).start()

    def carry(self, source, sink):
        waiting = queue.Queue()

        def deliver():
            free = time.time()
            while (entry := waiting.get()) is not None:
                came, bytes_ = entry
                free = max(free, came + self.delay, time.time())
                if self.rate:
                    free += len(bytes_) / self.rate
                if random.random() < self.stalls:
                    free += 0.4
                time.sleep(max(0, free - time.time()))
                with contextlib.suppress(OSError):
                    sink.sendall(bytes_)
            with contextlib.suppress(OSError):
                sink.shutdown(socket.SHUT_WR)

        threading.Thread(target=deliver, daemon=True).start()
        with contextlib.suppress(OSError):
            while bytes_ := source.recv(8192):
                waiting.put((time.time(), bytes_))
        waiting.put(None)


def slow(programs):
    """Helpers behind a slow line: 300 ms each way, 1 Mbit/s, stalls as of 5 % lost packets. All is done, once."""
    told = {}
    with fleet(programs, patience="10s") as there:
        line = SlowLine(there.port)
        plain = there.server
        there.server = lambda name: f"nats://127.0.0.1:{line.at}" if name.startswith("helper") else plain(name)
        for name in ("helper-0", "helper-1"):
            there.kill(name)
            there.start(name)
        there.start("keeper")
        there.helpers_there(2)
        dropped = {}
        for how, (delay, rate, stalls) in {"300 ms": (0.3, None, 0), "1 Mbit/s": (0, 125_000, 0),
                                           "5 % stalls": (0, None, 0.05)}.items():
            line.delay, line.rate, line.stalls = delay, rate, stalls
            start = time.time()
            for number in range(6):
                name = f"{how[0]}{number}.txt"
                # One that is sent in pieces, which takes 5 s at a megabit.
                dropped[name] = content(name) * (200 if number == 0 else 1)
                there.drop(name, dropped[name])
            all_done(there, len(dropped))
            told[how] = round(time.time() - start, 1)
        return checked(there, dropped), told | travelled(there)



def lossy(programs):
    """Every line loses 5 %, then 15 % of the packets each way, sends some twice and some out of order; then none."""
    told, net = {}, LossyNet()
    with fleet(programs, net=net, patience="10s") as there:
        there.start("keeper")
        there.helpers_there(2)
        dropped = {}
        for loss in (0.05, 0.15, 0):
            net.loss, start = loss, time.time()
            for number in range(8):
                name = f"{round(loss * 100)}-{number}.txt"
                dropped[name] = content(name) * (200 if number == 0 else 1)
                there.drop(name, dropped[name])
            all_done(there, len(dropped))
            told[f"{loss:.0%}"] = round(time.time() - start, 1)
        bad = checked(there, dropped)
        if not net.lost:
            bad.append("no packet was lost")
        return bad, told | {"packets": net.passed, "lost": net.lost} | travelled(there)


def nats(there, name, text):
    """A server with a configuration of its own, in the place of the broker."""
    with open(there(f"{name}.conf"), "w", encoding="utf-8") as file:
        file.write(f'listen: "127.0.0.1:{there.port}"\n{text}')
    program = shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin")
    log = open(there(f"{name}.log"), "ab")
    there.processes[name] = subprocess.Popen([program, "-c", there(f"{name}.conf")], stdout=log, stderr=log)
    there.wait(lambda: b"Server is ready" in there.log(name), "the server is not ready")


def bad_brokers(programs):
    """What is no broker of a fleet is told in one sentence, by check, by status, and by the helper; work goes on."""
    store = 'jetstream {{ store_dir: "{0}", max_file_store: {1} }}\n'
    user = 'authorization {{ user: "procd", password: "{0}" }}\n'
    bad, told = [], 0
    with fleet(programs, helpers=0) as there:
        with open(there("broker/broker.login"), encoding="ascii") as file:
            password = file.read().strip().split(":")[1]
        there.kill("broker")
        cases = {
            "no JetStream": ("has no JetStream", user.format(password)),
            "another login": ("refuses the login", user.format("other") + store.format(there("s1"), 1 << 30)),
            "small messages": ("max_payload", user.format(password) + "max_payload: 64KB\n" + store.format(there("s2"), 1 << 30)),
            "little space": ("lower \"bytes\"", user.format(password) + store.format(there("s3"), 1 << 20)),
            "nonsense": ("is no NATS server", None),
            "nobody": ("no broker answers", ""),
        }
        there.start("keeper")
        for name, (words, text) in cases.items():
            listening = None
            if text is None:
                listening = socket.create_server(("127.0.0.1", there.port))
                threading.Thread(target=babble, args=(listening,), daemon=True).start()
            elif text:
                nats(there, name.replace(" ", "-"), text)
            checked_text = subprocess.run([os.path.join(programs, "procd"), "check"], cwd=there.site.root,
                                          capture_output=True, text=True)
            # What the server as a whole may keep is told only to who makes streams.
            if name != "little space" and words not in checked_text.stderr or checked_text.returncode != 0:
                bad.append(f"check does not say {words} of {name}: {checked_text.stderr}")
            there.wait(lambda: words in there.run("status"), f"status does not say {words} of {name}", 30)
            there.start("helper-0")
            # Space is asked for by keepers alone.
            if name != "little space" and name != "small messages":
                there.wait(lambda: words.encode() in there.log("helper-0"), f"the helper does not say {words} of {name}", 30)
            there.kill("helper-0")
            file = f"{name.replace(' ', '-')}.txt"
            there.drop(file, file.encode())
            told += 1
            all_done(there, told)
            if listening:
                listening.shutdown(socket.SHUT_RDWR)
                listening.close()
            elif text:
                there.kill(name.replace(" ", "-"))
        return bad, {"brokers": told}


def babble(listening):
    """Answers like something that is no broker."""
    with contextlib.suppress(OSError):
        while True:
            with listening.accept()[0] as line:
                line.sendall(b"220 mail.example.org ESMTP\r\n")
                with contextlib.suppress(OSError):
                    line.settimeout(1)
                    line.recv(100)


def cluster(programs):
    """Three brokers, of which one is killed while orders are out: nothing is done twice that counts, work goes on."""
    with fleet(programs, helpers=0) as there:
        there.kill("broker")
        ports, routes = [there.port, free_port(), free_port()], [free_port() for _ in range(3)]
        for number in range(3):
            os.makedirs(there(f"broker-{number}"), mode=0o700)
            shutil.copy(there("broker/broker.login"), there(f"broker-{number}/broker.login"))
            log = open(there(f"broker-{number}.log"), "ab")
            others = [f"127.0.0.1:{port}" for index, port in enumerate(routes) if index != number]
            there.processes[f"broker-{number}"] = subprocess.Popen(
                [os.path.join(programs, "procd"), "fleet", "run-broker", "--store", there(f"broker-{number}"), "--listen",
                 f"127.0.0.1:{ports[number]}", "--name", f"n{number}", "--cluster-listen", f"127.0.0.1:{routes[number]}",
                 "--routes", *others], stdout=log, stderr=log)
        servers = [f"nats://127.0.0.1:{port}" for port in ports]
        configuration = json.load(open(there.site("pipelines.json"), encoding="utf-8"))
        configuration["fleet"] |= {"servers": servers, "replicas": 3}
        there.site.configure(configuration)
        plain = there.words
        there.words = lambda name: [word for old in plain(name) for word in (
            servers if old == there.server(name) else [old])]
        for name in ("helper-0", "helper-1", "keeper"):
            there.start(name)
        there.helpers_there(2)
        dropped = {f"r{number}.txt": content(number) for number in range(30)}
        for name, bytes in dropped.items():
            there.drop(name, bytes)
        there.wait(lambda: len(there.reports()) > 3, "nothing was done")
        there.kill("broker-1")
        all_done(there, 30)
        where = travelled(there)
        return checked(there, dropped), {"files": 30} | where


def documented(programs):
    """The commands of docs/fleet.md, from one machine to three, with this one in place of all."""
    page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/fleet.md")
    with open(page, encoding="utf-8") as file:
        part = file.read().split("## From one machine to three")[1].split("**As services.**")[0]
    root, port, started, ran = tempfile.mkdtemp(prefix="procd-fleet-", dir=sites.scratch()), free_port(), [], []

    def here(text):
        for words, place in (("10.0.0.5:4222", f"127.0.0.1:{port}"), ("/etc/procd/broker.login", f"{root}/broker/broker.login"),
                             ("/etc/procd", root), ("/var/lib/procd-broker", f"{root}/broker")):
            text = text.replace(words, place)
        return text

    line = next(line for line in part.splitlines() if line.startswith('"fleet"'))
    pipelines = [{"id": "ocr", "steps": [{"id": "ocr", "use": "ocr.tesseract"}], "emit": ["ocr.pdf"]}]
    with open(f"{root}/pipelines.json", "w", encoding="utf-8") as file:
        json.dump({"version": 1, "pipelines": pipelines} | json.loads("{" + here(line) + "}"), file)
    bad, told = [], ""
    try:
        for command in [line[6:] for line in part.splitlines() if line.startswith("    $ ")]:
            words = here(command).split()
            words[0] = os.path.join(programs, words[0])
            ran.append(" ".join(command.split()[1:3]))
            if command.split()[1] in ("work", "run") or "run-broker" in command:
                started.append(subprocess.Popen(words, cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                                stderr=subprocess.DEVNULL))
                end = time.time() + 20
                while "run-broker" in command and time.time() < end and not os.path.exists(f"{root}/broker/store/jetstream"):
                    time.sleep(0.1)
                continue
            end = time.time() + 30
            while True:
                done = subprocess.run(words, cwd=root, capture_output=True, text=True)
                told = done.stdout
                if "fleet" != words[-1] or "1 keeper, 2 helpers" in told or time.time() > end:
                    break
            if done.returncode != 0:
                bad.append(f"{command} ends with {done.returncode}: {done.stdout}{done.stderr}")
        shown = [line[4:].split(":")[0] for line in part.splitlines() if line.startswith("    helper ")]
        bad += [f"{line} is not told: {told}" for line in shown if line not in told]
        return bad, {"commands": len(ran)}
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait()
        shutil.rmtree(root, ignore_errors=True)


CASES = [no_broker, lost_store, two_keepers, drained, other_key, old_build, full_helper, bad_brokers, cluster]


def main():
    parser = tool.parser(__doc__)
    parser.add_argument("--kills", type=int, default=30, help="kills at random moments")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--short", action="store_true", help="the kills, and one line that is cut")
    parser.add_argument("--only", help="one case, by its name")
    parser.add_argument("--positions", type=int, metavar="STEP", help="kill at every STEPth message instead")
    parser.add_argument("--limit", type=int, help="at most so many positions of each kind")
    parser.add_argument("--same", help="a folder of files: are results the same everywhere")
    options = parser.parse_args()
    programs, bad, counts = sites.programs(options.programs), [], {"test": "fleet", "cases": 0}
    if not shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin"):
        print("SKIPPED: nats-server is not installed")
        return 0
    if options.same:
        bad, told = same_results(programs, options.same)
        return tool.end(bad, counts | told | {"failed": len(bad)})
    start = time.time()
    if options.positions:
        bad, told = positions(programs, options.positions, options.limit)
        return tool.end(bad, counts | told | {"failed": len(bad), "seconds": time.time() - start})
    is_root = os.getuid() == 0 and shutil.which("ip")
    chosen = [documented] + ([] if options.short else CASES) + ([cut_helper] if is_root else [])
    chosen += [cut_keeper] if is_root and not options.short else []
    chosen += [] if options.short else [slow]
    chosen += [lossy] if is_root and os.path.exists("/dev/net/tun") and not options.short else []
    cases = [(case.__name__, lambda case=case: case(programs)) for case in chosen]
    cases.append(("kills", lambda: kills(programs, options.kills, options.seed)))
    for name, case in cases:
        if options.only and options.only != name:
            continue
        try:
            wrong, told = case()
        except AssertionError as error:
            wrong, told = [str(error)], {}
        print(f"{'FAILED' if wrong else 'holds':8}{name} {told}", flush=True)
        bad += [f"{name}: {text}" for text in wrong]
        counts["cases"] += 1
        if name == "kills":
            counts |= told
    return tool.end(bad, counts | {"failed": len(bad), "seconds": time.time() - start})


if __name__ == "__main__":
    sys.exit(main())
