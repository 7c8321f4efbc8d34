#!/usr/bin/env python3
"""Checks the site that `make site` built: links and anchors lead somewhere, no request goes to another host, and no
Markdown is left that a reader would see.

    Tests/Packages/site.py dist/site
"""
import html.parser
import pathlib
import re
import sys
import urllib.parse

# What a browser fetches by itself.
FETCHED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("link", "href")}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.names, self.links, self.fetched, self.text, self.inside = set(), [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.names |= {values[key] for key in ("id", "name") if values.get(key)}
        for key in ("href", "src"):
            if values.get(key):
                fetched = (tag, key) in FETCHED and values.get("rel") != "canonical"
                (self.fetched if fetched else self.links).append(values[key])
        if tag in ("code", "pre", "script", "style"):
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data):
        if not self.inside:
            self.text.append(data)


def complaints(site):
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    reached = set()
    for path, page in pages.items():
        where = path.relative_to(site)
        # Shown for any address that is not there, so it names pages from the root.
        if where.name == "404.html":
            continue
        for link in page.links + page.fetched:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.fetched:
                    yield f"{where} fetches {link}"
                elif parts.scheme not in ("http", "https", "mailto"):
                    yield f"{where} links to {link}"
                continue
            if not parts.path and not parts.fragment:
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path.resolve()
            if target.is_dir():
                target /= "index.html"
            if not target.is_file() or not target.is_relative_to(site.resolve()):
                yield f"{where} links to {link}, which is missing"
                continue
            reached.add(target)
            if parts.fragment and target.suffix == ".html":
                other = pages[site / target.relative_to(site.resolve())]
                if urllib.parse.unquote(parts.fragment) not in other.names:
                    yield f"{where} links to {link}: there is no such anchor"
        text = "".join(page.text)
        for sign in re.findall(r"^.*(?:```|^\s*\|.*\||\]\().*$|^ *- .*$", text, flags=re.M):
            yield f"{where} shows Markdown: {sign.strip()[:80]}"
    for path in pages:
        if path.resolve() not in reached and path.name not in ("index.html", "404.html"):
            yield f"{path.relative_to(site)} is linked to from nowhere"
    for path in sorted(site.rglob("*.css")):
        for address in re.findall(r"(?:url\(|@import)\s*[\"']?([^\"')]+)", path.read_text(encoding="utf-8")):
            if "//" in address.removeprefix("data:")[:9]:
                yield f"{path.relative_to(site)} fetches {address}"


def main():
    site = pathlib.Path(sys.argv[1])
    found = list(complaints(site))
    for complaint in found:
        print(f"FAILED: {complaint}")
    print(f"{sum(1 for _ in site.rglob('*.html'))} pages, {len(found)} mistakes")
    sys.exit(1 if found else 0)


main()
