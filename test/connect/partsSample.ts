import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Assistant, Machine } from '#connect/assistant.ts';
import { temporaryMachine } from './temporaryMachine.ts';

const fictionalHome = '/home/ada/.drawbridge';

type TemporaryMachine = Machine & { readonly stateHome: string };
/** The text of each file, by its path below the user's home. */
type Files = Readonly<Record<string, string>>;

/** Returns a machine with the files of the golden sample of an assistant, and the files before and after all parts are set up. */
export async function partsSample(
  assistant: Assistant,
): Promise<{ readonly machine: TemporaryMachine; readonly before: Files; readonly after: Files }> {
  const machine = await temporaryMachine();
  const [before, after] = await Promise.all(
    ['before', 'after'].map((when) =>
      readFile(join(import.meta.dirname, 'golden', assistant.id, `parts.${when}.txt`), 'utf8').then(filesIn),
    ),
  );
  for (const [name, text] of Object.entries(before ?? {})) {
    await mkdir(dirname(join(machine.home, name)), { recursive: true });
    await writeFile(join(machine.home, name), text.replaceAll(fictionalHome, machine.stateHome));
  }
  return { machine, before: before ?? {}, after: after ?? {} };
}

/** Returns all files below the user's home; of a script only the first lines, which name the launcher. */
export async function filesBelow({ home, stateHome }: TemporaryMachine): Promise<Files> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = names.toSorted().map(async (name) => {
    const whole = await readFile(name, 'utf8');
    const text = name.endsWith('.js') ? (/^(?:.*\n){3}/.exec(whole)?.[0] ?? whole) : whole;
    return [name.slice(home.length + 1), text.replaceAll(stateHome, fictionalHome)] as const;
  });
  return Object.fromEntries(await Promise.all(files));
}

/** Reads a golden file: the text of each file stands below a line with its path. */
function filesIn(text: string): Files {
  const [, ...pieces] = text.split(/^=== (.*)\n/m);
  return Object.fromEntries(pieces.flatMap((name, at) => (at % 2 === 0 ? [[name, pieces[at + 1] ?? '']] : [])));
}
