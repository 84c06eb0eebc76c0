import type { FileChange, FileRestore } from '#base/proposal.ts';
import type { ApplyOutcome, Edits } from '#changes/edits.ts';
import { ChangedSinceApproval } from '#files/changedSinceApproval.ts';
import { stageWrite } from '#files/checkedWrite.ts';
import { moveEntry } from '#files/createAndMove.ts';
import { requireUnchanged, setAside } from '#files/expectedTree.ts';
import { makeEntry, openEntry, removeEmptyFolder } from '#files/folder.ts';
import { restoreTree } from '#files/restoreTree.ts';

/** The apply of an editor without open documents, one change at a time, by the same checked writes. */
export const diskEdits: Pick<Edits, 'apply'> = {
  async apply(changes, recordId = 'test'): Promise<ApplyOutcome> {
    try {
      for (const change of changes) await carryOut(change, recordId);
      return { status: 'applied', files: changes.map(() => ({})) };
    } catch (error) {
      if (!(error instanceof ChangedSinceApproval)) throw error;
      return { status: 'stale', path: changes[0]?.path.path ?? '', reason: error.message };
    }
  },
};

function bytesOf({ text, encoding }: { readonly text: string; readonly encoding: string }): Buffer {
  return Buffer.from(encoding === 'utf8bom' ? `\uFEFF${text}` : text);
}

async function carryOut(change: FileChange | FileRestore, mark: string): Promise<void> {
  const { path } = change;
  switch (change.kind) {
    case 'edit': {
      const base = bytesOf(change.base);
      const staged = await stageWrite(path, async (each) => base.equals(each), bytesOf(change.result), mark);
      return staged.commit();
    }
    case 'delete': {
      const entry = await openEntry(path.realPath, path.parent);
      const aside = await setAside(entry, { isFolder: false, files: change.files }, mark);
      await aside.remove();
      await entry.folder.close();
      for (const folder of change.emptiedFolders ?? []) await removeEmptyFolder(folder);
      return;
    }
    case 'restore': {
      const entry = await makeEntry(path.realPath, path.parent, () => undefined);
      await restoreTree(entry, change, mark);
      return entry.folder.close();
    }
    case 'move': {
      const from = await openEntry(path.realPath, path.parent);
      await requireUnchanged(from, { isFolder: false, files: change.files });
      const to = await makeEntry(change.to.realPath, change.to.parent, () => undefined);
      await moveEntry(from, to);
      await from.folder.close();
      return to.folder.close();
    }
    case 'create':
      throw new Error('No undo creates a file.');
    default:
      return change satisfies never;
  }
}
