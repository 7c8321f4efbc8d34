"""Documents made by seed, with what is in them: the truth that reading is held against.

A `Document` is a list of blocks and says nothing of how it is drawn. Writers draw it: ReportLab, HTML (for Chromium,
WeasyPrint and LibreOffice), and groff. The same seed gives the same documents.
"""
import dataclasses
import html
import random

WORDS = """harbor letter report water meter annual budget bridge garden winter summer market signal border record island
engine ticket rental repair supply timber copper silver county museum library council station teacher student parking
heating service project payment account balance revenue expense interest housing traffic cycling railway airport forest
fishing farming mining textile leather plastic paper printing software hardware research training insurance pension
benefit subsidy license permit survey census region district village capital northern southern eastern western central
public private general special regular monthly weekly daily total net gross average median upper lower new old other
""".split()
SMALL = "of and for the in to with by from at on".split()
STATUSES = """under review;granted;refused;sent;waiting for payment;documents requested;closed;ready for collection;returned
to sender;on hold""".replace("\n", " ").split(";")
MONTHS = "January February March April May June July August September October November December".split()
PLACES = """Belgium Croatia Denmark Estonia Finland Greece Hungary Iceland Latvia Malta Norway Poland Romania Slovakia
Sweden Austria Bavaria Saxony Hesse Brittany Tuscany Galicia Silesia Moravia Lapland""".split()


@dataclasses.dataclass
class Cell:
    text: str
    columns: int = 1
    rows: int = 1
    # What heads the rows below it stands in the first column, however wide it is drawn.
    isCategory: bool = False
    # A head over several columns, in their middle and with a line below it: nothing else shows what it spans.
    isGroup: bool = False


@dataclasses.dataclass
class Table:
    """Cells by row; what a span covers is None. The first `heads` rows are heads, `kinds` says what columns hold."""
    grid: list
    heads: int
    kinds: list
    rules: str          # none, heads, rows, grid, shaded
    valign: str         # top, middle, bottom: where short cells stand beside a cell of several lines
    gap: float          # between columns, in points
    widths: list        # of the columns, in points
    caption: str = ""
    note: str = ""

    def side(self, column, cell):
        """Where a cell's text stands."""
        if cell.isGroup:
            return "center"
        return "left" if self.kinds[column] in ("label", "text", "word", "batch", "status") or cell.columns > 1 else "right"

    def cells(self):
        """(row, column, last row, last column, text) of each cell that has a text."""
        for y, row in enumerate(self.grid):
            for x, cell in enumerate(row):
                if cell and cell.text:
                    yield y, x, y + cell.rows - 1, x if cell.isCategory else x + cell.columns - 1, cell.text


@dataclasses.dataclass
class Document:
    kind: str
    blocks: list        # ("heading", level, text), ("text", text), ("item", mark, text), ("table", Table)
    columns: int = 1
    justified: bool = False
    size: float = 10
    family: str = "serif"
    head: str = ""      # running head and foot of each page
    foot: str = ""

    def texts(self):
        """What is read, in order: paragraphs, and the cells of tables along their rows."""
        for kind, *rest in self.blocks:
            if kind == "table":
                table = rest[0]
                if table.caption:
                    yield table.caption
                for row in table.grid:
                    yield from (cell.text for cell in row if cell and cell.text)
                if table.note:
                    yield table.note
            elif kind == "item":
                yield f"{rest[0]} {rest[1]}"
            else:
                yield rest[-1]

    def prose(self):
        return [rest[-1] for kind, *rest in self.blocks if kind in ("heading", "text", "item")]

    def tables(self):
        return [rest[0] for kind, *rest in self.blocks if kind == "table"]


class Maker:
    """Makes documents of the kinds that `KINDS` lists."""

    def __init__(self, seed):
        self.dice = random.Random(seed)

    # MARK: texts

    def words(self, least, most):
        count = self.dice.randint(least, most)
        out = [self.dice.choice(WORDS)]
        while len(out) < count:
            small = out[-1] not in SMALL and len(out) < count - 1 and self.dice.random() < .25
            out.append(self.dice.choice(SMALL if small else WORDS))
        return " ".join(out)

    def label(self, least=1, most=3):
        return self.words(least, most).capitalize()

    def sentence(self):
        text = self.words(7, 18).capitalize()
        if self.dice.random() < .2:
            text += f" {self.dice.choice(('at', 'about', 'over'))} {self.number('number')}"
        return text + "."

    def paragraph(self, least=3, most=7):
        return " ".join(self.sentence() for _ in range(self.dice.randint(least, most)))

    def number(self, kind):
        d = self.dice
        if kind == "percent":
            return f"{d.uniform(-20, 100):.1f}" + d.choice(("%", "", " %"))
        if kind == "money":
            return d.choice(("", "$", "€ ")) + f"{d.uniform(1, 90000):,.2f}"
        if kind == "date":
            return f"{d.randint(1, 28):02}.{d.randint(1, 12):02}.20{d.randint(10, 26)}"
        if kind == "year":
            return str(d.randint(1990, 2026))
        return f"{int(10 ** d.uniform(0, 6)):,}"

    def value(self, kind):
        if kind == "word":
            return self.dice.choice(("yes", "no", "open", "closed", "partly", "planned", "done"))
        if kind == "text":
            return self.words(2, 12).capitalize()
        if kind == "label":
            return self.label(1, 4)
        if kind == "batch":
            return str(self.dice.randint(20_000_000_000, 28_999_999_999))
        if kind == "status":
            text = self.dice.choice(STATUSES)
            return text if self.dice.random() < .7 else f"{text} ({self.words(3, 9)})"
        return self.number(kind)

    # MARK: tables

    def table(self, *, rows=None, kinds=None, rules=None, wrapped=0.0, missing=0.0, categories=False, spans=False,
              heads=1, valign=None, caption=None, width=460, size=10):
        d = self.dice
        numbers = d.sample(("number", "money", "percent", "date", "number", "percent"), d.randint(2, 5))
        kinds = kinds or ["label"] + numbers
        rows = rows or d.randint(4, 14)
        rules = rules or d.choice(("none", "none", "heads", "rows", "grid", "shaded"))
        gap = d.choice((8, 12, 18))
        need = {"label": 90, "text": 130, "money": 66, "date": 62, "batch": 72, "status": 130, "word": 48, "percent": 46, "year": 34, "number": 56}
        scale = size / 10
        widths = [need[kind] * scale + gap for kind in kinds]
        spare = max(0, width - sum(widths))
        widths[0] += spare * d.choice((0, .3, .6))
        grid = []
        if spans and len(kinds) > 3:
            cut = d.randint(2, len(kinds) - 1)
            grid.append([Cell(""), Cell(self.label(1, 2), columns=cut - 1, isGroup=True)] + [None] * (cut - 2)
                        + [Cell(self.label(1, 2), columns=len(kinds) - cut, isGroup=True)] + [None] * (len(kinds) - cut - 1))
        for _ in range(heads):
            first = self.label(1, 1)
            grid.append([Cell(first)] + [Cell(self.label(1, 1) if kind != "text" else self.label(1, 2)) for kind in kinds[1:]])
        count = len(grid)  # All levels of the head.
        for number in range(rows):
            if categories and (number == 0 or d.random() < .25):
                grid.append([Cell(self.label(1, 3).upper() if d.random() < .3 else self.label(1, 3), columns=len(kinds),
                                  isCategory=True)]
                            + [None] * (len(kinds) - 1))
            row = []
            for x, kind in enumerate(kinds):
                if x and d.random() < missing:
                    row.append(Cell(d.choice(("n/a", "–", "..", ""))))
                elif kind == "label":
                    place = d.random() < .5
                    text = d.choice(PLACES) if place else self.label(1, 3)
                    row.append(Cell(self.label(5, 9) if d.random() < wrapped else text))
                else:
                    row.append(Cell(self.value(kind)))
            grid.append(row)
        return Table(grid, count, kinds, rules, valign or d.choice(("top", "middle", "bottom")), gap, widths,
                     caption if caption is not None else (f"Table {d.randint(1, 9)}. {self.label(3, 7)}" if d.random() < .4 else ""),
                     f"Source: {self.label(2, 5)}, {self.number('year')}." if d.random() < .3 else "")

    # MARK: documents

    def around(self, blocks, **more):
        """With prose before and behind."""
        d = self.dice
        before = [("heading", 1, self.label(2, 5))] + [("text", self.paragraph()) for _ in range(d.randint(1, 2))]
        after = [("text", self.paragraph()) for _ in range(d.randint(0, 2))]
        return dict(blocks=before + blocks + after, justified=d.random() < .5, size=d.choice((9, 10, 11)),
                    family=d.choice(("serif", "sans")), **more)

    def plain(self):
        return self.around([("table", self.table())])

    def labels(self):
        return self.around([("table", self.table(wrapped=.35))])

    def words_between(self):
        kinds = ["label", "number", "word", "percent", "word"][:self.dice.randint(3, 5)]
        return self.around([("table", self.table(kinds=kinds, missing=.15))])

    def category(self):
        return self.around([("table", self.table(categories=True, rules=self.dice.choice(("none", "heads", "rows"))))])

    def headed(self):
        return self.around([("table", self.table(spans=True))])

    def described(self):
        kinds = self.dice.choice((["label", "text", "number"], ["year", "text"], ["label", "text", "text"], ["date", "text", "money"]))
        return self.around([("table", self.table(kinds=list(kinds), rows=self.dice.randint(3, 7)))])

    def stacked(self):
        first, second = self.table(rows=4), self.table(rows=5)
        return self.around([("table", first), ("table", second)])

    def missing(self):
        return self.around([("table", self.table(missing=.3))])

    def status(self, **more):
        """A status list, with the names of its columns as its first row."""
        kinds = more.pop("kinds", ["batch", "status", "date"])
        list_ = self.table(kinds=kinds, rows=self.dice.randint(6, 20), caption="", **more)
        names = {"batch": ("Batch", "Batch no.", "Case number"), "status": ("Status", "State of the case", "Decision"),
                 "date": ("Date", "Date of the status", "Updated"), "label": ("Name", "Applicant", "Office"),
                 "number": ("Fee", "Pages", "Items")}
        list_.grid[0] = [Cell(self.dice.choice(names[kind])) for kind in kinds]
        list_.note = ""
        return list_

    def listed(self):
        return self.around([("table", self.status())])

    def listed_apart(self):
        """With other columns, in any order."""
        kinds = ["batch", "status", "date"] + self.dice.sample(("label", "number"), self.dice.randint(1, 2))
        self.dice.shuffle(kinds)
        return self.around([("table", self.status(kinds=kinds, width=480))])

    def listed_missing(self):
        """Some rows without a date."""
        list_ = self.status()
        for row in list_.grid[1:]:
            if self.dice.random() < .15:
                row[2] = Cell("")
        return self.around([("table", list_)])

    def story(self):
        d = self.dice
        blocks = []
        for number in range(d.randint(2, 4)):
            blocks.append(("heading", 1 if number == 0 else 2, (f"{number}. " if d.random() < .5 and number else "") + self.label(2, 6)))
            blocks += [("text", self.paragraph()) for _ in range(d.randint(1, 3))]
            if d.random() < .5:
                marks = d.choice((["•"] * 9, [f"{n})" for n in range(1, 9)], ["–"] * 9))
                blocks += [("item", marks[n], self.words(4, 20).capitalize()) for n in range(d.randint(2, 5))]
        return dict(blocks=blocks, justified=d.random() < .6, size=d.choice((9, 10, 11)), family=d.choice(("serif", "sans")),
                    head=self.label(3, 5) if d.random() < .5 else "", foot=f"Page {d.randint(2, 90)}" if d.random() < .5 else "")

    def columns(self):
        made = self.story()
        made["blocks"] = made["blocks"] + [("text", self.paragraph(4, 8)) for _ in range(4)]
        return dict(made, columns=2, size=9)

    def justified(self):
        d = self.dice
        blocks = [("heading", 1, self.label(2, 4))] + [("text", self.paragraph(5, 9)) for _ in range(d.randint(3, 5))]
        return dict(blocks=blocks, justified=True, size=d.choice((10, 12, 14)), family="mono" if d.random() < .3 else "serif",
                    columns=d.choice((1, 1, 2)))


TABLES = ("plain", "labels", "words_between", "category", "headed", "described", "stacked", "missing")
LISTS = ("listed", "listed_apart", "listed_missing")
PROSE = ("story", "columns", "justified")


def document(kind, number):
    maker = Maker(f"{kind} {number}")
    return Document(kind=kind, **getattr(maker, kind)())


# MARK: drawn by ReportLab

FAMILIES = {"serif": ("Times-Roman", "Times-Bold"), "sans": ("Helvetica", "Helvetica-Bold"), "mono": ("Courier", "Courier-Bold")}


def by_reportlab(doc, path):
    from reportlab.lib import colors
    from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_LEFT, TA_RIGHT
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Spacer
    from reportlab.platypus import Table as Drawn, TableStyle
    plain, bold = FAMILIES[doc.family]
    size, lead = doc.size, doc.size * 1.2
    body = ParagraphStyle("body", fontName=plain, fontSize=size, leading=lead, spaceAfter=lead * .6,
                          alignment=TA_JUSTIFY if doc.justified else TA_LEFT)
    width, height, margin, gutter = *A4, 60, 18
    wide = (width - 2 * margin - (doc.columns - 1) * gutter) / doc.columns
    flow = []
    for kind, *rest in doc.blocks:
        if kind == "heading":
            flow.append(Paragraph(html.escape(rest[1]), ParagraphStyle(
                "head", fontName=bold, fontSize=size * (1.6, 1.25)[rest[0] - 1], leading=lead * (1.6, 1.25)[rest[0] - 1],
                spaceBefore=lead * .5, spaceAfter=lead * .4, keepWithNext=True)))
        elif kind == "text":
            flow.append(Paragraph(html.escape(rest[0]), body))
        elif kind == "item":
            flow.append(Paragraph(html.escape(rest[1]), ParagraphStyle(
                "item", parent=body, leftIndent=18, bulletIndent=4, spaceAfter=2), bulletText=rest[0]))
        else:
            table = rest[0]
            sides = {"left": TA_LEFT, "right": TA_RIGHT, "center": TA_CENTER}
            rows = [[Paragraph(html.escape(one.text), ParagraphStyle(
                "cell", fontName=bold if y < table.heads else plain, fontSize=size, leading=lead,
                alignment=sides[table.side(x, one)])) if one else "" for x, one in enumerate(row)]
                for y, row in enumerate(table.grid)]
            style = [("VALIGN", (0, 0), (-1, -1), table.valign.upper()), ("TOPPADDING", (0, 0), (-1, -1), 1.5),
                     ("BOTTOMPADDING", (0, 0), (-1, -1), 2), ("LEFTPADDING", (0, 0), (-1, -1), table.gap / 2),
                     ("RIGHTPADDING", (0, 0), (-1, -1), table.gap / 2)]
            style += [("SPAN", (x, y), (x + one.columns - 1, y + one.rows - 1)) for y, row in enumerate(table.grid)
                      for x, one in enumerate(row) if one and (one.columns > 1 or one.rows > 1)]
            line = (.5, colors.black)
            style += [("LINEBELOW", (x, y), (x + one.columns - 1, y), *line) for y, row in enumerate(table.grid)
                      for x, one in enumerate(row) if one and one.isGroup]
            if table.rules == "grid":
                style.append(("GRID", (0, 0), (-1, -1), *line))
            elif table.rules == "rows":
                style.append(("LINEBELOW", (0, 0), (-1, -1), *line))
            elif table.rules == "heads":
                style += [("LINEABOVE", (0, 0), (-1, 0), *line), ("LINEBELOW", (0, table.heads - 1), (-1, table.heads - 1), *line),
                          ("LINEBELOW", (0, -1), (-1, -1), *line)]
            elif table.rules == "shaded":
                style += [("BACKGROUND", (0, y), (-1, y), colors.Color(.88, .9, .94)) for y in range(table.heads, len(rows), 2)]
            if table.caption:
                flow.append(Paragraph(html.escape(table.caption), ParagraphStyle("caption", parent=body, spaceAfter=4)))
            flow.append(Drawn(rows, colWidths=table.widths, style=TableStyle(style), hAlign="LEFT", repeatRows=table.heads))
            flow.append(Spacer(1, lead * .5))
            if table.note:
                flow.append(Paragraph(html.escape(table.note), ParagraphStyle("note", parent=body, fontSize=size * .8)))

    def decorate(canvas, _):
        canvas.setFont(plain, size * .8)
        canvas.drawString(margin, height - 36, doc.head)
        canvas.drawRightString(width - margin, 30, doc.foot)

    frames = [Frame(margin + n * (wide + gutter), 54, wide, height - 108, 0, 0, 0, 0) for n in range(doc.columns)]
    made = BaseDocTemplate(str(path), pagesize=A4, invariant=1)
    made.addPageTemplates(PageTemplate(frames=frames, onPage=decorate))
    made.build(flow)


# MARK: drawn from HTML

def page(doc):
    """As HTML that Chromium, WeasyPrint and LibreOffice print."""
    esc = html.escape
    family = {"serif": "Liberation Serif, DejaVu Serif, serif", "sans": "Liberation Sans, DejaVu Sans, sans-serif",
              "mono": "Liberation Mono, DejaVu Sans Mono, monospace"}[doc.family]
    out = [f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><style>
@page {{ size: A4; margin: 20mm }}
body {{ margin: 0; font: {doc.size}pt/1.25 {family}; column-count: {doc.columns}; column-gap: 8mm; column-fill: auto;
  text-align: {"justify" if doc.justified else "left"} }}
h1, h2 {{ margin: .4em 0; text-align: left }} h1 {{ font-size: 1.6em }} h2 {{ font-size: 1.25em }} p {{ margin: 0 0 .6em }}
table {{ border-collapse: collapse; margin: .4em 0; text-align: left }} td, th {{ padding: 0 }}
.right {{ text-align: right }} .item {{ padding-left: 18pt; text-indent: -12pt; margin: 0 0 .2em }} .note {{ font-size: .8em }}
</style></head><body>"""]
    for kind, *rest in doc.blocks:
        if kind == "heading":
            out.append(f"<h{rest[0]}>{esc(rest[1])}</h{rest[0]}>")
        elif kind == "text":
            out.append(f"<p>{esc(rest[0])}</p>")
        elif kind == "item":
            out.append(f'<p class="item">{esc(rest[0])} {esc(rest[1])}</p>')
        else:
            table = rest[0]
            border = {"grid": "border: .5pt solid #000;", "rows": "border-bottom: .5pt solid #000;"}.get(table.rules, "")
            if table.caption:
                out.append(f"<p>{esc(table.caption)}</p>")
            out.append(f'<table width="{sum(table.widths) / .75:.0f}" cellspacing="0" cellpadding="0">')
            out += [f'<col width="{one / .75:.0f}">' for one in table.widths]
            for y, row in enumerate(table.grid):
                head = y < table.heads
                line = "border-bottom: .5pt solid #000;" if table.rules == "heads" and y in (table.heads - 1, len(table.grid) - 1) else border
                ground = "background: #e0e4ee;" if table.rules == "shaded" and not head and y % 2 else ""
                out.append("<tr>")
                for x, one in enumerate(row):
                    if one:
                        under = "border-bottom: .5pt solid #000;" if one.isGroup else ""
                        tag = "th" if head else "td"
                        out.append(f'<{tag} colspan="{one.columns}" rowspan="{one.rows}" valign="{table.valign}" '
                                   f'style="vertical-align: {table.valign}; '
                                   f'text-align: {table.side(x, one)}; {line}{under}{ground}">'
                                   # LibreOffice knows no padding of cells.
                                   f'<p style="margin: 1.5pt {table.gap / 2}pt">{esc(one.text)}</p></{tag}>')
                out.append("</tr>")
            out.append("</table>")
            if table.note:
                out.append(f'<p class="note">{esc(table.note)}</p>')
    out.append("</body></html>")
    return "\n".join(out)


# MARK: drawn by groff

def roff(doc):
    """As source for `groff -t -ms`."""
    def esc(text):
        return text.replace("\\", "\\e").replace("–", "\\(en").replace("•", "\\(bu").replace("€", "\\(Eu")

    size = int(doc.size)
    out = [".nr PS %d" % size, ".nr VS %d" % (size * 1.2), ".nr LL 6.4i", ".nr PO 0.9i", ".ds CH", ".ds CF",
           ".fam " + {"serif": "T", "sans": "H", "mono": "C"}[doc.family], ".LP", ".ad " + ("b" if doc.justified else "l")]
    if doc.columns == 2:
        out.append(".2C")
    for kind, *rest in doc.blocks:
        if kind == "heading":
            out += [".SH", esc(rest[1])]
        elif kind == "text":
            out += [".LP", ".ad " + ("b" if doc.justified else "l"), esc(rest[0])]
        elif kind == "item":
            out += [f'.IP "{esc(rest[0])}" 3', esc(rest[1])]
        else:
            table = rest[0]
            if table.caption:
                out += [".LP", esc(table.caption)]
            out += [".LP", ".TS", {"grid": "allbox tab(@);", "rows": "tab(@);"}.get(table.rules, "tab(@);")]
            wide = [max(.4, (one - table.gap) / 72) for one in table.widths]
            def format(row):
                """How tbl is to set a row."""
                words = []
                for x, one in enumerate(row):
                    if one is None:
                        words.append("s")
                    else:
                        words.append(table.side(x, one)[0] + ("" if one.columns > 1 else f"w({wide[x]:.2f}i)"))
                return " ".join(words)

            formats = [format(row) for row in table.grid]
            out.append("\n".join(formats) + ".")
            for y, row in enumerate(table.grid):
                texts = []
                for x, one in enumerate(row):
                    if one is None:
                        continue
                    long = table.kinds[x] in ("label", "text", "status") and one.columns == 1
                    texts.append("T{\n.ad l\n" + esc(one.text) + "\nT}" if long and one.text else esc(one.text))
                out.append("@".join(texts))
                if table.rules == "rows" or table.rules == "heads" and y in (table.heads - 1, len(table.grid) - 1):
                    out.append("_")
            out.append(".TE")
            if table.note:
                out += [".LP", esc(table.note)]
    return "\n".join(out) + "\n"
