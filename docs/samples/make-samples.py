#!/usr/bin/env python3
"""Makes the samples of this folder: small files, each of a kind that tools of this trade get wrong.

    apt-get install python3-pil qpdf fonts-dejavu-core && ./make-samples.py

letter-photo.jpg       a phone photo: turned by its EXIF mark, 3 degrees askew, half in shadow
report-mixed.pdf       page 1 two columns with divided words, page 2 a scan
status-2012-06-01.pdf  a status list: wrapped statuses, brackets, a number with two rows
status-2012-06-15.pdf  the same list two weeks later
locked.pdf             needs a password
noted.pdf              report-mixed.pdf with a mark and a reply (needs procd in PATH)
guide.xml              a TV guide of two days: make run puts today and tomorrow in place of @0@ and @1@
"""
import io, os, random, shutil, subprocess, tempfile, zlib
from PIL import Image, ImageDraw, ImageFilter, ImageFont

os.chdir(os.path.dirname(os.path.abspath(__file__)))
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf"

LETTER = """Harbour Office
12 Quay Street

14 June 2012

Dear Ms Lindqvist,

thank you for your letter about the mooring of the
schooner Albatross. The harbour master has looked
at the drawings and finds berth 27 deep enough
for your ship at any tide.

Please note that the crane on the eastern pier is
out of order until the end of July. Heavy goods can
be landed at the western pier between six and ten
in the morning.

The fee for the season is 1,480 crowns, payable
before the first of August. A receipt will be sent
to the address above.

Yours sincerely,

Henrik Aalto
Harbour Master"""


def letter(text, size=34, width=1240, height=1754, margin=140):
    page = Image.new("L", (width, height), 248)
    draw, font = ImageDraw.Draw(page), ImageFont.truetype(FONT, size)
    draw.multiline_text((margin, margin), text, fill=25, font=font, spacing=18)
    return page


def photo():
    page = letter(LETTER).rotate(3, resample=Image.BICUBIC, expand=True, fillcolor=96)
    shadow = Image.new("L", page.size)
    shadow.putdata([int(255 - 120 * min(1, max(0, (x - 0.35 * page.width) / (0.3 * page.width))))
                    for y in range(page.height) for x in range(page.width)])
    shadow = shadow.filter(ImageFilter.GaussianBlur(20))
    page = Image.composite(page, Image.eval(page, lambda v: v * 48 // 100), shadow)
    random.seed(1)
    page = page.filter(ImageFilter.GaussianBlur(0.6)).convert("RGB")
    # Held sideways: the pixels lie on their side, the EXIF mark says how to turn them.
    sideways = page.rotate(90, expand=True)
    exif = Image.Exif()
    exif[0x0112] = 6
    sideways.save("letter-photo.jpg", quality=68, exif=exif)


class PDF:
    """A small PDF, written object by object."""

    def __init__(self):
        self.objects = []

    def add(self, body):
        self.objects.append(body if isinstance(body, bytes) else body.encode("latin-1"))
        return len(self.objects)

    def stream(self, data, extra=""):
        packed = zlib.compress(data, 9)
        return self.add(f"<<{extra}/Filter/FlateDecode/Length {len(packed)}>>\nstream\n".encode()
                        + packed + b"\nendstream")

    def save(self, name, root):
        out, offsets = io.BytesIO(), []
        out.write(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
        for number, body in enumerate(self.objects, 1):
            offsets.append(out.tell())
            out.write(f"{number} 0 obj\n".encode() + body + b"\nendobj\n")
        start = out.tell()
        out.write(f"xref\n0 {len(offsets) + 1}\n0000000000 65535 f \n".encode())
        for offset in offsets:
            out.write(f"{offset:010} 00000 n \n".encode())
        out.write(f"trailer\n<</Size {len(offsets) + 1}/Root {root} 0 R>>\nstartxref\n{start}\n%%EOF\n".encode())
        with open(name, "wb") as file:
            file.write(out.getvalue())


def escaped(text):
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def document(name, pages):
    """pages: (content stream, extra resources) each."""
    pdf = PDF()
    font = pdf.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    parent = len(pdf.objects) + 2 * len(pages) + sum(bool(p[1]) for p in pages) + 1
    kids = []
    for content, image in pages:
        extra = ""
        if image:
            width, height, data = image
            number = pdf.add(f"<</Type/XObject/Subtype/Image/Width {width}/Height {height}/ColorSpace/DeviceGray"
                             f"/BitsPerComponent 8/Filter/DCTDecode/Length {len(data)}>>\nstream\n".encode()
                             + data + b"\nendstream")
            extra = f"/XObject<</Im1 {number} 0 R>>"
        stream = pdf.stream(content.encode("latin-1"))
        kids.append(pdf.add(f"<</Type/Page/Parent {parent} 0 R/MediaBox[0 0 595 842]"
                            f"/Resources<</Font<</F1 {font} 0 R>>{extra}>>/Contents {stream} 0 R>>"))
    listed = " ".join(f"{kid} 0 R" for kid in kids)
    assert pdf.add(f"<</Type/Pages/Kids[{listed}]/Count {len(kids)}>>") == parent
    pdf.save(name, pdf.add(f"<</Type/Catalog/Pages {parent} 0 R>>"))


LEFT = """The tide tables of the northern har-
bours were kept by hand for more than
a century. Each morning the watch-
man read the gauge at the end of the
mole and wrote the figure into a
leather-bound book, together with the
direction of the wind and the state of
the ice. Forty of these books have sur-
vived; the oldest begins in 1831."""
RIGHT = """When the new gauge was installed in
1948, nobody compared its zero with
that of the old one. For a long time
it was believed that the sea had risen
by eleven centimetres within a single
winter. Only the careful work of two
surveyors, who dug out the old stone
mark below the customs house, put an
end to the legend."""


def mixed():
    content = "BT /F1 18 Tf 60 770 Td (The Gauge at the Mole) Tj ET\n"
    # Line by line across both columns, as some producers write: the columns must be found.
    for index, (left, right) in enumerate(zip(LEFT.splitlines(), RIGHT.splitlines())):
        y = 730 - 15 * index
        content += f"BT /F1 11 Tf 60 {y} Td ({escaped(left)}) Tj ET\n"
        content += f"BT /F1 11 Tf 315 {y} Td ({escaped(right)}) Tj ET\n"
    page = letter("Appendix\n\nThe stone mark lies 2.41 metres\nbelow the threshold of the customs\n"
                  "house and carries the year 1829.", size=44, width=1240, height=1754)
    scan = io.BytesIO()
    page.rotate(-1, resample=Image.BICUBIC, fillcolor=248).save(scan, "JPEG", quality=55)
    document("report-mixed.pdf", [(content, None), ("q 595 0 0 842 0 0 cm /Im1 Do Q", (1240, 1754, scan.getvalue()))])


ROWS = [
    ("24300117001", ["under review"], "04.05.2012"),
    ("24300117018", ["documents requested (see the", "letter of 2 May)"], "11.05.2012"),
    ("24300117025", ["under review"], "12.05.2012"),
    ("24300117025", ["forwarded [second part]"], "15.05.2012"),
    ("24300117032", ["decision taken; please", "collect at the counter"], "21.05.2012"),
    ("24300117049", ["refused (fee missing)"], "22.05.2012"),
    ("24300117056", ["under review"], "29.05.2012"),
]
LATER = ROWS[:1] + [("24300117018", ["under review"], "08.06.2012")] + ROWS[2:5] + ROWS[6:] + [
    ("24300117063", ["under review"], "12.06.2012")]


def status(name, date, rows):
    content = f"BT /F1 15 Tf 60 780 Td (Status of applications, {date}) Tj ET\n"
    for x, text in ((60, "Batch number"), (190, "Status"), (420, "Date")):
        content += f"BT /F1 11 Tf {x} 748 Td ({text}) Tj ET\n"
    y = 726
    for number, lines, day in rows:
        content += f"BT /F1 11 Tf 60 {y} Td ({number}) Tj ET\n"
        content += f"BT /F1 11 Tf 420 {y} Td ({day}) Tj ET\n"
        for index, line in enumerate(lines):
            content += f"BT /F1 11 Tf 190 {y - 13 * index} Td ({escaped(line)}) Tj ET\n"
        y -= 13 * len(lines) + 9
    content += "BT /F1 9 Tf 60 60 Td (Numbers such as 24300000000 are examples only. Page 1 of 1) Tj ET\n"
    document(name, [(content, None)])


photo()
mixed()
status("status-2012-06-01.pdf", "1 June 2012", ROWS)
status("status-2012-06-15.pdf", "15 June 2012", LATER)
subprocess.run(["qpdf", "--encrypt", "harbour", "master", "256", "--", "status-2012-06-01.pdf", "locked.pdf"], check=True)

NOTES = """[
  { "type": "Highlight", "words": "nobody compared its zero", "page": 1, "color": "#ffe066",
    "contents": "Is there a record of it?", "author": "Ann", "id": "zero",
    "created": "2012-06-14T10:00:00Z", "modified": "2012-06-14T10:00:00Z" },
  { "type": "Text", "page": 1, "box": [540, 60, 558, 78], "contents": "In the book of 1948, page 3.",
    "author": "Ben", "inReplyTo": "zero", "created": "2012-06-15T09:00:00Z", "modified": "2012-06-15T09:00:00Z" }
]"""


def noted():
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(NOTES)
        file.flush()
        subprocess.run(["procd", "notes", "add", "report-mixed.pdf", "--from", file.name, "-o", "noted.pdf"], check=True)


CHANNELS = {
    "Harbor One": ["Morning on the Pier", "The Lock Keepers", "News", "Letters from the Sea", "Ships of the Week",
                   "Weather", "Harbor Talk", "News", "The Lighthouse", "Night Ferry"],
    "Quay TV": ["Cooking with Salt", "Old Cranes", "Market Day", "Sports: Rowing", "Sports: Sailing", "News",
                "Quiz of the Quay", "The Customs House", "Crime in Berth 27", "Late Show"],
    "Lantern Film": ["Short Films", "Albatross", "The Schooner", "A Map of Fog", "Silent Films", "The Captain's Daughter",
                     "Red Buoy", "The Long Voyage", "The Watchman", "The Empty Dock"],
    "Tide Kids": ["Little Seals", "Paper Boats", "Captain Crab", "Paper Boats", "Little Seals", "Story Hour",
                  "Captain Crab", "Songs", "Good Night", "Pause"],
}
TIMES = ["0600", "0800", "1000", "1200", "1400", "1600", "1800", "1900", "2015", "2200", "2345"]


def guide():
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             "<!-- A guide of two days; make run puts the days of today and tomorrow in place of @0@ and @1@. -->", "<tv>"]
    name = {title: title.split()[0].lower() + ".example" for title in CHANNELS}
    lines += [f'  <channel id="{name[title]}"><display-name>{title}</display-name></channel>' for title in CHANNELS]
    kinds = dict(zip(CHANNELS, ("News", "Show", "Film", "Children")))
    for day in (0, 1):
        for channel, programs in CHANNELS.items():
            for index, start in enumerate(TIMES[:-1]):
                title = programs[(index + 3 * day) % 10]
                kind = "Sports" if "Sports" in title else "News" if title in ("News", "Weather") else kinds[channel]
                lines.append(f'  <programme start="@{day}@{start}00" stop="@{day}@{TIMES[index + 1]}00" channel="{name[channel]}">'
                             f"<title>{title}</title><desc>{title}, part {index + 1 + 10 * day} of the week.</desc>"
                             f"<category>{kind}</category></programme>")
    with open("guide.xml", "w", encoding="utf-8") as file:
        file.write("\n".join(lines + ["</tv>", ""]))


guide()
if shutil.which("procd"):
    noted()
