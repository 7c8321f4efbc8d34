// A rule that procd brings along for files that no rule takes.
import { address, forgetPipelines, get, post } from './api.js';
import { clip, h, say } from './dom.js';
import { t } from './language.js';
import { freeId } from './ruleparts.js';

const QUESTIONS = {
  scans: t`Read pictures from now on`, pdfs: t`Read PDFs from now on`, word: t`Read Word files and the like from now on`,
  sheets: t`Read Excel files and the like from now on`, mail: t`Read mails from now on`,
};

/** Adds the offered rule at the end of the rules. Throws what hinders it. */
async function accept(offer) {
  const state = await get(address('rules'));
  if (!state.edit) throw new Error(state.editObstacle);
  const rule = { ...offer.rule, id: freeId(offer.rule.id, state.rules ?? []) };
  const answer = await post(address('rules'), { change: 'put', mark: state.mark, rule: JSON.stringify(rule, null, 2) });
  if (!answer.saved) throw new Error(answer.problems);
  forgetPipelines();
}

/** A button for it; `after` goes on once the rule is there. */
export function offerButton(offer, after) {
  if (!QUESTIONS[offer?.kind]) return null;
  const told = h('p.told', { role: 'alert' });
  const button = h('button.primary', { type: 'button', onclick: async () => {
    button.disabled = true;
    say(told, '');
    try {
      await accept(offer);
      await after();
    } catch (error) { say(told, clip(error.message, 500)); }
    button.disabled = false;
  } }, QUESTIONS[offer.kind]);
  return h('div.offer', button, told);
}
