#!/usr/bin/env python3
"""Moves each constant of some rooms by a quarter up and down, and prints what that changes.

    Tests/Quality/ablate.py --rooms TableText [--files RowAssembler,Measures] [--areas tables,prose] [--count 10]

A copy of the sources is built in which each number of those rooms, but for 0, 1, 2 and what are counts and indices, is
read from the environment: `PROCD_CONSTANTS=17:0.5` sets constant 17. Then every one is tried with the documents of
quality.py. Needs as long as a build, and a second or two for each constant and direction.
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

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
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
'''
# A decimal in code: no part of a name, a range, or a longer number.
DECIMAL = re.compile(r"(?<![\w.])(\d+\.\d+)(?![\w.])")


def rewrite(place, rooms, files):
    """Replaces the constants in a copy; returns [(file and line, value, text of the line)]."""
    found = []
    for room in rooms:
        folder = place / "Sources" / room
        for path in sorted(folder.rglob("*.swift")):
            if "/Data/" in str(path) or files and path.stem not in files:
                continue
            lines = path.read_text().split("\n")
            for number, line in enumerate(lines):
                code, slashes, comment = line.partition("//")
                if '"' in code or "case " in code:
                    continue

                def variable(match):
                    found.append((f"{path.relative_to(place)}:{number + 1}", float(match[1]), line.strip()))
                    return f"constant({len(found) - 1}, {match[1]})"
                lines[number] = DECIMAL.sub(variable, code) + slashes + comment
            path.write_text("\n".join(lines))
        (folder / "MovedConstants.swift").write_text(SUPPORT)
    return found


class Moved(readers.Procd):
    """procd with some constants set."""

    def __init__(self, program, constants):
        super().__init__(program)
        self.environment = dict(os.environ, PROCD_CONSTANTS=constants)

    def run(self, *words):
        return readers.run(*words, env=self.environment)


def measure(reader, documents, areas, pool):
    return {f"{area} {writer} {figure}": statistics.mean(values)
            for (area, writer), those in documents.items() if area in areas
            for figure, values in quality.AREAS[area][0](those, reader, pool).items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", default="TableText")
    parser.add_argument("--files", default="")
    parser.add_argument("--areas", default="tables,prose")
    parser.add_argument("--writers", default="reportlab,groff")
    parser.add_argument("--count", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--place", type=pathlib.Path, default=HERE.parents[1] / ".build/ablate")
    parser.add_argument("--least", type=float, default=.05, help="smaller changes are none")
    wanted = parser.parse_args()
    copy = wanted.place / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    files = subprocess.run(["git", "ls-files"], cwd=HERE.parents[1], capture_output=True, text=True, check=True).stdout.split("\n")
    for name in filter(None, files):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE.parents[1] / name, copy / name)
    constants = rewrite(copy, wanted.rooms.split(","), set(filter(None, wanted.files.split(","))))
    subprocess.run(["swift", "build", "-c", "release", "--product", "procd", "--scratch-path", str(wanted.place / "build")],
                   cwd=copy, check=True, stdout=subprocess.DEVNULL)
    program = str(wanted.place / "build/release/procd")
    areas = wanted.areas.split(",")
    documents = {(area, writer): quality.make(wanted.place / "made", writer, quality.AREAS[area][1], wanted.count, wanted.seed)
                 for area in areas for writer in wanted.writers.split(",") if quality.WRITERS[writer][1]()}
    idle = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        today = measure(Moved(program, ""), documents, areas, pool)
        print(f"{len(constants)} constants; today: " + ", ".join(f"{name} {value:.1f}" for name, value in today.items()))
        for number, (place, value, line) in enumerate(constants):
            told = []
            for factor in (.75, 1.25):
                moved = measure(Moved(program, f"{number}:{value * factor}"), documents, areas, pool)
                changes = [f"{name} {moved[name] - today[name]:+.1f}" for name in today if abs(moved[name] - today[name]) >= wanted.least]
                if changes:
                    told.append(f"{value * factor:g}: " + ", ".join(changes))
            idle += not told
            print(f"{place} {value:g}  " + ("; ".join(told) or "changes nothing") + f"   | {line[:80]}", flush=True)
    print(f"{idle} of {len(constants)} change nothing")


if __name__ == "__main__":
    main()
