#!/usr/bin/env python3
"""Runs the long forms of all fault tests, one after the other, and prints a table of what they counted.

With --limit it takes samples: so many cases of each kind, the short forms of the others, and it builds nothing."""

import json
import os
import subprocess
import sys

import sites
import tool

LONG = [["invariants.py"], ["kill_sweep.py", "--long"], ["error_sweep.py", "--long"], ["recovery_sweep.py", "--long"], ["meddling.py", "--long"],
        ["disk_model.py", "--long"],
        ["disk_model.py", "--long", "--fresh", "--kind", "small"], ["disk_model.py", "--long", "--after-kill"],
        ["disk_model.py", "--long", "--mutants"], ["source_mutants.py"], ["producers.py"], ["world.py"], ["places.py"], ["silence.py"],
        ["fleet.py", "--kills", "200"], ["fleet.py", "--positions", "1"], ["page.py"],
        ["pictures.py"], ["power_cut.py"]]


def sample(limit):
    """The same tools with little to do. Mutants take their own short form: one is found by many states, not by few."""
    sweeps = [["kill_sweep.py"], ["error_sweep.py"], ["recovery_sweep.py"], ["meddling.py"], ["disk_model.py"], ["disk_model.py", "--fresh", "--kind", "small"],
              ["disk_model.py", "--after-kill"]]
    return [["invariants.py"], *[[*sweep, "--limit", limit] for sweep in sweeps], ["disk_model.py", "--mutants"],
            ["source_mutants.py", "--check"], ["producers.py", "--short"], ["world.py", "--short"],
            ["places.py"], ["silence.py", "--short"], ["fleet.py", "--short"], ["page.py", "--short"],
            ["pictures.py", "--only", "L strips"], ["power_cut.py", "--cuts", "3"]]


def main():
    parser = tool.parser(__doc__)
    parser.add_argument("--limit", help="samples, with at most so many cases of each kind")
    options = parser.parse_args()
    programs, rows, failed = sites.programs(options.programs), [], False
    for name, *arguments in sample(options.limit) if options.limit else LONG:
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
        process = subprocess.Popen([sys.executable, path, "--programs", programs, *arguments],
                                   stdout=subprocess.PIPE, text=True)
        for line in process.stdout:
            print(line, end="", flush=True)
            if line.startswith('{"test"'):
                rows.append(json.loads(line))
        failed |= process.wait() != 0
    print()
    for row in rows:
        counts = ", ".join(f"{value} {key}" for key, value in row.items()
                           if isinstance(value, int) and key not in ("failed", "seconds"))
        print(f"{row['test']:28} {'FAILED ' + str(row['failed']) if row['failed'] else 'holds':10} {counts}"
              + (f" ({row['seconds']:.0f} s)" if "seconds" in row else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
