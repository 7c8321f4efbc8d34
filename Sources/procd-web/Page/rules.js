// The rules in words, what each took lately, and which one would take a file.
import { aborted, address, forgetPipelines, get, post, postFile, session } from './api.js';
import { conditions } from './conditions.js';
import { clip, failure, h, icon, nameText, put, say, toast } from './dom.js';
import { count, time } from './format.js';
import { english, t } from './language.js';
import { hashOf } from './jobs.js';
import { ruleForm } from './ruleform.js';
import { filesOfInput } from './uploads.js';

const MOST_LINES = 5000;

function ruleCard(rule, index, actions) {
  const steps = (rule.steps ?? []).map((step) => h('li', h('b', clip(step.id, 60)), h('span.soft', clip(step.use, 80)),
    step.if && h('span.soft.small', t`only if ${h('code', clip(step.if, 200))}`)));
  const asked = conditions(rule.rule?.match);
  const emitted = rule.emit?.map((one, at) => [at ? ', ' : '', h('code', clip(one, 80))]), number = (value) => h('b', count(value));
  return h('li.card.rule', h('div.rulehead', h('span.order', { 'aria-hidden': 'true' }, String(index + 1)),
    h('div', h('h2', h('a.file', { href: hashOf('jobs', { pipeline: rule.id }) }, h('bdi', clip(rule.id, 100)))), rule.about && h('p.soft', { dir: 'auto' }, clip(rule.about, 400)))),
  h('div.rulebody',
    rule.rule && h('p', asked ? t`Takes files whose ${asked}.` : t`Takes every file that no rule before it took.`),
    steps.length && h('ol.flow', { 'aria-label': t`Steps` }, steps),
    h('p.soft', !rule.emit?.length ? t`Gives no results.` : rule.to ? t`Gives ${emitted} into ${h('code', clip(rule.to, 200))}.` : t`Gives ${emitted}.`)),
  h('p.soft.facts', rule.all ? [t`Took`, ' ', h('span', t`${number(rule.day)} in 24 hours`), h('span', t`${number(rule.week)} in 7 days`), h('span', t`${number(rule.all)} in all`),
    rule.last && h('span', t`the last ${time(rule.last)}`)] : t`It has taken no file yet.`), actions);
}

export function open(root, params) {
  let state = null, form = null;
  const control = new AbortController();
  const make = h('button.primary', { hidden: true, onclick: () => edit({}) }, t`New rule`), how = h('p.soft'), place = h('div');
  const file = h('code'), trouble = h('div'), problems = h('div'), list = h('ol.rulelist'), source = h('ol.code', { tabindex: '0', 'aria-label': t`Text of the rules` });
  const told = h('p.told', { role: 'status' });
  const reload = h('button', { onclick: async () => {
    try {
      const answer = await post(address('reload'));
      say(told, clip((answer?.lines ?? []).join(' ') || t`procd has read the rules again.`, 1000));
      load();
    } catch (error) { say(told, error.message); }
  } }, t`Read the rules again`);

  const picker = h('input', { type: 'file', hidden: true, onchange: () => { explain(filesOfInput(picker)); picker.value = ''; } });
  const folder = h('select', { id: 'explain-folder' }, h('option', { value: '' }, t`the inbox itself`));
  const verdict = h('div.verdict', { role: 'status' });
  const zone = h('section.card.dropzone.small', h('h2', t`Which rule would take a file?`),
    h('p', t`Drop one anywhere on this view, or choose it. It is looked at and not handed in.`),
    h('div.actions', h('button', { onclick: () => picker.click() }, icon('file'), t`Choose a file`),
      h('span.where', h('label', { for: 'explain-folder' }, t`as if in`), ' ', folder)), verdict, picker);
  // Shown once the rules are there: nothing moves down under the hand.
  const known = h('div', { hidden: true }, how, told, place, problems, h('div.with-aside', list, zone), h('details.card.fold', h('summary', t`The file as it is`), source));
  root.append(h('header.bar', h('h1', t`Rules`), h('span.actions', make, reload)), trouble, known);

  /** Opens the form: for a rule that is there, for a shipped one, or for a new one. */
  function edit(start) {
    form = ruleForm(state, start, (saved) => {
      form = null;
      put(place);
      if (saved) changed(saved);
    });
    put(place, form.element);
    form.element.querySelector('h2').focus();
    place.scrollIntoView({ block: 'start' });
  }

  function changed(answer, ...more) {
    forgetPipelines();
    toast(clip((answer.lines ?? []).join(' '), 500), ' ', ...more);
    load();
  }

  async function change(body, ...more) {
    try {
      const answer = await post(address('rules'), { mark: state.mark, ...body });
      if (answer.saved) changed(answer, ...more); else put(trouble, h('pre.notice.bad', clip(answer.problems, 8000)));
    } catch (error) { put(trouble, failure(error, load)); }
  }

  function actionsOf(rule, index) {
    const { rules } = state, named = (text, label, act, more) => h('button.link', { onclick: act, 'aria-label': label, ...more }, text);
    const undo = h('button.link', { onclick: () => change({ change: 'put', rule: JSON.stringify(rule.rule, null, 2), before: rules[index + 1]?.id }) }, t`Undo`);
    return h('div.actions',
      named(t`Change`, t`Change the rule ${rule.id}`, () => edit({ changes: rule.id, rule: rule.rule })),
      index > 0 && named(t`Earlier`, t`Move the rule ${rule.id} before ${rules[index - 1].id}`, () => change({ change: 'move', id: rule.id, before: rules[index - 1].id })),
      index < rules.length - 1 && named(t`Later`, t`Move the rule ${rule.id} behind ${rules[index + 1].id}`, () => change({ change: 'move', id: rule.id, before: rules[index + 2]?.id })),
      named(t`Remove`, t`Remove the rule ${rule.id}`, () => change({ change: 'remove', id: rule.id }, t`The rule ${h('bdi', clip(rule.id, 100))} is removed.`, ' ', undo)));
  }

  async function explain(files) {
    if (!files.length) return;
    if (form) { form.take(files); return; }
    const [{ file: one }] = files;
    put(verdict, h('p.soft', t`Looking at ${h('bdi', nameText(one.name))}…`));
    try {
      const answer = await postFile(address('explain', { name: one.name, folder: folder.value }), one), shown = h('bdi', nameText(one.name));
      put(verdict, h(`p.notice.${answer.taken ? 'good' : 'wait'}`, 
        answer.taken ? t`${shown} would be taken by the rule ${h('b', clip(answer.pipeline, 100))}.` : t`${shown} would be taken by no rule.`),
      answer.lines?.length ? h('details', { open: !english }, h('summary', t`Why`), h('pre', { tabindex: '0', lang: english, 'aria-label': t`Why` }, clip(answer.lines.slice(0, 500).join('\n'), 20000))) : '',
      state?.edit ? h('p', h('button', { onclick: () => edit({ sample: files[0], ...(answer.offer ? { rule: answer.offer.rule } : {}) }) }, t`Make a rule for such files`)) : '');
      verdict.scrollIntoView({ block: 'nearest' });
    } catch (error) { put(verdict, failure(error)); }
  }

  async function load() {
    try {
      const answer = await get(address('rules'), control.signal);
      put(trouble);
      state = { ...answer, folders: (await session().catch(() => ({}))).folders ?? [] };
      say(file, nameText(answer.file));
      make.hidden = !answer.edit || Boolean(answer.problems);
      put(how, answer.edit ? t`The first rule that fits takes the file. They are kept in ${file}.` : t`The first rule that fits takes the file. They are read from ${file} and changed there.`);
      put(problems, answer.problems ? h('section.notice.bad', h('h2', t`The file has mistakes`),
        h('p', t`procd goes on with the rules it had before. Mend the file, then read the rules again.`),
        h('pre', { tabindex: '0', lang: english, 'aria-label': t`Mistakes` }, clip(answer.problems, 20000))) : '');
      put(list, ...(answer.rules ?? []).slice(0, 500).map((rule, index) => ruleCard(rule, index, answer.edit && !answer.problems && rule.rule && actionsOf(rule, index))));
      if (!answer.rules?.length) put(list, h('li.empty', t`There is no rule yet: no file would be taken. “procd init” writes a file to start from.`));
      const lines = String(answer.text ?? '').split('\n');
      put(source, ...lines.slice(0, MOST_LINES).map((line) => h('li', h('code', clip(line, 2000) || ' '))),
        lines.length > MOST_LINES ? h('li', t`… cut, ${lines.length - MOST_LINES} lines more`) : '');
      known.hidden = false;
    } catch (error) {
      if (!aborted(error)) put(trouble, failure(error, load));
    }
  }
  load().then(() => {
    // A shipped rule that another view offers.
    const kind = params?.get('add'), template = state?.edit && state.templates.find((one) => one.kind === kind);
    if (template) edit({ rule: template.makes[0].rule });
  });
  session().then((answer) => folder.append(...(answer.folders ?? []).map((one) => h('option', { value: one }, nameText(one))))).catch(() => {});
  return { title: () => t`Rules`, drop: { what: t`Drop to see which rule takes it`, where: t`It is not handed in`, take: explain }, leave: () => control.abort() };
}
