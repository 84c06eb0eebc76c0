/** The hash that binds an approval to exactly what will be applied. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '#base/canonicalJson.ts';
import type { TreeFile } from '#base/files.ts';
import type { ActionProposal, FileChange, Proposal, QuestionProposal, TextState } from '#base/proposal.ts';

/**
 * Returns what an approval is bound to: SHA-256 (hex) over the tool and, for every file, its real path, its base and exactly what
 * would be written, deleted or moved (threat row A3); for an action its definition, arguments and paths; for a question its
 * words and choices. Anything else in a proposal is display.
 */
export function proposalHash(tool: string, proposal: Proposal): string {
  return hashWith(tool, proposal, digestOf);
}

/**
 * {@link proposalHash} with cached digests of texts, for each click of the user on a large change. Not for an apply, which hashes
 * every byte again.
 */
export function proposalHashOfKnown(tool: string, proposal: Proposal): string {
  return hashWith(tool, proposal, (state) => {
    const digest = known.get(state) ?? digestOf(state);
    known.set(state, digest);
    return digest;
  });
}

const known = new WeakMap<TextState, Digest>();

function hashWith(tool: string, proposal: Proposal, digest: DigestOf): string {
  if (proposal.kind !== 'changes') return sha256(JSON.stringify({ v: 2, tool, ...requested(proposal) }));
  const resources = proposal.files
    .map((change) => ({ realPath: change.path.realPath, operation: change.kind, ...digestOfChange(change, digest) }))
    .toSorted((a, b) => (a.realPath + a.operation < b.realPath + b.operation ? -1 : 1));
  return sha256(JSON.stringify({ v: 2, tool, kind: proposal.kind, resources }));
}

function requested(proposal: ActionProposal | QuestionProposal): object {
  if (proposal.kind === 'question') {
    const { kind, question, choices, allowsText } = proposal;
    return { kind, question, choices, allowsText };
  }
  const { kind, definition, places } = proposal;
  const args = canonicalJson(proposal.arguments);
  return { kind, definition, arguments: args, places: places.map(({ realPath }) => realPath) };
}

/** SHA-256 (hex) of a text as UTF-8. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

interface Digest {
  readonly sha256: string;
  readonly size: number;
  readonly encoding: string;
}
type DigestOf = (state: TextState) => Digest;

function digestOfChange(change: FileChange, digest: DigestOf): object {
  switch (change.kind) {
    case 'edit':
      return { base: { source: change.base.source, ...digest(change.base) }, result: digest(change.result) };
    case 'create':
      return { result: digest(change.result) };
    case 'delete':
      return { isFolder: change.isFolder, toTrash: change.toTrash, files: change.files.map(digestOfFile) };
    case 'move':
      // On a case-insensitive disk, a rename may change only the spelling of the name.
      return {
        to: change.to.realPath,
        spelling: change.to.fsPath,
        isFolder: change.isFolder,
        files: change.files.map(digestOfFile),
      };
    default:
      return change satisfies never;
  }
}

function digestOf({ text, encoding }: TextState): Digest {
  return { sha256: sha256(text), size: text.length, encoding };
}

function digestOfFile({ relative, sha256: bytes, size, mode, isLink }: TreeFile): object {
  return { relative, sha256: bytes, size, mode, isLink };
}
