import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'jsonc-parser';
import textmate from 'vscode-textmate';
import * as z from 'zod';

/** Gives the tokens of some scopes a colour and a style, as theme files write it. */
export type TokenRule = z.infer<typeof tokenRule>;

const colour = z.string().regex(/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i);
const settings = z.object({
  foreground: colour.optional().catch(undefined),
  fontStyle: z.string().max(100).optional().catch(undefined),
});
const tokenRule = z.object({ scope: z.union([z.string(), z.array(z.string())]).optional(), settings });
const rules = z.array(z.unknown()).transform((entries) =>
  entries.flatMap((entry) => {
    const found = tokenRule.safeParse(entry);
    return found.success ? [found.data] : [];
  }),
);
const themeFile = z.object({
  include: z.string().optional().catch(undefined),
  /** The rules, or the path of a file in the form of TextMate. */
  tokenColors: z.union([z.string(), rules]).optional().catch(undefined),
  /** The name of `tokenColors` in files of TextMate. */
  settings: rules.optional().catch(undefined),
  colors: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

/** The most files of one theme. */
const mostFiles = 10;
/** A larger file is not read: the largest grammar that comes with VS Code has 1 MB. */
const mostBytes = 8 * 1024 * 1024;

/**
 * Reads a grammar or a theme of an extension.
 * @throws Error for one that is no file or too large
 */
export function readContributed(path: string): string {
  const stats = statSync(path);
  if (!stats.isFile() || stats.size > mostBytes) throw new Error(`${path} is no file, or it is too large`);
  return readFileSync(path, 'utf8');
}

/**
 * Reads the rules of a theme with those of the files that it includes, which come first because later rules win. A rule without a
 * scope holds for all tokens.
 * @throws Error when a file cannot be read
 */
export function themeRules(path: string, read = new Set<string>()): readonly TokenRule[] {
  if (read.has(path) || read.size >= mostFiles) return [];
  read.add(path);
  const { include, tokenColors, settings: own, colors } = themeFile.parse(parsed(path, readContributed(path)));
  const beside = (name: string): readonly TokenRule[] => themeRules(resolve(dirname(path), name), read);
  const foreground = colour.safeParse(colors?.['editor.foreground']);
  return [
    ...(include === undefined ? [] : beside(include)),
    ...(foreground.success ? [{ settings: { foreground: foreground.data } }] : []),
    ...(typeof tokenColors === 'string' ? beside(tokenColors) : (tokenColors ?? [])),
    ...(own ?? []),
  ];
}

function parsed(path: string, text: string): unknown {
  // The form of a theme of TextMate is that of its grammars: a property list.
  return /\.(?:tmTheme|plist)$/i.test(path) ? textmate.parseRawGrammar(text, 'theme.plist') : parse(text);
}

/** The names of `editor.tokenColorCustomizations`, and the scopes for which the editor takes them. */
const groups: readonly (readonly [string, readonly string[]])[] = [
  ['comments', ['comment', 'punctuation.definition.comment']],
  ['strings', ['string', 'meta.embedded.assembly']],
  ['keywords', ['keyword - keyword.operator', 'keyword.control', 'storage', 'storage.type']],
  ['numbers', ['constant.numeric']],
  ['types', ['entity.name.type', 'entity.name.class', 'support.type', 'support.class']],
  ['functions', ['entity.name.function', 'support.function']],
  ['variables', ['variable', 'entity.name.variable']],
];
const group = z.union([colour.transform((foreground) => ({ foreground })), settings]);
const customizations = z.record(z.string(), z.unknown());

/** Returns the rules of the setting `editor.tokenColorCustomizations` that hold for a theme, those for this theme last. */
export function customRules(setting: unknown, themeId: string): readonly TokenRule[] {
  const given = customizations.safeParse(setting);
  if (!given.success) return [];
  const own = Object.entries(given.data).filter(([name]) => isForTheme(name, themeId));
  return [given.data, ...own.map(([, value]) => value)].flatMap(rulesOf);
}

function rulesOf(value: unknown): TokenRule[] {
  const given = customizations.safeParse(value);
  if (!given.success) return [];
  const grouped = groups.flatMap(([name, scope]): TokenRule[] => {
    const parsedGroup = group.safeParse(given.data[name]);
    return parsedGroup.success && name in given.data ? [{ scope: [...scope], settings: parsedGroup.data }] : [];
  });
  const textMate = rules.safeParse(given.data['textMateRules']);
  return [...grouped, ...(textMate.success ? textMate.data : [])];
}

/** Returns whether a key such as `[Monokai]`, `[*Dark*]` or `[Monokai][Abyss]` names a theme. */
function isForTheme(name: string, themeId: string): boolean {
  return [...name.matchAll(/\[([^\]]*)\]/g)].some(([, pattern = '']) => {
    const escaped = pattern.replaceAll(/\W/g, '\\$&').replaceAll('\\*', '.*');
    return new RegExp(`^${escaped}$`).test(themeId);
  });
}
