import type { AppliedChange } from '#changes/changes.ts';

/** A change of one line of a file in `/w`. */
export function changeOf(id: string, path: string): AppliedChange {
  const file = { index: 0, change: 'edit', path, uri: `file:///w/${path}`, addedLines: 1, removedLines: 1 } as const;
  return {
    id,
    tool: 'apply_edit',
    principal: { credential: 'window' },
    client: undefined,
    appliedAt: Date.UTC(2026, 10, 21),
    state: 'applied',
    canRevert: true,
    files: [file],
  };
}
