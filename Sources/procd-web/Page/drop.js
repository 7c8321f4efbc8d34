// Hand files in, and watch what becomes of each.
import { session } from './api.js';
import { attr, baseName, clip, documentHash, h, icon, keyed, nameText, original, put, say, shortName, tell } from './dom.js';
import { bytes, jobState, partOf, setState } from './format.js';
import { causeOf, t } from './language.js';
import { offerButton } from './offer.js';
import { again, cancel, cards, chooseCrop, chooseFolder, chosen, filesOfInput, forget, onUploads, open as isOpen } from './uploads.js';
import { take } from './app.js';
import { sentence } from './now.js';

/** [tone, word, sentence, code]; the code is there, if only as null, where the sentence is procd's. */
function stage(card) {
  if (card.state === 'queued') return ['', t`Next`, t`Waits for the files before it.`];
  if (card.state === 'sending') {
    return ['busy', t`Sending`, t`${bytes(card.loaded)} of ${bytes(card.size)}`];
  }
  if (card.state === 'no-rule') return ['wait', t`No rule`, sentence(card.message), card.code];
  if (card.state === 'failed') return ['bad', t`Not sent`, card.message, card.code];
  if (card.state === 'canceled') return ['', t`Canceled`, t`It was not handed in.`];
  if (card.final) {
    const [tone, word] = jobState(card.job);
    if (card.job.path !== card.path) return [tone, word, t`It went with ${nameText(baseName(card.job.path))}.`];
    if (card.job.message) return [tone, word, sentence(card.job.message), card.job.code ?? null];
    return [tone, word, card.job.reusedFrom ? t`The same content came before: its results were there already.`
      : card.job.pipeline ? t`By the rule ${card.job.pipeline}.` : ''];
  }
  if (card.busy) {
    const { step, done, total, unit } = card.busy;
    return ['busy', t`Running`, [t`Step ${step}`, total && partOf(unit, done, total)].filter(Boolean).join(', ')];
  }
  if (card.stays) return [card.stays.willPass ? '' : 'wait', t`Waits`, sentence(card.stays.reason), card.stays.code ?? null];
  if (card.job) return [...jobState(card.job), sentence(card.job.message ?? ''), card.job.code ?? null];
  if (card.companion) return ['', t`Handed in`, t`It waits for the file that it belongs to.`];
  return ['busy', t`Handed in`, t`procd will take it at once.`];
}

const MOST = 300, STEPS = [t`Sent`, t`Taken in`, t`Processed`, t`Ready`];

function makeCard(card) {
  const word = h('span'), told = h('p.soft.small'), bar = h('progress', { max: 1, 'aria-label': t`Progress of ${nameText(card.name)}` });
  const actions = h('div.actions'), words = h('div'), size = h('span.soft.small');
  const track = h('ol.track', STEPS.map((step) => h('li', step)));
  const row = h('li.card.upload', { tabindex: '-1' },
    h('div.line', h('span.file', { title: nameText(card.name) }, h('bdi', shortName(card.name))), size, word), bar, track, told, words, actions);
  const button = (text, act) => h('button', { onclick: act, 'aria-label': `${text}: ${nameText(card.name)}` }, text);
  let drawn = '';
  row.update = () => {
    const [tone, text, more, code] = stage(card);
    setState(word, [tone, text]);
    if (code === undefined) { attr(told, 'lang', null); say(told, clip(more, 300)); } else tell(told, code, clip(more, 300));
    say(size, [card.size ? bytes(card.size) : '', card.folder ? t`into ${nameText(card.folder)}` : ''].filter(Boolean).join(', '));
    bar.hidden = card.state !== 'sending' && card.state !== 'queued' && !(card.busy?.total && !card.final);
    if (card.busy?.total) { bar.max = card.busy.total; bar.value = card.busy.done ?? 0; } else { bar.max = card.size || 1; bar.value = card.loaded; }
    track.hidden = card.state !== 'sent' || card.final;
    const at = card.busy || card.job ? 2 : 1;
    [...track.children].forEach((step, index) => attr(step, 'data-at', index < at ? 'past' : index === at && 'here'));
    const job = (card.job?.outcome === 'duplicate' && card.job.reusedFrom) || card.job?.job, failed = card.job?.outcome === 'quarantined';
    const kind = `${card.state} ${Boolean(card.final)} ${job ?? ''} ${failed}`;
    if (kind === drawn) return;
    drawn = kind;
    put(words, causeOf(code) && original(clip(more, 1000)));
    const focused = actions.contains(document.activeElement);
    put(actions,
      isOpen(card) && card.state !== 'sent' && button(t`Cancel`, () => cancel(card)),
      card.state === 'no-rule' && offerButton(card.offer, () => again(card)),
      card.state === 'no-rule' && button(t`Hand in anyway`, () => again(card, true)),
      ['failed', 'canceled'].includes(card.state) && button(t`Send again`, () => again(card, card.anyway)),
      card.final && job && h('a.button', { href: documentHash(job) }, failed ? t`See what happened` : t`Open the document`),
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
  const folder = h('select', { id: 'drop-folder', onchange: () => chooseFolder(folder.value) }, h('option', { value: '' }, t`the inbox itself`));
  const crop = h('label.tick', h('input', { type: 'checkbox', checked: chosen.crop, onchange: (event) => chooseCrop(event.target.checked) }), t`Crop photos to the sheet of paper`);
  const limit = h('p.soft.small'), summary = h('p.soft.small', { role: 'status' });
  const list = h('ul.uploads'), empty = h('p.empty', t`Files that you hand in appear here and can be followed to their result.`);
  const tidy = h('button.link', { onclick: () => forget((card) => !isOpen(card)) }, t`Clear what is finished`);
  root.append(h('h1', t`Drop`), h('section.dropzone',
    h('span.mark', icon('down')), h('h2', t`Hand in files`), h('p.wide-only', t`Drop files or folders anywhere on this page, or`),
    h('div.actions',
      h('button.primary.camera', { onclick: () => camera.click() }, icon('camera'), t`Take a photo`),
      h('button.primary', { onclick: () => files.click() }, icon('file'), t`Choose files`),
      h('button.wide-only', { onclick: () => folders.click() }, icon('folder'), t`Choose a folder`)),
    h('p', h('a', { href: '#/assemble' }, t`Several photos of one document`)),
    h('p.where', h('label', { for: 'drop-folder' }, t`They go into`), ' ', folder), crop, limit, camera, files, folders),
  h('section.handed', h('header.line', h('h2', t`Handed in`), tidy), summary, empty, list));

  session().then((answer) => {
    const all = [...new Set([...(answer.folders ?? []), ...(chosen.folder ? [chosen.folder] : [])])];
    folder.append(...all.map((one) => h('option', { value: one, selected: one === chosen.folder }, nameText(one))));
    say(limit, answer.canUpload === false ? t`This procd takes no files from the page. Put them into the inbox instead.`
      : answer.uploadLimit ? t`Each file may have up to ${bytes(answer.uploadLimit)}.` : '');
  }).catch(() => {});

  const draw = () => {
    keyed(list, cards.slice(0, MOST), (card) => card.key, makeCard);
    empty.hidden = cards.length > 0;
    tidy.hidden = !cards.some((card) => !isOpen(card));
    const left = cards.filter(isOpen).length, refused = cards.filter((card) => ['no-rule', 'failed', 'canceled'].includes(card.state)).length;
    const finished = cards.length - left - refused, told = [left && t`${left} file is on the way|${left} files are on the way`,
      t`${finished} file finished|${finished} files finished`, refused && t`${refused} not handed in`];
    say(summary, cards.length ? [`${told.filter(Boolean).join(', ')}.`, cards.length > MOST && t`The list shows the latest ${MOST}.`].filter(Boolean).join(' ') : '');
  };
  const end = onUploads(draw);
  return { title: () => t`Drop`, leave: end };
}
