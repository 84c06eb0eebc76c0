import * as z from 'zod';

const removal = z.object({
  event: z.literal('records.removal'),
  removed: z.array(z.object({ auditFile: z.string() })),
});

/** Returns the names of the files that a line of the record says are about to be removed; none for any other line. */
export function removedFiles(line: Buffer): readonly string[] {
  if (!line.includes('"event":"records.removal"')) return [];
  try {
    return removal.safeParse(JSON.parse(line.toString('utf8'))).data?.removed.map(({ auditFile }) => auditFile) ?? [];
  } catch {
    return [];
  }
}
