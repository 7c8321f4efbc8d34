// The frame of all views: routes, the search field, keys, dropping, the state in one word.
import { address, post, session } from './api.js';
import { announce, attr, baseName, failure, h, on, put, say, shortName, toast } from './dom.js';
import { jobState, overall } from './format.js';
import { chooseLanguage, chosenLanguage, LANGUAGES, t } from './language.js';
import { connect, follow, live } from './live.js';
import { cards, chosen, filesOf, handIn, onUploads, open as isOpen, recall } from './uploads.js';

const VIEWS = ['now', 'documents', 'assemble', 'jobs', 'drop', 'find', 'document', 'quarantine', 'deleted', 'figures', 'rules'];

const $ = (id) => document.getElementById(id);
const main = $('main'), words = $('words');
const scrolled = new Map();
let shown = null, turn = 0, lastHash = '', byLink = false;

function route() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const [view, id] = path.split('/');
  let known = '';
  try { known = decodeURIComponent(id ?? ''); } catch { /* no id of ours */ }
  return { view: VIEWS.includes(view) ? view : 'now', id: known, params: new URLSearchParams(query ?? '') };
}

/** Goes to a view; with `replace` the step leaves nothing in the history. */
export function go(hash, replace = false) {
  if (hash === location.hash) return;
  byLink = true;
  if (replace) {
    history.replaceState(null, '', hash);
    navigate();
  } else location.hash = hash;
}

async function navigate() {
  const { view, id, params } = route();
  if (lastHash) scrolled.set(lastHash, scrollY);
  const target = byLink ? 0 : scrolled.get(location.hash) ?? 0, followed = byLink;
  lastHash = location.hash;
  byLink = false;
  for (const link of $('nav').querySelectorAll('a')) {
    attr(link, 'aria-current', link.dataset.view === view ? 'page' : null);
    // On a phone the bar is wider than the window.
    if (link.dataset.view === view && link.parentElement.scrollWidth > link.parentElement.clientWidth) link.scrollIntoView({ block: 'nearest', inline: 'center' });
  }
  if (document.activeElement !== words) words.value = ['find', 'document'].includes(view) ? params.get('q') ?? '' : '';
  if (shown?.view === view && shown.id === id) return shown.opened.update?.(params);
  const first = !shown, mine = ++turn;
  $('toast').hidden = true;
  shown?.opened.leave?.();
  shown = { view, id, opened: {} };
  const root = h('div.view', { 'data-view': view });
  let opened = {};
  try {
    const module = await import(`./${view}.js`);
    if (mine !== turn) return null;
    opened = module.open(root, route().params, id);
  } catch (error) {
    if (mine !== turn) return null;
    put(root, h('h1', t`This view cannot be shown`),
      failure({ message: t`A part of the page could not be loaded. Look whether procd-web runs, then load the page again.` },
        () => location.reload()));
    console.warn(error);
  }
  put(main, root);
  shown.opened = opened;
  title();
  const heading = root.querySelector('h1');
  if (heading) heading.tabIndex = -1;
  if (view === 'find' && followed && !first) words.focus();
  else if (!first && document.activeElement !== words) heading?.focus({ preventScroll: true });
  return scrollTo(0, target);
}

export function title() {
  const what = shown?.view === 'now' ? overall(live.now, live.line).title : shown?.opened.title?.();
  document.title = what ? `${what} – procd` : 'procd';
}

/* The state in one word, the badges, and news for those who do not see them. */

let known = null;

function news(state) {
  const recent = state.now?.recent ?? [];
  for (const job of known ? recent.slice(0, 5) : []) {
    if (job.outcome && !known.has(job.job)) announce(`${shortName(baseName(job.path))}: ${jobState(job)[1]}`);
  }
  if (state.now) known = new Set(recent.map((job) => job.job));
}

function badge(element, number, what) {
  element.hidden = !number;
  const text = number > 999 ? '999+' : String(number);
  if (element.dataset.text === text) return;
  element.dataset.text = text;
  put(element, text, h('span.hidden', ` ${what}`));
}

let lastTitle = '';

follow((state) => {
  const { tone, word, title: sentence } = overall(state.now, state.line);
  const pill = $('pill');
  attr(pill, 'data-tone', tone);
  say($('pill-word'), word);
  attr(pill, 'aria-label', t`State: ${sentence}`);
  badge($('badge-quarantine'), state.now?.totals?.inQuarantine ?? 0, t`that need attention`);
  document.body.classList.toggle('lost', state.line === 'lost');
  if (sentence !== lastTitle) {
    if (tone === 'bad' || tone === 'wait') announce(sentence);
    lastTitle = sentence;
    title();
  }
  news(state);
});

let refused = 0;
onUploads(() => {
  badge($('badge-drop'), cards.filter(isOpen).length, t`on their way`);
  const before = refused;
  refused = cards.filter((card) => ['no-rule', 'failed'].includes(card.state)).length;
  if (refused > before && route().view !== 'drop') toast(t`${refused} file was not handed in.|${refused} files were not handed in.`, ' ', h('a', { href: '#/drop' }, t`Why`));
});

/* Search: the field at the top is the only one, and typing in it shows the hits. */

let typing = 0;
const inFind = () => route().view === 'find';
const findHash = () => `#/find?${new URLSearchParams({ ...Object.fromEntries(inFind() ? route().params : []), q: words.value.trim() })}`;

on(words, 'input', () => {
  clearTimeout(typing);
  typing = setTimeout(() => go(findHash(), inFind()), 110);
});
on($('search'), 'submit', (event) => {
  event.preventDefault();
  clearTimeout(typing);
  if (findHash() !== location.hash) go(findHash(), inFind());
  else shown?.opened.enter?.();
});
on(words, 'keydown', (event) => {
  if (event.key === 'ArrowDown' && shown?.opened.enter) {
    event.preventDefault();
    shown.opened.enter();
  }
});

const help = $('help'), single = $('single-keys');
single.checked = localStorage.getItem('procd.keys') !== 'off';
on(single, 'change', () => localStorage.setItem('procd.keys', single.checked ? 'on' : 'off'));
put($('language'), [['', t`As in the browser`], ...Object.entries(LANGUAGES)].map(([tag, word]) => h('button', { type: 'button', lang: tag || null,
  'aria-pressed': String(tag === chosenLanguage), onclick: () => chooseLanguage(tag) }, word)));
on($('help-open'), 'click', () => help.showModal());
on($('logout'), 'click', () => post(address('logout')).finally(() => location.reload()));
on(help, 'click', (event) => { if (event.target === help) help.close(); });

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (event.target.closest?.('input, select') || (event.key.length === 1 && !single.checked)) return;
  if (event.key === '/') {
    words.focus();
    words.select();
  } else if (event.key === '?') help.showModal();
  else if (!shown?.opened.key?.(event.key)) return;
  event.preventDefault();
});

on($('skip'), 'click', (event) => {
  event.preventDefault();
  (main.querySelector('h1') ?? main).focus();
});
addEventListener('click', (event) => { if (event.target.closest?.('a[href^="#"]')) byLink = true; }, true);

/* Dropping, anywhere on the page: files are handed in, unless the view does something else with them. */

let deep = 0;
const holdsFiles = (event) => event.dataTransfer?.types.includes('Files');
const veil = (on) => {
  if (!on) deep = 0;
  $('veil').hidden = !on;
  if (!on) return;
  const tries = shown?.opened.drop;
  say($('veil-what'), tries ? tries.what : t`Drop to hand in`);
  say($('veil-where'), tries ? tries.where : chosen.folder ? t`into ${chosen.folder}` : t`into the inbox`);
};
addEventListener('dragenter', (event) => { if (holdsFiles(event)) { deep += 1; veil(true); } });
addEventListener('dragleave', (event) => { if (holdsFiles(event) && --deep <= 0) veil(false); });
addEventListener('dragover', (event) => { if (holdsFiles(event)) event.preventDefault(); });
addEventListener('drop', async (event) => {
  if (!holdsFiles(event)) return;
  event.preventDefault();
  veil(false);
  const act = shown?.opened.drop?.take ?? take;
  act(await filesOf(event.dataTransfer));
});

/** Hands files in, and says so wherever the page is. */
export async function take(files) {
  if (!files.length) return toast(t`There was no file in what you dropped.`);
  const { canUpload } = await session().catch(() => ({ canUpload: true }));
  if (canUpload === false) return toast(t`This procd takes no files from the page. Put them into the inbox instead.`);
  const { taken, left } = handIn(files);
  if (route().view !== 'drop') {
    toast(t`${taken} file is on the way.|${taken} files are on the way.`, ' ', h('a', { href: '#/drop' }, t`Show`));
  }
  if (left) toast(t`${taken} files were taken, ${left} more were left out: copy that many into the inbox.`);
  return null;
}

async function login() {
  if (shown?.view === 'login') return;
  turn += 1;
  shown?.opened.leave?.();
  shown = { view: 'login', opened: {} };
  document.body.classList.add('locked');
  const root = h('div.view', { 'data-view': 'login' });
  const module = await import('./login.js');
  shown.opened = module.open(root);
  put(main, root);
  root.querySelector('input')?.focus();
  title();
}

addEventListener('procd-login', login);
addEventListener('hashchange', () => { if (shown?.view !== 'login') navigate(); });

session().then((answer) => {
  say($('foot'), answer.version ? `procd ${answer.version}` : '');
  connect();
  recall();
}).catch((error) => {
  // Without an answer the page still opens, and says that nothing is known.
  if (error.status !== 401) connect();
});
navigate();
