// The page around the grid: days, coverage, colors, times, keys.
const Page = (() => {
  const find = (name) => document.getElementById(name);
  const days = find("days"), clock = find("clock"), header = document.querySelector("header");
  /** The share of the width at which the time lies that is looked at. */
  const place = 0.25;
  let current = -1;

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
    showLegend();
    makeDays();
    Grid.onOpen = Details.open;
    Grid.onMove = moved;
    Grid.start();
    if (isNow(Guide.from, Guide.to)) goToNow(); else Grid.goTo(Guide.from, 0);
    requestAnimationFrame(() => Grid.settle());
    connect();
    Search.connect();
  }

  const isNow = (from, to) => {
    const now = Date.now() / 60000;
    return now >= from && now < to;
  };
  const goToNow = () => Grid.goTo(Date.now() / 60000, place);

  /** The evening of the day of the guide that it is, or else of the day that is looked at. */
  function goToTonight() {
    const begins = Guide.dayBegins();
    const today = begins.find((begin, index) => isNow(begin, begins[index + 1] ?? Guide.to));
    Grid.goTo(Guide.atClock(today ?? Grid.days()[Math.max(0, current)] ?? Guide.from, 20 * 60 + 15), place);
  }

  // Days, coverage and colors

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
      button.append(isNow(begin, end) ? "Today" : Guide.day(begin));
      const bar = document.createElement("span"), fill = document.createElement("i");
      bar.className = "known";
      fill.style.width = `${share}%`;
      bar.append(fill);
      button.append(bar);
      button.title = `${Guide.longDay(begin)}: ${share} % is known`;
      button.setAttribute("aria-label", `${isNow(begin, end) ? "Today, " : ""}${Guide.longDay(begin)}, ${share} % known`);
      button.addEventListener("click", () => goToDay(begin, end));
      days.append(button);
    });
  }

  /** Another day at the time of day that is looked at; the day of now at now. */
  function goToDay(begin, end) {
    if (isNow(begin, end)) return goToNow();
    const time = Guide.clockTime(lookedAt(Grid.view()));
    Grid.goTo(Guide.atClock(begin, time), place);
  }

  const lookedAt = (view) => view.from + (view.to - view.from) * place;

  function showCoverage() {
    let first = Infinity, last = -Infinity;
    for (const row of Guide.rows) {
      if (!row.count) continue;
      first = Math.min(first, row.starts[0]);
      last = Math.max(last, row.stops[row.count - 1]);
    }
    const count = (number, word) => `${number.toLocaleString()} ${word}${number === 1 ? "" : "s"}`;
    const share = Math.round(known(Guide.from, Guide.to) * 100);
    const coverage = find("coverage");
    if (!Guide.count) { coverage.textContent = "The guide is empty."; return; }
    const told = `${count(Guide.rows.length, "channel")}, ${count(Guide.count, "programme")}`;
    const loaded = (Guide.zone ? `times of ${Guide.zone} · ` : "")
      + `loaded ${Guide.day(Guide.loaded)} ${Guide.clock(Guide.loaded)}`;
    coverage.textContent = `${told} until ${Guide.day(last)} · ${loaded}`;
    coverage.title = `${told}, ${Guide.day(first)} ${Guide.clock(first)} to ${Guide.day(last)} ${Guide.clock(last)}, `
      + `${share} % of the time known · ${loaded}`;
  }

  /** The colors that occur. */
  function showLegend() {
    const used = new Set(Guide.genres);
    Guide.genreNames.forEach((name, genre) => {
      if (!genre || !used.has(String(genre))) return;
      const item = document.createElement("li");
      item.className = `k${genre}`;
      item.textContent = name;
      find("legend").append(item);
    });
    find("legend").hidden = !find("legend").children.length;
  }

  function moved(view) {
    const day = Grid.dayOf(lookedAt(view));
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
    Grid.goTo(Guide.atClock(Grid.days()[Math.max(0, current)] ?? Guide.from, hours * 60 + minutes), place);
  }

  // Keys and buttons

  function connect() {
    find("now").addEventListener("click", goToNow);
    find("tonight").addEventListener("click", goToTonight);
    find("in").addEventListener("click", () => Grid.zoom(1));
    find("out").addEventListener("click", () => Grid.zoom(-1));
    find("more").addEventListener("click", () => {
      find("more").setAttribute("aria-expanded", String(header.classList.toggle("open")));
    });
    clock.addEventListener("change", goToClock);
    find("grid").addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      Grid.zoom(event.deltaY < 0 ? 1 : -1);
    }, { passive: false });
    document.addEventListener("keydown", (event) => {
      const isTyping = event.target.matches("input");
      if (event.key === "Escape" && (isTyping || Search.isOpen()) && !find("details").open) {
        Search.close();
        Grid.enter();
        return;
      }
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey || find("details").open) return;
      const actions = {
        "/": Search.focus, n: goToNow, t: goToTonight,
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
