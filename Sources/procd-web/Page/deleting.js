// Documents are deleted, and brought back.
import { address, post } from './api.js';
import { clip, h, shortName, toast } from './dom.js';
import { english, t } from './language.js';
import { sentence } from './now.js';

export const restore = (jobs) => post(address('restore'), { jobs });

/** Deletes documents and offers to undo that. documents: [{ job, name }]; `after` is called after each change. */
export async function remove(documents, after) {
  try {
    const { changed, refused } = await post(address('delete'), { jobs: documents.map((one) => one.job) });
    // Of a deleted document, files that somebody changed stay.
    const stays = refused.filter((one) => changed.includes(one.job)), left = refused.filter((one) => !changed.includes(one.job));
    const undo = h('button.link', { onclick: async () => {
      try {
        const back = await restore(changed);
        toast(back.refused.length ? clip(back.refused[0].reason, 300) : changed.length > 1 ? t`They are back.` : t`It is back.`);
      } catch (error) { toast(clip(error.message, 300)); }
      after();
    } }, t`Undo`);
    toast(changed.length && [changed.length === 1 ? t`${h('bdi', shortName(documents.find((one) => one.job === changed[0]).name))} is deleted.`
      : t`${changed.length} document is deleted.|${changed.length} documents are deleted.`, ' ', undo],
      left.length > 0 && h('p', t`${left.length} document not deleted: ${clip(left[0].reason, 300)}.|${left.length} documents not deleted: ${clip(left[0].reason, 300)}.`),
      stays.map((one) => h('p', { lang: english }, sentence(clip(one.reason, 300)))));
  } catch (error) { toast(clip(error.message, 300)); }
  after();
}
