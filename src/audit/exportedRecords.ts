/** Prepares records for an export that the user can share. */
import * as z from 'zod';
import { readRecordLines, type AuditFile } from './auditFiles.ts';
import { chainStart, sealLine } from './hashChain.ts';
import { redactedJson } from './redactRecord.ts';
import type { Redactor } from './redactor.ts';

/** Names that an export replaces wherever they stand. */
export interface PrivateNames {
  /** Absolute paths and the label that replaces each, for example the home folder and `~`. */
  readonly paths: readonly (readonly [path: string, label: string])[];
  readonly user: string;
}

export interface ExportOptions {
  readonly files: readonly AuditFile[];
  /** Leaves out earlier records; milliseconds since the epoch. */
  readonly since: number;
  /** Redacts a second time; it must have a key of its own. */
  readonly redactor: Redactor;
  readonly names: PrivateNames;
  readonly signal?: AbortSignal;
}

export interface ExportCounts {
  lines: number;
  calls: number;
  /** Number of lines that are cut off or damaged; the export leaves them out. */
  unreadable: number;
  /** Number of redaction markers in the lines, by type. */
  readonly redactions: Record<string, number>;
}

const record = z.looseObject({ ts: z.string(), event: z.string() });

/**
 * Reads records for an export, one JSON text each, without the fields of the chain. Secrets are redacted a second time, paths
 * become relative, and home folder and user name are replaced (docs/security.md, "Audit").
 * @param counts counts what was read and redacted
 * @throws when a file cannot be read or the signal is aborted
 */
export async function* readForExport(
  { files, since, redactor, names, signal }: ExportOptions,
  counts: ExportCounts,
): AsyncGenerator<string> {
  const hide = hideNames(names);
  const redaction = {
    redact: (text: string) => redactor.redact(hide(text)),
    redactPath: (text: string) => redactor.redactPath(hide(text)),
    redactKnown: redactor.redactKnown,
  };
  for (const { path, bytes } of files) {
    for await (const line of readRecordLines(path, bytes)) {
      signal?.throwIfAborted();
      if (line.bytes.length === 0) continue;
      const parsed = parseRecord(line.bytes);
      if (parsed === undefined) counts.unreadable += 1;
      else if (Date.parse(parsed.ts) >= since) {
        const { prev: _prev, hash: _hash, ...facts } = parsed;
        const json = redactedJson(facts, redaction);
        count(json, facts.event, counts);
        yield json;
      }
    }
  }
}

/** Seals the lines of one export into a hash chain of their own. */
export class ExportChain {
  #previous = chainStart;

  /** Hash of the last line. */
  get end(): string {
    return this.#previous;
  }

  seal(json: string): string {
    const { line, hash } = sealLine(json, this.#previous);
    this.#previous = hash;
    return line;
  }
}

/** Returns counts of zero. */
export function newCounts(): ExportCounts {
  return { lines: 0, calls: 0, unreadable: 0, redactions: {} };
}

/** Returns the first line of an export, with the counts of the lines after it. */
export function exportHeader(
  range: string,
  now: number,
  { lines, calls, unreadable, redactions }: ExportCounts,
): string {
  return JSON.stringify({
    v: 2,
    event: 'audit.export',
    ts: new Date(now).toISOString(),
    range,
    lines,
    calls,
    unreadable,
    redactions,
    chain:
      'SHA-256 without a key, computed for this export after its redaction: prev is the hash of the line before, hash that of the line without the member hash. The hash of the last line stands in the record of the window that exported it.',
  });
}

function parseRecord(bytes: Buffer): z.infer<typeof record> | undefined {
  try {
    return record.safeParse(JSON.parse(bytes.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

function count(json: string, event: string, counts: ExportCounts): void {
  counts.lines += 1;
  if (event === 'call.received') counts.calls += 1;
  for (const { groups } of json.matchAll(/\[redacted:(?<type>[a-z][a-z0-9_]{0,40}):[0-9a-f]{8}\]/g)) {
    const type = groups?.['type'] ?? '';
    counts.redactions[type] = (counts.redactions[type] ?? 0) + 1;
  }
}

/**
 * Matches any absolute path, because records of other windows name folders that this window does not know. A path in quotes may
 * contain spaces. A path without quotes must not continue a word, a glob or a web address.
 */
const absolutePath =
  /(?<=["'`])(?:file:\/\/)?(?:\/[^"'`/]+\/|\/?[a-z]:[/\\])[^"'`]*|(?<![\p{L}\p{N}_.~:*/\\)\]}-])(?:file:\/\/)?(?:\/[^\s"'`/]+\/|\/?[a-z]:[/\\])[^\s"'`,;)]*/giu;

/** Returns a function that replaces the names, longer paths first: a folder in the home folder has a label of its own. */
function hideNames({ paths, user }: PrivateNames): (text: string) => string {
  const labels = new Map(
    paths.flatMap(([path, label]) => spellingsOf(path).map((spelling) => [spelling.toLowerCase(), label])),
  );
  const spellings = [...labels.keys()]
    .filter((spelling) => spelling.length > 1)
    .toSorted((a, b) => b.length - a.length);
  // A user name of one or two letters would match ordinary text.
  const names = [
    ...spellings.map((spelling) => `${escaped(spelling)}(?![\\p{L}\\p{N}_-])`),
    ...(user.length > 2 ? [`(?<![\\p{L}\\p{N}])${escaped(user)}(?![\\p{L}\\p{N}])`] : []),
  ];
  const known = names.length === 0 ? undefined : new RegExp(names.join('|'), 'giu');
  return (text) => {
    const named = known ? text.replaceAll(known, (found) => labels.get(found.toLowerCase()) ?? '[user]') : text;
    return named.replaceAll(absolutePath, (path) => `[path]/${/[^/\\]*$/.exec(path)?.[0] ?? ''}`);
  };
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}-]/g, (character) => (character === '-' ? '\\x2d' : `\\${character}`));
}

/** Returns the path as it is, with forward slashes, as a URI spells it, and with escaped backslashes as JSON within JSON has it. */
function spellingsOf(path: string): string[] {
  const forward = path.replaceAll('\\', '/');
  return [...new Set([path, forward, encodeURI(forward), path.replaceAll('\\', '\\\\')])];
}
