// Files on their way in: the queue of uploads, and what becomes of each file afterwards.
import { address, failureOf, get } from './api.js';
import { follow, live } from './live.js';
import { baseName, on } from './dom.js';
import { t } from './language.js';

const AT_ONCE = 2, KEPT = 50, MOST = 10000, STORE = 'procd.handed-in';
const listeners = new Set();
let last = 0, telling = false;

export const cards = [];
export const chosen = { folder: localStorage.getItem('procd.folder') ?? '', crop: localStorage.getItem('procd.crop') === 'yes' };

export function chooseFolder(folder) {
  chosen.folder = folder;
  localStorage.setItem('procd.folder', folder);
}

export function chooseCrop(crop) {
  chosen.crop = crop;
  localStorage.setItem('procd.crop', crop ? 'yes' : 'no');
}

export function onUploads(listener) {
  listeners.add(listener);
  listener();
  return () => listeners.delete(listener);
}

function changed() {
  if (telling) return;
  telling = true;
  setTimeout(() => { telling = false; listeners.forEach((listener) => listener()); }, 60);
}

const underWay = (card) => card.state === 'sent' && !card.final;
export const open = (card) => ['queued', 'sending'].includes(card.state) || underWay(card);

/** entries: [{ file, folder }] with the folder below the chosen one. */
export function handIn(entries) {
  const made = entries.slice(0, MOST).map(({ file, folder, name }) => ({
    key: `u${++last}`, file, name: name ?? file.name, crop: chosen.crop && file.type.startsWith('image/') ? 1 : '', size: file.size, loaded: 0, state: 'queued',
    folder: [chosen.folder, folder].filter(Boolean).join('/'),
  }));
  cards.unshift(...made);
  pump();
  return { taken: made.length, left: entries.length - made.length };
}

function pump() {
  let sending = cards.filter((card) => card.state === 'sending').length;
  // The list shows the newest first, and files go in the order in which they came.
  for (let index = cards.length - 1; index >= 0 && sending < AT_ONCE; index -= 1) {
    if (cards[index].state !== 'queued') continue;
    send(cards[index]);
    sending += 1;
  }
  changed();
}

function send(card) {
  const request = new XMLHttpRequest();
  Object.assign(card, { state: 'sending', loaded: 0, message: '', request,
    at: live.now?.time ?? new Date().toISOString() });
  request.open('POST', address('uploads', { name: card.name, folder: card.folder, anyway: card.anyway ? 1 : '', crop: card.crop }));
  request.setRequestHeader('Content-Type', 'application/octet-stream');
  on(request.upload, 'progress', (event) => { card.loaded = event.loaded; changed(); });
  const end = (state, message = '', code = undefined) => {
    Object.assign(card, { state, message, code, request: null });
    pump();
  };
  on(request, 'abort', () => end('canceled'));
  on(request, 'error', () => end('failed', t`The file did not get through: the connection broke, or the file was changed or moved meanwhile.`));
  on(request, 'load', () => {
    if (request.status !== 201) {
      const error = failureOf(request.status, request.responseText);
      card.offer = error.offer;
      return end(error.code === 'web.rule' ? 'no-rule' : 'failed', error.original ?? error.message, error.isEnglish || error.original ? error.code : undefined);
    }
    try {
      const answer = JSON.parse(request.responseText);
      [card.path, card.companion] = [answer.path, answer.companion];
    } catch { card.path = null; }
    card.path ??= [card.folder, card.name].filter(Boolean).join('/');
    card.file = null;
    card.sentAt = Date.now();
    end('sent');
    keep();
    if (live.now) trace(live.now);
    return null;
  });
  request.send(card.file);
}

/** Follows a file that was handed in otherwise. */
export function watch(name, path) {
  const folder = path.split('/').slice(0, -1).join('/');
  cards.unshift({ key: `u${++last}`, name, size: 0, loaded: 0, state: 'sent', path, folder, at: live.now?.time ?? new Date().toISOString(), sentAt: Date.now() });
  keep();
  changed();
}

export function cancel(card) {
  if (card.request) card.request.abort();
  else { card.state = 'canceled'; pump(); }
}

export function again(card, anyway = false) {
  card.anyway = anyway;
  card.state = 'queued';
  pump();
}

export function forget(test) {
  for (let index = cards.length - 1; index >= 0; index -= 1) if (test(cards[index])) cards.splice(index, 1);
  keep();
  changed();
}

// A reload of the page loses no card of a file that is in.
function keep() {
  const sent = cards.filter((card) => card.state === 'sent').slice(0, KEPT)
    .map(({ name, folder, size, path, companion, at, job, final }) => ({ name, folder, size, path, companion, at, job, final }));
  try { sessionStorage.setItem(STORE, JSON.stringify(sent)); } catch { /* full or forbidden: only comfort is lost */ }
}

export function recall() {
  let kept = [];
  try { kept = JSON.parse(sessionStorage.getItem(STORE)) ?? []; } catch { /* nothing kept */ }
  for (const card of kept) cards.push({ ...card, key: `u${++last}`, state: 'sent', loaded: card.size, sentAt: 0 });
  changed();
}

function settle(card, job) {
  card.job = job;
  if (job.state === 'done' || job.outcome) {
    card.final = true;
    keep();
  }
}

// What came with another file is in its job.
const places = (job) => [job.path, ...(job.companions ?? []).map((one) => job.path.replace(/[^/]*$/, () => one))];

// An older file may have had the same path: only what arrived since the upload began is meant.
const meant = (card, job) => places(job).includes(card.path) && Date.parse(job.arrived) >= Date.parse(card.at) - 2000;

function trace(now) {
  for (const card of cards.filter(underWay)) {
    const job = [...(now.recent ?? []), ...(now.inWork ?? [])].find((one) => meant(card, one));
    if (job) settle(card, job);
    card.busy = now.busy?.find((one) => (card.job ? one.job === card.job.job : one.path === card.path));
    card.stays = now.waiting?.find((one) => one.path === card.path);
    if (job || card.busy || card.stays) card.seen = Date.now();
  }
  changed();
}

follow((state) => { if (state.now) trace(state.now); });

// What came and went between two events is asked for.
setInterval(async () => {
  const lost = cards.filter((card) => underWay(card)
    && Date.now() - Math.max(card.sentAt, card.seen ?? 0) > 3000).slice(0, 3);
  for (const card of lost) {
    card.seen = Date.now();
    try {
      const found = card.job ? [(await get(address('jobs', card.job.job))).job]
        : (await get(address('jobs', card.companion ? { limit: 100 } : { name: baseName(card.path), limit: 20 }))).jobs;
      const job = found.find((one) => meant(card, one));
      if (job) { card.busy = null; settle(card, job); changed(); }
    } catch { /* asked again later */ }
  }
}, 2000);

/** All files of a drop, with their folders. Must be called before the event ends. */
export async function filesOf(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ file, folder: '' }));
  const files = [];
  const walk = async (entry, folder) => {
    if (files.length > MOST) return;
    if (entry.isFile) {
      files.push({ file: await new Promise((done, failed) => { entry.file(done, failed); }), folder });
    } else if (entry.isDirectory) {
      const reader = entry.createReader();
      const below = [folder, entry.name].filter(Boolean).join('/');
      for (;;) {
        const some = await new Promise((done, failed) => { reader.readEntries(done, failed); });
        if (!some.length) break;
        for (const one of some) await walk(one, below);
      }
    }
  };
  for (const entry of entries) {
    try { await walk(entry, ''); } catch { /* not readable for the browser: the others still are */ }
  }
  return files;
}

export function filesOfInput(input) {
  return [...input.files].map((file) => ({
    file, folder: String(file.webkitRelativePath ?? '').split('/').slice(0, -1).join('/'),
  }));
}

addEventListener('beforeunload', (event) => {
  if (cards.some((card) => ['queued', 'sending'].includes(card.state))) event.preventDefault();
});
