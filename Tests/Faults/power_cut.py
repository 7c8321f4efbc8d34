#!/usr/bin/env python3
"""Real power cuts: a file system on a loop device is shut down under load, without a last flush, then mounted
again. What a producer had synced must be archived whole, once, with results that match their report.

Needs root and a kernel whose file system knows the shutdown call (ext4, xfs); others are skipped, and said so."""

import errno
import fcntl
import hashlib
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

import invariants
import sites
import tool

SHUTDOWN, WITHOUT_FLUSH = 0x8004587D, 2
MAKE = {"ext4": ["mkfs.ext4", "-q", "-F"], "xfs": ["mkfs.xfs", "-q", "-f"], "btrfs": ["mkfs.btrfs", "-q", "-f"]}


class Disk:
    """A file system in a file."""

    def __init__(self, kind, megabytes):
        self.kind, self.folder = kind, tempfile.mkdtemp(prefix="procd-cut-")
        self.image, self.point = f"{self.folder}/image", f"{self.folder}/disk"
        os.mkdir(self.point)
        with open(self.image, "wb") as file:
            file.truncate(megabytes << 20)
        subprocess.run([*MAKE[kind], self.image], check=True, stdout=subprocess.DEVNULL)
        self.mount()

    def mount(self):
        subprocess.run(["mount", "-o", "loop", self.image, self.point], check=True)

    def cut(self):
        folder = os.open(self.point, os.O_RDONLY)
        try:
            fcntl.ioctl(folder, SHUTDOWN, struct.pack("I", WITHOUT_FLUSH))
        finally:
            os.close(folder)

    def unmount(self):
        for _ in range(300):
            if subprocess.run(["umount", self.point], stderr=subprocess.DEVNULL).returncode == 0:
                return
            time.sleep(0.1)
        raise OSError(f"{self.point} cannot be unmounted")

    def remove(self):
        subprocess.run(["umount", "-l", self.point], stderr=subprocess.DEVNULL)
        shutil.rmtree(self.folder, ignore_errors=True)


class Producer(threading.Thread):
    """Writes files as careful programs do, and remembers those that are durable."""

    def __init__(self, site, first, synced):
        super().__init__()
        self.site, self.next, self.synced, self.stopped = site, first, synced, False

    def run(self):
        try:
            while not self.stopped:
                number, self.next = self.next, self.next + 1
                data = f"%PDF-1.4 broken {number}".encode() if number % 9 == 0 else sites.pdf(f"file {number}")
                name = f"f{number}.pdf"
                with open(self.site(f"aside/{name}"), "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                os.rename(self.site(f"aside/{name}"), self.site(f"inbox/{name}"))
                folder = os.open(self.site("inbox"), os.O_RDONLY)
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)
                self.synced[hashlib.sha256(data).hexdigest()] = name
                time.sleep(random.uniform(0, 0.03))
        except OSError:
            pass  # The power went.


def check(site, synced):
    """What is wrong after recovery."""
    found, bad = sites.tree(site.root), []
    originals = {}
    for path, what in found.items():
        if path.startswith(("archive/", "quarantine/")) and not path.endswith((".report.json", ".why.txt")):
            originals.setdefault(what, []).append(path)
    for digest, name in synced.items():
        places = originals.get(digest, [])
        if len(places) != 1:
            bad.append(f"I1 {name} stands in {places or 'no place'}")
        elif places[0] + ".report.json" not in found:
            bad.append(f"I2 {places[0]} has no report")
        elif places[0].startswith("archive/") and f"outbox/{name}.report.json" not in found:
            bad.append(f"I5 {name} has no result")
    bad += [f"I4 {path} is left" for path in found
            if path.startswith(("spool/claimed/", "spool/seal/", "spool/work/"))]
    return bad + invariants.reports(site, found, {}, whole=True)


def cut_once(disk, site, synced, first, seed):
    """One cut and the recovery after it. Returns the next number and what is wrong."""
    random.seed(seed)
    process = subprocess.Popen(site.command("run", "--existing", "process"), cwd=site.root, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    producer = Producer(site, first, synced)
    producer.start()
    time.sleep(random.uniform(0.3, 2.5))
    try:
        disk.cut()
    finally:
        producer.stopped = True
        producer.join()
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run(["pkill", "-KILL", "-f", f"{site.programs}/procd-worker"], stdout=subprocess.DEVNULL)
    disk.unmount()
    disk.mount()
    status, output = site.run(timeout=120)
    bad = [] if status in (0, 65) else [f"recovery ended with {status}: {output[-500:]}"]
    bad += check(site, synced)
    before = invariants.settled(site)
    status, output = site.run(timeout=60)
    if status != 0 or invariants.settled(site) != before:
        bad.append(f"I7 a second recovery ended with {status} or changed something: {output[-300:]}")
    return producer.next, bad


def cuts(kind, count, programs, seed):
    disk = Disk(kind, 400)
    try:
        site = sites.Site(programs, "none", place=os.path.join(disk.point, "site"))
        for place in ("inbox", "aside"):
            os.makedirs(site(place))
        site.configure(sites.text_alone(2))
        os.sync()
        synced, number, bad = {}, 1, []
        for turn in range(count):
            try:
                number, wrong = cut_once(disk, site, synced, number, seed + turn)
            except OSError as error:
                if error.errno not in (errno.ENOTTY, errno.EOPNOTSUPP, errno.EINVAL):
                    raise
                print(f"SKIPPED: {kind} cannot be shut down: {error}")
                return None
            bad += [f"cut {turn} (seed {seed + turn}): {text}" for text in wrong]
        return {"test": "power_cut", "disk": kind, "cuts": count, "synced": len(synced), "failed": len(bad)}, bad
    finally:
        disk.remove()


def main():
    parser = tool.parser(__doc__)
    parser.add_argument("--cuts", type=int, default=40, help="for each file system")
    parser.add_argument("--disks", default="ext4,xfs,btrfs")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if os.getuid() != 0:
        print("SKIPPED: only root can mount a disk to cut")
        return
    programs, failed = sites.programs(options.programs), 0
    for kind in options.disks.split(","):
        if not shutil.which(MAKE[kind][0]):
            print(f"SKIPPED: {kind}: {MAKE[kind][0]} is not installed")
            continue
        try:
            result = cuts(kind, options.cuts, programs, options.seed)
        except subprocess.CalledProcessError as error:
            print(f"SKIPPED: {kind}: {error}")
            continue
        if result:
            counts, bad = result
            failed |= tool.end(bad, counts)
    sys.exit(failed)


if __name__ == "__main__":
    main()
