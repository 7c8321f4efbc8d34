#!/usr/bin/env python3
"""Writes anew what is expected of confinement: the lists of system calls in
Tests/Fixtures/confinement and the table of acts in docs/security.md.

    Tests/ConfinementProbe/record.py .build-test/release/ConfinementProbe

Look at the difference before keeping it: a call or an act that is newly open is a hole until somebody
has said why not. Needs a kernel with Landlock 6 or newer and all features (namespaces, io_uring).
"""
import pathlib
import subprocess
import sys
import tempfile

repository = pathlib.Path(__file__).resolve().parents[2]
profiles = ["sealed", "net", "web", "tool", "tool-network"]
levels = ["-", "2", "0"]
shown = {"-": "7", "2": "2", "0": "0"}


def probe(*arguments):
    result = subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=True)
    return result.stdout


def acts(profile, level):
    with tempfile.TemporaryDirectory() as folder:
        lines = probe("acts", profile, level, folder).splitlines()
    return dict(line.split("\t") for line in lines)


def cell(outcomes):
    """How an act ended at the three levels."""
    for level, outcome in outcomes.items():
        if outcome == "harm":
            sys.exit(f"an act was refused and left a trace at level {level}")
    opened = [shown[level] for level, outcome in outcomes.items() if outcome == "done"]
    if len(opened) == len(levels):
        return "open"
    return "open at " + ", ".join(opened) if opened else "–"


for profile in [*profiles, "sealed-threads"]:
    target = repository / "Tests" / "Fixtures" / "confinement" / f"{profile}.calls"
    target.write_text(probe("calls", profile, "-"))

table = {profile: {level: acts(profile, level) for level in levels} for profile in profiles}
rows = ["| act | sealed | net | web | tool | tool with network |", "| --- | --- | --- | --- | --- | --- |"]
for act in table["sealed"]["-"]:
    cells = [cell({level: table[p][level][act] for level in levels}) for p in profiles]
    rows.append(f"| {act} | " + " | ".join(cells) + " |")
page = repository / "docs" / "security.md"
head, rest = page.read_text().split("<!-- acts -->\n")[0], page.read_text().split("<!-- end of acts -->\n")[1]
page.write_text(head + "<!-- acts -->\n" + "\n".join(rows) + "\n<!-- end of acts -->\n" + rest)
