// Several shots or pages become one document: ordered by dragging or by buttons, turned, left out, handed in as one file.
import { address, get, post, postFile } from './api.js';
import { attr, clip, failure, h, icon, nameText, on, put, say } from './dom.js';
import { t } from './language.js';
import { chosen, filesOfInput, watch } from './uploads.js';
import { go } from './app.js';

const MOST = 500;

let last = 0;

const stamp = () => new Date(Date.now() - new Date().getTimezoneOffset() * 60000).toISOString().slice(0, 16).replace('T', ' ').replace(':', '.');

export function open(root, params) {
  const jobs = (params.get('jobs') ?? '').split(',').filter(Boolean).slice(0, 50);
  let items = [], dragged = null, isOver = false;
  const list = h('ol.shots'), told = h('p.told', { role: 'alert' }), news = h('p.soft.small', { role: 'status' }), trouble = h('div');
  const picker = (attributes) => h('input', { type: 'file', hidden: true, ...attributes, onchange: (event) => { add(filesOfInput(event.target)); event.target.value = ''; } });
  const camera = picker({ accept: 'image/*', capture: 'environment' }), files = picker({ multiple: true, accept: 'image/*,application/pdf' });
  const name = h('input', { id: 'assemble-name', type: 'text', required: true, maxlength: 200, autocomplete: 'off', dir: 'auto', value: `${jobs.length ? t`Pages` : t`Letter`} ${stamp()}` });
  const save = h('button.primary', { type: 'submit' }, t`Hand in as one document`);
  root.append(h('h1', jobs.length ? t`Arrange pages` : t`Several shots, one document`),
    h('p.soft', jobs.length ? t`Order, turn or leave out pages. They become a new document; the old ones stay as they are.` : t`Take a photo of each page, or choose files. Order them by dragging or with the arrows.`),
    h('div.actions', h('button.primary.camera', { onclick: () => camera.click() }, icon('camera'), t`Take a photo`), h('button', { onclick: () => files.click() }, icon('file'), t`Choose files`), camera, files),
    trouble, news, list,
    h('form.card.assemble', { onsubmit: handIn }, h('div.field', h('label', { for: name.id }, t`Name of the document`), name), told, h('div.actions', save)));

  function add(entries) {
    for (const { file } of entries.slice(0, MOST - items.length)) {
      const url = file.type.startsWith('image/') ? URL.createObjectURL(file) : null;
      items.push({ key: `s${++last}`, file, url, title: file.name, rotate: 0 });
    }
    draw();
  }

  function move(item, by) {
    const from = items.indexOf(item), to = Math.max(0, Math.min(items.length - 1, from + by));
    if (from === to) return;
    items.splice(to, 0, ...items.splice(from, 1));
    draw();
    card(item)?.querySelector(by < 0 ? '.back' : '.on').focus();
    say(news, t`Page ${to + 1} of ${items.length}`);
  }

  const cards = new Map(), card = (item) => cards.get(item.key);

  function make(item) {
    const face = item.url ?? (item.job ? address('jobs', item.job, 'pages', `${item.page}.png`, { width: 400 }) : null);
    const picture = face ? h('img', { src: face, alt: '', loading: 'lazy', draggable: 'false' }) : h('span.words', nameText(item.title));
    const number = h('b'), button = (cls, label, text, act) => h(`button.${cls}`, { type: 'button', onclick: act, 'aria-label': label, title: label }, text);
    const element = h('li.card.shot', { draggable: 'true' }, h('span.face', picture), h('div.line', number, h('span.actions',
      button('back', t`Move forward`, '←', () => move(item, -1)), button('on', t`Move back`, '→', () => move(item, 1)),
      button('turn', t`Turn clockwise`, '↻', () => { item.rotate = (item.rotate + 90) % 360; draw(); }),
      button('out', t`Leave out`, '×', () => { items.splice(items.indexOf(item), 1); if (item.url) URL.revokeObjectURL(item.url); draw(); }))));
    element.update = (index) => {
      say(number, String(index + 1));
      attr(element, 'aria-label', t`Page ${index + 1}: ${nameText(item.title)}`);
      attr(element.querySelector('.face'), 'data-turn', item.rotate || null);
    };
    on(element, 'dragstart', (event) => { dragged = item; event.dataTransfer.effectAllowed = 'move'; event.dataTransfer.setData('text/plain', ''); });
    on(element, 'dragover', (event) => { if (dragged) event.preventDefault(); });
    on(element, 'drop', (event) => {
      if (!dragged) return;
      event.preventDefault();
      event.stopPropagation();
      move(dragged, items.indexOf(item) - items.indexOf(dragged));
      dragged = null;
    });
    on(element, 'dragend', () => { dragged = null; });
    return element;
  }

  function draw() {
    for (const [key, element] of cards) if (!items.some((item) => item.key === key)) { element.remove(); cards.delete(key); }
    items.forEach((item, index) => {
      if (!cards.has(item.key)) cards.set(item.key, make(item));
      card(item).update(index);
      if (list.children[index] !== card(item)) list.insertBefore(card(item), list.children[index] ?? null);
    });
    save.disabled = !items.length;
  }

  async function handIn(event) {
    event.preventDefault();
    say(told, '');
    save.disabled = true;
    try {
      for (const [index, item] of items.entries()) {
        if (item.job || item.part) continue;
        say(news, t`Sending page ${index + 1} of ${items.length}`);
        item.part = (await postFile(address('parts', { name: item.file.name }), item.file)).part;
      }
      say(news, t`Making the document`);
      const typed = name.value.trim().replaceAll('/', '-'), full = /\.pdf$/i.test(typed) ? typed : `${typed}.pdf`;
      const answer = await post(address('assemble'), { name: full, folder: chosen.folder, pages: items.map(({ part, job, page, rotate }) => ({ ...(part ? { part } : { job, page }), rotate })) }, 150000);
      isOver = true;
      watch(full, answer.path);
      go('#/drop');
    } catch (error) {
      if (error.code === 'web.try') for (const item of items) item.part = null;
      say(told, clip(error.message, 500));
      say(news, '');
    }
    if (!isOver) save.disabled = false;
  }

  async function pagesOf(job) {
    const answer = await get(address('jobs', job)), count = answer.views?.pages ?? 0;
    for (let page = 1; page <= Math.min(count, MOST - items.length); page += 1) items.push({ key: `s${++last}`, job, page, title: t`page ${page} of ${nameText(answer.job.path)}`, rotate: 0 });
    draw();
  }

  draw();
  jobs.reduce((before, job) => before.then(() => pagesOf(job)), Promise.resolve()).catch((error) => put(trouble, failure(error)));
  return {
    title: () => (jobs.length ? t`Arrange pages` : t`Several shots, one document`),
    drop: { what: t`Drop to add pages`, where: t`They become one document`, take: add },
    leave: () => { for (const item of items) if (item.url) URL.revokeObjectURL(item.url); },
  };
}
