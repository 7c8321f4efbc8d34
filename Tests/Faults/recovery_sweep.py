#!/usr/bin/env python3
"""Lets every call of a recovery fail, and looks whether procd starts.

A run is killed at calls spread over the whole way of its files. From each such state procd is started again and
one call fails: once, after which a start without faults must bring all to its end; or all calls that touch the
files of one job fail for ever, during which every other file, a new one too, must come through."""

import errno
import functools
import os
import subprocess
import sys
import tempfile
import time

import invariants
import kill_sweep
import sites
import sweep
import tracer
from error_sweep import possible

ERRORS = ["ENOSPC", "EIO", "EMFILE", "EACCES", "EINTR", "EDQUOT", "EROFS", "ENAMETOOLONG", "ELOOP", "ENOTDIR", "EEXIST",
          "EINVAL", "EPERM", "ENOENT", "ENOMEM"]
NAMED = {"ENAMETOOLONG", "ELOOP", "ENOTDIR", "EEXIST", "EINVAL", "EPERM", "ENOENT"}
# What an opening may answer of these, where something was swapped.
SWAPPED = {"ELOOP", "ENOTDIR", "ENOENT"}
NEWCOMER = "newcomer.pdf"


def may_fail(call, name):
    if call in {"openat", "openat2", "open"}:
        return name in {"EIO", "EMFILE", "EACCES", "ENOSPC"} | SWAPPED
    if name in NAMED:
        return call in {"openat", "openat2", "open", "mkdirat", "mkdir", "renameat2", "renameat", "rename", "linkat",
                        "unlinkat", "unlink"}
    return name == "ENOMEM" or possible(call, name)


class FailAt:
    """Fails the k-th call of all, or from it on all that touch a victim's files."""

    def __init__(self, site, k, error, victim=None):
        self.counted, self.k, self.name, self.victim = sweep.Counted(site.root), k, error, victim
        self.error = getattr(errno, error)
        self.struck = None

    def __call__(self, call):
        self.counted(call)
        if self.victim is None:
            # Where the order of two processes is another one than when it was counted, the next call of the daemon.
            # What a worker does, and what a step left, is the error sweep's.
            if self.struck or self.counted.count < self.k or "worker" in call.program \
                    or "/spool/work/" in (call.path or "") or not may_fail(call.name, self.name):
                return None
        elif self.counted.count < self.k or not any(
                word in (call.path or "") or word in (call.other or "") for word in self.victim):
            return None
        self.struck = self.struck or str(call)
        return ("error", self.error)


def killed(programs, k):
    """The state that a kill leaves, and the jobs in it: identifier to path."""
    site = sites.Site(programs, "small", 1)
    kill = kill_sweep.KillAt(site, None, k, "both")
    sweep.run(site, kill)
    if not kill.struck:
        site.remove()
        return None
    jobs = dict(invariants.rows(site, "SELECT id, CAST(path AS TEXT) FROM job")) \
        if os.path.exists(site("spool/ledger.sqlite")) else {}
    return site, jobs, kill.struck


def copied(programs, state):
    """The same state in a folder of its own, hard links and times kept."""
    place = tempfile.mkdtemp(prefix="procd-faults-", dir=sites.scratch())
    subprocess.run(["cp", "-a", state + "/.", place], check=True)
    return sites.Site(programs, "small", place=place)


def case(programs, expected, what):
    state, origin, k, error, victim, path = what
    site = copied(programs, state)
    words = (victim, os.path.splitext(os.path.basename(path))[0]) if victim else None
    fail = FailAt(site, k, error, words)
    bad = []
    if victim:
        site.write(f"inbox/{NEWCOMER}", sites.pdf("came later"))
    status, output = sweep.run(site, fail, timeout=30)
    if status is None:
        bad.append(f"procd did not end: {output.strip()[-300:]}")
    elif status in (77, 78) and not victim and "the folders cannot be used" in output:
        pass  # A folder of the configuration that the kernel refuses is no job's trouble; the next start goes on.
    elif status not in (0, 65, 75):
        bad.append(f"procd ended with {status}: {output.strip()[-300:]}")
    elif status == 75 and not output.strip():
        bad.append("procd said nothing of what is wrong")
    if victim and not os.path.exists(site(f"outbox/{NEWCOMER}.report.json")):
        bad.append(f"a new file did not come through (status {status}): {output.strip()[-300:]}")
    bad += ["while it lasts: " + text for text in invariants.weak(site)]
    if victim:
        # The newcomer is no file of the comparison.
        site.files[NEWCOMER] = sites.pdf("came later")
        wanted = invariants.Expected.__new__(invariants.Expected)
        wanted.kind, wanted.files = expected.kind, site.files
        wanted.names = {place: set(names) for place, names in expected.names.items()}
        wanted.names["outbox"] |= {f"outbox/{NEWCOMER}.report.json", "outbox/newcomer.txt"}
        wanted.names["archive"] |= {f"archive/{NEWCOMER}", f"archive/{NEWCOMER}.report.json"}
    else:
        wanted = expected
    evades = error in NAMED
    after = invariants.recover(site, wanted)
    if evades:
        # A name that is refused is another name: what must hold is that all is there, once.
        after = [text for text in after if not text.endswith(("is missing", "should not be there"))]
    bad += [text for text in after if "were computed" not in text]
    told = f"{error} {'for ever of ' + path if victim else 'once'} at {k} after a kill at {origin} ({fail.struck}), status {status}"
    if bad and os.environ.get("FAULTS_KEEP"):
        told += f", kept in {site.root}"
    else:
        site.remove()
    return told, bad, fail.struck is not None


def main():
    parser = sweep.parser(__doc__)
    parser.add_argument("--states", type=int, help="how many kills to recover from")
    parser.add_argument("--error", choices=ERRORS)
    parser.add_argument("--once", action="store_true",
                        help="of calls that many states have alike (call, place, how often) one each, to the end")
    options = parser.parse_args()
    programs, start = sweep.begin(options), time.monotonic()
    tracer.Call.reads = True
    expected = invariants.Expected(sites.Site(programs, "small"))
    count = sweep.count(programs, "small", 1).count
    found = [killed(programs, k) for k in sweep.spread(
        list(range(1, count)), options.states or (16 if options.long else 5), options.seed)]
    states = [state for state in found if state]
    all, lasting, seen = [], [], {}
    for site, jobs, origin in states:
        copy = copied(programs, site.root)
        counted = sweep.Counted(copy.root)
        sweep.run(copy, counted)
        copy.remove()
        often = {}
        for k, kind in enumerate(counted.log, 1):
            often[kind] = often.get(kind, 0) + 1
            if options.once and seen.setdefault((kind, often[kind]), origin) != origin:
                continue
            # What workers may meet is the error sweep's.
            all += [(site.root, origin, k, error, None, None) for error in ERRORS
                    if kind[0] == "daemon" and options.error in (None, error) and may_fail(kind[1], error)]
        for job, path in jobs.items():
            # A worker that may not open its file gives that file up, and not procd.
            lasting += [(site.root, origin, 1, error, job, path) for error in ERRORS
                        # An interrupted call is made again, and no kernel interrupts all of them.
                        if options.error in (None, error) and error != "EINTR"]
    positions = len(all)
    all = sweep.spread(all, options.limit or (10 ** 9 if options.long or options.once else 40), options.seed)
    all += sweep.spread(lasting, options.limit or (10 ** 9 if options.long or options.once else 16), options.seed)
    failures, struck = sweep.gathered(functools.partial(case, programs, expected), all, options)
    for site, _, _ in states:
        site.remove()
    return sweep.report("recovery_sweep", {"states": len(states), "positions": positions, "cases": len(all),
                                           "faults": struck}, failures, start)


if __name__ == "__main__":
    sys.exit(main())
