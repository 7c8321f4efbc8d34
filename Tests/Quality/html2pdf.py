"""Prints pages of HTML as PDF."""
import pathlib
import subprocess
import tempfile


def each(pages, act):
    with tempfile.TemporaryDirectory() as folder:
        for number, (source, path) in enumerate(pages):
            file = pathlib.Path(folder) / f"{number}.html"
            file.write_text(source)
            act(file, path)


def by_chromium(pages):
    def act(file, path):
        subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={path}", file.as_uri()],
                       capture_output=True, timeout=60)
    each(pages, act)


def by_weasyprint(pages):
    import weasyprint
    for source, path in pages:
        weasyprint.HTML(string=source).write_pdf(str(path))


def by_libreoffice(pages):
    """All by one call, which takes a second to start."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, (source, path) in enumerate(pages):
            file = pathlib.Path(folder) / f"{number}.html"
            file.write_text(source)
            files.append((file, path))
        subprocess.run(["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--infilter=HTML (StarWriter)", "--convert-to", "pdf:writer_pdf_Export",
                        "--outdir", folder, *(str(file) for file, _ in files)], capture_output=True, timeout=600)
        for file, path in files:
            made = file.with_suffix(".pdf")
            if made.exists():
                path.write_bytes(made.read_bytes())
