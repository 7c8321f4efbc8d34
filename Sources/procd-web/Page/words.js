// Words of a page: where they stand in its text, and which of them a search meant.

const LOW = 0.6, AHEAD = 400, MOST = 20000;
const LETTER = /[\p{L}\p{N}]/u;

export const unsure = (word) => typeof word.confidence === 'number' && word.confidence < LOW;

/** Without case and accents, and as long as the original: places stay places. */
function fold(text) {
  let folded = '';
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index];
    folded += letter < '\u0080' ? letter.toLowerCase() : (letter.normalize('NFD')[0].toLowerCase()[0] ?? letter);
  }
  return folded;
}

export function terms(query) {
  return [...new Set(fold(query ?? '').split(/[^\p{L}\p{N}]+/u).filter(Boolean))].slice(0, 20);
}

/** [from, to] of all places in which a term stands at the beginning of a word (anywhere, in scripts without spaces). */
export function places(text, wanted) {
  const folded = fold(text), found = [];
  for (const term of wanted) {
    for (let at = folded.indexOf(term); at >= 0 && found.length < 2000; at = folded.indexOf(term, at + term.length)) {
      if (at > 0 && LETTER.test(folded[at - 1]) && term.charCodeAt(0) < 0x2e80) continue;
      let end = at + term.length;
      while (end < folded.length && term.charCodeAt(0) < 0x2e80 && LETTER.test(folded[end])) end += 1;
      found.push([at, end]);
    }
  }
  return found.sort((a, b) => a[0] - b[0]);
}

/** Lines that end only because the paper did are joined; every character keeps its place. */
export function reflow(text) {
  const lines = text.split('\n'), lengths = lines.map((line) => line.length).filter(Boolean).sort((a, b) => a - b);
  const full = (lengths[Math.floor(lengths.length * 0.9)] ?? 0) * 0.75;
  return lines.map((line, index) => line + (index === lines.length - 1 ? '' : full > 35 && line.length > full && /\S/.test(lines[index + 1]) ? ' ' : '\n')).join('');
}

export function align(text, words) {
  const pieces = [];
  let at = 0;
  words.slice(0, MOST).forEach((word, index) => {
    if (!word.text) return;
    const found = text.slice(at, at + AHEAD + word.text.length).indexOf(word.text);
    if (found < 0) return;
    if (found > 0) pieces.push(text.slice(at, at + found));
    pieces.push(index);
    at += found + word.text.length;
  });
  if (at < text.length) pieces.push(text.slice(at));
  return pieces;
}

export function wordAt(words, x, y) {
  let best = -1, least = 8;
  words.forEach((word, index) => {
    const away = Math.hypot(Math.max(word.x - x, 0, x - word.x - word.w), Math.max(word.y - y, 0, y - word.y - word.h));
    if (away < least) { least = away; best = index; }
  });
  return best;
}
