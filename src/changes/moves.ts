import type { ChangesProposal } from '#base/proposal.ts';

/** A file or folder got another address: both are URIs, or both paths. */
export interface Moved {
  readonly from: string;
  readonly to: string;
}

/** Where what was at an address is after these moves: by itself or along with its folder. */
export function addressAfter(address: string, moves: Iterable<Moved>): string {
  for (const { from, to } of moves) {
    if (address === from || (address.startsWith(from) && /^[/\\]/.test(address.slice(from.length)))) {
      return to + address.slice(from.length);
    }
  }
  return address;
}

/** Real paths of what a proposal moves. */
export function realMovesOf({ files }: Pick<ChangesProposal, 'files'>): readonly Moved[] {
  return files.flatMap((change) =>
    change.kind === 'move' ? [{ from: change.path.realPath, to: change.to.realPath }] : [],
  );
}
