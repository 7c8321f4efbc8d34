// The documents that are ready, as a shelf: pictures of their first pages, to be found, taken along, deleted, or made again.
import { aborted, address, get, post, session } from './api.js';
import { baseName, clip, documentHash, failure, folderName, h, keyed, nameText, put, say, shortName, toast } from './dom.js';
import { bytes, count, time } from './format.js';
import { t } from './language.js';
import { remove } from './deleting.js';
import { choice, fillPipelines, hashOf } from './jobs.js';
import { follow } from './live.js';
import { go } from './app.js';

const PAGE = 60, MOST = 1000;
const KEYS = ['in', 'pipeline', 'name', 'since', 'until', 'sender', 'order'];

const read = (params) => Object.fromEntries(KEYS.map((key) => [key, params.get(key) ?? '']));

/** A document without a picture shows how its text begins, once it is in sight. */
const inSight = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    inSight.unobserve(target);
    get(address('jobs', target.job, 'text', { page: 1 })).then((answer) => put(target, h('span.words', h('bdi', String(answer.text ?? '').slice(0, 300)))))
      .catch(() => { /* no text either: the tile stays blank */ });
  }
});

function tile(job, choose) {
  const href = documentHash(job.job), title = nameText(job.path);
  const picture = job.picture ? h('img', { src: address('jobs', job.job, 'pages', '1.png', { width: 200 }), alt: '', loading: 'lazy', decoding: 'async' }) : null;
  const face = h('a.face', { href, tabindex: '-1', 'aria-hidden': 'true' }, picture);
  if (!picture) { face.job = job.job; inSight.observe(face); }
  picture?.addEventListener('error', () => picture.remove());
  const found = [job.sender, job.date].filter(Boolean);
  return h('li.card.tile', face,
    h('label.tick', h('input', { type: 'checkbox', onchange: (event) => choose(job, event.target.checked) }), h('span.hidden', t`Select ${nameText(baseName(job.path))}`)),
    h('a.file', { href, title }, h('bdi', shortName(baseName(job.path)))),
    found.length > 0 && h('p.small', h('bdi', clip(found.join(', '), 120))),
    h('p.soft.small.facts', folderName(job.path) && h('span', h('bdi', nameText(folderName(job.path)))), time(job.finished ?? job.arrived, 'ago')));
}

export function open(root, params) {
  const control = new AbortController(), chosen = new Map();
  let filter = read(params);
  let jobs = [], total = 0, loading = null, toldNumber = null;
  const change = (part) => go(hashOf('documents', { ...filter, ...part }), true);
  const told = h('p.soft.small', { role: 'status' }), trouble = h('div'), list = h('ul.tiles'), empty = h('div');
  const more = h('button', { hidden: true, onclick: () => load(jobs.length) }, t`Show more`);
  let typing = 0;
  const part = h('input', { type: 'search', placeholder: t`Part of the name`, 'aria-label': t`Part of the name`, value: filter.name,
    oninput: () => { clearTimeout(typing); typing = setTimeout(() => change({ name: part.value.trim() }), 250); } });
  const folder = choice(t`Folder`, [['', t`Any folder`], ...(filter.in ? [[filter.in, filter.in]] : [])], filter.in, (value) => change({ in: value }));
  const rule = choice(t`Rule`, [['', t`Any rule`]], '', (value) => change({ pipeline: value }));
  const order = choice(t`Order`, [['', t`Newest first`], ['oldest', t`Oldest first`], ['name', t`By name`], ['sender', t`By sender`], ['day', t`By date of the document`]], filter.order, (value) => change({ order: value }));
  const sender = choice(t`Sender`, [['', t`Any sender`], ...(filter.sender ? [[filter.sender, filter.sender]] : [])], filter.sender, (value) => change({ sender: value }));
  sender.hidden = !filter.sender;
  const day = (key, label) => h('label.day', label, h('input', { type: 'date', value: filter[key], onchange: (event) => change({ [key]: event.target.value }) }));
  fillPipelines(rule, filter.pipeline);
  session().then((answer) => {
    const known = (answer.folders ?? []).filter((one) => one !== filter.in);
    folder.append(...known.map((one) => h('option', { value: one }, nameText(one))));
    sender.append(...(answer.senders ?? []).filter((one) => one !== filter.sender).map((one) => h('option', { value: one }, clip(one, 60))));
    sender.hidden = sender.options.length < 2;
  }).catch(() => {});

  const zip = h('button', { onclick: download }, t`Download as ZIP`);
  const withOriginals = h('label.tick', h('input', { type: 'checkbox' }), t`with originals`);
  const again = h('select', { 'aria-label': t`Process again with a rule`, onchange: () => { const to = again.value; again.value = ''; if (to) redo(to); } }, h('option', { value: '' }, t`Process again with …`));
  fillPipelines(again, '');
  const arrange = h('button', { onclick: () => go(`#/assemble?jobs=${[...chosen.keys()].slice(0, 50).join(',')}`) }, t`Arrange pages`);
  const bin = h('button', { onclick: () => remove([...chosen.values()].map((job) => ({ job: job.job, name: job.path })), () => { clear(); load(0); }) }, t`Delete`);
  const selected = h('b'), bar = h('div.card.actions.selection', { role: 'group', 'aria-label': t`The selected documents`, hidden: true }, selected, zip, withOriginals, again, arrange, bin,
    h('button.link', { onclick: clear }, t`Select none`));
  root.append(h('header.bar', h('h1', t`Documents`), h('div.filters', { role: 'group', 'aria-label': t`Filter the list` }, part, folder, rule, sender, day('since', t`From`), day('until', t`To`), order)),
    told, bar, trouble, list, empty, h('p.actions', more));

  function choose(job, isChosen) {
    if (isChosen) chosen.set(job.job, job); else chosen.delete(job.job);
    bar.hidden = !chosen.size;
    put(selected, t`${chosen.size} document|${chosen.size} documents`);
  }
  function clear() {
    chosen.clear();
    for (const box of list.querySelectorAll('.tick input')) box.checked = false;
    bar.hidden = true;
  }

  async function download() {
    zip.disabled = true;
    try {
      const answer = await post(address('archives'), { jobs: [...chosen.keys()].slice(0, MOST), originals: withOriginals.querySelector('input').checked });
      const link = h('a', { href: address('archives', answer.archive), download: answer.name });
      link.click();
      toast(t`${count(answer.files)} files, ${bytes(answer.bytes)}: ${answer.name}`, answer.missing ? ` ${t`${answer.missing} document has no file any more.|${answer.missing} documents have no files any more.`}` : '');
    } catch (error) { put(trouble, failure(error)); }
    zip.disabled = false;
  }

  async function redo(to) {
    try {
      const { done, refused } = await post(address('again'), { jobs: [...chosen.keys()].slice(0, MOST), rule: to });
      toast(t`${done.length} document is processed again.|${done.length} documents are processed again.`, ' ', refused.length ? clip(refused[0].reason, 200) : h('a', { href: '#/now' }, t`See what runs`));
      clear();
    } catch (error) { put(trouble, failure(error)); }
  }

  function draw() {
    keyed(list, jobs, (job) => job.job, (job) => tile(job, choose));
    const isFiltered = Object.values(filter).some(Boolean);
    say(told, total ? t`${total} document|${total} documents` : isFiltered ? t`No document fits. Take a filter away to see more.` : '');
    more.hidden = jobs.length >= total;
    put(empty, ...(total || isFiltered ? [] : [h('section.empty-state.card', h('h2', t`No document yet`), h('p', t`Drop a file anywhere on this page. What comes of it is here as soon as it is ready.`))]));
  }

  async function load(from) {
    if (loading && from) return;
    const mine = loading = {};
    try {
      const answer = await get(address('jobs', { ...filter, outcome: 'done', offset: from, limit: from ? PAGE : Math.max(PAGE, Math.min(jobs.length, 500)) }), control.signal);
      if (mine !== loading) return;
      jobs = from ? [...jobs, ...answer.jobs] : answer.jobs;
      total = answer.total;
      put(trouble);
      draw();
      if (from) list.children[from]?.querySelector('a.file').focus();
    } catch (error) { if (!aborted(error)) put(trouble, failure(error, () => load(from))); }
    if (mine === loading) loading = null;
  }

  load(0);
  const end = follow(({ now }) => {
    const number = now?.totals?.done;
    if (number === undefined || number === toldNumber) return;
    if (toldNumber !== null && !chosen.size) load(0);
    toldNumber = number;
  });
  return { title: () => t`Documents`, update: (next) => { filter = read(next); clear(); load(0); }, leave: () => { end(); control.abort(); } };
}
