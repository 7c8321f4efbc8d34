// Numbers, times and states in words.
import { attr, h, say } from './dom.js';
import { dates, numbers, t } from './language.js';

const whole = new Intl.NumberFormat(numbers), tenths = new Intl.NumberFormat(numbers, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const threeDigits = new Intl.NumberFormat(numbers, { maximumSignificantDigits: 3 });
const clock = new Intl.DateTimeFormat(dates, { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat(dates, { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(dates, { day: 'numeric', month: 'short', year: 'numeric' });
const full = new Intl.DateTimeFormat(dates, { dateStyle: 'full', timeStyle: 'medium' });

export const count = (number) => whole.format(number ?? 0);
export const few = (number) => (Math.abs(number) >= 100 ? count(Math.round(number)) : threeDigits.format(number));

export function bytes(number) {
  if (!(number >= 0)) return '';
  const units = ['', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let unit = 0;
  while (number >= 1000 && unit < units.length - 1) { number /= 1000; unit += 1; }
  return unit === 0 ? t`${number} byte|${number} bytes` : `${number < 10 ? tenths.format(number) : count(Math.round(number))} ${units[unit]}`;
}

export function duration(milliseconds) {
  if (!(milliseconds >= 0)) return '';
  const seconds = milliseconds / 1000;
  if (seconds < 1) return t`${Math.round(milliseconds)} ms`;
  if (seconds < 10) return t`${tenths.format(seconds)} s`;
  if (seconds < 90) return t`${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 >= 1 && minutes < 10 ? t`${minutes} min ${Math.floor(seconds % 60)} s` : t`${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? t`${hours} h ${minutes % 60} min` : t`${Math.floor(hours / 24)} day|${Math.floor(hours / 24)} days`;
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
  if (seconds < -5) return t`in ${duration(-seconds * 1000)}{time}`;
  if (seconds < 10) return t`just now`;
  if (seconds < 60) return t`${Math.floor(seconds / 10) * 10} s ago`;
  if (seconds < 3600) return t`${Math.floor(seconds / 60)} min ago`;
  if (seconds < 6 * 3600) return t`${Math.floor(seconds / 3600)} h ago`;
  return when(iso);
}

const KINDS = {
  ago, when,
  for: (iso) => t`for ${duration(Math.max(1000, Date.now() - date(iso))).replace(/[.,]\d/, '')}`,
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
  'application/pdf': t`PDF document`, 'message/rfc822': t`Mail`, 'text/plain': t`Text`, 'text/html': t`Web page`, 'text/csv': t`Table (CSV)`,
  'application/msword': t`Word document`, 'application/vnd.ms-excel': t`Excel workbook`, 'application/epub+zip': t`E-book`,
  'application/zip': t`ZIP archive`, 'application/octet-stream': t`Unknown kind`, 'inode/directory': t`Folder`,
};
const FAMILIES = [[/wordprocessingml/, t`Word document`], [/spreadsheetml/, t`Excel workbook`], [/presentationml/, t`PowerPoint slides`],
  [/opendocument.text/, t`Text document (ODT)`], [/opendocument.spreadsheet/, t`Spreadsheet (ODS)`], [/opendocument.presentation/, t`Slides (ODP)`]];

/** What kind of file a media type is, for people. */
export function kindName(mime) {
  const [type, kind] = String(mime ?? '').split(';')[0].split('/');
  const known = FORMATS[`${type}/${kind}`] ?? FAMILIES.find(([pattern]) => pattern.test(kind))?.[1];
  if (known || !kind) return known ?? '';
  const short = kind.replace(/^(x|vnd)[-.]/, '').toUpperCase();
  return { image: t`Picture (${short})`, audio: t`Sound (${short})`, video: t`Film (${short})`, text: t`Text (${short})` }[type] ?? short;
}

// The units in which steps count.
const PARTS = {
  page: (part, all) => t`page ${part} of ${all}`, file: (part, all) => t`file ${part} of ${all}`, note: (part, all) => t`note ${part} of ${all}`,
  document: (part, all) => t`document ${part} of ${all}`, programme: (part, all) => t`programme ${part} of ${all}`, KiB: (part, all) => t`KiB ${part} of ${all}`,
};

/** Parts are counted when they are done; people are told the one that is being done. */
export function partOf(unit, done, all) {
  const part = Math.min((done ?? 0) + 1, all), known = PARTS[unit?.replace(/s$/, '')];
  return known ? known(part, all) : t`${unit ?? t`part`} ${part} of ${all}`;
}

export function jobState(job) {
  if (job.outcome === 'quarantined') return ['bad', t`Failed`];
  if (job.outcome === 'duplicate') return ['', t`Duplicate`];
  if (job.outcome === 'done' || job.state === 'done') return job.partial ? ['wait', t`Done in part`] : ['good', t`Done`];
  return {
    claimed: ['busy', t`Taken in`], running: ['busy', t`Running`], waiting: ['wait', t`Waits`],
    publishing: ['busy', t`Publishing`],
  }[job.state] ?? ['', job.state || t`Unknown`];
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
    return { tone: 'bad', icon: 'off', word: t`No connection`, title: t`The connection to procd-web is lost`,
      text: now ? t`What you see is how things were at ${when(now.time)}. The page connects again by itself.`
        : t`The page connects by itself once procd-web answers.` };
  }
  if (!now) return { tone: '', icon: 'work', word: t`Connecting`, title: t`Connecting…`, text: t`Asking procd how things are.` };
  if (!now.daemon) {
    return { tone: 'bad', icon: 'off', word: t`Not running`, title: t`procd does not run`,
      text: t`Files in the inbox stay there until it does. Start it with “procd run”, or with “systemctl start procd”.` };
  }
  if (now.paused) return { tone: 'bad', icon: 'stop', word: t`Stands still`, title: t`Stands still`, text: now.paused };
  const work = now.inWorkCount ?? 0, stuck = (now.waiting ?? []).filter((one) => !one.willPass).length;
  const failed = now.totals?.inQuarantine ?? 0;
  const working = work ? t`Working on ${work} file|Working on ${work} files` : '';
  if (now.troubles?.length) {
    return { tone: 'wait', icon: 'alert', word: t`Trouble`, title: working ? t`${working}, with trouble` : t`Something needs you`, text: '' };
  }
  if (work) {
    return { tone: 'busy', icon: 'work', word: t`${work} in work`, title: working,
      text: now.waitingCount ? t`${now.waitingCount} more file waits.|${now.waitingCount} more files wait.` : t`Nothing else waits.` };
  }
  if (stuck) {
    return { tone: 'wait', icon: 'alert', word: t`${stuck} not taken`,
      title: t`${stuck} file stays in the inbox|${stuck} files stay in the inbox`, text: t`Below, “Waiting” says why.` };
  }
  const last = now.recent?.[0]?.finished;
  const idle = last ? t`Nothing runs. The last file was finished ${ago(last)}.` : t`Nothing to do yet. Drop a file to begin.`;
  if (now.waitingCount) {
    return { tone: 'busy', icon: 'work', word: t`${now.waitingCount} coming`,
      title: t`${now.waitingCount} file is coming in|${now.waitingCount} files are coming in`, text: t`They are taken once they are complete.` };
  }
  if (failed) {
    return { tone: 'wait', icon: 'alert', word: t`${failed} file needs you{short}|${failed} files need you{short}`,
      title: t`${failed} file needs you|${failed} files need you`, text: t`${idle} “Needs attention” says why, and what helps.` };
  }
  return { tone: 'good', icon: 'check', word: t`All is well`, title: t`All is well`, text: idle };
}
