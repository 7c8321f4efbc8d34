// The search: titles first, then sub-titles; descriptions are searched behind them.
const Search = (() => {
  const find = (name) => document.getElementById(name);
  const words = find("words"), results = find("results"), list = find("hits");
  const mostResults = 200;
  let searching = 0, timer = 0, plainTitles = null, hits = [], active = -1, sought = "", walked = false;
  const isTouched = matchMedia("(pointer: coarse)");

  async function search() {
    clearTimeout(timer);
    const run = ++searching, terms = Guide.plain(words.value).split(/\s+/).filter(Boolean);
    const isOpen = terms.length > 0;
    results.hidden = !isOpen;
    words.setAttribute("aria-expanded", String(isOpen));
    sought = words.value;
    walked = false;
    hits = [];
    choose(-1);
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
    const now = Date.now() / 60000, isPast = now >= Guide.to, found = [], before = hits[active];
    Guide.rows.forEach((row, rowIndex) => {
      for (let index = isPast ? 0 : Guide.firstAt(row, now); index < row.count; index++) {
        const score = scores.get(row.works[index]);
        if (score) found.push({ rowIndex, index, score, start: row.starts[index] });
      }
    });
    found.sort((a, b) => b.score - a.score || a.start - b.start);
    const note = results.querySelector("p");
    note.textContent = `${found.length.toLocaleString()} ${isPast ? "found" : "to come"}`
      + (found.length > mostResults ? `, the first ${mostResults} are shown` : "")
      + (isGoingOn ? "; descriptions are searched …" : "");
    if (!isGoingOn) find("said").textContent = note.textContent;
    hits = found.slice(0, mostResults);
    list.replaceChildren(...hits.map((hit, place) => item(hit, place, terms)));
    // What was chosen stays chosen when more is found.
    const again = before
      ? hits.findIndex(({ rowIndex, index }) => rowIndex === before.rowIndex && index === before.index) : -1;
    choose(again >= 0 ? again : hits.length ? 0 : -1);
    if (!isGoingOn) tellAbout(searching, terms);
  }

  /** What the hits are about, beside their titles; hidden where there is no room. */
  async function tellAbout(run, terms) {
    for (let place = 0; place < hits.length; place++) {
      const { rowIndex, index } = hits[place];
      const { about } = await Guide.details(Guide.rows[rowIndex].works[index]);
      if (run !== searching) return;
      if (about) marked(make("div", "about", list.children[place]), excerpt(about, terms), terms);
    }
  }

  /** The part of a text in which a term stands. */
  function excerpt(text, terms) {
    const plain = Guide.plain(text), at = Math.min(...terms.map((term) => plain.indexOf(term)).filter((at) => at >= 0));
    if (at <= 120 || at === Infinity || plain.length !== text.length) return text.slice(0, 300);
    return `… ${text.slice(text.indexOf(" ", at - 60) + 1).slice(0, 300)}`;
  }

  const make = (tag, name, parent, text) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text) made.textContent = text;
    parent.append(made);
    return made;
  };

  function item({ rowIndex, index, start }, place, terms) {
    const row = Guide.rows[rowIndex], work = row.works[index], made = document.createElement("li");
    made.id = `hit-${place}`;
    made.className = `k${Guide.genre(work)}`;
    made.setAttribute("role", "option");
    const what = make("div", "what", made);
    marked(make("b", "", what), Guide.title(work), terms);
    if (Guide.subtitle(work)) make("span", "", what, Guide.subtitle(work));
    const when = make("div", "when", made, `${Guide.clock(start)}–${Guide.clock(row.stops[index])} `);
    make("span", "", when, Guide.day(start));
    made.append(Channels.mark(rowIndex));
    make("div", "where", made, Guide.names[rowIndex]);
    return made;
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

  /** The keyboard stays in the field; what is chosen is told by its name. */
  function choose(place) {
    list.children[active]?.setAttribute("aria-selected", "false");
    active = place;
    const chosen = list.children[place];
    if (!chosen) { words.removeAttribute("aria-activedescendant"); return; }
    chosen.setAttribute("aria-selected", "true");
    chosen.scrollIntoView({ block: "nearest" });
    words.setAttribute("aria-activedescendant", chosen.id);
  }

  function open(place) {
    const hit = hits[place];
    if (!hit) return;
    close();
    Grid.goTo(Guide.rows[hit.rowIndex].starts[hit.index], 0.2);
    Grid.focus(hit.rowIndex, hit.index);
    Details.open(hit.rowIndex, hit.index, document.activeElement);
  }

  function close() {
    clearTimeout(timer);
    searching++;
    words.value = "";
    hits = [];
    choose(-1);
    results.hidden = true;
    words.setAttribute("aria-expanded", "false");
  }

  function connect() {
    words.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(search, 120); });
    words.addEventListener("keydown", (event) => {
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
      if (!step || !hits.length) return;
      event.preventDefault();
      walked = true;
      choose(Math.max(0, Math.min(hits.length - 1, active + step)));
    });
    find("search").addEventListener("submit", (event) => {
      event.preventDefault();
      // What was typed last may not have been sought yet.
      if (words.value !== sought || results.hidden) search();
      // The keyboard of a phone covers the results, and its key asks to see them.
      if (isTouched.matches && !walked) words.blur(); else open(active);
    });
    list.addEventListener("click", (event) => {
      const chosen = event.target.closest("li");
      if (chosen) open([...list.children].indexOf(chosen));
    });
  }
  return { connect, close, isOpen: () => !results.hidden, focus: () => words.focus() };
})();
