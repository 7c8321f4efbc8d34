#!/usr/bin/python3
"""Writes each sheet of an Excel workbook into a CSV file: numbers with all their digits, days and times as ISO 8601
has them, formulas as the values that were computed last.

    rows.py FILE FOLDER
"""
import csv
import datetime
import mimetypes
import re
import sys
import warnings

# openpyxl has them read when it is imported; the step may not, and needs none.
mimetypes.knownfiles = []
import openpyxl
from openpyxl.utils.datetime import to_excel

# What it warns of are styles and charts, which no CSV has.
warnings.simplefilter("ignore")


def text(cell):
    value = cell.value
    if value is None:
        return ""
    form = cell.number_format or ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (datetime.datetime, datetime.time)) and re.search(r"\[[hms]+\]", form, re.I):
        # Hours of more than a day. Some versions of openpyxl take them for a day of the year 1900.
        value = datetime.timedelta(days=to_excel(value))
    if isinstance(value, datetime.timedelta):
        seconds = round(value.total_seconds())
        sign, seconds = "-" * (seconds < 0), abs(seconds)
        return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if isinstance(value, datetime.datetime):
        value += datetime.timedelta(microseconds=500_000)
        return value.strftime("%Y-%m-%d %H:%M:%S" if re.search("[hs]", form, re.I) else "%Y-%m-%d")
    if isinstance(value, datetime.time):
        return value.isoformat("seconds")
    if isinstance(value, float):
        # Spreadsheets keep fifteen digits; more show what binary fractions are, not what was typed.
        digits = f"{value:.15g}"
        return str(int(float(digits))) if value.is_integer() and abs(value) < 1e21 else digits
    if isinstance(value, int) and re.fullmatch("0+", form):
        return f"{value:0{len(form)}}"
    return str(value)


book = openpyxl.load_workbook(sys.argv[1], read_only=True, data_only=True)
for number, sheet in enumerate(book.worksheets[:256], 1):
    # What the file says of its extent may be wrong.
    sheet.reset_dimensions()
    with open(f"{sys.argv[2]}/csv.{number}.csv", "w", encoding="utf-8", newline="") as file:
        table, empty = csv.writer(file, lineterminator="\n"), 0
        for row in sheet.iter_rows():
            cells = [text(cell) for cell in row]
            if not any(cells):
                empty += 1
                continue
            table.writerows([[]] * empty)
            table.writerow(cells)
            empty = 0
