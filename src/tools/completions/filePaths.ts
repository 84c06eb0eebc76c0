import type { ResolvedPath } from '#base/files.ts';
import { defineCompletion } from '#call/completion.ts';
import type { ToolContext } from '#call/tool.ts';
import { visible } from '#policy/unsafeNames.ts';
import { anyCaseGlob } from '../globs.ts';
import { searchRoots } from '../workspace/pathInput.ts';
import { bestFirst } from './bestFirst.ts';

/** The most files of a search; the user is typing and should not wait for more. */
const maximumFound = 1000;

/** Completes paths of files: open editors first, then a search; ignored files only when they are open. */
export const filePaths = defineCompletion({
  judgedAs: 'find_files',
  needs: ['editors', 'search', 'workspace'],
  async complete(typed, _others, context, signal) {
    const part = typed.replaceAll('\\', '/').replace(/^(\.?\/)+/, '');
    const open = bestFirst(
      context.editors
        .open()
        .map(({ path }) => path)
        .filter(isTypeable),
      part,
    );
    const found = new Set<string>();
    const isWhole = await find(part, found, context, signal);
    const others = bestFirst([...found].filter(isTypeable), part).filter((path) => !open.includes(path));
    const values = [...open, ...others];
    return { values, ...(isWhole ? { total: values.length } : {}) };
  },
});

/** Returns true for paths without invisible characters, which no address accepts. */
function isTypeable(path: string): boolean {
  return visible(path) === path;
}

/** Adds matching paths to `found`; returns false when the limit cut the search. */
async function find(
  part: string,
  found: Set<string>,
  context: Pick<ToolContext, 'search' | 'workspace' | 'targets' | 'resolve'>,
  signal: AbortSignal,
): Promise<boolean> {
  for (const root of await searchRoots(context)) {
    const below = belowRoot(part, root);
    const glob = anyCaseGlob(below);
    // The typed text may be the name of a folder.
    const include = below === '' ? [] : [glob, `${glob}/**`];
    for await (const { path } of context.search.files(
      { within: [root], include, exclude: [], includeIgnored: false },
      signal,
    )) {
      if (found.size >= maximumFound) return false;
      found.add(path);
    }
  }
  return true;
}

/** Returns the text to search in one of several folders, without its name; empty when the text is a part of its name. */
function belowRoot(part: string, { path: label }: ResolvedPath): string {
  if (label === '.') return part;
  const lower = part.toLowerCase();
  if (lower.startsWith(`${label.toLowerCase()}/`)) return part.slice(label.length + 1);
  return label.toLowerCase().includes(lower) ? '' : part;
}
