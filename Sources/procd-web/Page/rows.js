// The rows of a document as a table, with what changed since the last edition; and its notes.
import { address, get } from './api.js';
import { clip, failure, h, setText } from './dom.js';
import { count, plural, state, time } from './format.js';

const PAGE = 200, MOST_CHANGES = 100;
const KINDS = { new: ['busy', 'New'], changed: ['wait', 'Changed'], gone: ['', 'Gone'] };

function changeRow(change) {
  const side = (value) => (value ? [clip(value.status, 200), value.date ? h('span.soft', null, ` (${clip(value.date, 40)})`) : null] : h('span.soft', null, '–'));
  return h('tr', null, h('td', null, state(KINDS[change.kind] ?? ['', change.kind])), h('th.mono', { scope: 'row' }, clip(change.number, 80)),
    h('td', null, side(change.before)), h('td', null, side(change.after)));
}

function changesOf(changes) {
  if (!changes.length) return null;
  const kinds = ['changed', 'new', 'gone'].map((kind) => [kind, changes.filter((one) => one.kind === kind).length]).filter(([, number]) => number);
  const order = { changed: 0, new: 1, gone: 2 };
  const sorted = [...changes].sort((a, b) => (order[a.kind] ?? 3) - (order[b.kind] ?? 3));
  return h('section.card.panel', null, h('header', null, h('h2', null, 'What changed'),
    h('span.soft', null, kinds.map(([kind, number]) => `${count(number)} ${kind}`).join(', '))),
  h('div.scroll', { tabindex: '0', role: 'region', 'aria-label': 'What changed' }, h('table', null,
    h('thead', null, h('tr', null, ['Change', 'Number', 'Before', 'Now'].map((word) => h('th', { scope: 'col' }, word)))),
    h('tbody', null, sorted.slice(0, MOST_CHANGES).map(changeRow)))),
  changes.length > MOST_CHANGES ? h('p.soft.small', null, `${count(changes.length - MOST_CHANGES)} more changes are in the results.`) : null);
}

export function rows(job) {
  let offset = 0;
  const changes = h('div'), told = h('p.soft', { role: 'status' }), head = h('tr'), body = h('tbody'), trouble = h('div');
  const back = h('button', { onclick: () => load(offset - PAGE) }, 'Rows before'), next = h('button', { onclick: () => load(offset + PAGE) }, 'Next rows');
  const element = h('div.stack', null, changes, h('section.card.panel', null,
    h('header', null, h('h2', null, 'Rows'), told), trouble,
    h('div.scroll.tall', { tabindex: '0', role: 'region', 'aria-label': 'Rows of the document' }, h('table', null, h('thead', null, head), body)),
    h('div.actions', null, back, next)));

  async function load(from) {
    try {
      const answer = await get(address('jobs', job, 'rows', { offset: Math.max(0, from), limit: PAGE }));
      offset = Math.max(0, from);
      trouble.replaceChildren();
      if (!changes.firstChild) changes.append(changesOf(answer.changes ?? []) ?? '');
      const changed = new Map((answer.changes ?? []).filter((one) => one.kind !== 'gone').map((one) => [String(one.number), one.kind]));
      head.replaceChildren(...answer.columns.map((column) => h('th', { scope: 'col' }, clip(column, 80))), changed.size ? h('th', { scope: 'col' }, 'Change') : '');
      body.replaceChildren(...answer.rows.map((row) => {
        const kind = changed.get(String(row[0]));
        return h('tr', { class: kind ? 'changed' : null },
          row.map((cell, index) => h(index ? 'td' : 'td.mono', { dir: 'auto' }, clip(cell, 300))),
          changed.size ? h('td', null, kind ? state(KINDS[kind] ?? ['', kind]) : null) : null);
      }));
      const last = offset + answer.rows.length;
      setText(told, answer.total > PAGE ? `${count(offset + 1)} to ${count(last)} of ${count(answer.total)}` : plural(answer.total, 'row'));
      back.parentElement.hidden = answer.total <= PAGE;
      back.disabled = offset === 0;
      next.disabled = last >= answer.total;
    } catch (error) {
      trouble.replaceChildren(failure(error, () => load(from)));
    }
  }
  load(0);
  return element;
}

export function notes(job, turn) {
  const element = h('section.card.panel', null, h('header', null, h('h2', null, 'Notes')));
  get(address('jobs', job, 'notes')).then((answer) => {
    if (!answer.notes?.length) return element.append(h('p.empty', null, 'There are no notes.'));
    element.append(h('ul.rows', null, answer.notes.slice(0, 500).map((note) => h('li.note', null,
      h('div.line', null, h('span', null, h('strong', null, clip(note.kind, 40)), note.author ? [' by ', h('bdi', null, clip(note.author, 80))] : null),
        note.page ? h('button.link', { onclick: () => turn(note.page) }, `Page ${count(note.page)}`) : null),
      note.words ? h('blockquote', { dir: 'auto' }, clip(note.words, 1000)) : null,
      note.text ? h('p', { dir: 'auto' }, clip(note.text, 2000)) : null,
      note.date ? h('p.soft.small', null, time(note.date, 'when')) : null))));
    if (answer.notes.length > 500) element.append(h('p.soft', null, `${count(answer.notes.length - 500)} more notes are in the results.`));
    return null;
  }).catch((error) => element.append(failure(error)));
  return element;
}
