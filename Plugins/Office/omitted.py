#!/usr/bin/python3
"""Writes what pandoc leaves out of a Word or OpenDocument file: what stands in its headers and footers, each line once
and without the numbers of pages, and a copy of the file where text boxes are paragraphs below the one that they hang on,
fields are text, and tables have header rows and what stands in their cells, if it has any.

    omitted.py FILE HEADERS FOOTERS COPY
"""
import io
import re
import sys
import zipfile
from xml.etree import ElementTree

# Bytes of one part; a header of more is none.
MOST = 4 << 20
PAGES = {"PAGE", "NUMPAGES", "SECTIONPAGES"}
PARTS = ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml", "content.xml")
BOXES = {"txbxContent", "text-box", "custom-shape"}
# What holds rows of a table of OpenDocument: pandoc reads only those that stand in the table itself.
ROWS = {"table-header-rows", "table-rows", "table-row-group"}
# A paragraph of this begins a row that is the header of its table; plain.lua takes it away.
HEADER = "\U0010FFFD"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
# What a sentence of OpenDocument has besides fields: pandoc reads some of it, and the others are not shown.
NO_FIELDS = {"span", "a", "sequence", "bookmark-ref", "reference-ref", "number", "script", "hidden-text"}


def part(archive, name):
    """What stands in a part of the file, which is damaged if it cannot be read."""
    if archive.getinfo(name).file_size > MOST:
        sys.exit(f"{name} in it is larger than {MOST >> 20} MiB")
    return ElementTree.fromstring(archive.read(name))


def name_of(item, attribute=None):
    """The name of an element, or the value of an attribute, whatever their namespace: Word has two sets of them."""
    if attribute is None:
        return item.tag.rpartition("}")[2] if isinstance(item.tag, str) else ""
    return next((value for key, value in item.attrib.items() if key.rpartition("}")[2] == attribute), "")


def shows_page(instruction):
    return instruction.split()[:1] != [] and instruction.split()[0].upper() in PAGES


def word_lines(item, lines, line, fields):
    """Adds the paragraphs below an element; those in a text box are lines of their own."""
    name = name_of(item)
    # What older programs show instead is the same once more.
    if name == "Fallback" or name == "fldSimple" and shows_page(name_of(item, "instr")):
        return
    if name == "p":
        line = []
        lines.append(line)
    elif name == "fldChar":
        kind = name_of(item, "fldCharType")
        if kind == "begin":
            fields.append("")
        elif kind == "end" and fields:
            fields.pop()
    elif name == "instrText" and fields:
        fields[-1] += item.text or ""
    elif name == "t" and not any(map(shows_page, fields)):
        line.append(item.text or "")
    elif name in ("tab", "br"):
        line.append(" ")
    for child in item:
        word_lines(child, lines, line, fields)


def open_document_lines(item, lines, line):
    name = name_of(item)
    if name == "annotation":
        return
    if name in ("p", "h"):
        line = []
        lines.append(line)
    elif name in ("tab", "line-break", "s"):
        line.append(" ")
    if name not in ("page-number", "page-count"):
        line.append(item.text or "")
        for child in item:
            open_document_lines(child, lines, line)
            line.append(child.tail or "")


def word(archive, kind):
    names = [name for name in archive.namelist() if re.fullmatch(f"word/{kind}[0-9]*\\.xml", name)]
    lines = []
    for name in sorted(names, key=lambda name: (len(name), name)):
        word_lines(part(archive, name), lines, [], [])
    return lines


def open_document(archive, kind):
    styles, lines = part(archive, "styles.xml"), []
    for margin in styles.iter():
        if name_of(margin) in (kind, kind + "-first", kind + "-left"):
            open_document_lines(margin, lines, [])
    return lines


def is_field(item):
    """Word has runs of text in a field, OpenDocument the text itself."""
    return name_of(item) == "fldSimple" or (
        str(item.tag).startswith(TEXT) and name_of(item) not in NO_FIELDS and not len(item) and bool(item.text))


def mark_header(rows):
    cell = next((cell for row in rows for cell in row), None)
    if cell is not None:
        cell.insert(0, ElementTree.Element(TEXT + "p"))
        cell[0].text = HEADER


def in_cell(block):
    """What pandoc reads of a block in a cell: it knows neither headings nor tables there."""
    if name_of(block) == "table":
        return [part for cell in block.iter() if name_of(cell) == "table-cell"
                for part in cell if part.text != HEADER]
    if name_of(block) == "h":
        block.tag = TEXT + "p"
    return [block]


def set_in_text(item, in_sentence=False):
    """Makes the fields below an element text, and puts what text boxes hold below their paragraph and the rows of tables
    into these. What is still in a sentence comes back."""
    kept, boxes = [], []
    for child in item:
        name = name_of(child)
        if name in ("del", "moveFrom", "annotation"):
            kept.append(child)
            continue
        found = set_in_text(child, name in ("p", "h") or in_sentence and name not in BOXES and name != "note-body")
        if name in BOXES:
            boxes += child
            child[:] = []
        # What older programs show instead is the same once more.
        if name == "Fallback" and boxes:
            found = []
        if name == "table-header-rows" and not any(name_of(row) == "table-row" for row in kept):
            mark_header(child)
        if name == "fldSimple" or name in ROWS:
            kept += child
        else:
            if name_of(item) in ("p", "h", "span", "a") and is_field(child):
                child.tag = child.tag[: -len(name)] + "span"
            kept.append(child)
        boxes += found
        if not in_sentence:
            kept += boxes
            boxes = []
    if name_of(item) == "table-cell":
        kept = [part for block in kept for part in in_cell(block)]
    item[:] = kept
    return boxes


def written_out(data):
    """A part with its text boxes, fields and tables as pandoc reads them; None where it has none of them."""
    reading = ElementTree.iterparse(io.BytesIO(data), ["start-ns"])
    for _, (prefix, address) in reading:
        # pandoc goes by the prefixes; these are what is given to those without.
        if not re.fullmatch("ns[0-9]+", prefix):
            ElementTree.register_namespace(prefix, address)
    if not any(name_of(item) in BOXES or name_of(item) == "table-cell" or is_field(item) for item in reading.root.iter()):
        return None
    set_in_text(reading.root)
    return ElementTree.tostring(reading.root, "utf-8")


def write_copy(archive, path):
    names = dict.fromkeys(archive.namelist())
    parts = {name: written_out(archive.read(name)) for name in PARTS if name in names}
    if not any(parts.values()):
        return
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in names:
            # A text needs no pictures.
            is_read = name.endswith((".xml", ".rels")) or name == "mimetype"
            copy.writestr(name, parts.get(name) or (archive.read(name) if is_read else b""))


with zipfile.ZipFile(sys.argv[1]) as archive:
    read = open_document if "styles.xml" in archive.namelist() else word
    for kind, path in zip(("header", "footer"), sys.argv[2:]):
        lines = dict.fromkeys(" ".join("".join(line).split()) for line in read(archive, kind))
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines if line)
    write_copy(archive, sys.argv[4])
