import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stateFolder, type StateFolder } from '#home/stateFolder.ts';

/** A state folder of its own for the running test, not made yet; removed when the test has finished. */
export function temporaryState(): StateFolder {
  const directory = mkdtempSync(join(tmpdir(), 'drawbridge-state-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return stateFolder({ DRAWBRIDGE_HOME: join(directory, 'home') });
}
