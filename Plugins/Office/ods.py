#!/usr/bin/python3
"""Writes each sheet of an OpenDocument workbook into a CSV file (OpenDocument 1.3, part 3, 9.1 and 19.385): numbers with
fifteen digits, days and times as ISO 8601 has them, formulas as the values that were computed last, or as they are where
there are none.

    ods.py FILE FOLDER
"""
import datetime
import re
import sys
import zipfile
from xml.parsers import expat

import sheet

OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0 "
TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0 "
TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0 "
STYLE = "urn:oasis:names:tc:opendocument:xmlns:style:1.0 "
NUMBER = "urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0 "
CELL = TABLE + "table-cell"
CELLS = {CELL, TABLE + "covered-table-cell"}
# What hangs on a cell and is no text of it.
ASIDE = {OFFICE + "annotation", TABLE + "shapes", TABLE + "detective",
         "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0 frame"}
# Characters of one cell; what has more is no cell that anybody reads.
MOST_TEXT = 1 << 20


def count(attributes, name):
    """How often a row, cell or blank is there."""
    text = attributes.get(name, "1")
    return min(int(text), sheet.MOST_ROWS + 1) if text.isdecimal() else 1


def moment(text):
    """`2012-06-01T13:05:07.5` as a day with its time, a day as it is."""
    try:
        time = datetime.datetime.fromisoformat(text)
    except ValueError:
        # No day of the calendar.
        return text
    if "T" not in text:
        return time.strftime("%Y-%m-%d")
    if time.microsecond >= 500_000 and time.year < 9999:
        time += datetime.timedelta(seconds=1)
    return time.strftime("%Y-%m-%d %H:%M:%S")


def duration(text):
    """`PT30H05M00.5S`, as XML Schema has it."""
    parts = re.fullmatch(r"(-?)P(?:(\d{1,9})D)?T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:[.]\d{1,20})?)S)?", text)
    if not parts:
        return text
    sign, days, hours, minutes, seconds = parts.groups("0")
    whole = (int(days) * 24 + int(hours)) * 3600 + int(minutes) * 60 + round(float(seconds))
    return sheet.duration(-whole if sign == "-" else whole)


class Formats:
    """Which styles of cells show how long something lasts, and which the time of a day; both are times in the file."""

    def __init__(self):
        self.forms, self.parents, self.lasting = {}, {}, set()

    def start(self, name, attributes):
        own = attributes.get(STYLE + "name", "")
        if name == NUMBER + "time-style" and attributes.get(NUMBER + "truncate-on-overflow") == "false":
            self.lasting.add(own)
        elif name == STYLE + "style" and attributes.get(STYLE + "family") == "table-cell":
            self.forms[own] = attributes.get(STYLE + "data-style-name")
            self.parents[own] = attributes.get(STYLE + "parent-style-name")

    def is_of_day(self, style):
        """None where neither the style nor one that it goes back to says how it is shown."""
        for _ in range(20):
            if self.forms.get(style):
                return self.forms[style] not in self.lasting
            style = self.parents.get(style)
        return None


def time_of(text, shown, is_of_day):
    # A time of day is shown with two digits for its hours, a duration with as many as it has.
    if is_of_day is None and re.fullmatch(r"\d\d:\d\d:\d\d", shown):
        return shown
    written = duration(text)
    return f"0{written}" if is_of_day and re.fullmatch(r"\d:.*", written) else written or shown


def value(attributes, shown, formats):
    kind = attributes.get(OFFICE + "value-type")
    if kind in ("float", "percentage", "currency"):
        # As an identifier is shown, with zeros before it.
        if re.fullmatch(r"0\d+", shown):
            return shown
        try:
            return sheet.number(float(attributes.get(OFFICE + "value", "")))
        except (ValueError, OverflowError):
            return shown
    if kind == "date":
        return moment(attributes.get(OFFICE + "date-value", shown))
    if kind == "time":
        text = attributes.get(OFFICE + "time-value", "")
        return time_of(text, shown, formats.is_of_day(attributes.get(TABLE + "style-name")))
    if kind == "boolean":
        return attributes.get(OFFICE + "boolean-value", "").upper()
    if kind is None and not shown and TABLE + "formula" in attributes:
        return sheet.formula(re.sub("^[a-z]+:", "", attributes[TABLE + "formula"]))
    return attributes.get(OFFICE + "string-value", shown)


class Reader:
    """Takes the parts of content.xml as they come, and keeps no more of them than a row."""

    def __init__(self, folder, formats):
        self.folder, self.places, self.path, self.formats = folder, 0, [], formats
        self.sheet = self.row = self.cell = self.paragraphs = None
        # Elements that we are inside of and whose text is no cell's.
        self.aside = 0

    def start(self, name, attributes):
        self.path.append(name)
        if len(self.path) > 500:
            sys.exit("its parts lie within each other too deep")
        if self.aside or name in ASIDE:
            self.aside += 1
        elif self.sheet is None and name != TABLE + "table":
            self.formats.start(name, attributes)
        elif name == TABLE + "table":
            # One within a cell is text of that cell.
            if self.sheet is None:
                self.places += 1
                self.sheet = sheet.Sheet(self.folder, self.places)
        elif name == TABLE + "table-row" and self.cell is None and self.sheet:
            self.row, self.times = [], count(attributes, TABLE + "number-rows-repeated")
        elif name in CELLS and self.row is not None and self.cell is None:
            self.cell, self.paragraphs, self.length = (len(self.path), attributes), [], 0
        elif self.cell and name == TEXT + "p":
            self.paragraphs.append("\n" if self.paragraphs else "")
            self.measure(1)
        elif self.cell and name == TEXT + "s":
            self.add(" " * count(attributes, TEXT + "c"))
        elif self.cell and name == TEXT + "tab":
            self.add("\t")
        elif self.cell and name == TEXT + "line-break":
            self.add("\n")

    def end(self, name):
        depth = len(self.path)
        self.path.pop()
        if self.aside:
            self.aside -= 1
        elif self.cell and depth == self.cell[0]:
            times = count(self.cell[1], TABLE + "number-columns-repeated")
            # What lies below a cell that spans several is not shown.
            text = "" if name != CELL else value(self.cell[1], "".join(self.paragraphs), self.formats)
            # The last cells of a row fill it up to the last column there is.
            room = sheet.MOST_COLUMNS - len(self.row)
            if text and times > room:
                sys.exit(f"sheet {self.places} has a cell beyond the last column of Excel")
            self.row += [text] * min(times, room)
            self.cell = self.paragraphs = None
        elif name == TABLE + "table-row" and self.row is not None and self.cell is None:
            while self.row and not self.row[-1]:
                self.row.pop()
            # Those below the last one fill the sheet up to the last row there is.
            if self.row:
                self.sheet.add(self.row, self.times)
            else:
                self.sheet.skip(self.times)
            self.row = None
        elif name == TABLE + "table" and self.sheet and TABLE + "table" not in self.path:
            self.sheet.close()
            self.sheet = None

    def text(self, text):
        if self.cell and not self.aside and TEXT + "p" in self.path[self.cell[0]:]:
            # Blanks and line ends of the file are no more than a blank; others are elements.
            self.add(re.sub(r"\s+", " ", text))

    def add(self, text):
        if self.paragraphs:
            self.measure(len(text))
            self.paragraphs.append(text)

    def measure(self, more):
        self.length += more
        if self.length > MOST_TEXT:
            sys.exit(f"sheet {self.places} has a cell with more than {MOST_TEXT} characters")


def main():
    formats = Formats()
    reader = Reader(sys.argv[2], formats)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.CharacterDataHandler = reader.text
    with zipfile.ZipFile(sys.argv[1]) as parts:
        with parts.open("META-INF/manifest.xml") as manifest:
            if b"<manifest:encryption-data" in manifest.read(1 << 20):
                sys.exit("it is locked with a password")
        if "styles.xml" in parts.namelist():
            styles = expat.ParserCreate(namespace_separator=" ")
            styles.StartElementHandler = formats.start
            with parts.open("styles.xml") as common:
                styles.ParseFile(common)
        with parts.open("content.xml") as content:
            parser.ParseFile(content)
    if not reader.places:
        sys.exit("there is no sheet in it")


main()
