// A page's picture beside its text. Only the page that is shown is loaded.
import { aborted, address, get } from './api.js';
import { attr, clean, clip, failure, h, icon, on, put, say } from './dom.js';
import { t } from './language.js';
import { remarkList } from './remarks.js';
import { align, places, reflow, terms, unsure, wordAt } from './words.js';

const MOST_TEXT = 200000;

/** facts: { job, pages (of pictures, or null), text, annotate, remarks }. turn(page) is called when another page is wanted. */
export function viewer(facts, turn) {
  let page = 0, pages = facts.pages ?? 1, query = '', control = null, words = [], spans = [], lit = -1, sheetSize = [595, 842];

  const number = h('input', { type: 'number', min: 1, id: 'page-number', inputmode: 'numeric', onchange: () => go(Number(number.value)) });
  const of = h('span.soft');
  const back = h('button', { 'aria-label': t`Previous page`, onclick: () => go(page - 1) }, icon('left'));
  const next = h('button', { 'aria-label': t`Next page`, onclick: () => go(page + 1) }, icon('right'));
  const large = h('button.quiet', { 'aria-pressed': 'false', onclick: () => {
    const on = element.classList.toggle('large');
    attr(large, 'aria-pressed', String(on));
  } }, t`Large picture`);
  let making = null, asked = null;
  const annotate = h('button.quiet', { 'aria-pressed': 'false', onclick: async () => {
    asked ??= import('./note.js');
    const { maker } = await asked;
    making ??= maker({ job: facts.job, sheet, size: () => sheetSize, page: () => page, words: () => words, word: () => words[lit], place });
    if (!making.element.isConnected) trouble.after(making.element);
    else making.element.hidden = !making.element.hidden;
    making.layer.hidden = making.element.hidden;
    element.classList.toggle('making', !making.element.hidden);
    attr(annotate, 'aria-pressed', String(!making.element.hidden));
  } }, t`Add notes`);
  const doubt = h('span'), nextDoubt = h('button.link', { onclick: () => findDoubt() }, t`Next{word}`);
  const bar = h('div.pagebar', { role: 'group', 'aria-label': t`Pages` },
    h('span.turn', back, h('label.hidden', { for: 'page-number' }, t`Page`), number, of, next), doubt, facts.annotate && annotate, facts.pages && large);
  const boxes = h('div.boxes', { 'aria-hidden': 'true' }), box = h('i.box.lit', { hidden: true });
  const picture = h('img', { alt: '' });
  const missing = h('p.empty', { hidden: true }, t`There is no picture of this page.`);
  const sheet = h('div.sheet', { onclick: (event) => pick(event) }, picture, boxes, missing);
  const text = h('div.text', { dir: 'auto', 'aria-label': t`Text of the page`, role: 'group' });
  const lens = h('div.lens', { hidden: true, 'aria-hidden': 'true' });
  const trouble = h('div'), told = h('div');
  const spread = h('div.spread', facts.pages && h('div.picture', sheet), facts.text && h('div.words', text));
  const element = h('div', bar, trouble, told, spread, lens);

  on(picture, 'load', () => sheet.classList.add('loaded'));
  on(picture, 'error', () => { missing.hidden = false; picture.hidden = true; });

  function go(wanted) {
    const to = Math.min(pages, Math.max(1, Math.round(wanted) || 1));
    if (to === page) number.value = page;
    else turn(to);
  }

  function place(target, word) {
    const [width, height] = sheetSize;
    target.style.left = `${(word.x / width) * 100}%`;
    target.style.top = `${(word.y / height) * 100}%`;
    target.style.width = `${(word.w / width) * 100}%`;
    target.style.height = `${(word.h / height) * 100}%`;
    return target;
  }

  function light(index, focus) {
    spans[lit]?.classList.remove('lit');
    // One stop of the Tab key for all words.
    for (const one of spans) if (one?.tabIndex === 0) one.tabIndex = -1;
    lit = index;
    making?.chosen();
    const word = words[index], span = spans[index];
    box.hidden = !word;
    lens.hidden = true;
    if (!word) return;
    place(box, word);
    if (span) {
      span.classList.add('lit');
      span.tabIndex = 0;
      if (focus) span.focus({ preventScroll: true });
      span.scrollIntoView({ block: 'nearest' });
    }
    magnify(word);
  }

  /** Where the picture is out of sight (on a phone), a strip of it shows the word. */
  function magnify(word) {
    if (!facts.pages || picture.hidden || !picture.naturalWidth) return;
    const seen = box.getBoundingClientRect();
    if (seen.bottom > 60 && seen.top < innerHeight - 80 && seen.height >= 9) return;
    lens.hidden = false;
    const height = 88, scale = Math.min(6, 34 / word.h), width = lens.clientWidth;
    const copy = h('img', { src: picture.src, alt: '' }), frame = h('i.box.lit');
    copy.style.width = `${sheetSize[0] * scale}px`;
    const left = Math.min(0, width / 2 - (word.x + word.w / 2) * scale), top = height / 2 - (word.y + word.h / 2) * scale;
    copy.style.transform = `translate(${left}px,${top}px)`;
    Object.assign(frame.style, { left: `${word.x * scale + left}px`, top: `${word.y * scale + top}px`,
      width: `${word.w * scale}px`, height: `${word.h * scale}px` });
    put(lens, copy, frame);
  }

  function pick(event) {
    const area = sheet.getBoundingClientRect();
    const found = wordAt(words, ((event.clientX - area.left) / area.width) * sheetSize[0], ((event.clientY - area.top) / area.height) * sheetSize[1]);
    if (found >= 0) light(found, true);
  }

  function findDoubt() {
    const order = words.map((word, index) => index).filter((index) => unsure(words[index]));
    if (!order.length) return false;
    light(order.find((index) => index > lit) ?? order[0], true);
    return true;
  }

  on(text, 'click', (event) => {
    const span = event.target.closest('[data-word]');
    if (span && String(getSelection()) === '') light(Number(span.dataset.word), true);
  });
  on(text, 'keydown', (event) => {
    const span = event.target.closest('[data-word]');
    if (!span || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = Number(span.dataset.word);
    const step = { Enter: 0, ' ': 0, ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    let to = at + step;
    while (step && to >= 0 && to < words.length && !spans[to]) to += step;
    if (spans[to]) light(to, true);
    if (event.key === 'Enter') making?.take();
  });

  function drawText(answer) {
    const wanted = terms(query);
    const cut = reflow(clip(clean(answer.text ?? ''), MOST_TEXT));
    spans = [];
    put(boxes, box);
    box.hidden = true;
    const pieces = [];
    if (!words.length) {
      let at = 0;
      for (const [from, to] of places(cut, wanted)) {
        if (from < at) continue;
        pieces.push(cut.slice(at, from), h('mark', cut.slice(from, to)));
        at = to;
      }
      return put(text, pieces, cut.slice(at), cut.trim() ? null : h('span.soft', t`There is no text on this page.`));
    }
    for (const piece of align(cut, words.map((word) => ({ ...word, text: clean(word.text) })))) {
      if (typeof piece === 'string') { pieces.push(piece); continue; }
      const word = words[piece], hit = wanted.length > 0 && places(word.text, wanted).length > 0, low = unsure(word);
      const span = h(hit ? 'mark' : 'span', { 'data-word': piece, tabindex: '-1', title: low ? t`Read with ${Math.round(word.confidence * 100)} % confidence` : null }, word.text);
      if (low) span.classList.add('unsure');
      spans[piece] = span;
      pieces.push(span);
      if (low || hit) boxes.append(place(h(`i.box${hit ? '.hit' : ''}${low ? '.unsure' : ''}`), word));
    }
    put(text, pieces);
    const first = spans.find(Boolean);
    if (first) first.tabIndex = 0;
    return null;
  }

  function drawLegend() {
    const low = words.filter(unsure).length, known = words.some((word) => typeof word.confidence === 'number');
    if (low) put(doubt, h('span.sample'), ' ', t`${low} word of ${words.length} read with doubt (below 60 %)|${low} words of ${words.length} read with doubt (below 60 %)`, ' ', nextDoubt);
    else put(doubt, known && t`All ${words.length} word were read with confidence.|All ${words.length} words were read with confidence.`);
  }

  async function show(wanted, query_) {
    const samePage = wanted === page;
    if (samePage && query_ === query) return;
    page = wanted;
    query = query_;
    number.value = page;
    control?.abort();
    control = new AbortController();
    const { signal } = control;
    const tellCount = () => {
      number.max = pages;
      say(of, ` ${t`of ${pages}`}`);
      bar.classList.toggle('single', pages < 2);
      attr(back, 'aria-disabled', page <= 1 ? 'true' : null);
      attr(next, 'aria-disabled', page >= pages ? 'true' : null);
    };
    tellCount();
    const about = pages > 1 ? (facts.remarks ?? []).filter((one) => one.page === page) : [];
    put(told, about.length && h('div.notice.wait', remarkList(about)));
    if (facts.pages && !samePage) {
      lens.hidden = true;
      box.hidden = true;
      put(boxes, box);
      sheet.classList.remove('loaded');
      picture.hidden = false;
      missing.hidden = true;
      const width = Math.min(2400, Math.ceil((Math.max(480, sheet.clientWidth || 480) * devicePixelRatio * 1.4) / 400) * 400);
      attr(picture, 'alt', t`Picture of page ${page}`);
      picture.src = address('jobs', facts.job, 'pages', `${page}.png`, { width });
    }
    if (!facts.text) return;
    try {
      const answer = await get(address('jobs', facts.job, 'text', { page }), signal);
      if (signal.aborted) return;
      put(trouble);
      words = answer.words ?? [];
      pages = Math.max(facts.pages ?? 1, answer.pages ?? 1);
      sheetSize = [answer.width || 595, answer.height || 842];
      spread.style.setProperty('--ratio', sheetSize[0] / sheetSize[1]);
      tellCount();
      lit = -1;
      making?.draw();
      drawText(answer);
      drawLegend();
      if (query) text.querySelector('mark')?.scrollIntoView({ block: 'nearest' });
    } catch (error) {
      if (aborted(error)) return;
      words = [];
      put(text);
      put(trouble, failure(error, () => { page = 0; show(wanted, query_); }));
    }
  }

  function key(pressed) {
    const scroll = document.scrollingElement;
    const atEnd = scroll.scrollTop + innerHeight >= scroll.scrollHeight - 4, atTop = scroll.scrollTop <= 4;
    if (pressed === 'n') return findDoubt();
    if ((pressed === 'j' || (pressed === 'PageDown' && atEnd)) && page < pages) { scrollTo(0, 0); go(page + 1); return true; }
    if ((pressed === 'k' || (pressed === 'PageUp' && atTop)) && page > 1) { go(page - 1); return true; }
    return false;
  }

  return { element, show, key, leave: () => control?.abort() };
}
