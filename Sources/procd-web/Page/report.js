// How a document came about: its steps with their times and how they were confined.
import { bdi, clip, h, nameText, original, panel } from './dom.js';
import { bytes, duration, kindName, state, when } from './format.js';
import { causeOf, english, t } from './language.js';
import { remarkList, remarksOf } from './remarks.js';

const OUTCOMES = { done: ['good', t`Done`], ok: ['good', t`Done`], skipped: ['', t`Skipped`], failed: ['bad', t`Failed`], reused: ['', t`Reused`], later: ['wait', t`Later`] };

function confinement(isolation) {
  if (!isolation) return h('span', t`confinement not told`);
  return [h('span', [isolation.profile ? t`profile ${clip(isolation.profile, 40)}` : '', isolation.landlock ? t`Landlock ${clip(isolation.landlock, 20)}` : ''].filter(Boolean).join(', ')),
    isolation.missing?.length && h('span.state.wait', t`without ${clip(isolation.missing.join(', '), 200)}`)];
}

const shown = (value) => clip(value !== null && typeof value === 'object' ? JSON.stringify(value) : value, 300);
const pair = (key, value) => (value && h('div', h('dt', key), h('dd', { dir: 'auto' }, value)));
function wrong(error) {
  const own = causeOf(error?.code), told = error && clip(error.message ?? error);
  return told && (own ? h('div.notice.bad', h('p', own[0]), original(told)) : h('p.notice.bad', { lang: english }, told));
}
const code = (value) => (value && h('code', clip(value, 64)));

function stepRow(step, longest) {
  const bar = h('i.span'), known = Object.entries(step.facts ?? {}).slice(0, 40), remarks = remarksOf(step.notes);
  bar.style.width = `${Math.max(0.5, ((step.wallMs ?? 0) / longest) * 100)}%`;
  return h('li.step',
    h('div.line', h('span', h('strong', clip(step.id, 60)), ' ', h('span.soft', clip(step.use, 80))), state(OUTCOMES[step.outcome] ?? ['', clip(step.outcome ?? t`unknown`, 30)])),
    h('div.timebar', bar),
    wrong(step.error), remarks.length && remarkList(remarks),
    h('details.small', h('summary', t`Details`), h('p.soft.facts', step.wallMs >= 0 && h('span', t`took ${duration(step.wallMs)}`), step.cpuMs >= 0 && h('span', t`${duration(step.cpuMs)} of CPU`),
      step.machine && h('span', t`on ${bdi(step.machine)}`), confinement(step.isolation)),
    step.error?.code && h('p', code(step.error.code)), known.length && h('dl.pairs', known.map(([key, value]) => pair(bdi(key, 60), shown(value))))));
}

export function report(answer) {
  const told = answer.report, { job } = answer;
  const steps = told?.steps ?? [], longest = Math.max(1, ...steps.map((step) => step.wallMs ?? 0));
  const time = duration(steps.reduce((sum, step) => sum + (step.wallMs ?? 0), 0)), raw = h('pre.raw', { tabindex: '0' });
  return h('div.stack',
    job.outcome === 'quarantined' ? null : wrong(told?.error),
    told?.notes?.length && panel(t`Remarks`, null, remarkList(remarksOf(told.notes))),
    panel(t`Steps`, steps.length && h('span.soft', t`${steps.length} step, ${time} in all|${steps.length} steps, ${time} in all`),
      steps.length ? h('ol.rows', steps.map((step) => stepRow(step, longest))) : h('p.empty', told ? t`No step ran for this file.` : t`There is no report yet.`)),
    panel(t`File`, null, h('dl.pairs', pair(t`Path`, h('bdi', nameText(job.path))), pair(t`Arrived`, when(job.arrived)), pair(t`Finished`, when(job.finished)),
      pair(t`With`, job.companions?.length && h('bdi', nameText(job.companions.join(', ')))), pair(t`Kind`, kindName(job.mime)), pair(t`Size`, bytes(job.size)), pair(t`Original`, job.original && h('bdi', nameText(job.original))),
      pair('SHA-256', code(job.sha256)), pair(t`Job`, code(job.job)))),
    told && h('details.card.fold', { ontoggle: (event) => {
      if (event.target.open && !raw.firstChild) raw.append(clip(JSON.stringify(told, null, 2), 200000));
    } }, h('summary', t`The report as JSON`), raw));
}
