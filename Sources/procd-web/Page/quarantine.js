// Files that could not be processed: what happened, what to do, and another try.
import { aborted, address, get } from './api.js';
import { baseName, clip, documentHash, failure, h, keyed, nameText, on, put, say, shortName, whence } from './dom.js';
import { time } from './format.js';
import { t } from './language.js';
import { follow } from './live.js';
import { remove } from './deleting.js';
import { helpFor, retry } from './trouble.js';

const PAGE = 50;

function fileCard(file, choose, gone) {
  const { job } = file, href = documentHash(job.job);
  const page = file.page > 0 ? file.page : null;
  const picture = page ? h('img', { src: address('jobs', job.job, 'pages', `${page}.png`, { width: 400 }), alt: t`Page ${page}, where it failed`, loading: 'lazy' }) : null;
  const frame = page ? h('a.failpage', { href: `${href}?page=${page}` }, picture, h('span.small', t`Page ${page}`)) : null;
  picture?.addEventListener('error', () => { frame.hidden = true; });
  return h('li.card.failed',
    h('div.failtext',
      h('div.line', h('h2', h('a.file', { href, title: nameText(job.path) }, h('bdi', shortName(file.name || baseName(job.path))))),
        h('label.tick', h('input', { type: 'checkbox', onchange: (event) => choose(job, event.target.checked) }), h('span.hidden', t`Select ${nameText(baseName(job.path))}`))),
      h('p.soft.small.facts', whence(job), time(job.finished ?? job.arrived)),
      helpFor(file), h('p', h('button.link', { onclick: () => remove([{ job: job.job, name: file.name || job.path }], gone) }, t`Delete this file`))), frame);
}

export function open(root) {
  const chosen = new Map();
  let files = [], total = 0, known = null, toldNumber = null, loading = false;
  const control = new AbortController();
  const told = h('p.soft.small', { role: 'status' }), trouble = h('div'), list = h('ul.failures'), empty = h('div');
  const more = h('button', { hidden: true, onclick: () => load(files.length) }, t`Show more`);
  const all = h('button', { hidden: true, onclick: () => ask.showModal() }, t`Try all again`);
  const some = h('button', { hidden: true, onclick: () => remove([...chosen].map(([job, name]) => ({ job, name })), () => { chosen.clear(); load(0); }) });
  const choose = (job, isChosen) => {
    if (isChosen) chosen.set(job.job, baseName(job.path)); else chosen.delete(job.job);
    some.hidden = !chosen.size;
    say(some, t`Delete ${chosen.size} file|Delete ${chosen.size} files`);
  };
  const question = h('p'), result = h('p.told', { role: 'alert' });
  const ask = h('dialog', { 'aria-labelledby': 'ask-title' }, h('form', { method: 'dialog' }, h('h2', { id: 'ask-title' }, t`Try all again?`), question,
    h('p.actions', h('button.primary', { value: 'yes' }, t`Try all again`), h('button', { value: 'no' }, t`Leave them`))));
  on(ask, 'close', async () => {
    if (ask.returnValue !== 'yes') return;
    ask.returnValue = '';
    try {
      const { retried, refused } = await retry({ all: true });
      const reason = clip(refused[0]?.reason, 200);
      say(result, [t`${retried.length} file is on the way again.|${retried.length} files are on the way again.`,
        refused.length > 0 && t`${refused.length} file was left: ${reason}|${refused.length} files were left: ${reason}`].filter(Boolean).join(' '));
    } catch (error) { say(result, error.message); }
    load(0);
  });
  root.append(h('header.bar', h('h1', t`Needs attention`), h('span.actions', h('a', { href: '#/deleted' }, t`Deleted documents`), some, all)), told, result, trouble, list, empty, h('p.actions', more), ask);

  function draw() {
    keyed(list, files, (file) => file.job.job, (file) => fileCard(file, choose, () => load(0)));
    for (const job of chosen.keys()) if (!files.some((file) => file.job.job === job)) choose({ job }, false);
    say(told, total ? t`${total} file could not be processed. The originals are safe; nothing is removed from here by itself.|${total} files could not be processed. The originals are safe; nothing is removed from here by itself.` : '');
    all.hidden = total < 2;
    say(question, t`All ${total} files go through their rules once more, as new jobs. Those that fail again come back here.`);
    more.hidden = files.length >= total;
    put(empty, ...(total || known === null ? [] : [h('section.empty-state.card', h('h2', t`Nothing needs attention`),
      h('p', t`A file that cannot be processed is put here with the reason, and with what you can do about it.`))]));
  }

  async function load(from) {
    if (loading) return;
    loading = true;
    try {
      const answer = await get(address('quarantine', { offset: from, limit: from ? PAGE : Math.max(PAGE, files.length) }), control.signal);
      files = from ? [...files, ...answer.files] : answer.files;
      total = known = answer.total;
      put(trouble);
      draw();
      if (from) list.children[from]?.querySelector('a').focus();
    } catch (error) {
      if (!aborted(error)) put(trouble, failure(error, () => load(from)));
    }
    loading = false;
  }

  load(0);
  const end = follow(({ now }) => {
    const number = now?.totals?.inQuarantine;
    // Compared with what the events told before, not with the list: the two may differ for a moment.
    if (number === undefined || number === toldNumber) return;
    if (toldNumber !== null) load(0);
    toldNumber = number;
  });
  return { title: () => t`Needs attention`, leave: () => { end(); control.abort(); } };
}
