"""procd and other readers behind the same two questions: the text of a PDF, and its tables as rows of cells."""
import importlib.util
import json
import os
import shutil
import subprocess
import threading
import warnings

warnings.filterwarnings("ignore")


def run(*words, env=None, limit=120):
    """What a program prints; nothing where it fails, takes too long, or is killed."""
    try:
        return subprocess.run(words, capture_output=True, timeout=limit, env=env).stdout.decode("utf-8", "replace")
    except (subprocess.TimeoutExpired, OSError):
        return ""


class Procd:
    name = "procd"

    def __init__(self, program):
        self.program = program

    def run(self, *words):
        return run(*words)

    def text(self, path):
        return self.run(self.program, "extract", str(path))

    def pages(self, path, count):
        """The text of the first pages, divided by form feeds."""
        return self.run(self.program, "extract", "--pages", f"1-{count}", str(path))

    def recognized(self, path):
        """The text of a scan."""
        return self.run(self.program, "extract", "--ocr", str(path))

    def tables(self, path):
        found = []
        for line in self.run(self.program, "tables", "--json", str(path)).splitlines():
            entry = json.loads(line)
            if "columns" in entry:
                found.append([entry["names"]] if entry.get("names") else [])
            elif found:
                found[-1].append(entry["cells"])
        return found

    def rows(self, path):
        """The rows of a status list: number, status, date."""
        entries = map(json.loads, self.run(self.program, "rows", "--json", str(path)).splitlines())
        return [(entry["number"], entry["status"], entry["date"]) for entry in entries]


class Peer:
    """Another reader: how its text and its tables are asked for; None for what it does not give.

    Libraries are asked one file at a time: most are not made for several threads.
    """

    alone = threading.Lock()

    def __init__(self, name, text=None, tables=None, recognized=None):
        self.name, self._text, self._tables, self.recognized = name, text, tables, recognized

    def does(self, area):
        if area in ("tables", "prose", "rtl tables", "cjk tables", "got tables", "got prose"):
            return bool(self._tables)
        return bool(self.recognized if area == "scans" else self._text) and area != "lists"

    def text(self, path):
        return self.pages(path, 10_000)

    def pages(self, path, count):
        """The text of the first pages, divided by form feeds."""
        try:
            with self.alone:
                return self._text(str(path), count) or ""
        except Exception:  # A reader that fails has read nothing.
            return ""

    def tables(self, path):
        try:
            with self.alone:
                tables = self._tables(str(path))
            return [[["" if cell is None else str(cell) for cell in row] for row in table] for table in tables]
        except Exception:
            return []


def pdfium(path, count):
    import pypdfium2
    document = pypdfium2.PdfDocument(path)
    return "\f".join(document[number].get_textpage().get_text_range() for number in range(min(count, len(document))))


def plumber(path):
    import pdfplumber
    with pdfplumber.open(path) as document:
        return [table for page in document.pages for table in page.extract_tables()]


def mupdf_tables(path):
    import pymupdf
    return [table.extract() for page in pymupdf.open(path) for table in page.find_tables().tables]


def camelot_stream(path):
    import camelot
    return [table.df.values.tolist() for table in camelot.read_pdf(path, pages="all", flavor="stream", suppress_stdout=True)]


def tesseract(path):
    import scans
    # One thread for each page: several are read at once.
    alone = dict(os.environ, OMP_THREAD_LIMIT="1")
    return "\f".join(run("tesseract", str(page), "-", env=alone) for page in scans.pictures_of(path))


def peers():
    """Those that are installed."""
    found = []
    if shutil.which("pdftotext"):
        found.append(Peer("poppler", text=lambda path, count: run("pdftotext", "-l", str(count), path, "-")))
    if shutil.which("mutool"):
        found.append(Peer("mupdf", text=lambda path, count: run("mutool", "draw", "-q", "-F", "txt", path, f"1-{count}")))
    if shutil.which("tesseract"):
        found.append(Peer("tesseract", recognized=tesseract))
    for name, module, questions in (
        ("pdfium", "pypdfium2", dict(text=pdfium)), ("pdfplumber", "pdfplumber", dict(tables=plumber)),
        ("pymupdf", "pymupdf", dict(tables=mupdf_tables)), ("camelot", "camelot", dict(tables=camelot_stream)),
    ):
        if importlib.util.find_spec(module):
            found.append(Peer(name, **questions))
    return found
