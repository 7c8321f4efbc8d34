// What a form says about a rule, and the rule that a form asks for.

/** Extensions of results by their role, for names that are given without one. */
const ENDINGS = { pdf: 'pdf', text: 'txt', markdown: 'md', csv: 'csv', table: 'csv', json: 'jsonl', xlsx: 'xlsx', layout: 'layout.txt' };
const SIGNS = /[.*+?^${}()|[\]\\/]/g, ANY_CASE = '(?i)';

const same = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
const source = (entry) => (typeof entry === 'string' ? entry : entry?.from ?? '');
const ending = (entry) => ENDINGS[source(entry).replace('?', '').split('.').pop()];
const copy = (value) => JSON.parse(JSON.stringify(value));

/** The rule that keeps a file as it came. */
export const KEEP = { emit: ['source'] };

function conditions(rule) {
  const match = rule.match && typeof rule.match === 'object' ? rule.match : {};
  const { name, path, text, ...rest } = match;
  return { name, path, text, rest };
}

const crops = (rule) => (rule.steps ?? []).some((step) => step.use === 'ocr.tesseract' && step.with?.crop);

function withoutCrop(steps) {
  return copy(steps ?? []).map((step) => {
    if (step.use !== 'ocr.tesseract' || !step.with?.crop) return step;
    delete step.with.crop;
    if (!Object.keys(step.with).length) delete step.with;
    return step;
  });
}

/** Whether the form could have named an entry of emit: with the ending of its role behind. */
const isNamed = (entry) => typeof entry === 'object' && ending(entry) && entry.as?.endsWith(`.${ending(entry)}`);

/** An entry of emit without the name that the form gives. */
function unnamed(entry) {
  if (!isNamed(entry)) return entry;
  const { as, ...rest } = entry;
  return Object.keys(rest).length === 1 ? rest.from : rest;
}

function plainWords(expression) {
  if (!expression?.startsWith(ANY_CASE)) return null;
  const escaped = expression.slice(ANY_CASE.length), plain = escaped.replace(/\\(.)/g, '$1');
  return plain.replace(SIGNS, '\\$&') === escaped ? plain : null;
}

/**
 * The fields of a form for a rule. 'own' means that the rule says more than the form can, which then stays as it is.
 */
export function fieldsOf(rule, templates) {
  const { name, path, text, rest } = conditions(rule), steps = withoutCrop(rule.steps), emit = (rule.emit ?? []).map(unnamed);
  const kind = !Object.keys(rest).length ? 'any' : templates.find((one) => same(one.makes[0].rule.match, rest))?.kind ?? 'own';
  const makes = templates.find((one) => one.kind === kind)?.makes ?? [];
  const make = !steps.length && same(emit, KEEP.emit) ? 'keep'
    : makes.find((one) => same(one.rule.steps, steps) && same((one.rule.emit ?? []).map(unnamed), emit))?.wanted ?? 'own';
  const folder = /^([^*?]+)\/\*\*$/.exec(typeof path === 'string' ? path : '')?.[1];
  const words = text ? plainWords(text.regex) : '';
  const named = (rule.emit ?? []).find(isNamed), as = named ? named.as.slice(0, -ending(named).length - 1) : '';
  return {
    id: rule.id ?? '', kind, make, crop: crops(rule), to: rule.to ?? '',
    name: name === undefined ? '' : typeof name === 'string' ? name : null,
    folder: path === undefined ? '' : folder ?? null, words, as,
  };
}

/** The rule that the fields ask for: `base` with what they change. */
export function ruleOf(fields, base, templates) {
  const rule = copy(base ?? {}), before = fieldsOf(rule, templates), { name, path, text, rest } = conditions(rule);
  const template = templates.find((one) => one.kind === fields.kind);
  const make = template?.makes.find((one) => one.wanted === fields.make)?.rule;
  const match = fields.kind === 'own' ? rest : fields.kind === 'any' ? {} : copy(template?.makes[0].rule.match ?? {});
  if (fields.name === null) match.name = name; else if (fields.name) match.name = fields.name;
  if (fields.folder === null) match.path = path; else if (fields.folder) match.path = `${fields.folder}/**`;
  if (fields.words === null) match.text = text; else if (fields.words) match.text = { pages: 'all', regex: ANY_CASE + fields.words.replace(SIGNS, '\\$&') };
  let { steps, emit } = rule;
  if (fields.make === 'keep') { steps = []; emit = copy(KEEP.emit); }
  else if (make) { steps = copy(make.steps); emit = copy(make.emit); }
  if (fields.make !== 'own' || fields.crop !== before.crop) {
    steps = withoutCrop(steps);
    const reading = steps.find((step) => step.use === 'ocr.tesseract' && !step.each);
    if (fields.crop && reading) reading.with = { ...reading.with, crop: 'sheet?' };
  }
  if (fields.make !== 'own' || fields.as !== before.as) {
    emit = (emit ?? []).map((entry) => {
      const plain = unnamed(entry), extension = ending(plain);
      if (!fields.as || !extension || plain.as) return plain;
      return { ...(typeof plain === 'string' ? { from: plain } : plain), as: `${fields.as}.${extension}` };
    });
  }
  const result = { id: fields.id, ...(rule.about ? { about: rule.about } : {}) };
  if (make?.about && fields.make !== before.make) result.about = make.about;
  if (Object.keys(match).length) result.match = match;
  for (const [key, value] of Object.entries({ ...rule, ...(make && fields.make !== before.make ? { to: make.to, subfolders: make.subfolders } : {}) })) {
    if (!['id', 'about', 'match', 'steps', 'emit', 'to'].includes(key) && value !== undefined) result[key] = value;
  }
  if (steps?.length) result.steps = steps;
  result.emit = emit ?? [];
  if (fields.to) result.to = fields.to;
  return result;
}

/** An id that no rule has yet. */
export function freeId(wanted, rules) {
  const taken = new Set(rules.map((rule) => rule.id)), stem = wanted.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '') || 'rule';
  let id = stem;
  for (let number = 2; taken.has(id); number += 1) id = `${stem}-${number}`;
  return id;
}
