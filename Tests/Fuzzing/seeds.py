#!/usr/bin/env python3
"""Writes seeds for the fuzz targets into FOLDER/TARGET/: pieces of the sample documents, and small
inputs that reach each part of a parser."""
import pathlib, re, sys, zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
folder = pathlib.Path(sys.argv[1])


def seed(target, name, data):
    (folder / target).mkdir(parents=True, exist_ok=True)
    (folder / target / name).write_bytes(data if isinstance(data, bytes) else data.encode())


CONTENT = """q 1 0 0 1 5 5 cm BT /F1 9 Tf 12 TL 1 Tc 2 Tw 90 Tz 3 Ts [(a) -300 (b\\051)] TJ T* <4142> Tj
(x) ' 1 2 (y) " 0 1 -1 0 50 50 Tm (up) Tj ET Q BI /W 1 /H 1 /F /AHx ID 00> EI
/Span <</ActualText (fi)>> BDC (xyz) Tj EMC /OC /A BDC EMC /X Do /G gs"""
seed("content", "operators", CONTENT)
seed("lexer", "tokens", CONTENT + " << /A#20B [1 -2.5 +.3 4e (\\(n\\)est(ed)) <48 6>] >> % c\n true null")
seed("object", "dictionary", "<</A[1 0 R(\\101)<</B/C>>]/D<FEFF0041>/E -1.5/F true/G null>>")
seed("ascii85", "text", "<~87cURD]i,\"Ebo80~>")
seed("asciihex", "text", "48 65 6C6c 6F>")
seed("runlength", "runs", bytes([2, 65, 66, 67, 250, 68, 128]))
seed("flate", "text", zlib.compress(b"stream of bytes " * 20))
seed("lzw", "text", bytes.fromhex("800B6050220C0C8501"))
seed("predictor", "png", bytes([15, 1, 8, 4]) + bytes([0, 1, 2, 3, 4, 2, 1, 1, 1, 1, 4, 9, 9, 9, 9]))
seed("predictor", "tiff", bytes([2, 3, 8, 2]) + bytes(range(24)))
seed("cmap", "ranges", """/CIDInit begincmap /WMode 1 def /Base usecmap
1 begincodespacerange <00> <FFFF> endcodespacerange
2 beginbfchar <01> <D83DDE00> <0002> /space endbfchar
2 beginbfrange <0003> <0005> <0041> <06> <08> [<0041> <0042> <0043>] endbfrange
1 begincidrange <0000> <00ff> 7 endcidrange 1 begincidchar <01> 3 endcidchar endcmap""")
seed("type1", "encoding", """%!PS-AdobeFont-1.0 /Encoding 256 array 0 1 255 {1 index exch /.notdef put} for
dup 65 /A put dup 8#102 /B put readonly def currentfile eexec""")
seed("json", "values", '{"a":[1,-2.5e3,"\\u0041\\n",true,null],"b":{"c":{}}}')
seed("message", "run", '{"t":"run","id":"a","step":"s","job":"j","attempt":1,"in":{"source":{"path":"/a","mime":"b","bytes":1,"sha256":""}},"options":{},"work":"/w","limits":{"pages":1}}')
seed("message", "done", '{"t":"done","id":"a","ok":false,"error":{"class":"input","code":"a.b","msg":"m"}}')
seed("configuration", "shipped", (ROOT / "pipelines.json").read_bytes())

def segment(number, kind, data, references=b""):
    """A segment of JBIG2 data."""
    return (number.to_bytes(4, "big") + bytes([kind, len(references) << 5]) + references + b"\1"
            + len(data).to_bytes(4, "big") + data)


def region(width, height):
    return b"".join(n.to_bytes(4, "big") for n in (width, height, 0, 0)) + b"\0"


NOISE = bytes((n * 167 + n * n * 31) % 256 for n in range(60)) + b"\xff\xac"
USUAL = bytes([3, 255, 253, 255, 2, 254, 254, 254])
PAGE = segment(0, 48, bytes.fromhex("0000004000000040 0000000000000000 00 0000"))
DICTIONARY = segment(1, 0, b"\0\0" + USUAL + bytes(7) + b"\2" + bytes(3) + b"\2" + NOISE)
for name, rest in {
    "generic": segment(1, 38, region(64, 64) + b"\x08" + USUAL + NOISE),
    "template3": segment(1, 38, region(64, 64) + b"\x06\2\xff" + NOISE),
    "fax": segment(1, 38, region(64, 8) + b"\1" + bytes.fromhex("26a190d71a001001")),
    "refinement": segment(1, 36, region(64, 64) + b"\0" + USUAL + NOISE)
    + segment(2, 42, region(64, 64) + b"\2\xff\xff\xff\xff" + NOISE, b"\1"),
    "symbols": DICTIONARY + segment(2, 6, region(64, 64) + b"\0\x10\0\0\0\3" + NOISE, b"\1"),
    "aggregates": segment(1, 0, b"\0\2" + USUAL + b"\xff\xff\xff\xff" + bytes(7) + b"\2"
                          + bytes(3) + b"\2" + NOISE),
    "huffman": segment(1, 0, b"\0\1" + bytes(7) + b"\2" + bytes(3) + b"\2" + NOISE)
    + segment(2, 6, region(64, 64) + b"\0\x13\0\0\0\0\0\3" + NOISE, b"\1"),
    "halftone": segment(1, 16, b"\0\4\4\0\0\0\7" + NOISE)
    + segment(2, 22, region(64, 64) + b"\x08" + bytes.fromhex(
        "00000010 00000010 00000000 00000000 0400 0000") + NOISE, b"\1"),
    "table": segment(1, 53, bytes.fromhex("42 ffffff00 00000100") + NOISE),
}.items():
    seed("jbig2", name, b"\0" + PAGE + rest + segment(9, 49, b""))
    seed("picture", "jbig2-" + name, b"<</Width 64/Height 64/BitsPerComponent 1/Filter/JBIG2Decode>>\n"
         + PAGE + rest)
for mode in (0, 1, 2, 16, 33):
    seed("fax", str(mode), bytes([mode, 7]) + bytes.fromhex("0011354d9a26a190d71a00100100"))
SAMPLES = bytes(range(256)) * 2
FUNCTION = "{dup 0.5 gt {exch pop 1 sub neg} {2 copy add 3 1 roll pop pop} ifelse}"
for name, entries in {
    "gray4": "/BitsPerComponent 4/ColorSpace/DeviceGray/Decode[1 0]",
    "rgb16": "/BitsPerComponent 16/ColorSpace/DeviceRGB",
    "cmyk": "/BitsPerComponent 8/ColorSpace/DeviceCMYK/Mask[0 9 0 9 0 9 0 9]",
    "indexed": "/BitsPerComponent 2/ColorSpace[/Indexed/DeviceRGB 3<000000 808080 FF0000 FFFFFF>]",
    "lab": "/BitsPerComponent 8/ColorSpace[/Lab<</WhitePoint[1 1 1]/Range[-9 9 -9 9]>>]",
    "spot": "/BitsPerComponent 8/ColorSpace[/Separation/S/DeviceCMYK<</FunctionType 2/Domain[0 1]"
            "/C0[0 0 0 0]/C1[0 1 1 0]/N 1.5>>]",
    "stitched": "/BitsPerComponent 8/ColorSpace[/Separation/S/DeviceGray<</FunctionType 3/Domain[0 1]"
                "/Bounds[.5]/Encode[0 1 1 0]/Functions[<</FunctionType 2/Domain[0 1]/N 1>>"
                "<</FunctionType 2/Domain[0 1]/N 2>>]>>]",
    "fax": "/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 16/BlackIs1 true>>",
    "stencil": "/ImageMask true/Decode[1 0]",
    "chain": "/BitsPerComponent 8/ColorSpace/DeviceGray/Filter[/AHx/RL]",
}.items():
    seed("picture", name, f"<</Width 16/Height 8{entries}>>\n".encode() + SAMPLES)


def document(*streams):
    """A page of 100 by 100 points whose first stream is its content, the others images."""
    out, objects = b"%PDF-1.4\n", "".join(f"/I{n} {n + 4} 0 R" for n in range(len(streams)))
    out += b"1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n"
    out += b"2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 100 100]>> endobj\n"
    out += (f"3 0 obj <</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<<{objects}>>"
            "/ExtGState<</G<</ca .5/BM/Multiply>>>>/Font<</F<</Type/Font/BaseFont/GlyphLessFont>>>>>>>>"
            " endobj\n").encode()
    for number, (entries, data) in enumerate(streams):
        out += f"{number + 4} 0 obj <<{entries}/Length {len(data)}>> stream\n".encode() + data
        out += b"\nendstream endobj\n"
    return out + b"trailer <</Root 1 0 R>>\n"


IMAGE = "/Subtype/Image/Width 16/Height 16/BitsPerComponent 8/ColorSpace/DeviceGray"
seed("composition", "all", document(
    ("", b"q 50 0 0 50 5 5 cm /I1 Do Q q 10 10 30 40 re W n 0 40 -40 0 90 5 cm /I2 Do Q /G gs "
         b"1 0 0 rg 5 5 m 60 9 l 20 30 40 60 9 80 c h f* /I3 Do BT 3 Tr /F 9 Tf (old) Tj (x) ' ET "
         b"q 9 0 0 9 1 1 cm BI /W 2 /H 2 /BPC 8 /CS /G ID abcd EI Q"),
    (IMAGE + "/SMask 6 0 R", SAMPLES), ("/Subtype/Image/ImageMask true/Width 16/Height 16", SAMPLES),
    ("/Subtype/Form/BBox[0 0 90 90]/Matrix[1 .1 0 1 3 3]",
     b"BT 3 Tr (hidden) Tj ET 0 0 20 20 re f Q")))
seed("notes", "document", b"""%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj 2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 100 100]>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/Rotate 90/Annots[4 0 R 5 0 R 6 0 R<</Subtype/Ink/Rect[1 2 3 4]/InkList[[1 2 3 4]]>>
<</Subtype/Link/Rect[1 2 3 4]/A<</S/URI/URI(x:y)>>>>]>> endobj
4 0 obj <</Subtype/Highlight/Rect[1 2 30 40]/QuadPoints[1 40 30 40 1 2 30 2]/C[1 1 0]/NM(a)/M(D:20240102030405Z)/CA .5
/Popup<</Subtype/Popup/Rect[9 9 20 20]>>>> endobj
5 0 obj <</Subtype/Text/Rect[1 2 30 40]/RC(<p>a &amp; b</p>)/IRT 4 0 R/StateModel(Review)/State(None)>> endobj
6 0 obj <</Subtype/FreeText/Rect[1 2 30 40]/Contents(abc)/DA(1 g /F 9 Tf)/BS<</W 2/S/D/D[1 2]>>/RD[1 1 1 1]>> endobj
trailer <</Root 1 0 R>>
""")
seed("notes", "xfdf", """<?xml version="1.0"?><xfdf xmlns="http://ns.adobe.com/xfdf/"><annots>
<line page="0" rect="1,2,30,40" start="1,2" end="30,40" head="OpenArrow" tail="Slash" name="a" color="#ff0000"/>
<ink page="0" rect="1,2,3,4" flags="print"><inklist><gesture>1,2;3,4</gesture></inklist></ink>
<freetext page="0" rect="1,2,90,20"><contents-richtext><body xmlns="http://www.w3.org/1999/xhtml"><p>a</p></body>
</contents-richtext><defaultappearance>1 0 0 rg /F 9 Tf</defaultappearance></freetext>
<fileattachment page="0" rect="1,2,3,4" file="a"><data MODE="raw" encoding="hex">00ff</data></fileattachment>
</annots></xfdf>""")
seed("notes", "json", """[{"type":"Highlight","words":"some words","id":"a","color":"#ffff00"},
{"type":"Stamp","page":1,"box":[1,2,90,40],"icon":"Draft"},{"type":"Text","page":1,"box":[1,2,3,4],"inReplyTo":"a"},
{"type":"Polygon","page":1,"vertices":[1,2,30,40,5,6],"dashes":[1,2]},{"type":"Link","page":1,"box":[1,2,3,4],
"target":{"page":1}},{"type":"Squiggly","page":1,"quads":[[1,2,30,2,1,9,30,9]],"popup":{"box":[1,2,3,4],"open":true}}]""")
EXIF = bytes.fromhex("49492a00080000000300 12010300010000000600 0000 1a0105000100000032000000"
                     "1b0105000100000032000000 00000000 2c01000001000000")
seed("exif", "oriented", EXIF)
seed("exif", "motorola", bytes.fromhex("4d4d002a00000008000101120003000000010008000000000000"))
for path in (ROOT / "docs/samples").iterdir():
    data = path.read_bytes() if path.is_file() else b""
    if path.suffix == ".pdf":
        for target in ("file", "page", "composition"):
            seed(target, path.name, data)
        for number, found in enumerate(re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", data, re.S)):
            seed("flate", f"{path.stem}-{number}", found[1][:20000])
            try:
                text = zlib.decompress(found[1])
            except zlib.error:
                continue
            target = "truetype" if text[:4] in (b"\0\1\0\0", b"true") else \
                "cmap" if b"begincmap" in text else "cff" if text[:2] == b"\1\0" else "content"
            seed(target, f"{path.stem}-{number}", text[:20000])
    elif path.suffix in (".jpg", ".png", ".tif"):
        seed("imageheader", path.name, data[:4000])

# libmagic looks at what a file begins with: one of each kind that people drop.
for name, data in {
    "pdf": b"%PDF-1.7\n1 0 obj", "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0",
    "jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0\xff\xdb", "tiff": b"II*\0\x08\0\0\0\1\0\0\1\3\0\1\0\0\0\1\0\0\0",
    "zip": b"PK\3\4\x14\0\0\0\x08\0" + bytes(16) + b"\x08\0\0\0mimetypeapplication/epub+zip", "gzip": b"\x1f\x8b\x08\x08\0\0\0\0\0\3a\0",
    "elf": b"\x7fELF\2\1\1" + bytes(9) + b"\3\0\x3e\0\1\0\0\0" + bytes(40), "ole": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504),
    "xml": b"<?xml version=\"1.0\"?><svg xmlns=\"x\"/>", "mail": b"From: a@b\r\nTo: c@d\r\nSubject: x\r\n\r\ntext",
    "tar": b"a" + bytes(99) + b"0000644\0" * 3 + b"00000000000\0" * 2 + b"012345\0 0" + bytes(100) + b"ustar\00000" + bytes(247),
    "json": b'{"a": [1, 2, {"b": null}]}', "webp": b"RIFF\x24\0\0\0WEBPVP8 ", "csv": b"a,b,c\n1,2,3\n4,5,6\n",
}.items():
    seed("magic", name, data)
