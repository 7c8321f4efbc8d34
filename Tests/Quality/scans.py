"""Scans and photos of made documents: pages drawn as gray pictures, tilted, blurred and noisy by seed, as PDFs of pictures."""
import random
import subprocess

from PIL import Image, ImageChops, ImageFilter

# Name and dots per inch of each way that a page is taken.
WAYS = {"scan 200": 200, "scan 100": 100, "photo": 170}


def pictures_of(path):
    """The pages of a scan as PNGs."""
    return sorted(path.parent.glob(f"{path.stem}-*.png"))


def tilted(picture, dice):
    return picture.rotate(dice.uniform(-1.5, 1.5), Image.BICUBIC, fillcolor=255)


def photographed(picture, dice):
    """Seen a little from aside, on a dark table, in light from one side."""
    width, height = picture.size
    border = width // 20
    table = Image.new("L", (width + 2 * border, height + 2 * border), 70)
    table.paste(picture, (border, border))
    # Where the corners of the picture are taken from: top left, bottom left, bottom right, top right.
    corners = [(x + dice.uniform(-.6, .6) * border, y + dice.uniform(-.6, .6) * border)
               for x, y in ((0, 0), (0, table.height), (table.width, table.height), (table.width, 0))]
    table = table.transform(table.size, Image.QUAD, [value for corner in corners for value in corner], Image.BICUBIC, fillcolor=70)
    light = Image.linear_gradient("L").rotate(dice.choice((0, 90, 180, 270))).resize(table.size)
    return ImageChops.multiply(table, light.point(lambda value: 150 + value * 100 // 255))


def scan(source, path, seed, way):
    """Makes `path` of the PDF `source`, and beside it a PNG of each page, for readers of pictures."""
    dpi, stem = WAYS[way], path.with_suffix("")
    subprocess.run(["pdftoppm", "-r", str(dpi), "-gray", "-png", source, stem], check=True)
    dice, pictures = random.Random(seed), []
    for page in pictures_of(path):
        picture = (photographed if way == "photo" else tilted)(Image.open(page).convert("L"), dice)
        picture = picture.filter(ImageFilter.GaussianBlur(dice.uniform(.2, .5) * dpi / 100))
        grain = Image.frombytes("L", picture.size, dice.randbytes(picture.width * picture.height))
        picture = ImageChops.subtract(picture, grain.point(lambda value: value // 8))
        picture.save(page, dpi=(dpi, dpi))
        pictures.append(picture)
    pictures[0].save(path, "PDF", resolution=dpi, save_all=True, append_images=pictures[1:], quality=85)
