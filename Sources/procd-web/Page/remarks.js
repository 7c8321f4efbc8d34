// What the steps of a document noted: sentences, some of them about a page.
import { clip, h } from './dom.js';
import { english, t } from './language.js';

const MOST = 5;

/** A note of a report without its code, and the page it is about. */
function read(note) {
  const text = String(note).replace(/\s*\[[a-z][\w.-]*\]$/, '').replace(/^page \d+: /, '');
  const sentence = clip(text.charAt(0).toUpperCase() + text.slice(1), 1000);
  return { text: /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`, page: Number(/\bpage (\d+)\b/i.exec(note)?.[1]) || null };
}

export const remarksOf = (notes) => (Array.isArray(notes) ? notes.slice(0, 100).map(read) : []);

export function allRemarks(report) {
  const all = [...(report?.steps ?? []).flatMap((step) => remarksOf(step.notes)), ...remarksOf(report?.notes)];
  return all.filter((one, index) => all.findIndex((other) => other.text === one.text) === index);
}

export const remarkList = (remarks) => h('ul.remarks', remarks.map((one) => h('li', { dir: 'auto', lang: english }, one.text)));

/** The first remarks of a document above its pages, under a heading of their own if a part is missing. */
export function remarkNotice(remarks, isPartial, more) {
  if (!remarks.length && !isPartial) return null;
  return h(isPartial ? 'div.notice.wait' : 'div.notice',
    isPartial && h('p', h('strong', t`Only a part of this document could be read.`)),
    remarkList(remarks.slice(0, MOST)),
    remarks.length > MOST && h('button.link', { onclick: more }, t`${remarks.length - MOST} more remark in the report|${remarks.length - MOST} more remarks in the report`));
}
