/** Maps addresses through the moves of a change. */
import type { ChangesProposal } from '#base/proposal.ts';

/** The old and the new address of a moved file or folder: both are URIs, or both are paths. */
export interface Moved {
  readonly from: string;
  readonly to: string;
}

/** Returns the address after these moves, of an entry that moved itself or with its folder. */
export function addressAfter(address: string, moves: Iterable<Moved>): string {
  for (const { from, to } of moves) {
    if (address === from || (address.startsWith(from) && /^[/\\]/.test(address.slice(from.length)))) {
      return to + address.slice(from.length);
    }
  }
  return address;
}

/** Returns the real paths of a proposal's moves. */
export function realMovesOf({ files }: Pick<ChangesProposal, 'files'>): readonly Moved[] {
  return files.flatMap((change) =>
    change.kind === 'move' ? [{ from: change.path.realPath, to: change.to.realPath }] : [],
  );
}
