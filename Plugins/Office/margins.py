#!/usr/bin/python3
"""Writes what stands in the headers and footers of a Word or OpenDocument file, which pandoc leaves out: each line once,
without the numbers of pages.

    margins.py FILE HEADERS FOOTERS
"""
import re
import sys
import zipfile
from xml.etree import ElementTree

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
# Bytes of one part; a header of more is none.
MOST = 4 << 20


def part(archive, name):
    if archive.getinfo(name).file_size > MOST:
        return ElementTree.Element("none")
    return ElementTree.fromstring(archive.read(name))


def word_line(paragraph):
    """The text of a paragraph; what a field of page numbers shows is left out."""
    fields, words = [], []
    for item in paragraph.iter():
        if item.tag == WORD + "fldChar":
            kind = item.get(WORD + "fldCharType")
            if kind == "begin":
                fields.append("")
            elif kind == "end" and fields:
                fields.pop()
        elif item.tag == WORD + "instrText" and fields:
            fields[-1] += item.text or ""
        elif item.tag == WORD + "t" and not any("PAGE" in field for field in fields):
            words.append(item.text or "")
        elif item.tag in (WORD + "tab", WORD + "br"):
            words.append(" ")
    return "".join(words)


def word(archive):
    for kind in ("header", "footer"):
        names = [name for name in archive.namelist() if re.fullmatch(f"word/{kind}[0-9]*\\.xml", name)]
        yield [word_line(paragraph) for name in sorted(names, key=lambda name: (len(name), name))
               for paragraph in part(archive, name).iter(WORD + "p")]


def open_document_line(paragraph):
    for number in list(paragraph.iter(TEXT + "page-number")) + list(paragraph.iter(TEXT + "page-count")):
        number.text = ""
    return "".join(paragraph.itertext())


def open_document(archive):
    styles = part(archive, "styles.xml")
    for kind in ("header", "footer"):
        yield [open_document_line(paragraph) for suffix in ("", "-first", "-left")
               for margin in styles.iter(f"{STYLE}{kind}{suffix}") for paragraph in margin.iter(TEXT + "p")]


with zipfile.ZipFile(sys.argv[1]) as archive:
    read = open_document if "styles.xml" in archive.namelist() else word
    for lines, path in zip(read(archive), sys.argv[2:]):
        lines = dict.fromkeys(" ".join(line.split()) for line in lines)
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines if line)
