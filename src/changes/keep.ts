/** Writes a change into the history and reads it back: to apply it after a reload, show it or undo it. */
import type { Purpose, ResolvedPath, TreeFile } from '#base/files.ts';
import { purposeOf, type FileChange, type Proposal, type TextState } from '#base/proposal.ts';
import type { ApprovalTexts } from './approval.ts';
import type { UserRequest } from './requests.ts';
import type { History } from './history.ts';
import { hunksBetween } from './hunks.ts';
import type { KeptChange, KeptText } from './record.ts';
import { reviewOf, type Review } from './review.ts';
import { asProposed, type Choice } from './selection.ts';

/** Stores everything that is needed to apply a change after a reload, show it or undo it. */
export async function keepChange(change: FileChange, choice: Choice, history: History): Promise<KeptChange> {
  const { uri } = change.path;
  const { included } = choice;
  const chosen = choice.text === undefined ? {} : await keepChosen(change, choice.text, history);
  switch (change.kind) {
    case 'edit': {
      const { source, unsaved, unifiedLineEnds } = change.base;
      const [base, result] = await Promise.all([keepText(change.base, history), keepText(change.result, history)]);
      return {
        kind: 'edit',
        uri,
        base: { ...base, source, unsaved, unifiedLineEnds },
        result,
        ...(change.overwrites && { overwrites: true }),
        included,
        ...chosen,
      };
    }
    case 'create':
      return { kind: 'create', uri, result: await keepText(change.result, history), included, ...chosen };
    case 'delete': {
      const { isFolder, toTrash, recovery, base } = change;
      await Promise.all(change.files.map(({ bytes }) => history.putContent(bytes)));
      const files = change.files.map(treeFacts);
      const kept = base === undefined ? {} : { base: await keepText(base, history) };
      return { kind: 'delete', uri, isFolder, files, ...kept, toTrash, recovery, included };
    }
    case 'move':
      return {
        kind: 'move',
        uri,
        to: change.to.uri,
        isFolder: change.isFolder,
        files: change.files.map(treeFacts),
        included,
      };
    default:
      return change satisfies never;
  }
}

/** Resolves an address to its present path: to the file for a change of its text, to the entry itself for a delete or a move. Throws ToolError. */
export type Resolve = (uri: string, purpose: Purpose) => Promise<ResolvedPath>;

/** Reads a change back, with its paths resolved anew. */
export async function loadChange(kept: KeptChange, history: History, resolve: Resolve): Promise<FileChange> {
  const path = await resolve(kept.uri, purposeOf(kept));
  switch (kept.kind) {
    case 'edit': {
      const [base, result] = await Promise.all([loadText(kept.base, history), loadText(kept.result, history)]);
      const { source, unsaved, unifiedLineEnds } = kept.base;
      const overwrites = kept.overwrites && { overwrites: true as const };
      return { kind: 'edit', path, base: { ...base, source, unsaved, unifiedLineEnds }, result, ...overwrites };
    }
    case 'create':
      return { kind: 'create', path, result: await loadText(kept.result, history) };
    case 'delete': {
      const { isFolder, toTrash, recovery } = kept;
      const base = kept.base && { base: await loadText(kept.base, history) };
      return {
        kind: 'delete',
        path,
        isFolder,
        files: await loadFiles(kept.files, history),
        ...base,
        toTrash,
        recovery,
      };
    }
    case 'move':
      return { kind: 'move', path, to: await resolve(kept.to, 'entry'), isFolder: kept.isFolder, files: kept.files };
    default:
      return kept satisfies never;
  }
}

/** Reads the user's choice back. */
export async function loadChoice(kept: KeptChange, history: History): Promise<Choice> {
  if (kept.chosen === undefined) return kept.included ? asProposed : { included: false };
  return { included: kept.included, text: (await loadText(kept.chosen, history)).text };
}

/** Returns deleted files with their bytes. */
export async function loadFiles(
  files: readonly TreeFile[],
  history: History,
): Promise<(TreeFile & { readonly bytes: Uint8Array })[]> {
  return Promise.all(files.map(async (file) => ({ ...file, bytes: await history.getContent(file.sha256) })));
}

export async function keepText({ text, encoding }: TextState, history: History): Promise<KeptText> {
  return { sha256: await history.putContent(Buffer.from(text)), encoding };
}

export async function loadText({ sha256, encoding }: KeptText, history: History): Promise<TextState> {
  return { text: Buffer.from(await history.getContent(sha256)).toString(), encoding };
}

/** Reads back what an approval would change, with its paths resolved anew. */
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
  const { indivisible, purpose, leftOut } = approval;
  return {
    proposal: {
      kind: 'changes',
      files,
      ...(indivisible && { indivisible }),
      ...(purpose && { purpose }),
      ...(leftOut !== undefined && { leftOut }),
    },
    choices,
  };
}

/** Returns the texts of a finished change; undefined when it has none to compare. */
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

async function keepChosen(change: FileChange, text: string, history: History): Promise<{ chosen?: KeptText }> {
  if (change.kind !== 'edit' && change.kind !== 'create') return {};
  return { chosen: await keepText({ text, encoding: change.result.encoding }, history) };
}

function treeFacts({ relative, sha256, size, mode, isLink }: TreeFile): TreeFile {
  return { relative, sha256, size, mode, isLink };
}
