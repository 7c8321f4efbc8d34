"""A small site of procd with one file of each kind, and its programs."""

import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile

SAMPLES = os.path.join(os.path.dirname(__file__), "../../docs/samples")
PLACES = ["inbox", "outbox", "archive", "quarantine"]
# Files with a second name outside of the inbox.
LINKED = {"sub/deep/linked.pdf", "sub/pair-linked.pdf"}


def configuration(workers=None):
    """One pipeline of each kind; without a count of workers procd chooses its own."""
    def text(id, match, **more):
        steps = [{"id": "text", "use": "pdf.text"}]
        return {"id": id, "match": match, "steps": steps, "emit": ["text.text"], **more}

    return {
        "version": 1, "inbox": {"path": "inbox", "settle": "20ms", "settleFolder": "20ms", "settleUnleased": "20ms", "settleEndMark": "20ms"},
        **({"workers": workers} if workers else {}), "defaults": {"retry": {"backoff": "50ms", "max": "50ms"}},
        "pipelines": [
            text("letters", {"path": "letters/*"}, gather="folder"),
            {"id": "kept", "match": {"name": "kept-*"}, "emit": ["source"]},
            {"id": "replaced", "match": {"path": "replaced/*/*"}, "to": "replaced", "subfolders": "drop",
             "onClash": "replace", "emit": ["source"]},
            text("pairs", {"name": "pair-*.pdf"}, **{"with": "{stem}.xfdf"}),
            {"id": "list", "series": "visa", "match": {"name": "list-*"},
             "steps": [{"id": "rows", "use": "status.rows"}], "emit": ["rows.csv"]},
            text("text", {"mime": "application/pdf"}),
        ],
    }


def text_alone(workers=None):
    """The same with the pipeline for PDFs alone: every one is a job of its own, which is easy to count."""
    whole = configuration(workers)
    return whole | {"pipelines": whole["pipelines"][-1:]}


def pdf(words):
    """A PDF of one page with one line."""
    content = f"BT /F1 12 Tf 72 700 Td ({words}) Tj ET"
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
               "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
               f"<</Length {len(content)}>>\nstream\n{content}\nendstream",
               "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    text, offsets = "%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(text))
        text += f"{number} 0 obj\n{body}\nendobj\n"
    start = len(text)
    text += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n" + "".join(f"{at:010} 00000 n \n" for at in offsets)
    text += f"trailer\n<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n"
    return text.encode()


def inputs(kind):
    """What is dropped into the inbox: path to bytes. `small` has four files, `mixed` one of each kind."""
    files = {"plain.pdf": pdf("plain words"), "bad.txt": b"no rule takes this\n", "sub/deep/linked.pdf": pdf("linked"),
             "kept-words.txt": b"delivered as it came\n"}
    if kind == "small":
        return files
    files |= {"twin-a.pdf": pdf("twins"), "sub/twin-b.pdf": pdf("twins"),
              "letters/bank/1.pdf": pdf("first"), "letters/bank/2.pdf": pdf("second"),
              "replaced/a/same.txt": b"of two with one name\n", "replaced/b/same.txt": b"the other of them\n",
              "pair-a.pdf": pdf("a pair"), "pair-a.xfdf": b"notes",
              "sub/pair-linked.pdf": pdf("a linked pair"), "sub/pair-linked.xfdf": b"linked notes"}
    for day in ("2012-06-01", "2012-06-15"):
        with open(os.path.join(SAMPLES, f"status-{day}.pdf"), "rb") as file:
            files[f"list-{day}.pdf"] = file.read()
    return files


class Site:
    """A folder with a configuration and files in its inbox."""

    def __init__(self, programs, kind="mixed", workers=1, place=None, mounts=()):
        self.programs, self.kind, self.mounts = programs, kind, mounts
        self.files = inputs(kind)
        self.root = place or tempfile.mkdtemp(prefix="procd-faults-", dir=scratch())
        if place:
            return
        for mount in mounts:
            os.makedirs(self(mount))
            subprocess.run(["mount", "-t", "tmpfs", "procd-faults", self(mount)], check=True)
        self.configure(configuration(workers))
        for path, bytes in self.files.items():
            self.write(f"inbox/{path}", bytes)
        # Somebody else's second name of a file: procd must work on a copy of its own.
        os.makedirs(self("side"))
        for path in LINKED & self.files.keys():
            os.link(self(f"inbox/{path}"), self(f"side/{os.path.basename(path)}"))

    def __call__(self, path):
        return os.path.join(self.root, path)

    def write(self, path, bytes):
        os.makedirs(os.path.dirname(self(path)), exist_ok=True)
        with open(self(path), "wb") as file:
            file.write(bytes)
        if path.startswith("inbox/"):
            os.utime(self(path), (1_600_000_000, 1_600_000_000))

    def configure(self, configuration):
        self.write("pipelines.json", json.dumps(configuration).encode())

    def command(self, *arguments):
        return [os.path.join(self.programs, "procd"), *arguments]

    def run(self, *arguments, timeout=60):
        """Runs procd to its end; status None where it took too long."""
        process = subprocess.Popen(self.command(*(arguments or ("run", "--once"))), cwd=self.root,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            output, _ = process.communicate(timeout=timeout)
            return process.returncode, output.decode(errors="replace")
        except subprocess.TimeoutExpired:
            process.kill()
            return None, process.communicate()[0].decode(errors="replace")

    def remove(self):
        for mount in self.mounts:
            subprocess.run(["umount", "--lazy", self(mount)], check=True)
        shutil.rmtree(self.root, ignore_errors=True)


def scratch():
    """In memory where there is room: what is killed needs no disk."""
    return os.environ.get("FAULTS_SCRATCH") or ("/dev/shm" if os.path.isdir("/dev/shm") else None)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def tree(root):
    """All below a folder but sockets, which hold nothing: relative path to SHA-256 of a file, "folder" or "link"."""
    found = {}
    for folder, folders, names in os.walk(root):
        for name in folders + names:
            path = os.path.join(folder, name)
            if stat.S_ISSOCK(os.lstat(path).st_mode):
                continue
            relative = os.path.relpath(path, root)
            found[relative] = "link" if os.path.islink(path) else "folder" if os.path.isdir(path) else digest(path)
    return found


def path_class(path, root):
    """Which part of a site a path belongs to, for counting calls and for naming mutants."""
    if not path.startswith(root + "/") and path != root:
        return "outside"
    parts = os.path.relpath(path, root).split("/")
    if parts[0] != "spool":
        return parts[0] if parts[0] in PLACES else "site"
    if len(parts) == 1:
        return "spool"
    for kind in ("ledger", "lists", "notices", "reserve"):
        if parts[1].startswith(kind):
            return kind
    return parts[1] if parts[1] in ("claimed", "work", "seal", "trash", "state") else "spool"


def programs(given):
    """The folder of the built programs."""
    folder = given or os.environ.get("PROCD_PROGRAMS") or os.path.join(os.path.dirname(__file__), "../../.build/release")
    if not os.access(os.path.join(folder, "procd-daemon"), os.X_OK):
        sys.exit(f"{folder} has no procd-daemon; name the built programs with --programs or PROCD_PROGRAMS")
    return os.path.abspath(folder)
