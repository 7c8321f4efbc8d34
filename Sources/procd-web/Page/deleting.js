// Documents are deleted, and brought back.
import { address, post } from './api.js';
import { clip, h, shortName, toast } from './dom.js';
import { t } from './language.js';

export const restore = (jobs) => post(address('restore'), { jobs });

/** Deletes documents and offers to undo that. documents: [{ job, name }]; `after` is called after each change. */
export async function remove(documents, after) {
  try {
    const { changed, refused } = await post(address('delete'), { jobs: documents.map((one) => one.job) });
    const undo = h('button.link', { onclick: async () => {
      try {
        const back = await restore(changed);
        toast(back.refused.length ? clip(back.refused[0].reason, 300) : changed.length > 1 ? t`They are back.` : t`It is back.`);
      } catch (error) { toast(clip(error.message, 300)); }
      after();
    } }, t`Undo`);
    toast(changed.length && [changed.length === 1 ? t`${h('bdi', shortName(documents.find((one) => one.job === changed[0]).name))} is deleted.`
      : t`${changed.length} document is deleted.|${changed.length} documents are deleted.`, ' ', undo],
      refused.length > 0 && h('p', t`${refused.length} document not deleted: ${clip(refused[0].reason, 300)}.|${refused.length} documents not deleted: ${clip(refused[0].reason, 300)}.`));
  } catch (error) { toast(clip(error.message, 300)); }
  after();
}
