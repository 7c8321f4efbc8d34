#!/usr/bin/env python3
"""Kills procd at its state-changing calls, and checks the promises before and after recovery.

With one worker by position in the order of all calls, with several by (call, place, how often); the daemon,
its workers, or both; with a consumer that takes results at once; with outbox, archive and quarantine on mounts of their own,
where moves are copies; and in the midst of a recovery."""

import functools
import os
import sys
import time

import invariants
import sites
import sweep


MOUNTS = ("outbox", "archive", "quarantine")


class KillAt:
    """Kills at the k-th call of a kind, or at the k-th of all."""

    def __init__(self, site, kind, k, who, consumer=None):
        self.counted, self.kind, self.k, self.who = sweep.Counted(site.root), kind, k, who
        self.consumer, self.struck = consumer, None

    def __call__(self, call):
        if self.consumer:
            self.consumer()
        kind = self.counted.kind(call)
        self.counted(call)
        count = self.counted.count if self.kind is None else self.counted.kinds[kind] if kind == self.kind else 0
        if self.struck or count != self.k:
            return None
        self.struck = str(call)
        if self.who == "both":
            return ("kill", None)
        victims = [process for process in processes(call) if ("worker" in name(process)) == (self.who == "worker")]
        return ("kill", victims) if victims else None


def processes(call):
    """The processes of the run: those whose environment names its spool, and the daemon."""
    found = set()
    for entry in os.listdir("/proc"):
        if entry.isdigit() and name(entry).startswith("procd-"):
            try:
                cwd = os.readlink(f"/proc/{entry}/cwd")
                if cwd == os.readlink(f"/proc/{call.tid}/cwd") or int(entry) == call.process:
                    found.add(int(entry))
            except OSError:
                pass
    return found


def name(process):
    try:
        return os.path.basename(os.readlink(f"/proc/{process}/exe"))
    except OSError:
        return ""


def case(programs, expected, what):
    """One case: kill, look, recover, look. Returns it with its violations."""
    variant, kind, k, who, second = what
    small = variant == "recovery"
    site = sites.Site(programs, "small" if small else "mixed", 1 if kind is None else 2,
                      mounts=MOUNTS if variant == "mounts" else ())
    consumer = sweep.Consumer(site) if variant == "consumer" else None
    kill = KillAt(site, kind, k, who, consumer)
    status, output = sweep.run(site, kill)
    taken = consumer.taken if consumer else None
    bad = [] if status is not None else [f"it did not end: {output.strip()}"]
    if who == "worker" and kill.struck and status not in (0, 65):
        bad.append(f"a worker was killed, and procd ended with {status}: {output.strip()}")
    bad += ["before recovery: " + text for text in invariants.weak(site, taken)]
    if second is not None:
        again = KillAt(site, None, second, "both")
        status, output = sweep.run(site, again)
        bad += [] if status is not None else [f"the second did not end: {output.strip()}"]
        bad += ["after a second kill: " + text for text in invariants.weak(site, taken)]
    bad += invariants.recover(site, expected["small" if small else "mixed"], taken, consumer=consumer)
    told = f"{variant} {who} at {k} of {kind or 'all'}" + (f", then at {second}" if second else "") + f" ({kill.struck})"
    if bad and os.environ.get("FAULTS_KEEP"):
        told += f", kept in {site.root}"
    else:
        site.remove()
    return told, bad, kill.struck is not None


def cases(programs, options):
    """All cases, by variant."""
    position = sweep.count(programs, "mixed", 1).count
    several = sweep.count(programs, "mixed", 2)
    small = sweep.count(programs, "small", 1).count
    kinds = [(kind, k) for kind, count in sorted(several.kinds.items()) for k in range(1, count + 1)]
    many = options.limit or (10 ** 9 if options.long else None)
    take = lambda all, short: sweep.spread(all, many or short, options.seed)
    all = [("position", None, k, "daemon", None) for k in take(range(1, position + 1), 24)]
    all += [("position", None, k, "both", None) for k in take(range(1, position + 1, 3), 8)]
    all += [("position", None, k, "worker", None) for k in take(range(1, position + 1, 3), 8)]
    all += [("several", kind, k, "daemon", None) for kind, k in take(kinds, 16)]
    all += [("consumer", None, k, "daemon", None) for k in take(range(1, position + 1, 2), 16)]
    if os.geteuid() == 0:
        mounted = sweep.count(programs, "mixed", 1, MOUNTS).count
        all += [("mounts", None, k, "daemon", None) for k in take(range(1, mounted + 1, 2), 16)]
    else:
        print("SKIPPED: only root can mount, so no place lies on a mount of its own here")
    starts, seconds = range(small // 5, small + 1, 6 if options.long else 40), range(1, small, 1 if options.long else 5)
    pairs = [(first, second) for first in starts for second in seconds]
    pairs = sweep.spread(pairs, options.limit or (600 if options.long else 14), options.seed)
    all += [("recovery", None, first, "both", second) for first, second in pairs]
    return all, {"positions": position, "kinds": len(kinds)}


def main():
    parser = sweep.parser(__doc__)
    parser.add_argument("--only", help="only this variant: position, several, consumer, mounts, recovery")
    options = parser.parse_args()
    programs, start = sweep.begin(options), time.monotonic()
    expected = {kind: invariants.Expected(sites.Site(programs, kind)) for kind in ("small", "mixed")}
    all, counts = cases(programs, options)
    all = [one for one in all if options.only in (None, one[0])]
    failures, struck = sweep.gathered(functools.partial(case, programs, expected), all, options)
    variants = {}
    for one in all:
        variants[one[0]] = variants.get(one[0], 0) + 1
    return sweep.report("kill_sweep", {**counts, "cases": len(all), "kills": struck, "variants": variants},
                        failures, start)


if __name__ == "__main__":
    sys.exit(main())
