#!/usr/bin/env python3
"""Holds the notes that procd-notes reads in all PDFs below a folder against those that PyMuPDF reads.

    Tests/Notes/corpus.py --program .build/release/procd-notes FOLDER

Needs PyMuPDF. Prints each difference, and counts at the end; ends with 1 where the program crashed.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys

import pymupdf

KINDS = {
    "Text", "FreeText", "Highlight", "Underline", "StrikeOut", "Squiggly", "Square", "Circle", "Line",
    "Polygon", "PolyLine", "Ink", "Stamp", "Caret", "FileAttachment",
}


def text(value):
    """A text without what readers may treat differently: ends of lines, blanks at the end."""
    return " ".join((value or "").replace("\r\n", "\n").replace("\r", "\n").split())


def theirs(path):
    document = pymupdf.open(path)
    if document.needs_pass:
        return None
    notes = []
    for page in document:
        matrix = page.rotation_matrix
        for note in page.annots():
            kind = note.type[1]
            if kind not in KINDS:
                continue
            info = note.info
            colors = note.colors.get("stroke") or []
            rect = note.rect * matrix
            notes.append({
                "page": page.number + 1, "type": kind, "contents": text(info.get("content")),
                "author": text(info.get("title")), "subject": text(info.get("subject")),
                "color": list(colors), "box": [rect.x0, rect.y0, rect.x1, rect.y1],
                "flags": note.flags, "name": note.info.get("id") or "", "xref": note.xref,
                "quads": len(note.vertices or []) // 4 if kind in
                ("Highlight", "Underline", "StrikeOut", "Squiggly") else 0,
            })
    return notes


def ours(program, path):
    environment = {"PROCD_COMMAND": "notes", "PATH": "/usr/bin:/bin", "PROCD_WORK": "/tmp"}
    try:
        run = subprocess.run([program, "list", "--json", path], env=environment, timeout=300,
                             capture_output=True)
    except subprocess.TimeoutExpired:
        return "timeout", None
    if run.returncode == 0:
        return 0, json.loads(run.stdout)["notes"]
    return run.returncode, run.stderr.decode(errors="replace").strip()


def rgb(colors):
    if len(colors) == 1:
        colors = colors * 3
    if len(colors) == 4:
        colors = [(1 - c) * (1 - colors[3]) for c in colors[:3]]
    return [round(c * 255) for c in colors] or None


FLAGS = ["invisible", "hidden", "print", "nozoom", "norotate", "noview", "readonly", "locked",
         "togglenoview", "lockedcontents"]


def compare(mine, other):
    """Fields that differ."""
    color = mine.get("color")
    pairs = {
        "contents": (text(mine.get("contents")), other["contents"]),
        "author": (text(mine.get("author")), other["author"]),
        "subject": (text(mine.get("subject")), other["subject"]),
        "flags": (sum(1 << FLAGS.index(f) for f in mine.get("flags", [])), other["flags"] & 0x3FF),
        "quads": (len(mine.get("quads", [])) if other["quads"] else 0, other["quads"]),
    }
    differing = {k: v for k, v in pairs.items() if v[0] != v[1]}
    want = rgb(other["color"])
    have = [int(color[i:i + 2], 16) for i in (1, 3, 5)] if color else None
    near = want == have or want and have and max(abs(a - b) for a, b in zip(want, have)) <= 1
    if not near and other["type"] != "FreeText":
        differing["color"] = (have, want)
    box = mine.get("box")
    if box is None or max(abs(a - b) for a, b in zip(box, other["box"])) > 1:
        differing["box"] = (box, [round(v, 2) for v in other["box"]])
    return len(pairs) + 2, differing


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("folder")
    options = parser.parse_args()
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    paths = sorted(os.path.join(d, f) for d, _, fs in os.walk(options.folder) for f in fs)
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda path: ours(options.program, path), paths)
        for path, (status, mine) in zip(paths, results):
            name = os.path.basename(path)
            counts["files"] += 1
            counts[f"ended with {status}"] += 1
            if status not in (0, 65):
                print(f"{name}: ended with {status}: {mine}")
                counts["crashes"] += 1
                continue
            try:
                other = theirs(path)
            except Exception as error:
                print(f"{name}: PyMuPDF: {error}")
                continue
            if status == 65:
                if other:
                    print(f"{name}: {mine}; PyMuPDF has {len(other)} notes")
                continue
            if other is None:
                continue
            notes = [n for n in mine if n["type"] in KINDS]
            counts["links"] += len(mine) - len(notes)
            counts["notes"] += len(other)
            kinds = collections.Counter((n["page"], n["type"]) for n in notes)
            kinds.subtract(collections.Counter((n["page"], n["type"]) for n in other))
            odd = {k: v for k, v in kinds.items() if v}
            if odd:
                print(f"{name}: counts differ (ours - theirs): {odd}")
                counts["notes that differ in count"] += sum(abs(v) for v in odd.values())
                continue
            # The order within a page is that of the file for both.
            for one, two in zip(sorted(notes, key=lambda n: n["page"]), other):
                fields, differing = compare(one, two)
                counts["fields"] += fields
                for field, (a, b) in differing.items():
                    counts["fields that differ"] += 1
                    print(f"{name} p.{one['page']} {one['type']} {one['id']}: {field}: {a!r} != {b!r}")
    for key, value in sorted(counts.items()):
        print(f"{value:7}  {key}")
    sys.exit(1 if counts["crashes"] else 0)


main()
