/** Tells whose call an event of an assistant's hooks is, and which events belong to one call. */
import { createHash } from 'node:crypto';
import { type NativeAnswer, type NativeCall, type NativeCaller, pathsOf } from '#base/nativeEdit.ts';
import type { Principal } from '#base/principal.ts';

/** Returns the identity that an assistant claims for its session. Nothing but its own cards depends on it. */
export function principalOf({ assistant, session }: Pick<NativeCaller, 'assistant' | 'session'>): Principal {
  const digest = createHash('sha256')
    .update(JSON.stringify([assistant, session]))
    .digest('hex');
  return { credential: 'window', connectionId: `native:${digest}` };
}

/** Returns whether two events belong to one call. Without an id, two events belong together when they name the same files. */
export function isSameCall(one: NativeCall, other: NativeCall): boolean {
  if (one.call !== undefined && other.call !== undefined) return one.call === other.call;
  return namesOf(one.edits.flatMap(pathsOf)) === namesOf(other.edits.flatMap(pathsOf));
}

/**
 * Returns whether a question is about a call with this answer. One without an id may also name exactly the files that were approved,
 * because Codex asks about the patch that the answer contained.
 */
export function isAbout(question: NativeCall, call: NativeCall, answer: NativeAnswer | undefined): boolean {
  if (isSameCall(question, call)) return true;
  if (question.call !== undefined || answer?.decision !== 'allow' || answer.files.length === 0) return false;
  const approved = answer.files.flatMap(({ path, movedTo }) => (movedTo === undefined ? [path] : [path, movedTo]));
  return namesOf(approved) === namesOf(question.edits.flatMap(pathsOf));
}

function namesOf(paths: readonly string[]): string {
  return JSON.stringify(paths.toSorted());
}
