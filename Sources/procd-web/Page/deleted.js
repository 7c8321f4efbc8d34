// Deleted documents, as long as they can be brought back.
import { aborted, address, get } from './api.js';
import { baseName, clip, documentHash, failure, h, nameText, put, say, shortName, whence } from './dom.js';
import { count, plural, time } from './format.js';
import { restore } from './deleting.js';

export function open(root) {
  const control = new AbortController();
  const told = h('p.soft.small', { role: 'status' }), trouble = h('div'), list = h('ul.rows');
  root.append(h('header.bar', h('h1', 'Deleted')), told, trouble, h('section.card.panel', list));

  function row({ job, deleted }) {
    const back = h('button', { 'aria-label': `Bring back ${nameText(baseName(job.path))}`, onclick: async () => {
      try {
        const { refused } = await restore([job.job]);
        await load();
        if (refused.length) say(told, clip(refused[0].reason, 300));
      } catch (error) { put(trouble, failure(error)); }
    } }, 'Bring back');
    return h('li', h('div.line', h('a.file', { href: documentHash(job.job), title: nameText(job.path) }, h('bdi', shortName(baseName(job.path)))), back),
      h('div.soft.small.facts', whence(job), h('span', 'deleted ', time(deleted))));
  }

  async function load() {
    try {
      const { total, files } = await get(address('deleted'), control.signal);
      put(trouble);
      say(told, total ? `${plural(total, 'document')} can be brought back. Each is removed for good after its time.${total > files.length ? ` The list shows the latest ${count(files.length)}.` : ''}`
        : 'No deleted document is kept.');
      put(list, files.map(row));
      list.parentNode.hidden = !total;
    } catch (error) {
      if (!aborted(error)) put(trouble, failure(error, load));
    }
  }
  load();
  return { title: () => 'Deleted', leave: () => control.abort() };
}
