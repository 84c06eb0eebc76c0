import * as z from 'zod';
import { ToolError } from '#base/toolError.ts';
import type { LinkedFile, ToolContext } from '#call/tool.ts';

/** The most files that a result links. */
export const linkedFiles = 20;

/** The output fields of a listed file that may be linked. */
export const linkFields = {
  size: z.int().min(0).max(1_000_000_000_000_000).exactOptional().describe('Bytes'),
  lastModified: z.string().exactOptional().describe('ISO 8601'),
};

type LinkFacts = { size?: number; lastModified?: string };

/** Returns size and time of a found file, or nothing when the file is not readable, so that it is not linked. */
export async function linkFacts(fsPath: string, { files }: Pick<ToolContext<'files'>, 'files'>): Promise<LinkFacts> {
  try {
    const { kind, size, modified } = await files.locate(fsPath, 'read');
    return kind === 'file' ? { size, lastModified: new Date(modified).toISOString() } : {};
  } catch (error) {
    if (error instanceof ToolError) return {};
    throw error;
  }
}

/** Returns the link to a listed file, or none when the file is too large to read: every link of a result is readable. */
export function linksTo(
  { path, uri, size, lastModified }: LinkFacts & Pick<LinkedFile, 'path' | 'uri'>,
  maximumBytes: number,
): readonly LinkedFile[] {
  if (size === undefined || size > maximumBytes) return [];
  return [{ path, uri, size, ...(lastModified === undefined ? {} : { modified: Date.parse(lastModified) }) }];
}
