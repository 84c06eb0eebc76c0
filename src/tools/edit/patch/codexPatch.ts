import { type FilePatch, type Hunk, PatchReader, readHunk } from './patchSyntax.ts';

const operations = '"*** Update File: ", "*** Add File: ", "*** Delete File: " or "*** End Patch"';

export const beginPatch = '*** Begin Patch';

/**
 * Reads a patch in the form that Codex writes. As in Codex, the first hunk of a file may lack its `@@`, and white space may
 * surround markers; unlike in Codex, a file may be moved without any hunk.
 * @throws InvalidArgumentsError that names the line of the patch and what was expected there
 */
export function parseCodex(patch: string): readonly FilePatch[] {
  const reader = new PatchReader(patch);
  while (reader.line !== undefined && reader.line.trim() !== beginPatch) reader.at += 1;
  reader.at += 1;
  const files: FilePatch[] = [];
  for (skipBlank(reader); reader.line?.trim() !== '*** End Patch'; skipBlank(reader)) files.push(readFile(reader));
  if (files.length === 0) throw reader.fail(operations.replace(' or "*** End Patch"', ''));
  reader.at += 1;
  for (skipBlank(reader); reader.line !== undefined; reader.at += 1) {
    // The end of a code fence or a here-document around the patch is harmless.
    if (!/^(```|EOF|PATCH|\s*$)/.test(reader.line)) throw reader.fail('nothing after "*** End Patch"');
  }
  return files;
}

function skipBlank(reader: PatchReader): void {
  while (reader.line !== undefined && reader.line.trim() === '') reader.at += 1;
}

function readFile(reader: PatchReader): FilePatch {
  const [, operation, name = ''] = /^\s*\*\*\* (Add|Delete|Update) File:(.*)$/.exec(reader.line ?? '') ?? [];
  if (operation === undefined) throw reader.fail(operations);
  const path = name.trim();
  if (path === '') throw reader.fail('the name of a file');
  reader.at += 1;
  if (operation === 'Add') return { kind: 'create', path, content: readContent(reader) };
  if (operation === 'Delete') return { kind: 'delete', path, hunks: [] };
  const to = /^\s*\*\*\* Move to:(.*)$/.exec(reader.line ?? '')?.[1]?.trim();
  if (to === '') throw reader.fail('the new name of the file');
  if (to !== undefined) reader.at += 1;
  const hunks = readUpdate(reader);
  if (hunks.length === 0 && to === undefined)
    throw reader.fail(`"@@" and the changed lines of ${JSON.stringify(path)}`);
  return { kind: 'edit', path, to, hunks };
}

function readContent(reader: PatchReader): string {
  let content = '';
  for (; reader.line?.startsWith('+') === true; reader.at += 1) content += `${reader.line.slice(1)}\n`;
  return content;
}

function readUpdate(reader: PatchReader): readonly Hunk[] {
  const hunks: Hunk[] = [];
  for (skipEmpty(reader); beginsHunk(reader.line, hunks.length === 0); skipEmpty(reader)) {
    const hunk = readHunk(reader, () => false);
    const atEnd = reader.line?.trim() === '*** End of File';
    if (atEnd) reader.at += 1;
    hunks.push({ ...hunk, atEnd });
  }
  return hunks;
}

function skipEmpty(reader: PatchReader): void {
  while (reader.line === '') reader.at += 1;
}

function beginsHunk(line: string | undefined, isFirst: boolean): boolean {
  return line?.startsWith('@@') === true || (isFirst && /^[ +-](?!\s*\*\*\* )/.test(line ?? ''));
}
