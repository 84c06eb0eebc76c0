import { escape, hiddenCharacters } from '#base/visibleText.ts';
import type { DiffRow, LineEnd, LineRow } from './diffRows.ts';

/** Something about a change that a reader of the diff might miss. */
export type Warning =
  /** Added text has characters that are not seen; the first few, as `<U+XXXX>`. */
  | { readonly kind: 'hidden_characters'; readonly characters: readonly string[] }
  /** Changed lines end otherwise (`other`) than most lines of the file (`usual`). */
  | { readonly kind: 'mixed_line_ends'; readonly usual: LineEnd; readonly other: LineEnd }
  /** Saving changes the line ends of this many lines besides the approved ones. */
  | { readonly kind: 'unified_line_ends'; readonly lines: number }
  /** Added lines (1-based) that look like they hold a password, key or token; the first few. */
  | { readonly kind: 'possible_secret'; readonly lines: readonly number[] }
  | { readonly kind: 'whitespace_only' }
  /** The path has characters that look like others (threat row P8); the first few, as `<U+XXXX>`. */
  | { readonly kind: 'confusable_name'; readonly characters: readonly string[] }
  | { readonly kind: 'huge'; readonly changedLines: number; readonly percent: number };

export interface ChangeFacts {
  /** Lines of the base. */
  readonly baseLineCount: number;
  readonly unifiedLineEnds: number;
}

const [hugeLines, hugePercent] = [500, 30];
/** A part of a small file is no huge change: the percentage counts from this many changed lines on. */
const percentCountsFrom = 20;
const shown = 5;

/** Shapes of secrets, all linear in the length of a line. */
const secrets = [
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\b(?:gh[pousr]_[A-Za-z0-9]{30}|github_pat_\w{20}|glpat-[\w-]{16}|xox[abeoprs]-[\w-]{10}|sk-[\w-]{20}|AIza[\w-]{35})/,
  /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10}/,
  /:\/\/[^\s/:@"']{1,100}:[^\s/:@"'$<{]{3,200}@/,
  /(?:password|passwd|secret|token|api_?key|access_?key|private_?key)\w{0,20}["']?\s{0,5}[:=]\s{0,5}["'][^"'\s$<{]{8}/i,
];

/** Computed from the change itself, in a fixed order; never from what the assistant says about it. */
export function warningsOf(rows: readonly DiffRow[], facts: ChangeFacts): Warning[] {
  const added = rows.filter((row): row is LineRow => row.kind === 'added');
  const removedCount = rows.filter((row) => row.kind === 'removed').length;
  return [
    ...hiddenIn(added, rows),
    ...secretsIn(added),
    ...(rows.length > 0 && isWhitespaceOnly(rows) ? [{ kind: 'whitespace_only' } as const] : []),
    ...mixedLineEnds(rows),
    ...(facts.unifiedLineEnds > 0 ? [{ kind: 'unified_line_ends', lines: facts.unifiedLineEnds } as const] : []),
    ...hugeChange(added.length, removedCount, facts.baseLineCount),
  ];
}

/** Of a path alone: what looks like ASCII and is not, and letters of another script inside a Latin word (threat row P8). */
export function nameWarnings(path: string): Warning[] {
  const misleading = Array.from(path.normalize('NFC')).filter((character) => looksLikeAscii(character));
  const mixed = (path.match(/[\p{L}\p{M}]+/gu) ?? []).filter((word) => /\p{Script=Latin}/u.test(word));
  const foreign = mixed.flatMap((word) => word.match(lookAlikeScripts) ?? []);
  const characters = new Set([...misleading, ...foreign]);
  return characters.size === 0
    ? []
    : [{ kind: 'confusable_name', characters: [...characters].slice(0, shown).map((character) => escape(character)) }];
}

/** Scripts with letters that are drawn like Latin ones. */
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

function hiddenIn(added: readonly LineRow[], rows: readonly DiffRow[]): Warning[] {
  const characters = new Set(added.flatMap((row) => hiddenCharacters(row.text)));
  // A file whose own lines end with a carriage return alone hides nothing by it.
  if (rows.some((row) => (row.kind === 'removed' || row.kind === 'context') && row.text.includes('\r'))) {
    characters.delete('<U+000D>');
  }
  return characters.size === 0 ? [] : [{ kind: 'hidden_characters', characters: [...characters].slice(0, shown) }];
}

function secretsIn(added: readonly LineRow[]): Warning[] {
  const lines = added.filter((row) => secrets.some((secret) => secret.test(row.text))).map((row) => row.line);
  return lines.length === 0 ? [] : [{ kind: 'possible_secret', lines: lines.slice(0, shown) }];
}

/** Both sides of every hunk are the same without white space. A line that moves is a change. */
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

/** Ends at the first difference: nearly every change is seen at once, however long its lines are. */
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
