/** Patches in the form that Codex reads, from `*** Begin Patch` to `*** End Patch`. */
import { isAbsolute, resolve } from 'node:path';
import type { ApprovedFile } from '#base/nativeEdit.ts';
import { exactReplacement } from './exactReplacement.ts';

/**
 * Returns the absolute paths in the headers of a patch, each once. As in Codex, blanks around a header do not count.
 * @throws Error when there is none, or a name begins with a blank, which assistants read in different ways
 */
export function pathsInPatch(folder: string, patch: string): readonly string[] {
  const headers = patch.split('\n').flatMap((line) => header.exec(line)?.[1] ?? []);
  const names = headers.map((name) => name.trim()).filter((name) => name !== '');
  if (names.length === 0) throw new Error('The patch names no file.');
  if (headers.some((name) => /^ {2}|^ ?(?! )[\s\u0085]/.test(name.trimEnd()))) {
    throw new Error('The name of a file begins with a blank.');
  }
  return [...new Set(names.map((name) => (isAbsolute(name) ? name : resolve(folder, name))))];
}

/** Lines end with LF alone. U+0085 is a blank for Codex, though not for JavaScript. */
const header = /^[\s\u0085]*\*\*\* (?:(?:Add|Update|Delete) File|Move to):([^]*)$/;

/**
 * Returns the patch with which Codex writes exactly the approved texts; undefined when there is none. Codex takes the first place
 * where all old lines stand as they are, before it looks for similar ones; it gives new lines the first line end of the file, and
 * ends the last line. There is no patch for a move, because Codex loses the mode of the file, and deletes the file when only the
 * spelling of its name changes. There is none for a deletion, which the card shows as a move to the trash.
 */
export function exactPatch(files: readonly ApprovedFile[]): string | undefined {
  const sections = files.map(sectionOf);
  if (sections.length === 0 || sections.some((section) => section === undefined)) return undefined;
  return ['*** Begin Patch', ...sections, '*** End Patch'].join('\n');
}

function sectionOf({ path, change, movedTo, texts }: ApprovedFile): string | undefined {
  if (change === 'delete' || movedTo !== undefined) return undefined;
  if (change === 'create') return addition(path, texts.after);
  // An addition replaces the whole text of a file that exists, and its lines end with LF.
  return update(path, texts) ?? addition(path, texts.after);
}

function addition(path: string, text: string): string | undefined {
  const lines = linesOf(text, '\n');
  return lines && [`*** Add File: ${path}`, ...lines.map((line) => `+${line}`)].join('\n');
}

/** Returns a section that removes every old line, because Codex could read a line of context as the marker of another section. */
function update(path: string, { before, after }: ApprovedFile['texts']): string | undefined {
  const lineEnd = before.includes('\r\n') ? '\r\n' : '\n';
  const old = linesOf(before, lineEnd);
  const wanted = linesOf(after, lineEnd);
  if (old === undefined || wanted === undefined || old.length + wanted.length === 0) return undefined;
  const { removed, added } = before.length <= wholeLength ? { removed: old, added: wanted } : part(old, wanted);
  const changes = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  return [`*** Update File: ${path}`, '@@', ...changes].join('\n');
}

/** Up to this length, the whole text before is named, so that Codex refuses the patch for a file that has changed since. */
const wholeLength = 1024 * 1024;

interface ChangedLines {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Returns the changed lines, with so many others that they stand in one place only. */
function part(old: readonly string[], wanted: readonly string[]): ChangedLines {
  const before = `${old.join('\n')}\n`;
  const { oldText, newText } = exactReplacement(before, wanted.map((line) => `${line}\n`).join(''));
  // Only at the end of the file does the text to replace include the last line end.
  const cut = before.endsWith(oldText) ? -1 : undefined;
  const lines = (text: string): readonly string[] => (text === '' ? [] : text.slice(0, cut).split('\n'));
  return { removed: lines(oldText), added: lines(newText) };
}

/** Returns the lines of a text; undefined unless each of them, the last one included, ends in this way. */
function linesOf(text: string, lineEnd: string): readonly string[] | undefined {
  if (text === '') return [];
  if (!text.endsWith(lineEnd)) return undefined;
  const lines = text.slice(0, -lineEnd.length).split(lineEnd);
  return lines.some((line) => /[\r\n]/.test(line)) ? undefined : lines;
}
