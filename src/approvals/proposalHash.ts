import { createHash } from 'node:crypto';
import type { FileChange, Proposal, TextState } from '../ports/proposal.ts';

/**
 * What an approval is bound to: SHA-256 (hex) over the tool and, for every file, its real path, its base and exactly the
 * text and encoding that would be written (approval-and-security.md 3.6). Anything else in a proposal is display.
 */
export function proposalHash(tool: string, proposal: Proposal): string {
  const resources = proposal.files.map(resourceOf).toSorted((a, b) => (a.realPath < b.realPath ? -1 : 1));
  return sha256(JSON.stringify({ v: 1, tool, kind: proposal.kind, resources }));
}

/** SHA-256 (hex) of a text as UTF-8. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function resourceOf(change: FileChange): { realPath: string; [field: string]: unknown } {
  return {
    realPath: change.path.realPath,
    operation: change.kind,
    base: { source: change.base.source, ...digestOf(change.base) },
    result: digestOf(change.result),
  };
}

function digestOf({ text, encoding }: TextState): { sha256: string; size: number; encoding: string } {
  return { sha256: sha256(text), size: text.length, encoding };
}
