import type { Approval } from '#changes/approval.ts';
import { deletes } from '#ui/page/words/changeText.ts';

/** `drawbridge.review.openInTab` */
export type OpenInTab = 'never' | 'large' | 'always';

/** A change with more files or changed lines than these does not fit into the side bar. */
const [mostFiles, mostLines] = [4, 60];

/**
 * Returns true when a request that the user chose is opened in the review tab, and not in the side bar. With `large` these are deletes,
 * changes of protected files, and changes that do not fit into the side bar. Commands and questions are always in the side bar.
 */
export function opensInTab(
  approval: Pick<Approval, 'state' | 'files' | 'indivisible' | 'risk'>,
  setting: OpenInTab,
): boolean {
  const { state, files } = approval;
  if (state !== 'waiting' || files.length === 0 || setting === 'never') return false;
  if (setting === 'always' || deletes(approval) || files.length > mostFiles) return true;
  const lines = files.reduce((sum, { addedLines, removedLines }) => sum + addedLines + removedLines, 0);
  return lines > mostLines || files.some(({ protectedBy }) => protectedBy !== undefined);
}
