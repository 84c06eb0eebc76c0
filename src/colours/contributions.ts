import { basename, resolve } from 'node:path';
import * as z from 'zod';
import { anyMatches, settingsGlobs } from '#policy/fileGlobs.ts';

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
  /** What the editor calls the theme in its settings. */
  readonly id: string;
  readonly label: string;
  readonly kind: ThemeKind;
  /** Absolute path. */
  readonly path: string;
  readonly isBuiltIn: boolean;
}

type InstalledLanguage = z.infer<typeof language>;

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
    languages.push(...valid(language, given.data.languages));
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

/** The beginning of a first line that is compared with patterns. */
const longestFirstLine = 1000;

/**
 * Returns the scope of the grammar for a file; undefined when no installed extension has one.
 * @param path with slashes
 * @param associations the setting `files.associations`: glob of a file or path, and id of a language
 */
export function scopeOf(
  { languages, grammars }: Colouring,
  path: string,
  text: string,
  associations: Readonly<Record<string, string>>,
): string | undefined {
  const name = (path.split('/').at(-1) ?? path).toLowerCase();
  const found = associated(path, associations) ?? byName(languages, name, path) ?? byFirstLine(languages, text);
  return found === undefined ? undefined : grammars.find((each) => each.language === found)?.scopeName;
}

function associated(path: string, associations: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(associations).find(([glob]) => matches(glob, path))?.[1];
}

/** A whole name counts most, then a pattern, then the longest ending. */
function byName(languages: readonly InstalledLanguage[], name: string, path: string): string | undefined {
  const named = languages.findLast(({ filenames }) => filenames?.some((each) => each.toLowerCase() === name));
  if (named) return named.id;
  const matching = languages.findLast(({ filenamePatterns }) => filenamePatterns?.some((glob) => matches(glob, path)));
  if (matching) return matching.id;
  let best: { readonly id: string; readonly length: number } | undefined;
  for (const { id, extensions } of languages) {
    for (const ending of extensions ?? []) {
      const isBetter = best === undefined || ending.length >= best.length;
      if (isBetter && name.endsWith(ending.toLowerCase())) best = { id, length: ending.length };
    }
  }
  return best?.id;
}

function byFirstLine(languages: readonly InstalledLanguage[], text: string): string | undefined {
  const line = text.slice(0, longestFirstLine).split('\n', 1)[0] ?? '';
  return languages.find(({ firstLine }) => firstLine !== undefined && isMatch(firstLine, line))?.id;
}

function isMatch(pattern: string, line: string): boolean {
  try {
    return new RegExp(pattern).test(line);
  } catch {
    return false;
  }
}

function matches(glob: string, path: string): boolean {
  const anywhere = glob.includes('/') ? glob : `**/${glob}`;
  return anyMatches(settingsGlobs([anywhere.toLowerCase()]), path.toLowerCase());
}
