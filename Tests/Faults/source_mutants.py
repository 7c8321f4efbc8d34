#!/usr/bin/env python3
"""Removes checks of the delivery code in a copy of the sources, one at a time, builds, and has the sweeps find it.

Only in the long form: each takes a build and a sweep, ten or more minutes. The copy lies in the folder that
--scratch names, which is kept, so that a second run builds less. The sources themselves are only read."""

import json
import os
import shutil
import subprocess
import sys
import time

import tool
import tracer

REPOSITORY = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
KILL, ERROR, DISK = "kill_sweep.py", "error_sweep.py", "disk_model.py"

# Name, file below Sources, what stands there, what stands there in the mutant, and who must find it.
MUTANTS = [
    ("one file under two names is published twice", "Outbox/Publisher.swift",
     "try isOne(folder, item.sealed, target, name)", "false", [DISK, "--limit", "300"]),
    ("a twin in the inbox is not unlinked", "Intake/Claims.swift",
     "guard source.links > 1, let root", "guard source.links > 1000, let root", [DISK, "--limit", "300"]),
    ("what a killed run left is not made durable", "Conveyor/Running/Recovery.swift",
     "    try makeDurable()\n", "", [DISK, "--after-kill", "--limit", "60"]),
    ("a trial folder left behind stays", "Conveyor/Setup/Spool.swift",
     "    try target.removeEmptyFolder(trial)\n    let result", "    let result", [KILL, "--only", "position", "--limit", "1600"]),
    ("a claim whose rename is not durable stays claimed", "Intake/Claims.swift",
     "      _ = try? giveBack(job: job, arrival)\n      throw error", "      throw error",
     [ERROR, "--call", "fsync", "--place", "inbox"]),
    ("a job that is done begins again on a full disk", "Conveyor/Stages/Journey.swift",
     "row.state == .publishing || row.state == .done", "row.state == .publishing",
     [ERROR, "--error", "ENOSPC", "--place", "archive", "--limit", "80"]),
    ("a job that ends early keeps its computation", "Conveyor/Stages/Journey.swift",
     "try await ledger.giveUpComputations(of: claim.job) } catch {\n      conveyor.fail",
     "try await ledger.giveUpComputations(of: \"\") } catch {\n      conveyor.fail",
     [ERROR, "--error", "ENOSPC", "--place", "seal", "--limit", "80"]),
    ("a ledger that failed is used again", "JobLedger/GroupCommit.swift",
     "        fail(broken)\n", "", [ERROR, "--error", "EIO", "--place", "ledger", "--limit", "120"]),
    ("a sealed file that is missing is an error", "Outbox/Publisher.swift",
     "guard try seal.exists(item.sealed) else { continue }",
     "guard try seal.exists(item.sealed) else { throw Taken(item: item) }",
     [KILL, "--only", "position", "--limit", "300"]),
    ("claims have no note", "Intake/Claims.swift",
     "try claimed.writeDurably(arrival.json.text, as: Self.arrivalName)", "_ = arrival",
     [KILL, "--only", "position", "--limit", "300"]),
]


def wrong():
    """What of the list the sources no longer have: a mutant that changes nothing would prove nothing."""
    bad = []
    for name, file, old, _, _ in MUTANTS:
        with open(os.path.join(REPOSITORY, "Sources", file), encoding="utf-8") as source:
            count = source.read().count(old)
        if count != 1:
            bad.append(f"{file} has {count} times, not once, what the mutant \u201c{name}\u201d changes")
    return bad


def copied(copy):
    """Brings the copy up to date; what was built there stays."""
    os.makedirs(copy, exist_ok=True)
    for name in os.listdir(copy):
        path = os.path.join(copy, name)
        if not name.startswith(".build"):
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
    shutil.copytree(REPOSITORY, copy, symlinks=True, dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns(".build*", ".git", "__pycache__"))


def fate(copy, finder):
    """Why the mutant that stands in the copy is not caught; None where it is."""
    build = subprocess.run(["swift", "build", "-c", "release", "--static-swift-stdlib"], cwd=copy,
                           capture_output=True, text=True)
    if build.returncode != 0:
        return f"does not build:\n{build.stdout[-2000:]}"
    run = subprocess.run([sys.executable, os.path.join(copy, "Tests/Faults", finder[0]), "--programs",
                          os.path.join(copy, ".build/release"), *finder[1:]], capture_output=True, text=True)
    # Only a sweep that ran to its end and found a broken promise has caught it, not one that broke itself.
    lines = [json.loads(line) for line in run.stdout.splitlines() if line.startswith('{"test"')]
    if not lines:
        return f"was not swept:\n{(run.stdout + run.stderr)[-2000:]}"
    return None if lines[-1]["failed"] else "is missed"


def main():
    parser = tool.parser(__doc__, programs="not used: each mutant is built")
    parser.add_argument("--scratch", default="/var/tmp/procd-mutants", help="where the copy lies and is built")
    parser.add_argument("--only", help="only mutants whose name holds this")
    parser.add_argument("--check", action="store_true",
                        help="build nothing: only see that the sources still have what each mutant changes")
    options = parser.parse_args()
    bad = wrong()
    if options.check or bad:
        return tool.end(bad, {"test": "source mutants, their places", "mutants": len(MUTANTS), "failed": len(bad)})
    reason = tracer.why_not()
    if reason:
        print(f"SKIPPED: {reason}")
        return 0
    start, fates = time.monotonic(), {}
    copy = os.path.join(options.scratch, "copy")
    copied(copy)
    for name, file, old, new, finder in MUTANTS:
        if options.only and options.only not in name:
            continue
        path = os.path.join(copy, "Sources", file)
        with open(path, encoding="utf-8") as source:
            text = source.read()
        with open(path, "w", encoding="utf-8") as source:
            source.write(text.replace(old, new, 1))
        fates[name] = fate(copy, finder)
        with open(path, "w", encoding="utf-8") as source:
            source.write(text)
        print(json.dumps({"mutant": name, "caught": fates[name] is None, "by": finder[0]}), flush=True)
    missed = [f"the mutant \u201c{name}\u201d {what}" for name, what in fates.items() if what]
    return tool.end(missed, {"test": "source mutants", "mutants": len(fates), "caught": len(fates) - len(missed),
                             "failed": len(missed), "seconds": round(time.monotonic() - start)})


if __name__ == "__main__":
    sys.exit(main())
