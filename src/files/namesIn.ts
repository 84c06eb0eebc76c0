import { readdirSync } from 'node:fs';

/** Returns the names of everything in a folder; none when it is missing or cannot be listed. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
