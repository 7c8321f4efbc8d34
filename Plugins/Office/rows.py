#!/usr/bin/python3
"""Writes each sheet of an Excel workbook into a CSV file: numbers with fifteen digits, days and times as ISO 8601
has them, formulas as the values that were computed last, or as they are where there are none.

    rows.py FILE FOLDER
"""
import datetime
import mimetypes
import re
import sys
import warnings
import zipfile

# openpyxl has them read when it is imported; the step may not, and needs none.
mimetypes.knownfiles = []
import openpyxl
from openpyxl.styles.numbers import is_date_format
from openpyxl.utils.datetime import from_excel

import sheet

# What it warns of are styles and charts, which no CSV has.
warnings.simplefilter("ignore")


def format_of(cell):
    """How a cell is shown, without languages, colors and words in quotes."""
    try:
        form = cell.number_format or ""
    except IndexError:
        return "General"
    return re.sub(r'"[^"]*"|\\.|\[(?![hms]+\])[^]]*\]', "", form, flags=re.I)


def moment(value, shows_time):
    """A day, a time, or both; times are rounded to seconds, days are not."""
    if shows_time or isinstance(value, datetime.time):
        whole = value if isinstance(value, datetime.datetime) else datetime.datetime.combine(datetime.date(1, 1, 1), value)
        if whole.microsecond >= 500_000 and whole.year < 9999:
            whole += datetime.timedelta(seconds=1)
        return whole.strftime("%H:%M:%S" if isinstance(value, datetime.time) else "%Y-%m-%d %H:%M:%S")
    return value.strftime("%Y-%m-%d")


def number(value, form):
    if isinstance(value, int) and re.fullmatch("0+", form):
        return f"{value:0{len(form)}}"
    return sheet.number(value)


def text(cell, epoch):
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    form = format_of(cell)
    if isinstance(value, (int, float)):
        if re.search(r"\[[hms]+\]", form, re.I):
            return sheet.duration(round(value * 86400))
        try:
            if is_date_format(form):
                return moment(from_excel(value, epoch), re.search("[hs]", form, re.I))
        except (ValueError, OverflowError, TypeError, AttributeError):
            # No day of the calendar.
            pass
        return number(value, form)
    if isinstance(value, datetime.timedelta):
        return sheet.duration(round(value.total_seconds()))
    # The file has these as text of ISO 8601, so nothing else says whether a time belongs to them.
    if isinstance(value, datetime.datetime):
        return moment(value, value.time() != datetime.time())
    if isinstance(value, (datetime.date, datetime.time)):
        return moment(value, False)
    return str(value)


def has_formulas(path):
    """Whether a sheet holds any: then they are read too, in case that nobody has computed them yet."""
    with zipfile.ZipFile(path) as parts:
        for name in parts.namelist():
            if re.match("xl/worksheets/[^/]*[.]xml$", name):
                with parts.open(name) as part:
                    end = b""
                    while piece := part.read(1 << 20):
                        if re.search(rb"<(\w+:)?f[ />]", end + piece):
                            return True
                        end = piece[-16:]
    return False


book = openpyxl.load_workbook(sys.argv[1], read_only=True, data_only=True)
formulas = openpyxl.load_workbook(sys.argv[1], read_only=True) if has_formulas(sys.argv[1]) else None
# Numbers stay numbers: what openpyxl takes for days beyond the calendar it makes an error, and hours of more than a day
# it takes for days.
for one in (book, formulas):
    for kind in ("_date_formats", "_timedelta_formats"):
        if hasattr(one, kind):
            setattr(one, kind, set())
for place, source in enumerate(book.worksheets, 1):
    # What the file says of its extent may be wrong.
    source.reset_dimensions()
    rows = source.iter_rows()
    if formulas:
        formulas.worksheets[place - 1].reset_dimensions()
        rows = zip(rows, formulas.worksheets[place - 1].iter_rows())
    else:
        rows = ((row, ()) for row in rows)
    made = sheet.Sheet(sys.argv[2], place)
    for row, sources in rows:
        cells = [text(cell, book.epoch) for cell in row]
        for column, entry in enumerate(sources):
            if entry.data_type == "f" and not cells[column]:
                # Those of several cells are objects.
                is_text = isinstance(entry.value, str)
                cells[column] = sheet.formula(entry.value if is_text else getattr(entry.value, "text", "="))
        made.add(cells)
    made.close()
