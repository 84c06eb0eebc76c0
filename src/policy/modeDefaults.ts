import type { Mode } from './rules.ts';
import type { Subject } from './subject.ts';

export interface Default {
  readonly effect: 'allow' | 'ask' | 'deny';
  readonly reason: string;
}

/** The names of the modes in the UI. */
export const modeNames: Readonly<Record<Mode, string>> = {
  manual: 'Manual',
  acceptEdits: 'Accept edits',
  readOnly: 'Read-only',
  unattended: 'Unattended',
};

/** Decides by mode and risk when no rule did (docs/security.md, "Modes"). It never allows a change that is answered once only. */
export function modeDefault(mode: Mode, subject: Subject): Default {
  const { risk } = subject;
  if (risk === 'read' || risk === 'ui') return { effect: 'allow', reason: `default for ${risk} inside the workspace` };
  const reason = `default for ${risk} in ${modeNames[mode]} mode`;
  if (mode === 'readOnly') return { effect: 'deny', reason };
  const pattern = subject.protectedBy.find((each) => each !== undefined);
  if (pattern !== undefined) return { effect: 'ask', reason: `protected path ${pattern}` };
  if (mode === 'manual' || subject.onceOnly !== undefined) return { effect: 'ask', reason };
  if (risk === 'edit') return { effect: 'allow', reason };
  const isRecoverable = risk === 'delete' && subject.deletedFiles > 0 && onlyDeletes(subject);
  return { effect: mode === 'unattended' && isRecoverable ? 'allow' : 'ask', reason };
}

/** Returns true when a proposal only deletes files that a commit holds; for moves and emptied files this is unknown. */
function onlyDeletes({ targets, recoverable }: Subject): boolean {
  return recoverable && targets.every(({ class: kind }) => kind === 'delete');
}
