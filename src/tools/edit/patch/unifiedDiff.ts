import { type FilePatch, type Hunk, isSignature, PatchReader, readHunks } from './patchSyntax.ts';

/** One file of a unified diff with its names as written; undefined for `/dev/null` and for missing names. */
interface Section {
  /** Index of its first line. */
  readonly start: number;
  oldName?: string | undefined;
  newName?: string | undefined;
  renameFrom?: string;
  renameTo?: string;
  /** Set by `new file mode` or `--- /dev/null`. */
  creates: boolean;
  /** Set by `deleted file mode` or `+++ /dev/null`. */
  deletes: boolean;
  hunks: readonly Hunk[];
}

/**
 * Reads a unified diff, plain or from git.
 *
 * `parsePatch` of the package `diff` is no replacement: it throws when the counts of a hunk header are wrong, the most
 * common fault of patches by models; it silently skips unknown lines, so that half a hunk could be lost; it reads
 * `@@ ... @@` as line NaN; and its errors about a file name no line of the patch.
 * @throws InvalidArgumentsError that names the line of the patch and what was expected there
 */
export function parseUnified(patch: string): readonly FilePatch[] {
  const reader = new PatchReader(patch);
  // Text before the patch is skipped, such as a mail header or a sentence of the model.
  while (reader.line !== undefined && !beginsSection(reader.lines, reader.at)) {
    if (reader.line.startsWith('@@ ')) throw reader.fail('"--- a/file" and "+++ b/file" before the first hunk');
    reader.at += 1;
  }
  const sections: Section[] = [];
  for (skipBetween(reader); reader.line !== undefined; skipBetween(reader)) sections.push(readSection(reader));
  if (sections.length === 0) {
    throw reader.fail('a unified diff ("--- a/file", "+++ b/file", "@@ ... @@") or "*** Begin Patch"', 0);
  }
  const isPrefixed = !sections.some(({ oldName, newName }) => oldName !== undefined && oldName === newName);
  return sections.map((section) => toFilePatch(reader, section, isPrefixed));
}

const sectionLine = /^(diff |Index: |={10}|rename (from|to) |new file mode |deleted file mode |(old|new) mode )/;

function beginsSection(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? '';
  return isFileHeader(lines, index) || sectionLine.test(line) || isBinary(line);
}

function isFileHeader(lines: readonly string[], index: number): boolean {
  return lines[index]?.startsWith('--- ') === true && lines[index + 1]?.startsWith('+++ ') === true;
}

function isBinary(line: string): boolean {
  return line === 'GIT binary patch' || /^Binary files .* differ$/.test(line);
}

/** Skips blank lines and a code fence around the patch, and everything below the signature of git. */
function skipBetween(reader: PatchReader): void {
  while (reader.line === '' || reader.line?.startsWith('```') === true) reader.at += 1;
  if (isSignature(reader.lines, reader.at)) reader.at = reader.lines.length;
}

function readSection(reader: PatchReader): Section {
  const section: Section = { start: reader.at, creates: false, deletes: false, hunks: [] };
  while (reader.line !== undefined && !isFileHeader(reader.lines, reader.at)) {
    const isNext = reader.line.startsWith('diff ') && reader.at > section.start;
    if (isNext || !readExtendedHeader(reader, section, reader.line)) break;
    reader.at += 1;
  }
  if (isFileHeader(reader.lines, reader.at)) readNames(reader, section);
  section.hunks = readHunks(
    reader,
    (index) => sectionLine.test(reader.lines[index] ?? '') || beginsFile(reader.lines, index),
  );
  if (reader.at === section.start) {
    throw reader.fail('"@@", a line of the hunk (beginning with a space, "-" or "+") or the next "--- a/file"');
  }
  return section;
}

/** Returns true at the header of a file: a removed line may look like `--- name`, but no `+++` and hunk follow it. */
function beginsFile(lines: readonly string[], index: number): boolean {
  return isFileHeader(lines, index) && lines[index + 2]?.startsWith('@@') === true;
}

/** Reads one header line above `---`; returns false when the line is not one. */
function readExtendedHeader(reader: PatchReader, section: Section, line: string): boolean {
  const [, word = '', value = ''] =
    /^(diff --git|rename from|rename to|copy from|copy to|new file mode|deleted file mode|old mode|new mode|index) (.*)$/.exec(
      line,
    ) ?? [];
  if (isBinary(line)) throw reader.refuse('binary patches cannot be applied; only text files are changed');
  if (word.startsWith('copy')) throw reader.refuse('copies cannot be applied; create the file with all its lines');
  if (word === 'old mode' || word === 'new mode') {
    throw reader.refuse('file modes are never changed; leave the "old mode" and "new mode" lines out');
  }
  if (word === 'diff --git') [section.oldName, section.newName] = gitNames(value);
  if (word === 'rename from') section.renameFrom = unquoted(value);
  if (word === 'rename to') section.renameTo = unquoted(value);
  if (word === 'new file mode') section.creates = true;
  if (word === 'deleted file mode') section.deletes = true;
  const mode = /(?:^|\s)(\d{6})$/.exec(word.endsWith('mode') || word === 'index' ? value : '')?.[1];
  if (mode !== undefined) refuseMode(reader, mode, section.creates);
  return word !== '' || /^(diff |Index: |={10}|(dis)?similarity index )/.test(line);
}

function refuseMode(reader: PatchReader, mode: string, creates: boolean): void {
  if (mode === '120000') throw reader.refuse('symbolic links (mode 120000) are neither made nor changed');
  if (mode === '160000') throw reader.refuse('submodules (mode 160000) cannot be changed');
  if (mode === '100755' && creates) {
    throw reader.refuse('executable files (mode 100755) are not created; use "new file mode 100644"');
  }
  if (mode !== '100644' && mode !== '100755') throw reader.refuse(`mode ${mode} is not that of a text file`);
}

function readNames(reader: PatchReader, section: Section): void {
  const [oldName, newName] = [fileName(reader.line ?? ''), fileName(reader.lines[reader.at + 1] ?? '')];
  if (oldName === '' || newName === '' || (oldName === nowhere && newName === nowhere)) {
    throw reader.fail('the name of a file after "---" or "+++"');
  }
  section.creates ||= oldName === nowhere;
  section.deletes ||= newName === nowhere;
  section.oldName = oldName === nowhere ? undefined : oldName;
  section.newName = newName === nowhere ? undefined : newName;
  reader.at += 2;
  if (reader.line?.startsWith('@@') !== true) throw reader.fail('a hunk that begins with "@@"');
}

function toFilePatch(reader: PatchReader, section: Section, isPrefixed: boolean): FilePatch {
  const { creates, deletes, hunks, start } = section;
  const path = pathOf(reader, section, isPrefixed);
  if (creates && deletes) throw reader.refuse('one file cannot be created and deleted at once', start);
  if (creates) return { kind: 'create', path, content: contentOf(reader, hunks) };
  if (deletes) return { kind: 'delete', path, hunks };
  const to = section.renameTo;
  if (to === undefined && hunks.length === 0) {
    throw reader.refuse(
      `the patch has no change for ${JSON.stringify(path)}; "---", "+++" and "@@" are missing`,
      start,
    );
  }
  return { kind: 'edit', path, to, hunks };
}

function pathOf(reader: PatchReader, section: Section, isPrefixed: boolean): string {
  const { oldName, newName, renameFrom, renameTo, start } = section;
  if ((renameFrom === undefined) !== (renameTo === undefined)) {
    throw reader.refuse('"rename from" and "rename to" go together', start);
  }
  const [oldPath, newPath] = plainNames(oldName, newName, isPrefixed);
  if (renameFrom !== undefined) {
    if ((oldPath ?? renameFrom) === renameFrom && (newPath ?? renameTo) === renameTo) return renameFrom;
    throw reader.refuse('"---" and "+++" name other files than "rename from" and "rename to"', start);
  }
  const path = oldPath ?? newPath;
  if (path === undefined)
    throw reader.refuse('the name of the file is missing; add "--- a/file" and "+++ b/file"', start);
  if (oldPath === undefined || newPath === undefined || oldPath === newPath) return path;
  throw reader.refuse(
    `"---" names ${JSON.stringify(oldPath)} and "+++" names ${JSON.stringify(newPath)}; to rename, add "rename from" and "rename to" lines`,
    start,
  );
}

function contentOf(reader: PatchReader, hunks: readonly Hunk[]): string {
  const wrong = hunks.find(({ lines }) => lines.some(({ kind }) => kind !== 'added'));
  if (wrong !== undefined) {
    throw reader.refuse('every line of a file that is created begins with "+"', wrong.patchLine - 1);
  }
  const lines = hunks.flatMap((hunk) => hunk.lines.map(({ text }) => text));
  if (lines.length === 0) return '';
  return lines.join('\n') + (hunks.at(-1)?.newUnterminated === true ? '' : '\n');
}

/** Longer texts are not unquoted; the check of addresses refuses them. */
const maximumQuoted = 20_000;

/** The name that diffs give the missing side of a created or deleted file. */
const nowhere = '/dev/null';

/** Returns the name in a `---` or `+++` line, without the time after it. */
function fileName(line: string): string {
  const time = line.search(/\t| \d{4}-\d\d-\d\d \d\d:\d\d/);
  return unquoted(line.slice(4, time < 0 ? undefined : time).trim());
}

/** Returns both names of a `diff --git` line when they differ only in prefixes; renames have lines of their own. */
function gitNames(names: string): [string, string] | [] {
  if (names.length > 2 * maximumQuoted) return [];
  const quoted = /^("(?:[^"\\]|\\.)*"|[^" ]+) ("(?:[^"\\]|\\.)*"|[^" ]+)$/.exec(names);
  const middle = (names.length - 1) / 2;
  const [left, right] = quoted === null ? [names.slice(0, middle), names.slice(middle + 1)] : quoted.slice(1);
  if (left === undefined || right === undefined || without('a', unquoted(left)) !== without('b', unquoted(right)))
    return [];
  return [unquoted(left), unquoted(right)];
}

const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Unquotes a name of git, which has escapes as in C and octal bytes of UTF-8; returns other names unchanged. */
function unquoted(name: string): string {
  if (name.length > maximumQuoted) return name;
  const inner = /^"((?:[^"\\]|\\.)*)"$/.exec(name)?.[1];
  if (inner === undefined) return name;
  return inner.replace(/(?:\\[0-3][0-7]{2})+|\\(.)/g, (octal, letter: string | undefined) =>
    letter === undefined
      ? Buffer.from(
          octal
            .slice(1)
            .split('\\')
            .map((digits: string) => Number.parseInt(digits, 8)),
        ).toString('utf8')
      : (escapes[letter] ?? letter),
  );
}

/** Removes the prefixes of git from both names. A lone name is taken as prefixed unless other files of the patch are not. */
function plainNames(
  oldName: string | undefined,
  newName: string | undefined,
  isPrefixed: boolean,
): [string | undefined, string | undefined] {
  if (oldName !== undefined && newName !== undefined && oldName === newName) return [oldName, newName];
  if (!isPrefixed && (oldName === undefined || newName === undefined)) return [oldName, newName];
  return [oldName && without('a', oldName), newName && without('b', newName)];
}

function without(prefix: 'a' | 'b', name: string): string {
  return name.startsWith(`${prefix}/`) ? name.slice(2) : name;
}
