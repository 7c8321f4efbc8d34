#!/usr/bin/env python3
"""Proof that what procd-notes writes is what other programs read and show.

    Tests/Notes/proof.py --program .build/release/procd-notes [--pictures FOLDER]

A page is turned by 0, 90, 180 and 270 degrees; a note of each kind is written on it; each field is held against what
poppler (by GObject introspection, apt: gir1.2-poppler-0.18 python3-gi), MuPDF (pymupdf), PDFium (pypdfium2) and
pypdf (apt: python3-pypdf) read, the file against qpdf --check, and the pages of all three renderers before and after
against each other: they may differ where notes are, must differ there, and must not anywhere else. Ends with 1 where
anything is amiss.
"""
import argparse
import collections
import ctypes
import json
import os
import subprocess
import sys
import tempfile

import pymupdf
import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageChops

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLE = os.path.join(HERE, "../../docs/samples/report-mixed.pdf")
DATE, PDF_DATE = "2026-01-05T10:30:00+01:00", "D:20260105103000+01'00'"

POPPLER = r"""
import gi, json, sys
gi.require_version("Poppler", "0.18")
from gi.repository import Poppler
document = Poppler.Document.new_from_file("file://" + sys.argv[1], None)
page = document.get_page(0)
notes = []
for mapping in page.get_annot_mapping():
    annot = mapping.annot
    # The method of the base: an attachment's own gives the name of its file.
    one = {"type": annot.get_annot_type().value_nick, "name": Poppler.Annot.get_name(annot), "contents": annot.get_contents(),
           "modified": annot.get_modified(), "flags": int(annot.get_flags())}
    color = annot.get_color()
    if color:
        one["color"] = [round(v / 257) for v in (color.red, color.green, color.blue)]
    if isinstance(annot, Poppler.AnnotMarkup):
        one.update(author=annot.get_label(), subject=annot.get_subject(), opacity=annot.get_opacity(),
                   popup=annot.has_popup())
    if isinstance(annot, Poppler.AnnotText):
        one["icon"] = annot.get_icon()
    if isinstance(annot, Poppler.AnnotTextMarkup):
        one["quads"] = len(annot.get_quadrilaterals())
    if isinstance(annot, Poppler.AnnotFileAttachment):
        one["file"] = annot.get_attachment().name
    notes.append(one)
# Held until all is said: what it gives out belongs to it.
mappings = page.get_link_mapping()
actions = [mapping.action for mapping in mappings]
links = [str(action.uri.uri) for action in actions if action.type == Poppler.ActionType.URI]
json.dump({"notes": notes, "links": links}, sys.stdout)
"""


def wanted():
    """Notes of each kind, as a file of notes says them. None touches another."""
    common = {"page": 1, "author": "Änn Müller", "created": DATE, "modified": DATE, "subject": "Subject ü"}
    kinds = [
        {"type": "FreeText", "box": [300, 300, 480, 330], "color": "#fffbe6", "textColor": "#1040a0", "borderWidth": 1,
         "contents": "Plain, שלום עולם 123, السلام عليكم, हिन्दी, Русский"},
        {"type": "Text", "box": [490, 300, 510, 320], "contents": "A comment: 日本 €", "icon": "Note",
         "color": "#ffd54a"},
        {"type": "Highlight", "words": "the watchman read the gauge", "color": "#ffff00", "contents": "Why?"},
        {"type": "Underline", "words": "customs house", "color": "#00aa00"},
        {"type": "StrikeOut", "words": "more than a century", "color": "#ff0000"},
        {"type": "Squiggly", "words": "careful work of two surveyors", "color": "#ff00ff"},
        {"type": "Square", "box": [300, 390, 340, 410], "color": "#ff0000", "interiorColor": "#ffeeee",
         "borderWidth": 2},
        {"type": "Circle", "box": [350, 390, 390, 410], "color": "#0000ff", "borderWidth": 3, "dashes": [4, 2],
         "opacity": 0.5},
        {"type": "Line", "vertices": [300, 430, 380, 445], "lineEnds": ["OpenArrow", "ClosedArrow"],
         "interiorColor": "#00ff00", "color": "#333333", "borderWidth": 1},
        {"type": "Polygon", "vertices": [410, 390, 440, 390, 450, 410, 415, 412], "color": "#008080",
         "interiorColor": "#ddffff", "borderWidth": 1},
        {"type": "PolyLine", "vertices": [400, 430, 430, 425, 440, 445, 460, 430], "color": "#804000",
         "lineEnds": ["Circle", "Diamond"], "borderWidth": 1},
        {"type": "Ink", "strokes": [[480, 390, 490, 400, 500, 388, 510, 410], [485, 412, 505, 412]],
         "color": "#d7191c", "borderWidth": 2},
        {"type": "Stamp", "box": [300, 455, 400, 485], "icon": "Approved", "color": "#c0392b"},
        {"type": "Caret", "box": [410, 460, 420, 470], "contents": "insert", "color": "#2166ac"},
        {"type": "FileAttachment", "box": [430, 460, 450, 480], "icon": "Paperclip", "contents": "see",
         "file": {"name": "Übung.txt", "data": "aGVsbG8=", "mime": "text/plain"}, "color": "#4a6fa5"},
        {"type": "Text", "box": [490, 300, 510, 320], "contents": "An answer", "inReplyTo": "Text", "id": "Answer",
         "icon": "Note", "color": "#ffd54a"},
    ]
    notes = [{"id": kind["type"], **common, **kind} for kind in kinds]
    notes.append({"id": "Link", "type": "Link", "page": 1, "box": [460, 460, 480, 480],
                  "target": {"uri": "https://example.org/a?b=c"}, "borderWidth": 0})
    return notes


class Proof:
    def __init__(self, options):
        self.program = os.path.abspath(options.program)
        self.pictures = options.pictures
        self.counts = collections.Counter()
        self.failures = []

    def notes(self, *words):
        environment = {"PROCD_COMMAND": "notes", "PATH": "/usr/bin:/bin", "PROCD_WORK": "/tmp"}
        run = subprocess.run([self.program, *words], env=environment, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"procd-notes {words}: {run.stderr}")
        return run.stdout

    def expect(self, place, have, want):
        self.counts[place.split()[0]] += 1
        if have != want:
            self.failures.append(f"{place}: {have!r} instead of {want!r}")

    def near(self, place, have, want, within=0.02):
        fits = have is not None and want is not None and len(have) == len(want) and all(
            abs(a - b) <= within for a, b in zip(have, want))
        self.counts[place.split()[0]] += 1
        if not fits:
            self.failures.append(f"{place}: {have!r} instead of {want!r}")


def to_user(points, rotation, width, height):
    """Points of the page as shown, from its top left, in user space of an upright page of width and height."""
    turned = []
    for x, y in zip(points[::2], points[1::2]):
        turned += {0: (x, height - y), 90: (y, x), 180: (width - x, y), 270: (width - y, height - x)}[rotation]
    return turned


def box(points):
    return [min(points[::2]), min(points[1::2]), max(points[::2]), max(points[1::2])]


def user_box(note, listed, rotation, width, height):
    """Where a note must be in user space, by its own numbers where it has them."""
    shown = listed["box"]
    if note["type"] == "Text":
        # Upright below its upper left corner, whatever the page does.
        x, y = to_user(shown[:2], rotation, width, height)
        return [x, y - (shown[3] - shown[1]), x + shown[2] - shown[0], y]
    return box(to_user(shown, rotation, width, height))


def rgb(text):
    return [int(text[i:i + 2], 16) for i in (1, 3, 5)]


def check_pymupdf(proof, path, notes, listed, rotation, width, height):
    document = pymupdf.open(path)
    page = document[0]
    ids = {a.info["id"]: a for a in page.annots()}
    proof.expect("mupdf count", len(ids), len(notes) - 1)
    xrefs = {name: a.xref for name, a in ids.items()}
    for note in notes:
        place = f"mupdf {rotation} {note['id']}"
        if note["type"] == "Link":
            proof.expect(place + " uri", [k.get("uri") for k in page.get_links()], [note["target"]["uri"]])
            continue
        annot = ids.get(note["id"])
        if annot is None:
            proof.failures.append(place + " is missing")
            continue
        info = annot.info
        proof.expect(place + " type", annot.type[1], note["type"])
        proof.expect(place + " contents", info["content"], note.get("contents", ""))
        proof.expect(place + " author", info["title"], note["author"])
        proof.expect(place + " subject", info["subject"], note["subject"])
        proof.expect(place + " created", info["creationDate"], PDF_DATE)
        proof.expect(place + " modified", info["modDate"], PDF_DATE)
        proof.expect(place + " flags", annot.flags, 28 if note["type"] == "Text" else 4)
        colors = annot.colors
        proof.expect(place + " color", [round(c * 255) for c in colors["stroke"] or []], rgb(note["color"]))
        if "interiorColor" in note:
            proof.expect(place + " interior", [round(c * 255) for c in colors["fill"] or []],
                         rgb(note["interiorColor"]))
        proof.near(place + " opacity", [annot.opacity if annot.opacity >= 0 else 1], [note.get("opacity", 1)])
        if "borderWidth" in note:
            proof.near(place + " width", [annot.border["width"]], [note["borderWidth"]])
        if "dashes" in note:
            proof.expect(place + " dashes", [float(d) for d in annot.border["dashes"]], note["dashes"])
        if "lineEnds" in note:
            names = ["None", "Square", "Circle", "Diamond", "OpenArrow", "ClosedArrow"]
            proof.expect(place + " ends", [names[e] for e in annot.line_ends], note["lineEnds"])
        if "inReplyTo" in note:
            proof.expect(place + " answers", annot.irt_xref, xrefs[note["inReplyTo"]])
        if "file" in note:
            # PyMuPDF gives the bytes of UTF-8 as letters.
            name = annot.file_info["filename"].encode("latin-1").decode()
            proof.expect(place + " file", (name, annot.get_file()), (note["file"]["name"], b"hello"))
        raw = [float(v) for v in document.xref_get_key(annot.xref, "Rect")[1][1:-1].split()]
        proof.near(place + " box", raw, user_box(note, listed[note["id"]], rotation, width, height))
        for key, name in (("QuadPoints", "quads"), ("Vertices", "vertices"), ("L", "vertices")):
            kind, value = document.xref_get_key(annot.xref, key)
            if kind == "array":
                shown = listed[note["id"]][name]
                flat = [v for q in shown for v in q] if name == "quads" else shown
                proof.near(place + f" {key}", [float(v) for v in value[1:-1].split()],
                           to_user(flat, rotation, width, height))


def check_pdfium(proof, path, notes, listed, rotation, width, height):
    document = pypdfium2.PdfDocument(path)
    page = document[0]

    def text(annot, key):
        size = pdfium.FPDFAnnot_GetStringValue(annot, key, None, 0)
        buffer = ctypes.create_string_buffer(size)
        pdfium.FPDFAnnot_GetStringValue(annot, key, ctypes.cast(buffer, ctypes.POINTER(pdfium.FPDF_WCHAR)), size)
        return buffer.raw.decode("utf-16le").rstrip("\0")

    kinds = {getattr(pdfium, f"FPDF_ANNOT_{k.upper()}"): k for k in {n["type"] for n in notes}}
    found = {}
    for index in range(pdfium.FPDFPage_GetAnnotCount(page)):
        annot = pdfium.FPDFPage_GetAnnot(page, index)
        kind = kinds.get(pdfium.FPDFAnnot_GetSubtype(annot))
        if kind:
            found[text(annot, b"NM")] = (kind, annot)
    proof.expect("pdfium count", len(found), len(notes))
    for note in notes:
        place = f"pdfium {rotation} {note['id']}"
        kind, annot = found.get(note["id"], (None, None))
        proof.expect(place + " type", kind, note["type"])
        if not kind:
            continue
        rect = pdfium.FS_RECTF()
        pdfium.FPDFAnnot_GetRect(annot, rect)
        proof.near(place + " box", [rect.left, rect.bottom, rect.right, rect.top],
                   user_box(note, listed[note["id"]], rotation, width, height))
        if kind == "Link":
            continue
        for key, want in ((b"Contents", note.get("contents", "")), (b"T", note["author"]), (b"Subj", note["subject"]),
                          (b"M", PDF_DATE), (b"CreationDate", PDF_DATE)):
            proof.expect(f"{place} {key.decode()}", text(annot, key), want)
        proof.expect(place + " flags", pdfium.FPDFAnnot_GetFlags(annot), 28 if kind == "Text" else 4)
        proof.expect(place + " appearance", pdfium.FPDFAnnot_GetAP(annot, 0, None, 0) > 2, True)
        quads = pdfium.FPDFAnnot_CountAttachmentPoints(annot)
        if kind in ("Highlight", "Underline", "StrikeOut", "Squiggly"):
            points = []
            for index in range(quads):
                quad = pdfium.FS_QUADPOINTSF()
                pdfium.FPDFAnnot_GetAttachmentPoints(annot, index, quad)
                points += [quad.x1, quad.y1, quad.x2, quad.y2, quad.x3, quad.y3, quad.x4, quad.y4]
            flat = [v for q in listed[note["id"]]["quads"] for v in q]
            proof.near(place + " quads", points, to_user(flat, rotation, width, height))
        if kind in ("Polygon", "PolyLine"):
            count = pdfium.FPDFAnnot_GetVertices(annot, None, 0)
            points = (pdfium.FS_POINTF * count)()
            pdfium.FPDFAnnot_GetVertices(annot, points, count)
            proof.near(place + " vertices", [v for p in points for v in (p.x, p.y)],
                       to_user(note["vertices"], rotation, width, height))
        if kind == "Line":
            start, end = pdfium.FS_POINTF(), pdfium.FS_POINTF()
            pdfium.FPDFAnnot_GetLine(annot, start, end)
            proof.near(place + " ends", [start.x, start.y, end.x, end.y],
                       to_user(note["vertices"], rotation, width, height))
        if kind == "Ink":
            paths = []
            for index in range(pdfium.FPDFAnnot_GetInkListCount(annot)):
                count = pdfium.FPDFAnnot_GetInkListPath(annot, index, None, 0)
                points = (pdfium.FS_POINTF * count)()
                pdfium.FPDFAnnot_GetInkListPath(annot, index, points, count)
                paths.append([v for p in points for v in (p.x, p.y)])
            proof.expect(place + " strokes", len(paths), len(note["strokes"]))
            for have, stroke in zip(paths, note["strokes"]):
                proof.near(place + " stroke", have, to_user(stroke, rotation, width, height))


def check_poppler(proof, path, notes, rotation):
    run = subprocess.run(["/usr/bin/python3", "-c", POPPLER, path], capture_output=True, text=True)
    if run.returncode:
        proof.failures.append("poppler: " + run.stderr.strip().splitlines()[-1])
        return
    read = json.loads(run.stdout)
    found = {n["name"]: n for n in read["notes"]}
    for note in notes:
        place = f"poppler {rotation} {note['id']}"
        if note["type"] == "Link":
            proof.expect(place + " uri", read["links"], [note["target"]["uri"]])
            continue
        have = found.get(note["id"])
        if have is None:
            proof.failures.append(place + " is missing")
            continue
        nick = {"FreeText": "free-text", "StrikeOut": "strike-out", "PolyLine": "poly-line",
                "FileAttachment": "file-attachment"}.get(note["type"], note["type"].lower())
        proof.expect(place + " type", have["type"], nick)
        proof.expect(place + " contents", have["contents"] or "", note.get("contents", ""))
        proof.expect(place + " modified", have["modified"], PDF_DATE)
        proof.expect(place + " flags", have["flags"], 28 if note["type"] == "Text" else 4)
        proof.expect(place + " color", have.get("color"), rgb(note["color"]))
        if "author" in have:
            proof.expect(place + " author", have["author"], note["author"])
            proof.expect(place + " subject", have["subject"], note["subject"])
            proof.near(place + " opacity", [have["opacity"]], [note.get("opacity", 1)])
        if "icon" in have:
            proof.expect(place + " icon", have["icon"], note["icon"])
        if "file" in have:
            proof.expect(place + " file", have["file"], note["file"]["name"])


PYPDF = """
import json, sys, pypdf
def plain(value):
    value = value.get_object() if hasattr(value, "get_object") else value
    if isinstance(value, (list, tuple)): return [plain(one) for one in value]
    if isinstance(value, bytes): return value.decode("latin-1")
    return str(value) if isinstance(value, str) else float(value)
found = {}
for entry in pypdf.PdfReader(sys.argv[1]).pages[0].get("/Annots", []):
    annot = entry.get_object()
    if annot["/Subtype"] == "/Popup": continue
    own = {key[1:]: plain(annot[key]) for key in annot if key[1:] in (
        "Subtype", "Contents", "T", "Subj", "M", "CreationDate", "F", "Rect", "C", "IC", "CA", "QuadPoints", "L",
        "Vertices", "InkList", "LE", "StateModel", "State", "Name")}
    if "/IRT" in annot: own["IRT"] = str(annot["/IRT"].get_object()["/NM"])
    if "/A" in annot: own["URI"] = str(annot["/A"].get_object().get("/URI"))
    if "/FS" in annot:
        own["file"] = annot["/FS"].get_object()["/EF"]["/F"].get_object().get_data().decode("latin-1")
    own["appearance"] = "/AP" in annot
    found[str(annot["/NM"])] = own
print(json.dumps(found))
"""


def check_pypdf(proof, path, notes, listed, rotation, width, height):
    run = subprocess.run(["/usr/bin/python3", "-c", PYPDF, path], capture_output=True, text=True, check=True)
    found = json.loads(run.stdout)
    proof.expect("pypdf count", len(found), len(notes))
    for note in notes:
        place, own, shown = f"pypdf {rotation} {note['id']}", found.get(note["id"], {}), listed[note["id"]]
        proof.expect(place + " type", own.get("Subtype"), "/" + note["type"])
        proof.near(place + " box", own.get("Rect", []), user_box(note, shown, rotation, width, height))
        if note["type"] == "Link":
            proof.expect(place + " uri", own.get("URI"), note["target"]["uri"])
            continue
        for key, want in (("Contents", note.get("contents", "")), ("T", note["author"]), ("Subj", note["subject"]),
                          ("M", PDF_DATE), ("CreationDate", PDF_DATE), ("F", 28 if note["type"] == "Text" else 4),
                          ("IRT", note.get("inReplyTo")), ("State", note.get("state")),
                          ("StateModel", note.get("stateModel"))):
            proof.expect(f"{place} {key}", own.get(key, "" if key == "Contents" else None), want)
        proof.expect(place + " appearance", own.get("appearance"), True)
        proof.expect(place + " color", [round(c * 255) for c in own.get("C", [])], rgb(note["color"]))
        if "interiorColor" in note:
            proof.expect(place + " interior", [round(c * 255) for c in own.get("IC", [])], rgb(note["interiorColor"]))
        proof.near(place + " opacity", [own.get("CA", 1)], [note.get("opacity", 1)])
        if "lineEnds" in note:
            ends = own.get("LE", [])
            proof.expect(place + " ends", [end[1:] for end in ends], note["lineEnds"])
        if "file" in note:
            proof.expect(place + " file", own.get("file"), "hello")
        for key, name in (("QuadPoints", "quads"), ("Vertices", "vertices"), ("L", "vertices")):
            if key in own:
                flat = [v for q in shown[name] for v in q] if name == "quads" else shown[name]
                proof.near(f"{place} {key}", own[key], to_user(flat, rotation, width, height))
        for have, stroke in zip(own.get("InkList", []), note.get("strokes", [])):
            proof.near(place + " stroke", have, to_user(stroke, rotation, width, height))


RENDERERS = ("poppler", "mupdf", "pdfium")
SCALE = 2


def render(renderer, path, folder):
    """The first page at 144 dots an inch."""
    out = os.path.join(folder, "page")
    if renderer == "poppler":
        subprocess.run(["pdftoppm", "-r", "144", "-l", "1", "-singlefile", "-png", path, out], check=True)
    elif renderer == "mupdf":
        subprocess.run(["mutool", "draw", "-q", "-r", "144", "-o", out + ".png", path, "1"], check=True,
                       capture_output=True)
    else:
        page = pypdfium2.PdfDocument(path)[0]
        page.render(scale=SCALE, may_draw_forms=True).to_pil().save(out + ".png")
    with Image.open(out + ".png") as image:
        return image.convert("RGB")


def check_pictures(proof, before, after, listed, rotation, folder):
    for renderer in RENDERERS:
        bare, noted = render(renderer, before, folder), render(renderer, after, folder)
        if proof.pictures:
            noted.save(os.path.join(proof.pictures, f"{renderer}-{rotation}.png"))
        difference = ImageChops.difference(bare, noted).convert("L").point(lambda v: 255 if v > 24 else 0)
        for note in listed.values():
            x0, y0, x1, y1 = [round(v * SCALE) for v in note["box"]]
            area = difference.crop((x0, y0, x1, y1))
            place = f"pictures {rotation} {renderer} {note['id']}"
            if note["type"] != "Link" and note["id"] != "Answer":
                proof.expect(place + " is seen", area.getbbox() is not None, True)
        for note in listed.values():
            x0, y0, x1, y1 = [round(v * SCALE) for v in note["box"]]
            difference.paste(0, (x0 - 3, y0 - 3, x1 + 3, y1 + 3))
        proof.expect(f"pictures {rotation} {renderer} elsewhere", difference.getbbox(), None)


def prove(proof, rotation, folder):
    before = os.path.join(folder, "before.pdf")
    subprocess.run(["qpdf", f"--rotate={rotation}:1", SAMPLE, before], check=True)
    page = pypdfium2.PdfDocument(SAMPLE)[0]
    width, height = page.get_mediabox()[2:]
    notes = wanted()
    source, after = os.path.join(folder, "notes.json"), os.path.join(folder, "after.pdf")
    with open(source, "w") as file:
        json.dump(notes, file)
    proof.notes("add", before, "--from", source, "-o", after)
    with open(before, "rb") as old, open(after, "rb") as new:
        original = old.read()
        proof.expect("bytes kept", new.read(len(original)) == original, True)
    check = subprocess.run(["qpdf", "--check", after], capture_output=True, text=True)
    proof.expect("qpdf check", (check.returncode, "WARNING" in check.stdout + check.stderr), (0, False))
    listed = {n["id"]: n for n in json.loads(proof.notes("list", "--json", after))["notes"]}
    for note in notes:
        own = listed[note["id"]]
        for key, value in note.items():
            if key in ("box", "vertices", "dashes"):
                if key != "box" or note["type"] != "FreeText":
                    proof.near(f"procd {rotation} {note['id']} {key}", own.get(key), value)
            elif key == "words":
                proof.expect(f"procd {rotation} {note['id']} {key}", own["quote"].strip(".,"), value)
            elif key not in ("file", "strokes"):
                proof.expect(f"procd {rotation} {note['id']} {key}", own.get(key), value)
    check_pymupdf(proof, after, notes, listed, rotation, width, height)
    check_pdfium(proof, after, notes, listed, rotation, width, height)
    check_poppler(proof, after, notes, rotation)
    check_pypdf(proof, after, notes, listed, rotation, width, height)
    check_pictures(proof, before, after, listed, rotation, folder)
    # By way of XFDF into the bare page again: the same notes.
    xfdf, again = os.path.join(folder, "notes.xfdf"), os.path.join(folder, "again.pdf")
    proof.notes("export", after, "-o", xfdf)
    proof.notes("add", before, "--from", xfdf, "-o", again)
    repeated = {n["id"]: n for n in json.loads(proof.notes("list", "--json", again))["notes"]}
    for name, note in listed.items():
        for key in note:
            proof.expect(f"xfdf {rotation} {name} {key}", repeated.get(name, {}).get(key), note[key])
    # Gone again.
    gone = os.path.join(folder, "gone.pdf")
    proof.notes("delete", after, *listed, "-o", gone)
    proof.expect("deleted", json.loads(proof.notes("list", "--json", gone))["notes"], [])
    proof.expect("deleted mupdf", [a.type for a in pymupdf.open(gone)[0].annots()], [])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--pictures", help="where the pages of the renderers go")
    options = parser.parse_args()
    if options.pictures:
        os.makedirs(options.pictures, exist_ok=True)
    pymupdf.TOOLS.mupdf_display_errors(False)
    proof = Proof(options)
    for rotation in (0, 90, 180, 270):
        with tempfile.TemporaryDirectory() as folder:
            prove(proof, rotation, folder)
    for failure in proof.failures:
        print(failure)
    for name, count in proof.counts.items():
        print(f"{count:6}  {name}")
    print(f"{sum(proof.counts.values())} comparisons, {len(proof.failures)} failures")
    sys.exit(1 if proof.failures else 0)


main()
