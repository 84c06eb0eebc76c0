import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ExtensionContext } from 'vscode';
import { hardDeniedInHome } from '../protectedTable.ts';

/** Absolute paths of the folders of this user. */
interface Places {
  /** Our own state folder. */
  readonly state: string;
  /** The user's home directory. */
  readonly home: string;
}

/**
 * Returns the folders that no tool reads or writes: our own state, the user data of the editor, whose settings can run programs,
 * and the private folders in the home directory. A link, which users make to keep settings in a repository, is private at its
 * target too.
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
    // The folder does not exist.
    return undefined;
  }
}
