#!/usr/bin/env python3
"""Moves each constant of some rooms by a quarter up and down, or forces each condition, and prints what that changes.

    Tests/Quality/ablate.py --rooms TableText [--files RowAssembler,Measures] [--areas tables,prose] [--count 10]
    Tests/Quality/ablate.py --rules --rooms TableText

A copy of the sources is built in which each decimal of those rooms is read from the environment
(`PROCD_CONSTANTS=17:0.5` sets constant 17), or with --rules the outcome of each condition: of `if`, `guard`, `while`,
of loops' `where`, and of each operand of `&&` and `||` there (`PROCD_CONSTANTS=17:1` makes condition 17 true). Then
every one is tried with the documents of quality.py. Needs as long as a build, and a second or two for each constant or
condition and direction. With --copy the copy is only written, to be parsed or built by hand.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import conditions  # noqa: E402
import quality  # noqa: E402
import readers  # noqa: E402

SUPPORT = '''
import Glibc

/// Constants that the environment moves, by their numbers.
private let moved: [Int: Double] = {
  guard let text = unsafe getenv("PROCD_CONSTANTS").map({ unsafe String(cString: $0) }) else { return [:] }
  var result: [Int: Double] = [:]
  for part in text.split(separator: ",") {
    let pair = part.split(separator: ":")
    if pair.count == 2, let number = Int(pair[0]), let value = Double(pair[1]) { result[number] = value }
  }
  return result
}()

@inline(__always) func constant(_ number: Int, _ value: Double) -> Double { moved[number] ?? value }

@inline(__always) func forced(_ number: Int, _ value: Bool) -> Bool {
  guard let outcome = moved[number] else { return value }
  return outcome != 0
}
'''
# A decimal in code: no part of a name, a range, or a longer number.
DECIMAL = re.compile(r"(?<![\w.])(\d+\.\d+)(?![\w.])")


def with_constants(text, first):
    """(the text with its constants as calls, [(number of the line, value, line)])."""
    found, lines = [], text.split("\n")
    for number, line in enumerate(lines):
        code, slashes, comment = line.partition("//")
        if '"' in code or "case " in code:
            continue

        def variable(match):
            found.append((number + 1, float(match[1]), line.strip()))
            return f"constant({first + len(found) - 1}, {match[1]})"
        lines[number] = DECIMAL.sub(variable, code) + slashes + comment
    return "\n".join(lines), found


def with_conditions(text, first):
    """The same of conditions, which have no value."""
    text, found = conditions.wrapped(text, first)
    return text, [(line, None, condition) for line, condition in found]


def rewrite(place, rooms, files, rewritten):
    """Replaces the constants or conditions in a copy; returns [(file and line, value, text of the line)]."""
    found = []
    for room in rooms:
        folder = place / "Sources" / room
        for path in sorted(folder.rglob("*.swift")):
            if "/Data/" in str(path) or files and path.stem not in files:
                continue
            text, those = rewritten(path.read_text(), len(found))
            path.write_text(text)
            found += [(f"{path.relative_to(place)}:{line}", value, what) for line, value, what in those]
        (folder / "MovedConstants.swift").write_text(SUPPORT)
    return found


class Moved(readers.Procd):
    """procd with some constants set."""

    def __init__(self, program, constants):
        super().__init__(program)
        self.environment, self.slow = dict(os.environ, PROCD_CONSTANTS=constants), 0

    def run(self, *words):
        """Nothing once two files took too long: a forced condition may never end."""
        start = time.monotonic()
        text = readers.run(*words, env=self.environment, limit=10) if self.slow < 2 else ""
        self.slow += time.monotonic() - start > 10
        return text


def measure(reader, documents, pool):
    return {f"{area} {writer} {figure}": statistics.mean(values)
            for (area, writer), those in documents.items()
            for figure, values in quality.AREAS[area][0](those, reader, pool).items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", default="TableText")
    parser.add_argument("--files", default="", help="some of the rooms' files only, without .swift")
    parser.add_argument("--rules", action="store_true", help="conditions instead of constants")
    parser.add_argument("--copy", action="store_true")
    parser.add_argument("--areas", default="tables,prose")
    parser.add_argument("--writers", default="reportlab,groff")
    parser.add_argument("--count", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--place", type=pathlib.Path, default=HERE.parents[1] / ".build/quality")
    parser.add_argument("--least", type=float, default=.05, help="smaller changes are none")
    # What `make quality` gives to quality.py; the program is built here.
    parser.add_argument("--procd", help=argparse.SUPPRESS)
    parser.set_defaults(kinds=None, sample=False)
    wanted = parser.parse_args()
    copy, build = wanted.place / "ablate/copy", wanted.place.resolve() / "ablate/build"
    shutil.rmtree(copy, ignore_errors=True)
    files = subprocess.run(["git", "ls-files"], cwd=HERE.parents[1], capture_output=True, text=True, check=True).stdout.split("\n")
    for name in filter(None, files):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        # With its time: a second build compiles only what was rewritten.
        shutil.copy2(HERE.parents[1] / name, copy / name)
    constants = rewrite(copy, wanted.rooms.split(","), set(filter(None, wanted.files.split(","))),
                        with_conditions if wanted.rules else with_constants)
    what = "conditions" if wanted.rules else "constants"
    if wanted.copy:
        print(f"{len(constants)} {what} in {copy}")
        return
    built = subprocess.run(["swift", "build", "-c", "release", "--product", "procd", "--scratch-path", str(build)],
                           cwd=copy, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if built.returncode:
        sys.exit("".join(line + "\n" for line in built.stdout.splitlines() if "error:" in line) or built.stdout)
    program = str(build / "release/procd")
    documents = {(area, writer): those for area, writer, those in quality.runs(wanted, wanted.place)}
    idle = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        today = measure(Moved(program, ""), documents, pool)
        print(f"{len(constants)} {what}; today: " + ", ".join(f"{name} {value:.1f}" for name, value in today.items()))
        for number, (place, value, line) in enumerate(constants):
            told = []
            for to in (0, 1) if wanted.rules else (value * .75, value * 1.25):
                moved = measure(Moved(program, f"{number}:{to}"), documents, pool)
                changes = [f"{name} {moved[name] - today[name]:+.1f}" for name in today if abs(moved[name] - today[name]) >= wanted.least]
                name = ("false", "true")[to] if wanted.rules else f"{to:g}"
                if changes:
                    told.append(f"{name}: " + ", ".join(changes))
            idle += not told
            print(f"{place}{'' if wanted.rules else f' {value:g}'}  " + ("; ".join(told) or "changes nothing") + f"   | {line[:80]}", flush=True)
    print(f"{idle} of {len(constants)} change nothing")


if __name__ == "__main__":
    main()
