"""A sheet of a workbook as a CSV file, and how numbers and durations are written in it."""
import csv
import decimal
import sys

# What Excel and LibreOffice have at most; a row of a higher number is no row of a workbook.
MOST_ROWS = 1 << 20
MOST_COLUMNS = 1 << 14
MOST_SHEETS = 256
# Up to here each whole number is one of its own in the binary fractions that spreadsheets compute with.
EXACT = 1 << 53


def number(value):
    # Spreadsheets show fifteen digits; more of a fraction show what binary fractions are, not what was typed. Whole
    # numbers are kept exactly as far as a spreadsheet can.
    if value == int(value) and abs(value) <= EXACT:
        return str(int(value))
    digits = f"{value:.15g}"
    return str(int(decimal.Decimal(digits))) if value == int(value) and abs(value) < 1e21 else digits


def duration(seconds):
    sign, seconds = "-" * (seconds < 0), abs(seconds)
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def formula(text):
    """Behind an apostrophe, so that no spreadsheet runs it."""
    return f"'{text}"


class Sheet:
    """Writes the rows of a sheet, the first of which is 1; empty ones only if others come after them."""

    def __init__(self, folder, place):
        if place > MOST_SHEETS:
            sys.exit(f"the workbook has more than {MOST_SHEETS} sheets")
        self.file = open(f"{folder}/csv.{place}.csv", "w", encoding="utf-8", newline="")
        self.table = csv.writer(self.file, lineterminator="\n")
        self.place, self.rows, self.empty = place, 0, 0

    def skip(self, rows):
        self.rows += rows
        self.empty += rows

    def add(self, cells, times=1):
        if self.rows + times > MOST_ROWS:
            sys.exit(f"sheet {self.place} has a row beyond the last one of Excel")
        if not any(cells):
            return self.skip(times)
        self.table.writerows([[]] * self.empty)
        for _ in range(times):
            self.table.writerow(cells)
        self.rows += times
        self.empty = 0

    def close(self):
        self.file.close()
