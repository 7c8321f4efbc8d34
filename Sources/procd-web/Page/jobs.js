// All jobs, however many: only the rows in sight exist, and only the blocks in sight are asked for.
import { aborted, address, get, pipelines } from './api.js';
import { attr, baseName, clip, documentHash, failure, folderName, h, nameText, on, put, say, shortName } from './dom.js';
import { jobState, setState, setTime, time } from './format.js';
import { t } from './language.js';
import { follow } from './live.js';
import { go } from './app.js';

const BLOCK = 100, SPARE = 6;
export const OUTCOMES = [['', t`Any outcome`], ['done', t`Done`], ['quarantined', t`Failed`], ['duplicate', t`Duplicate`]];

export const hashOf = (view, query) => {
  const next = new URLSearchParams(Object.entries(query).filter(([, value]) => value));
  return `#/${view}${next.size ? `?${next}` : ''}`;
};

export const choice = (label, options, value, change) => h('select', { 'aria-label': label, onchange: (event) => change(event.target.value) },
  options.map(([key, word]) => h('option', { value: key, selected: key === value }, nameText(word))));

export async function fillPipelines(select, value) {
  const known = await pipelines();
  const all = value && !known.includes(value) ? [value, ...known] : known;
  select.append(...all.map((id) => h('option', { value: id, selected: id === value }, nameText(id))));
}

export function open(root, params) {
  let filter = {}, total = 0, base = 0, grown = 0, blocks = new Map(), waiting = new Set(), control = null;
  let drawing = false, rowHeight = 44;
  const rows = new Map();

  const told = h('p.soft.small', { role: 'status' }, '\u00a0');
  const fresh = h('button', { hidden: true, onclick: () => { begin(); scroller.focus(); } });
  const trouble = h('div');
  const body = h('div.virtual-body', { role: 'rowgroup' });
  const scroller = h('div.card.jobs', { tabindex: '0', role: 'table', 'aria-label': t`All jobs, newest first` },
    h('div', { role: 'rowgroup' }, h('div.job.head', { role: 'row' }, [t`File`, t`Outcome`, t`Rule`, t`Finished`].map((word) => h('span', { role: 'columnheader' }, word)))), body);
  const change = (part) => go(hashOf('jobs', { ...filter, ...part }), true);
  const outcome = choice(t`Outcome`, OUTCOMES, params.get('outcome') ?? '', (value) => change({ outcome: value }));
  const pipeline = choice(t`Rule`, [['', t`Any rule`]], '', (value) => change({ pipeline: value }));
  let typing = 0;
  const part = h('input', { type: 'search', placeholder: t`Part of the name`, 'aria-label': t`Part of the name`, value: params.get('name') ?? '',
    oninput: () => { clearTimeout(typing); typing = setTimeout(() => change({ name: part.value.trim() }), 150); } });
  fillPipelines(pipeline, params.get('pipeline') ?? '');
  root.append(h('header.bar', h('h1', t`Jobs`), h('div.filters', { role: 'group', 'aria-label': t`Filter the list` }, part, outcome, pipeline)),
    h('div.line.status', told, fresh), trouble, scroller);

  function ask(number) {
    if (blocks.has(number) || waiting.has(number)) return;
    waiting.add(number);
    const signal = control.signal;
    // New jobs come in at the top: what was row 0 is asked for further down.
    get(address('jobs', { ...filter, offset: number * BLOCK + grown, limit: BLOCK }), signal).then((answer) => {
      if (signal.aborted) return;
      waiting.delete(number);
      if (!blocks.size) { base = answer.total; total = answer.total; grown = 0; size(); }
      else grown = Math.max(grown, answer.total - base);
      blocks.set(number, answer.jobs);
      tell();
      draw();
    }).catch((error) => {
      if (aborted(error) || signal.aborted) return;
      waiting.delete(number);
      put(trouble, failure(error, () => { put(trouble); draw(); if (!blocks.size) ask(0); }));
    });
  }

  function tell() {
    const filtered = Object.values(filter).some(Boolean);
    if (filtered) say(told, total ? t`${total} job fits|${total} jobs fit` : t`No job fits. Take a filter away to see more.`);
    else say(told, total ? t`${total} job|${total} jobs` : t`No job yet. Drop a file anywhere on this page.`);
    fresh.hidden = grown <= 0;
    if (grown > 0) say(fresh, t`Show ${grown} new job|Show ${grown} new jobs`);
  }

  function size() {
    rowHeight = parseFloat(getComputedStyle(scroller).getPropertyValue('--row')) * parseFloat(getComputedStyle(document.documentElement).fontSize);
    body.style.height = `${total * rowHeight}px`;
    attr(scroller, 'aria-rowcount', total + 1);
  }

  function make(index) {
    const link = h('a.file', { tabindex: '-1' }), word = h('span'), rule = h('bdi.soft'), at = time(null, 'ago'), folder = h('bdi.soft.small');
    const row = h('div.job', { role: 'row', 'aria-rowindex': index + 2 },
      h('span.cell', { role: 'cell' }, link, folder), h('span', { role: 'cell' }, word),
      h('span.cell', { role: 'cell' }, rule), h('span', { role: 'cell' }, at));
    row.style.transform = `translateY(${index * rowHeight}px)`;
    row.update = (job) => {
      if (row.job === job) return;
      row.job = job;
      row.classList.toggle('empty-row', !job);
      if (!job) return;
      // A link that has the focus must not lose it: first where it leads, then that Tab goes there.
      link.href = documentHash(job.job);
      link.tabIndex = 0;
      say(link, shortName(baseName(job.path)));
      link.title = nameText(job.path);
      say(folder, folderName(job.path) ? shortName(folderName(job.path)) : '');
      setState(word, jobState(job));
      say(rule, clip(job.pipeline ?? '', 80));
      setTime(at, job.finished ?? job.arrived);
    };
    return row;
  }

  function draw() {
    drawing = false;
    const top = Math.max(0, scroller.scrollTop - body.offsetTop), height = scroller.clientHeight || 600;
    const first = Math.max(0, Math.floor(top / rowHeight) - SPARE);
    const last = Math.min(total - 1, Math.ceil((top + height) / rowHeight) + SPARE);
    for (const [index, row] of rows) {
      // The row that has the focus stays, however far it was scrolled away.
      if ((index < first || index > last) && !row.contains(document.activeElement)) {
        row.remove();
        rows.delete(index);
      }
    }
    for (let index = first; index <= last; index += 1) {
      let row = rows.get(index);
      if (!row) {
        row = make(index);
        rows.set(index, row);
        if (rows.has(index - 1)) rows.get(index - 1).after(row); else body.prepend(row);
      }
      row.update(blocks.get(Math.floor(index / BLOCK))?.[index % BLOCK]);
    }
    want(first, last);
  }

  let wanting = 0;
  function want(first, last) {
    // Blocks that only fly by while the bar is dragged are not asked for.
    clearTimeout(wanting);
    wanting = setTimeout(() => {
      for (let block = Math.floor(first / BLOCK); block <= Math.floor(Math.max(first, last) / BLOCK); block += 1) ask(block);
      if (blocks.size > 60) for (const key of blocks.keys()) {
        if (Math.abs(key - first / BLOCK) > 20) blocks.delete(key);
      }
    }, blocks.has(Math.floor(first / BLOCK)) && blocks.has(Math.floor(last / BLOCK)) ? 0 : 60);
  }

  on(scroller, 'scroll', () => {
    if (drawing) return;
    drawing = true;
    requestAnimationFrame(draw);
  }, { passive: true });

  function focusRow(index) {
    const wanted = Math.min(total - 1, Math.max(0, index));
    const top = wanted * rowHeight, height = scroller.clientHeight - body.offsetTop;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (top + rowHeight > scroller.scrollTop + height) scroller.scrollTop = top + rowHeight - height;
    draw();
    rows.get(wanted)?.querySelector('a').focus({ preventScroll: true });
  }
  on(scroller, 'keydown', (event) => {
    const row = event.target.closest('.virtual-body .job');
    const at = row ? Number(row.getAttribute('aria-rowindex')) - 2 : Math.floor(scroller.scrollTop / rowHeight) - 1;
    const pageful = Math.max(1, Math.floor(scroller.clientHeight / rowHeight) - 1);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: total - 1, PageDown: at + pageful, PageUp: at - pageful }[event.key];
    if (to === undefined || !total) return;
    event.preventDefault();
    focusRow(to);
  });

  function begin() {
    control?.abort();
    control = new AbortController();
    blocks = new Map();
    waiting = new Set();
    total = base = grown = 0;
    for (const row of rows.values()) row.remove();
    rows.clear();
    scroller.scrollTop = 0;
    put(trouble);
    fresh.hidden = true;
    ask(0);
  }

  // What came in since is counted, not put in: rows do not move under the eyes.
  let newest = null, counting = 0;
  const end = follow(({ now }) => {
    const latest = now?.recent?.[0]?.job;
    if (!latest || latest === newest) return;
    const known = newest;
    newest = latest;
    for (const [index, row] of rows) {
      const ended = row.job && now.recent.find((one) => one.job === row.job.job), block = blocks.get(Math.floor(index / BLOCK));
      if (ended && block) row.update(block[index % BLOCK] = ended);
    }
    if (!known || counting) return;
    counting = setTimeout(async () => {
      counting = 0;
      const signal = control.signal;
      try {
        const answer = await get(address('jobs', { ...filter, offset: 0, limit: 1 }), signal);
        if (signal.aborted || !blocks.size) return;
        grown = Math.max(grown, answer.total - base);
        tell();
      } catch { /* counted at the next news */ }
    }, 2000);
  });
  const resize = new ResizeObserver(() => {
    size();
    for (const [index, row] of rows) row.style.transform = `translateY(${index * rowHeight}px)`;
    draw();
  });
  resize.observe(scroller);

  const update = (next) => {
    const wanted = Object.fromEntries(['outcome', 'pipeline', 'name'].map((key) => [key, next.get(key) ?? '']));
    if (blocks.size && JSON.stringify(wanted) === JSON.stringify(filter)) return;
    filter = wanted;
    if (outcome.value !== wanted.outcome) outcome.value = wanted.outcome;
    if (document.activeElement !== part) part.value = wanted.name;
    begin();
  };
  update(params);
  return { title: () => t`Jobs`, update, leave: () => { end(); clearTimeout(counting); resize.disconnect(); control?.abort(); } };
}
