#!/usr/bin/env python3
"""Every legal state of a weak disk after a power cut, each with the real recovery run on it.

The real trace of a run is recorded; at each point before a sync the pending changes are there or not. Each
state is made real and procd run on it. With --mutants each kind of fsync is left out of the trace in turn:
the model must then find a broken promise, or the fsync is told to be redundant on this disk."""

import functools
import json
import os
import re
import sys
import time

import invariants
import record
import sites
import sweep
import weak_disk


def prepared(site):
    """A site that has run before: what is recorded then is the way of the files alone."""
    os.rename(site("inbox"), site("later"))
    os.mkdir(site("inbox"))
    site.run()
    os.rmdir(site("inbox"))
    os.rename(site("later"), site("inbox"))


def choices(units, thorough):
    """Which of the pending units are there: lists of (inode, changes, how)."""
    all = [(*unit, "all") for unit in units]
    yield all
    yield []
    for index in range(len(all)):
        yield all[:index] + all[index + 1:]
        yield all[:index]
        yield [all[index]]
        if all[index][1][0][0] != "entry":
            for how in ("half", "zeros"):
                yield all[:index] + [(*units[index], how)] + all[index + 1:]
                yield all[:index] + [(*units[index], how)]
    if thorough and len(all) <= 6:
        for mask in range(1 << len(all)):
            yield [unit for index, unit in enumerate(all) if mask >> index & 1]


def states(recorder, site, thorough, without=None, left=False):
    """All distinct states, as (cut, content, paths, inputs). `without` leaves a kind of sync out; then only
    states that lack something of what it would have kept are given. `left` gives only those in which all is lost
    that a killed run left pending, and all is there that the next did."""
    inputs = {number for number, path in recorder.places.items() if number in recorder.start
              and recorder.kinds[number] == "file" and path.startswith(("inbox/", "side/"))} | {
        number for number in recorder.start if recorder.kinds[number] == "file" and
        recorder.start[number] in site.files.values()}
    disk, seen, lost = weak_disk.Disk(recorder, inputs), set(), set()
    beside = re_beside(recorder)
    cuts, before = recorder.changes + [("end",)], set()
    for cut, change in enumerate(cuts):
        if cut == recorder.killed:
            before = {id(pending) for pending in disk.pending}
        if change[0] in ("sync", "syncfs", "end") and cut >= recorder.killed:
            skipped = without and change[0] == "sync" and weak_disk.label(recorder, disk, cut) == without
            units, rest = disk.units(lambda unit: not beside(unit))
            missing = lost & {id(change) for change in disk.pending}
            fixed = [(*unit, "all") for unit in rest]
            if left:
                units = [unit for unit in units if not before & {id(part) for part in unit[1]}]
            for chosen in [[(*unit, "all") for unit in units]] if left else choices(units, thorough):
                if without and not missing - {id(part) for unit in chosen for part in unit[1]}:
                    continue
                content = disk.state(fixed + chosen)
                try:
                    found = weak_disk.paths(content, disk.kinds)
                except (weak_disk.Impossible, KeyError):
                    continue
                known = weak_disk.key(content, disk.kinds, found)
                if known not in seen:
                    seen.add(known)
                    yield cut, content, found, disk.inputs
            if skipped:
                lost |= {id(unit) for unit in disk.pending if unit[1] == change[1]}
                continue
        if change[0] != "end":
            disk.take(change)


def re_beside(recorder):
    """Changes in folders that recovery empties unseen: work and trash."""
    def beside(unit):
        change = unit[1][0]
        place = recorder.places.get(change[1], "")
        return place.startswith(("spool/work", "spool/trash")) or \
            change[0] == "entry" and weak_disk.SKIPPED.search(change[2]) is not None
    return beside


def check(programs, expected, kinds, files, case):
    """Makes a state real, looks, recovers, looks. Returns violations, and whether there can be such a state."""
    cut, content, found, inputs = case
    place = sites.tempfile.mkdtemp(prefix="procd-disk-", dir=sites.scratch())
    site = sites.Site(programs, expected.kind, place=place)
    try:
        weak_disk.build(content, kinds, found, inputs, site)
        bad = ["before recovery: " + text for text in invariants.weak(site)]
        bad += invariants.recover(site, expected)
        can = True
    except weak_disk.Impossible:
        bad, can = [], False
    if not (bad and os.environ.get("FAULTS_KEEP")):
        site.remove()
    return f"cut {cut} {site.root if bad and os.environ.get('FAULTS_KEEP') else ''}", bad, can


def main():
    parser = sweep.parser(__doc__)
    parser.add_argument("--mutants", action="store_true", help="leave out each kind of fsync in turn")
    parser.add_argument("--only", help="of the mutants only those whose name holds this")
    parser.add_argument("--kind", choices=["small", "mixed"], default="mixed")
    parser.add_argument("--after-kill", action="store_true",
                        help="procd is killed first, and the power fails while it recovers")
    parser.add_argument("--fresh", action="store_true", help="cuts from the very first start on")
    options = parser.parse_args()
    programs, start = sweep.begin(options), time.monotonic()
    expected = invariants.Expected(sites.Site(programs, options.kind))
    if options.after_kill:
        return after_kill(options, programs, expected, start)
    site, recorder = record.record(programs, options.kind, prepare=None if options.fresh else prepared)
    site.remove()
    work = functools.partial(check, programs, expected, recorder.kinds, site.files)
    if options.mutants:
        return mutants(options, recorder, site, work, start)
    all = list(states(recorder, site, options.long))
    sample = sweep.spread(all, options.limit or (10 ** 9 if options.long else 48), options.seed)
    failures, checked = sweep.gathered(work, sample, options)
    cuts = sum(1 for change in recorder.changes if change[0] in ("sync", "syncfs"))
    name = "disk_model fresh" if options.fresh else "disk_model"
    return sweep.report(name, {"changes": len(recorder.changes), "cuts": cuts, "states": len(all),
                               "recovered": checked}, failures, start)


def after_kill(options, programs, expected, start):
    """What a killed run left undurable is still pending while the next one builds on it."""
    site, recorder = record.record(programs, options.kind, prepare=prepared)
    site.remove()
    count = len(recorder.changes)
    kills = sweep.spread(list(range(count // 6, count)), 60 if options.long else 3, options.seed)
    total, failures, checked = 0, [], 0
    for kill in kills:
        site, recorder = record.record(programs, options.kind, prepare=prepared, kill=kill)
        work = functools.partial(check, programs, expected, recorder.kinds, site.files)
        all, left = list(states(recorder, site, False)), list(states(recorder, site, False, left=True))
        total += len(all)
        most = options.limit or (60 if options.long else 8)
        sample = sweep.spread(left, most, options.seed) + sweep.spread(all, most, options.seed)
        found, tried = sweep.gathered(work, sample, options)
        checked += tried
        failures += [(f"killed at {kill}, {told}", bad) for told, bad in found]
        site.remove()
        if failures and options.first:
            break
    return sweep.report("disk_model after a kill", {"kills": len(kills), "states": total, "recovered": checked},
                        failures, start)


def report_first(recorder):
    """The report of each job is moved out before its results."""
    changes, first = [], {}
    for change in recorder.changes:
        if change[0] == "move" and recorder.places.get(change[5], "").startswith("outbox/"):
            if change[4].endswith(".report.json") and change[1] in first:
                changes.insert(first[change[1]], change)
                continue
            first.setdefault(change[1], len(changes))
        changes.append(change)
    return changes


def archive_first(recorder):
    """The original of each job goes to the archive before its results are published."""
    changes, held = list(recorder.changes), []
    for index, change in enumerate(changes):
        if change[0] == "move" and recorder.places.get(change[5], "").startswith(("archive/", "quarantine/")) \
                and change[2] in ("source", "copy"):
            held.append(index)
    for index in held:
        change = changes.pop(index)
        number = change[5]
        # Right after the last thing that was done to its claim before: long before the ledger says done.
        previous = max(at for at, other in enumerate(changes[:index]) if other[0] == "sync" and other[1] == change[1])
        earlier = [at for at, other in enumerate(changes[:index]) if other[0] == "sync" and other[1] == number]
        changes.insert(max(earlier + [previous]) + 1, change)
    return changes


# Syncs that the model misses nothing without, by what makes them so on this disk.
REDUNDANT = {
    r"fsync (archive|quarantine)/ \([^)]*\)": "the folder that the original or the report left is synced next, and "
                                             "a rename is durable as a whole with its old name",
    r"fsync outbox/ \(\+report\)": "the seal is synced next, and a rename is durable as a whole with its old name",
    r"fsync spool/claimed/JOB/ \(\+source\)": "the folder of the inbox is synced next, as above",
    r"fsync spool/claimed/JOB/ \(-copy.*\)": "a copy that still stands is the one in the archive",
    r"fsync spool/claimed/ \(-JOB\)": "recovery clears the claim of a job that is done again",
    r"fsync spool/seal/JOB/ \(-.*\)": "a sealed file that also stands in its place is known by its inode",
    r"fsync spool/ \(.*procd-trial.*\)": "each start makes its trial anew",
    r"fsync spool/ \(.*requests.*\)": "a bell that is lost is rung by the next start",
}
# Of the short form: each is found within a few states.
QUICK = ["fsync spool/claimed/ (+JOB)", "fsync spool/claimed/JOB/arrival.json.new", "fsync outbox/ (+folder)",
         "fsync spool/ledger.sqlite-wal", "the archive before the ledger"]

SWAPS = {"the report before the results": report_first, "the archive before the ledger": archive_first}


def mutants(options, recorder, site, work, start):
    """Leaves out each kind of sync in turn and looks for a broken promise."""
    disk, labels = weak_disk.Disk(recorder, {}), {}
    for index, change in enumerate(recorder.changes):
        if change[0] == "sync":
            name = weak_disk.label(recorder, disk, index)
            labels[name] = labels.get(name, 0) + 1
        disk.take(change)
    labels = {name: count for name, count in labels.items()
              if not any(word in name for word in ("-shm", "reserve", "daemon.pid", "(nothing)")) and
              (not options.only or options.only in name)}
    labels |= {name: 1 for name in SWAPS if not options.only or options.only in name}
    if not options.long and not options.only:
        labels = {name: labels[name] for name in QUICK}
    caught, redundant, missed, changes = [], [], [], recorder.changes
    for name in sorted(labels):
        if name in SWAPS:
            recorder.changes = SWAPS[name](recorder)
        all = list(states(recorder, site, False, without=None if name in SWAPS else name))
        recorder.changes = changes
        sample = sweep.spread(all, options.limit or (10 ** 9 if options.long else 150), options.seed)
        options.first = True
        failures, tried = sweep.gathered(work, sample, options)
        found = failures[0][1] if failures else None
        why = next((why for known, why in REDUNDANT.items() if re.fullmatch(known, name)), None)
        if not found and why is None:
            missed.append((f"the mutant without {name}", [f"{tried} states, and no promise was broken"]))
        (caught if found else redundant).append(name)
        print(json.dumps({"mutant": name if name in SWAPS else f"without {name}", "times": labels[name],
                          "states": len(all), "tried": tried, "caught": bool(found),
                          "by": found[0] if found else why}), flush=True)
    return sweep.report("disk_model mutants", {"mutants": len(labels), "caught": len(caught),
                                               "redundant": len(redundant) - len(missed)}, missed, start)


if __name__ == "__main__":
    sys.exit(main())
