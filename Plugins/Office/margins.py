#!/usr/bin/python3
"""Writes what stands in the headers and footers of a Word or OpenDocument file, which pandoc leaves out: each line once,
without the numbers of pages.

    margins.py FILE HEADERS FOOTERS
"""
import re
import sys
import zipfile
from xml.etree import ElementTree

# Bytes of one part; a header of more is none.
MOST = 4 << 20
PAGES = {"PAGE", "NUMPAGES", "SECTIONPAGES"}


def part(archive, name):
    """What stands in a part of the file; of one that cannot be read nothing is taken, as pandoc does."""
    try:
        if archive.getinfo(name).file_size <= MOST:
            return ElementTree.fromstring(archive.read(name))
    except Exception:
        pass
    return ElementTree.Element("none")


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


with zipfile.ZipFile(sys.argv[1]) as archive:
    read = open_document if "styles.xml" in archive.namelist() else word
    for kind, path in zip(("header", "footer"), sys.argv[2:]):
        lines = dict.fromkeys(" ".join("".join(line).split()) for line in read(archive, kind))
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines if line)
