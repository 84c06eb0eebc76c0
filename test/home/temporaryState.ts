import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stateFolder, type StateFolder } from '#home/stateFolder.ts';

/** Returns the path of a state folder for the running test. It is not created yet, and is removed after the test. */
export function temporaryState(): StateFolder {
  const directory = mkdtempSync(join(tmpdir(), 'drawbridge-state-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return stateFolder({ DRAWBRIDGE_HOME: join(directory, 'home') });
}
