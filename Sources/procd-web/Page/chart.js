// Small figures over time, drawn in SVG: bars on top of each other, or one line.
import { attr, column, h, on, put, say, svg } from './dom.js';
import { dates, t } from './language.js';

const HEIGHT = 200, LEFT = 58, RIGHT = 8, TOP = 12, BOTTOM = 24;
const WORDS = {
  hour: new Intl.DateTimeFormat(dates, { hour: '2-digit', minute: '2-digit' }),
  weekday: new Intl.DateTimeFormat(dates, { weekday: 'short', day: 'numeric' }),
  month: new Intl.DateTimeFormat(dates, { month: 'short' }),
  moment: new Intl.DateTimeFormat(dates, { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
  date: new Intl.DateTimeFormat(dates, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
};

function ticks(most) {
  if (!(most > 0)) return [0, 1];
  const rough = most / 4, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= rough);
  const marks = [0];
  while (marks.at(-1) < most) marks.push(+(marks.at(-1) + step).toPrecision(12));
  return marks;
}

function timeMarks(from, to, span, width) {
  const marks = [], at = new Date(from);
  at.setMinutes(0, 0, 0);
  const [every, word] = { day: [width < 420 ? 6 : 3, WORDS.hour], week: [24, WORDS.weekday] }[span] ?? [24, WORDS.month];
  for (let turns = 0; at <= to && turns < 10000; turns += 1, at.setHours(at.getHours() + 1)) {
    if (at >= from && at.getHours() % every === 0 && (span !== 'year' || at.getDate() === 1)) marks.push([new Date(at), word.format(at)]);
  }
  const room = Math.ceil((marks.length * 52) / width);
  return marks.filter((mark, index) => index % room === 0);
}

const moment = (time, bucket) => {
  const from = new Date(time);
  if (bucket >= 86400) return WORDS.date.format(from);
  return t`${WORDS.moment.format(from)} to ${WORDS.hour.format(new Date(from.getTime() + bucket * 1000))}`;
};

/** shape: { title, note, series: [{ key, label, word(value), tone }], kind: 'bars' or 'line', value, text, tick } */
export function chart(shape) {
  const told = h('p.readout', { 'aria-live': 'polite' }), legend = h('ul.legendlist');
  const area = h('div.plot', { tabindex: '0', role: 'group', 'aria-label': t`${shape.title}: left and right arrow tell each value` });
  const head = h('tr'), body = h('tbody');
  const table = h('details.fold', h('summary', t`${shape.title} as a table`),
    h('div.scroll', { tabindex: '0', role: 'region', 'aria-label': t`${shape.title} as a table` }, h('table', h('thead', head), body)));
  const element = h('figure.card.panel', h('header', h('h2', shape.title), told), legend, area, table);
  if (shape.series.length > 1) legend.append(...shape.series.map((one) => h('li', h(`i.key.${one.tone}`), one.label)));
  head.append(column(t`Time`), ...shape.series.map((one) => column(one.label)));
  let data = null, at = -1, band = null, width = 0;

  const values = (point) => shape.series.map((one) => shape.value(point, one.key));
  const words = (point) => values(point).map((value, index) => (value === null ? t`no value` : shape.series[index].word(shape.text(value)))).join(', ');

  function tell(index) {
    at = index;
    const point = data?.points[at];
    say(told, point ? `${moment(point.time, data.bucketSeconds)}: ${words(point)}` : shape.note(data));
    if (!band) return;
    attr(band, 'visibility', point ? 'visible' : 'hidden');
    if (point) attr(band, 'x', place(point)[0]);
  }

  let scale = null;
  const place = (point) => {
    // The first and the last reach over the time that is shown.
    const start = Math.max(LEFT, scale.x(Date.parse(point.time)));
    const end = Math.min(width - RIGHT, scale.x(Date.parse(point.time) + data.bucketSeconds * 1000));
    return [start, Math.max(1, end - start)];
  };

  function draw() {
    width = Math.max(240, area.clientWidth);
    const from = Date.parse(data.from), to = Date.parse(data.to);
    const sums = data.points.map((point) => values(point).reduce((sum, value) => sum + (value ?? 0), 0));
    const marks = ticks(Math.max(0, ...sums)), top = marks.at(-1);
    scale = { x: (time) => LEFT + ((time - from) / Math.max(1, to - from)) * (width - LEFT - RIGHT),
      y: (value) => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM) };
    const root = svg('svg', { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', 'aria-label': `${shape.title}. ${shape.note(data)}` });
    for (const mark of marks) {
      root.append(svg('line', { class: mark ? 'grid' : 'axis', x1: LEFT, x2: width - RIGHT, y1: scale.y(mark), y2: scale.y(mark) }),
        svg('text', { x: LEFT - 8, y: scale.y(mark) + 4, 'text-anchor': 'end' }, shape.tick(mark)));
    }
    for (const [time, word] of timeMarks(new Date(from), new Date(to), data.span, width - LEFT - RIGHT)) {
      const x = scale.x(time.getTime());
      if (x < LEFT + 12) continue;
      root.append(svg('line', { class: 'axis', x1: x, x2: x, y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM + 4 }),
        svg('text', { x: Math.min(x, width - 20), y: HEIGHT - 6, 'text-anchor': 'middle' }, word));
    }
    band = svg('rect', { class: 'band', y: TOP, height: HEIGHT - TOP - BOTTOM, width: data.points.length ? place(data.points[0])[1] : 0, visibility: 'hidden' });
    root.append(band);
    if (shape.kind === 'bars') {
      for (const point of data.points) {
        let base = 0;
        const [x, wide] = place(point);
        const gap = wide > 6 ? 2 : wide > 3 ? 1 : 0;
        values(point).forEach((value, index) => {
          if (!value) return;
          const y = scale.y(base + value);
          root.append(svg('rect', { class: `fill ${shape.series[index].tone}`, x: x + gap / 2, width: Math.max(1, wide - gap), y, height: Math.max(1, scale.y(base) - y) }));
          base += value;
        });
      }
    } else {
      // A gap where nothing was done: no value is not zero.
      let path = '', open = false;
      for (const point of data.points) {
        const value = values(point)[0], [x, wide] = place(point);
        if (value === null) { open = false; continue; }
        path += `${open ? 'L' : 'M'}${(x + wide / 2).toFixed(1)} ${scale.y(value).toFixed(1)}`;
        root.append(svg('circle', { class: 'dot', cx: x + wide / 2, cy: scale.y(value), r: wide > 12 ? 2.5 : 1.5 }));
        open = true;
      }
      root.append(svg('path', { class: 'curve', d: path || 'M0 0' }));
    }
    put(area, root);
    tell(at < data.points.length ? at : -1);
  }

  on(area, 'pointermove', (event) => {
    if (!data?.points.length) return;
    const x = event.clientX - area.getBoundingClientRect().left;
    tell(data.points.findIndex((point) => { const [start, wide] = place(point); return x >= start && x < start + wide; }));
  });
  on(area, 'pointerleave', () => tell(-1));
  on(area, 'blur', () => tell(-1));
  on(area, 'keydown', (event) => {
    const last = (data?.points.length ?? 0) - 1;
    const to = { ArrowRight: Math.min(last, at + 1), ArrowLeft: at < 0 ? last : Math.max(0, at - 1), Home: 0, End: last }[event.key];
    if (to === undefined || last < 0) return;
    event.preventDefault();
    tell(to);
  });
  const fillTable = () => {
    if (!table.open || !data) return;
    put(body, data.points.map((point) => h('tr', h('th', { scope: 'row' }, moment(point.time, data.bucketSeconds)),
      values(point).map((value) => h('td', value === null ? '–' : shape.text(value))))));
  };
  on(table, 'toggle', fillTable);
  const resize = new ResizeObserver(() => { if (data && area.clientWidth !== width) draw(); });
  resize.observe(area);
  return { element, draw: (figures) => { data = figures; draw(); fillTable(); }, leave: () => resize.disconnect() };
}
