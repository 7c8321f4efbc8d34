// The guide that stands in this page: unpacks it, and answers what runs when.
const Guide = (() => {
  const guide = { names: [], rows: [], from: 0, to: 0 };
  const blocks = new Map();

  async function unpacked(element) {
    const packed = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  /** Each row: where programmes begin and end (minutes since 1970), what they are, their marks. */
  function row(numbers, from) {
    const count = numbers.length / 4;
    const row = {
      starts: new Int32Array(count), stops: new Int32Array(count), works: new Int32Array(count),
      marks: new Uint8Array(count), count,
    };
    let time = from;
    for (let index = 0; index < count; index++) {
      const start = time + numbers[4 * index];
      time = start + numbers[4 * index + 1];
      row.starts[index] = start;
      row.stops[index] = time;
      row.works[index] = numbers[4 * index + 2];
      row.marks[index] = numbers[4 * index + 3];
    }
    return row;
  }

  guide.load = async () => {
    const element = document.getElementById("core");
    const core = await unpacked(element);
    element.remove();
    Object.assign(guide, core);
    guide.rows = core.showings.map((numbers) => row(numbers, core.from));
    delete guide.showings;
    guide.blockElements = [...document.querySelectorAll("script.block")];
    guide.count = guide.rows.reduce((sum, row) => sum + row.count, 0);
    guide.format(core.zone);
  };

  guide.title = (work) => guide.titles[guide.works[work]] || "Without a title";
  guide.subtitle = (work) => guide.subtitles[work];
  /** Its kind, as a number; one letter for each work. */
  guide.genre = (work) => guide.genres.charCodeAt(work) - 48;
  guide.genreNames = ["", "Films", "Series", "News", "Sports", "Documentaries", "Children", "Music and arts", "Shows"];

  /** The first programme of a row that ends after a time. */
  guide.firstAt = (row, time) => {
    let low = 0, high = row.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (row.stops[middle] > time) high = middle; else low = middle + 1;
    }
    return low;
  };

  /** The description and the details of a work. */
  guide.details = async (work) => {
    const index = Math.floor(work / guide.blockSize);
    if (!blocks.has(index)) {
      if (blocks.size > 40) blocks.delete(blocks.keys().next().value);
      blocks.set(index, unpacked(guide.blockElements[index]));
    }
    const [about, details] = (await blocks.get(index))[work % guide.blockSize];
    return { about, details };
  };

  // Times are shown in the zone that the page names, else in that of whoever looks at it.
  guide.format = (zone) => {
    const make = (options) => {
      try {
        return new Intl.DateTimeFormat(undefined, { ...options, timeZone: zone || undefined });
      } catch {
        return new Intl.DateTimeFormat(undefined, options);
      }
    };
    const clock = make({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    const short = make({ weekday: "short", day: "numeric", month: "short" });
    const least = make({ weekday: "short", day: "numeric" });
    const long = make({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
    const parts = make({
      year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", hourCycle: "h23",
    });
    const date = (minute) => new Date(minute * 60000);
    guide.clock = (minute) => clock.format(date(minute));
    guide.day = (minute) => short.format(date(minute));
    guide.shortDay = (minute) => least.format(date(minute));
    guide.longDay = (minute) => long.format(date(minute));
    /** Minutes that clocks are ahead of UTC. */
    guide.ahead = (minute) => {
      const found = {};
      for (const part of parts.formatToParts(date(minute))) found[part.type] = Number(part.value);
      return Math.round(
        Date.UTC(found.year, found.month - 1, found.day, found.hour, found.minute) / 60000) - minute;
    };
  };

  /** Minutes after midnight by the clock. */
  guide.clockTime = (minute) => (((minute + guide.ahead(minute)) % 1440) + 1440) % 1440;

  /** When the clock shows a time in the day of the guide that begins then. */
  guide.atClock = (begin, time) => {
    const wanted = begin + ((time - guide.dayStarts) % 1440 + 1440) % 1440;
    return wanted + guide.ahead(begin) - guide.ahead(wanted);
  };

  /** The beginnings of the guide's days, which are 23 or 25 hours apart where clocks change. */
  guide.dayBegins = () => {
    const begins = [];
    let clock = guide.from + guide.ahead(guide.from);
    clock = Math.floor((clock - guide.dayStarts) / 1440) * 1440 + guide.dayStarts;
    for (;; clock += 1440) {
      let time = clock - guide.ahead(clock - guide.ahead(guide.from));
      time = clock - guide.ahead(time);
      if (time >= guide.to) return begins;
      begins.push(time);
    }
  };

  /** Letters without marks, small: what is compared when searching. */
  const without = { "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "a", "œ": "o" };
  guide.plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/[ßøłđıæœ]/g, (letter) => without[letter]);
  return guide;
})();
