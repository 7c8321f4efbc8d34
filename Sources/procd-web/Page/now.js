// What goes on: one headline, what runs, what waits and why, what came out last.
import { attr, baseName, clip, documentHash, h, icon, keyed, nameText, pathName, put, say, tell } from './dom.js';
import { bytes, count, jobState, overall, partOf, setState, setTime, time } from './format.js';
import { english, t } from './language.js';
import { follow, live } from './live.js';

const FEW = 6;
const documentLink = (job, path) => (job ? h('a.file', { href: documentHash(job) }, pathName(path)) : h('span.file', pathName(path)));

function section(heading, id, ...more) {
  const number = h('span.soft');
  const list = h('ul.rows', { 'aria-labelledby': id });
  const empty = h('p.empty');
  const element = h('section.card.panel', h('header', h('h2', { id }, heading, ' ', number), ...more), empty, list);
  return { element, number, list, empty };
}

function runningRow(item) {
  const step = h('span'), since = time(item.since, 'for'), part = h('span.part');
  const bar = h('progress', { max: 1, 'aria-label': t`Progress of ${nameText(baseName(item.path))}` });
  const row = h('li', h('div.line', documentLink(item.job, item.path), part),
    bar, h('div.line.soft.small', step, since));
  row.update = (one) => {
    say(step, one.step ? t`Step ${one.step}` : one.word ?? t`Taken in`);
    setTime(since, one.since);
    say(part, one.total > 1 ? partOf(one.unit, one.done, one.total) : '');
    if (one.total) { bar.max = one.total; bar.value = one.done ?? 0; } else bar.removeAttribute('value');
  };
  return row;
}

function waitingRow(item) {
  const why = h('span.soft.small'), word = h('span'), again = time(item.notBefore, 'ago');
  const row = h('li', h('div.line', documentLink(item.job, item.path), word),
    h('div.small', why, item.notBefore && [' ', t`Next try ${again}.`]));
  row.update = (one) => {
    const told = one.reason ?? one.message;
    if (told) tell(why, one.code, clip(sentence(told)));
    else say(why, sentence(t`waits for another try`));
    setState(word, one.job ? ['wait', t`Tries again`] : one.willPass ? ['', t`Coming in`] : ['wait', t`Stays`]);
    if (one.notBefore) setTime(again, one.notBefore);
  };
  return row;
}

export const sentence = (text) => {
  const told = String(text).trim();
  return told ? `${told[0].toUpperCase()}${told.slice(1)}${/[.!?…]$/.test(told) ? '' : '.'}` : '';
};

function resultRow(job) {
  const word = h('span'), what = h('span'), at = time(job.finished ?? job.arrived);
  const row = h('li', h('div.line', documentLink(job.job, job.path), word), h('div.line.soft.small', what, at));
  row.update = (one) => {
    setState(word, jobState(one));
    if (one.outcome === 'quarantined') tell(what, one.code, clip(sentence(one.message ?? one.code ?? ''), 160));
    else {
      attr(what, 'lang', null);
      say(what, clip(one.outcome === 'duplicate' ? t`Same content as a file before it.` : [one.pipeline, one.size ? bytes(one.size) : ''].filter(Boolean).join(' · '), 160));
    }
    setTime(at, one.finished ?? one.arrived);
  };
  return row;
}

function listRow(list) {
  const day = h('span'), told = h('span'), warning = h('span', { lang: english });
  const row = h('li', h('div.line', h('span.file', pathName(list.name)), told), h('div.soft.small', day, warning));
  row.update = (one) => {
    setState(told, one.warning ? ['wait', t`Look`] : ['', t`${one.numbers} number|${one.numbers} numbers`]);
    say(day, t`Edition of ${one.day}`);
    say(warning, one.warning ? `. ${sentence(one.warning)}` : '');
  };
  return row;
}

/** `word(number)` is the text of the button that shows all. */
function folded(part, word) {
  let all = false;
  const more = h('button.link', { hidden: true, 'aria-expanded': 'false', onclick: () => {
    all = !all;
    attr(more, 'aria-expanded', String(all));
    draw();
  } });
  part.element.append(more);
  let items = [], total = 0, key, make;
  const draw = () => {
    keyed(part.list, all ? items : items.slice(0, FEW), key, make);
    more.hidden = items.length <= FEW;
    say(more, all ? t`Show fewer` : word(total > items.length ? t`${items.length} of ${total}` : items.length));
  };
  return (next, number, keyOf, maker) => {
    [items, total, key, make] = [next, number, keyOf, maker];
    draw();
  };
}

export function open(root) {
  const mark = h('span.mark'), heading = h('h1'), text = h('p'), troubles = h('ul');
  const head = h('section.headline', mark, h('div', heading, text, troubles));
  const tally = h('dl.tally');
  const running = section(t`Running`, 'now-running');
  const waiting = section(t`Waiting`, 'now-waiting');
  const recent = section(t`Latest results`, 'now-recent', h('a', { href: '#/jobs' }, t`All jobs`));
  const fleet = section(t`Helpers`, 'now-fleet');
  const lists = section(t`Status lists`, 'now-lists');
  const drawRunning = folded(running, (number) => t`Show all ${number} running`), drawWaiting = folded(waiting, (number) => t`Show all ${number} waiting`);
  root.append(head, tally, h('div.columns',
    h('div.column', running.element, waiting.element, fleet.element, lists.element),
    h('div.column', recent.element)));
  // What stands below comes with the first news, so that nothing moves.
  root.lastChild.hidden = true;

  let drawnIcon = '', most = 0, mostAt = 0;
  const draw = ({ now, line }) => {
    const told = overall(now, line);
    attr(head, 'data-tone', told.tone);
    if (drawnIcon !== told.icon) { put(mark, icon(told.icon)); drawnIcon = told.icon; }
    say(heading, told.title);
    say(text, clip(sentence(told.text)));
    attr(text, 'lang', told.text === now?.paused ? english : null);
    text.hidden = !told.text;
    keyed(troubles, now?.troubles ?? [], (one) => one, (one) => h('li', { lang: english }, clip(sentence(one))));
    troubles.hidden = !now?.troubles?.length;
    if (!now) return;
    root.lastChild.hidden = false;
    const totals = now.totals ?? {};
    keyed(tally, [
      ['done', totals.done, t`Done`, '#/jobs?outcome=done'],
      ['quarantined', totals.quarantined, t`Failed`, '#/jobs?outcome=quarantined'],
      ['duplicates', totals.duplicates, t`Duplicates`, '#/jobs?outcome=duplicate'],
      ['left', totals.inQuarantine, t`Needs attention`, '#/quarantine'],
    ], ([key]) => key, ([, , label, href]) => {
      const number = h('dd');
      const tile = h('div', h('dt', h('a', { href }, label)), number);
      tile.update = ([key, value]) => {
        say(number, count(value));
        tile.classList.toggle('alarm', key === 'left' && value > 0);
      };
      return tile;
    });

    // What is told of the moment and what the ledger has are not of the same instant: a file stands in one list.
    const ended = new Set((now.recent ?? []).filter((job) => job.outcome).map((job) => job.job));
    const busy = (now.busy ?? []).filter((one) => !ended.has(one.job)), names = new Set(busy.map((one) => one.job));
    const inWork = (now.inWork ?? []).filter((job) => !names.has(job.job) && !ended.has(job.job));
    const runs = [...busy, ...inWork.filter((job) => job.state !== 'waiting')
      .map((job) => ({ job: job.job, path: job.path, word: jobState(job)[1], since: job.arrived }))];
    const paths = new Set(runs.map((one) => one.path)), coming = (now.waiting ?? []).filter((one) => !paths.has(one.path));
    const waits = [...inWork.filter((job) => job.state === 'waiting'), ...coming];
    const waitCount = waits.length + Math.max(0, (now.waitingCount ?? 0) - (now.waiting?.length ?? 0));
    say(running.number, runs.length ? count(runs.length) : '');
    // Its room shrinks only after a while: what stands below does not jump with each file.
    if (runs.length >= most || Date.now() - mostAt > 10000) [most, mostAt] = [Math.min(FEW, runs.length), Date.now()];
    running.list.style.minHeight = `${most * 4.4}rem`;
    drawRunning(runs, runs.length, (one) => one.job ?? one.path, runningRow);
    say(running.empty, runs.length ? '' : now.daemon ? t`Nothing runs at the moment.` : t`Nothing runs: procd itself does not.`);
    say(waiting.number, waitCount ? count(waitCount) : '');
    drawWaiting(waits, waitCount, (one) => one.job ?? `in:${one.path}`, waitingRow);
    say(waiting.empty, waits.length ? '' : t`No file waits.`);
    keyed(recent.list, now.recent ?? [], (job) => job.job, resultRow);
    say(recent.empty, now.recent?.length ? '' : t`No file was processed yet. Drop one anywhere on this page.`);
    fleet.element.hidden = !now.fleet?.length;
    keyed(fleet.list, now.fleet ?? [], (one) => one, (one) => h('li', { lang: english }, clip(one)));
    lists.element.hidden = !now.lists?.length;
    keyed(lists.list, now.lists ?? [], (one) => one.name, listRow);
  };
  draw(live);
  const end = follow(draw);
  return { title: () => t`Now`, leave: end };
}
