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

/** The editor's own classes, as they are inside: what its API shows of them leaves out all but the texts. */
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

/** A part of a file that gets another text. */
interface RangeEdit {
  readonly uri: vscode.Uri;
  readonly range: z.infer<typeof range>;
  readonly newText: string;
}

/**
 * An edit of the editor's as data. Texts outside the workspace are not read.
 * @throws ToolError `unavailable` when it changes notebooks, or cannot be understood as a whole
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

/** Parts of files by their offsets, in the order in which they came. */
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
  if (from === undefined) throw new Error('An edit of a file names none');
  const ifMissing = how.ignoreIfNotExists === true ? 'ignore' : 'fail';
  return { kind: 'delete', address: addressOf(from), isRecursive: how.recursive === true, ifMissing };
}

/** What the editor passes on of the text that a file is to be created with cannot be read. */
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

/** What positions in a file are meant for, which may be there only after the file operations of the same edit. */
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

/** Lines end where the editor ends them; what is beyond an end is at it. */
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

/** The text that a snippet leaves when nobody fills it in: of placeholders their default, of choices the first. */
export function textOfSnippet(snippet: string): string {
  let text = snippet;
  for (const [character, stand] of Object.entries(escaped)) text = text.replaceAll(`\\${character}`, stand);
  for (let before; before !== text;) {
    before = text;
    // The innermost first: defaults may have placeholders in them.
    text = text
      .replaceAll(/\$\{\w+:((?:[^$}]|\$(?!\{))*)\}/g, '$1')
      .replaceAll(/\$\{\d+\|([^,|}]*)[^}]*\}/g, '$1')
      .replaceAll(/\$\{\w+(?:\/[^{}]*)?\}|\$\w+/g, '');
  }
  for (const [character, stand] of Object.entries(escaped)) text = text.replaceAll(stand, () => character);
  return text;
}
