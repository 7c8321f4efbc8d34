// Builds and updates elements. Every string becomes a text node; markup in a name is never read as markup.

import { causeOf, english, t } from './language.js';

const SVG = 'http://www.w3.org/2000/svg';
const PROPERTIES = new Set(['value', 'checked', 'disabled', 'hidden', 'open', 'selected', 'max', 'tabIndex']);

// Control characters, and those that turn the direction of what follows, would let a name pretend to be another.
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const HARMFUL_ALL = new RegExp(HARMFUL, 'g');

function mark(character) {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}

/** The string with its harmful characters made visible. Lines and tabs stay. */
export function clean(value) {
  const string = value === null || value === undefined ? '' : String(value);
  return HARMFUL.test(string) ? string.replaceAll('\r\n', '\n').replace(HARMFUL_ALL, mark) : string;
}

export function clip(value, limit = 600) {
  const string = value === null || value === undefined ? '' : String(value);
  if (string.length <= limit) return string;
  return t`${string.slice(0, limit)}… cut, ${string.length - limit} characters more`;
}

function add(element, child) {
  if (!child) return;
  if (Array.isArray(child)) child.forEach((one) => add(element, one));
  else element.append(child instanceof Node ? child : clean(child));
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (PROPERTIES.has(key) && key in element) element[key] = value;
    else element.setAttribute(key, value === true ? '' : clean(value));
  }
  add(element, children);
  return element;
}

/** h('a.name', { href: '#/now' }, t`Now`); attributes may be left out. */
export function h(tag, ...children) {
  const [name, ...classes] = tag.split('.'), [first] = children;
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(' ');
  return fill(element, first && Object.getPrototypeOf(first) === Object.prototype ? children.shift() : null, children);
}

export function put(element, ...children) {
  element.replaceChildren();
  add(element, children);
}

export const on = (target, event, act, options) => target.addEventListener(event, act, options);

export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

const PATHS = {
  check: 'm5 12.5 4.5 4.5L19 7.5',
  work: 'M12 3.5v4M12 16.5v4M3.5 12h4M16.5 12h4M6 6l2.8 2.8M15.2 15.2 18 18M18 6l-2.8 2.8M8.8 15.2 6 18',
  stop: 'M9 6v12M15 6v12',
  alert: 'M12 5v9m0 4v.5',
  off: 'M12 3.5v8M7 6.5a7.5 7.5 0 1 0 10 0',
  file: 'M6 3.5h8l4.5 4.5v12.5H6zM14 3.5V8h4.5',
  camera: 'M4 8h4l1.5-2.5h5L16 8h4v11H4zM12 10a3.2 3.2 0 1 0 .01 0z',
  folder: 'M3.5 6h6l2 2.5h9V19h-17z',
  down: 'M12 4v11m-4.5-4 4.5 4.5 4.5-4.5M5 20h14',
  left: 'm14.5 5.5-6 6.5 6 6.5', right: 'm9.5 5.5 6 6.5-6 6.5',
};

export function icon(name) {
  return svg('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: PATHS[name] }));
}

export function say(element, value) {
  const string = clean(value);
  if (element.textContent !== string) element.textContent = string;
}

export function attr(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== clean(value)) element.setAttribute(name, clean(value));
}

/** A name of a file: isolated from the direction of its neighbors, with every control character visible. */
export function nameText(value) {
  const string = clip(value, 400).replaceAll('\n', '\u240a').replaceAll('\t', '\u2409');
  return string.trim() === '' ? t`(no name)` : string;
}

/** The same in little room: the beginning, and the end with what kind of file it is. */
export function shortName(value) {
  const string = nameText(value);
  return string.length > 64 ? `${string.slice(0, 44)}…${string.slice(-16)}` : string;
}

export const name = (value) => h('bdi', nameText(value));
export const bdi = (value, limit = 80) => h('bdi', clip(value, limit));
export const documentHash = (job, query) => `#/document/${encodeURIComponent(job)}${query ? `?${new URLSearchParams(query)}` : ''}`;
export const column = (word) => h('th', { scope: 'col' }, word);
/** Where a document lies and which rule took it, for a line of facts. */
export const whence = (job) => [folderName(job.path) && h('span', t`in ${name(folderName(job.path))}`), job.pipeline && h('span', bdi(job.pipeline))];
export const panel = (title, aside, ...children) => h('section.card.panel', h('header', h('h2', title), aside), children);

export const baseName = (path) => String(path ?? '').split('/').pop();
export const folderName = (path) => String(path ?? '').split('/').slice(0, -1).join('/');

export function pathName(path) {
  const folder = folderName(path);
  return h('span.path', { title: nameText(path) },
    folder && h('bdi.soft', `${shortName(folder)}/`), h('bdi', shortName(baseName(path))));
}

const kids = new WeakMap();

/** When what has the focus is taken away, its neighbor gets it, or the heading. */
function rescueFocus(node) {
  if (!node.contains(document.activeElement)) return;
  const find = (element) => element?.querySelector('a[href], button:not(:disabled), input:not(:disabled)');
  const heading = () => {
    const element = node.closest('section, main')?.querySelector('h1, h2');
    if (element) element.tabIndex = -1;
    return element;
  };
  (find(node.nextElementSibling) ?? find(node.previousElementSibling) ?? heading())?.focus({ preventScroll: true });
}

/** The children of `parent` become those of `items`: kept by key, moved only where their order changed. */
export function keyed(parent, items, key, make) {
  const old = kids.get(parent) ?? new Map();
  const next = new Map();
  for (const item of items) {
    const id = key(item);
    if (next.has(id)) continue;
    const element = old.get(id) ?? make(item);
    element.update?.(item);
    next.set(id, element);
  }
  for (const [id, element] of old) {
    if (next.get(id) === element) continue;
    rescueFocus(element);
    element.remove();
  }
  let cursor = parent.firstElementChild;
  for (const element of next.values()) {
    if (element === cursor) cursor = cursor.nextElementSibling;
    else if (parent.moveBefore && element.parentNode === parent) parent.moveBefore(element, cursor);
    else parent.insertBefore(element, cursor);
  }
  kids.set(parent, next);
}

let lastNews = 0, news = [];

/** Tells screen readers; several pieces of news within ten seconds become one. */
export function announce(sentence) {
  if (news.push(sentence) > 1) return;
  setTimeout(() => {
    lastNews = Date.now();
    say(document.getElementById('news'), news.length > 3 ? t`${news.at(-1)}, and ${news.length - 1} other pieces of news` : news.join('. '));
    news = [];
  }, Math.max(150, lastNews + 10000 - Date.now()));
}

let toastTimer = 0;

/** A short message over the page; everything it says also stands in a view. */
export function toast(...children) {
  const element = document.getElementById('toast');
  put(element, ...children);
  element.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { element.hidden = true; }, 12000);
}

/** Shows what procd tells: in the language of the page where that has it for the code, else in procd's own words. */
export function tell(element, code, sentence) {
  const [own] = causeOf(code) ?? [];
  attr(element, 'lang', own ? null : english);
  say(element, own ?? sentence);
}

/** What procd told in its own words, where the page shows it in another language. */
export const original = (...sentences) => h('details.small', h('summary', t`Details`), sentences.map((one) => one && h('p', { lang: english, dir: 'auto' }, one)));

/** What stands where a request failed: the sentence of the server, and a way to try again. */
export function failure(error, again) {
  return h('div.notice.bad', { role: 'alert' },
    h('p', { lang: error.isEnglish && english }, clip(error.message || t`Something went wrong.`)),
    error.original && original(clip(error.original)),
    again && h('button', { onclick: again }, t`Try again`));
}
