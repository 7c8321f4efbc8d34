// Numbers, times and states in words.
import { attr, h, say } from './dom.js';

const whole = new Intl.NumberFormat('en-US');
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium' });

export const count = (number) => whole.format(number ?? 0);
export const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;
export const few = (number) => (Math.abs(number) >= 100 ? count(Math.round(number)) : String(+Number(number).toPrecision(3)));

export function bytes(number) {
  if (!(number >= 0)) return '';
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let unit = 0;
  while (number >= 1000 && unit < units.length - 1) { number /= 1000; unit += 1; }
  return unit === 0 ? plural(number, 'byte') : `${number < 10 ? number.toFixed(1) : Math.round(number)} ${units[unit]}`;
}

export function duration(milliseconds) {
  if (!(milliseconds >= 0)) return '';
  const seconds = milliseconds / 1000;
  if (seconds < 1) return `${Math.round(milliseconds)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min${seconds % 60 >= 1 && minutes < 10 ? ` ${Math.floor(seconds % 60)} s` : ''}`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : plural(Math.floor(hours / 24), 'day');
}

const date = (iso) => { const value = new Date(iso ?? NaN); return Number.isNaN(value.getTime()) ? null : value; };

export function when(iso) {
  const then = date(iso), now = new Date();
  if (!then) return '';
  if (then.toDateString() === now.toDateString()) return clock.format(then);
  if (then.getFullYear() === now.getFullYear()) return `${day.format(then)}, ${clock.format(then)}`;
  return dayOfYear.format(then);
}

function ago(iso) {
  const then = date(iso);
  if (!then) return '';
  const seconds = (Date.now() - then) / 1000;
  if (seconds < -5) return `in ${duration(-seconds * 1000)}`;
  if (seconds < 10) return 'just now';
  if (seconds < 60) return `${Math.floor(seconds / 10) * 10} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 6 * 3600) return `${Math.floor(seconds / 3600)} h ago`;
  return when(iso);
}

const KINDS = {
  ago, when,
  for: (iso) => `for ${duration(Math.max(1000, Date.now() - date(iso))).replace(/\.\d/, '')}`,
};

/** A <time> that keeps itself true. Its kind: "ago", "for" or "when". */
export function time(iso, kind = 'ago') {
  const element = h('time', { 'data-kind': kind });
  setTime(element, iso);
  return element;
}

export function setTime(element, iso) {
  const then = date(iso);
  attr(element, 'datetime', then ? iso : null);
  attr(element, 'title', then ? full.format(then) : null);
  say(element, then ? KINDS[element.dataset.kind](iso) : '');
}

setInterval(() => {
  if (document.hidden) return;
  for (const element of document.querySelectorAll('time[datetime]')) setTime(element, element.getAttribute('datetime'));
}, 1000);

const FORMATS = {
  'application/pdf': 'PDF document', 'message/rfc822': 'Mail', 'text/plain': 'Text', 'text/html': 'Web page', 'text/csv': 'Table (CSV)',
  'application/msword': 'Word document', 'application/vnd.ms-excel': 'Excel workbook', 'application/epub+zip': 'E-book',
  'application/zip': 'ZIP archive', 'application/octet-stream': 'Unknown kind', 'inode/directory': 'Folder',
};
const FAMILIES = [[/wordprocessingml/, 'Word document'], [/spreadsheetml/, 'Excel workbook'], [/presentationml/, 'PowerPoint slides'],
  [/opendocument.text/, 'Text document (ODT)'], [/opendocument.spreadsheet/, 'Spreadsheet (ODS)'], [/opendocument.presentation/, 'Slides (ODP)']];

/** What kind of file a media type is, for people. */
export function kindName(mime) {
  const [type, kind] = String(mime ?? '').split(';')[0].split('/');
  const known = FORMATS[`${type}/${kind}`] ?? FAMILIES.find(([pattern]) => pattern.test(kind))?.[1];
  if (known || !kind) return known ?? '';
  const short = kind.replace(/^(x|vnd)[-.]/, '').toUpperCase();
  return { image: `Picture (${short})`, audio: `Sound (${short})`, video: `Film (${short})`, text: `Text (${short})` }[type] ?? short;
}

export function jobState(job) {
  if (job.outcome === 'quarantined') return ['bad', 'Failed'];
  if (job.outcome === 'duplicate') return ['', 'Duplicate'];
  if (job.outcome === 'done' || job.state === 'done') return job.partial ? ['wait', 'Done in part'] : ['good', 'Done'];
  return {
    claimed: ['busy', 'Taken in'], running: ['busy', 'Running'], waiting: ['wait', 'Waits'],
    publishing: ['busy', 'Publishing'],
  }[job.state] ?? ['', job.state || 'Unknown'];
}

export function setState(element, [tone, word]) {
  const classes = `state ${tone}`.trim();
  if (element.className !== classes) element.className = classes;
  say(element, word);
}

export function state(pair) {
  const element = h('span');
  setState(element, pair);
  return element;
}

export function overall(now, line) {
  if (line === 'lost') {
    return { tone: 'bad', icon: 'off', word: 'No connection', title: 'The connection to procd-web is lost',
      text: now ? `What you see is how things were at ${when(now.time)}. The page connects again by itself.`
        : 'The page connects by itself once procd-web answers.' };
  }
  if (!now) return { tone: '', icon: 'work', word: 'Connecting', title: 'Connecting…', text: 'Asking procd how things are.' };
  if (!now.daemon) {
    return { tone: 'bad', icon: 'off', word: 'Not running', title: 'procd does not run',
      text: 'Files in the inbox stay there until it does. Start it with “procd run”, or with “systemctl start procd”.' };
  }
  if (now.paused) return { tone: 'bad', icon: 'stop', word: 'Stands still', title: 'Stands still', text: now.paused };
  const work = now.inWorkCount ?? 0, stuck = (now.waiting ?? []).filter((one) => !one.willPass).length;
  const failed = now.totals?.inQuarantine ?? 0;
  const working = work ? `Working on ${plural(work, 'file')}` : '';
  if (now.troubles?.length) {
    return { tone: 'wait', icon: 'alert', word: 'Trouble', title: working ? `${working}, with trouble` : 'Something needs you', text: '' };
  }
  if (work) {
    return { tone: 'busy', icon: 'work', word: work === 1 ? '1 in work' : `${count(work)} in work`, title: working,
      text: now.waitingCount ? `${plural(now.waitingCount, 'more file waits', 'more files wait')}.` : 'Nothing else waits.' };
  }
  if (stuck) {
    return { tone: 'wait', icon: 'alert', word: `${count(stuck)} not taken`, title: `${plural(stuck, 'file stays', 'files stay')} in the inbox`, text: 'Below, “Waiting” says why.' };
  }
  const last = now.recent?.[0]?.finished;
  const idle = last ? `Nothing runs. The last file was finished ${ago(last)}.` : 'Nothing to do yet. Drop a file to begin.';
  if (now.waitingCount) {
    return { tone: 'busy', icon: 'work', word: `${count(now.waitingCount)} coming`,
      title: `${plural(now.waitingCount, 'file is', 'files are')} coming in`, text: 'They are taken once they are complete.' };
  }
  if (failed) {
    return { tone: 'wait', icon: 'alert', word: plural(failed, 'file needs you', 'files need you'),
      title: `${plural(failed, 'file needs', 'files need')} you`, text: `${idle} “Needs attention” says why, and what helps.` };
  }
  return { tone: 'good', icon: 'check', word: 'All is well', title: 'All is well', text: idle };
}
