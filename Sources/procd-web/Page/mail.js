// A mail: who wrote it, about what and when, its text, and what is attached to it.
import { address } from './api.js';
import { clip, failure, h, icon, nameText, put } from './dom.js';
import { bytes } from './format.js';
import { t } from './language.js';

const LONGEST = 200000;

/** The facts of the step that read the mail, or nothing if the document is no mail. */
export const mailFacts = (report) => (report?.steps ?? []).map((step) => step.facts).find((facts) => facts?.from !== undefined && facts?.attachments !== undefined);

async function fill(element, id, index) {
  try {
    const answer = await fetch(address('jobs', id, 'results', index, { view: 1 }), { headers: { Range: `bytes=0-${LONGEST}` } });
    if (!answer.ok) throw new Error(t`The text of the mail is not there any more.`);
    // Its head is shown above.
    put(element, clip((await answer.text()).replace(/^(?:[A-Z][A-Za-z-]*: .*\n)+\n/, ''), LONGEST));
  } catch (error) { put(element, failure(error)); }
}

export function mail(id, answer) {
  const facts = mailFacts(answer.report), results = (answer.results ?? []).map((one, index) => ({ ...one, index })).filter((one) => one.stands !== false);
  const text = results.find((one) => one.mime.startsWith('text/plain')), attached = results.filter((one) => one !== text);
  const body = h('pre.mailtext', { tabindex: '0', dir: 'auto', 'aria-label': t`Text of the mail` });
  if (text) fill(body, id, text.index);
  const row = (label, value) => value && h('div', h('dt', label), h('dd', { dir: 'auto' }, clip(value, 500)));
  return h('section.card.mail', h('dl.pairs', row(t`From`, facts.from), row(t`Subject`, facts.subject), row(t`Date`, facts.date)), text && body,
    attached.length > 0 && [h('h2', t`${attached.length} attachment|${attached.length} attachments`), h('ul.tiles', attached.map((one) => {
      const picture = one.mime === 'application/pdf' ? h('img', { src: address('jobs', id, 'pages', '1.png', { width: 200, result: one.index }), alt: '', loading: 'lazy' })
        : one.mime.startsWith('image/') ? h('img', { src: address('jobs', id, 'results', one.index, { view: 1 }), alt: '', loading: 'lazy' }) : null;
      picture?.addEventListener('error', () => picture.remove());
      return h('li.tile', h('a.face', { href: address('jobs', id, 'results', one.index), download: '', tabindex: '-1', 'aria-hidden': 'true' }, picture ?? icon('file')),
        h('a.file', { href: address('jobs', id, 'results', one.index), download: '', title: nameText(one.name) }, h('bdi', nameText(one.name))), h('p.soft.small', bytes(one.bytes)));
    }))]);
}
