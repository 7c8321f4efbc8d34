"""PDFs from packages of Debian and of PyPI, as `got.json` lists them: got on this machine, none kept in the repository.

Nobody has written down their text. The truth is what most readers agree on: a word of a page counts if two of three
readers have it, and so does a pair of neighboring words. Each reader is held against three others: procd against
poppler, MuPDF and PDFium, and each of these against procd and the other two. Tables are held against the files that
tabula-py's own tests expect, and against `got-tables.txt`, which has a few that were read by eye. Of some pages, the manifest's `prose` says that they were looked at and have no table.
"""
import collections
import csv
import dataclasses
import gzip
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

import measures

MANIFEST = pathlib.Path(__file__).resolve().parent / "got.json"
TABLES = MANIFEST.with_name("got-tables.txt")
# Pages of a document that are read, from its first.
PAGES = 10


@dataclasses.dataclass
class Got:
    kind: str           # the package
    area: str = "got"
    tables: list = None  # of its page, as rows of cells


def download(package, folder):
    """Unpacks a package into a folder; False if it cannot be got."""
    name, version = package["name"], package["version"]
    folder.mkdir(parents=True)
    if package["kind"] == "debian":
        # Debian keeps one version of a release: if it has moved on, its files may still be the same.
        for wanted in (f"{name}={version}", name):
            if subprocess.run(["apt-get", "download", "-qq", wanted], cwd=folder, capture_output=True).returncode == 0:
                break
        for file in folder.glob("*.deb"):
            subprocess.run(["dpkg", "-x", file.name, "."], cwd=folder, check=True)
            file.unlink()
            return True
        return False
    try:
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", f"{name}=={version}"],
                       cwd=folder, capture_output=True, timeout=300)
    except subprocess.TimeoutExpired:
        return False
    for file in folder.iterdir():
        if file.suffix == ".zip":
            zipfile.ZipFile(file).extractall(folder)
        else:
            with tarfile.open(file) as archive:
                archive.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
        file.unlink()
        return True
    return False


def inside(folder, name):
    """A file of a package, unpacked. That of a source package is below a folder with its name and version."""
    for path in [folder / name, *folder.glob(f"*/{name}")]:
        if path.is_file():
            data = path.read_bytes()
            return gzip.decompress(data) if path.suffix == ".gz" else data
    return None


def page(path, number):
    """A PDF of one page alone, beside the whole."""
    one = path.with_suffix(f".{number}.pdf")
    if not one.exists():
        subprocess.run(["qpdf", path, "--pages", ".", str(number), "--", one], capture_output=True)
    return one


def tables_by_eye():
    """{(package, file, page): tables}, as `got-tables.txt` has them."""
    found = {}
    for line in TABLES.read_text().splitlines():
        if line.startswith("["):
            package, file, number = line.strip("[]").split(" ")
            tables = found[package, file, int(number)] = [[]]
        elif " |" in line or line.startswith("|"):
            tables[-1].append([cell.strip() for cell in line.split("|")])
        elif found and not line and tables[-1]:
            tables.append([])
    return {key: [table for table in tables if table] for key, tables in found.items()}


def documents(place):
    """([(document, path)] of all that can be got and are as the manifest says, whether that is all)."""
    found, missing, changed, read = [], [], 0, tables_by_eye()
    for package in json.loads(MANIFEST.read_text()):
        kept = place / "got" / f"{package['name']}-{package['version'].replace(':', '.')}"
        paths = {name: kept / re.sub(r"\W+", "-", name.split("share/doc/")[-1].removesuffix(".gz").removesuffix(".pdf"))
                 for name in package["files"]}
        paths = {name: path.with_name(path.name + ".pdf") for name, path in paths.items()}
        truths = {name: path.with_suffix(".csv") for name, path in paths.items() if name in package.get("tables", {})}
        if not kept.exists():
            folder = place / "got" / "unpacked"
            shutil.rmtree(folder, ignore_errors=True)
            if download(package, folder):
                kept.mkdir(parents=True)
                for name, path in paths.items():
                    path.write_bytes(inside(folder, name) or b"")
                for name, path in truths.items():
                    path.write_bytes(inside(folder, package["tables"][name]) or b"")
            else:
                missing.append(package["name"])
            shutil.rmtree(folder, ignore_errors=True)
        for name, path in paths.items():
            if path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() != package["files"][name]:
                changed += 1
            elif path.exists():
                found.append((Got(package["name"]), path))
                if name in truths:
                    found.append((Got(package["name"], "got tables", [list(csv.reader(truths[name].open()))]), page(path, 1)))
                found += [(Got(package["name"], "got tables", tables), page(path, number))
                          for (owner, file, number), tables in read.items() if (owner, file) == (package["name"], name)]
                found += [(Got(package["name"], "got prose"), page(path, number)) for number in package.get("prose", {}).get(name, [])]
    if missing:
        print("not to be got, and left out: " + ", ".join(missing))
    if changed:
        print(f"{changed} files are of another version, and left out")
    return [(document, path) for document, path in found if path.exists()], not missing and not changed


# MARK: measures

def counted(text):
    """(words of each page, pairs of neighbors of each page), counted."""
    words, pairs = collections.Counter(), collections.Counter()
    for number, page in enumerate(text.split("\f")[:PAGES]):
        found = measures.words(page)
        words.update((number, word) for word in found)
        pairs.update((number, one, other) for one, other in zip(found, found[1:]))
    return words, pairs


def agreed(counts):
    """What at least two of some readers have, as often as two have it."""
    return collections.Counter({key: sorted((count[key] for count in counts), reverse=True)[1]
                                for key in collections.Counter(key for count in counts for key in count)
                                if sum(key in count for count in counts) > 1})


def agreement(texts):
    """Of the texts of several readers by name: {reader: (words, order)} against what two of the others agree on."""
    counts = {name: counted(text) for name, text in texts.items()}
    result = {}
    for name, (words, pairs) in counts.items():
        others = [count for other, count in counts.items() if other != name]
        truth = agreed([one[0] for one in others])
        order = agreed([one[1] for one in others])
        kept = sum((order & pairs).values())
        result[name] = (measures.f1(truth, words), kept / sum(order.values()) if order else 1.0)
    return result
