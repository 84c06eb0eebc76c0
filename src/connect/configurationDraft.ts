import * as z from 'zod';
import type { Assistant, JsonValue } from './assistant.ts';
import type { ConfigurationChange } from './configurationChange.ts';
import type { ConfigurationFormat, CreatedKeys, SetText } from './configurationFormat.ts';
import { editConfiguration, parseConfiguration, readConfigurationText } from './configurationText.ts';
import { type CreatedParts, readCreatedParts } from './createdParts.ts';
import { appendElement, jsonFormat, removeElement, replaceElement } from './jsonFormat.ts';
import { valueAt } from './plainValue.ts';
import { tomlFormat } from './tomlFormat.ts';
import { yamlFormat } from './yamlFormat.ts';

const formats: Readonly<Record<Assistant['format'], ConfigurationFormat>> = {
  json: jsonFormat,
  toml: tomlFormat,
  yaml: yamlFormat,
};

type IsMeant = (value: unknown) => boolean;

/**
 * A configuration file while changes of it are planned. It records the containers that the changes create, so that the changes can be
 * taken back in any order. Every edit throws `ConfigurationError` when the text cannot be edited as it is written.
 */
export class ConfigurationDraft {
  readonly file: string;
  readonly #format: Assistant['format'];
  readonly #record: string;
  readonly #before: string | undefined;
  readonly #mark: string;
  readonly #known: CreatedParts | undefined;
  readonly #containers: Map<string, string | null>;
  readonly #added: Map<string, string | null>;
  #text: string;

  /**
   * @param record the name of its record of created parts
   * @param home the state folder
   * @throws ConfigurationError when the file cannot be read or is not valid
   */
  static async open(file: string, format: Assistant['format'], record: string, home: string) {
    const known = await readCreatedParts(home, record, file);
    const draft = new ConfigurationDraft({ file, format, record }, await readConfigurationText(file), known);
    draft.#forgetContainers();
    return draft;
  }

  private constructor(
    { file, format, record }: { readonly file: string; readonly format: Assistant['format']; readonly record: string },
    { before, body = '', mark }: Awaited<ReturnType<typeof readConfigurationText>>,
    known: CreatedParts | undefined,
  ) {
    this.file = file;
    this.#format = format;
    this.#record = record;
    this.#before = before;
    this.#mark = mark;
    this.#text = body;
    this.#known = known;
    this.#containers = new Map(Object.entries(known?.containers ?? {}));
    this.#added = new Map(Object.entries(known?.added ?? {}));
  }

  /** The parsed text; undefined when it is empty. @throws ConfigurationError when it is not valid */
  read(): unknown {
    return parseConfiguration(formats[this.#format], this.#format, this.file, this.#text);
  }

  /** Returns whether Drawbridge has added a value at a path, or this element to the array there. */
  hasAdded(path: readonly string[], element?: JsonValue): boolean {
    return this.#added.has(element === undefined ? keyOf(path) : elementKey(path, element));
  }

  /** Inserts a value, or replaces one. */
  set(path: readonly string[], value: JsonValue): void {
    this.#insert(path.slice(0, -1), keyOf(path), () => formats[this.#format].set(this.#text, path, value));
  }

  /** Replaces a value without a record, as the repair of an entry does. */
  repair(path: readonly string[], value: JsonValue | undefined): void {
    const format = formats[this.#format];
    this.#edit(() =>
      value === undefined ? format.remove(this.#text, path, undefined) : format.set(this.#text, path, value).text,
    );
  }

  /** Removes a value, or restores the value that it replaced. */
  remove(path: readonly string[]): void {
    const replaced = this.#added.get(keyOf(path)) ?? undefined;
    const created = { ...this.#createdAbove(path.slice(0, -1)), replaced };
    this.#edit(() => formats[this.#format].remove(this.#text, path, created));
    this.#added.delete(keyOf(path));
  }

  /** Removes a value that the assistant wrote, if there is one, and the containers above it that are then empty. */
  removeWithEmptyParents(path: readonly string[]): void {
    if (valueAt(this.read(), path) === undefined) return;
    for (let depth = path.length; depth > 0; depth--) {
      const found = valueAt(this.read(), path.slice(0, depth));
      if (depth < path.length && !isEmpty(found)) return;
      this.#edit(() => formats[this.#format].remove(this.#text, path.slice(0, depth), undefined));
    }
  }

  /** Appends an element to an array of JSON. */
  append(path: readonly string[], value: JsonValue): void {
    this.#insert(path, elementKey(path, value), () => appendElement(this.#text, path, value));
  }

  replaceElement(path: readonly string[], isMeant: IsMeant, value: JsonValue): void {
    this.#edit(() => replaceElement(this.#text, path, isMeant, value));
  }

  removeElement(path: readonly string[], isMeant: IsMeant, value: JsonValue): void {
    this.#edit(() => removeElement(this.#text, path, isMeant, this.#createdAbove(path)));
    this.#added.delete(elementKey(path, value));
  }

  /** Returns the change of the file, which is removed when Drawbridge created it and nothing is left in it. */
  change(assistant: Assistant): ConfigurationChange {
    const isNothing = this.#known?.isFile === true && /^\s*(?:\{\s*\}\s*)?$/.test(this.#text);
    const text = this.#mark + this.#text;
    this.#forgetContainers();
    const isUnchanged = text === (this.#before ?? '');
    const after = isUnchanged ? this.#before : isNothing ? undefined : text;
    return {
      assistant,
      record: this.#record,
      file: this.file,
      before: this.#before,
      after,
      isChange: !isUnchanged,
      createdBefore: this.#known ?? { containers: {}, added: {} },
      created: { containers: Object.fromEntries(this.#containers), added: Object.fromEntries(this.#added) },
    };
  }

  #insert(container: readonly string[], key: string, insertion: () => SetText): void {
    const { text, created } = editConfiguration(this.file, insertion);
    this.#text = text;
    const top = container.length - created.keys;
    for (let depth = container.length; depth > top; depth--)
      this.#containers.set(keyOf(container.slice(0, depth)), null);
    if (created.emptyParent !== undefined) this.#containers.set(keyOf(container.slice(0, top)), created.emptyParent);
    this.#added.set(key, created.replaced ?? null);
  }

  /** Returns which of a container and those above it Drawbridge created. */
  #createdAbove(container: readonly string[]): CreatedKeys {
    let depth = container.length;
    while (depth >= 0 && this.#containers.get(keyOf(container.slice(0, depth))) === null) depth--;
    const emptyParent = depth < 0 ? undefined : this.#containers.get(keyOf(container.slice(0, depth)));
    return { keys: container.length - depth, emptyParent: emptyParent ?? undefined };
  }

  #edit(edit: () => string): void {
    this.#text = editConfiguration(this.file, edit);
  }

  /** Drops the records of containers that are gone or empty again. */
  #forgetContainers(): void {
    const value = this.read();
    for (const [key, text] of this.#containers) {
      const found = valueAt(value, pathOf(key));
      if (found === undefined || (text !== null && isEmpty(found))) this.#containers.delete(key);
    }
  }
}

const strings = z.array(z.string());

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

function pathOf(key: string): readonly string[] {
  return strings.parse(JSON.parse(key));
}

function elementKey(path: readonly string[], element: JsonValue): string {
  return JSON.stringify([...path, element]);
}

function isEmpty(container: unknown): boolean {
  return container === null || (typeof container === 'object' && Object.keys(container ?? {}).length === 0);
}
