// The page around the grid: days, coverage, times, search, keys.
const Page = (() => {
  const find = (name) => document.getElementById(name);
  const days = find("days"), words = find("words"), results = find("results"), clock = find("clock");
  const mostResults = 200;
  let current = -1, searching = 0, plainTitles = null;

  async function start() {
    try {
      await Guide.load();
    } catch (error) {
      find("wait").textContent = "The guide in this page cannot be unpacked; the file is damaged, or the browser "
        + "is older than 2023.";
      return;
    }
    find("wait").remove();
    if (matchMedia("(max-width: 640px)").matches) Grid.scale = 3;
    showCoverage();
    makeDays();
    Grid.onOpen = Details.open;
    Grid.onMove = moved;
    Grid.start();
    const now = Date.now() / 60000;
    if (now >= Guide.from && now < Guide.to) Grid.goTo(now); else Grid.goTo(Guide.from, 0);
    requestAnimationFrame(() => Grid.settle());
    connect();
  }

  // Days and coverage

  /** The share of a span that is known, over all channels. */
  function known(from, to) {
    let sum = 0;
    for (const row of Guide.rows)
      for (let index = Guide.firstAt(row, from); index < row.count && row.starts[index] < to; index++)
        sum += Math.min(row.stops[index], to) - Math.max(row.starts[index], from);
    return Guide.rows.length ? sum / ((to - from) * Guide.rows.length) : 0;
  }

  function makeDays() {
    const begins = Guide.dayBegins();
    begins.forEach((begin, index) => {
      const end = begins[index + 1] ?? Guide.to, share = Math.floor(known(begin, end) * 100 + 0.5);
      const button = document.createElement("button");
      button.type = "button";
      button.append(Guide.day(begin));
      const bar = document.createElement("span"), fill = document.createElement("i");
      bar.className = "known";
      fill.style.width = `${share}%`;
      bar.append(fill);
      button.append(bar);
      button.title = `${share} % of the day is known`;
      button.setAttribute("aria-label", `${Guide.longDay(begin)}, ${share} % known`);
      button.addEventListener("click", () => Grid.goTo(begin, 0));
      days.append(button);
    });
  }

  function showCoverage() {
    let first = Infinity, last = -Infinity;
    for (const row of Guide.rows) {
      if (!row.count) continue;
      first = Math.min(first, row.starts[0]);
      last = Math.max(last, row.stops[row.count - 1]);
    }
    const count = (number, word) => `${number.toLocaleString()} ${word}${number === 1 ? "" : "s"}`;
    const share = Math.round(known(Guide.from, Guide.to) * 100);
    find("coverage").textContent = Guide.count
      ? `${count(Guide.rows.length, "channel")}, ${count(Guide.count, "programme")}, ${Guide.day(first)} `
        + `${Guide.clock(first)} to ${Guide.day(last)} ${Guide.clock(last)}, ${share} % of the time known`
        + ` · loaded ${Guide.day(Guide.loaded)} ${Guide.clock(Guide.loaded)}`
        + (Guide.zone ? ` · times of ${Guide.zone}` : "")
      : "The guide is empty.";
  }

  function moved(view) {
    const day = Grid.dayOf(view.from);
    if (day === current) return;
    days.children[current]?.removeAttribute("aria-current");
    current = day;
    const button = days.children[day];
    if (!button) return;
    button.setAttribute("aria-current", "date");
    days.scrollLeft = button.offsetLeft - days.clientWidth / 2 + button.offsetWidth / 2;
  }

  function goToClock() {
    const [hours, minutes] = clock.value.split(":").map(Number);
    if (!Number.isFinite(hours)) return;
    const begin = Grid.days()[Math.max(0, current)] ?? Guide.from;
    Grid.goTo(begin + ((hours * 60 + minutes - Guide.dayStarts) % 1440 + 1440) % 1440, 0.1);
  }

  // Search

  /** Titles first, then sub-titles; descriptions are searched behind them. */
  async function search() {
    const run = ++searching, terms = Guide.plain(words.value).split(/\s+/).filter(Boolean);
    const isOpen = terms.length > 0;
    results.hidden = !isOpen;
    words.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) return;
    plainTitles ??= Guide.titles.map(Guide.plain);
    const scores = new Map();
    for (let work = 0; work < Guide.works.length; work++) {
      const title = plainTitles[Guide.works[work]];
      let score = 0;
      for (const term of terms) {
        const at = title.indexOf(term);
        if (at === 0) score += 5; else if (at > 0) score += title[at - 1] === " " ? 4 : 2;
        else if (Guide.subtitles[work] && Guide.plain(Guide.subtitles[work]).includes(term)) score += 1;
        else { score = 0; break; }
      }
      if (score) scores.set(work, score);
    }
    show(scores, terms, true);
    const abouts = new Map(scores);
    for (let work = 0; work < Guide.works.length; work++) {
      // Unpacking a block gives way to what is typed meanwhile.
      const { about } = work % Guide.blockSize === 0 ? await Guide.details(work) : { about: null };
      if (run !== searching) return;
      if (about === null) continue;
      const last = Math.min(work + Guide.blockSize, Guide.works.length);
      for (let at = work; at < last; at++) {
        if (abouts.has(at)) continue;
        const text = Guide.plain((await Guide.details(at)).about);
        if (terms.every((term) => text.includes(term))) abouts.set(at, 0.5);
      }
      if (run !== searching) return;
    }
    show(abouts, terms, false);
  }

  function show(scores, terms, isGoingOn) {
    const now = Date.now() / 60000, isPast = now >= Guide.to;
    const found = [];
    let all = 0;
    Guide.rows.forEach((row, rowIndex) => {
      for (let index = isPast ? 0 : Guide.firstAt(row, now); index < row.count; index++) {
        const score = scores.get(row.works[index]);
        if (score) {
          all++;
          found.push({ rowIndex, index, score, start: row.starts[index] });
        }
      }
    });
    found.sort((a, b) => b.score - a.score || a.start - b.start);
    results.textContent = "";
    const note = document.createElement("p");
    note.textContent = `${all.toLocaleString()} ${isPast ? "found" : "to come"}`
      + (all > mostResults ? `, the first ${mostResults} are shown` : "")
      + (isGoingOn ? "; descriptions are searched …" : "");
    results.append(note);
    if (!isGoingOn) find("said").textContent = note.textContent;
    const list = document.createElement("ol");
    for (const { rowIndex, index, start } of found.slice(0, mostResults)) {
      const row = Guide.rows[rowIndex], work = row.works[index];
      const item = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      const title = document.createElement("b"), where = document.createElement("span");
      marked(title, Guide.title(work), terms);
      where.textContent = `${Guide.day(start)}, ${Guide.clock(start)}–${Guide.clock(row.stops[index])} · `
        + Guide.names[rowIndex] + (Guide.subtitle(work) ? ` · ${Guide.subtitle(work)}` : "");
      button.append(title, where);
      button.addEventListener("click", () => reveal(rowIndex, index));
      item.append(button);
      list.append(item);
    }
    results.append(list);
  }

  function marked(element, text, terms) {
    const plain = Guide.plain(text), term = terms.find((word) => plain.includes(word));
    const at = term === undefined ? -1 : plain.indexOf(term);
    // Letters that fold to several would move the place.
    if (at < 0 || plain.length !== text.length) { element.textContent = text; return; }
    const mark = document.createElement("mark");
    mark.textContent = text.slice(at, at + term.length);
    element.append(text.slice(0, at), mark, text.slice(at + term.length));
  }

  function reveal(rowIndex, index) {
    closeSearch();
    Grid.goTo(Guide.rows[rowIndex].starts[index], 0.2);
    Grid.focus(rowIndex, index);
    Details.open(rowIndex, index, document.activeElement);
  }

  function closeSearch() {
    searching++;
    words.value = "";
    results.hidden = true;
    words.setAttribute("aria-expanded", "false");
  }

  // Keys and buttons

  function connect() {
    let timer = 0;
    words.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(search, 120); });
    find("search").addEventListener("submit", (event) => { event.preventDefault(); search(); });
    find("now").addEventListener("click", () => Grid.goTo(Date.now() / 60000));
    find("in").addEventListener("click", () => Grid.zoom(1));
    find("out").addEventListener("click", () => Grid.zoom(-1));
    clock.addEventListener("change", goToClock);
    find("grid").addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      Grid.zoom(event.deltaY < 0 ? 1 : -1);
    }, { passive: false });
    document.addEventListener("keydown", (event) => {
      const isTyping = event.target.matches("input");
      if (event.key === "Escape" && (isTyping || !results.hidden) && !find("details").open) {
        closeSearch();
        Grid.enter();
        return;
      }
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey || find("details").open) return;
      const actions = {
        "/": () => words.focus(), n: () => Grid.goTo(Date.now() / 60000),
        "+": () => Grid.zoom(1), "=": () => Grid.zoom(1), "-": () => Grid.zoom(-1),
      };
      if (actions[event.key]) {
        event.preventDefault();
        actions[event.key]();
      }
    });
  }
  return { start };
})();
