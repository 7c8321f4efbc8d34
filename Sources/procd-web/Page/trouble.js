// What happened to a file in quarantine, and what can be done about it.
import { address, post } from './api.js';
import { clip, h, original, put, say, shortName, toast } from './dom.js';
import { causeOf, english, t } from './language.js';
import { offerButton } from './offer.js';

/** The two sentences that count in a why.txt; the rest of it as it is. */
function readWhy(why, job) {
  const part = (label) => {
    const found = new RegExp(`^${label}:[ \\t]*([\\s\\S]*?)(?=\\n[ \\t]*\\n|\\n[A-Z][A-Za-z ]{2,30}:|$(?![\\s\\S]))`, 'm').exec(String(why ?? '').slice(0, 20000));
    return found?.[1].replace(/\s+/g, ' ').trim();
  };
  return { happened: part('What happened') || job.message || t`It is not known what happened.`, todo: part('What to do') };
}

export async function retry(body) {
  const answer = await post(address('retry'), body);
  return { retried: answer?.retried ?? [], refused: answer?.refused ?? [] };
}

export function helpFor(file) {
  const { job } = file, { happened, todo } = readWhy(file.why, job), own = causeOf(job.code);
  const told = h('p.told', { role: 'alert' });
  const password = file.needsPassword ? h('input', { type: 'password', id: `password-${job.job}`, autocomplete: 'off', required: true }) : null;
  const button = h(password ? 'button.primary' : 'button', password ? t`Try with this password` : t`Try again`);
  const form = h('form.retry', { onsubmit: async (event) => {
    event.preventDefault();
    if (button.getAttribute('aria-disabled')) return;
    button.setAttribute('aria-disabled', 'true');
    say(told, '');
    try {
      const { refused } = await retry({ jobs: [job.job], ...(password ? { password: password.value } : {}) });
      if (refused.length) throw new Error(refused[0].reason);
      toast(t`${h('bdi', shortName(file.name ?? job.path))} is on its way again.`, ' ', h('a', { href: '#/now' }, t`See what runs`));
      put(form, h('p.notice.busy', { tabindex: '-1' }, t`It is on its way again, as a new job.`));
      form.querySelector('p').focus();
    } catch (error) {
      say(told, clip(error.message));
      password?.focus();
    }
    button.removeAttribute('aria-disabled');
  } }, password && [h('label', { for: password.id }, t`Password of this file`), password], button, told,
  password && h('p.soft.small', t`It is used for this one try and never stored.`, ' ', file.unlocks
    ? t`The rule gives a copy that opens without it.` : t`The PDF stays locked: a step pdf.unlock in its rule gives a copy that opens without it.`));
  const offer = offerButton(file.offer, async () => {
    await retry({ jobs: [job.job] });
    put(form, h('p.notice.busy', { tabindex: '-1' }, t`It is on its way again, as a new job.`));
  });
  return h('div.trouble',
    h('dl.pairs', h('div', h('dt', t`What happened`), h('dd', { dir: 'auto', lang: own ? null : english }, own?.[0] ?? clip(happened, 1000))),
      todo && h('div', h('dt', t`What to do`), password ? h('dd', { dir: 'auto' }, t`Type its password here; capitals and blanks count.`)
        : h('dd', { dir: 'auto', lang: own?.[1] ? null : english }, own?.[1] ?? clip(todo, 1500)))),
    own && original(clip(happened, 1000), !password && clip(todo, 1500)), offer, form);
}
