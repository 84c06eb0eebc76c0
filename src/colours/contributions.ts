import { basename, resolve } from 'node:path';
import * as z from 'zod';
import { anyMatches, type FileGlob, settingsGlobs } from '#policy/fileGlobs.ts';

/** An extension of the editor: its folder, and the `contributes` of its manifest, in any shape. */
export interface ColouringExtension {
  readonly id: string;
  readonly folder: string;
  readonly contributes: unknown;
}

export interface InstalledGrammar {
  readonly scopeName: string;
  /** Absolute path. */
  readonly path: string;
  /** Scopes of the grammars into which this one is injected. */
  readonly injectTo: readonly string[];
  readonly language?: string;
}

export interface InstalledTheme {
  /** The editor names the theme by this id in its settings. */
  readonly id: string;
  readonly label: string;
  readonly kind: ThemeKind;
  /** Absolute path. */
  readonly path: string;
  readonly isBuiltIn: boolean;
}

/** A language, with its patterns made ready for many comparisons. Names and endings are in lower case. */
export interface InstalledLanguage {
  readonly id: string;
  readonly endings: readonly string[];
  readonly names: readonly string[];
  readonly globs: readonly FileGlob[];
  readonly firstLine?: RegExp;
}

/** The parts of the installed extensions with which the editor colours code. */
export interface Colouring {
  readonly languages: readonly InstalledLanguage[];
  readonly grammars: readonly InstalledGrammar[];
  readonly themes: readonly InstalledTheme[];
}

export type ThemeKind = 'light' | 'dark' | 'highContrast' | 'highContrastLight';

const kinds: Readonly<Record<string, ThemeKind>> = {
  vs: 'light',
  'vs-dark': 'dark',
  'hc-black': 'highContrast',
  'hc-light': 'highContrastLight',
};

const strings = z.array(z.string()).optional().catch(undefined);
const language = z.object({
  id: z.string(),
  extensions: strings,
  filenames: strings,
  filenamePatterns: strings,
  firstLine: z.string().optional().catch(undefined),
});
const grammar = z.object({
  scopeName: z.string(),
  path: z.string(),
  language: z.string().optional().catch(undefined),
  injectTo: strings,
});
const theme = z.object({
  id: z.string().optional().catch(undefined),
  label: z.string().optional().catch(undefined),
  uiTheme: z.string().optional().catch(undefined),
  path: z.string(),
});
const contributions = z.object({
  languages: z.array(z.unknown()).catch([]).default([]),
  grammars: z.array(z.unknown()).catch([]).default([]),
  themes: z.array(z.unknown()).catch([]).default([]),
});

/** The extension that brings the themes of VS Code. */
const builtInThemes = 'vscode.theme-defaults';

/** Reads what extensions contribute. An entry that is not as the editor documents it is left out. */
export function colouringOf(extensions: readonly ColouringExtension[]): Colouring {
  const languages: InstalledLanguage[] = [];
  const grammars: InstalledGrammar[] = [];
  const themes: InstalledTheme[] = [];
  for (const { id: extension, folder, contributes } of extensions) {
    const given = contributions.safeParse(contributes);
    if (!given.success) continue;
    languages.push(...valid(language, given.data.languages).map(installedLanguage));
    for (const { scopeName, path, injectTo = [], language: of } of valid(grammar, given.data.grammars)) {
      grammars.push({ scopeName, path: resolve(folder, path), injectTo, ...(of !== undefined && { language: of }) });
    }
    for (const { id, label, uiTheme = 'vs-dark', path } of valid(theme, given.data.themes)) {
      const name = label ?? basename(path);
      const kind = kinds[uiTheme] ?? 'dark';
      const isBuiltIn = extension === builtInThemes;
      themes.push({ id: id ?? name, label: name, kind, path: resolve(folder, path), isBuiltIn });
    }
  }
  return { languages, grammars, themes };
}

function installedLanguage(given: z.infer<typeof language>): InstalledLanguage {
  const { id, extensions = [], filenames = [], filenamePatterns = [] } = given;
  const firstLine = regularExpression(given.firstLine);
  return {
    id,
    endings: extensions.map((ending) => ending.toLowerCase()),
    names: filenames.map((name) => name.toLowerCase()),
    globs: globsOf(filenamePatterns),
    ...(firstLine && { firstLine }),
  };
}

function regularExpression(pattern: string | undefined): RegExp | undefined {
  try {
    return pattern === undefined ? undefined : new RegExp(pattern);
  } catch {
    return undefined;
  }
}

/** Parses globs of names or paths. A glob without a slash matches at any depth. */
function globsOf(globs: readonly string[]): readonly FileGlob[] {
  return settingsGlobs(globs.map((glob) => (glob.includes('/') ? glob : `**/${glob}`).toLowerCase()));
}

function valid<T>(schema: z.ZodType<T>, entries: readonly unknown[]): T[] {
  return entries.flatMap((entry) => {
    const parsed = schema.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}

/**
 * Finds a theme by its id, else by its label. A window on another machine has themes that are not installed here: the built-in
 * theme of the same kind takes the place of such a theme.
 */
export function themeOf({ themes }: Colouring, id: string, kind: ThemeKind): InstalledTheme | undefined {
  return (
    themes.find((each) => each.id === id) ??
    themes.find(({ label }) => label === id) ??
    themes.find((each) => each.kind === kind && each.isBuiltIn) ??
    themes.find((each) => each.kind === kind)
  );
}

/** UTF-16 units of a first line that are compared with patterns. */
const longestFirstLine = 1000;

/** The setting `files.associations`: the globs of names or paths, each with the id of a language. */
export type Associations = readonly { readonly globs: readonly FileGlob[]; readonly language: string }[];

/** @param setting glob of a name or a path, and id of a language */
export function associationsOf(setting: Readonly<Record<string, string>>): Associations {
  return Object.entries(setting).map(([glob, id]) => ({ globs: globsOf([glob]), language: id }));
}

/**
 * Returns the scope of the grammar for a file; undefined when no installed extension has one.
 * @param path with slashes
 */
export function scopeOf(
  { languages, grammars }: Colouring,
  path: string,
  text: string,
  associations: Associations,
): string | undefined {
  const lower = path.toLowerCase();
  const found =
    associations.find(({ globs }) => anyMatches(globs, lower))?.language ??
    byName(languages, lower) ??
    byFirstLine(languages, text);
  return found === undefined ? undefined : grammars.find((each) => each.language === found)?.scopeName;
}

/** A whole name counts most, then a pattern, then the longest ending. @param path in lower case */
function byName(languages: readonly InstalledLanguage[], path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const known =
    languages.findLast(({ names }) => names.includes(name)) ??
    languages.findLast(({ globs }) => anyMatches(globs, path));
  if (known) return known.id;
  let best: { readonly id: string; readonly length: number } | undefined;
  for (const { id, endings } of languages) {
    for (const ending of endings) {
      const isBetter = best === undefined || ending.length >= best.length;
      if (isBetter && name.endsWith(ending)) best = { id, length: ending.length };
    }
  }
  return best?.id;
}

function byFirstLine(languages: readonly InstalledLanguage[], text: string): string | undefined {
  const line = text.slice(0, longestFirstLine).split('\n', 1)[0] ?? '';
  return languages.find(({ firstLine }) => firstLine?.test(line))?.id;
}
