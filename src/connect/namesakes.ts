/**
 * Finds servers of our name that a folder brings along. An assistant that may use all tools of "drawbridge" would not ask about the
 * tools of such a program either.
 */
import { createHash } from 'node:crypto';
import type { Machine } from './assistant.ts';
import { isRecord, valueAt } from './plainValue.ts';
import type { ServerText } from './serverFiles.ts';
import { parsedLeniently } from './jsonFormat.ts';
import { tomlFormat } from './tomlFormat.ts';

/** A server of our name that does not start our launcher. */
export interface Namesake {
  readonly assistant: string;
  /** Absolute. */
  readonly file: string;
  /** Another id when the file names another program. */
  readonly id: string;
}

/** Returns the servers of our name that start another program than the launcher. A text that is not valid is read as far as possible. */
export function namesakesIn(texts: readonly ServerText[], machine: Pick<Machine, 'launcher'>): readonly Namesake[] {
  return texts.flatMap(({ assistant, file, text, keys }) => {
    const value = read(file, text);
    const entries = keys.flatMap((path) => ourEntry(valueAt(value, path)));
    if (entries.every((entry) => startsLauncher(entry, machine.launcher))) return [];
    const id = createHash('sha256')
      .update(JSON.stringify([file, entries]))
      .digest('hex');
    return [{ assistant, file, id }];
  });
}

function read(file: string, text: string): unknown {
  const body = text.replace(/^\uFEFF/, '');
  try {
    return file.endsWith('.toml') ? tomlFormat.read(body) : JSON.parse(body);
  } catch {
    return file.endsWith('.toml') ? undefined : parsedLeniently(body);
  }
}

/**
 * Returns the entry of our name, in a list. Claude Code 2.1.329 does not take a server `drawbridge__x` for ours, although the names of
 * its tools begin as ours do.
 */
function ourEntry(servers: unknown): readonly unknown[] {
  const entry = valueAt(servers, ['drawbridge']);
  return entry === undefined ? [] : [entry];
}

/** Returns whether an entry starts the launcher and nothing else. Variables could lead the bridge to a false window. */
function startsLauncher(entry: unknown, launcher: string): boolean {
  if (!isRecord(entry)) return false;
  const { command, args, env, environment } = entry;
  const variables = [env, environment].flatMap((each) => (isRecord(each) ? Object.keys(each) : []));
  const [program, ...words] = [command, args].flat();
  const isInterpreter = typeof program === 'string' && /(?:^|[\\/])cmd(?:\.exe)?$/i.test(program);
  const started = isInterpreter ? words[words.findIndex((word) => /^\/c$/i.test(String(word))) + 1] : program;
  return started === launcher && variables.length === 0 && entry['url'] === undefined && entry['httpUrl'] === undefined;
}
