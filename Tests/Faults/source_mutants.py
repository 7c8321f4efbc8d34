#!/usr/bin/env python3
"""Removes checks of the delivery code in a copy of the sources, one at a time, builds, and has the sweeps find it.

Only in the long form: each takes a build. The copy lies beside nothing: --scratch names its folder, which is
kept, so that a second run builds less."""

import json
import os
import shutil
import subprocess
import sys
import time

import tool

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
     "        self.broken = broken\n", "", [ERROR, "--error", "EIO", "--place", "ledger", "--limit", "120"]),
    ("a sealed file that is missing is an error", "Outbox/Publisher.swift",
     "guard try seal.exists(item.sealed) else { continue }",
     "guard try seal.exists(item.sealed) else { throw Taken(item: item) }",
     [KILL, "--only", "position", "--limit", "300"]),
    ("claims have no note", "Intake/Claims.swift",
     "try claimed.writeDurably(arrival.json.text, as: Self.arrivalName)", "_ = arrival",
     [KILL, "--only", "position", "--limit", "300"]),
]


def main():
    parser = tool.parser(__doc__, programs="not used: each mutant is built")
    parser.add_argument("--scratch", default="/var/tmp/procd-mutants", help="where the copy lies and is built")
    parser.add_argument("--only", help="only mutants whose name holds this")
    options = parser.parse_args()
    start, caught, missed = time.monotonic(), 0, []
    copy = os.path.join(options.scratch, "copy")
    os.makedirs(options.scratch, exist_ok=True)
    subprocess.run(["rsync", "-a", "--delete", "--exclude=.build*", "--exclude=.git", REPOSITORY + "/", copy + "/"],
                   check=True) if shutil.which("rsync") else shutil.copytree(
        REPOSITORY, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".build*", ".git"))
    for name, file, old, new, finder in MUTANTS:
        if options.only and options.only not in name:
            continue
        path = os.path.join(copy, "Sources", file)
        with open(path) as source:
            text = source.read()
        if old not in text:
            sys.exit(f"{file} has no longer what the mutant “{name}” changes")
        with open(path, "w") as source:
            source.write(text.replace(old, new, 1))
        build = subprocess.run(["swift", "build", "-c", "release", "--static-swift-stdlib"], cwd=copy,
                               capture_output=True, text=True)
        if build.returncode != 0:
            sys.exit(f"the mutant “{name}” does not build:\n{build.stdout[-2000:]}")
        run = subprocess.run([sys.executable, os.path.join(copy, "Tests/Faults", finder[0]), "--programs",
                              os.path.join(copy, ".build/release"), *finder[1:]], capture_output=True, text=True)
        with open(path, "w") as source:
            source.write(text)
        found = run.returncode != 0
        caught += found
        missed += [] if found else [name]
        print(json.dumps({"mutant": name, "caught": found, "by": finder[0]}), flush=True)
    print(json.dumps({"test": "source mutants", "mutants": caught + len(missed), "caught": caught,
                      "failed": len(missed), "missed": missed, "seconds": round(time.monotonic() - start)}))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
