/** Decides which events of an assistant's hooks belong to one call. */
import { type NativeAnswer, type NativeCall, pathsOf } from '#base/nativeEdit.ts';

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
