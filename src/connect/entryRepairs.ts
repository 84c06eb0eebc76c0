import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from './assistant.ts';
import { isRecord } from './plainValue.ts';

/** One thing to do to an entry that is there already. */
export type EntryRepair =
  | { readonly kind: 'set'; readonly key: string; readonly value: JsonValue }
  | { readonly kind: 'remove'; readonly key: string };

type Entry = Readonly<Record<string, JsonValue>>;

/** What decides how the program is started; everything else in an entry is the user's to change. */
const launchKeys: readonly string[] = ['type', 'command', 'cmd', 'args', 'env_vars'];

/** What entries for a URL have, which a program's entry must not. */
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
 * Whether an entry under our name is one that Drawbridge may have written, at some time: it starts the launcher, or goes to
 * a port of this machine, or does neither yet.
 */
export function isOurEntry(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  const texts = ['command', 'cmd', 'args', ...connectionKeys].flatMap((key) => textsOf(entry[key]));
  if (texts.length === 0) return true;
  return texts.some((text) => launcherPath.test(text) || loopback.test(text));
}

/** What has to change for an entry to start the launcher; nothing when it does. */
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

/** What a key has to be set to; undefined for nothing. What the user adds stays: options of the launcher, names of variables. */
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

/** What stands after the launcher, as `--folder`. */
function optionsOf(entry: Readonly<Record<string, unknown>>, words: readonly string[]): readonly string[] {
  const index = words.findIndex((word) => launcherPath.test(word));
  if (index !== -1) return words.slice(index + 1);
  return textsOf([entry['command'], entry['cmd']]).some((text) => launcherPath.test(text)) ? words : [];
}

/** In whatever state folder; a package or a command of that name is somebody else's. */
const launcherPath = /^(?:[/~$%]|[a-z]:[\\/]|\\\\)(?:.*[\\/])?bin[\\/]drawbridge(?:\.cmd)?$/is;
const loopback = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?:[:/]|$)/i;

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isRecord(value) ? Object.values(value).flatMap(textsOf) : [];
}
