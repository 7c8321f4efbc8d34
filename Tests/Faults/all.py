#!/usr/bin/env python3
"""Runs the long forms of all fault tests, one after the other, and prints a table of what they counted."""

import json
import os
import subprocess
import sys

import sites
import tool

RUNS = [["invariants.py"], ["kill_sweep.py", "--long"], ["error_sweep.py", "--long"], ["disk_model.py", "--long"],
        ["disk_model.py", "--long", "--fresh", "--kind", "small"], ["disk_model.py", "--long", "--after-kill"],
        ["disk_model.py", "--long", "--mutants"], ["source_mutants.py"], ["producers.py"], ["world.py"], ["power_cut.py"]]


def main():
    parser = tool.parser(__doc__)
    parser.add_argument("--limit", help="at most so many cases of each kind")
    options = parser.parse_args()
    programs, rows, failed = sites.programs(options.programs), [], False
    for name, *arguments in RUNS:
        if options.limit and name.split(".")[0] in ("kill_sweep", "error_sweep", "disk_model"):
            arguments += ["--limit", options.limit]
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
        print(f"{row['test']:24} {'FAILED ' + str(row['failed']) if row['failed'] else 'holds':10} {counts}"
              + (f" ({row['seconds']:.0f} s)" if "seconds" in row else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
