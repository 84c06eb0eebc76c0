import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { CallSummary } from '#audit/recentCalls.ts';
import { plain } from '#base/visibleText.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import type { OpenedOnce } from '#policy/openedOnce.ts';
import { escapeGlob } from '#policy/pathGlob.ts';
import { joinPath } from '#policy/paths.ts';
import type { Rules } from '#policy/rules.ts';

export interface OpenClosedFileOptions {
  readonly openedOnce: Pick<OpenedOnce, 'open'>;
  readonly rules: Pick<Rules, 'add'>;
  readonly folders: () => readonly WorkspaceFolder[];
}

/** Tools that name files to read them. */
export const readingTools: ReadonlySet<string> = new Set(['read_file', 'read_files']);

/** Returns the secret file that a call was refused to read; undefined for other calls, and when there are several. */
export function refusedSecret({ tool, resources, decision }: CallSummary): string | undefined {
  if (!readingTools.has(tool) || decision?.effect !== 'deny') return undefined;
  const [secret, ...others] = resources.filter((resource) => resource.secret === true);
  return others.length === 0 ? secret?.path : undefined;
}

/** Lets the next read of a refused file pass, after the user confirmed it. */
export async function openOnce(call: CallSummary, { openedOnce, folders }: OpenClosedFileOptions): Promise<void> {
  const { t } = vscode.l10n;
  const path = refusedSecret(call);
  const place = path === undefined ? undefined : placeOf(path, folders());
  if (path === undefined || place === undefined) return tellGone();
  const question = t('Let an assistant read {0} once?', plain(path));
  const detail = t(
    'The next read of this file within ten minutes is allowed, by whichever assistant asks for it. What looks like a secret in it is still replaced by a marker, but a password can look like any other text.',
  );
  const button = t('Open It Once');
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, button)) !== button) return;
  const realPath = await realpath(joinPath(place.folder.fsPath, place.relative)).catch(() => undefined);
  if (realPath === undefined) return tellGone();
  openedOnce.open(realPath);
}

/** Adds a rule for a refused file, by which each read of it asks the user instead of being refused. */
export async function openAlways(call: CallSummary, { rules, folders }: OpenClosedFileOptions): Promise<void> {
  const { t } = vscode.l10n;
  const path = refusedSecret(call);
  const place = path === undefined ? undefined : placeOf(path, folders());
  if (path === undefined || place === undefined) return tellGone();
  const question = t('Always let assistants ask you for {0}?', plain(path));
  const detail = t('A rule for this file is added: in Manual mode each read of it shows a card and waits for you.');
  const button = t('Add Rule');
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, button)) !== button) return;
  const glob = escapeGlob(place.relative);
  const rule = { effect: 'ask', class: 'read', paths: [glob.includes('/') ? glob : `./${glob}`] } as const;
  try {
    await rules.add(rule, { scope: 'workspace', folder: place.folder.realPath });
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
  }
}

function tellGone(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('This call has no file that can be opened.'));
}

interface Place {
  readonly folder: WorkspaceFolder;
  /** Relative to the folder, with `/`. */
  readonly relative: string;
}

/** Returns the place of a path of a call, which begins with its folder's name where there are several folders. */
export function placeOf(path: string, folders: readonly WorkspaceFolder[]): Place | undefined {
  const [only] = folders;
  if (folders.length === 1 && only !== undefined) return { folder: only, relative: path };
  const [name, ...rest] = path.split('/');
  const folder = folders.find((candidate) => candidate.name === name);
  return folder && { folder, relative: rest.join('/') };
}
