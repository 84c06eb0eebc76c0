import type { Edits } from '../ports/edits.ts';
import type { ResolvedPath } from '../ports/files.ts';
import type { History } from '../ports/history.ts';
import type { FileEdit, TextState } from '../ports/proposal.ts';
import type { Approval, UndoResult } from './approval.ts';
import type { FileContents } from './record.ts';

/**
 * Takes an applied change back, all files or none, and only where each still holds the text it had after our own save:
 * work done since is never overwritten.
 */
export async function undoApplied(
  approval: Approval,
  contents: readonly FileContents[],
  {
    edits,
    history,
    resolve,
  }: { readonly edits: Edits; readonly history: History; readonly resolve: (uri: string) => Promise<ResolvedPath> },
): Promise<UndoResult> {
  try {
    const changes = await Promise.all(
      approval.files.map(async ({ uri }, index): Promise<FileEdit> => {
        const kept = contents[index];
        if (kept?.after === undefined) throw new Error('The text after the change was not kept.');
        const [path, base, result] = await Promise.all([
          resolve(uri),
          load(history, kept.after),
          load(history, kept.base),
        ]);
        return { kind: 'edit', path, base: { ...base, source: 'disk', unsaved: false, unifiedLineEnds: 0 }, result };
      }),
    );
    const applied = await edits.apply(changes);
    if (applied.status === 'applied') {
      const again = approval.files.filter((_, index) => applied.files[index]?.changedOnSave === true);
      if (again.length === 0) return { status: 'undone' };
      const names = again.map(({ path }) => path).join(', ');
      return {
        status: 'undone',
        message: `The editor changed it again when it saved, so it is not exactly as before: ${names}`,
      };
    }
    return applied.status === 'stale'
      ? { status: 'changed_since', message: `${applied.path}: ${applied.reason}` }
      : { status: 'failed', message: applied.reason };
  } catch (error) {
    return { status: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

async function load(history: History, { sha256, encoding }: FileContents['base']): Promise<TextState> {
  return { text: Buffer.from(await history.getContent(sha256)).toString(), encoding };
}
