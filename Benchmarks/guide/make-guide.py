#!/usr/bin/env python3
"""Writes a made programme guide in XMLTV.

    Benchmarks/guide/make-guide.py --megabytes 100 > guide.xml
    Benchmarks/guide/make-guide.py --programmes 200000 --channels 500 > guide.xml

What it says is made up from lists of words, with the same numbers each time. It is made as real guides
are: series have many episodes, each with a description of its own; most episodes and films run again
within the two weeks, and some channels show what another shows an hour later; descriptions are from
nothing to some hundred letters.
"""
import argparse
import datetime
import itertools
import random
import sys
from xml.sax.saxutils import escape

FIRST = "Silent Golden Lost Hidden Broken Distant Winter Summer Midnight Crimson Northern Southern Secret " \
    "Forgotten Burning Frozen Little Great Wild Quiet Stolen Last First Blue Green Early Late Old New".split()
SECOND = "Harbour River Garden Mountain City Island Road Station Kitchen Detective Doctor Teacher Village " \
    "Forest Castle Bridge Market Letter Family Planet Ocean Valley Train Night Morning Voyage Orchestra " \
    "Stadium Museum Lighthouse Bakery Farm Desert Canyon Theatre Library Hospital Court Studio".split()
MARKED = "Café Straße Fußball Señor Élysée Größe Škoda København Łódź Čapek Новости Погода Кино Вечер".split()
COMMON = "the of and a to in is that for his her with on as at by from their they when who which but one all " \
    "after before about must has had find out where life time years day world story people home friends new " \
    "old young man woman children love work team case truth past future".split()
GENRES = ["Film", "Series", "News", "Sports", "Documentary", "Children", "Music", "Comedy", "Drama", "Quiz",
          "Magazine", "Crime", "Nature", "Science", "Cooking", "Travel"]
NAMES = [f"{a} {b}" for a in ("Anna Boris Clara David Elena Felix Greta Hugo Irina Jonas Karin Leo Maria Nils Olga "
                              "Paul Rosa Simon Tilda Viktor").split()
         for b in ("Adler Brandt Castell Dorn Ekberg Fontaine Gruber Hansen Ivanov Jensen Keller Lindqvist Moreau "
                   "Novak Okafor Petrov Quint Rossi Schäfer Tanaka").split()]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        pick = self.random
        # A vocabulary in which few words are common and most are rare, as in any language (Zipf's law).
        parts = "ba be bo ca ce co da de di do fa fe ga ge ha he in ka ke la le li lo ma me mi mo na ne no pa pe " \
            "ra re ri ro sa se si so ta te ti to va ve vi wa we za".split()
        rare = sorted({"".join(pick.choice(parts) for _ in range(pick.randint(2, 4))) for _ in range(30000)})
        pick.shuffle(rare)
        self.words = COMMON + SECOND + MARKED + rare
        self.weights = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(len(self.words))))
        self.shows = []
        for number in range(4000):
            title = f"{pick.choice(FIRST)} {pick.choice(SECOND)}"
            if number % 7 == 0:
                title = f"{pick.choice(MARKED)} {title}"
            if number % 3 == 0:
                title = f"The {title}s"
            self.shows.append((title, pick.choice(GENRES), pick.choice((15, 25, 30, 45, 60, 90, 120))))
        self.aired = []

    def sentence(self, words):
        text = " ".join(self.random.choices(self.words, cum_weights=self.weights, k=words))
        return text[:1].upper() + text[1:] + "."

    def programme(self):
        """Something to show: often what was shown before."""
        pick = self.random
        if self.aired and pick.random() < 0.5:
            return pick.choice(self.aired[-20000:])
        title, genre, minutes = pick.choice(self.shows)
        about = " ".join(self.sentence(pick.randint(6, 18)) for _ in range(pick.randint(0, 5)))
        lines = [f'    <title lang="en">{escape(title)}</title>\n']
        if genre not in ("News", "Film"):
            lines.append(f'    <sub-title lang="en">{escape(self.sentence(pick.randint(1, 4))[:-1])}</sub-title>\n')
        if about:
            lines.append(f'    <desc lang="en">{escape(about)}</desc>\n')
        if genre in ("Film", "Series", "Drama", "Crime", "Comedy"):
            lines.append("    <credits>\n")
            lines.append(f"      <director>{escape(pick.choice(NAMES))}</director>\n")
            for _ in range(pick.randint(1, 4)):
                lines.append(f'      <actor role="{pick.choice(SECOND)}">{escape(pick.choice(NAMES))}</actor>\n')
            lines.append("    </credits>\n")
        lines.append(f"    <date>{pick.randint(1960, 2026)}</date>\n    <category lang=\"en\">{genre}</category>\n")
        if pick.random() < 0.3:
            lines.append(f'    <icon src="https://pictures.example/{pick.randint(1, 99999)}.jpg" />\n')
        if genre in ("Series", "Drama", "Crime", "Comedy"):
            season, episode = pick.randint(0, 9), pick.randint(0, 23)
            lines.append(f'    <episode-num system="xmltv_ns">{season}.{episode}.0/1</episode-num>\n')
            lines.append(f'    <episode-num system="onscreen">S{season + 1:02}E{episode + 1:02}</episode-num>\n')
        if pick.random() < 0.4:
            lines.append(f'    <rating system="FSK"><value>{pick.choice((0, 6, 12, 16))}</value></rating>\n')
        made = (minutes, "".join(lines))
        self.aired.append(made)
        return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--channels", type=int, default=500)
    parser.add_argument("--programmes", type=int, default=0)
    parser.add_argument("--megabytes", type=int, default=0)
    parser.add_argument("--days", type=int, default=14)
    parser.add_argument("--start", default="20260105", help="the first day, YYYYMMDD")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    maker = Maker(options.seed)
    out = sys.stdout.buffer
    written = 0

    def write(text):
        nonlocal written
        data = text.encode()
        written += len(data)
        out.write(data)

    write('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n'
          '<tv generator-info-name="make-guide">\n')
    for number in range(options.channels):
        write(f'  <channel id="c{number}.example">\n'
              f'    <display-name>{escape(maker.random.choice(FIRST))} {number}</display-name>\n  </channel>\n')
    first = datetime.datetime.strptime(options.start, "%Y%m%d")
    count, limit = 0, options.programmes or 10 ** 9
    size = options.megabytes * 10 ** 6 or 10 ** 15
    for number in range(options.channels):
        share = (number + 1) / options.channels
        now, end = first, first + datetime.timedelta(days=options.days)
        unlimited = options.programmes or options.megabytes
        while (count < limit * share and written < size * share) if unlimited else now < end:
            minutes, text = maker.programme()
            if unlimited:
                # As many programmes as are asked for, in as many days.
                wanted = options.days * 1440 * options.channels / (options.programmes or size / 560)
                minutes = max(1, round(wanted * maker.random.choice((0.5, 0.75, 1, 1.25, 1.5))))
            stop = now + datetime.timedelta(minutes=minutes)
            write(f'  <programme start="{now:%Y%m%d%H%M%S} +0100" stop="{stop:%Y%m%d%H%M%S} +0100" '
                  f'channel="c{number}.example">\n{text}  </programme>\n')
            now = stop
            count += 1
    write("</tv>\n")
    print(f"{count} programmes, {written / 1e6:.1f} MB, {len(maker.aired)} of them different", file=sys.stderr)


main()
