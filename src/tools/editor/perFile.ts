import type { FoundFile, ResolvedPath } from '#base/files.ts';
import type { ActionResult } from '#base/toolError.ts';
import { visible } from '#policy/unsafeNames.ts';

/** What became of one file of an action. */
export interface FileResult {
  readonly text: string;
  readonly isError?: true;
}

/** Does something to one file after the other, whatever became of those before; a line for each. */
export async function perFile(
  files: readonly ResolvedPath[],
  act: (file: ResolvedPath) => Promise<FileResult>,
): Promise<ActionResult> {
  const lines: string[] = [];
  let hasFailed = false;
  for (const file of files) {
    const { text, isError } = await act(file).catch((error: unknown): FileResult => ({
      text: `failed: ${error instanceof Error ? error.message : String(error)}`,
      isError: true,
    }));
    hasFailed ||= isError === true;
    lines.push(`${visible(file.path)}: ${text}`);
  }
  return { text: lines.join('\n'), ...(hasFailed && { isError: true as const }) };
}

/** Of a file that was found under its real name. */
export function realPathOf({ folder, fsPath }: FoundFile): string {
  return folder.realPath + fsPath.slice(folder.fsPath.length);
}
