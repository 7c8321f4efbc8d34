#!/usr/bin/env python3
"""Moves a procd with files in flight from Debian 12 to 13, killed at ten moments. As root.

    Tests/Packages/move.py --old dist/procd_0.1.0~deb12_amd64.deb --new dist/procd_0.1.0~deb13_amd64.deb

Each round hands files to the old package's procd on a fresh system, kills all its processes at once after so many
results, moves /var/lib/procd to a fresh system of the new release, and lets the new package's procd finish. Nothing may
be lost, nothing done may be done again, and `procd verify` must agree.
"""
import argparse
import hashlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import package
from package import HOME, SAMPLES, check

ROUNDS = 10
FILES = 20


def make_files(folder):
    """Scans and PDFs, no two of them alike; by their checksums."""
    folder.mkdir()
    files = {}
    for number in range(FILES):
        sample = SAMPLES / ("letter-photo.jpg", "report-mixed.pdf", "status-2012-06-01.pdf")[number % 3]
        # Both formats allow bytes behind their end.
        content = sample.read_bytes() + b"\n%% %d\n" % number
        path = folder / f"{number:02}{sample.suffix}"
        path.write_bytes(content)
        files[hashlib.sha256(content).hexdigest()] = path.name
    return files


def contents(folder):
    """The files below a folder by name: checksum and time of change."""
    return {str(path.relative_to(folder)): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
            for path in sorted(folder.rglob("*")) if path.is_file()}


def kill_all(system, started=None):
    """Every process whose root is the system's, also one that was started and is not there yet."""
    while True:
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.readlink(entry / "root") == str(system.root):
                    found.append(int(entry.name))
            except OSError:
                continue  # It has ended.
        if not found and (started is None or started.poll() is not None):
            return
        for process in found:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
        time.sleep(0.05)


def one_round(old, new, pristine, files, made, moment):
    """Kills the old procd after `moment` reports, moves what it left, and has the new one finish."""
    home_old, home_new = old.path(HOME), new.path(HOME)
    for home in (home_old, home_new):
        shutil.rmtree(home)
    subprocess.run(["cp", "-a", str(pristine), str(home_old)], check=True)
    owner = old.identity()
    uid, gid = map(int, owner.split(":"))
    for path in made.iterdir():
        shutil.copy(path, home_old / "inbox")
        os.chown(home_old / "inbox" / path.name, uid, gid)
    running = subprocess.Popen(["chroot", f"--userspec={owner}", str(old.root), "procd", "run"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
    reports = lambda: len(list((home_old / "outbox").rglob("*.report.json")))
    if not package.wait(lambda: reports() >= moment, 300):
        check(False, f"{moment} results appear within five minutes")
    kill_all(old, running)
    claimed = len(list((home_old / "spool/claimed").glob("*")))
    waiting = len(list((home_old / "inbox").iterdir()))
    before = contents(home_old / "outbox")
    subprocess.run(["cp", "-a", str(home_old), str(home_new)], check=True)
    new.run("chown", "-R", "procd:procd", HOME)
    owner = new.identity()
    ran = new.run("procd", "run", "--once", user=owner)
    verified = new.run("procd", "verify", user=owner)
    after = contents(home_new / "outbox")
    archived = contents(home_new / "archive")
    kept = [checksum for name, (checksum, _) in archived.items() if checksum in files]
    check(sorted(kept) == sorted(files), f"moment {moment}: each original is archived once", ran.both)
    check(not any((home_new / "inbox").iterdir()), f"moment {moment}: the inbox is empty", ran.both)
    check(not contents(home_new / "quarantine"), f"moment {moment}: nothing is quarantined", ran.both)
    reported = [name for name in after if name.endswith(".report.json")]
    check(len(reported) == len(files), f"moment {moment}: {len(reported)} reports", "\n".join(after))
    # Bytes and times of results; hidden folders have procd's own records.
    changed = [name for name, seen in before.items() if after.get(name) != seen and "/." not in f"/{name}"]
    check(not changed, f"moment {moment}: nothing done is done again", str(changed))
    print(f"seen: killed with {moment} of {len(files)} done, {claimed} in work, {waiting} waiting;"
          f" {verified.stdout.strip().splitlines()[-1] if verified.stdout.strip() else 'verified'}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--old", required=True, type=pathlib.Path)
    parser.add_argument("--new", required=True, type=pathlib.Path)
    parser.add_argument("--base", type=pathlib.Path, default=pathlib.Path("/var/tmp/procd-packages"))
    options = parser.parse_args()
    package.own_mounts()
    scratch = None
    try:
        systems = []
        for number, deb in enumerate((options.old, options.new)):
            base = options.base / package.suite(deb)
            package.make_base(base)
            scratch = scratch or pathlib.Path(tempfile.mkdtemp(prefix="systems.", dir=options.base))
            system = package.fresh(base, scratch, f"system-{number}")
            system.install(deb)
            systems.append(system)
        old, new = systems
        pristine = scratch / "pristine"
        subprocess.run(["cp", "-a", str(old.path(HOME)), str(pristine)], check=True)
        files = make_files(scratch / "files")
        for number in range(ROUNDS):
            one_round(old, new, pristine, files, scratch / "files", number * FILES // ROUNDS)
        for system in systems:
            kill_all(system)
            package.given_up(system)
    finally:
        if scratch:
            subprocess.run(["rm", "-rf", "--one-file-system", str(scratch)])
    package.finish()


if __name__ == "__main__":
    main()
