import * as vscode from 'vscode';
import type { Workspace, WorkspaceFolder } from '#base/workspace.ts';
import type { PathRules } from '#policy/protectedPaths.ts';
import { findRipgrep } from '../ripgrep/findRipgrep.ts';
import type { SearchSettings } from '../ripgrep/scope.ts';
import { createRipgrepSearch, type UnsavedText } from '../ripgrep/ripgrepSearch.ts';
import type { Search } from '../search.ts';

/** Creates a search that uses the ripgrep and the settings of the editor. */
export function createSearch(
  workspace: Pick<Workspace, 'folders'>,
  pathRules: PathRules,
  extensionRoot: string,
): Search {
  let found: Promise<string> | undefined;
  return createRipgrepSearch({
    program: () => (found ??= find(extensionRoot, () => (found = undefined))),
    folders: () => workspace.folders(),
    settings: searchSettings,
    unsavedTexts,
    pathRules,
  });
}

/** Finds ripgrep. `forget` is called on failure, so that the next search looks again: the user may have installed ripgrep. */
async function find(extensionRoot: string, forget: () => void): Promise<string> {
  try {
    return await findRipgrep({
      appRoot: vscode.env.appRoot,
      extensionRoot,
      path: process.env['PATH'],
      platform: process.platform,
      architecture: process.arch,
    });
  } catch (error) {
    forget();
    throw error;
  }
}

function searchSettings(folder: WorkspaceFolder): SearchSettings {
  const scope = vscode.Uri.parse(folder.uri, true);
  const search = vscode.workspace.getConfiguration('search', scope);
  const files = vscode.workspace.getConfiguration('files', scope);
  return {
    exclude: { ...excludes(files.get('exclude')), ...excludes(search.get('exclude')) },
    useIgnoreFiles: search.get('useIgnoreFiles', true),
    useGlobalIgnoreFiles: search.get('useGlobalIgnoreFiles', false),
    useParentIgnoreFiles: search.get('useParentIgnoreFiles', false),
    encoding: files.get('encoding', 'utf8'),
    candidates: strings(files.get('candidateGuessEncodings')),
  };
}

/** Returns the valid entries of an exclude setting. The user may have written any value, so other entries are left out. */
function excludes(setting: unknown): SearchSettings['exclude'] {
  if (typeof setting !== 'object' || setting === null) return {};
  const valid: Record<string, boolean | { readonly when: string }> = {};
  for (const [glob, value] of Object.entries(setting)) {
    if (typeof value === 'boolean') valid[glob] = value;
    else if (hasWhen(value)) valid[glob] = { when: value.when };
  }
  return valid;
}

function strings(setting: unknown): readonly string[] {
  return Array.isArray(setting) ? setting.filter((each) => typeof each === 'string') : [];
}

function hasWhen(value: unknown): value is { readonly when: string } {
  return typeof value === 'object' && value !== null && 'when' in value && typeof value.when === 'string';
}

function unsavedTexts(): readonly UnsavedText[] {
  return vscode.workspace.textDocuments
    .filter(({ isDirty, isClosed, uri }) => isDirty && !isClosed && uri.scheme === 'file')
    .map((document) => ({ fsPath: document.uri.fsPath, text: document.getText() }));
}
