import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from './assistant.ts';
import { isRecord } from './plainValue.ts';

/** A change of one key of an existing entry. */
export type EntryRepair =
  | { readonly kind: 'set'; readonly key: string; readonly value: JsonValue }
  | { readonly kind: 'remove'; readonly key: string };

type Entry = Readonly<Record<string, JsonValue>>;

/** The keys that say how the program is started; all other keys belong to the user. */
const launchKeys: readonly string[] = ['type', 'command', 'cmd', 'args', 'env_vars'];

/** The keys of entries for a URL; an entry that starts a program must not have them. */
const connectionKeys: readonly string[] = [
  'url',
  'uri',
  'httpUrl',
  'serverUrl',
  'baseUrl',
  'headers',
  'http_headers',
  'env_http_headers',
  'bearer_token_env_var',
  'transport',
];

/**
 * Returns whether Drawbridge may have written an entry under its name: the entry starts the launcher, connects to a port of
 * this machine, or does neither yet.
 */
export function isOurEntry(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  const texts = ['command', 'cmd', 'args', ...connectionKeys].flatMap((key) => textsOf(entry[key]));
  if (texts.length === 0) return true;
  return texts.some((text) => launcherPath.test(text) || loopback.test(text));
}

/** Returns the changes after which an entry starts the launcher; none when it does already. */
export function repairsOf(entry: Readonly<Record<string, unknown>>, wanted: Entry): readonly EntryRepair[] {
  const obsolete = connectionKeys.filter((key) => key in entry && !(key in wanted));
  const wrong = launchKeys.flatMap((key): EntryRepair[] => {
    const value = wantedValue(entry, key, wanted[key]);
    return value === undefined || isDeepStrictEqual(entry[key], value) ? [] : [{ kind: 'set', key, value }];
  });
  if (wrong.length === 0 && obsolete.length === 0) return [];
  const missing = Object.entries(wanted).filter(([key]) => !(key in entry) && !launchKeys.includes(key));
  return [
    ...obsolete.map((key): EntryRepair => ({ kind: 'remove', key })),
    ...wrong,
    ...missing.map(([key, value]): EntryRepair => ({ kind: 'set', key, value })),
  ];
}

/**
 * Returns the value that a key must have, or undefined. Launcher options and variable names that the user added stay.
 */
function wantedValue(
  entry: Readonly<Record<string, unknown>>,
  key: string,
  wanted: JsonValue | undefined,
): JsonValue | undefined {
  const found = entry[key];
  if (!Array.isArray(found) || !Array.isArray(wanted)) return wanted;
  if (key === 'env_vars') return [...found, ...wanted.filter((name) => !found.includes(name))];
  return [...wanted, ...optionsOf(entry, textsOf(found))];
}

/** Returns the arguments after the launcher, as `--folder`. */
function optionsOf(entry: Readonly<Record<string, unknown>>, words: readonly string[]): readonly string[] {
  const index = words.findIndex((word) => launcherPath.test(word));
  if (index !== -1) return words.slice(index + 1);
  return textsOf([entry['command'], entry['cmd']]).some((text) => launcherPath.test(text)) ? words : [];
}

/** Matches the launcher in any state folder, but no package or bare command of that name. */
const launcherPath = /^(?:[/~$%]|[a-z]:[\\/]|\\\\)(?:.*[\\/])?bin[\\/]drawbridge(?:\.cmd)?$/is;
const loopback = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?:[:/]|$)/i;

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isRecord(value) ? Object.values(value).flatMap(textsOf) : [];
}
