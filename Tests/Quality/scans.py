"""Scans of made documents: pages drawn as gray pictures, a little tilted, blurred and noisy by seed, as PDFs of pictures."""
import random
import subprocess

from PIL import Image, ImageChops, ImageFilter


def pictures_of(path):
    """The pages of a scan as PNGs."""
    return sorted(path.parent.glob(f"{path.stem}-*.png"))


def scan(source, path, seed, dpi):
    """Makes `path` of the PDF `source`, and beside it a PNG of each page, for readers of pictures."""
    stem = path.with_suffix("")
    subprocess.run(["pdftoppm", "-r", str(dpi), "-gray", "-png", source, stem], check=True)
    dice, pictures = random.Random(seed), []
    for page in pictures_of(path):
        picture = Image.open(page).convert("L")
        picture = picture.rotate(dice.uniform(-1.5, 1.5), Image.BICUBIC, fillcolor=255)
        picture = picture.filter(ImageFilter.GaussianBlur(dice.uniform(.2, .5) * dpi / 100))
        grain = Image.frombytes("L", picture.size, dice.randbytes(picture.width * picture.height))
        picture = ImageChops.subtract(picture, grain.point(lambda value: value // 8))
        picture.save(page, dpi=(dpi, dpi))
        pictures.append(picture)
    pictures[0].save(path, "PDF", resolution=dpi, save_all=True, append_images=pictures[1:], quality=85)
