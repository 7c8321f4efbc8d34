"""What mkdocs does beside pages: the search of a site that is read from a disk, where browsers fetch nothing."""
import json
import pathlib
import re


def on_post_build(config):
    site = pathlib.Path(config["site_dir"])
    index = (site / "search/search_index.json").read_text(encoding="utf-8")
    (worker,) = (site / "assets/javascripts/workers").glob("search.*.min.js")
    (site / "search/from-disk.js").write_text(
        "var __search = {\n"
        f"  index: Promise.resolve({index}),\n"
        f"  worker: URL.createObjectURL(new Blob([{json.dumps(worker.read_text(encoding='utf-8'))}]))\n"
        "};\n", encoding="utf-8")


def on_page_markdown(markdown, **_):
    """What stands in a list is set in by four columns: Python-Markdown knows no fewer, and other readers need two."""
    lines, missing = [], 0
    for line in markdown.split("\n"):
        if item := re.match(r"([-*]|\d+\.) +", line):
            missing = max(0, 4 - item.end())
        elif line and not line.startswith("  "):
            missing = 0
        lines.append(" " * missing + line if line.startswith("  ") else line)
    return "\n".join(lines)
