// The language of the page. English is written where it is shown, as t`Took ${number} files`; a catalogue has each of
// these texts in another language, with numbers for the holes: "Took {1} files": "{1} Dateien übernommen".

export const LANGUAGES = { en: 'English', de: 'Deutsch' };
const CATALOGUES = { de: ['./german.js', './german-causes.js'] };
const STORE = 'procd.language', FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'];

const base = (tag) => tag.split('-')[0].toLowerCase();
const fits = (tag) => Object.hasOwn(LANGUAGES, base(tag));

/** What somebody chose on this page; empty if the browser's choice counts. */
export const chosenLanguage = fits(localStorage.getItem(STORE) ?? '') ? localStorage.getItem(STORE) : '';

export function chooseLanguage(language) {
  if (language) localStorage.setItem(STORE, language);
  else localStorage.removeItem(STORE);
  location.reload();
}

let language = base(chosenLanguage || navigator.languages.find(fits) || 'en'), catalogue = {}, causes = {};
if (CATALOGUES[language]) {
  // English is better than no page.
  try { [catalogue, causes] = (await Promise.all(CATALOGUES[language].map((name) => import(name)))).map((module) => module.default); } catch (error) { console.warn(error); language = 'en'; }
}
const regional = navigator.languages.find((tag) => base(tag) === language) ?? language;
export const numbers = language === 'en' ? 'en-US' : regional;
export const dates = language === 'en' ? 'en-GB' : regional;

const rules = new Intl.PluralRules(language), whole = new Intl.NumberFormat(numbers);
const forms = FORMS.filter((form) => rules.resolvedOptions().pluralCategories.includes(form));

function shown(value) {
  if (typeof value === 'number') return whole.format(value);
  return value === null || value === undefined || value === false ? '' : value;
}

/**
 * The text in the language of the page: a string, or pieces for `h` where a value is an element. Forms for one and for
 * several stand in one text, with the number first: t`${number} file|${number} files`. Where one English text needs two
 * translations, a note in braces tells them apart and is not shown: t`Next{word}`.
 */
export function t(parts, ...values) {
  const key = parts.reduce((text, part, index) => `${text}{${index}}${part}`), all = (catalogue[key] ?? key).split('|');
  const form = all.length > 1 ? all[forms.indexOf(rules.select(Number(values[0])))] ?? all.at(-1) : all[0];
  const pieces = form.split(/\{(\w+)\}/).map((piece, index) => (index % 2 ? shown(values[piece - 1]) : piece));
  return pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : pieces;
}

/** [what happened, what to do] for a code of docs/errors.md, if the catalogue has it. */
export const causeOf = (code) => (Object.hasOwn(causes, code ?? '') ? causes[code] : null);

/** The attribute `lang` of sentences that procd tells in English, where the page is in another language. */
export const english = language === 'en' ? null : 'en';

/** The texts that index.html brings along. */
function translate(root) {
  const put = (text, set) => { if (catalogue[text.trim()]) set(text.replace(text.trim(), () => catalogue[text.trim()])); };
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) put(walk.currentNode.data, (text) => { walk.currentNode.data = text; });
  for (const name of ['aria-label', 'placeholder']) {
    for (const element of root.querySelectorAll(`[${name}]`)) put(element.getAttribute(name), (text) => element.setAttribute(name, text));
  }
}

document.documentElement.lang = language;
translate(document.body);
document.body.dataset.language = language;
