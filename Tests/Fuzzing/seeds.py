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
for path in (ROOT / "docs/samples").iterdir():
    data = path.read_bytes() if path.is_file() else b""
    if path.suffix == ".pdf":
        for target in ("file", "page"):
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
