#!/usr/bin/env python3
"""Removes or swaps checks of the delivery code in a copy of the sources, and has the other tools find each.

All mutants (mutants.py) are built into one set of programs, in which PROCD_MUTANT chooses one; without it they must
keep all promises. The copy lies in the folder that --scratch names and is kept, so that a second run builds less. The
sources themselves are only read."""

import json
import os
import shutil
import subprocess
import sys
import time

import mutants
import tool
import tracer

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.abspath(os.path.join(HERE, "../.."))
# Read once, at the first use of the file's code.
CHOOSER = """
import Glibc
private let chosenMutant: Int32 = unsafe getenv("PROCD_MUTANT").map { unsafe atoi($0) } ?? 0
"""


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def wrong():
    """What of the list the sources no longer have: a mutant that changes nothing would prove nothing."""
    ends = [(name, file, mutants.ENDS[name][0]) for name, file, *_ in mutants.MUTANTS if name in mutants.ENDS]
    bad = []
    for name, file, old in [(name, file, old) for name, file, old, *_ in mutants.MUTANTS] + ends:
        count = read(REPOSITORY, "Sources", file).count(old)
        if count != 1:
            bad.append(f"{file} has {count} times, not once, what the mutant \u201c{name}\u201d changes")
    return bad


def mutated():
    """The changed files below Sources, with all mutants in them."""
    texts = {}
    for number, (name, file, old, new, _) in enumerate(mutants.MUTANTS, 1):
        text = texts.setdefault(file, read(REPOSITORY, "Sources", file) + CHOOSER)
        for before, after in [(old, new), *([mutants.ENDS[name]] if name in mutants.ENDS else [])]:
            if text.count(before) != 1:
                sys.exit(f"the mutant \u201c{name}\u201d changes what another one has changed before it")
            text = text.replace(before, after.replace("OFF", f"(chosenMutant == {number})"))
        texts[file] = text
    return texts


def built(copy):
    """Brings the copy up to date and builds it; files that are the same keep their times, and what was built stays."""
    wanted = {}
    for top in ("Sources", "Plugins", "Tests"):
        for folder, _, names in os.walk(os.path.join(REPOSITORY, top)):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), REPOSITORY)
                if "__pycache__" not in path:
                    wanted[path] = None
    wanted |= {"Package.swift": None} | {os.path.join("Sources", file): text for file, text in mutated().items()}
    for path, text in wanted.items():
        target = os.path.join(copy, path)
        with open(os.path.join(REPOSITORY, path), "rb") as file:
            content = file.read() if text is None else text.encode()
        if os.path.islink(os.path.join(REPOSITORY, path)):
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or open(target, "rb").read() != content:
            with open(target, "wb") as file:
                file.write(content)
            shutil.copymode(os.path.join(REPOSITORY, path), target)
    for top in ("Sources", "Plugins"):
        for folder, _, names in os.walk(os.path.join(copy, top)):
            for name in names:
                if os.path.relpath(os.path.join(folder, name), copy) not in wanted:
                    os.unlink(os.path.join(folder, name))
    build = subprocess.run(["swift", "build", "-c", "release", "--static-swift-stdlib"], cwd=copy,
                           capture_output=True, text=True)
    if build.returncode != 0:
        sys.exit(f"the mutants do not build:\n{build.stdout[-4000:]}")
    return os.path.join(copy, ".build/release")


def found(programs, number, finder, limit):
    """What the finder says of a mutant: the broken promises, None where it broke itself."""
    name, *arguments = finder
    if name not in (mutants.PRODUCERS, mutants.WORLD):
        arguments += ["--first", *([] if "--limit" in arguments else ["--limit", str(limit)])]
    run = subprocess.run([sys.executable, os.path.join(HERE, name), "--programs", programs, *arguments],
                         capture_output=True, text=True, env=os.environ | {"PROCD_MUTANT": str(number)})
    # Only a tool that ran to its end and found a broken promise has caught it, not one that broke itself.
    lines = [json.loads(line) for line in run.stdout.splitlines() if line.startswith('{"test"')]
    if not lines:
        # The run that says what to expect is the first to break.
        if "the run without faults ended" in run.stderr:
            return run.stderr.strip()
        print(run.stdout[-2000:] + run.stderr[-2000:], file=sys.stderr)
        return None
    if not lines[-1]["failed"]:
        return ""
    return next((line.strip() for line in run.stdout.splitlines()
                 if line.strip() and not line.startswith(("FAILED", "{"))), "a broken promise")


def main():
    parser = tool.parser(__doc__, programs="not used: the mutants are built")
    parser.add_argument("--built", help="programs with the mutants in them; else they are built")
    parser.add_argument("--scratch", default="/var/tmp/procd-mutants", help="where the copy lies and is built")
    parser.add_argument("--only", help="only mutants whose name holds this")
    parser.add_argument("--limit", type=int, default=400, help="at most so many cases or states for each")
    parser.add_argument("--check", action="store_true",
                        help="build nothing: only see that the sources still have what each mutant changes")
    options = parser.parse_args()
    bad = wrong()
    if options.check or bad:
        mutated()
        return tool.end(bad, {"test": "source mutants, their places", "mutants": len(mutants.MUTANTS), "failed": len(bad)})
    reason = tracer.why_not()
    if reason:
        print(f"SKIPPED: {reason}")
        return 0
    start, counts, missed = time.monotonic(), {"mutants": 0, "caught": 0, "redundant": 0}, []
    programs = options.built or built(os.path.join(options.scratch, "copy"))
    for number, (name, _, _, _, finder) in enumerate(mutants.MUTANTS, 1):
        if options.only and options.only not in name:
            continue
        begun = time.monotonic()
        by = found(programs, number, finder, options.limit)
        why = mutants.REDUNDANT.get(name)
        counts["mutants"] += 1
        counts["caught" if by else "redundant"] += 1 if by or why else 0
        if not by and not why:
            missed.append(f"the mutant \u201c{name}\u201d " + ("was not looked for" if by is None else "is missed"))
        print(json.dumps({"mutant": name, "caught": bool(by), "by": f"{finder[0]}: {by}" if by else why,
                          "seconds": round(time.monotonic() - begun)}), flush=True)
    return tool.end(missed, {"test": "source mutants", **counts, "failed": len(missed),
                             "seconds": round(time.monotonic() - start)})


if __name__ == "__main__":
    sys.exit(main())
