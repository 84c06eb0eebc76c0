import type { FoundFile, ResolvedPath } from '#base/files.ts';
import type { ActionResult } from '#base/toolError.ts';
import { visible } from '#policy/unsafeNames.ts';

/** The result of an action for one file. */
export interface FileResult {
  readonly text: string;
  readonly isError?: true;
}

/** Acts on one file after the other, also after a failure, and returns a line for each. */
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

/** Returns the real path of a file that was found below its folder. */
export function realPathOf({ folder, fsPath }: FoundFile): string {
  return folder.realPath + fsPath.slice(folder.fsPath.length);
}
