#!/usr/bin/env python3
"""Reads documents whose content is known, and holds what comes out against floors.

    Tests/Quality/quality.py --procd .build/release/procd [--areas tables,text] [--count 40] [--peers] [--write]
    Tests/Quality/quality.py ablate --rooms TableText [--rules]

Documents are made by seed (`made.py`), so they are the same everywhere, and drawn by every writer that is installed:
ReportLab, Chromium, WeasyPrint, LibreOffice, groff; some are scanned and photographed (`scans.py`). Others are got from
packages of Debian and PyPI (`got.py`). One line a figure: area, writer, figure, today, floor, and with --peers what
other readers get in the same run. Ends with 1 if a figure falls below its floor in floors.json.

--sample takes the few documents that `make test` can afford. --write makes today's figures the floors; do that only
with a reason in the commit. --seed makes other documents: the floors are for seed 1, but nothing should fall far below.
--show N prints the worst documents of each line, with their files. `ablate` runs ablate.py.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import drawing   # noqa: E402
import got       # noqa: E402
import made      # noqa: E402
import measures  # noqa: E402
import readers   # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
FLOORS = HERE / "floors.json"
# A figure may be so far below its floor: fonts and writers differ a little from release to release.
SLACK = .5
# The writer whose documents are scanned.
SCANNED = "reportlab"


# MARK: writers

def chromium(documents):
    import html2pdf
    html2pdf.by_chromium([(drawing.page(doc), path) for doc, path in documents])


def weasyprint(documents):
    import html2pdf
    html2pdf.by_weasyprint([(drawing.page(doc), path) for doc, path in documents])


def libreoffice(documents):
    import html2pdf
    html2pdf.by_libreoffice([(drawing.page(doc), path) for doc, path in documents])


def reportlab(documents):
    for doc, path in documents:
        drawing.by_reportlab(doc, path)


def groff(documents):
    for doc, path in documents:
        run = subprocess.run(["groff", "-k", "-t", "-ms", "-Tpdf", "-P-pa4"], input=drawing.roff(doc).encode(), capture_output=True)
        if run.returncode == 0:
            path.write_bytes(run.stdout)


def has_fonts(kind):
    """Whether a font has the letters of a kind of document."""
    letter = made.LETTERS.get(kind)
    return not letter or bool(subprocess.run(["fc-list", f":charset={ord(letter):x}"], capture_output=True).stdout)


def draws(writer, kind):
    """Whether a writer can draw a kind of document."""
    if kind == "vertical":
        return writer == "chromium" and has_fonts(kind)
    if kind in made.LETTERS:
        # ReportLab names fonts of Chinese and Japanese that it need not have. It and groff do not know right-to-left;
        # WeasyPrint 57, Debian 12's, says of many right-to-left glyphs that they are another word, so no reader can know.
        able = {"reportlab": made.CJK, "weasyprint": made.CJK, "chromium": made.CJK + made.RTL, "libreoffice": made.CJK + made.RTL}
        return kind in able.get(writer, ()) and (writer == "reportlab" or has_fonts(kind))
    return True


def has_module(name):
    import importlib.util
    return importlib.util.find_spec(name) is not None


WRITERS = {
    "reportlab": (reportlab, lambda: has_module("reportlab")),
    "chromium": (chromium, lambda: shutil.which("chromium")),
    "weasyprint": (weasyprint, lambda: has_module("weasyprint")),
    "libreoffice": (libreoffice, lambda: shutil.which("soffice")),
    "groff": (groff, lambda: shutil.which("groff") and shutil.which("tbl") and pathlib.Path("/usr/share/groff/current/font/devpdf/TR").exists()),
}


def make(place, writer, kinds, count, seed):
    """[(document, path)] of those that the writer could draw, `count` of each kind."""
    documents = [(made.document(kind, f"{seed}.{number}"), place / writer / f"{kind}-{number}.pdf")
                 for kind in kinds for number in range(count) if draws(writer, kind)]
    (place / writer).mkdir(parents=True, exist_ok=True)
    missing = [(doc, path) for doc, path in documents if not path.exists()]
    if missing:
        WRITERS[writer][0](missing)
    return [(doc, path) for doc, path in documents if path.exists()]


def make_scans(place, writer, kinds, count, seed):
    """[(document, path)] of scans and photos of a writer's documents. Recognition is slow: there are few."""
    if not shutil.which("pdftoppm") or not has_module("PIL"):
        print("pdftoppm or Pillow is not installed: scans are left out")
        return []
    import scans
    found = []
    for doc, source in make(place, writer, kinds, min(count, 3), seed):
        for way in scans.WAYS:
            path = source.with_name(f"{source.stem}.{way.replace(' ', '-')}.pdf")
            if not path.exists():
                scans.scan(source, path, f"{source.stem} {seed} {way}", way)
            found.append((dataclasses.replace(doc, kind=f"{way}: {doc.kind}"), path))
    return found


# MARK: areas

def tables(documents, reader, pool):
    """Of documents with tables: how much of them is found, and what is taken for one."""
    found = list(pool.map(lambda one: reader.tables(one[1]), documents))
    scores = [measures.tables(doc.tables(), tables) for (doc, _), tables in zip(documents, found)]
    per = {figure: [100 * score[n] for score in scores] for n, figure in enumerate(("adjacency", "cells", "rows"))}
    prose = [measures.prose_rows(doc, tables) for (doc, _), tables in zip(documents, found)]
    return per | {"free of prose": [100.0 * (count == 0) for count in prose]}


def text(documents, reader, pool):
    found = list(pool.map(lambda one: reader.text(one[1]), documents))
    return {"reading": [100 * measures.reading(doc.texts(), text) for (doc, _), text in zip(documents, found)],
            "words": [100 * measures.wording(doc.texts(), text) for (doc, _), text in zip(documents, found)]}


def prose(documents, reader, pool):
    """Of documents without a table: the share in which none is found."""
    found = list(pool.map(lambda one: reader.tables(one[1]), documents))
    return {"no table found": [100.0 * (not tables) for tables in found]}


def lists(documents, reader, pool):
    """Of status lists: their rows with number, status and date."""
    found = list(pool.map(lambda one: reader.rows(one[1]), documents))
    return {"rows": [100 * measures.listed(doc, rows) for (doc, _), rows in zip(documents, found)]}


def forms(documents, reader, pool):
    """Of forms and letters: labels with their values, addresses and paragraphs that are whole."""
    found = list(pool.map(lambda one: reader.text(one[1]), documents))
    return {"whole": [100 * measures.whole(doc.texts(), text) for (doc, _), text in zip(documents, found)],
            "words": [100 * measures.wording(doc.texts(), text) for (doc, _), text in zip(documents, found)]}


def recognized(documents, reader, pool):
    """Of scans: words that are recognized."""
    found = list(pool.map(lambda one: reader.recognized(one[1]), documents))
    return {"words": [100 * measures.wording(doc.texts(), text) for (doc, _), text in zip(documents, found)]}


def agreeing():
    """The readers whose agreement is the truth for documents that were got."""
    return [peer for peer in readers.peers() if peer.does("got")]


# What readers gave for documents that were got, by path and reader.
texts_got = collections.defaultdict(dict)


def agreed(documents, reader, pool):
    """Of documents that were got: words and order, against what two of three other readers agree on."""
    def score(one):
        path = one[1]
        for peer in agreeing():
            if peer.name not in texts_got[path]:
                texts_got[path][peer.name] = peer.pages(path, got.PAGES)
        if reader.name == "procd":
            texts_got[path]["procd"] = reader.pages(path, got.PAGES)
        return got.agreement(texts_got[path])[reader.name]

    scores = list(pool.map(score, documents))
    return {figure: [100 * score[n] for score in scores] for n, figure in enumerate(("words", "order"))}


def expected(documents, reader, pool):
    """Of tables that were got: their cells, against the files that come with them or our own."""
    found = list(pool.map(lambda one: reader.tables(one[1]), documents))
    scores = [measures.tables_of_rows(doc.tables, tables) for (doc, _), tables in zip(documents, found)]
    return {figure: [100 * score[n] for score in scores] for n, figure in enumerate(("adjacency", "cells", "rows"))}


AREAS = {"tables": (tables, made.TABLES), "text": (text, made.TABLES + made.PROSE), "prose": (prose, made.PROSE),
         "lists": (lists, made.LISTS), "forms": (forms, made.FORMS), "rtl": (text, made.RTL), "cjk": (text, made.CJK),
         "rtl tables": (tables, made.RTL), "cjk tables": (tables, made.CJK[:2]),
         "scans": (recognized, made.SCANS), "got": (agreed, ()), "got tables": (expected, ()), "got prose": (prose, ())}


def runs(wanted, place):
    """(area, writer, documents) of all that is to be measured and can be."""
    areas = wanted.areas.split(",")
    place.mkdir(parents=True, exist_ok=True)
    for writer in wanted.writers.split(","):
        if not WRITERS[writer][1]():
            print(f"{writer} is not installed: its documents are left out")
            continue
        for area in areas:
            kinds = [kind for kind in AREAS[area][1] if not wanted.kinds or kind in wanted.kinds.split(",")]
            if area == "scans" and (writer != SCANNED or wanted.sample):
                continue
            documents = (make_scans if area == "scans" else make)(place / str(wanted.seed), writer, kinds, wanted.count, wanted.seed)
            if documents:
                yield area, writer, documents
    those = [area for area in areas if area.startswith("got")]
    if not wanted.sample and those:
        documents, is_whole = got.documents(place)
        for area in those:
            if area != "got" or len(agreeing()) > 1:
                # The figure depends on who agrees, and on the documents: a part of them has no floor.
                label = "+".join(peer.name for peer in agreeing()) if area == "got" else "packages"
                yield area, label if is_whole else f"{label}, a part", [one for one in documents if one[0].area == area]


def main():
    if sys.argv[1:2] == ["ablate"]:
        os.execv(sys.executable, [sys.executable, str(HERE / "ablate.py"), *sys.argv[2:]])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--procd", required=True)
    parser.add_argument("--areas", default=",".join(AREAS))
    parser.add_argument("--writers", default=",".join(WRITERS))
    parser.add_argument("--kinds", help="some of the kinds of documents only")
    parser.add_argument("--count", type=int, default=10, help="documents of each kind and writer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--place", type=pathlib.Path, help="where documents are kept from run to run")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--by-kind", action="store_true")
    wanted = parser.parse_args()
    if wanted.sample:
        wanted.writers, wanted.count = "reportlab", 10
    floors = json.loads(FLOORS.read_text()) if FLOORS.exists() else {}
    floors = floors.get("sample" if wanted.sample else "full", {})
    place = wanted.place or pathlib.Path(tempfile.mkdtemp(prefix="quality-"))
    ours = readers.Procd(wanted.procd)
    others = [one for one in readers.peers() if wanted.peers]
    fallen, measured = [], {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for area, writer, documents in runs(wanted, place):
            measure = AREAS[area][0]
            figures = measure(documents, ours, pool)
            peers = {peer.name: measure(documents, peer, pool) for peer in others if peer.does(area)}
            for figure, values in figures.items():
                key, today = f"{area} {writer} {figure}", statistics.mean(values)
                measured[key] = round(today, 1)
                floor = floors.get(key)
                isLow = floor is not None and wanted.seed == 1 and today < floor - SLACK and not wanted.kinds
                if isLow:
                    fallen.append(key)
                beside = "  ".join(f"{name} {statistics.mean(values[figure]):.1f}" for name, values in peers.items())
                print(f"{'FALLEN  ' if isLow else '        '}{area:10} {writer:12} {figure:14} {today:6.1f}"
                      f"  floor {floor if floor is not None else '–':>5}  {beside}".rstrip(), flush=True)
                if wanted.by_kind:
                    by = collections.defaultdict(list)
                    for (doc, _), value in zip(documents, values):
                        by[doc.kind].append(value)
                    print("          " + "  ".join(f"{kind} {statistics.mean(of):.1f}" for kind, of in by.items()))
                for value, path in sorted(zip(values, (path for _, path in documents)))[:wanted.show]:
                    print(f"          {value:6.1f}  {path}")
    if wanted.write:
        kept = json.loads(FLOORS.read_text()) if FLOORS.exists() else {}
        kept.setdefault("sample" if wanted.sample else "full", {}).update(measured)
        FLOORS.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    if not wanted.place:
        shutil.rmtree(place)
    if fallen:
        sys.exit(f"{len(fallen)} of {len(measured)} figures are below their floors")
    print(f"{len(measured)} figures hold")


if __name__ == "__main__":
    main()
