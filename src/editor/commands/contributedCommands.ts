import * as vscode from 'vscode';
import * as z from 'zod';
import type { EditorCommand } from '#call/ports/commands.ts';

interface ContributedCommand extends EditorCommand {
  /** Says whether the command palette hides the command. */
  readonly isHidden: boolean;
}

/** VS Code replaces a text by its translation, or leaves the key of one. */
const text = z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]);
const command = z.object({ command: z.string(), title: text.exactOptional(), category: text.exactOptional() });
const keybinding = z.object({
  command: z.string(),
  key: z.string().exactOptional(),
  mac: z.string().exactOptional(),
  linux: z.string().exactOptional(),
  win: z.string().exactOptional(),
});
const menuEntry = z.object({ command: z.string(), when: z.string().exactOptional() });

/** The commands in the manifests of extensions, read again when extensions are added or removed. */
export class ContributedCommands {
  #known: Promise<ReadonlyMap<string, ContributedCommand>> | undefined;
  readonly #subscription = vscode.extensions.onDidChange(() => (this.#known = undefined));

  /** By id. */
  current(): Promise<ReadonlyMap<string, ContributedCommand>> {
    this.#known ??= Promise.all(vscode.extensions.all.map(commandsOf)).then(
      (commands) => new Map(commands.flat().map((each) => [each.id, each])),
    );
    return this.#known;
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

/** Manifests come from any author, so each entry of the wrong form is left out by itself. */
async function commandsOf({
  id: extension,
  packageJSON,
  extensionUri,
}: vscode.Extension<unknown>): Promise<readonly ContributedCommand[]> {
  const manifest: unknown = packageJSON;
  const contributes = fieldOf(manifest, 'contributes');
  const found = entries(fieldOf(contributes, 'commands'), command);
  if (found.length === 0) return [];
  const words = found.some(({ title, category }) => isKey(title) || isKey(category))
    ? await wordsOf(extensionUri)
    : new Map<string, string>();
  const hidden = new Set(
    entries(fieldOf(fieldOf(contributes, 'menus'), 'commandPalette'), menuEntry)
      .filter(({ when }) => when?.trim() === 'false')
      .map((entry) => entry.command),
  );
  const keys = new Map(
    entries(fieldOf(contributes, 'keybindings'), keybinding)
      .toReversed()
      .map((each) => [each.command, keyHere(each)]),
  );
  return found.map(({ command: id, title, category }) => {
    const [name, group, key] = [worded(title, words), worded(category, words), keys.get(id)];
    return {
      id,
      ...(name !== undefined && { title: name }),
      ...(group !== undefined && { category: group }),
      ...(key !== undefined && { keybinding: key }),
      ...(!isBuiltin(manifest) && { extension }),
      isHidden: hidden.has(id),
    };
  });
}

/** The value of `keybindings` may be one entry without a list. */
function entries<Entry>(value: unknown, entry: z.ZodType<Entry>): readonly Entry[] {
  return (Array.isArray(value) ? value : [value]).flatMap((each) => {
    const parsed = entry.safeParse(each);
    return parsed.success ? [parsed.data] : [];
  });
}

function fieldOf(value: unknown, name: string): unknown {
  const fields = z.record(z.string(), z.unknown()).safeParse(value);
  return fields.success && Object.hasOwn(fields.data, name) ? fields.data[name] : undefined;
}

/** Says whether the extension is part of the editor. */
function isBuiltin(manifest: unknown): boolean {
  return fieldOf(manifest, 'isBuiltin') === true;
}

function keyHere({ key, mac, linux, win }: z.infer<typeof keybinding>): string | undefined {
  const own = new Map<string, string | undefined>([
    ['darwin', mac],
    ['linux', linux],
    ['win32', win],
  ]);
  return own.get(process.platform) ?? key;
}

function isKey(value: string | undefined): boolean {
  return value !== undefined && /^%[^%]+%$/.test(value);
}

/** Returns the text; undefined for a key without a translation. */
function worded(value: string | undefined, words: ReadonlyMap<string, string>): string | undefined {
  return value !== undefined && isKey(value) ? words.get(value.slice(1, -1)) : value;
}

/** Reads the texts of `package.nls.json`, by key. */
async function wordsOf(extension: vscode.Uri): Promise<ReadonlyMap<string, string>> {
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension, 'package.nls.json'));
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const texts = z.record(z.string(), z.unknown()).parse(parsed);
    return new Map(
      Object.entries(texts).flatMap(([key, value]) => {
        const word = z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]);
        const known = word.safeParse(value);
        return known.success ? [[key, known.data] as const] : [];
      }),
    );
  } catch {
    // Without the file the command has no title.
    return new Map();
  }
}
