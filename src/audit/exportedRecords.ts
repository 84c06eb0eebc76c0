import * as z from 'zod';
import { readRecordLines, type AuditFile } from './auditFiles.ts';
import { chainStart, sealLine } from './hashChain.ts';
import { redactedJson } from './redactRecord.ts';
import type { Redactor } from './redactor.ts';

/** What an export tells nobody else: replaced wherever it stands. */
export interface PrivateNames {
  /** Absolute paths and what stands for each, for example the home folder and `~`. */
  readonly paths: readonly (readonly [path: string, label: string])[];
  readonly user: string;
}

export interface BundleOptions {
  readonly files: readonly AuditFile[];
  /** Records before this are left out; milliseconds since the epoch. */
  readonly since: number;
  /** With a key of its own: the second redaction. */
  readonly redactor: Redactor;
  readonly names: PrivateNames;
  readonly signal?: AbortSignal;
}

export interface BundleCounts {
  lines: number;
  calls: number;
  /** Lines that are no records: cut off or damaged. They are left out. */
  unreadable: number;
  /** Markers in the lines, by type. */
  readonly redactions: Record<string, number>;
}

const record = z.looseObject({ ts: z.string(), event: z.string() });

/**
 * Records as they may be shown to others, one JSON text each, without their places in a chain: redacted a second time, paths
 * made relative, home and user name replaced (docs/security.md, "Audit").
 * @param counts is added to
 * @throws when a file cannot be read, or the signal is aborted
 */
export async function* bundleRecords(
  { files, since, redactor, names, signal }: BundleOptions,
  counts: BundleCounts,
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

/** Seals lines into a chain of their own, which begins with this object's first line. */
export class BundleChain {
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

export function newCounts(): BundleCounts {
  return { lines: 0, calls: 0, unreadable: 0, redactions: {} };
}

/** The first line of an export. */
export function bundleHeader(
  range: string,
  now: number,
  { lines, calls, unreadable, redactions }: BundleCounts,
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

function count(json: string, event: string, counts: BundleCounts): void {
  counts.lines += 1;
  if (event === 'call.received') counts.calls += 1;
  for (const { groups } of json.matchAll(/\[redacted:(?<type>[a-z][a-z0-9_]{0,40}):[0-9a-f]{8}\]/g)) {
    const type = groups?.['type'] ?? '';
    counts.redactions[type] = (counts.redactions[type] ?? 0) + 1;
  }
}

/**
 * Other windows have folders that this one does not know. A path in quotes may hold spaces; another one begins where no word,
 * pattern or address of the web goes on.
 */
const absolutePath =
  /(?<=["'`])(?:file:\/\/)?(?:\/[^"'`/]+\/|\/?[a-z]:[/\\])[^"'`]*|(?<![\p{L}\p{N}_.~:*/\\)\]}-])(?:file:\/\/)?(?:\/[^\s"'`/]+\/|\/?[a-z]:[/\\])[^\s"'`,;)]*/giu;

/** Longest paths first: a folder in the home folder has its own label. */
function hideNames({ paths, user }: PrivateNames): (text: string) => string {
  const labels = new Map(
    paths.flatMap(([path, label]) => spellingsOf(path).map((spelling) => [spelling.toLowerCase(), label])),
  );
  const spellings = [...labels.keys()]
    .filter((spelling) => spelling.length > 1)
    .toSorted((a, b) => b.length - a.length);
  // A name of one or two letters would be found in ordinary text.
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

/** As it is, as a URI has it, with the other slashes, and as JSON within JSON has it. */
function spellingsOf(path: string): string[] {
  const forward = path.replaceAll('\\', '/');
  return [...new Set([path, forward, encodeURI(forward), path.replaceAll('\\', '\\\\')])];
}
