#!/usr/bin/env python3
"""Real power cuts: a file system on a loop device is shut down under load, without a last flush, then mounted
again. What a producer had synced must be archived whole, once, with results that match their report.

btrfs knows no call that shuts it down: its loop device lies on an ext4 of its own, and that one is shut down. Then
nothing reaches the device any more, and what the device was not told to flush is lost.

Needs root and loop devices; where a disk cannot be made or cut, a line says so and why."""

import contextlib
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
from watching import family

SHUTDOWN, WITHOUT_FLUSH = 0x8004587D, 2
MAKE = {"ext4": ["mkfs.ext4", "-q", "-F"], "xfs": ["mkfs.xfs", "-q", "-f"], "btrfs": ["mkfs.btrfs", "-q", "-f"]}
# What btrfs gives up would become a hole in the file again.
MOUNT = {"btrfs": "loop,nodiscard"}
SHUT_DOWN_BY_CALL = ("ext4", "xfs")
# mkfs.xfs makes nothing smaller than 300.
MEGABYTES = 400
CUTS_OF_ONE = 10


class Unavailable(Exception):
    """Why a disk cannot be had here."""


class Disk:
    """A file system in a file; in a file of another one where it cannot be shut down itself."""

    def __init__(self, kind, megabytes):
        if not shutil.which(MAKE[kind][0]):
            raise Unavailable(f"{MAKE[kind][0]} is not installed")
        self.kind, self.folder = kind, tempfile.mkdtemp(prefix="procd-cut-")
        self.point, self.under = f"{self.folder}/disk", None
        try:
            if kind not in SHUT_DOWN_BY_CALL:
                self.under = Disk("ext4", megabytes * 5 // 4 + 100)
            self.image = f"{self.under.point if self.under else self.folder}/image"
            os.mkdir(self.point)
            with open(self.image, "wb") as file:
                file.truncate(megabytes << 20)
            tried([*MAKE[kind], self.image])
            if self.under:
                fill(self.image)
            self.mount_above()
        except BaseException:
            self.remove()
            raise

    def mount(self):
        if self.under:
            self.under.mount()
        self.mount_above()

    def mount_above(self):
        tried(["mount", "-o", MOUNT.get(self.kind, "loop"), self.image, self.point])

    def cut(self):
        if self.under:
            return self.under.cut()
        folder = os.open(self.point, os.O_RDONLY)
        try:
            fcntl.ioctl(folder, SHUTDOWN, struct.pack("I", WITHOUT_FLUSH))
        finally:
            os.close(folder)

    def unmount(self):
        for _ in range(300):
            if subprocess.run(["umount", self.point], stderr=subprocess.DEVNULL).returncode == 0:
                return self.under and self.under.unmount()
            time.sleep(0.1)
        raise OSError(f"{self.point} cannot be unmounted")

    def remove(self):
        subprocess.run(["umount", "-l", self.point], stderr=subprocess.DEVNULL)
        if self.under:
            self.under.remove()
        shutil.rmtree(self.folder, ignore_errors=True)


def fill(path):
    """Writes a file over with what is in it, so that no hole is left and no block is only reserved. ext4 must note
    such a block as written before its bytes count, and while it is being shut down a flush may succeed without."""
    with open(path, "r+b") as file:
        while part := file.read(1 << 20):
            file.seek(-len(part), os.SEEK_CUR)
            file.write(part)
        file.flush()
        os.fsync(file.fileno())


def tried(command):
    """Runs what makes or mounts a disk."""
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode != 0:
        raise Unavailable(f"{command[0]} ended with {run.returncode}: {' '.join(run.stdout.split())}")


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
                    # xfs says yes to the sync of a folder that comes after the cut; of a file it does not. The power
                    # was there all the time only if this one is true as well.
                    os.fsync(file.fileno())
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
            others = [path for path, what in found.items() if (what == digest or name in path) and path not in places]
            bad.append(f"I1 {name} stands in {places or 'no place'}; its bytes or its name in {others or 'no other'}")
        elif places[0] + ".report.json" not in found:
            bad.append(f"I2 {places[0]} has no report")
        elif places[0].startswith("archive/") and f"outbox/{name}.report.json" not in found:
            bad.append(f"I5 {name} has no result")
    bad += [f"I4 {path} is left" for path in found
            if path.startswith(("spool/claimed/", "spool/seal/", "spool/work/"))]
    return bad + invariants.reports(site, found, {}, whole=True)


def kill_all(process):
    """Kills the daemon and its workers; it is stopped first, so that it starts no more of them."""
    process.send_signal(signal.SIGSTOP)
    for number in family(process.pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    process.wait()


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
        kill_all(process)
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


def cuts_of_one(kind, count, programs, seed):
    """Cuts of one disk. Returns how many, how many files were synced, and what is wrong."""
    disk = Disk(kind, MEGABYTES)
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
                bad += [f"cut with seed {seed + turn}: {text}" for text in wrong]
                if wrong and os.environ.get("FAULTS_KEEP"):
                    kept = tempfile.mkdtemp(prefix=f"procd-cut-kept-{seed + turn}-")
                    subprocess.run(["cp", "-a", site.root, kept], check=True)
                    return turn + 1, len(synced), bad + [f"kept in {kept}"]
            except Unavailable as gone:
                # It was there before: this is no reason to skip anything.
                return turn + 1, len(synced), bad + [f"cut with seed {seed + turn}: it cannot be mounted again: {gone}"]
            except OSError as error:
                if error.errno not in (errno.ENOTTY, errno.EOPNOTSUPP, errno.EINVAL):
                    raise
                raise Unavailable(f"it cannot be shut down: {error}") from error
        return count, len(synced), bad
    finally:
        disk.remove()


def cuts(kind, count, programs, seed):
    """A new disk after some cuts, because all that was ever synced is checked after each."""
    done, synced, bad = 0, 0, []
    while done < count:
        turns, files, wrong = cuts_of_one(kind, min(CUTS_OF_ONE, count - done), programs, seed + done)
        done, synced, bad = done + turns, synced + files, bad + wrong
    return {"test": f"power_cut {kind}", "cuts": done, "synced": synced, "failed": len(bad)}, bad


def main():
    parser = tool.parser(__doc__)
    parser.add_argument("--cuts", type=int, default=40, help="for each file system")
    parser.add_argument("--disks", default=",".join(MAKE), help="of these, with commas between: %(default)s")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if os.getuid() != 0:
        print("SKIPPED: only root can mount a disk to cut")
        return
    # Whoever ends it early finds no disk still mounted.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    programs, failed = sites.programs(options.programs), 0
    for kind in options.disks.split(","):
        try:
            counts, bad = cuts(kind, options.cuts, programs, options.seed)
        except Unavailable as reason:
            print(f"SKIPPED: {kind}: {reason}", flush=True)
        else:
            failed |= tool.end(bad, counts)
    sys.exit(failed)


if __name__ == "__main__":
    main()
