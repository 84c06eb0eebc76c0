import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ExtensionContext } from 'vscode';
import { hardDeniedInHome } from '../protectedTable.ts';

/** Where things of this user lie; all absolute. */
interface Places {
  /** Our own state folder. */
  readonly state: string;
  /** The user's home directory. */
  readonly home: string;
}

/**
 * Folders that no tool reads or writes: our own state and the editor's, for its user data holds settings, and with them the
 * power to run programs; and what is private at home. A folder that is a link, as people make them who keep their settings in
 * a repository, is private where it really lies too.
 */
export function privateFolders(
  context: {
    readonly globalStorageUri: Pick<ExtensionContext['globalStorageUri'], 'fsPath'>;
    readonly extensionPath: string;
  },
  { state, home }: Places,
): readonly string[] {
  const userData = dirname(dirname(context.globalStorageUri.fsPath));
  const own = [state, userData, dirname(context.extensionPath)];
  const atHome = hardDeniedInHome.map((name) => join(home, name));
  const elsewhere = [...own, ...atHome].flatMap((path) => {
    const realPath = realPathOf(path);
    return realPath === undefined || realPath === path ? [] : [realPath];
  });
  return [...own, ...elsewhere];
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    // Nothing is there.
    return undefined;
  }
}
