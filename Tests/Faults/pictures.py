#!/usr/bin/env python3
"""Damaged pictures: every compression of TIFF and every filter of PDF, in every kind of color, cut off, with a hole,
with zeros in it, or without a part. procd reads each and must give the right text, say that something is missing
("partial"), or refuse the file; a text with missing words that looks done is a fault.

With --table it prints a table for docs/reliability.md. Needs python3-pil and DejaVu (fonts-dejavu-core)."""

import io
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

from PIL import Image, ImageDraw, ImageFont, TiffImagePlugin

import sites
import tool

WORDS = ["garden", "committee", "minutes", "Tuesday", "chairman", "members", "fountain", "repair",
         "September", "treasurer", "account", "hundred", "approved", "meeting", "neighbor", "evening"]
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
DAMAGES = ["whole", "cut", "hole", "zeroed", "missing"]
# What no decoder can notice: without a compression, samples mean something whatever they are, and what is coded without
# a checksum and without redundancy, as in WebP, JPEG 2000, JBIG2 and Zstandard of libtiff, may be another picture. They must
# notice that something is not there.
UNNOTICED = {"TIFF none", "TIFF webp", "TIFF zstd", "PDF raw", "PDF JPX", "PDF JBIG2"}


def page(mode):
    """A picture of two columns of words."""
    image = Image.new("L", (900, 700), 255)
    draw, font = ImageDraw.Draw(image), ImageFont.truetype(FONT, 34)
    for number, word in enumerate(WORDS):
        draw.text((60 + 420 * (number % 2), 30 + 80 * (number // 2)), word, font=font, fill=20)
    if mode == "1":
        return image.point(lambda value: 255 if value > 128 else 0).convert("1")
    if mode == "P":
        return image.convert("RGB").quantize(16)
    if mode == "I;16":
        return image.convert("I").point(lambda value: value * 256 + value).convert("I;16")
    return image.convert(mode)


# TIFF

TIFF_CODECS = {
    "none": ["1", "L", "RGB", "P", "CMYK", "RGBA", "LA", "I;16"],
    "packbits": ["1", "L", "RGB", "P", "CMYK"], "tiff_lzw": ["1", "L", "RGB", "P", "CMYK", "RGBA", "I;16"],
    "tiff_adobe_deflate": ["1", "L", "RGB", "P", "CMYK", "RGBA", "I;16"], "tiff_deflate": ["L", "RGB"],
    "group3": ["1"], "group4": ["1"], "tiff_ccitt": ["1"], "jpeg": ["L", "RGB", "CMYK"],
    "lzma": ["1", "L", "RGB"], "zstd": ["1", "L", "RGB"], "webp": ["RGB"],
}
# Compressions (tag 259) that the library lacks, by which no picture may come out.
LACKING = [9, 10, 22610, 32895, 32908, 33003, 33005, 34712, 34713, 34892, 34933, 34934, 50002, 52546, 65535]
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1}


def parts(data):
    """The tags and strips of a TIFF of one picture, little-endian."""
    start, = struct.unpack_from("<I", data, 4)
    count, = struct.unpack_from("<H", data, start)
    tags = {}
    for place in range(start + 2, start + 2 + 12 * count, 12):
        tag, kind, number = struct.unpack_from("<HHI", data, place)
        size = SIZES[kind] * number
        at = place + 8 if size <= 4 else struct.unpack_from("<I", data, place + 8)[0]
        tags[tag] = kind, number, data[at:at + size]

    def numbers(tag):
        kind, number, value = tags[tag]
        return struct.unpack(f"<{number}{'H' if kind == 3 else 'I'}", value)

    return tags, [data[at:at + size] for at, size in zip(numbers(273), numbers(279))]


def joined(tags, strips):
    """A TIFF whose data comes last."""
    tags = dict(tags)
    for at in range(2):
        further, start = b"", 8 + 2 + 12 * len(tags) + 4
        body = struct.pack("<H", len(tags))
        first = start + sum(len(value) + len(value) % 2 for _, _, value in tags.values() if len(value) > 4)
        places = [first + sum(map(len, strips[:number])) for number in range(len(strips))]
        for tag, values in ((273, places), (279, [len(strip) for strip in strips])):
            values = [value if strip else 0 for value, strip in zip(values, strips)]
            tags[tag] = 4, len(strips), struct.pack(f"<{len(strips)}I", *values)
    for tag, (kind, number, value) in sorted(tags.items()):
        body += struct.pack("<HHI", tag, kind, number)
        if len(value) <= 4:
            body += value.ljust(4, b"\0")
        else:
            body += struct.pack("<I", start + len(further))
            further += value + b"\0" * (len(value) % 2)
    return b"II*\0" + struct.pack("<I", 8) + body + struct.pack("<I", 0) + further + b"".join(strips)


def saved(mode, codec, rows, **options):
    TiffImagePlugin.STRIP_SIZE = rows or 1 << 30
    file = io.BytesIO()
    page(mode).save(file, "TIFF", compression=None if codec == "none" else codec, dpi=(150, 150), **options)
    tags, strips = parts(file.getvalue())
    if codec == "none" and rows:
        # Pillow writes one strip.
        row = len(strips[0]) // 700
        count = max(1, rows // row)
        strips = [strips[0][at:at + row * count] for at in range(0, len(strips[0]), row * count)]
        tags[278] = 4, 1, struct.pack("<I", count)
    return tags, strips


def harmed(data, damage, seed):
    """The same number of bytes, or fewer."""
    middle, size = len(data) // 3, max(8, len(data) // 8)
    if damage == "cut":
        return data[:len(data) // 2]
    if damage == "hole":
        noise = random.Random(str(seed))
        return data[:middle] + bytes(noise.randrange(256) for _ in range(size)) + data[middle + size:]
    if damage == "zeroed":
        return data[:middle] + bytes(size) + data[middle + size:]
    return data


def tiffs():
    """Names, kinds, damages and bytes."""
    for codec, modes in TIFF_CODECS.items():
        for mode in modes:
            for layout, rows in (("strips", 12_000), ("one", 0)):
                predictors = [1, 2] if codec in ("tiff_lzw", "tiff_adobe_deflate") and mode in ("L", "RGB") else [1]
                for predictor in predictors:
                    try:
                        tags, strips = saved(mode, codec, rows, **({"tiffinfo": {317: 2}} if predictor == 2 else {}))
                    except (OSError, KeyError, ValueError) as error:
                        print(f"not made: TIFF {codec} {mode}: {error}", file=sys.stderr)
                        continue
                    if layout == "strips" and len(strips) < 4:
                        continue
                    kind = f"TIFF {codec.replace('tiff_', '')}{' predictor' if predictor == 2 else ''}", mode, layout
                    for damage in DAMAGES:
                        some = list(strips)
                        place = len(some) // 3
                        if layout == "one" or damage == "cut":
                            if damage == "missing":
                                continue
                            whole = b"".join(some)
                            if damage == "cut":
                                yield kind, damage, joined(tags, some)[:-len(whole) // 2]
                                continue
                            some = [harmed(whole, damage, kind)]
                        elif damage == "missing":
                            some[place] = b""
                        elif damage == "zeroed":
                            some[place] = bytes(len(some[place]))
                        else:
                            some[place] = harmed(some[place], damage, kind)
                        yield kind, damage, joined(tags, some)
    tags, strips = saved("RGB", "tiff_adobe_deflate", 12_000)
    for number in LACKING:
        tags[259] = 3, 1, struct.pack("<H", number)
        yield (f"TIFF compression {number}", "RGB", "strips"), "whole", joined(tags, strips)


# PDF

def pdf(entries, data):
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
               b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 432 336]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>",
               b"<</Length 25>>\nstream\nq 432 0 0 336 0 0 cm /I Do Q\nendstream".replace(b"25", b"27"),
               b"<</Type/XObject/Subtype/Image/Width 900/Height 700%s/Length %d>>\nstream\n%s\nendstream"
               % (entries.encode(), len(data), data)]
    file, offsets = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    file += b"".join(b"%010d 00000 n \n" % at for at in offsets)
    return file + b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)


def ascii85(data):
    import base64
    return base64.a85encode(data) + b"~>"


def up(data, row):
    """The PNG predictor Up."""
    result, above = b"", bytes(row)
    for at in range(0, len(data), row):
        line = data[at:at + row]
        result += b"\2" + bytes((one - two) & 255 for one, two in zip(line, above))
        above = line
    return result


def encoded(mode, form):
    file = io.BytesIO()
    page(mode).save(file, form)
    return file.getvalue()


def pictures(programs):
    spaces = {"1": (1, 1, "/DeviceGray"), "L": (8, 1, "/DeviceGray"), "RGB": (8, 3, "/DeviceRGB"),
              "CMYK": (8, 4, "/DeviceCMYK"), "P": (8, 1, None)}
    for mode, (bits, colors, space) in spaces.items():
        image = page(mode)
        raw = image.tobytes()
        if mode == "P":
            palette = image.getpalette()[:48]
            space = f"[/Indexed/DeviceRGB {len(palette) // 3 - 1}<{bytes(palette).hex()}>]"
        row = (900 * bits * colors + 7) // 8
        common = f"/BitsPerComponent {bits}/ColorSpace{space}"
        lzw = parts_of(mode, "tiff_lzw")
        runs = parts_of(mode, "packbits") + b"\x80"
        predictor = f"/Colors {colors}/BitsPerComponent {bits}/Columns 900"
        yield "raw", mode, common, raw
        yield "hex", mode, common + "/Filter/ASCIIHexDecode", raw.hex().encode() + b">"
        yield "a85 raw", mode, common + "/Filter/ASCII85Decode", ascii85(raw)
        yield "RunLength", mode, common + "/Filter/RunLengthDecode", runs
        yield "LZW", mode, common + "/Filter/LZWDecode", lzw
        yield "Flate", mode, common + "/Filter/FlateDecode", zlib.compress(raw)
        yield "a85 Flate", mode, common + "/Filter[/ASCII85Decode/FlateDecode]", ascii85(zlib.compress(raw))
        yield ("Flate predictor", mode, common + f"/Filter/FlateDecode/DecodeParms<</Predictor 12{predictor}>>",
               zlib.compress(up(raw, row)))
        if mode in ("L", "RGB", "CMYK"):
            # Pillow writes inks as light.
            common += "/Decode[1 0 1 0 1 0 1 0]" if mode == "CMYK" else ""
            yield "DCT", mode, common + "/Filter/DCTDecode", encoded(mode, "JPEG")
            yield "Flate DCT", mode, common + "/Filter[/FlateDecode/DCTDecode]", zlib.compress(encoded(mode, "JPEG"))
        if mode in ("L", "RGB"):
            yield "JPX", mode, common + "/Filter/JPXDecode", encoded(mode, "JPEG2000")
    fax = "/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/CCITTFaxDecode/DecodeParms<</Columns 900/Rows 700/BlackIs1 %s/K %d>>"
    for codec, k in (("group4", -1), ("group3", 0)):
        tags, strips = saved("1", codec, 0)
        black = "true" if tags[262][2][0] == 1 else "false"
        data = b"".join(strips)
        if tags.get(266, (0, 0, b"\1"))[2][0] == 2:
            data = bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)
        yield f"CCITT {codec}", "1", fax % (black, k), data
    with tempfile.TemporaryDirectory() as folder:
        # The only encoder of JBIG2 at hand is procd's own.
        source, made = f"{folder}/a.png", f"{folder}/a.pdf"
        page("1").save(source)
        subprocess.run([f"{programs}/procd", "convert", source, "-o", made], check=True, capture_output=True)
        data = open(made, "rb").read()
        at = data.find(b"/JBIG2Decode")
        if at >= 0:
            start = data.index(b"stream\n", at) + 7
            yield ("JBIG2", "1", "/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/JBIG2Decode",
                   data[start:data.index(b"\nendstream", start)])


def parts_of(mode, codec):
    return b"".join(saved(mode, codec, 0)[1])


def pdfs(programs):
    for name, mode, entries, data in pictures(programs):
        for damage in DAMAGES[:-1]:
            yield (f"PDF {name}", mode, "one"), damage, pdf(entries, harmed(data, damage, (name, mode)))


# Trials

def configuration(workers):
    steps = [{"id": "ocr", "use": "ocr.tesseract", "with": {"languages": ["eng"]}}]
    return {"version": 1, "inbox": {"path": "inbox", "settle": "20ms", "settleUnleased": "20ms", "settleEndMark": "20ms"},
            **({"workers": workers} if workers else {}),
            "pipelines": [{"id": "all", "match": {"name": "*"}, "steps": steps, "emit": ["ocr.text"]}]}


def outcome(folder, name):
    """What came of a file: right, partial, refused, doubted, or silent, with what was told."""
    for place in ("outbox", "quarantine"):
        path = f"{folder}/{place}/{name}.report.json"
        path = path if os.path.exists(path) else next(
            (f"{folder}/{place}/{entry}" for entry in os.listdir(f"{folder}/{place}")
             if entry.startswith(name + ".") and entry.endswith(".json")), None)
        if not path:
            continue
        text = open(path).read()
        report = json.loads(text)
        if place == "quarantine":
            return "refused", text
        words = "".join(open(f"{folder}/outbox/{entry}").read() for entry in os.listdir(f"{folder}/outbox")
                        if entry.startswith(name + ".") and entry.endswith(".txt"))
        if '"partial": true' in text or '"partial":true' in text:
            return "partial", text
        if all(word in words for word in WORDS):
            return "right", text
        doubts = [code for code in ("ocr.unread", "ocr.unsure", "ocr.partly", "ocr.cut") if code in text]
        return ("doubted" if doubts else "silent"), text
    return "lost", ""


def main():
    parser = tool.parser(__doc__)
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--table", action="store_true", help="print a table for the documents")
    parser.add_argument("--keep", help="a folder for the files, which stays")
    options = parser.parse_args()
    programs, started = sites.programs(options.programs), time.monotonic()
    folder = options.keep or tempfile.mkdtemp(prefix="procd-pictures-")
    for place in sites.PLACES:
        os.makedirs(f"{folder}/{place}", exist_ok=True)
    cases = {}
    for source in (tiffs(), pdfs(programs)):
        for (codec, mode, layout), damage, data in source:
            if options.only not in f"{codec} {mode} {layout} {damage}":
                continue
            name = f"{codec} {mode} {layout} {damage}".replace(" ", "-").replace(";", "")
            cases[name] = codec, mode, layout, damage
            with open(f"{folder}/inbox/{name}.{'pdf' if codec.startswith('PDF') else 'tif'}", "wb") as file:
                file.write(data)
    with open(f"{folder}/pipelines.json", "w") as file:
        json.dump(configuration(None), file)
    subprocess.run([f"{programs}/procd", "run", "--once", "--existing", "process", "-c", f"{folder}/pipelines.json"],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    found, bad = {}, []
    for name, (codec, mode, layout, damage) in cases.items():
        came, told = outcome(folder, name)
        found.setdefault((codec, mode, layout), {})[damage] = came
        if codec.startswith("TIFF compression"):
            wanted = came == "refused" and "image.unknown" in told
        elif damage == "whole":
            wanted = came == "right"
        else:
            wanted = (came in ("right", "partial", "refused")
                      or codec in UNNOTICED and damage in ("hole", "zeroed") and came != "lost")
        if not wanted:
            bad.append(f"{name}: {came}")
    if options.table:
        print("| compression or filter | color | layout | " + " | ".join(DAMAGES) + " |")
        print("| --- " * (len(DAMAGES) + 3) + "|")
        for key, row in found.items():
            print("| " + " | ".join([*key, *(row.get(damage, "–") for damage in DAMAGES)]) + " |")
    if not options.keep:
        shutil.rmtree(folder)
    counts = {came: sum(list(row.values()).count(came) for row in found.values())
              for came in ("right", "partial", "refused", "doubted", "silent", "lost")}
    return tool.end(bad, {"test": "pictures", "cases": len(cases), **counts, "failed": len(bad),
                          "seconds": time.monotonic() - started})


if __name__ == "__main__":
    sys.exit(main())
