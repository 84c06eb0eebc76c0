/** Warnings about a change that a reader of its diff might miss. */
import { findSecrets } from '#audit/secretShapes.ts';
import { blankRuns, escape, hiddenCharacters, shortened } from '#base/visibleText.ts';
import type { DiffRow, LineEnd, LineRow } from './diffRows.ts';
import { alikeWords, type AlikeWord } from './lookAlikes.ts';

/** A property of a change that a reader of the diff might miss. */
export type Warning =
  /** Added text has invisible characters; holds the first few as `<U+XXXX>`. */
  | { readonly kind: 'hidden_characters'; readonly characters: readonly string[] }
  /** The first few added lines (1-based) whose text stands behind a long run of blanks or of empty lines. */
  | { readonly kind: 'long_blanks'; readonly lines: readonly number[] }
  /** The first few added lines (1-based) that are longer than any view shows at once. */
  | { readonly kind: 'long_lines'; readonly lines: readonly number[] }
  /** The first few added words with letters that look like ASCII letters; those letters are written as `<U+XXXX>`. */
  | { readonly kind: 'look_alikes'; readonly words: readonly string[] }
  /** The line end of changed lines (`other`) differs from that of most lines of the file (`usual`). */
  | { readonly kind: 'mixed_line_ends'; readonly usual: LineEnd; readonly other: LineEnd }
  /** Saving changes the line ends of this many lines besides the approved ones. */
  | { readonly kind: 'unified_line_ends'; readonly lines: number }
  /** The first few added lines (1-based) that may hold a password, key or token. */
  | { readonly kind: 'possible_secret'; readonly lines: readonly number[] }
  /** Secrets of the base that are not in the result, by their types. The assistant saw a marker in the place of each. */
  | { readonly kind: 'deleted_secret'; readonly types: readonly string[] }
  | { readonly kind: 'whitespace_only' }
  /** The path has characters that look like others (threat row P8); holds the first few as `<U+XXXX>`. */
  | { readonly kind: 'confusable_name'; readonly characters: readonly string[] }
  /** The path looks the same as this other name in its folder. */
  | { readonly kind: 'same_look'; readonly name: string }
  | { readonly kind: 'huge'; readonly changedLines: number; readonly percent: number };

export interface ChangeFacts {
  /** The number of lines of the base. */
  readonly baseLineCount: number;
  readonly unifiedLineEnds: number;
  /** As {@link deletedSecrets} returns them. */
  readonly deletedSecrets?: readonly string[];
}

/** Returns the types of the secrets that a change deletes. A secret that only moves is not deleted. */
export function deletedSecrets(base: string, result: string): readonly string[] {
  const before = findSecrets(base);
  if (before.length === 0) return [];
  const after = findSecrets(result).map(({ start, end }) => result.slice(start, end));
  return before.flatMap(({ type, start, end }) => {
    const index = after.indexOf(base.slice(start, end));
    if (index < 0) return [type];
    after.splice(index, 1);
    return [];
  });
}

const [hugeLines, hugePercent] = [500, 30];
/** The percentage counts only from this many changed lines on, since a large part of a small file is no huge change. */
const percentCountsFrom = 20;
const shown = 5;
/** Characters of a word that is named. */
const wordLength = 60;

/** Patterns of secrets; each runs in time linear in the length of a line. */
const secrets = [
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\b(?:gh[pousr]_[A-Za-z0-9]{30}|github_pat_\w{20}|glpat-[\w-]{16}|xox[abeoprs]-[\w-]{10}|sk-[\w-]{20}|AIza[\w-]{35})/,
  /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10}/,
  /:\/\/[^\s/:@"']{1,100}:[^\s/:@"'$<{]{3,200}@/,
  /(?:password|passwd|secret|token|api_?key|access_?key|private_?key)\w{0,20}["']?\s{0,5}[:=]\s{0,5}["'][^"'\s$<{]{8}/i,
];

/** The warnings of the text of a file, and the lines that they are about. */
export interface TextWarnings {
  /** In a fixed order. */
  readonly warnings: readonly Warning[];
  /** All lines that hold what a reader might miss: the removed ones, then the added ones. */
  readonly lines: readonly LineRow[];
}

/** Returns the warnings of changed rows, computed from the change itself and never from the assistant's words. */
export function warningsOf(rows: readonly DiffRow[], facts: ChangeFacts): TextWarnings {
  const added = rows.filter((row): row is LineRow => row.kind === 'added');
  const removed = rows.filter((row): row is LineRow => row.kind === 'removed');
  const hidden = hiddenIn(added, rows);
  const behind = behindBlanks(rows);
  const long = added.filter(({ text }) => text.length > longLine);
  const alike = alikeIn(added);
  const secret = added.filter((row) => secrets.some((each) => each.test(row.text)));
  const deleted = (facts.deletedSecrets ?? []).length === 0 ? [] : removed.filter(hasSecret);
  const readable = long.filter(({ text }) => !isEndless(text));
  const places = new Set([...hidden.lines, ...behind, ...readable, ...alike.lines, ...secret, ...deleted]);
  const warnings: Warning[] = [
    ...hidden.warnings,
    ...linesWarning('long_blanks', behind),
    ...linesWarning('long_lines', long),
    ...alike.warnings,
    ...linesWarning('possible_secret', secret),
    ...deletedIn(facts),
    ...(rows.length > 0 && isWhitespaceOnly(rows) ? [{ kind: 'whitespace_only' } as const] : []),
    ...mixedLineEnds(rows),
    ...(facts.unifiedLineEnds > 0 ? [{ kind: 'unified_line_ends', lines: facts.unifiedLineEnds } as const] : []),
    ...hugeChange(added.length, removed.length, facts.baseLineCount),
  ];
  return { warnings, lines: [...removed, ...added].filter((row) => places.has(row)) };
}

function linesWarning(kind: 'long_blanks' | 'long_lines' | 'possible_secret', rows: readonly LineRow[]): Warning[] {
  return rows.length === 0 ? [] : [{ kind, lines: rows.slice(0, shown).map(({ line }) => line) }];
}

function hasSecret({ text }: LineRow): boolean {
  return findSecrets(text).length > 0;
}

/**
 * Returns the warnings of a path, which may look like that of another file (threat row P8): characters that look like ASCII,
 * letters of another script in a Latin word, and letters of another script that all look Latin.
 */
export function nameWarnings(path: string): Warning[] {
  const misleading = Array.from(path.normalize('NFC')).filter((character) => looksLikeAscii(character));
  const mixed = (path.match(/[\p{L}\p{M}]+/gu) ?? []).filter((word) => /\p{Script=Latin}/u.test(word));
  const foreign = path.match(lookAlikeScripts) ?? [];
  const alike = alikeWords(path).flatMap(({ letters }) => letters.map(({ start, end }) => path.slice(start, end)));
  const disguised = foreign.every((letter) => alike.includes(letter))
    ? foreign
    : mixed.flatMap((word) => word.match(lookAlikeScripts) ?? []);
  const characters = new Set([...misleading, ...disguised]);
  return characters.size === 0
    ? []
    : [{ kind: 'confusable_name', characters: [...characters].slice(0, shown).map((character) => escape(character)) }];
}

/** Letters of scripts that look like Latin ones. */
const lookAlikeScripts = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu;

function looksLikeAscii(character: string): boolean {
  const plainForm = character.normalize('NFKC');
  return plainForm !== character && /^[!-~]+$/.test(plainForm);
}

function mixedLineEnds(rows: readonly DiffRow[]): Warning[] {
  for (const row of rows) {
    if ((row.kind !== 'added' && row.kind !== 'removed') || row.unusualEnd === undefined) continue;
    return [{ kind: 'mixed_line_ends', usual: row.unusualEnd === '\n' ? '\r\n' : '\n', other: row.unusualEnd }];
  }
  return [];
}

function hiddenIn(added: readonly LineRow[], rows: readonly DiffRow[]): TextWarnings {
  // A carriage return hides nothing in a file whose lines end with one.
  const isUsual = rows.some((row) => (row.kind === 'removed' || row.kind === 'context') && row.text.includes('\r'));
  const hiddenOf = ({ text }: LineRow): string[] => hiddenCharacters(isUsual ? text.replaceAll('\r', '') : text);
  const characters = new Set<string>();
  const lines: LineRow[] = [];
  for (const row of added) {
    const hidden = hiddenOf(row);
    if (hidden.length > 0) lines.push(row);
    for (const each of hidden) characters.add(each);
  }
  if (lines.length === 0) return { warnings: [], lines };
  return { warnings: [{ kind: 'hidden_characters', characters: [...characters].slice(0, shown) }], lines };
}

/** A line with more UTF-16 units than this is drawn as several rows. */
export const longLine = 1000;
/** A line that is drawn with more UTF-16 units than this is read as a very large change is: to its end, or not at all. */
const endlessLine = 5000;

/** Returns whether a line is too long to be read, without its runs of blanks, which are drawn as marks (threat row A40). */
export function isEndless(line: string): boolean {
  if (line.length <= endlessLine) return false;
  return line.length - blankRuns(line).reduce((sum, { start, end }) => sum + end - start, 0) > endlessLine;
}

/** Blank lines in a row; with more of them they are drawn as one mark, since text below them is easily overlooked. */
export const mostBlankLines = 20;

/** Returns whether nothing is drawn of a line, as far as blanks and tabs go. Other white space is drawn as an escape. */
export function isBlank(text: string): boolean {
  return /^[ \t]*$/.test(text);
}

/** Finds text that stands far to the right of other text or of the margin, or far below it. */
function behindBlanks(rows: readonly DiffRow[]): LineRow[] {
  const found: LineRow[] = [];
  let blank = 0;
  for (const row of rows) {
    if (row.kind !== 'added') {
      blank = 0;
      continue;
    }
    const isBlankLine = isBlank(row.text);
    if (!isBlankLine && (blank > mostBlankLines || blankRuns(row.text.trimEnd()).length > 0)) found.push(row);
    blank = isBlankLine ? blank + 1 : 0;
  }
  return found;
}

/** Finds words that look like others, and names the first few. */
function alikeIn(added: readonly LineRow[]): TextWarnings {
  const found = added.flatMap((row) => alikeWords(row.text).map((word) => ({ row, word })));
  const names = new Set<string>();
  for (const { row, word } of found) {
    names.add(nameOfWord(row.text, word));
    if (names.size === shown) break;
  }
  return {
    warnings: found.length === 0 ? [] : [{ kind: 'look_alikes', words: [...names] }],
    lines: [...new Set(found.map(({ row }) => row))],
  };
}

/** Returns a word with the letters that look like others as `<U+XXXX>`. */
function nameOfWord(text: string, { start, end, letters }: AlikeWord): string {
  let [name, at] = ['', start];
  for (const letter of letters) {
    name += text.slice(at, letter.start) + escape(text.slice(letter.start, letter.end));
    at = letter.end;
  }
  return shortened(name + text.slice(at, end), wordLength);
}

function deletedIn({ deletedSecrets: types = [] }: ChangeFacts): Warning[] {
  return types.length === 0 ? [] : [{ kind: 'deleted_secret', types: types.slice(0, shown) }];
}

/** Returns whether both sides of every hunk are equal without white space. A moved line is a change. */
function isWhitespaceOnly(rows: readonly DiffRow[]): boolean {
  let [before, after] = ['', ''];
  for (const row of rows) {
    if (row.kind === 'hunk') {
      if (!equalWithoutSpace(before, after)) return false;
      [before, after] = ['', ''];
    }
    if (row.kind === 'hunk' || row.kind === 'note') continue;
    if (row.kind !== 'added') before += row.text;
    if (row.kind !== 'removed') after += row.text;
  }
  return equalWithoutSpace(before, after);
}

/** Stops at the first difference, so that nearly every change is decided at once, however long its lines are. */
function equalWithoutSpace(a: string, b: string): boolean {
  let [indexA, indexB] = [0, 0];
  for (;;) {
    while (isSpace(a.charCodeAt(indexA))) indexA += 1;
    while (isSpace(b.charCodeAt(indexB))) indexB += 1;
    if (indexA === a.length || indexB === b.length) return indexA === a.length && indexB === b.length;
    if (a[indexA] !== b[indexB]) return false;
    indexA += 1;
    indexB += 1;
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function hugeChange(added: number, removed: number, baseLineCount: number): Warning[] {
  const changedLines = added + removed;
  const percent = Math.round((Math.max(added, removed) / Math.max(1, baseLineCount)) * 100);
  const isLargePart = baseLineCount > 0 && changedLines >= percentCountsFrom && percent > hugePercent;
  if (changedLines <= hugeLines && !isLargePart) return [];
  return [{ kind: 'huge', changedLines, percent: Math.min(100, percent) }];
}
