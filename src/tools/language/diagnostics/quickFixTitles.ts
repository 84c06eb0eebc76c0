import { ToolError } from '#base/toolError.ts';
import type { ToolContext } from '#call/tool.ts';
import type { Told } from '../getDiagnostics.ts';

/** Lines that fixes are looked for on: each is a question to every service of the language. */
const mostLines = 20;
const mostTitles = 10;

/** Finds the titles of the fixes for diagnostics, as the lightbulb shows them. */
export async function quickFixTitles(
  told: readonly Told[],
  { refactorings, resolve }: ToolContext<'refactorings'>,
  signal: AbortSignal,
): Promise<(each: Told) => { readonly quickFixes?: string[] }> {
  const lines = [...Map.groupBy(told, lineKey)].slice(0, mostLines);
  const titles = new Map<string, readonly { readonly title: string; readonly fixes: readonly string[] }[]>();
  for (const [key, [first]] of lines) {
    if (first === undefined) continue;
    const { firstLine } = first.diagnostic;
    try {
      const path = await resolve(first.file.uri);
      titles.set(key, await refactorings.codeActions(path, { firstLine, lastLine: firstLine }, ['quickfix'], signal));
    } catch (error) {
      // Without fixes a problem is still worth telling.
      if (!(error instanceof ToolError)) throw error;
    }
  }
  return (each) => {
    const offered = titles.get(lineKey(each))?.filter(({ fixes }) => fixes.includes(each.diagnostic.message)) ?? [];
    return offered.length === 0 ? {} : { quickFixes: offered.slice(0, mostTitles).map(({ title }) => title) };
  };
}

function lineKey({ file, diagnostic }: Told): string {
  return `${file.path}\n${diagnostic.firstLine}`;
}
