"""What can be seen of a package without installing it."""
import gzip
import re
import shutil
import subprocess
import tarfile
import tempfile
import pathlib

import bill

ALLOWED = ("./usr/", "./etc/")
DOCUMENTS = "usr/share/doc/procd"


def field(package, name):
    return subprocess.run(["dpkg-deb", "-f", str(package), name], capture_output=True, text=True,
                          check=True).stdout.strip()


def broken_links(tree):
    """What documents of an installed tree link to and is not in it."""
    found = []
    documents = tree / DOCUMENTS
    for path in sorted([*documents.rglob("*.md"), *documents.rglob("*.md.gz")]):
        read = gzip.open if path.suffix == ".gz" else open
        with read(path, "rt", encoding="utf-8") as file:
            targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", file.read())
        found += [f"{path.relative_to(tree)} links to {target}, which is missing" for target in targets
                  if "://" not in target and not (path.parent / target).exists()
                  and not (path.parent / target).is_symlink()]
    return found


def complaints(package):
    """Sentences about what is wrong."""
    found = []
    archive = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package)], stdout=subprocess.PIPE)
    names = set()
    with tarfile.open(fileobj=archive.stdout, mode="r|") as tar:
        for entry in tar:
            names.add(entry.name)
            if (entry.uid, entry.gid) != (0, 0):
                found.append(f"{entry.name} belongs to {entry.uid}:{entry.gid}")
            if (not entry.issym() and entry.mode & 0o7022) or (entry.isfile() and not entry.mode & 0o444):
                found.append(f"{entry.name} has the mode {entry.mode:o}")
            if entry.isfile() and not entry.name.startswith(ALLOWED):
                found.append(f"{entry.name} lies where no package puts files")
            if re.search(r"/(spool|inbox|work|tmp)/", entry.name):
                found.append(f"{entry.name} is no file of a package")
    archive.wait()
    for wanted in (
            "./usr/bin/procd", "./usr/libexec/procd/procd-daemon", "./usr/libexec/procd/procd-net",
            "./usr/libexec/procd/procd-worker", "./usr/libexec/procd/procd-worker-ocr",
            "./usr/lib/procd/plugins", "./usr/share/man/man1/procd.1.gz", "./etc/procd/pipelines.json",
            "./usr/lib/systemd/system/procd.service", "./usr/lib/systemd/system/procd@.service",
            "./usr/lib/systemd/system/procd-once.service", "./usr/lib/systemd/system/procd-once.timer",
            "./usr/share/doc/procd/copyright", "./usr/share/doc/procd/changelog.gz", "./usr/share/doc/procd/CHANGELOG.md.gz",
            "./usr/share/doc/procd/docs/install.md"):
        if wanted not in names:
            found.append(f"{wanted} is missing")
    if not re.match(r"^\d+\.\d+\.\d+~\w+$", field(package, "Version")):
        found.append("the version is none")
    depends = field(package, "Depends")
    for wanted in ("libtesseract5", "(liblept5|libleptonica6)", "libheif1", "libtiff6", "libmagic1(t64)?", "zlib1g",
                   "libsqlite3-0", "libcurl4(t64)?", "tesseract-ocr-eng"):
        if not re.search(rf"(^|, ){wanted}( |,|$)", depends):
            found.append(f"{wanted} is not among what it depends on")
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["dpkg-deb", "-x", str(package), place], check=True)
        found += broken_links(pathlib.Path(place))
        found += bill.complaints(pathlib.Path(place), lambda name: field(package, name))
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["dpkg-deb", "-e", str(package), place], check=True)
        control = pathlib.Path(place)
        if (control / "conffiles").read_text() != "/etc/procd/pipelines.json\n":
            found.append("the configuration is not the one conffile")
        for script in ("postinst", "prerm", "postrm"):
            if subprocess.run(["sh", "-n", str(control / script)]).returncode != 0:
                found.append(f"{script} is no script")
    if shutil.which("lintian"):
        # What it is told to pass over stands in Packaging/debian/lintian-overrides, with the reason.
        told = subprocess.run(["lintian", "--allow-root", "--fail-on", "none", "--display-level", ">=warning",
                               str(package)], capture_output=True, text=True)
        found += [line for line in told.stdout.splitlines() if line.startswith(("E:", "W:"))]
    else:
        print("SKIPPED: lintian: it is not installed")
    return found
