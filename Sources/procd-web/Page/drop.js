// Hand files in, and watch what becomes of each.
import { session } from './api.js';
import { attr, baseName, clip, documentHash, h, icon, keyed, nameText, put, say, shortName } from './dom.js';
import { bytes, count, jobState, plural, setState } from './format.js';
import { again, cancel, cards, chooseFolder, chosen, filesOfInput, forget, onUploads, open as isOpen } from './uploads.js';
import { take } from './app.js';
import { sentence } from './now.js';

function stage(card) {
  if (card.state === 'queued') return ['', 'Next', 'Waits for the files before it.'];
  if (card.state === 'sending') {
    return ['busy', 'Sending', `${bytes(card.loaded)} of ${bytes(card.size)}`];
  }
  if (card.state === 'no-rule') return ['wait', 'No rule', sentence(card.message)];
  if (card.state === 'failed') return ['bad', 'Not sent', card.message];
  if (card.state === 'canceled') return ['', 'Canceled', 'It was not handed in.'];
  if (card.final) {
    const [tone, word] = jobState(card.job);
    if (card.job.path !== card.path) return [tone, word, `It went with ${nameText(baseName(card.job.path))}.`];
    return [tone, word, card.job.message ? sentence(card.job.message) : (card.job.reusedFrom ? 'The same content came before: its results were there already.'
      : card.job.pipeline ? `By the rule ${card.job.pipeline}.` : '')];
  }
  if (card.busy) {
    const { step, done, total, unit } = card.busy;
    return ['busy', 'Running', `Step ${step ?? ''}${total ? `, ${unit?.replace(/s$/, '') ?? 'part'} ${count(Math.min(done + 1, total))} of ${count(total)}` : ''}`];
  }
  if (card.stays) return [card.stays.willPass ? '' : 'wait', 'Waits', sentence(card.stays.reason)];
  if (card.job) return [...jobState(card.job), card.job.message ? sentence(card.job.message) : ''];
  if (card.companion) return ['', 'Handed in', 'It waits for the file that it belongs to.'];
  return ['busy', 'Handed in', 'procd will take it at once.'];
}

const STEPS = ['Sent', 'Taken in', 'Processed', 'Ready'];

function makeCard(card) {
  const word = h('span'), told = h('p.soft.small'), bar = h('progress', { max: 1, 'aria-label': `Progress of ${nameText(card.name)}` });
  const actions = h('div.actions'), size = h('span.soft.small');
  const track = h('ol.track', STEPS.map((step) => h('li', step)));
  const row = h('li.card.upload', { tabindex: '-1' },
    h('div.line', h('span.file', { title: nameText(card.name) }, h('bdi', shortName(card.name))), size, word), bar, track, told, actions);
  const button = (text, act) => h('button', { onclick: act, 'aria-label': `${text}: ${nameText(card.name)}` }, text);
  let drawn = '';
  row.update = () => {
    const [tone, text, more] = stage(card);
    setState(word, [tone, text]);
    say(told, clip(more, 300));
    say(size, [bytes(card.size), card.folder ? `into ${nameText(card.folder)}` : ''].filter(Boolean).join(', '));
    bar.hidden = card.state !== 'sending' && card.state !== 'queued' && !(card.busy?.total && !card.final);
    if (card.busy?.total) { bar.max = card.busy.total; bar.value = card.busy.done ?? 0; } else { bar.max = card.size || 1; bar.value = card.loaded; }
    track.hidden = card.state !== 'sent' || card.final;
    const at = card.busy || card.job ? 2 : 1;
    [...track.children].forEach((step, index) => attr(step, 'data-at', index < at ? 'past' : index === at && 'here'));
    const job = (card.job?.outcome === 'duplicate' && card.job.reusedFrom) || card.job?.job, failed = card.job?.outcome === 'quarantined';
    const kind = `${card.state} ${Boolean(card.final)} ${job ?? ''} ${failed}`;
    if (kind === drawn) return;
    drawn = kind;
    const focused = actions.contains(document.activeElement);
    put(actions,
      isOpen(card) && card.state !== 'sent' && button('Cancel', () => cancel(card)),
      card.state === 'no-rule' && button('Hand in anyway', () => again(card, true)),
      ['failed', 'canceled'].includes(card.state) && button('Send again', () => again(card, card.anyway)),
      card.final && job && h('a.button', { href: documentHash(job) }, failed ? 'See what happened' : 'Open the document'),
    );
    if (focused) (actions.querySelector('a, button') ?? row).focus();
  };
  return row;
}

export function open(root) {
  const camera = h('input', { type: 'file', accept: 'image/*', capture: 'environment', hidden: true, onchange: () => {
    const stamp = new Date(Date.now() - new Date().getTimezoneOffset() * 60000).toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
    // Phones call every photo the same.
    take([...camera.files].map((file) => ({ file, folder: '', name: `photo-${stamp}.${(file.name.split('.').pop() || 'jpg').toLowerCase()}` })));
    camera.value = '';
  } });
  const picker = (attributes) => {
    const input = h('input', { type: 'file', multiple: true, hidden: true, ...attributes, onchange: () => { take(filesOfInput(input)); input.value = ''; } });
    return input;
  };
  const files = picker(), folders = picker({ webkitdirectory: true });
  const folder = h('select', { id: 'drop-folder', onchange: () => chooseFolder(folder.value) }, h('option', { value: '' }, 'the inbox itself'));
  const limit = h('p.soft.small'), summary = h('p.soft.small', { role: 'status' });
  const list = h('ul.uploads'), empty = h('p.empty', 'Files that you hand in appear here and can be followed to their result.');
  const tidy = h('button.link', { onclick: () => forget((card) => !isOpen(card)) }, 'Clear what is finished');
  root.append(h('h1', 'Drop'), h('section.dropzone',
    h('span.mark', icon('down')), h('h2', 'Hand in files'), h('p.wide-only', 'Drop files or folders anywhere on this page, or'),
    h('div.actions',
      h('button.primary.camera', { onclick: () => camera.click() }, icon('camera'), 'Take a photo'),
      h('button.primary', { onclick: () => files.click() }, icon('file'), 'Choose files'),
      h('button.wide-only', { onclick: () => folders.click() }, icon('folder'), 'Choose a folder')),
    h('p.where', h('label', { for: 'drop-folder' }, 'They go into '), folder), limit, camera, files, folders),
  h('section.handed', h('header.line', h('h2', 'Handed in'), tidy), summary, empty, list));

  session().then((answer) => {
    const all = [...new Set([...(answer.folders ?? []), ...(chosen.folder ? [chosen.folder] : [])])];
    folder.append(...all.map((one) => h('option', { value: one, selected: one === chosen.folder }, nameText(one))));
    say(limit, answer.canUpload === false ? 'This procd takes no files from the page. Put them into the inbox instead.'
      : answer.uploadLimit ? `Each file may have up to ${bytes(answer.uploadLimit)}.` : '');
  }).catch(() => {});

  const draw = () => {
    keyed(list, cards.slice(0, 300), (card) => card.key, makeCard);
    empty.hidden = cards.length > 0;
    tidy.hidden = !cards.some((card) => !isOpen(card));
    const left = cards.filter(isOpen).length, refused = cards.filter((card) => ['no-rule', 'failed', 'canceled'].includes(card.state)).length;
    const told = [left && `${plural(left, 'file is', 'files are')} on the way`, `${plural(cards.length - left - refused, 'file')} finished`, refused && `${count(refused)} not handed in`];
    say(summary, cards.length ? `${told.filter(Boolean).join(', ')}.${
      cards.length > 300 ? ' The list shows the latest 300.' : ''}` : '');
  };
  const end = onUploads(draw);
  return { title: () => 'Drop', leave: end };
}
