#!/usr/bin/env python3
"""Lets procd's state-changing calls fail, once or for ever, and checks the promises when the fault is over.

ENOSPC, EIO, EMFILE, EACCES, EINTR, EDQUOT, EROFS at every call. While the fault lasts procd must end by itself
(it runs with --once), say what is wrong, and quarantine no good file for it; after an fsync that failed the same
file is not synced again, and after an error of the ledger that process writes nothing more to it."""

import contextlib
import errno
import functools
import os
import sys
import time

import invariants
import sites
import sweep

ERRORS = ["ENOSPC", "EIO", "EMFILE", "EACCES", "EINTR", "EDQUOT", "EROFS"]
# What a call may truly answer; the others would test something that cannot be.
OPENING = {"openat", "openat2", "open", "creat", "mkdirat", "mkdir"}


def possible(call, name):
    """Whether Linux lets a call fail so on a local disk."""
    if name == "EMFILE":
        return call in OPENING - {"mkdirat", "mkdir"}
    if name == "EACCES":
        return call not in {"write", "pwrite64", "writev", "fsync", "fdatasync", "syncfs", "ftruncate", "fallocate"}
    if name == "EINTR":
        return call in {"write", "pwrite64", "openat", "openat2", "ftruncate", "fallocate", "fsync", "fdatasync"}
    if name in ("ENOSPC", "EDQUOT"):
        return call not in {"fchmod", "fchmodat", "fchown", "utimensat"}
    return True


class FailAt:
    """Fails the k-th call of a kind, or it and all of that kind after it."""

    def __init__(self, site, kind, k, error, forever):
        self.counted, self.kind, self.k, self.forever = sweep.Counted(site.root), kind, k, forever
        self.error, self.struck, self.count = getattr(errno, error), None, 0
        self.unsynced, self.broken, self.bad = set(), set(), []
        self.injected = 0

    def __call__(self, call):
        kind = self.counted.kind(call)
        self.counted(call)
        self.watch(call, kind)
        if self.struck and not self.forever:
            return None
        if not (kind == self.kind and self.counted.kinds[kind] >= self.k or self.struck and self.is_same_disk(kind)):
            return None
        self.struck = self.struck or str(call)
        self.injected += 1
        if call.name in ("fsync", "fdatasync"):
            status = call.status()
            self.unsynced.add((call.process, status.st_ino))
        if kind[2] == "ledger" and kind[1] in ("write", "pwrite64", "fsync", "fdatasync") \
                and self.error not in (errno.ENOSPC, errno.EINTR):
            self.broken.add(call.process)
        return ("error", self.error)

    def is_same_disk(self, kind):
        """A disk that fails a worker for ever fails the daemon there too."""
        return self.kind[0] == "worker" and kind[2] == self.kind[2] and self.error != errno.EMFILE \
            and (kind[1] in OPENING | {"write"})

    def watch(self, call, kind):
        """What must not be done after an error."""
        if call.name in ("fsync", "fdatasync") and not os.path.isdir(call.path):
            if (call.process, call.status().st_ino) in self.unsynced and kind[2] not in ("ledger", "lists", "notices"):
                self.bad.append(f"{call.path} is synced again after its fsync failed")
        if call.process in self.broken and kind[2] == "ledger" and call.name == "pwrite64" \
                and not call.path.endswith("-shm") and self.injected == 1 and self.error == errno.EIO:
            self.bad.append(f"{call.path} is written to after an error of the ledger")


def by_itself(site, expected, fail):
    """Runs a daemon until all is done without a start in between, or half a minute is over."""
    import signal
    import threading
    import tracer
    run = tracer.Tracer(fail)

    def stop():
        for _ in range(150):
            time.sleep(0.2)
            try:
                if not [text for text in invariants.strong(site, expected)
                        if not text.startswith("I6") and "were computed" not in text]:
                    break
            except OSError:
                pass  # something went while we looked
        with contextlib.suppress(ProcessLookupError):  # it ended by itself
            os.kill(run.first, signal.SIGTERM)

    with open(site("output"), "wb") as output:
        waiting = threading.Thread(target=stop)
        waiting.start()
        status = run.run(site.command("run", "--existing", "process"), site.root, output.fileno(), 60)
        waiting.join()
    with open(site("output"), "rb") as output:
        return status, output.read().decode(errors="replace")


def case(programs, expected, what):
    """One case: run with the fault, look, run without, look."""
    kind, k, error, forever, daemon = what
    # A step that may open nothing at all, twice, is broken for all that its limits are to blame for: its files end in
    # the quarantine, and the run says so.
    helpless = kind[0] == "worker" and error == "EMFILE" and forever
    site = sites.Site(programs, "mixed", 2)
    fail = FailAt(site, kind, k, error, forever)
    if daemon:
        status, output = by_itself(site, expected, fail)
    else:
        status, output = sweep.run(site, fail, timeout=20)
    bad = list(dict.fromkeys(fail.bad))
    if status is None:
        bad.append(f"procd did not end while the fault lasted: {output.strip()[-300:]}")
    elif status < 0:
        bad.append(f"procd died of signal {-status}")
    elif daemon and status == 0:
        bad += ["it went on, but " + text for text in invariants.strong(site, expected)
                if not text.startswith(("I4", "I6")) and "were computed" not in text]
    elif fail.struck and status in (0, 65) and not helpless:
        # It said that all is well: then all must be well.
        bad += ["it told of no trouble, but " + text for text in invariants.strong(site, expected)
                # What cannot be discarded now is discarded at the next start.
                if not text.startswith(("I4 spool/work", "I4 spool/trash", "I6"))]
    elif fail.struck and not output.strip():
        bad.append(f"it ended with {status} and said nothing")
    if len(output) > 20000:
        bad.append(f"it said {len(output)} bytes")
    bad += ["while it lasts: " + text for text in invariants.weak(site)]
    blamed = invariants.names(sites.tree(site.root), "quarantine") - expected.names["quarantine"]
    if not helpless:
        bad += [f"I6 {path} was quarantined for the disk's fault" for path in sorted(blamed)]
    # What a worker could not do is charged to its file, which ends none. And a file whose results the disk did not take
    # holds up none with the same bytes: that one is computed for itself.
    after = [] if helpless else invariants.recover(site, expected)
    bad += [text for text in after if (kind[0] != "worker" or "was charged" not in text) and "were computed" not in text]
    told = f"{'daemon, ' if daemon else ''}{error} {'for ever' if forever else 'once'} at {k} of {kind} ({fail.struck}), status {status}"
    if bad and os.environ.get("FAULTS_KEEP"):
        told += f", kept in {site.root}"
    else:
        site.remove()
    return told, bad, fail.struck is not None


def main():
    parser = sweep.parser(__doc__)
    parser.add_argument("--error", choices=ERRORS)
    parser.add_argument("--call", help="only this call")
    parser.add_argument("--place", help="only calls on this part of the site")
    options = parser.parse_args()
    programs, start = sweep.begin(options), time.monotonic()
    expected = invariants.Expected(sites.Site(programs, "mixed"))
    counted = sweep.count(programs, "mixed", 2)
    all, daemons = [], []
    for kind, count in sorted(counted.kinds.items()):
        if options.call not in (None, kind[1]) or options.place not in (None, kind[2]):
            continue
        for error in [options.error] if options.error else ERRORS:
            if possible(kind[1], error):
                all += [(kind, k, error, forever, False) for k in range(1, count + 1) for forever in (False, True)
                        # For ever from a later call on is much like once there; no signal comes for ever.
                        if not forever or k in (1, 2, count // 2) and error != "EINTR"]
                if kind[2] in ("inbox", "claimed", "seal", "outbox", "archive", "quarantine") and kind[0] == "daemon":
                    daemons += [(kind, k, error, False, True) for k in range(2, count + 1, 4)]
    positions = len(all)
    all = sweep.spread(all, options.limit or (10 ** 9 if options.long else 44), options.seed)
    all += sweep.spread(daemons, options.limit or (300 if options.long else 5), options.seed)
    failures, struck = sweep.gathered(functools.partial(case, programs, expected), all, options)
    return sweep.report("error_sweep", {"positions": positions, "cases": len(all), "faults": struck}, failures, start)


if __name__ == "__main__":
    sys.exit(main())
