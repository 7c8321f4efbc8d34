// Files that could not be processed: what happened, what to do, and another try.
import { aborted, address, get } from './api.js';
import { baseName, clip, documentHash, failure, h, keyed, nameText, on, put, say, shortName, whence } from './dom.js';
import { count, plural, time } from './format.js';
import { follow } from './live.js';
import { remove } from './deleting.js';
import { helpFor, retry } from './trouble.js';

const PAGE = 50;

function fileCard(file, choose, gone) {
  const { job } = file, href = documentHash(job.job);
  const page = file.page > 0 ? file.page : null;
  const picture = page ? h('img', { src: address('jobs', job.job, 'pages', `${page}.png`, { width: 400 }), alt: `Page ${page}, where it failed`, loading: 'lazy' }) : null;
  const frame = page ? h('a.failpage', { href: `${href}?page=${page}` }, picture, h('span.small', `Page ${count(page)}`)) : null;
  picture?.addEventListener('error', () => { frame.hidden = true; });
  return h('li.card.failed',
    h('div.failtext',
      h('div.line', h('h2', h('a.file', { href, title: nameText(job.path) }, h('bdi', shortName(file.name || baseName(job.path))))),
        h('label.tick', h('input', { type: 'checkbox', onchange: (event) => choose(job, event.target.checked) }), h('span.hidden', `Select ${nameText(baseName(job.path))}`))),
      h('p.soft.small.facts', whence(job), time(job.finished ?? job.arrived)),
      helpFor(file), h('p', h('button.link', { onclick: () => remove([{ job: job.job, name: file.name || job.path }], gone) }, 'Delete this file'))), frame);
}

export function open(root) {
  const chosen = new Map();
  let files = [], total = 0, known = null, toldNumber = null, loading = false;
  const control = new AbortController();
  const told = h('p.soft.small', { role: 'status' }), trouble = h('div'), list = h('ul.failures'), empty = h('div');
  const more = h('button', { hidden: true, onclick: () => load(files.length) }, 'Show more');
  const all = h('button', { hidden: true, onclick: () => ask.showModal() }, 'Try all again');
  const some = h('button', { hidden: true, onclick: () => remove([...chosen].map(([job, name]) => ({ job, name })), () => { chosen.clear(); load(0); }) });
  const choose = (job, isChosen) => {
    if (isChosen) chosen.set(job.job, baseName(job.path)); else chosen.delete(job.job);
    some.hidden = !chosen.size;
    say(some, `Delete ${plural(chosen.size, 'file')}`);
  };
  const question = h('p'), result = h('p.told', { role: 'alert' });
  const ask = h('dialog', { 'aria-labelledby': 'ask-title' }, h('form', { method: 'dialog' }, h('h2', { id: 'ask-title' }, 'Try all again?'), question,
    h('p.actions', h('button.primary', { value: 'yes' }, 'Try all again'), h('button', { value: 'no' }, 'Leave them'))));
  on(ask, 'close', async () => {
    if (ask.returnValue !== 'yes') return;
    ask.returnValue = '';
    try {
      const { retried, refused } = await retry({ all: true });
      say(result, `${plural(retried.length, 'file is', 'files are')} on the way again.${refused.length
        ? ` ${plural(refused.length, 'file was', 'files were')} left: ${clip(refused[0].reason, 200)}` : ''}`);
    } catch (error) { say(result, error.message); }
    load(0);
  });
  root.append(h('header.bar', h('h1', 'Needs attention'), h('span.actions', h('a', { href: '#/deleted' }, 'Deleted documents'), some, all)), told, result, trouble, list, empty, h('p.actions', more), ask);

  function draw() {
    keyed(list, files, (file) => file.job.job, (file) => fileCard(file, choose, () => load(0)));
    for (const job of chosen.keys()) if (!files.some((file) => file.job.job === job)) choose({ job }, false);
    say(told, total ? `${plural(total, 'file', 'files')} could not be processed. The originals are safe; nothing is removed from here by itself.` : '');
    all.hidden = total < 2;
    say(question, `All ${count(total)} files go through their rules once more, as new jobs. Those that fail again come back here.`);
    more.hidden = files.length >= total;
    put(empty, ...(total || known === null ? [] : [h('section.empty-state.card', h('h2', 'Nothing needs attention'),
      h('p', 'A file that cannot be processed is put here with the reason, and with what you can do about it.'))]));
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
  return { title: () => 'Needs attention', leave: () => { end(); control.abort(); } };
}
