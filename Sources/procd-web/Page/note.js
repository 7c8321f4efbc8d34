// Notes on a page's picture: an area that is dragged, or the word that is chosen, gets one; all are handed in together.
import { address, post } from './api.js';
import { baseName, clip, failure, h, name, on, put } from './dom.js';
import { t } from './language.js';

const KINDS = { Highlight: t`Highlight`, Text: t`Comment`, FreeText: t`Text on the page`, Square: t`Frame`, StrikeOut: t`Strike out` };
const SAY = new Set(['Text', 'FreeText']), MARKS = new Set(['Highlight', 'StrikeOut']), ICON = 18, MOST = 200, LEAST = 3;

/** view: { job, sheet, size(), page(), words(), word(), place(element, box) } */
export function maker(view) {
  const kept = `procd-notes-${view.job}`;
  let area = null, from = null, dragged = false, notes = JSON.parse(sessionStorage.getItem(kept) ?? '[]');
  const layer = h('div.boxes', { 'aria-hidden': 'true' });
  const kind = h('select', { 'aria-label': t`Kind of note` }, Object.entries(KINDS).map(([value, label]) => h('option', { value }, label)));
  const says = h('input', { 'aria-label': t`What it says`, placeholder: t`What it says`, maxlength: 2000 });
  const author = h('input', { 'aria-label': t`Your name`, placeholder: t`Your name`, maxlength: 100, value: localStorage.getItem('procd-author') ?? '' });
  const send = h('button.primary', { type: 'button', onclick: handIn }), list = h('ul.rows'), told = h('div', { role: 'status' });
  const hint = h('span');
  const element = h('section.card.maker', { 'aria-label': t`New notes` },
    h('form.filters', { onsubmit: add }, kind, says, author, h('button', t`Add`), send),
    h('p.small.soft', { role: 'status' }, hint), list, told);

  const round = (value) => Math.round(value * 100) / 100;
  function at(event) {
    const seen = view.sheet.getBoundingClientRect(), [width, height] = view.size();
    const inside = (value, most) => round(Math.min(most, Math.max(0, value * most)));
    return [inside((event.clientX - seen.left) / seen.width, width), inside((event.clientY - seen.top) / seen.height, height)];
  }

  /** The corners of each line of the words in an area; nothing where there are none. */
  function quads([left, top, right, bottom]) {
    const lines = [], inside = (value, from, to) => value > from && value < to;
    for (const { x, y, w, h: high } of view.words()) {
      if (!inside(x + w / 2, left, right) || !inside(y + high / 2, top, bottom)) continue;
      const line = lines.at(-1);
      if (line && x >= line[2] - 1 && Math.abs(y - line[1]) < high / 2) line.splice(2, 2, x + w, Math.max(line[3], y + high));
      else lines.push([x, y, x + w, y + high]);
    }
    return lines.length ? lines.map(([x, y, to, end]) => [x, y, to, y, x, end, to, end].map(round)) : undefined;
  }

  /** Says what the next note will be on. */
  function chosen() {
    const word = area ? null : view.word();
    put(hint, area ? t`The note will be on the area that you dragged.`
      : word ? t`The note will be on the word ${h('bdi', clip(`“${word.text}”`, 80))}. Enter on it leads here.`
        : t`Drag over what it is about, or choose a word (in the text with ← and →, and Enter).`);
  }

  function draw() {
    chosen();
    sessionStorage.setItem(kept, JSON.stringify(notes));
    const boxes = notes.filter((one) => one.page === view.page()).map((one) => one.box);
    put(layer, [...boxes, area].filter(Boolean).map(([x, y, right, bottom]) => view.place(h('i.box.note'), { x, y, w: right - x, h: bottom - y })));
    put(list, notes.map((one, index) => h('li.line',
      h('span', t`${h('strong', KINDS[one.type])} on page ${one.page}`, ' ', h('bdi', clip(one.contents, 200))),
      h('button.link', { type: 'button', 'aria-label': t`Remove note ${index + 1}`, onclick: () => { notes.splice(index, 1); draw(); says.focus(); } }, t`Remove`))));
    put(send, notes.length ? t`Hand in ${notes.length} note|Hand in ${notes.length} notes` : t`Hand in`);
    send.disabled = !notes.length;
  }

  function add(event) {
    event.preventDefault();
    const word = view.word(), type = kind.value, text = says.value.trim();
    const box = area ?? (word && [word.x, word.y, word.x + word.w, word.y + word.h].map(round));
    if (!box) return put(told, h('p.told', t`Drag over what it is about first, or choose a word.`));
    if (notes.length >= MOST) return put(told, h('p.told', t`Hand in these ${MOST} first.`));
    if (SAY.has(type) && !text) return put(told, h('p.told', t`This kind of note has to say something.`));
    const marked = MARKS.has(type) ? quads(box) : undefined;
    if (type === 'Text') box.splice(2, 2, round(box[0] + ICON), round(box[1] + ICON));
    notes.push({ type, page: view.page(), box, quads: marked, contents: text || undefined, author: author.value.trim() || undefined });
    localStorage.setItem('procd-author', author.value.trim());
    says.value = '';
    area = null;
    put(told);
    return draw();
  }

  async function handIn() {
    const sent = notes.slice();
    send.disabled = true;
    try {
      const { path } = await post(address('jobs', view.job, 'notes'), { notes: sent });
      notes = notes.filter((one) => !sent.includes(one));
      put(told, h('p.notice.good', t`Handed in as ${name(path)}. It appears among ${
        h('a', { href: `#/jobs?${new URLSearchParams({ name: baseName(path) })}` }, t`its jobs`)} when it is done.`));
    } catch (error) {
      put(told, failure(error));
    }
    draw();
  }

  on(view.sheet, 'pointerdown', (event) => {
    if (event.button || element.hidden) return;
    from = at(event);
    dragged = false;
    view.sheet.setPointerCapture(event.pointerId);
  });
  on(view.sheet, 'pointermove', (event) => {
    if (!from) return;
    const to = at(event), box = [Math.min(from[0], to[0]), Math.min(from[1], to[1]), Math.max(from[0], to[0]), Math.max(from[1], to[1])];
    if (!dragged && box[2] - box[0] < LEAST && box[3] - box[1] < LEAST) return;
    dragged = true;
    area = box;
    draw();
  });
  for (const end of ['pointerup', 'pointercancel']) on(view.sheet, end, () => { if (from && dragged) says.focus(); from = null; });
  // The end of a drag chooses no word; a word that is chosen takes the place of an area.
  on(view.sheet, 'click', (event) => {
    if (element.hidden) return;
    if (dragged) event.stopImmediatePropagation();
    else if (area) { area = null; draw(); }
    dragged = false;
  }, { capture: true });
  on(view.sheet, 'dragstart', (event) => event.preventDefault());
  view.sheet.append(layer);
  draw();
  return {
    element, layer, chosen, draw: () => { area = null; draw(); },
    /** A word was taken by keyboard: what the note says comes next. */
    take: () => { if (!element.hidden) { area = null; draw(); says.focus(); } },
  };
}
