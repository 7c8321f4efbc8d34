// The conditions of a rule in words.
import { clip, h } from './dom.js';
import { kindName } from './format.js';
import { t } from './language.js';

const LONGEST = 300;
const FAMILIES = { 'image/*': t`picture`, 'audio/*': t`sound`, 'video/*': t`film`, 'text/*': t`text file` };

const all = (value) => (Array.isArray(value) ? value : [value]);
const value = (text) => h('b', { dir: 'auto' }, clip(String(text), LONGEST));

/** Pieces with commas between them, and with `last` before the last one. */
function joined(pieces, last) {
  return pieces.reduce((before, piece, index) => (index === pieces.length - 1 ? last(before, piece) : [before, ', ', piece]));
}
const either = (pieces) => joined(pieces, (before, piece) => t`${before} or ${piece}`);
const both = (pieces) => joined(pieces, (before, piece) => t`${before} and ${piece}`);

const WORDS = {
  mime: (types) => t`type is ${either(all(types).map((type) => value(FAMILIES[type] ?? kindName(type))))}`,
  name: (names) => t`name is ${either(all(names).map(value))}`,
  path: (paths) => t`path is ${either(all(paths).map(value))}`,
  size: ({ min, max }) => both([
    min !== undefined && t`size is at least ${value(min)}`, max !== undefined && t`size is at most ${value(max)}`,
  ].filter(Boolean)),
  modified: ({ from, until, olderThan, newerThan }) => both([
    from && t`last change is on ${value(from)} or later`, until && t`last change is on ${value(until)} or before`,
    olderThan && t`last change is at least ${value(olderThan)} ago`, newerThan && t`last change is at most ${value(newerThan)} ago`,
  ].filter(Boolean)),
  text: ({ pages, regex, lines }) => (lines > 1
    ? t`text has ${lines} lines that match ${value(regex)} (pages: ${value(pages ?? '1')})`
    : t`text has a line that matches ${value(regex)} (pages: ${value(pages ?? '1')})`),
  any: (parts) => either(parts.map(conditions)),
  all: (parts) => both(parts.map(conditions)),
  not: (part) => t`not: ${conditions(part)}`,
};

/** What `match` of a rule asks of a file, as pieces for `h`; all of it has to hold. Null if it asks nothing. */
export function conditions(match) {
  const told = Object.keys(WORDS).filter((key) => match?.[key] !== undefined).map((key) => WORDS[key](match[key]));
  return told.length ? both(told) : null;
}
