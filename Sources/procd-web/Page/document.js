// One document: its pages, rows, notes, sound, and how it came about.
import { aborted, address, get } from './api.js';
import { attr, baseName, clip, documentHash, failure, h, icon, name, nameText, on, panel, put, shortName, tell, whence } from './dom.js';
import { bytes, jobState, state, time } from './format.js';
import { t } from './language.js';
import { follow } from './live.js';
import { viewer } from './pages.js';
import { mail, mailFacts } from './mail.js';
import { allRemarks, remarkNotice } from './remarks.js';
import { report } from './report.js';
import { notes, rows } from './rows.js';
import { helpFor } from './trouble.js';
import { remove, restore } from './deleting.js';
import { go, title } from './app.js';

function downloads(id, answer, more) {
  const link = (label, href, size, strong) => h(strong ? 'a.button.primary' : 'a.button', { href, download: '' }, icon('down'),
    h('span.file', label), size ? bytes(size) : null);
  const files = (answer.results ?? []).map((result, index) => (result.stands === false
    ? h('span.gone.soft', t`${name(result.name)} was taken from the outbox.`)
    : link(h('bdi', shortName(result.name)), address('jobs', id, 'results', index), result.bytes, index === 0)));
  const original = answer.original;
  if (original) {
    files.push(original.stands === false ? h('span.gone.soft', t`The original is gone.`)
      : link(t`Original ${h('bdi', shortName(original.name))}`, address('jobs', id, 'original'), original.bytes ?? answer.job.size));
  }
  (answer.companions ?? []).forEach((one, index) => files.push(one.stands === false
    ? h('span.gone.soft', t`${name(one.name)} is gone.`)
    : link(t`With ${h('bdi', shortName(one.name))}`, address('jobs', id, 'companions', index), one.bytes)));
  return h('div.downloads', { role: 'group', 'aria-label': t`Files` }, files, more);
}

function toldOf(job) {
  const element = h('div.soft.small');
  tell(element, job.code, clip(job.message, 300));
  return element;
}

/** All tries of one file: the latest is what counts, and each is a link away. */
function tries(id, attempts) {
  if (attempts.length < 2) return null;
  const [latest] = attempts;
  return h('div.notice.tries',
    latest.job !== id && h('p', t`This file was tried again: ${state(jobState(latest))}`, ' ', h('a', { href: documentHash(latest.job) }, t`Show the latest try`)),
    h('details', h('summary', t`${attempts.length} try of this file|${attempts.length} tries of this file`), h('ol.rows', attempts.map((one) => h('li',
      h('div.line', one.job === id ? h('span', t`This one, ${time(one.arrived, 'when')}`) : h('a', { href: documentHash(one.job) }, time(one.arrived, 'when')), state(jobState(one))),
      one.message && toldOf(one))))));
}

function player(id, audio) {
  const place = /^results\/(\d+)$/.exec(audio);
  const parts = place ? ['results', place[1]] : ['original'];
  return panel(t`Listen`, null,
    h('audio', { controls: true, preload: 'metadata', src: address('jobs', id, ...parts, { view: 1 }) }));
}

export function open(root, params, id) {
  const control = new AbortController();
  let job = null, shownName = t`Document`, pagesView = null, panels = new Map(), known = new Set(), current = null, stateKey = '';
  const heading = h('h1', t`Document`);
  const back = h('p.back.small');
  const facts = h('p.soft.facts'), top = h('div.stack'), tabs = h('div.tabs', { role: 'tablist', 'aria-label': t`Parts of the document` });
  const body = h('div.part-body', { role: 'tabpanel', id: 'part', tabindex: '-1' });
  root.append(back, h('header.dochead', heading, facts), top, tabs, body);

  let wanted = params;
  function way() {
    const q = wanted.get('q');
    put(back, q ? h('a', { href: `#/find?${new URLSearchParams({ q })}` }, t`Back to the hits`) : h('a', { href: '#/jobs' }, t`All jobs`));
  }

  function turn(page) {
    go(documentHash(id, { ...Object.fromEntries(wanted), page, part: 'pages' }), true);
  }

  function choose(part, focus) {
    go(documentHash(id, { ...Object.fromEntries(wanted), part }), true);
    if (focus) tabs.querySelector('[aria-selected="true"]')?.focus();
  }

  on(tabs, 'keydown', (event) => {
    const all = [...tabs.children], at = all.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    choose(all[(to + all.length) % all.length].dataset.part, true);
  });

  function showPart() {
    way();
    if (!panels.size) return;
    const part = panels.has(wanted.get('part')) ? wanted.get('part') : panels.keys().next().value;
    for (const tab of tabs.children) {
      const on = tab.dataset.part === part;
      attr(tab, 'aria-selected', String(on));
      tab.tabIndex = on ? 0 : -1;
    }
    attr(body, 'aria-labelledby', `part-${part}`);
    if (current !== part) {
      current = part;
      const panel = panels.get(part);
      panel.element ??= panel.make();
      put(body, panel.element);
    }
    if (part === 'pages') pagesView.show(Math.max(1, Number(wanted.get('page')) || 1), wanted.get('words') ?? wanted.get('q') ?? '');
  }

  function draw(answer) {
    ({ job } = answer);
    const views = answer.views ?? {}, remarks = allRemarks(answer.report);
    stateKey = `${job.state} ${job.outcome}`;
    known = new Set((answer.attempts ?? []).map((one) => one.job));
    shownName = nameText(baseName(job.path));
    put(heading, name(baseName(job.path)));
    put(facts, state(jobState(job)),
      whence(job), job.size && h('span', bytes(job.size)), time(job.finished ?? job.arrived, 'when'));
    put(top,
      job.outcome === 'quarantined' && helpFor({ job, why: answer.why, needsPassword: answer.needsPassword, unlocks: answer.unlocks, offer: answer.offer }),
      (job.reusedFrom || job.outcome === 'duplicate') && h('p.notice', job.outcome === 'duplicate'
        ? t`The same content came before, so nothing was done again.` : t`The same content came before, so its results were used again.`, ' ',
      job.reusedFrom && h('a', { href: documentHash(job.reusedFrom) }, t`Show the first one`)),
      job.outcome !== 'quarantined' && remarkNotice(remarks, job.partial, () => choose('report', true)),
      tries(id, answer.attempts ?? []),
      !job.outcome && job.state !== 'done' ? h('p.notice.busy', t`This file is in work. Its results appear here by themselves.`) : null,
      answer.isLocked && job.outcome === 'done' && h('p.notice.wait', t`This PDF is still locked, so its pages are not shown here, and it opens with its password only. A step pdf.unlock in its rule gives a copy that opens without it.`),
      answer.isDeleted && h('p.notice.wait', t`This document is deleted.`, ' ', h('button.link', { onclick: () => restore([id]).then(load, load) }, t`Bring it back`)),
      !answer.isDeleted && downloads(id, answer, job.outcome && [views.pages > 0 && h('a.button', { href: `#/assemble?jobs=${encodeURIComponent(id)}` }, t`Arrange pages`),
        h('button', { onclick: () => remove([{ job: id, name: baseName(job.path) }], load) }, t`Delete`)]),
    );

    panels = new Map();
    const add = (part, label, make) => panels.set(part, { label, make });
    if (mailFacts(answer.report)) add('mail', t`Mail`, () => mail(id, answer));
    if (views.pages || views.text) {
      pagesView?.leave();
      pagesView = viewer({ job: id, pages: views.pages, text: views.text, annotate: views.annotate, remarks }, turn);
      add('pages', views.pages ? t`Pages` : t`Text`, () => pagesView.element);
    }
    if (views.rows) add('rows', t`Rows`, () => rows(id, views.pages));
    if (views.notes) add('notes', t`Notes`, () => notes(id, turn));
    if (views.audio) add('audio', t`Listen`, () => player(id, views.audio));
    add('report', t`Report`, () => report(answer));
    put(tabs, ...[...panels].map(([part, { label }]) => h('button', {
      role: 'tab', id: `part-${part}`, 'aria-controls': 'part', 'data-part': part, onclick: () => choose(part) }, label)));
    current = null;
    showPart();
    title();
  }

  async function load(follows) {
    const { signal } = control;
    try {
      const answer = await get(address('jobs', id), signal), latest = answer.attempts?.[0]?.job;
      if (follows === true) return latest && latest !== id ? go(documentHash(latest), true) : null;
      draw(answer);
    } catch (error) {
      if (aborted(error)) return;
      put(heading, error.status === 404 ? t`This document is not here` : t`This document cannot be shown`);
      put(top, error.status === 404
        ? h('p', t`It may have been removed after its time, or the link is cut off.`, ' ', h('a', { href: '#/find' }, t`Find another one`))
        : failure(error, load));
    }
    return null;
  }

  way();
  load();
  // A document in work is asked for again when its state changes, and its next try is followed; one that is shown is
  // left in peace.
  let nextKey = '';
  const end = follow(({ now }) => {
    if (!job) return;
    const all = [...(now?.inWork ?? []), ...(now?.recent ?? [])];
    const next = all.find((one) => one.path === job.path && one.job > id);
    if (next && `${next.job} ${next.state}` !== nextKey) {
      nextKey = `${next.job} ${next.state}`;
      if (!known.has(next.job)) load(true);
    }
    if (job.outcome) return;
    const news = all.find((one) => one.job === id);
    if (news && `${news.state} ${news.outcome}` !== stateKey) {
      stateKey = `${news.state} ${news.outcome}`;
      load();
    }
  });

  return {
    title: () => shownName,
    update: (next) => { wanted = next; showPart(); },
    key: (pressed) => current === 'pages' && pagesView.key(pressed),
    leave: () => { end(); control.abort(); pagesView?.leave(); },
  };
}
