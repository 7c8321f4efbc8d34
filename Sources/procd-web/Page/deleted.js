// Deleted documents, as long as they can be brought back.
import { aborted, address, get } from './api.js';
import { baseName, clip, documentHash, failure, h, nameText, put, say, shortName, whence } from './dom.js';
import { time } from './format.js';
import { t } from './language.js';
import { restore } from './deleting.js';

export function open(root) {
  const control = new AbortController();
  const told = h('p.soft.small', { role: 'status' }), trouble = h('div'), list = h('ul.rows');
  root.append(h('header.bar', h('h1', t`Deleted`)), told, trouble, h('section.card.panel', list));

  function row({ job, deleted }) {
    const back = h('button', { 'aria-label': t`Bring back ${nameText(baseName(job.path))}`, onclick: async () => {
      try {
        const { refused } = await restore([job.job]);
        await load();
        if (refused.length) say(told, clip(refused[0].reason, 300));
      } catch (error) { put(trouble, failure(error)); }
    } }, t`Bring back`);
    return h('li', h('div.line', h('a.file', { href: documentHash(job.job), title: nameText(job.path) }, h('bdi', shortName(baseName(job.path)))), back),
      h('div.soft.small.facts', whence(job), h('span', t`deleted ${time(deleted)}`)));
  }

  async function load() {
    try {
      const { total, files } = await get(address('deleted'), control.signal);
      put(trouble);
      say(told, total ? [t`${total} document can be brought back.|${total} documents can be brought back.`, t`Each is removed for good after its time.`,
        total > files.length && t`The list shows the latest ${files.length}.`].filter(Boolean).join(' ') : t`No deleted document is kept.`);
      put(list, files.map(row));
      list.parentNode.hidden = !total;
    } catch (error) {
      if (!aborted(error)) put(trouble, failure(error, load));
    }
  }
  load();
  return { title: () => t`Deleted`, leave: () => control.abort() };
}
