#!/usr/bin/python3
"""Makes docs/pictures/layout.svg: a page of three columns, a box and a table, drawn in an odd order, as procd reads it.

    docs/pictures/make-layout.py PROCD
"""
import pathlib
import subprocess
import sys
import tempfile

from reportlab.pdfgen import canvas

PROSE = """The mill at the river has ground corn since the days of the old bridge, and the people of the valley still bring
their sacks in autumn. When the water is low the wheel rests, and the miller mends the sluice with boards from the yard. He
keeps a book of all that was ground, in which the dry years are easy to find.""".split()
MORE = """Below the weir the water is calm, and herons fish there in the morning. A path along the bank leads to the next
village, past the meadows that are flooded every spring. In some years the flood reaches the road, and the bus has to turn at
the chapel until the water falls again.""".split()
ROWS = [("Year", "Sacks", "Days at rest"), ("2021", "412", "31"), ("2022", "286", "77"), ("2023", "455", "18")]


def column(page, words, x, y, width, size=9):
    line = []
    for word in words + [None]:
        if word is None or page.stringWidth(" ".join(line + [word]), "Helvetica", size) > width:
            page.drawString(x, y, " ".join(line))
            line, y = [], y - 1.3 * size
        line.append(word)
    return y


def main():
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place) / "page.pdf"
        page = canvas.Canvas(str(path), pagesize=(420, 450), invariant=True)
        page.translate(0, -130)
        page.setFont("Helvetica", 9)
        # The box and the right column come first.
        page.rect(148, 282, 122, 62)
        column(page, "The mill is open on the first Sunday of each month from May to October, and on the day of the fair."
               .split(), 154, 330, 112)
        column(page, MORE, 285, 500, 108)
        column(page, PROSE + MORE, 30, 500, 108)
        column(page, MORE + PROSE[:14], 148, 500, 122)
        for row, cells in enumerate(ROWS):
            for x, cell in zip((30, 120, 200), cells):
                page.drawString(x, 220 - 13 * row, cell)
        page.setFont("Helvetica-Bold", 15)
        page.drawString(30, 530, "The mill at the river")
        page.save()
        target = pathlib.Path(__file__).with_name("layout.svg")
        subprocess.run([sys.argv[1], "extract", "--debug-layout", str(path), "-o", str(target), "--overwrite"], check=True)


if __name__ == "__main__":
    main()
