"""Draws documents of `made.py`: with ReportLab, as HTML for Chromium, WeasyPrint and LibreOffice, and as source for groff."""
import html

# MARK: drawn by ReportLab

# Fonts that a document names but does not embed: readers need maps of their characters.
CHARACTER_FONTS = {"zh": "STSong-Light", "ja": "HeiseiMin-W3"}
FAMILIES = {"serif": ("Times-Roman", "Times-Bold"), "sans": ("Helvetica", "Helvetica-Bold"), "mono": ("Courier", "Courier-Bold")}


def by_reportlab(doc, path):
    from reportlab.lib import colors
    from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_LEFT, TA_RIGHT
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Spacer
    from reportlab.platypus import Table as Drawn, TableStyle
    plain, bold = FAMILIES[doc.family]
    wrap = None
    if doc.language in CHARACTER_FONTS:
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfbase.cidfonts import UnicodeCIDFont
        plain = bold = CHARACTER_FONTS[doc.language]
        pdfmetrics.registerFont(UnicodeCIDFont(plain))
        wrap = "CJK"
    size, lead = doc.size, doc.size * 1.2
    body = ParagraphStyle("body", fontName=plain, fontSize=size, leading=lead, spaceAfter=lead * .6, wordWrap=wrap,
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
            rows = [[Paragraph((f'<font size="{size * .7}">{html.escape(one.above)}</font><br/>' if one.above else "")
                               + html.escape(one.text), ParagraphStyle(
                "cell", wordWrap=wrap, fontName=bold if y < table.heads else plain, fontSize=size, leading=lead,
                alignment=sides[table.side(x, one)])) if one else "" for x, one in enumerate(row)]
                for y, row in enumerate(table.grid)]
            style = [("VALIGN", (0, 0), (-1, -1), table.valign.upper()), ("TOPPADDING", (0, 0), (-1, -1), 1.5),
                     ("BOTTOMPADDING", (0, 0), (-1, -1), 2), ("LEFTPADDING", (0, 0), (-1, -1), table.gap / 2),
                     ("RIGHTPADDING", (0, 0), (-1, -1), table.gap / 2)]
            style += [("SPAN", (x, y), (x + one.columns - 1, y + one.rows - 1)) for y, row in enumerate(table.grid)
                      for x, one in enumerate(row) if one and (one.columns > 1 or one.rows > 1)]
            line = (.5, colors.black)
            style += [("LINEBELOW", (x, y), (x + one.columns - 1, y), *line) for y, row in enumerate(table.grid)
                      for x, one in enumerate(row) if one and (one.isGroup or one.isRuled)]
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
    if doc.language in ("ar", "he", "zh", "ja"):
        family = "DejaVu Sans, Droid Sans Fallback, sans-serif"
    else:
        family = {"serif": "Liberation Serif, DejaVu Serif, serif", "sans": "Liberation Sans, DejaVu Sans, sans-serif",
                  "mono": "Liberation Mono, DejaVu Sans Mono, monospace"}[doc.family]
    start, end = ("right", "left") if doc.isRightToLeft else ("left", "right")
    sides = {"left": start, "right": end, "center": "center"}
    out = [f"""<!DOCTYPE html><html lang="{doc.language}"{" dir=rtl" if doc.isRightToLeft else ""}><head><meta charset="utf-8"><style>
@page {{ size: A4; margin: 20mm }}
body {{ margin: 0; font: {doc.size}pt/1.25 {family}; column-count: {doc.columns}; column-gap: 8mm; column-fill: auto;
  text-align: {"justify" if doc.justified else start}{"; writing-mode: vertical-rl" if doc.isVertical else ""} }}
h1, h2 {{ margin: .4em 0; text-align: {start} }} h1 {{ font-size: 1.6em }} h2 {{ font-size: 1.25em }} p {{ margin: 0 0 .6em }}
table {{ border-collapse: collapse; margin: .4em 0; text-align: {start} }} td, th {{ padding: 0 }}
.right {{ text-align: right }} .item {{ padding-{start}: 18pt; text-indent: -12pt; margin: 0 0 .2em }} .note {{ font-size: .8em }}
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
                        under = "border-bottom: .5pt solid #000;" if one.isGroup or one.isRuled else ""
                        small = f'<span style="font-size: {doc.size * .7}pt">{esc(one.above)}</span><br>' if one.above else ""
                        tag = "th" if head else "td"
                        out.append(f'<{tag} colspan="{one.columns}" rowspan="{one.rows}" valign="{table.valign}" '
                                   f'style="vertical-align: {table.valign}; '
                                   f'text-align: {sides[table.side(x, one)]}; {line}{under}{ground}">'
                                   # LibreOffice knows no padding of cells.
                                   f'<p style="margin: 1.5pt {table.gap / 2}pt">{small}{esc(one.text)}</p></{tag}>')
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
                    small = f".ps -3\n{esc(one.above)}\n.ps\n.br\n" if one.above else ""
                    texts.append("T{\n.ad l\n" + small + esc(one.text) + "\nT}" if long and one.text else esc(one.text))
                out.append("@".join(texts))
                if any(one and one.isRuled for one in row):
                    out.append("@".join("\\_" if one and one.isRuled else "" for one in row))
                if table.rules == "rows" or table.rules == "heads" and y in (table.heads - 1, len(table.grid) - 1):
                    out.append("_")
            out.append(".TE")
            if table.note:
                out += [".LP", esc(table.note)]
    return "\n".join(out) + "\n"
