#!/usr/bin/env python3
"""Somebody else writes at each of procd's state-changing calls: whatever a producer wrote last stands whole somewhere
when all is done, and nothing that was reported is half of anything.

Between two calls of a run a producer appends to a file by its name or by a second name of it, holds it open and writes
late, writes through a mapping, replaces it, or writes a new one under its name. It is a process of its own, so that a
lease of procd's is broken as it would be."""

import functools
import hashlib
import json
import mmap
import os
import sys
import time

import invariants
import sites
import sweep

# What is written to: a file that is read by a step, one that is delivered as it came, one with a second name.
PLAIN, KEPT, LINKED = "plain.pdf", "kept-words.txt", "side/linked.pdf"
MORE = b"%written late\n"


# Each takes the site and returns when it is done. What it leaves is noted by `noted`, so that it is known afterwards
# even where it began before procd took the file.

def append_by_name(site, name=PLAIN):
    with open(site(f"inbox/{name}"), "r+b") as file:
        file.seek(0, 2)
        file.write(MORE)
        file.flush()
        noted(site, site.files[name] + MORE)


def append_to_kept(site):
    append_by_name(site, KEPT)


def append_by_second_name(site):
    with open(site(LINKED), "r+b") as file:
        file.seek(0, 2)
        file.write(MORE)
        file.flush()
        noted(site, site.files["sub/deep/linked.pdf"] + MORE, file)


def write_in_place_by_second_name(site):
    """The size stays; only the content and the time tell."""
    with open(site(LINKED), "r+b") as file:
        file.write(b"%PDF-1.7")
        file.flush()
        noted(site, b"%PDF-1.7" + site.files["sub/deep/linked.pdf"][8:], file)


def hold_open_by_second_name(site):
    with open(site(LINKED), "r+b") as file:
        time.sleep(0.1)
        file.seek(0, 2)
        file.write(MORE)
        file.flush()
        noted(site, site.files["sub/deep/linked.pdf"] + MORE, file)
        time.sleep(0.1)


def write_through_a_mapping(site):
    with open(site(LINKED), "r+b") as file:
        mapping = mmap.mmap(file.fileno(), 0)
    time.sleep(0.1)
    mapping[:8] = b"%PDF-1.7"
    mapping.close()
    with open(site(LINKED), "rb") as file:
        noted(site, b"%PDF-1.7" + site.files["sub/deep/linked.pdf"][8:], file)


def replace(site, name=PLAIN):
    site.write("side/new.pdf", sites.pdf("a replacement"))
    # Counted before: once it stands there it may be gone again at once.
    noted(site, sites.pdf("a replacement"))
    os.rename(site("side/new.pdf"), site(f"inbox/{name}"))


def replace_kept(site):
    replace(site, KEPT)


def new_under_the_name(site):
    """As one who looks first does it, so that the file is never another one's."""
    file = os.open(site(f"inbox/{PLAIN}"), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    os.write(file, sites.pdf("a new one"))
    noted(site, sites.pdf("a new one"))
    os.close(file)


ACTS = [append_by_name, append_by_second_name, write_in_place_by_second_name, hold_open_by_second_name,
        write_through_a_mapping, replace, new_under_the_name, append_to_kept, replace_kept]


def noted(site, content, file=None):
    """What must stand somewhere at the end; of a file with a second name only while procd has the first one still."""
    if file and os.fstat(file.fileno()).st_nlink < 2:
        return
    with open(site("noted"), "w") as file:
        file.write(hashlib.sha256(content).hexdigest())


class MeddleAt:
    """Has an act begin at the k-th call; procd goes on when it is done, or after a moment where it waits for procd."""

    def __init__(self, site, act, k):
        self.site, self.act, self.k, self.count, self.child, self.struck = site, act, k, 0, None, None

    def __call__(self, call):
        self.count += 1
        if self.count == self.k:
            self.struck = str(call)
            self.child = os.spawnv(os.P_NOWAIT, sys.executable, [
                sys.executable, os.path.abspath(__file__), "--act", self.act.__name__, "--site", self.site.root])
            # Then it waits for procd, if it waits.
            self.wait("begun", 60)
            self.wait("acted", 0.4)

    def wait(self, mark, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not os.path.exists(self.site(mark)):
            time.sleep(0.005)


def case(programs, what):
    """One case: meddle, let procd finish, drain again, look where the last content stands."""
    act, k = what
    site = sites.Site(programs, "small")
    meddle = MeddleAt(site, act, k)
    status, output = sweep.run(site, meddle)
    bad = [] if status is not None else [f"it did not end: {output.strip()[-300:]}"]
    if meddle.child:
        meddle.wait("acted", 60)
    for _ in range(2):
        status, output = site.run()
    if status not in (0, 65):
        bad.append(f"the last run ended with {status}: {output.strip()}")
    found = sites.tree(site.root)
    contents = [what for path, what in found.items() if path.startswith(("archive/", "quarantine/"))]
    if os.path.exists(site("noted")):
        with open(site("noted")) as file:
            if file.read() not in contents:
                bad.append("what was written last stands nowhere")
    for path in ("bad.txt", *([PLAIN] if act.__name__.endswith(("second_name", "mapping", "kept")) else [])):
        if hashlib.sha256(site.files[path]).hexdigest() not in contents:
            bad.append(f"{path} stands nowhere")
    bad += [f"{path} is still in the inbox" for path in invariants.names(found, "inbox")]
    bad += [f"{path} is left" for path in found if path.startswith(("spool/claimed/", "spool/seal/", "spool/work/"))]
    bad += originals(site, found)
    bad += invariants.reports(site, found, {}, whole=True)
    told = f"{act.__name__} at {k} ({meddle.struck})"
    if bad and os.environ.get("FAULTS_KEEP"):
        told += f", kept in {site.root}"
    else:
        site.remove()
    return told, bad, os.path.exists(site("acted")) or meddle.struck is not None


def originals(site, found):
    """What the ledger says was processed is what the archive keeps: no half of it, no later version."""
    bad = []
    for path, sha in invariants.rows(site, "SELECT original, sha256 FROM job WHERE state = 'done'"):
        relative = os.path.relpath(path.decode(), site.root)
        if found.get(relative) != sha:
            bad.append(f"{relative} is not what was processed")
    return bad


def act(options):
    """The producer's own process."""
    site = sites.Site("", "small", place=options.site)
    with open(site("begun"), "w"):
        pass
    try:
        globals()[options.act](site)
    except FileNotFoundError:
        pass  # procd has it already, and there is no other name
    except FileExistsError:
        pass  # it is there still: not a new one
    with open(site("acted"), "w"):
        pass


def main():
    parser = sweep.parser(__doc__)
    parser.add_argument("--only", help="acts whose name contains this")
    parser.add_argument("--act", help="used by itself: do this, in the folder that --site names")
    parser.add_argument("--site", help="used by itself")
    options = parser.parse_args()
    if options.act:
        return act(options)
    programs, start = sweep.begin(options), time.monotonic()
    positions = sweep.count(programs, "small", 1).count
    acts = [one for one in ACTS if options.only in (None, one.__name__) or options.only in one.__name__]
    all = [(one, k) for one in acts for k in range(1, positions + 1)]
    sample = sweep.spread(all, options.limit or (10 ** 9 if options.long else 42), options.seed)
    failures, struck = sweep.gathered(functools.partial(case, programs), sample, options)
    return sweep.report("meddling", {"positions": positions, "acts": len(acts), "cases": len(sample),
                                     "meddled": struck}, failures, start)


if __name__ == "__main__":
    sys.exit(main())
