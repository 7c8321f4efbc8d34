// How much, how fast, how often wrong: over a day, a week, a year.
import { aborted, address, get } from './api.js';
import { chart } from './chart.js';
import { attr, bdi, failure, h, panel, put, say } from './dom.js';
import { bytes, count, duration, few } from './format.js';
import { t } from './language.js';
import { go } from './app.js';
import { hashOf } from './jobs.js';

const SPANS = [['day', t`Day`], ['week', t`Week`], ['year', t`Year`]];
const FOLDERS = { inbox: t`inbox`, outbox: t`outbox`, archive: t`archive`, quarantine: t`quarantine`, spool: t`spool` };
const sum = (points, key) => points.reduce((total, point) => total + (point[key] ?? 0), 0);

/** Named bars below each other: [{ label, words, part, tone, href }] */
function bars(title) {
  const list = h('ul.bars'), empty = h('p.empty', t`None in this time.`);
  return { element: panel(title, null, empty, list), draw: (items) => {
    empty.hidden = items.length > 0;
    put(list, items.map(({ label, words, part, tone = '', href }) => {
      const bar = h(`i.span${tone}`), name = bdi(label);
      bar.style.width = `${part * 100}%`;
      return h('li', h('div.line', href ? h('a.file', { href }, name) : h('span.file', name), h('span', words)), h('div.timebar', bar));
    }));
  } };
}

const counted = (items, href) => [...items ?? []].sort((a, b) => b.count - a.count).slice(0, 12).map((item, index, all) => (
  { label: item.code ?? item.id, words: t`${item.count} file|${item.count} files`, part: item.count / Math.max(1, all[0].count), href: href?.(item) }));

/** A bar for each disk, with the folders that lie on it. */
const rooms = (places) => [...new Set(places.map((place) => place.disk))].map((disk) => {
  const [place, ...more] = places.filter((one) => one.disk === disk), part = place.total ? 1 - place.free / place.total : 0;
  return { label: [place, ...more].map((one) => FOLDERS[one.name] ?? one.name).join(', '), words: t`${bytes(place.free)} free of ${bytes(place.total)}`, part,
    tone: part > 0.95 ? '.bad' : part > 0.85 ? '.wait' : '' };
});

function barsOf(seconds) {
  if (seconds === 3600) return t`a bar for each hour`;
  if (seconds === 86400) return t`a bar for each day`;
  return seconds < 3600 ? t`a bar for each ${seconds / 60} minutes` : seconds < 86400 ? t`a bar for each ${few(seconds / 3600)} h` : t`a bar for each ${few(seconds / 86400)} days`;
}

export function open(root, params) {
  let control = new AbortController(), span = '', refresh = 0;
  const files = chart({ title: t`Files`, kind: 'bars', tick: few, text: count,
    series: [{ key: 'done', label: t`Done`, word: (value) => t`${value} done`, tone: 'good' }, { key: 'quarantined', label: t`Failed`, word: (value) => t`${value} failed`, tone: 'bad' }, { key: 'duplicates', label: t`Duplicates`, word: (value) => t`${value} duplicates`, tone: 'same' }],
    value: (point, key) => point[key] ?? 0,
    note: (data) => {
      if (!data) return '';
      const all = ['done', 'quarantined', 'duplicates'].reduce((total, key) => total + sum(data.points, key), 0);
      return `${t`${all} file|${all} files`}, ${barsOf(data.bucketSeconds)}`;
    } });
  const speed = chart({ title: t`Seconds a page`, kind: 'line', tick: few, text: (value) => t`${few(value)} s`, series: [{ key: 'page', label: t`Seconds a page`, word: (value) => t`${value} a page`, tone: 'accent' }],
    value: (point) => (point.pages ? point.stepSeconds / point.pages : null),
    note: (data) => { const pages = data ? sum(data.points, 'pages') : 0; return pages ? [t`${few(sum(data.points, 'stepSeconds') / pages)} s a page`, t`over ${pages} page|over ${pages} pages`].join(' ') : t`No pages in this time`; } });
  const wait = chart({ title: t`From arrival to result`, kind: 'line', tick: (value) => (value ? duration(value * 1000) : '0'), text: (value) => duration(value * 1000), series: [{ key: 'wait', label: t`Half of the files took less than`, word: (value) => t`${value} for half of the files`, tone: 'accent' }],
    value: (point) => (point.done || point.quarantined || point.duplicates ? point.waitSeconds ?? null : null),
    note: () => t`Half of the files were ready sooner` });
  const codes = bars(t`Failures by code`), rules = bars(t`Files by rule`), disk = bars(t`Disk`);
  const charts = [files, speed, wait];
  const queue = h('p.soft.small', { role: 'status' }, '\u00a0'), trouble = h('div');
  const tabs = h('div.switch', { role: 'group', 'aria-label': t`Time shown` }, SPANS.map(([key, word]) => h('button', { 'data-span': key, onclick: () => go(`#/figures?span=${key}`, true) }, word)));
  root.append(h('header.bar', h('h1', t`Figures`), tabs), queue, trouble, h('div.figures', files.element, speed.element, wait.element, rules.element, codes.element, disk.element));

  async function load() {
    control.abort();
    control = new AbortController();
    const { signal } = control;
    try {
      const data = await get(address('figures', { span }), signal);
      if (signal.aborted) return;
      put(trouble);
      charts.forEach((one) => one.draw(data));
      codes.draw(counted(data.codes));
      rules.draw(counted(data.pipelines, (item) => hashOf('jobs', { pipeline: item.id })));
      disk.draw(rooms(data.places ?? []));
      say(queue, data.queue ? t`${data.queue} file is in work or waiting at the moment.|${data.queue} files are in work or waiting at the moment.` : t`Nothing is in work or waiting at the moment.`);
    } catch (error) {
      if (!aborted(error)) put(trouble, failure(error, load));
    }
  }

  const update = (next) => {
    const wanted = SPANS.some(([key]) => key === next.get('span')) ? next.get('span') : 'day';
    if (wanted === span) return;
    span = wanted;
    for (const button of tabs.children) attr(button, 'aria-pressed', String(button.dataset.span === span));
    load();
  };
  update(params);
  refresh = setInterval(() => { if (!document.hidden) load(); }, 60000);
  return { title: () => t`Figures`, update, leave: () => { clearInterval(refresh); control.abort(); charts.forEach((one) => one.leave()); } };
}
