import * as z from 'zod';
import type { TaskAssistant } from './realTask.ts';

const found = z.looseObject({
  matches: z.array(z.looseObject({ file: z.string(), line: z.int(), content: z.string() })),
  nextCursor: z.string().optional(),
});
const files = z.looseObject({ text: z.string() });
const outcome = z.looseObject({ status: z.literal('applied') });

export interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface TextEdit {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean;
}

/** Every match, page after page. */
export async function search(
  assistant: TaskAssistant,
  query: Readonly<Record<string, unknown>>,
): Promise<readonly Match[]> {
  const all: Match[] = [];
  let cursor: string | undefined;
  do {
    const page = found.parse(
      await assistant.call('search_code', { ...query, ...(cursor === undefined ? {} : { cursor }) }),
    );
    all.push(...page.matches.map(({ file, line, content }) => ({ path: file, line, text: content })));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}

/** Paths that hold a match, each once. */
export async function searchPaths(
  assistant: TaskAssistant,
  query: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  return [...new Set((await search(assistant, query)).map(({ path }) => path))];
}

export async function readText(assistant: TaskAssistant, path: string): Promise<string> {
  return files.parse(await assistant.call('read_file', { path })).text;
}

export async function applyEdits(assistant: TaskAssistant, edits: readonly TextEdit[]): Promise<void> {
  outcome.parse(await assistant.call('apply_edit', { edits, reason: 'As asked.' }));
}

/** Paths of files that import a name from a module, by its last path segment, type imports too. */
export async function importers(assistant: TaskAssistant, name: string, module: string): Promise<readonly string[]> {
  return searchPaths(assistant, {
    query: `import .*\\b${name}\\b.* from '[^']*/${module}'`,
    isRegex: true,
    caseSensitive: true,
    path: 'src',
  });
}
