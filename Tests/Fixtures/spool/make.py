#!/usr/bin/env python3
"""Freezes the folders of a real run, as this version leaves them when it is killed in the midst of
work, for later versions to open, recover and verify.

    Tests/Fixtures/spool/make.py .build/release 0.1.0

writes Tests/Fixtures/spool/0.1.0.tar.gz. A released version is frozen once and never again.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

CONFIGURATION = """{
  "version": 1,
  "inbox": { "path": "inbox", "settle": "50ms" },
  "pipelines": [
    { "id": "text", "match": { "mime": "application/pdf" },
      "steps": [{ "id": "text", "use": "pdf.text" }], "emit": ["text.text"] },
    { "id": "folders", "match": { "path": "folders/*" }, "gather": "folder",
      "steps": [{ "id": "text", "use": "pdf.text" }], "emit": ["text.text"] }
  ]
}
"""


def pdf(text):
    """A PDF of one page with one line."""
    content = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1, start)


def freeze(programs, target):
    procd = str(programs / "procd")
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        (place / "pipelines.json").write_text(CONFIGURATION)
        inbox = place / "inbox"
        (inbox / "sub").mkdir(parents=True)
        (inbox / "one.pdf").write_bytes(pdf("The first file"))
        (inbox / "sub" / "one.pdf").write_bytes(pdf("The same name below"))
        (inbox / "twin.pdf").write_bytes(pdf("The first file"))
        (inbox / "gr\u00fc\u00dfe.pdf").write_bytes(pdf("A name beyond ASCII"))
        (inbox / "report.json").write_text("{}")
        (inbox / "unknown.bin").write_bytes(bytes(range(256)))
        os.truncate(inbox / "unknown.bin", 300)
        status = subprocess.run([procd, "run", "--once"], cwd=place, check=False).returncode
        assert status == 65, status
        # A consumer takes a result; an administrator takes a file out of the quarantine.
        os.remove(place / "outbox" / "sub" / "one.txt")
        # In the midst of work: killed as soon as files are claimed.
        for number in range(1, 4):
            (inbox / f"cut-{number}.pdf").write_bytes(pdf(f"Cut off {number}"))
        daemon = subprocess.Popen([procd, "run", "--once"], cwd=place, stderr=subprocess.DEVNULL)
        while len(list((place / "spool" / "claimed").glob("*/source"))) < 3:
            time.sleep(0.0005)
            assert daemon.poll() is None, "it ended before it could be killed"
        daemon.send_signal(signal.SIGKILL)
        daemon.wait()
        time.sleep(1)
        (place / "spool" / "reserve").unlink()
        subprocess.run(
            ["tar", "--format=posix", "--sort=name", "--owner=0", "--group=0", "--numeric-owner",
             "--pax-option=delete=atime,delete=ctime", "-czf", str(target), "-C", name, "."],
            check=True)
    print(f"{target}: {target.stat().st_size} bytes")


if __name__ == "__main__":
    freeze(pathlib.Path(sys.argv[1]).resolve(),
           pathlib.Path(__file__).resolve().parent / f"{sys.argv[2]}.tar.gz")
