// How a document came about: its steps with their times and how they were confined.
import { clip, h, nameText } from './dom.js';
import { bytes, duration, plural, state, when } from './format.js';

const OUTCOMES = { done: ['good', 'Done'], ok: ['good', 'Done'], skipped: ['', 'Skipped'], failed: ['bad', 'Failed'], reused: ['', 'Reused'], later: ['wait', 'Later'] };

function confinement(isolation) {
  if (!isolation) return 'not told';
  const missing = isolation.missing ?? [];
  const base = [isolation.profile ? `profile ${clip(isolation.profile, 40)}` : '', isolation.landlock ? `Landlock ${clip(isolation.landlock, 20)}` : ''].filter(Boolean).join(', ');
  return [base, missing.length ? h('span.state.wait', null, `without ${clip(missing.join(', '), 200)}`) : null];
}

const show = (value) => (value !== null && typeof value === 'object' ? clip(JSON.stringify(value), 300) : clip(value, 300));

function stepRow(step, longest, facts) {
  const bar = h('i.span');
  bar.style.width = `${Math.max(0.5, ((step.wallMs ?? 0) / longest) * 100)}%`;
  const known = Object.entries(facts && typeof facts === 'object' ? facts : {}).slice(0, 40);
  return h('li.step', null,
    h('div.line', null, h('span', null, h('strong', null, clip(step.id, 60)), ' ', h('span.soft', null, clip(step.use, 80))), state(OUTCOMES[step.outcome] ?? ['', clip(step.outcome ?? 'unknown', 30)])),
    h('div.timebar', { 'aria-hidden': 'true' }, bar),
    h('p.soft.small.facts', null, step.wallMs >= 0 ? h('span', null, `took ${duration(step.wallMs)}`) : null,
      step.cpuMs >= 0 ? h('span', null, `${duration(step.cpuMs)} of CPU`) : null,
      step.machine ? h('span', null, 'on ', h('bdi', null, clip(step.machine, 80))) : null, h('span', null, confinement(step.isolation))),
    step.error ? h('p.notice.bad', null, clip(step.error.message ?? step.error, 600), step.error.code ? [' ', h('code', null, clip(step.error.code, 60))] : null) : null,
    known.length ? h('dl.pairs', null, known.map(([key, value]) => h('div', null, h('dt', null, clip(key, 60)), h('dd', { dir: 'auto' }, show(value))))) : null);
}

export function report(answer) {
  const told = answer.report, { job } = answer;
  const steps = told?.steps ?? [], longest = Math.max(1, ...steps.map((step) => step.wallMs ?? 0));
  const raw = h('pre.raw', { tabindex: '0' });
  const pair = (key, value) => (value ? h('div', null, h('dt', null, key), h('dd', null, value)) : null);
  return h('div.stack', null,
    told?.error ? h('p.notice.bad', null, clip(told.error.message, 600), ' ', h('code', null, clip(told.error.code, 60))) : null,
    told?.notes?.length ? h('section.card.panel', null, h('header', null, h('h2', null, 'Remarks')), h('ul.rows', null, told.notes.slice(0, 100).map((note) => h('li.wrap', { dir: 'auto' }, clip(note, 600))))) : null,
    h('section.card.panel', null, h('header', null, h('h2', null, 'Steps'), h('span.soft', null, steps.length ? `${plural(steps.length, 'step')}, ${duration(steps.reduce((sum, step) => sum + (step.wallMs ?? 0), 0))} in all` : '')),
      steps.length ? h('ol.rows', null, steps.map((step) => stepRow(step, longest, told.facts?.[step.id]))) : h('p.empty', null, told ? 'No step ran for this file.' : 'There is no report yet.')),
    h('section.card.panel', null, h('header', null, h('h2', null, 'File')), h('dl.pairs.padded', null,
      pair('Arrived', when(job.arrived)), pair('Finished', when(job.finished)), pair('Type', clip(job.mime, 100)), pair('Size', bytes(job.size)),
      pair('Original', job.original ? h('bdi', null, nameText(job.original)) : null), pair('SHA-256', job.sha256 ? h('code', null, clip(job.sha256, 64)) : null),
      pair('Job', h('code', null, clip(job.job, 60))))),
    told?.artifacts?.length ? h('section.card.panel', null, h('header', null, h('h2', null, 'Results')),
      h('ul.rows', null, told.artifacts.slice(0, 100).map((one) => h('li', null, h('div.line', null, h('bdi.file', null, nameText(one.path)), h('span.soft.small', null, bytes(one.bytes))),
        h('p.soft.small.wrap', null, one.from ? `from ${clip(one.from, 80)}, ` : '', 'SHA-256 ', h('code', null, clip(one.sha256, 64))))))) : null,
    told ? h('details.card.fold', { ontoggle: (event) => {
      if (event.target.open && !raw.firstChild) raw.append(clip(JSON.stringify(told, null, 2), 200000));
    } }, h('summary', null, 'The report as JSON'), raw) : null);
}
