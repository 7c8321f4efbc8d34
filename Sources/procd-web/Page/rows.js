// The rows of a document as a table, with what changed since the last edition; and its notes.
import { address, get } from './api.js';
import { bdi, clip, column, failure, h, panel, put, say } from './dom.js';
import { state, time } from './format.js';
import { t } from './language.js';

const PAGE = 200, MOST_CHANGES = 100;
// The kinds of notes that PDF names.
const NOTES = { Highlight: t`Highlight`, Underline: t`Underline`, Squiggly: t`Squiggly`, StrikeOut: t`StrikeOut`, Text: t`Text`, FreeText: t`FreeText`,
  Square: t`Square`, Circle: t`Circle`, Line: t`Line`, Polygon: t`Polygon`, Ink: t`Ink`, Stamp: t`Stamp`, Caret: t`Caret` };
const kindOf = ({ kind }) => h('strong', Object.hasOwn(NOTES, kind ?? '') ? NOTES[kind] : clip(kind, 40));
const KINDS = { new: ['busy', t`New`], changed: ['wait', t`Changed`], gone: ['', t`Gone`] };

/** The row in a strip of its page's picture, as proof; nothing where it is not found there. */
async function strip(job, { number, page }, texts) {
  texts[page] ??= get(address('jobs', job, 'text', { page }));
  const { words, width, height } = await texts[page];
  const at = (text) => text.indexOf(number), letter = /[\p{L}\p{N}]/u;
  const apart = (text) => at(text) >= 0 && !letter.test(text[at(text) - 1] ?? '') && !letter.test(text[at(text) + number.length] ?? '');
  const word = words?.find((one) => one.text === number) ?? words?.find((one) => apart(one.text));
  if (!word) return null;
  const picture = h('img', { src: address('jobs', job, 'pages', `${page}.png`, { width: 1200 }), loading: 'lazy', alt: t`The row of ${clip(number, 80)} on page ${page}` });
  const element = h('div.strip', picture);
  element.style.aspectRatio = width / (word.h * 2.5);
  picture.style.aspectRatio = width / height;
  picture.style.transform = `translateY(${((word.h * 0.75 - word.y) / height) * 100}%)`;
  return element;
}

function changeRow(change) {
  const side = (value) => (value ? [clip(value.status, 200), value.date && h('span.soft', ` (${clip(value.date, 40)})`)] : h('span.soft', '–'));
  return h('tr', h('th', { scope: 'row' }, h('span.mono.short', clip(change.number, 80)), ' ', state(KINDS[change.kind] ?? ['', change.kind])),
    h('td', side(change.before)), h('td', side(change.after)));
}

function changesOf(job, changes, hasPictures) {
  if (!changes.length) return null;
  const number = (kind) => changes.filter((one) => one.kind === kind).length, [changed, added, gone] = ['changed', 'new', 'gone'].map(number);
  const kinds = [changed && t`${changed} changed`, added && t`${added} new`, gone && t`${gone} gone`];
  const order = { changed: 0, new: 1, gone: 2 };
  const sorted = [...changes].sort((a, b) => (order[a.kind] ?? 3) - (order[b.kind] ?? 3));
  const shown = sorted.slice(0, MOST_CHANGES), lines = shown.map(changeRow), texts = {};
  if (hasPictures) {
    (async () => {
      // One after the other, as each page is read for it; not any more where nobody looks.
      for (const [index, change] of shown.entries()) {
        await null;
        const element = change.page && lines[index].isConnected && await strip(job, change, texts);
        if (element) lines[index].after(h('tr', h('td.proof', { colspan: 3 }, element)));
      }
    })().catch((error) => console.warn(error));
  }
  return panel(t`What changed`, h('span.soft', kinds.filter(Boolean).join(', ')),
  h('div.scroll', { tabindex: '0', role: 'region', 'aria-label': t`What changed` }, h('table',
    h('thead', h('tr', [t`Number`, t`Before`, t`Now{change}`].map(column))),
    h('tbody', lines))),
  changes.length > MOST_CHANGES && h('p.empty', t`${changes.length - MOST_CHANGES} more changes are in the results.`));
}

export function rows(job, hasPictures) {
  let offset = 0;
  const changes = h('div'), told = h('p.soft', { role: 'status' }), head = h('tr'), body = h('tbody'), trouble = h('div');
  const back = h('button', { onclick: () => load(offset - PAGE) }, t`Rows before`), next = h('button', { onclick: () => load(offset + PAGE) }, t`Next rows`);
  const element = h('div.stack', changes, panel(t`Rows`, told, trouble,
    h('div.scroll.tall', { tabindex: '0', role: 'region', 'aria-label': t`Rows of the document` }, h('table', h('thead', head), body)),
    h('div.actions', back, next)));

  async function load(from) {
    try {
      const answer = await get(address('jobs', job, 'rows', { offset: Math.max(0, from), limit: PAGE }));
      offset = Math.max(0, from);
      put(trouble);
      if (!changes.firstChild) changes.append(changesOf(job, answer.changes ?? [], hasPictures) ?? '');
      const changed = new Map((answer.changes ?? []).filter((one) => one.kind !== 'gone').map((one) => [String(one.number), one.kind]));
      put(head, ...answer.columns.map((one) => column(bdi(one))));
      put(body, ...answer.rows.map((row) => {
        const kind = changed.get(String(row[0]));
        return h('tr', { class: kind ? 'changed' : null },
          row.map((cell, index) => h(`td${index ? '' : '.mono'}${String(cell).length < 20 ? '.short' : ''}`, { dir: 'auto' }, clip(cell, 300), !index && kind && [' ', state(KINDS[kind] ?? ['', kind])])));
      }));
      const last = offset + answer.rows.length;
      say(told, answer.total > PAGE ? t`${offset + 1} to ${last} of ${answer.total}` : t`${answer.total} row|${answer.total} rows`);
      back.parentElement.hidden = answer.total <= PAGE;
      back.disabled = offset === 0;
      next.disabled = last >= answer.total;
    } catch (error) {
      put(trouble, failure(error, () => load(from)));
    }
  }
  load(0);
  return element;
}

export function notes(job, turn) {
  const element = panel(t`Notes`);
  get(address('jobs', job, 'notes')).then((answer) => {
    if (!answer.notes?.length) return element.append(h('p.empty', t`There are no notes.`));
    element.append(h('ul.rows', answer.notes.slice(0, 500).map((note) => h('li',
      h('div.line', h('span', note.author ? t`${kindOf(note)} by ${bdi(note.author)}` : kindOf(note)),
        note.page && h('button.link', { onclick: () => turn(note.page) }, t`Page ${note.page}`)),
      note.words && h('blockquote', { dir: 'auto' }, clip(note.words, 1000)),
      note.text && h('p', { dir: 'auto' }, clip(note.text, 2000)),
      note.date && h('p.soft.small', time(note.date, 'when'))))));
    if (answer.notes.length > 500) element.append(h('p.empty', t`${answer.notes.length - 500} more notes are in the results.`));
    return null;
  }).catch((error) => element.append(failure(error)));
  return element;
}
