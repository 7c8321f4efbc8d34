"""What the sweeps share: running many cases on all processors, a consumer, and the table at the end."""

import json
import multiprocessing
import os
import random
import sys
import time

import invariants
import sites
import tool
import tracer


class Consumer:
    """Takes results out of the outbox as soon as their report stands there."""

    def __init__(self, site):
        self.site, self.taken = site, {}

    def __call__(self, *_):
        outbox = self.site("outbox")
        for folder, _, names in os.walk(outbox):
            for name in names:
                if not name.endswith(".report.json") or "/.procd" in folder:
                    continue
                path = os.path.join(folder, name)
                try:
                    with open(path, "rb") as file:
                        report = json.load(file)
                except (ValueError, FileNotFoundError):
                    continue  # the invariants will tell
                for artifact in report.get("artifacts", []):
                    self.take(os.path.normpath(os.path.join(folder, artifact["path"])))
                self.take(path)

    def take(self, path):
        relative = os.path.relpath(path, self.site.root)
        target = self.site("taken/" + relative)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        try:
            os.rename(path, target)
        except FileNotFoundError:
            return
        # A second publication of the same must show, unless it is meant to replace the first.
        if relative.startswith("outbox/replaced/"):
            self.taken.pop(relative, None)
        self.taken[relative if relative not in self.taken else relative + " again"] = sites.digest(target)


class Counted:
    """Counts the calls of a run by position, and by call and place."""

    def __init__(self, root):
        self.root, self.count, self.kinds, self.log = root, 0, {}, []

    def __call__(self, call):
        self.count += 1
        kind = self.kind(call)
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        self.log.append(kind)

    def kind(self, call):
        program = "worker" if "worker" in call.program else "daemon"
        return (program, call.name, sites.path_class(call.other or call.path, self.root))


def count(programs, kind, workers, mounts=()):
    """The calls of one run without faults."""
    site = sites.Site(programs, kind, workers, mounts=mounts)
    counted = Counted(site.root)
    status, output = run(site, counted)
    if status is None:
        sys.exit(output)
    site.remove()
    return counted


def run(site, policy, after=None, arguments=("run", "--once"), timeout=60):
    """Runs procd under a policy; its status and what it printed."""
    with open(site("output"), "ab+") as output:
        start = output.seek(0, 2)
        try:
            status = tracer.Tracer(policy, after).run(site.command(*arguments), site.root, output.fileno(), timeout)
        except tracer.Unlisted as unlisted:
            return None, f"UNLISTED: {unlisted}"
        output.seek(start)
        return status, output.read().decode(errors="replace")


def spread(all, count, seed):
    """So many of a list, spread evenly, from a start that the seed decides."""
    if len(all) <= count:
        return all
    step = len(all) / count
    offset = random.Random(seed).random() * step
    return [all[int(offset + index * step)] for index in range(count)]


def parser(description):
    """The arguments of the sweeps: which cases of all, and how many at once."""
    parser = tool.parser(description)
    parser.add_argument("--long", action="store_true", help="all cases instead of a spread sample")
    parser.add_argument("--limit", type=int, help="at most so many cases of each kind")
    parser.add_argument("--seed", type=int, default=1, help="which sample is taken")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many cases at once")
    parser.add_argument("--first", action="store_true", help="stop at the first broken promise")
    return parser


def begin(options):
    """Says why nothing can be tested here and ends, or answers the folder of the programs."""
    reason = tracer.why_not()
    if reason:
        print(f"SKIPPED: {reason}")
        sys.exit(0)
    return sites.programs(options.programs)


def all_of(work, cases, jobs):
    """Runs the cases; yields each with its violations. Whoever stops listening stops between batches, because a
    pool that is ended while it works may never end."""
    pool, cases, size = multiprocessing.Pool(jobs), list(cases), 8 * jobs
    try:
        for first in range(0, len(cases), size):
            yield from list(pool.imap_unordered(work, cases[first:first + size]))
    finally:
        pool.close()
        pool.join()


def gathered(work, cases, options):
    """Runs the cases; those that failed, each with its violations, and how many did what they were to do."""
    failures, struck = [], 0
    for told, bad, hit in all_of(work, cases, options.jobs):
        struck += hit
        if bad:
            failures.append((told, bad))
            if options.first:
                break
    return failures, struck


def report(name, counts, failures, start, shown=25):
    """Prints what failed and a line of counts, as JSON; ends with 1 where something failed, or nothing was tried."""
    tried = next(counts[name] for name in ("cases", "states", "mutants") if name in counts)
    if not tried:
        print("FAILED: there was nothing to try")
    for case, bad in failures[:shown]:
        print(f"FAILED {case}")
        for text in bad[:8]:
            print(f"    {text}")
    line = {"test": name, **counts, "failed": len(failures), "seconds": round(time.monotonic() - start, 1)}
    print(json.dumps(line))
    sys.stdout.flush()
    return 1 if failures or not tried else 0
