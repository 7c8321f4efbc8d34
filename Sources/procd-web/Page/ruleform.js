// A form that makes or changes a rule, tries it with a file, and shows what it writes.
import { address, get, post, postFile } from './api.js';
import { clip, failure, h, icon, nameText, put, say } from './dom.js';
import { bytes } from './format.js';
import { t } from './language.js';
import { fieldsOf, freeId, ruleOf } from './ruleparts.js';
import { filesOfInput } from './uploads.js';

const LONGEST_TEXT = 4000;

const kindName = (kind) => ({
  scans: t`Pictures: scans and photos`, pdfs: t`PDFs`, word: t`Documents of Word and other writing programs`,
  sheets: t`Workbooks of Excel and other spreadsheets`, mail: t`Mails`, any: t`Files of any kind`,
})[kind] ?? t`As the rule says now`;

function makeName(kind, wanted) {
  if (wanted === 'keep') return t`Keep the file as it is`;
  if (wanted === 'own') return t`As the rule says now`;
  if (kind === 'word') return t`Its text, also as Markdown`;
  if (kind === 'sheets') return t`Each sheet as CSV`;
  if (kind === 'mail') return t`Its text and its attachments`;
  return { searchable: t`A searchable PDF`, text: t`Its text`, tables: t`Its tables as CSV` }[wanted];
}

function field(label, control, help) {
  control.id ||= `rule-${Math.random().toString(36).slice(2)}`;
  const note = help ? h('p.soft.small', { id: `${control.id}-help` }, help) : null;
  if (note) control.setAttribute('aria-describedby', note.id);
  return h('div.field', h('label', { for: control.id }, label), control, note);
}

/**
 * @param state what `rules` of the API answered, with the folders of the inbox
 * @param start the rule to change (`rule`, `before`, `sample`), or what a new one begins with
 * @param done called when it is closed; with what was saved, if something was
 */
export function ruleForm(state, start, done) {
  const { templates } = state, isNew = !start.changes;
  let base = start.rule ?? { id: '', emit: ['source'] }, trial = null, checking = 0, isByHand = false;
  const option = (value, text) => h('option', { value }, text);
  const kind = h('select', {}), make = h('select', {}), order = h('select', {}), folder = h('select', {});
  const input = (attributes) => h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', dir: 'auto', ...attributes });
  const id = input({ maxlength: 100, required: true }), name = input({ placeholder: 'invoice*.pdf', maxlength: 200 });
  const words = input({ maxlength: 200 }), to = input({ maxlength: 300, placeholder: 'invoices/{yyyy}' }), as = input({ maxlength: 200, placeholder: '{yyyy}-{mm}-{dd} {stem}' });
  const crop = h('input', { type: 'checkbox' }), cropField = h('label.tick', crop, t`Photos of a sheet: crop them to the sheet`);
  const text = h('textarea.code', { rows: 14, spellcheck: 'false', 'aria-label': t`The rule as JSON` });
  const problems = h('div', { role: 'status' }), told = h('p.told', { role: 'alert' }), verdict = h('div.verdict', { role: 'status' });
  const save = h('button.primary', { type: 'submit' }, isNew ? t`Add the rule` : t`Save the rule`);
  const tryIt = h('button', { type: 'button', hidden: true, onclick: run }, t`Try the rule with this file`);
  const picker = h('input', { type: 'file', hidden: true, onchange: () => { take(filesOfInput(picker)); picker.value = ''; } });

  const fields = () => ({
    id: id.value.trim(), kind: kind.value, make: make.value, crop: crop.checked && !cropField.hidden, to: to.value.trim(), as: as.value.trim(),
    name: name.disabled ? null : name.value.trim(), folder: folder.value === '\u0000' ? null : folder.value, words: words.disabled ? null : words.value.trim(),
  });

  function fillMakes(chosen) {
    const all = [...(templates.find((one) => one.kind === kind.value)?.makes ?? []).map((one) => one.wanted), 'keep', ...(chosen === 'own' ? ['own'] : [])];
    put(make, all.map((one) => option(one, makeName(kind.value, one))));
    make.value = all.includes(chosen) ? chosen : all[0];
    cropField.hidden = !['scans'].includes(kind.value) || make.value === 'keep';
  }

  function fill(rule) {
    const now = fieldsOf(rule, templates);
    put(kind, [...templates.map((one) => one.kind), 'any', ...(now.kind === 'own' ? ['own'] : [])].map((one) => option(one, kindName(one))));
    kind.value = now.kind;
    fillMakes(now.make);
    put(folder, option('', t`anywhere in the inbox`), (state.folders ?? []).map((one) => option(one, nameText(one))),
      now.folder && !(state.folders ?? []).includes(now.folder) && option(now.folder, nameText(now.folder)), now.folder === null && option('\u0000', t`As the rule says now`));
    folder.value = now.folder ?? '\u0000';
    for (const [control, value] of [[id, now.id], [name, now.name], [words, now.words], [to, now.to], [as, now.as]]) {
      control.disabled = value === null;
      control.value = value ?? t`As the rule says now`;
    }
    crop.checked = now.crop;
  }

  /** Takes the fields into the text. */
  function write() {
    base = ruleOf(fields(), base, templates);
    isByHand = false;
    text.value = JSON.stringify(base, null, 2);
    check();
  }

  /** Takes the text into the fields, as far as it is JSON. */
  function read() {
    isByHand = true;
    try {
      const rule = JSON.parse(text.value);
      if (rule && typeof rule === 'object' && !Array.isArray(rule)) { base = rule; fill(rule); }
    } catch { /* the check says where it is not JSON */ }
    check();
  }

  const request = (more) => ({ change: 'put', mark: state.mark, rule: text.value, ...(start.changes ? { id: start.changes } : { before: order.value || undefined }), ...more });

  function check() {
    const mine = ++checking;
    setTimeout(async () => {
      if (mine !== checking) return;
      try {
        const answer = await post(address('rules'), request({ dry: true }));
        if (mine === checking) show(answer);
      } catch (error) { if (mine === checking) show({ problems: error.message }); }
    }, 350);
  }

  function show({ problems: wrong, warnings }) {
    save.disabled = Boolean(wrong);
    const found = wrong || warnings;
    put(problems, found ? h(wrong ? 'div.notice.bad' : 'div.notice.wait', h('p', wrong ? t`The rule cannot be used like this:` : t`The rule can be used, but:`),
      h('pre', { tabindex: '0', 'aria-label': t`Mistakes` }, clip(found, 8000))) : '');
  }

  async function take(files) {
    const [{ file } = {}] = files;
    if (!file) return;
    put(verdict, h('p.soft', t`Looking at ${h('bdi', nameText(file.name))}…`));
    try {
      const answer = await postFile(address('tries', { name: file.name, folder: folder.value === '\u0000' ? '' : folder.value }), file);
      trial = { id: answer.try, name: file.name };
      tryIt.hidden = false;
      put(verdict, h(`p.notice.${answer.taken ? 'good' : 'wait'}`, answer.taken ? t`${h('bdi', nameText(file.name))} is taken by the rule ${h('b', clip(answer.pipeline, 100))} so far.`
        : t`${h('bdi', nameText(file.name))} is taken by no rule so far.`));
      if (isNew && !start.rule && !isByHand && answer.offer) {
        base = { ...answer.offer.rule, id: freeId(answer.offer.rule.id, state.rules) };
        fill(base);
        write();
      }
    } catch (error) { put(verdict, failure(error)); }
  }

  async function run() {
    tryIt.disabled = true;
    put(verdict, h('p.soft', t`Working on ${h('bdi', nameText(trial.name))}…`));
    try {
      const { rule, id: replaced, before } = request({});
      const answer = await post(address('tries', trial.id), { rule, id: replaced, before }, 150000);
      put(verdict, outcome(answer));
      for (const one of verdict.querySelectorAll('pre[data-result]')) await preview(one);
    } catch (error) { put(verdict, failure(error)); }
    tryIt.disabled = false;
  }

  function outcome(answer) {
    if (answer.problems) return h('p.notice.bad', t`The rule has mistakes, which are told below.`);
    if (answer.why) return h('div.notice.bad', h('p', t`It would need attention: ${clip(answer.why, 500)}.`), answer.hint && h('p', clip(answer.hint, 500)));
    const other = answer.pipeline !== JSON.parse(text.value).id;
    return [
      h(`p.notice.${other ? 'wait' : 'good'}`, other ? t`Another rule comes first and takes the file: ${h('b', clip(answer.pipeline, 100))}. Put this rule before it.` : t`The rule takes the file. This is what comes of it:`),
      answer.partial && h('p.notice.wait', t`Only a part of the file could be read.`),
      h('ul.results', answer.results.map((one, index) => h('li', h('a.button', { href: address('tries', trial.id, 'results', index), download: '' }, icon('down'), h('bdi', nameText(one.name)), bytes(one.bytes)),
        /^text\/|json/.test(one.mime) && h('pre', { 'data-result': index, tabindex: '0', 'aria-label': nameText(one.name) })))),
      answer.picture && h('img.preview', { src: address('tries', trial.id, 'pages', 1, { width: 800, at: Date.now() }), alt: t`The first page` }),
    ];
  }

  async function preview(element) {
    const answer = await fetch(address('tries', trial.id, 'results', element.dataset.result, { view: 1 }), { headers: { Range: `bytes=0-${LONGEST_TEXT * 2}` } });
    if (answer.ok) say(element, clip(await answer.text(), LONGEST_TEXT));
  }

  const form = h('form.card.ruleform', { onsubmit: async (event) => {
    event.preventDefault();
    save.disabled = true;
    say(told, '');
    try {
      const answer = await post(address('rules'), request({}));
      if (answer.saved) return done(answer);
      show(answer);
    } catch (error) { say(told, error.message); }
    save.disabled = false;
  } },
  h('h2', { tabindex: '-1' }, isNew ? t`A new rule` : t`Change the rule ${h('bdi', clip(start.changes, 100))}`),
  h('div.actions', h('button', { type: 'button', onclick: () => picker.click() }, icon('file'), t`Try it with a file`), tryIt, picker), verdict,
  h('fieldset', h('legend', t`Which files it takes`), field(t`Kind`, kind), field(t`Folder`, folder), field(t`Name`, name, t`* stands for any characters. Empty: any name.`),
    field(t`Words in the text`, words, t`Only files with these words on a page. Empty: any text.`)),
  h('fieldset', h('legend', t`What becomes of them`), field(t`Make`, make), cropField,
    field(t`Folder in the outbox`, to, t`Empty: the outbox itself. ${'{yyyy}'}, ${'{mm}'} and ${'{dd}'} stand for the day, ${'{stem}'} for the name.`), field(t`Name of the results`, as, t`Without its ending. Empty: the name of the file.`)),
  h('fieldset', h('legend', t`The rule itself`), field(t`Its name`, id), isNew && field(t`Its place`, order, t`The first rule that fits takes a file.`)),
  problems, h('details', h('summary', t`The rule as JSON`), text), told,
  h('div.actions', save, h('button', { type: 'button', onclick: () => done() }, t`Cancel`)));

  put(order, (state.rules ?? []).map((rule) => option(rule.id, t`Before ${nameText(rule.id)}`)), option('', t`At the end`));
  order.value = start.before ?? '';
  fill(base);
  if (isNew && !base.id) id.value = freeId('rule', state.rules);
  kind.addEventListener('change', () => {
    fillMakes();
    // Mails have a folder each, unless somebody wants another one.
    to.value ||= templates.find((one) => one.kind === kind.value)?.makes[0].rule.to ?? '';
  });
  for (const control of [kind, make, crop, order, folder]) control.addEventListener('change', () => { cropField.hidden = kind.value !== 'scans' || make.value === 'keep'; write(); });
  for (const control of [id, name, words, to, as]) control.addEventListener('input', write);
  text.addEventListener('input', read);
  if (start.changes) { text.value = JSON.stringify(base, null, 2); check(); } else write();
  if (start.sample) take([start.sample]);
  return { element: form, take };
}
