"""How near a reading is to the truth. All figures are per cent, and averages over documents."""
import re
import unicodedata
from collections import Counter


# Characters of scripts without blanks between words: each counts as a word.
CHARACTER = "[\u3005\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"


def plain(text):
    """Without blanks, dashes, dots of leaders and case."""
    text = unicodedata.normalize("NFKC", text or "")
    return re.sub(r"[\s\u00ad\u2010-\u2015\-_.…·]+", "", text).lower()


def words(text):
    """Words that a line's end divides are put together again."""
    text = re.sub(r"(?<=[^\W\d_])[-\u00ad\u2010]\n\s*(?=[^\W\d])", "", text or "")
    # Vowel signs and accents of their own are left out: readers differ in where they put them.
    text = "".join(letter for letter in text if unicodedata.category(letter) not in ("Mn", "Mc"))
    return re.findall(rf"{CHARACTER}|(?:(?!{CHARACTER})[^\W_])+", unicodedata.normalize("NFKC", text).lower())


def pairs(text):
    """Words, but of characters that are written without blanks each pair of neighbors."""
    found = words(text)
    alone = [len(word) == 1 and re.match(CHARACTER, word) is not None for word in found]
    return [word for word, is_alone in zip(found, alone) if not is_alone] + [
        one + other for one, other, *both in zip(found, found[1:], alone, alone[1:]) if all(both)]


def f1(truth, found):
    """Of two counters: the harmonic mean of what was found and what is right of it."""
    right = sum((truth & found).values())
    if not right:
        return 0.0 if truth or found else 1.0
    precision, recall = right / sum(found.values()), right / sum(truth.values())
    return 2 * precision * recall / (precision + recall)


# MARK: tables

def grid_of_truth(table):
    """{(row, column): (number of the cell, text)}; a cell that spans is at each of its places."""
    grid = {}
    for number, (top, left, bottom, right, text) in enumerate(table.cells()):
        if plain(text):
            grid.update({(y, x): (number, plain(text)) for y in range(top, bottom + 1) for x in range(left, right + 1)})
    return grid


def grid_of_rows(rows):
    grid, number = {}, 0
    for y, row in enumerate(rows):
        for x, text in enumerate(row):
            if plain(text):
                grid[y, x] = number, plain(text)
                number += 1
    return grid


def adjacent(grid):
    """Pairs of cells without another between them, to the right and below: the measure of the ICDAR 2013 competition
    (M. Göbel et al., "A methodology for evaluating algorithms for table understanding in PDF documents", 2012)."""
    if not grid:
        return Counter()
    height, width = max(y for y, _ in grid) + 1, max(x for _, x in grid) + 1
    found = set()
    for (y, x), (one, text) in grid.items():
        for down, right in ((0, 1), (1, 0)):
            below, beside = y + down, x + right
            while below < height and beside < width and (below, beside) not in grid:
                below, beside = below + down, beside + right
            other = grid.get((below, beside))
            if other and other[0] != one:
                found.add((one, other[0], down, text, other[1]))
    return Counter((text, other, down) for _, _, down, text, other in found)


def cells(grid):
    return Counter(text for _, text in set(grid.values()))


def rows(grid):
    lines = {}
    for (y, _), (number, text) in sorted(grid.items()):
        line = lines.setdefault(y, {})
        line.setdefault(number, text)
    return Counter("|".join(line.values()) for line in lines.values())


def with_joined_heads(grid, heads):
    """A table with one head: of several levels, the texts of a column are joined."""
    if heads < 2:
        return grid
    joined = {(y - heads + 1, x): cell for (y, x), cell in grid.items() if y >= heads}
    for x in {x for _, x in grid}:
        levels = [grid[y, x][1] for y in range(heads) if (y, x) in grid]
        if levels:
            joined[0, x] = (-1 - x, "".join(levels))
    return joined


def tables(truth, found):
    """(adjacency, cells, rows), each 0 to 1. Levels of a head may be rows of their own or joined."""
    found = [grid_of_rows(one) for one in found]
    apart = [grid_of_truth(one) for one in truth]
    joined = [with_joined_heads(grid, one.heads) for grid, one in zip(apart, truth)]
    return max(tuple(f1(sum(map(count, grids), Counter()), sum(map(count, found), Counter())) for count in (adjacent, cells, rows))
               for grids in (apart, joined))


def tables_of_rows(truth, found):
    """(adjacency, cells, rows) where the truth is rows of cells, too."""
    truth, found = [[grid_of_rows(one) for one in tables] for tables in (truth, found)]
    return tuple(f1(sum(map(count, truth), Counter()), sum(map(count, found), Counter())) for count in (adjacent, cells, rows))


def listed(document, found):
    """F1 of the rows of a status list: number, status and date."""
    table = document.tables()[0]
    places = [table.kinds.index(kind) for kind in ("batch", "status", "date")]
    truth = Counter(tuple(plain(row[place].text) for place in places) for row in table.grid[table.heads:])
    return f1(truth, Counter(tuple(map(plain, row)) for row in found))


def prose_rows(document, found):
    """How many rows of tables are made of the document's running text."""
    prose = [plain(text) for text in document.prose()]
    inside = {plain(text) for text in document.texts()} - set(prose)
    count = 0
    for table in found:
        for row in table:
            texts = [plain(text) for text in row if len(plain(text)) > 6]
            count += any(text not in inside and any(text in paragraph for paragraph in prose) for text in texts)
    return count


# MARK: text

def reading(truth, text):
    """The share of paragraphs and cells that follow each other as they should, of those that are found at all.

    A piece is found by its first and last words; one that is broken off by another does not count as found.
    """
    whole = "".join(words(text))
    pieces = ["".join(words(piece)) for piece in truth]
    pieces = [piece for piece in pieces if len(piece) > 8]
    at, right, position = [], 0, -1
    for piece in pieces:
        place = whole.find(piece, max(position, 0))
        at.append(place if place >= 0 else None)
        if place >= 0:
            position, right = place, right + 1
    return right / len(pieces) if pieces else 1.0


def wording(truth, text):
    return f1(Counter(pairs("\n".join(truth))), Counter(pairs(text)))


def whole(truth, text):
    """The share of pieces that nothing else breaks, wherever they are: a label with its value, an address, a paragraph."""
    text = "".join(words(text))
    pieces = ["".join(words(piece)) for piece in truth]
    return sum(piece in text for piece in pieces) / len(pieces) if pieces else 1.0
