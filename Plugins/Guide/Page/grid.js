// The grid: draws the programmes that are seen, and no others.
const Grid = (() => {
  const grid = { scale: 4, onOpen: () => {}, onMove: () => {} };
  const element = document.getElementById("grid");
  const space = document.getElementById("space");
  const hours = document.getElementById("hours");
  const rows = document.getElementById("rows");
  const line = document.getElementById("line");
  const drawn = new Map();
  const pin = document.createElement("em");
  const paper = document.createElement("canvas").getContext("2d");
  const widths = new Map();
  let names = 168, rowHeight = 58, hoursHeight = 30, marks = [], pending = false, seenHours = "";
  let letters = 14, family = "", clockWidth = 40;
  let cursor = { row: 0, index: 0 };
  const zooms = [1, 1.5, 2, 3, 4, 6, 8, 12];

  const make = (tag, name, parent) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (parent) parent.append(made);
    return made;
  };
  const left = (minute) => names + (minute - Guide.from) * grid.scale;
  const minuteAt = (x) => Guide.from + (x - names) / grid.scale;

  grid.start = () => {
    marks = Guide.dayBegins();
    measure();
    element.setAttribute("aria-rowcount", Guide.rows.length);
    element.addEventListener("scroll", later, { passive: true });
    new ResizeObserver(() => { measure(); later(); }).observe(element);
    element.addEventListener("click", (event) => {
      const show = event.target.closest(".show");
      if (show) grid.onOpen(Number(show.dataset.row), Number(show.dataset.index), show);
    });
    element.addEventListener("focusin", (event) => {
      const show = event.target.closest(".show");
      if (show) cursor = { row: Number(show.dataset.row), index: Number(show.dataset.index) };
    });
    element.addEventListener("keydown", key);
    setInterval(tick, 20000);
    draw();
  };

  function measure() {
    const style = getComputedStyle(document.documentElement), size = parseFloat(style.fontSize);
    const length = (name) => Math.round(parseFloat(style.getPropertyValue(name)) * size);
    names = length("--names");
    rowHeight = length("--row");
    hoursHeight = length("--hours");
    for (const [name, value] of [["--row", rowHeight], ["--names", names], ["--hours", hoursHeight]])
      space.style.setProperty(name, `${value}px`);
    letters = size * 0.875;
    family = getComputedStyle(element).fontFamily;
    clockWidth = measured("00:00", 400, 0.9);
    widths.clear();
    space.style.width = `${left(Guide.to)}px`;
    space.style.height = `${hoursHeight + Guide.rows.length * rowHeight}px`;
    for (const row of drawn.values()) row.element.remove();
    drawn.clear();
    seenHours = "";
    drawLine();
  }

  function later() {
    if (pending) return;
    pending = true;
    requestAnimationFrame(() => { pending = false; draw(); });
  }

  /** The part that is seen, in minutes and rows. */
  grid.view = () => {
    const x = element.scrollLeft, y = element.scrollTop;
    return {
      from: minuteAt(x + names), to: minuteAt(x + element.clientWidth),
      first: Math.max(0, Math.floor(y / rowHeight)),
      last: Math.min(Guide.rows.length, Math.ceil((y + element.clientHeight - hoursHeight) / rowHeight)),
    };
  };

  function draw() {
    const view = grid.view();
    const first = Math.max(0, view.first - 2), last = Math.min(Guide.rows.length, view.last + 2);
    for (const [index, row] of drawn) {
      if (index < first || index >= last) {
        row.element.remove();
        drawn.delete(index);
      }
    }
    for (let index = first; index < last; index++) {
      if (!drawn.has(index)) drawn.set(index, drawName(index));
      drawRow(index, drawn.get(index), view);
    }
    drawHours(view);
    grid.onMove(view);
  }

  function drawName(index) {
    const row = make("div", "row", rows);
    row.setAttribute("role", "row");
    row.setAttribute("aria-rowindex", index + 1);
    row.style.top = `${hoursHeight + index * rowHeight}px`;
    const name = make("div", "name", row);
    name.setAttribute("role", "rowheader");
    name.title = Guide.names[index];
    name.append(Channels.mark(index));
    make("span", "", name).textContent = Guide.names[index];
    return { element: row, shows: new Map() };
  }

  function drawRow(rowIndex, row, view) {
    const data = Guide.rows[rowIndex];
    // A little more than is seen, so that a quick finger finds it drawn.
    const margin = (view.to - view.from) / 2;
    const from = Math.max(Guide.from, view.from - margin), to = Math.min(Guide.to, view.to + margin);
    const first = Guide.firstAt(data, from);
    let last = first;
    while (last < data.count && data.starts[last] < to) last++;
    for (const [index, show] of row.shows) {
      if (index < first || index >= last) {
        // What has the focus stays, or the keyboard would lose its place.
        if (show === document.activeElement) continue;
        show.remove();
        row.shows.delete(index);
      }
    }
    for (let index = first; index < last; index++) {
      let show = row.shows.get(index);
      if (!show) {
        show = drawShow(rowIndex, index, data);
        row.element.append(show);
        row.shows.set(index, show);
      }
      // The title stays in sight while the beginning of its programme is not.
      const begin = Math.max(data.starts[index], Guide.from);
      const hidden = Math.max(0, (view.from - begin) * grid.scale);
      const width = (Math.min(data.stops[index], Guide.to) - begin) * grid.scale;
      show.firstChild.style.paddingLeft = hidden > 0 ? `${hidden + 8}px` : "";
      fit(show, width - hidden, Guide.title(data.works[index]));
      showTime(show, data, index);
    }
  }

  /** Leaves out what would be cut: a title that shows less than a few letters says nothing. */
  function fit(show, width, title) {
    let wanted = widths.get(title);
    if (wanted === undefined) {
      if (widths.size > 5000) widths.clear();
      wanted = measured(title, 600, 1);
      widths.set(title, wanted);
    }
    const toggle = (name, is) => show.classList.toggle(name, is), room = width - 24;
    toggle("no-title", room < Math.min(wanted, letters * 4.5));
    toggle("no-clock", width - 18 < clockWidth);
    toggle("short", room < 2.3 * clockWidth);
    toggle("no-more", room < 5 * clockWidth);
  }

  function measured(text, weight, size) {
    paper.font = `${weight} ${letters * size}px ${family}`;
    return paper.measureText(text).width + 2;
  }

  /** Whether it is over or runs, and how far it is. */
  function showTime(show, data, index) {
    const now = Date.now() / 60000, runs = data.starts[index] <= now && data.stops[index] > now;
    show.classList.toggle("past", data.stops[index] <= now);
    show.classList.toggle("on", runs);
    if (runs) show.style.setProperty("--done", `${(now - Math.max(data.starts[index], Guide.from)) * grid.scale}px`);
  }

  function drawShow(rowIndex, index, data) {
    const begin = Math.max(data.starts[index], Guide.from), end = Math.min(data.stops[index], Guide.to);
    const work = data.works[index], genre = Guide.genre(work);
    const show = make("div", `show k${genre}`);
    show.tabIndex = rowIndex === cursor.row && index === cursor.index ? 0 : -1;
    show.dataset.row = rowIndex;
    show.dataset.index = index;
    show.setAttribute("role", "gridcell");
    if (data.starts[index] < Guide.from) show.classList.add("before");
    if (data.stops[index] > Guide.to) show.classList.add("after");
    show.style.left = `${left(begin) + 1}px`;
    show.style.width = `${Math.max(3, (end - begin) * grid.scale - 2)}px`;
    const text = make("span", "", show);
    const title = Guide.title(work), subtitle = Guide.subtitle(work);
    const start = Guide.clock(data.starts[index]), stop = `–${Guide.clock(data.stops[index])}`;
    const kind = genre ? `, ${Guide.genreNames[genre]}` : "";
    show.setAttribute("aria-label",
      `${title}${subtitle ? ", " + subtitle : ""}, ${Guide.names[rowIndex]}, ${start}${stop}${kind}`);
    make("b", "", text).textContent = title;
    const clock = make("i", "", text);
    clock.append(start);
    make("u", "", clock).textContent = stop;
    if (subtitle) make("s", "", clock).textContent = `  ${subtitle}`;
    show.title = `${start}${stop}  ${title}${kind}`;
    return show;
  }

  function drawHours(view) {
    const step = [15, 30, 60, 120, 180, 360].find((minutes) => minutes * grid.scale >= 92) || 360;
    const margin = view.to - view.from;
    const begin = Math.max(Guide.from, Math.floor((view.from - margin) / step) * step);
    const end = Math.min(Guide.to, view.to + margin);
    const today = Guide.day(view.from);
    const key = `${begin} ${step} ${Math.round(end / step)} ${today}`;
    if (key === seenHours) return;
    seenHours = key;
    hours.textContent = "";
    make("b", "", hours).textContent = names > 120 ? today : Guide.shortDay(view.from);
    // By the clock, as not all zones are whole hours from UTC.
    const odd = ((Guide.ahead(begin) % step) + step) % step;
    for (let time = begin - (begin % step) - odd; time < end; time += step) {
      if (time < Guide.from) continue;
      const isMidnight = Guide.clockTime(time) === 0;
      const mark = make("span", isMidnight ? "day" : "", hours);
      mark.style.left = `${left(time)}px`;
      // A new day is told in the place of its first hour.
      mark.textContent = isMidnight ? Guide.day(time) : Guide.clock(time);
    }
    drawLine();
  }

  function drawLine() {
    const now = Date.now() / 60000, x = left(now);
    line.hidden = now < Guide.from || now >= Guide.to;
    line.style.left = `${x}px`;
    line.style.height = space.style.height;
    if (line.hidden) { pin.remove(); return; }
    pin.textContent = Guide.clock(now);
    pin.style.left = `${x}px`;
    hours.append(pin);
    // An hour below the time of now would be read as one with it.
    for (const mark of hours.querySelectorAll("span")) {
      const away = parseFloat(mark.style.left) - x;
      mark.classList.toggle("under", away < 28 && away > (mark.className.includes("day") ? -120 : -76));
    }
  }

  /** Time goes on while the page lies open. */
  function tick() {
    drawLine();
    for (const [rowIndex, row] of drawn)
      for (const [index, show] of row.shows) showTime(show, Guide.rows[rowIndex], index);
  }

  const dayOf = (minute) => {
    let day = 0;
    while (day + 1 < marks.length && marks[day + 1] <= minute + 1) day++;
    return day;
  };
  grid.dayOf = dayOf;
  grid.days = () => marks;

  // Moving

  /** Brings a time to a share of the width: 0 for the left edge. */
  grid.goTo = (minute, share = 0.25) => {
    const width = element.clientWidth - names;
    element.scrollLeft = (minute - Guide.from) * grid.scale - width * share;
    later();
  };

  grid.zoom = (direction, at) => {
    const view = grid.view();
    const place = at === undefined ? 0.5 : at;
    const minute = view.from + (view.to - view.from) * place;
    const next = zooms.indexOf(grid.scale) + direction;
    if (next < 0 || next >= zooms.length) return;
    grid.scale = zooms[next];
    measure();
    grid.goTo(minute, place);
    draw();
  };

  /** Shows one programme and gives it the focus. */
  grid.focus = (row, index) => {
    const data = Guide.rows[row];
    if (!data || !data.count) return;
    index = Math.max(0, Math.min(index, data.count - 1));
    const old = drawn.get(cursor.row)?.shows.get(cursor.index);
    if (old) old.tabIndex = -1;
    cursor = { row, index };
    const view = grid.view(), y = row * rowHeight, height = element.clientHeight - hoursHeight;
    if (y < element.scrollTop) element.scrollTop = y;
    else if (y + rowHeight > element.scrollTop + height) element.scrollTop = y + rowHeight - height;
    if (data.stops[index] <= view.from + 5 || data.starts[index] >= view.to - 5) grid.goTo(data.starts[index], 0.2);
    draw();
    const show = drawn.get(row)?.shows.get(index);
    if (show) {
      show.tabIndex = 0;
      show.focus({ preventScroll: true });
    }
  };

  /** Puts the keyboard's place where the view is. */
  grid.enter = () => {
    const view = grid.view();
    const row = Math.max(view.first, Math.min(cursor.row, view.last - 1));
    grid.focus(row, Guide.firstAt(Guide.rows[row], view.from + 1));
  };

  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { row, index } = cursor, data = Guide.rows[row];
    const view = grid.view(), page = Math.max(1, view.last - view.first - 1);
    const middle = () => Math.max(view.from, Math.min(view.to, (data.starts[index] + data.stops[index]) / 2));
    const openAt = (row, index) => grid.onOpen(row, index, document.activeElement);
    const vertical = (steps) => {
      const next = Math.max(0, Math.min(Guide.rows.length - 1, row + steps));
      grid.focus(next, Guide.firstAt(Guide.rows[next], middle()));
    };
    const actions = {
      ArrowLeft: () => grid.focus(row, index - 1), ArrowRight: () => grid.focus(row, index + 1),
      ArrowUp: () => vertical(-1), ArrowDown: () => vertical(1),
      PageUp: () => vertical(-page), PageDown: () => vertical(page),
      Enter: () => openAt(row, index), " ": () => openAt(row, index),
      Home: () => grid.focus(row, 0), End: () => grid.focus(row, data.count - 1),
    };
    if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  /** The first programme that is seen can be reached by the Tab key. */
  grid.settle = () => {
    const view = grid.view();
    if (!Guide.rows.length) return;
    cursor = { row: view.first, index: Guide.firstAt(Guide.rows[view.first], view.from + 1) };
    const show = drawn.get(cursor.row)?.shows.get(cursor.index);
    if (show) show.tabIndex = 0;
  };
  return grid;
})();
