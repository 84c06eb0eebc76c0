import type { Proposal } from '#base/proposal.ts';
import type { ApprovalTexts } from './approval.ts';
import type { UserRequest } from './requests.ts';
import type { History } from './history.ts';
import { hunksBetween, reviewOf, type Review } from './hunks.ts';
import { loadChange, loadChoice, loadText, type Resolve } from './keep.ts';
import type { KeptChange } from './record.ts';
import type { Choice } from './selection.ts';

/** What an approval would change, read back from the history, for its paths as they lead now. */
export async function loadProposal(
  { approval, kept, places = [] }: Pick<UserRequest, 'approval' | 'kept'> & { readonly places?: readonly string[] },
  { history, resolve }: { readonly history: History; readonly resolve: Resolve },
): Promise<{ readonly proposal: Proposal; readonly choices: readonly Choice[] }> {
  const { action, question } = approval;
  if (question !== undefined) {
    const { text, choices, allowsText } = question;
    return { proposal: { kind: 'question', files: [], question: text, choices, allowsText }, choices: [] };
  }
  if (action !== undefined) {
    const { paths: _paths, ...what } = action;
    const resolved = await Promise.all(places.map((uri) => resolve(uri, 'read')));
    return { proposal: { kind: 'action', files: [], ...what, places: resolved }, choices: [] };
  }
  const [files, choices] = await Promise.all([
    Promise.all(kept.map((change) => loadChange(change, history, resolve))),
    Promise.all(kept.map((change) => loadChoice(change, history))),
  ]);
  return { proposal: { kind: 'changes', files, ...(approval.indivisible && { indivisible: true }) }, choices };
}

/** The texts of a finished change; undefined when it has none to compare. */
export async function loadTexts(kept: KeptChange, history: History): Promise<ApprovalTexts | undefined> {
  const { included } = kept;
  if (kept.kind === 'move') return undefined;
  if (kept.kind === 'delete') {
    if (kept.base === undefined) return undefined;
    const { text: base } = await loadText(kept.base, history);
    return { base, proposed: '', current: included ? '' : base };
  }
  const [base, proposed, chosen] = await Promise.all([
    kept.kind === 'edit' ? loadText(kept.base, history) : { text: '' },
    loadText(kept.result, history),
    kept.chosen && loadText(kept.chosen, history),
  ]);
  const current = included ? (chosen ?? proposed).text : base.text;
  return { base: base.text, proposed: proposed.text, current };
}

export function loadReview(texts: ApprovalTexts | undefined): Review | undefined {
  return texts && reviewOf(texts.base, hunksBetween(texts.base, texts.proposed), texts.current);
}
