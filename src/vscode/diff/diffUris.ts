import * as vscode from 'vscode';
import type { Approval } from '../../approvals/approval.ts';

/** Of both sides of every native diff of ours. */
export const diffScheme = 'drawbridge';

/**
 * Left and right side; the authority of the address: `drawbridge://base/src/a.ts?<approval id>/<file index>`. Both sides have
 * one path, or the editor would call the change a rename; it is the file's, because the editor shows it.
 */
export type DiffSide = 'base' | 'proposal';

export interface DiffAddress {
  readonly side: DiffSide;
  readonly approvalId: string;
  readonly fileIndex: number;
}

/** Left and right side of a file of an approval. */
export function diffUris({ id, files }: Approval, fileIndex: number): [vscode.Uri, vscode.Uri] {
  const path = `/${files[fileIndex]?.path ?? ''}`;
  const query = `${id}/${fileIndex}`;
  const uri = (authority: DiffSide): vscode.Uri => vscode.Uri.from({ scheme: diffScheme, authority, path, query });
  return [uri('base'), uri('proposal')];
}

/** The left side that belongs to a right side. */
export function baseOf({ scheme, path, query }: vscode.Uri): vscode.Uri {
  const authority: DiffSide = 'base';
  return vscode.Uri.from({ scheme, authority, path, query });
}

/** Which text an address of ours means; undefined for any other address. */
export function parseDiffUri({ scheme, authority, query }: vscode.Uri): DiffAddress | undefined {
  if (scheme !== diffScheme || (authority !== 'base' && authority !== 'proposal')) return undefined;
  const match = /^(?<id>[\w-]{1,100})\/(?<index>\d{1,6})$/.exec(query);
  const { id, index } = match?.groups ?? {};
  return id === undefined ? undefined : { side: authority, approvalId: id, fileIndex: Number(index) };
}
