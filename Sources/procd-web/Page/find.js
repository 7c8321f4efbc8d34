// Hits as you type: old answers are dropped, and coming back from a document shows the same hits at once.
import { aborted, address, get } from './api.js';
import { clip, documentHash, failure, h, keyed, nameText, on, put, say, shortName, whence } from './dom.js';
import { state, time } from './format.js';
import { t } from './language.js';
import { choice, fillPipelines, hashOf, OUTCOMES } from './jobs.js';
import { go, title } from './app.js';

const PAGE = 20;
const DAY = 86400000;
// Strips of pages are drawn for so many hits, once nobody has typed for a moment.
const STRIPS = 60, CALM = 350;
const FILTER = /(^|\s)-?(in|from|since|before):\S/i;
const SINCE = [['', t`Any time`], ['1', t`Since yesterday`], ['7', t`Last 7 days`], ['31', t`Last 31 days`], ['366', t`Last 12 months`]];
const OUT = { done: ['good', t`Done`], quarantined: ['bad', t`Failed`], duplicate: ['', t`Duplicate`] };

let kept = { key: null, answer: null, hits: [] };

const sinceDate = (days) => (days ? new Date(Date.now() - days * DAY).toISOString().slice(0, 10) : '');

/** The part of the page with the words that were found; its picture is loaded later. */
function strip(hit) {
  const near = hit.picture && (hit.snippet ?? []).find((piece) => piece.lit)?.text;
  if (!near) return null;
  const picture = h('img', { alt: '', loading: 'lazy', width: 7, height: 1,
    'data-src': address('jobs', hit.job, 'pages', String(hit.page), { near: near.slice(0, 200), width: Math.ceil(384 * devicePixelRatio) }) });
  const element = h('div.strip', picture);
  on(picture, 'error', () => element.remove());
  return element;
}

function hitCard(hit, { q, words }) {
  const lit = { ...(hit.page > 0 ? { page: hit.page } : {}), q, ...(words === q ? {} : { words }) };
  const link = h('a.file', { href: documentHash(hit.job, lit), title: nameText(hit.path) }, h('bdi', shortName(hit.name || hit.path)));
  const snippet = (hit.snippet ?? []).slice(0, 60).map((piece) => (piece.lit ? h('mark', clip(piece.text, 200)) : clip(piece.text, 400)));
  return h('li.found',
    h('div.line', link, hit.outcome === 'done' ? null : state(OUT[hit.outcome] ?? ['', t`In work`])),
    snippet.length && h('p.snippet', { dir: 'auto' }, snippet),
    strip(hit),
    h('p.soft.small.facts',
      hit.page > 0 ? h('span', hit.pages > 1 ? t`Page ${hit.page} of ${hit.pages}` : t`Page ${1}`) : hit.page === 0 ? h('span', t`Found in the name`) : null,
      whence(hit), time(hit.finished, 'when')));
}

export function open(root, params) {
  let control = null, asked = null;
  let later = 0, calm = 0;
  const meant = h('div');
  const told = h('p.soft.small', { role: 'status' }), list = h('ol'), help = h('div'), trouble = h('div');
  const more = h('button', { hidden: true, onclick: () => ask(true) }, t`Show more`);
  const read = (next) => ({ q: next.get('q') ?? '', in: next.get('in') ?? '', since: next.get('since') ?? '', outcome: next.get('outcome') ?? '' });
  let wanted = read(params);
  const change = (part) => go(hashOf('find', { ...wanted, ...part }), true);
  const pipeline = choice(t`Rule`, [['', t`Any rule`]], '', (value) => change({ in: value }));
  const since = choice(t`Time`, SINCE, wanted.since, (value) => change({ since: value }));
  const outcome = choice(t`Outcome`, OUTCOMES, wanted.outcome, (value) => change({ outcome: value }));
  fillPipelines(pipeline, wanted.in);
  root.append(h('header.bar', h('h1', t`Find`), h('div.filters', { role: 'group', 'aria-label': t`Filter the hits` }, pipeline, since, outcome)),
    told, trouble, meant, list, help, h('p.actions', more));

  const words = document.getElementById('words');
  const example = (text) => h('button.link', { onclick: () => { words.value = text; change({ q: text }); } }, text);

  function explain(answer) {
    if (!wanted.q) {
      return [h('section.empty-state.card', h('h2', t`Every word of every document`),
        h('p', t`Type in the field at the top: words are found as you type, in scans too, with or without accents and capitals.`),
        h('p', t`All words must be there, in any order. ${h('code', t`"final notice"`)} finds these two side by side, ${h('code', t`insur*`)} all that begins so, ${h('code', t`letter.jpg`)} a name.`),
        h('p', t`${h('code', t`in:letters`)} keeps to a rule or folder, ${h('code', t`from:anna`)} to a sender of mails, ${h('code', t`since:2026-05`)} and ${
          h('code', t`before:2026-06-15`)} to the time when procd was done; ${h('code', t`-draft`)} leaves out what has this word, ${h('code', t`-in:letters`)} this rule or folder.`),
        h('p', t`A word that is nowhere may have a typo: the nearest one is shown instead, unless it has digits or is in quotes.`),
        h('button', { onclick: () => words.focus() }, t`Go to the search field`))];
    }
    if (!answer || kept.hits.length) return [];
    const several = (answer.words ?? '').split(/\s+/).filter(Boolean), filters = FILTER.test(wanted.q);
    return [h('section.empty-state.card', h('h2', t`Nothing found`), h('ul',
      filters || wanted.in || wanted.since || wanted.outcome ? h('li', t`The filters leave documents out.`, ' ', several.length && h('button.link', { onclick: () => {
        if (filters) words.value = answer.words;
        change({ q: filters ? answer.words : wanted.q, in: '', since: '', outcome: '' });
      } }, t`Take them away`)) : null,
      several.length > 1 ? h('li', t`All words must be in one document. Try one of them:`, ' ', several.slice(0, 4).map((term) => [example(term), ' ']))
        : several.length ? h('li', t`Search for the beginning of the word:`, ' ', example(`${clip(several[0], 5).split('…')[0]}*`))
          : h('li', t`Type at least one word that the document has.`),
      answer.behind && h('li', t`${answer.behind} new document is not read by the search yet. Try again in a moment.|${answer.behind} new documents are not read by the search yet. Try again in a moment.`),
      h('li', t`A scan that is hard to read may hold the word in other letters: look in the ${h('a', { href: '#/jobs' }, t`list of jobs`)}.`)))];
  }

  function draw() {
    const { answer, hits } = kept;
    put(trouble);
    const found = { q: wanted.q, words: answer?.words ?? wanted.q };
    keyed(list, hits, (hit) => `${kept.key} ${hit.job} ${hit.page}`, (hit) => hitCard(hit, found));
    clearTimeout(calm);
    calm = setTimeout(() => {
      for (const one of [...list.querySelectorAll('.strip img')].slice(0, STRIPS)) one.src ||= one.dataset.src;
    }, CALM);
    const other = answer?.instead ?? answer?.suggestion;
    put(meant, other && h('p.notice.wait', answer.instead
      ? t`Nothing found for “${clip(wanted.q, 80)}”. These are the hits for ${example(other)}.`
      : t`Did you mean ${example(other)}?`));
    if (!answer) say(told, '');
    else if (hits.length) {
      const number = t`${answer.total} hit|${answer.total} hits`, time = Math.max(1, Math.round(answer.milliseconds ?? 0));
      say(told, [answer.more ? t`More than ${number} in ${time} ms` : t`${number} in ${time} ms`,
        answer.behind && t`${answer.behind} document is not read by the search yet|${answer.behind} documents are not read by the search yet`].filter(Boolean).join('; '));
    } else say(told, wanted.q ? t`No hit for “${clip(wanted.q, 80)}”` : '');
    put(help, ...explain(answer));
    more.hidden = !answer || hits.length >= answer.total || !answer.hits.length;
  }

  async function ask(next = false) {
    control?.abort();
    control = new AbortController();
    const { signal } = control, key = JSON.stringify(wanted);
    asked = key;
    title();
    if (!wanted.q) {
      kept = { key, answer: null, hits: [] };
      return draw();
    }
    if (!next && kept.key === key) draw();
    try {
      const offset = next ? kept.hits.length : 0;
      const answer = await get(address('find', { q: wanted.q, in: wanted.in, since: sinceDate(wanted.since), outcome: wanted.outcome, offset, limit: PAGE }), signal);
      if (signal.aborted || asked !== key) return null;
      kept = { key, answer, hits: next ? [...kept.hits, ...answer.hits] : answer.hits };
      draw();
      // What is new is read a moment later.
      clearTimeout(later);
      if (answer.behind && !next) later = setTimeout(() => asked === key && kept.hits.length <= PAGE && ask(), 900);
      if (next) list.children[offset]?.querySelector('a').focus();
    } catch (error) {
      if (!aborted(error)) put(trouble, failure(error, () => ask(next)));
    }
    return null;
  }

  on(list, 'keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const hit = event.target.closest('.found');
    const to = event.key === 'ArrowDown' ? hit?.nextElementSibling : hit?.previousElementSibling;
    event.preventDefault();
    (to?.querySelector('a') ?? (event.key === 'ArrowUp' ? words : null))?.focus();
  });

  ask();
  return {
    title: () => (wanted.q ? t`Find: ${nameText(wanted.q).slice(0, 60)}` : t`Find`),
    update: (next) => { wanted = read(next); ask(); },
    enter: () => list.querySelector('a')?.focus(),
    leave: () => { clearTimeout(later); clearTimeout(calm); control?.abort(); },
  };
}
