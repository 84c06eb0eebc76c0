import type { Mode } from './rules.ts';
import type { Subject } from './subject.ts';

export interface Default {
  readonly effect: 'allow' | 'ask' | 'deny';
  readonly reason: string;
}

/** What people call a mode. */
export const modeNames: Readonly<Record<Mode, string>> = {
  manual: 'Manual',
  acceptEdits: 'Accept edits',
  readOnly: 'Read-only',
  unattended: 'Unattended',
};

/** What no rule decided, by mode and risk (docs/security.md, "Modes"). Nothing here allows what counts once only. */
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

/** No move and no emptied file, of which nobody asked what version control could bring back. */
function onlyDeletes({ targets, recoverable }: Subject): boolean {
  return recoverable && targets.every(({ class: kind }) => kind === 'delete');
}
