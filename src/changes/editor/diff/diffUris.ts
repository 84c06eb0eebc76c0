/** The addresses of both sides of a native diff. */
import * as vscode from 'vscode';
import type { Approval } from '../../approval.ts';

/** The scheme of both sides of every native diff of Drawbridge. */
export const diffScheme = 'drawbridge';

/**
 * Left and right side; the authority of the address: `drawbridge://base/src/a.ts?<approval id>/<file index>`. Both sides have
 * the file's path, or the editor would show a rename. `before` and `after` belong to an applied change. `text` is the whole change of
 * an approval as one text.
 */
export type DiffSide = (typeof sides)[number];

const sides = ['base', 'proposal', 'before', 'after', 'text'] as const;

export interface DiffAddress {
  readonly side: DiffSide;
  readonly approvalId: string;
  readonly fileIndex: number;
}

/** Returns the left and right side of a file of an approval. */
export function diffUris({ id, files }: Approval, fileIndex: number): [vscode.Uri, vscode.Uri] {
  const path = files[fileIndex]?.path ?? '';
  return [uriOf('base', id, fileIndex, path), uriOf('proposal', id, fileIndex, path)];
}

/** Returns the sides of a file before and after an applied change. @param path the path that the editor shows */
export function appliedUris(changeId: string, fileIndex: number, path: string): [vscode.Uri, vscode.Uri] {
  return [uriOf('before', changeId, fileIndex, path), uriOf('after', changeId, fileIndex, path)];
}

/** Returns the address of the whole change of an approval as a text. @param title the name that its tab shows */
export function textUri({ id }: Approval, title: string): vscode.Uri {
  return uriOf('text', id, 0, `${title.replaceAll('/', '∕')}.diff`);
}

/** Returns the left side that belongs to a right side. */
export function baseOf({ scheme, path, query }: vscode.Uri): vscode.Uri {
  const authority: DiffSide = 'base';
  return vscode.Uri.from({ scheme, authority, path, query });
}

/** Parses an address of Drawbridge; returns undefined for any other address. */
export function parseDiffUri({ scheme, authority, query }: vscode.Uri): DiffAddress | undefined {
  const side = sides.find((each) => each === authority);
  if (scheme !== diffScheme || side === undefined) return undefined;
  const match = /^(?<id>[\w-]{1,100})\/(?<index>\d{1,6})$/.exec(query);
  const { id, index } = match?.groups ?? {};
  return id === undefined ? undefined : { side, approvalId: id, fileIndex: Number(index) };
}

function uriOf(authority: DiffSide, id: string, fileIndex: number, path: string): vscode.Uri {
  return vscode.Uri.from({ scheme: diffScheme, authority, path: `/${path}`, query: `${id}/${fileIndex}` });
}
