// The rules in words, what each took lately, and which one would take a file.
import { aborted, address, get, post, postFile, session } from './api.js';
import { clip, failure, h, icon, nameText, setText, announce } from './dom.js';
import { count, time } from './format.js';
import { filesOfInput } from './uploads.js';

const MOST_LINES = 5000;

function listed(words) {
  const all = words.map((word) => h('b.condition', { dir: 'auto' }, clip(word, 300)));
  return all.flatMap((word, index) => (index ? [index === all.length - 1 ? ' and ' : ', ', word] : [word]));
}

function ruleCard(rule, index) {
  const steps = (rule.steps ?? []).map((step) => h('li', null, h('b', null, clip(step.id, 60)), h('span.soft', null, clip(step.use, 80)),
    step.if ? h('span.soft.small', null, 'only if ', h('code', null, clip(step.if, 200))) : null));
  const number = (word, value) => h('div', null, h('dt', null, word), h('dd', null, count(value)));
  return h('li.card.rule', null, h('div.rulehead', null, h('span.order', { 'aria-hidden': 'true' }, String(index + 1)),
    h('div', null, h('h2', null, h('a', { href: `#/jobs?${new URLSearchParams({ pipeline: rule.id })}` }, h('bdi', null, clip(rule.id, 100)))), rule.about ? h('p.soft', { dir: 'auto' }, clip(rule.about, 400)) : null)),
  h('div.rulebody', null,
    h('p', null, rule.conditions?.length ? ['Takes files whose ', ...listed(rule.conditions), '.'] : 'Takes every file that no rule before it took.'),
    steps.length ? h('ol.flow', { 'aria-label': 'Steps' }, steps) : null,
    h('p.soft', null, rule.emit?.length ? ['Gives ', rule.emit.map((one, at) => [at ? ', ' : '', h('code', null, clip(one, 80))]), rule.to ? [' into ', h('code', null, clip(rule.to, 200))] : null, '.'] : 'Gives no results.')),
  h('dl.tally.small', null, number('Last 24 hours', rule.day), number('Last 7 days', rule.week), number('In all', rule.all),
    h('div', null, h('dt', null, 'Last file'), h('dd', null, rule.last ? time(rule.last) : 'never'))));
}

export function open(root) {
  const control = new AbortController();
  const file = h('code'), trouble = h('div'), problems = h('div'), list = h('ol.rulelist'), source = h('div.source', { tabindex: '0', role: 'region', 'aria-label': 'Text of the rules' });
  const told = h('p.told', { role: 'status' });
  const reload = h('button', { onclick: async () => {
    try {
      const answer = await post(address('reload'));
      setText(told, clip((answer?.lines ?? []).join(' ') || 'procd has read the rules again.', 1000));
      load();
    } catch (error) { setText(told, error.message); }
  } }, 'Read the rules again');

  const picker = h('input', { type: 'file', hidden: true, onchange: () => { explain(filesOfInput(picker)); picker.value = ''; } });
  const folder = h('select', { id: 'explain-folder' }, h('option', { value: '' }, 'the inbox itself'));
  const verdict = h('div.verdict', { role: 'status' });
  const zone = h('section.card.dropzone.small', { 'data-drop': true }, h('h2', null, 'Which rule would take a file?'),
    h('p', null, 'Drop one here, or choose it. It is looked at and not handed in.'),
    h('div.actions', null, h('button', { onclick: () => picker.click() }, icon('file'), 'Choose a file'),
      h('span.where', null, h('label', { for: 'explain-folder' }, 'as if in '), folder)), verdict, picker);
  zone.addEventListener('procd-files', (event) => explain(event.detail));
  root.append(h('header.bar', null, h('h1', null, 'Rules'), reload), h('p.soft', null, 'The first rule that fits takes the file. They are read from ', file, ' and changed there.'),
    told, trouble, problems, list, zone, h('details.card.fold', null, h('summary', null, 'The file as it is'), source));

  async function explain(files) {
    if (!files.length) return;
    const [{ file: one }] = files;
    verdict.replaceChildren(h('p.soft', null, 'Looking at ', h('bdi', null, nameText(one.name)), '…'));
    try {
      const answer = await postFile(address('explain', { name: one.name, folder: folder.value }), one);
      verdict.replaceChildren(h(`p.notice.${answer.taken ? 'good' : 'wait'}`, null, h('bdi', null, nameText(one.name)),
        answer.taken ? [' would be taken by the rule ', h('b', null, clip(answer.pipeline, 100)), '.'] : ' would be taken by no rule.'),
      answer.lines?.length ? h('pre', { tabindex: '0', 'aria-label': 'Why' }, clip(answer.lines.slice(0, 500).join('\n'), 20000)) : '');
      announce(answer.taken ? `It would be taken by ${answer.pipeline}` : 'No rule would take it');
    } catch (error) { verdict.replaceChildren(failure(error)); }
  }

  async function load() {
    try {
      const answer = await get(address('rules'), control.signal);
      trouble.replaceChildren();
      setText(file, nameText(answer.file));
      problems.replaceChildren(answer.problems ? h('section.notice.bad', null, h('h2', null, 'The file has mistakes'),
        h('p', null, 'procd goes on with the rules it had before. Mend the file, then read the rules again.'),
        h('pre', { tabindex: '0', 'aria-label': 'Mistakes' }, clip(answer.problems, 20000))) : '');
      list.replaceChildren(...(answer.rules ?? []).slice(0, 500).map(ruleCard));
      if (!answer.rules?.length) list.replaceChildren(h('li.empty', null, 'There is no rule yet: no file would be taken. “procd init” writes a file to start from.'));
      const lines = String(answer.text ?? '').split('\n');
      source.replaceChildren(h('ol.code', null, lines.slice(0, MOST_LINES).map((line) => h('li', null, h('code', null, clip(line, 2000) || ' ')))),
        lines.length > MOST_LINES ? h('p.soft', null, `… cut, ${count(lines.length - MOST_LINES)} lines more`) : '');
    } catch (error) {
      if (!aborted(error)) trouble.replaceChildren(failure(error, load));
    }
  }
  load();
  session().then((answer) => folder.append(...(answer.folders ?? []).map((one) => h('option', { value: one }, nameText(one))))).catch(() => {});
  return { title: () => 'Rules', leave: () => control.abort() };
}
