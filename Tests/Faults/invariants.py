#!/usr/bin/env python3
"""The promises of procd, checked on a site: I1 to I7.

I1 each input's bytes stand whole at every instant, after recovery in exactly one place; I2 what is archived
or quarantined has a committed row and a report; I3 what lies in the outbox matches its report; I4 after
recovery no name of ours is left; I5 one computation for each content and pipeline, one publication for each
input; I6 nobody is charged for what the machine did; I7 a second recovery changes nothing."""

import hashlib
import json
import os
import re
import shutil
import sqlite3
import sys
import tempfile

import sites
import tool


class Expected:
    """What a run without faults gives, for comparison; its site is removed."""

    def __init__(self, site):
        status, output = site.run()
        if status not in (0, 65):
            sys.exit(f"the run without faults ended with {status}: {output}")
        found = sites.tree(site.root)
        self.kind, self.files = site.kind, site.files
        self.names = {place: plain(names(found, place)) for place in ("outbox", "archive", "quarantine")}
        site.remove()


def names(found, place):
    """The files of a place. The page of a list is made anew after each edition and no result of one file."""
    return {path for path, what in found.items()
            if path.startswith(place + "/") and what != "folder" and not path.endswith(".status.html")}


def plain(paths):
    """Without the number of a result that one with its name overtook: whether that happens hangs on where a kill came."""
    return {re.sub(r"~[0-9]+(?=\.)", "", path) if path.startswith("outbox/replaced/") else path for path in paths}


def rows(site, query, store="ledger"):
    """Answers of the ledger as it would be after a crash: of a copy, so that looking changes nothing."""
    with tempfile.TemporaryDirectory(dir=sites.scratch()) as folder:
        for end in ("", "-wal", "-journal"):
            source = site(f"spool/{store}.sqlite{end}")
            if os.path.exists(source):
                shutil.copy(source, os.path.join(folder, f"copy{end}"))
        try:
            database = sqlite3.connect(os.path.join(folder, "copy"))
            return database.execute(query).fetchall()
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):
                return []
            raise


def weak(site, taken=None, excused=()):
    """What must hold at every instant, also before recovery. Returns the violations."""
    bad, found = [], sites.tree(site.root)
    standing = [what for path, what in found.items()
                if path.startswith(("inbox/", "archive/", "quarantine/", "spool/claimed/", "side/"))]
    for path, bytes in site.files.items():
        places = standing if path not in sites.LINKED else [
            what for name, what in found.items() if not name.startswith("side/")]
        if path not in excused and hashlib.sha256(bytes).hexdigest() not in places:
            bad.append(f"I1 {path} stands whole nowhere")
    done = {bytes.decode() for bytes, in rows(site, "SELECT original FROM job WHERE state = 'done'")
            if bytes is not None} if os.path.exists(site("spool/ledger.sqlite")) else set()
    for place in ("archive", "quarantine"):
        for path in names(found, place):
            base = os.path.basename(path)
            if base.endswith((".report.json", ".why.txt")) or "/.procd/" in path:
                continue
            # A folder that was gathered is one original.
            if not any(original.endswith(("/" + path, "/" + os.path.dirname(path))) for original in done):
                bad.append(f"I2 {path} has no committed row")
    return bad + reports(site, found, taken or {}, whole=False)


def reports(site, found, taken, whole):
    """I3: what reports say is there. What a consumer took is given by its path."""
    bad, claimed = [], set()
    outbox = {path: what for path, what in found.items() if path in names(found, "outbox")} | taken
    for path in sorted(outbox):
        if not path.endswith(".report.json"):
            continue
        try:
            with open(site(path) if path in found else site("taken/" + path), "rb") as file:
                report = json.load(file)
        except ValueError:
            bad.append(f"I3 {path} is no whole report")
            continue
        for artifact in report.get("artifacts", []):
            name = os.path.normpath(os.path.join(os.path.dirname(path), artifact["path"]))
            if outbox.get(name) != artifact["sha256"]:
                bad.append(f"I3 {name} is not what {path} says")
            if name in claimed:
                bad.append(f"I3 {name} belongs to two reports")
            claimed.add(name)
    if whole:
        bad += [f"I3 {path} belongs to no report" for path in sorted(outbox)
                if path not in claimed and not path.endswith(".report.json")]
    return bad


def strong(site, expected, taken=None, excused=()):
    """What must hold after recovery. Returns the violations."""
    bad, found, taken = [], sites.tree(site.root), taken or {}
    for place in ("outbox", "archive", "quarantine"):
        there = plain(names(found, place) | (taken.keys() if place == "outbox" else set()))
        bad += [f"{'I5' if place == 'outbox' else 'I1'} {path} is missing" for path in sorted(expected.names[place] - there)]
        bad += [f"{'I5' if place == 'outbox' else 'I1'} {path} should not be there" for path in sorted(there - expected.names[place])]
    left = names(found, "inbox")
    bad += [f"I1 {path} is still in the inbox" for path in sorted(left)]
    bad += [f"I4 {path} is left" for path, what in sorted(found.items())
            if path.startswith(("spool/claimed/", "spool/seal/", "spool/work/", "spool/trash/"))
            or "/.procd" in path and (what != "folder" or path not in own_folders(site))]
    for path, bytes in site.files.items():
        sha = hashlib.sha256(bytes).hexdigest()
        twins = sum(1 for other in site.files.values() if other == bytes)
        # A copy in the outbox is a result.
        count = sum(1 for name, what in found.items()
                    if what == sha and not name.startswith(("side/", "outbox/", "taken/")))
        if count != twins and path not in excused:
            bad.append(f"I1 {path} stands in {count} places, not {twins}")
    bad += reports(site, found, taken, whole=True)
    for path in names(found, "archive") | names(found, "quarantine"):
        if path.endswith((".report.json", ".why.txt")):
            with open(site(path), "rb") as file:
                bad += notes(path, file.read())
    bad += decisions(site, expected)
    # Results that a consumer took are computed anew for a twin.
    return bad if taken else bad + computed_once(site)


def own_folders(site):
    """Folders of procd's own that stay in the places: on a mount of its own each has one to copy into."""
    return {"outbox/.procd"} | ({"outbox/.procd/seal"} if "outbox" in site.mounts else set()) \
        | {f"{place}/.procd" for place in site.mounts}


def computed_once(site):
    """I5: of files with the same bytes one is computed, the others have its results."""
    contents = {}
    for path, report in rows(site, "SELECT CAST(path AS TEXT), report FROM job WHERE outcome = 'done'"):
        if path in site.files and not path.startswith("list-"):
            contents.setdefault(site.files[path], []).append("reusedFrom" in json.loads(report))
    return [f"I5 {reused.count(False)} of {len(reused)} files with the same bytes were computed"
            for reused in contents.values() if reused.count(False) != 1]


def notes(path, text):
    """I2: what stands beside an original is whole."""
    if path.endswith(".why.txt"):
        return [] if b"was not processed" in text and text.endswith(b"\n") else [f"I2 {path} is not whole"]
    try:
        return [] if json.loads(text)["job"] else [f"I2 {path} names no job"]
    except (ValueError, KeyError):
        return [f"I2 {path} is no whole report"]


def decisions(site, expected):
    """What the ledger must say after recovery."""
    bad = []
    jobs = rows(site, "SELECT CAST(path AS TEXT), state, outcome FROM job")
    bad += [f"I2 the job of {path} is {state}" for path, state, _ in jobs if state != "done"]
    inputs = {path if not path.startswith("letters/") else os.path.dirname(path) for path in site.files
              if not path.endswith(".xfdf")}
    for path in inputs:
        count = sum(1 for name, _, _ in jobs if name == path)
        if count != 1:
            bad.append(f"I5 {path} has {count} jobs")
    bad += [f"I6 {path} was charged {count} times" for path, count in rows(
        site, "SELECT CAST(path AS TEXT), count(*) FROM attempt JOIN job ON job.id = attempt.job "
              "WHERE charged = 1 GROUP BY 1")]
    bad += [f"I5 the name {path} is still reserved" for path, in rows(site, "SELECT CAST(path AS TEXT) FROM name")]
    bad += ["I5 a computation was never finished" for _ in rows(site, "SELECT * FROM computation WHERE done = 0")]
    bad += [f"I2 the ledger is damaged: {text}" for text, in rows(site, "PRAGMA integrity_check") if text != "ok"]
    if any(path.startswith("list-") for path in site.files):
        editions = rows(site, "SELECT count(*), count(DISTINCT job) FROM edition", "lists")
        wanted = sum(1 for path in site.files if path.startswith("list-"))
        if editions and editions[0] != (wanted, wanted):
            bad.append(f"I5 {editions[0][0]} editions of {wanted} lists")
    return bad


def settled(site):
    """All that a second recovery must leave as it is: the tree and the decisions."""
    found = {path: what for path, what in sites.tree(site.root).items()
             if not path.startswith(("spool/daemon.pid", "spool/ledger.", "spool/lists.", "spool/notices."))}
    tables = [rows(site, f"SELECT * FROM {table} ORDER BY 1, 2") for table in
              ("job", "attempt", "name", "computation", "passedOver", "request")]
    return found, tables


def recover(site, expected, taken=None, excused=(), consumer=None):
    """Runs procd until all is done, checks the strong forms, and once more for I7."""
    bad = []
    status, output = site.run()
    if status not in (0, 65):
        bad.append(f"recovery ended with {status}: {output.strip()}")
    if consumer:
        consumer()
    bad += strong(site, expected, taken, excused)
    before = settled(site)
    status, output = site.run()
    if status != 0:
        bad.append(f"I7 a second recovery ended with {status}: {output.strip()}")
    if settled(site) != before:
        changed = [path for path in before[0].keys() | settled(site)[0].keys()
                   if before[0].get(path) != settled(site)[0].get(path)]
        bad.append(f"I7 a second recovery changed {changed or 'the ledger'}")
    return bad


def main():
    parser = tool.parser(__doc__)
    parser.add_argument("--kind", choices=["small", "mixed"], default="mixed")
    options = parser.parse_args()
    programs = sites.programs(options.programs)
    reference, site = sites.Site(programs, options.kind), sites.Site(programs, options.kind)
    bad = weak(site) + recover(site, Expected(reference))
    site.remove()
    print("\n".join(bad) if bad else "the promises hold on a run without faults")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
