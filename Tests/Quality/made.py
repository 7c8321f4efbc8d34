"""Documents made by seed, with what is in them: the truth that reading is held against.

A `Document` is a list of blocks and says nothing of how it is drawn; `drawing.py` does that. The same seed gives the
same documents.
"""
import dataclasses
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
NAMES = """Anna Bruno Clara David Elena Felix Greta Henrik Irene Jonas Karin Lukas Marta Nils Olga Peter Rosa Stefan Tilda
Viktor""".split()
FIELDS = """Name;First name;Date of birth;Street;Postal code;Town;Telephone;Nationality;Occupation;Number of rooms;Floor;
Account number;Bank;Amount;Paid on;Insurance number;Employer;Signature;Place and date;Your reference;Our reference;
Tax number;Period;Contract number;Reason for the request;Previous address;Vehicle;Meter reading""".replace("\n", "").split(";")

ARABIC = """كتاب مدينة ماء بيت طريق مدرسة سنة شهر يوم تقرير رسالة مكتب سوق عمل مال حساب دفع خدمة مشروع جسر حديقة شتاء صيف
متحف مكتبة مجلس محطة معلم طالب سيارة تدفئة ميزانية تجارة صناعة زراعة بحر سفينة قطار مطار غابة حديد فضة نحاس ورق طباعة بحث
تدريب تأمين تقاعد رخصة قرية شمال جنوب شرق غرب وسط عام خاص كبير صغير جديد قديم طويل قصير سريع بطيء""".split()
HEBREW = """ספר עיר מים בית דרך בית־ספר שנה חודש יום דוח מכתב משרד שוק עבודה כסף חשבון תשלום שירות פרויקט גשר גן חורף קיץ
מוזיאון ספרייה מועצה תחנה מורה תלמיד מכונית חימום תקציב מסחר תעשייה חקלאות ים אונייה רכבת נמל יער ברזל כסף נחושת נייר
דפוס מחקר הדרכה ביטוח פנסיה רישיון כפר צפון דרום מזרח מערב מרכז כללי פרטי גדול קטן חדש ישן ארוך קצר מהיר איטי""".split()
CHINESE = """城市 学校 图书馆 报告 预算 道路 公园 冬天 夏天 市场 博物馆 老师 学生 铁路 机场 森林 农业 工业 研究 保险 地区 首都 北方 南方
公共 每月 新的 我们 他们 可以 进行 发展 人口 经济 文化 水电 住房 交通 收入 支出 服务 项目 的 在 和 是 有 了""".split()
JAPANESE = """図書館 学校 報告 予算 道路 公園 冬 夏 市場 先生 学生 鉄道 空港 森林 農業 工業 研究 保険 地域 首都 北 南 の は が を に で と も
します あります です から まで ください データ サービス プロジェクト バス ホテル センター 新しい 大きい 小さい 使う 読む 書く""".split()


@dataclasses.dataclass
class Cell:
    text: str
    columns: int = 1
    rows: int = 1
    # What heads the rows below it stands in the first column, however wide it is drawn.
    isCategory: bool = False
    # A head over several columns, in their middle and with a line below it: nothing else shows what it spans.
    isGroup: bool = False
    # A value of a form that is written over a rule.
    isRuled: bool = False
    # The small label of a box in a form, above its value.
    above: str = ""


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
    # ("heading", level, text), ("text", text), ("item", mark, text), ("table", Table), and ("form", Table, texts): what is
    # drawn as a table, with the texts that belong together: a label and its value, or all lines of an address
    blocks: list
    columns: int = 1
    justified: bool = False
    size: float = 10
    family: str = "serif"
    head: str = ""      # running head and foot of each page
    foot: str = ""
    language: str = "en"
    isRightToLeft: bool = False
    isVertical: bool = False

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
            elif kind == "form":
                yield from rest[1]
            elif kind == "item":
                yield f"{rest[0]} {rest[1]}"
            else:
                yield rest[-1]

    def prose(self):
        return [rest[-1] for kind, *rest in self.blocks if kind in ("heading", "text", "item")]

    def tables(self):
        return [rest[0] for kind, *rest in self.blocks if kind == "table"]


class Maker:
    """Makes documents of the kinds that are listed below."""

    vocabulary, small, blank, stop = WORDS, SMALL, " ", "."

    def __init__(self, seed):
        self.dice = random.Random(seed)

    # MARK: texts

    def words(self, least, most):
        count = self.dice.randint(least, most)
        out = [self.dice.choice(self.vocabulary)]
        while len(out) < count:
            small = out[-1] not in self.small and len(out) < count - 1 and self.dice.random() < .25
            out.append(self.dice.choice(self.small if small else self.vocabulary))
        return self.blank.join(out)

    def label(self, least=1, most=3):
        return self.words(least, most).capitalize()

    def sentence(self):
        text = self.words(7, 18).capitalize()
        if self.dice.random() < .2:
            text += f" {self.dice.choice(('at', 'about', 'over'))} {self.number('number')}"
        return text + "."

    def paragraph(self, least=3, most=7):
        return self.blank.join(self.sentence() for _ in range(self.dice.randint(least, most)))

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

    # MARK: forms and letters

    def entry(self, label):
        """What is written beside the label of a form."""
        d = self.dice
        if "ate" in label or label in ("Paid on", "Period"):
            return self.number("date")
        if "umber" in label or "eference" in label or label in ("Postal code", "Telephone", "Floor", "Meter reading"):
            return f"{d.choice('ABKRX')}-{d.randint(100, 99999)}" if d.random() < .4 else str(d.randint(10, 9_999_999))
        if label == "Amount":
            return self.number("money")
        if "ame" in label:
            return d.choice(NAMES)
        return self.label(4, 8) if d.random() < .15 else self.label(1, 2)

    def form(self):
        """Labels with their values: in boxes, over rules, or behind a colon; several in a line."""
        d = self.dice
        blocks = [("heading", 1, self.label(2, 5)), ("text", self.sentence())]
        for _ in range(d.randint(1, 3)):
            how, across = d.choice(("boxes", "rules", "colons")), d.randint(2, 3)
            names = d.sample(FIELDS, across * d.randint(2, 4))
            fields = [(name, self.entry(name)) for name in names]
            lines = [fields[at:at + across] for at in range(0, len(fields), across)]
            if how == "boxes":
                grid = [[Cell(value, above=name) for name, value in line] for line in lines]
                widths = [480 / across] * across
            else:
                grid = [[cell for name, value in line for cell in (Cell(name + ":" * (how == "colons")), Cell(value, isRuled=how == "rules"))]
                        for line in lines]
                widths = [480 / across * part for part in (.45, .55)] * across
            drawn = Table(grid, 0, ["text"] * len(widths), "grid" if how == "boxes" else "none", "top", 8, widths)
            blocks += [("heading", 2, self.label(1, 3)), ("form", drawn, [f"{name} {value}" for name, value in fields])]
        return dict(blocks=blocks + [("text", self.paragraph(1, 3))], size=d.choice((9, 10)), family=d.choice(("serif", "sans")))

    def letter(self):
        """With an address, labels and values beside it, running text, and who signs it."""
        d = self.dice
        address = [f"{d.choice(NAMES)} {self.label(1, 1)}", f"{self.label(1, 1)} Street {d.randint(1, 200)}",
                   f"{d.randint(10000, 99999)} {self.label(1, 1)}", d.choice(PLACES)]
        fields = [(name, self.entry(name)) for name in ("Your reference", "Our reference", "Date", "Telephone")[-d.randint(2, 4):]]
        grid = [[Cell(address[n]), Cell(fields[n][0] + ":" if n < len(fields) else ""), Cell(fields[n][1] if n < len(fields) else "")]
                for n in range(4)]
        head = Table(grid, 0, ["text"] * 3, "none", "top", 8, [260, 110, 110])
        blocks = [("text", f"{self.label(2, 3)}, {self.label(1, 1)} Square {d.randint(1, 90)}"),
                  ("form", head, [" ".join(address)] + [f"{name} {value}" for name, value in fields]),
                  ("heading", 2, self.label(3, 6)), ("text", f"Dear {d.choice(NAMES)} {self.label(1, 1)},")]
        blocks += [("text", self.paragraph()) for _ in range(d.randint(2, 4))]
        if d.random() < .3:
            blocks.append(("table", self.table(rows=4, rules=d.choice(("grid", "heads")))))
        blocks += [("text", "Yours sincerely,"), ("text", f"{d.choice(NAMES)} {self.label(1, 1)}")]
        return dict(blocks=blocks, justified=d.random() < .3, size=d.choice((10, 11)), family=d.choice(("serif", "sans")),
                    foot=f"{self.label(2, 3)}, account {d.randint(10**9, 10**10)}" if d.random() < .6 else "")

    # MARK: running text

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


class RightToLeft(Maker):
    """Arabic and Hebrew, with figures and Latin words in them. The truth is in logical order.

    A number is never beside Latin words: nothing shows which of them comes first.
    """

    latin = "Linux Europe PDF Unicode Berlin Debian Oxford email".split()

    def sentence(self):
        d = self.dice
        parts = self.words(6, 14).split(" ")
        if d.random() < .4:
            parts.insert(d.randint(1, 2), self.number(d.choice(("number", "year", "date", "percent"))))
        if d.random() < .3:
            parts.insert(d.randint(4, len(parts) - 1), " ".join(d.sample(self.latin, d.randint(1, 3))))
        if d.random() < .2:
            parts[-1] = f"({parts[-1]})"
        return " ".join(parts) + self.stop

    def document(self, language):
        d = self.dice
        kinds = ["label"] + d.sample(("number", "percent", "date", "year"), d.randint(2, 3))
        blocks = [("heading", 1, self.label(2, 4))] + [("text", self.paragraph(2, 5)) for _ in range(d.randint(2, 3))]
        blocks.append(("table", self.table(kinds=kinds, rows=d.randint(4, 8), caption="", rules=d.choice(("grid", "rows", "none")))))
        blocks[-1][1].note = ""
        blocks += [("item", "•", self.words(4, 12)) for _ in range(d.randint(0, 3))] + [("text", self.paragraph(2, 4))]
        return dict(blocks=blocks, justified=d.random() < .4, size=d.choice((10, 11)), family="sans", isRightToLeft=True, language=language)

    def table(self, **how):
        """Its labels are words of the language alone, and its columns wide enough for a wide font."""
        made = super().table(**how, size=13)
        for row in made.grid[made.heads:]:
            row[0].text = self.label(1, 2)
        return made

    def arabic(self):
        self.vocabulary, self.small = ARABIC, ["في", "من", "على", "إلى", "عن", "مع"]
        return self.document("ar")

    def hebrew(self):
        self.vocabulary, self.small = HEBREW, ["של", "על", "את", "עם", "בין", "גם"]
        return self.document("he")


class WithoutBlanks(Maker):
    """Chinese and Japanese: no blanks between words."""

    blank, stop, comma, small = "", "。", "，", []

    def words(self, least, most):
        return "".join(self.dice.choice(self.vocabulary) for _ in range(self.dice.randint(least, most)))

    def label(self, least=1, most=3):
        return self.words(least, most)

    def sentence(self):
        d = self.dice
        parts = [self.words(3, 7) for _ in range(d.randint(1, 3))]
        if d.random() < .3:
            at = d.randrange(len(parts))
            parts[at] += d.choice((str(d.randint(1990, 2026)), f"{d.uniform(1, 99):.1f}%", "PDF", "Linux"))
        return self.comma.join(parts) + self.stop

    def document(self, language, **more):
        d = self.dice
        blocks = [("heading", 1, self.label(2, 4))] + [("text", self.paragraph(3, 6)) for _ in range(d.randint(2, 4))]
        if not more:
            kinds = ["label"] + d.sample(("number", "percent", "date", "year"), d.randint(2, 3))
            blocks.append(("table", self.table(kinds=kinds, rows=d.randint(4, 8), caption="", size=13,
                                                rules=d.choice(("grid", "rows", "none")))))
            for row in blocks[-1][1].grid[1:]:
                row[0].text = self.label(1, 3)
            blocks[-1][1].note = ""
        blocks += [("heading", 2, self.label(2, 3)), ("text", self.paragraph(3, 6))]
        return dict(blocks=blocks, justified=d.random() < .5, size=d.choice((10, 12)), family="sans", language=language, **more)

    def chinese(self):
        self.vocabulary = CHINESE
        return self.document("zh")

    def japanese(self):
        self.vocabulary, self.comma = JAPANESE, "、"
        return self.document("ja")

    def vertical(self):
        self.vocabulary, self.comma = self.dice.choice(((CHINESE, "，"), (JAPANESE, "、")))
        return self.document("ja" if self.comma == "、" else "zh", isVertical=True)


TABLES = ("plain", "labels", "words_between", "category", "headed", "described", "stacked", "missing")
LISTS = ("listed", "listed_apart", "listed_missing")
PROSE = ("story", "columns", "justified")
FORMS = ("form", "letter")
RTL = ("arabic", "hebrew")
CJK = ("chinese", "japanese", "vertical")
SCANS = ("letter", "form", "story", "columns", "plain")
# A character that the fonts of a kind must have.
LETTERS = {"arabic": "ك", "hebrew": "ב", "chinese": "城", "japanese": "の", "vertical": "の"}


def document(kind, number):
    maker = (RightToLeft if kind in RTL else WithoutBlanks if kind in CJK else Maker)(f"{kind} {number}")
    return Document(kind=kind, **getattr(maker, kind)())
