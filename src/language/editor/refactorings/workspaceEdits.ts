import type * as vscode from 'vscode';
import * as z from 'zod';
import { ToolError } from '#base/toolError.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { foundFile } from '#files/editor/foundFile.ts';
import type { LanguageEdits, ResourceEdit, TextEdit } from '../../refactorings.ts';
import { currentText } from '../currentText.ts';

const address = z.custom<vscode.Uri>(
  (value) => z.looseObject({ scheme: z.string(), fsPath: z.string() }).safeParse(value).success,
);
const position = z.object({ line: z.int().min(0), character: z.int().min(0) });
const range = z.object({ start: position, end: position });
const options = z
  .looseObject({
    overwrite: z.boolean().optional(),
    ignoreIfExists: z.boolean().optional(),
    ignoreIfNotExists: z.boolean().optional(),
    recursive: z.boolean().optional(),
    contents: z.unknown(),
  })
  .partial()
  .optional();

/** The internal entries of the editor's `WorkspaceEdit`; its public API returns only the text edits. */
const entries = z.array(
  z.union([
    z
      .object({ _type: z.literal(1), from: address.optional(), to: address.optional(), options })
      .transform(({ from, to, options: how }) => ({ resource: { from, to, options: how } })),
    z
      .object({ _type: z.literal(2), uri: address, edit: z.object({ range, newText: z.string().nullish() }) })
      .transform(({ uri, edit }) => ({ text: { uri, range: edit.range, newText: edit.newText ?? '' } })),
    z
      .object({ _type: z.literal(6), uri: address, range, edit: z.object({ value: z.string() }) })
      .transform(({ uri, range: place, edit }) => ({
        text: { uri, range: place, newText: textOfSnippet(edit.value) },
      })),
  ]),
);

type Position = z.infer<typeof position>;
type FileEntry = Extract<z.infer<typeof entries>[number], { resource: unknown }>['resource'];

/** The replacement of a range of a file. */
interface RangeEdit {
  readonly uri: vscode.Uri;
  readonly range: z.infer<typeof range>;
  readonly newText: string;
}

/**
 * Converts a `WorkspaceEdit` to data. Does not read files outside the workspace.
 * @throws ToolError `unavailable` when the edit changes notebooks or has an unknown entry
 */
export async function languageEditsOf(
  edit: vscode.WorkspaceEdit,
  folders: readonly WorkspaceFolder[],
): Promise<LanguageEdits> {
  const found = entriesOf(edit);
  const resources = found.flatMap((entry) => ('resource' in entry ? [resourceEdit(entry.resource)] : []));
  const ranges = found.flatMap((entry) => ('text' in entry ? [entry.text] : []));
  return { texts: await textEditsOf(ranges, folders, resources), resources };
}

/** Converts range edits to edits by offset, in the order given. */
export async function textEditsOf(
  edits: readonly RangeEdit[],
  folders: readonly WorkspaceFolder[],
  resources: readonly ResourceEdit[] = [],
): Promise<readonly TextEdit[]> {
  const files = Map.groupBy(edits, ({ uri }) => addressOf(uri));
  const found = await Promise.all(
    [...files].map(async ([place, own]) => {
      const isInside = own[0] !== undefined && foundFile(own[0].uri, folders) !== undefined;
      const offsetAt = offsetsIn(isInside ? await textBefore(place, resources) : '');
      return own.map(({ range: { start, end }, newText }) => {
        const offset = offsetAt(start);
        return { address: place, offset, length: Math.max(0, offsetAt(end) - offset), newText };
      });
    }),
  );
  return found.flat();
}

function entriesOf(edit: vscode.WorkspaceEdit): z.infer<typeof entries> {
  const all: unknown = Reflect.get(edit, '_allEntries');
  const parsed = typeof all === 'function' ? entries.safeParse(Reflect.apply(all, edit, [])) : undefined;
  if (parsed?.success === true) return parsed.data;
  throw notUnderstood('something other than text files, such as a notebook');
}

function resourceEdit({ from, to, options: how = {} }: FileEntry): ResourceEdit {
  const ifExists = how.overwrite === true ? 'overwrite' : how.ignoreIfExists === true ? 'ignore' : 'fail';
  if (from !== undefined && to !== undefined) {
    return { kind: 'rename', address: addressOf(from), to: addressOf(to), ifExists };
  }
  if (to !== undefined) {
    refuseContents(how.contents);
    return { kind: 'create', address: addressOf(to), ifExists };
  }
  if (from === undefined) throw new Error('A file operation of the workspace edit names no file');
  const ifMissing = how.ignoreIfNotExists === true ? 'ignore' : 'fail';
  return { kind: 'delete', address: addressOf(from), isRecursive: how.recursive === true, ifMissing };
}

/** Refuses a file creation with a text, since the editor does not let extensions read that text. */
function refuseContents(contents: unknown): void {
  if (contents !== undefined) throw notUnderstood('a file that is created with a text');
}

function notUnderstood(what: string): ToolError {
  return new ToolError(
    'unavailable',
    `The language service wants to change ${what}, which cannot be shown to the user beforehand; nothing was changed.`,
    'Make the change with apply_edit, or ask the user to make it in the editor.',
  );
}

function addressOf(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.toString();
}

/**
 * Returns the text to which the positions of an edit refer; the file may exist only after the file operations of the same edit.
 */
async function textBefore(place: string, resources: readonly ResourceEdit[]): Promise<string> {
  if (resources.some((one) => one.kind === 'create' && one.address === place && one.ifExists === 'overwrite'))
    return '';
  const now = await currentText(place);
  if (now !== undefined) return now.text;
  for (const resource of resources) {
    if (resource.kind !== 'rename') continue;
    if (place !== resource.to && !place.startsWith(`${resource.to}/`)) continue;
    return (await currentText(resource.address + place.slice(resource.to.length)))?.text ?? '';
  }
  return '';
}

/** Converts positions to offsets with the editor's line ends. A position beyond an end means that end. */
function offsetsIn(text: string): (at: Position) => number {
  const lines: { readonly start: number; readonly length: number }[] = [];
  let start = 0;
  for (const { index, 0: lineEnd } of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ start, length: index - start });
    start = index + lineEnd.length;
  }
  lines.push({ start, length: text.length - start });
  return ({ line, character }) => {
    const found = lines[line];
    return found === undefined ? text.length : found.start + Math.min(character, found.length);
  };
}

const escaped = { $: '\uE000', '}': '\uE001', '\\': '\uE002', '|': '\uE003', ',': '\uE004' } as const;

/** Returns the text of a snippet that is not filled in: the default of each placeholder and the first of each choice. */
export function textOfSnippet(snippet: string): string {
  let text = snippet;
  for (const [character, stand] of Object.entries(escaped)) text = text.replaceAll(`\\${character}`, stand);
  for (let before; before !== text;) {
    before = text;
    // Replace the innermost placeholders first, since defaults may contain placeholders.
    text = text
      .replaceAll(/\$\{\w+:((?:[^$}]|\$(?!\{))*)\}/g, '$1')
      .replaceAll(/\$\{\d+\|([^,|}]*)[^}]*\}/g, '$1')
      .replaceAll(/\$\{\w+(?:\/[^{}]*)?\}|\$\w+/g, '');
  }
  for (const [character, stand] of Object.entries(escaped)) text = text.replaceAll(stand, () => character);
  return text;
}
