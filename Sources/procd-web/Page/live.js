// One line to the server for the whole page: the state as it is now, told to all views.
import { on } from './dom.js';
import { address, get } from './api.js';

const listeners = new Set();
let source = null, lostTimer = 0, againTimer = 0, hiddenTimer = 0, drawing = false;

export const live = { now: null, line: 'opening' };

export function follow(listener) {
  listeners.add(listener);
  if (live.now || live.line === 'lost') listener(live);
  return () => listeners.delete(listener);
}

function tell() {
  if (drawing) return;
  drawing = true;
  // Several events before the next frame are drawn once; a hidden page draws no frames but is still told.
  const run = () => {
    drawing = false;
    for (const listener of listeners) listener(live);
  };
  if (document.hidden) setTimeout(run, 200);
  else requestAnimationFrame(run);
}

function lost() {
  lostTimer ||= setTimeout(() => {
    live.line = 'lost';
    tell();
  }, 1500);
}

function found() {
  clearTimeout(lostTimer);
  lostTimer = 0;
  live.line = 'on';
}

export function connect() {
  clearTimeout(againTimer);
  source?.close();
  source = new EventSource(address('events'));
  on(source, 'open', () => { found(); tell(); });
  on(source, 'now', (event) => {
    try { live.now = JSON.parse(event.data); } catch { return; }
    found();
    tell();
  });
  on(source, 'error', () => {
    lost();
    if (source.readyState !== EventSource.CLOSED) return;
    // Refused for good: ask why (a lost login shows itself by that), and try again.
    get(address('session')).catch(() => {});
    againTimer = setTimeout(connect, 3000);
  });
}

// Browsers allow six lines to one server: tabs that nobody sees give theirs back after a while.
on(document, 'visibilitychange', () => {
  clearTimeout(hiddenTimer);
  if (document.hidden) hiddenTimer = setTimeout(() => { source?.close(); source = null; }, 120000);
  else if (!source) connect();
});
