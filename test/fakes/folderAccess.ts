import type { Workspace } from '#base/workspace.ts';
import { FolderAccess, type RememberedFolders } from '#call/folderAccess.ts';
import { FakeWorkspace } from './workspace.ts';

/** The answers that the user gave for folders, in memory. */
export class FakeRememberedFolders implements RememberedFolders {
  readonly answers: { folder: string; window: readonly string[]; answer: 'always' | 'never' }[] = [];

  answerFor(folder: string, window: readonly string[]): 'always' | 'never' | undefined {
    const isFor = (each: { folder: string; window: readonly string[] }): boolean =>
      each.folder === folder && each.window.join() === window.join();
    return this.answers.findLast(isFor)?.answer;
  }

  async remember(folder: string, window: readonly string[], answer: 'always' | 'never'): Promise<void> {
    this.answers.push({ folder, window, answer });
  }
}

/** Access to a window whose user has answered nothing. */
export function fakeFolderAccess(workspace: Pick<Workspace, 'folders'> = new FakeWorkspace()): FolderAccess {
  return new FolderAccess(workspace, new FakeRememberedFolders());
}
