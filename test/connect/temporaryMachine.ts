import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Machine } from '#connect/assistant.ts';

/** A machine of Linux with nothing on it, in a folder that goes when the test ends. */
export async function temporaryMachine(): Promise<Machine & { readonly stateHome: string }> {
  const root = await mkdtemp(join(tmpdir(), 'drawbridge-connect-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const stateHome = join(root, 'state');
  return {
    platform: 'linux',
    home: join(root, 'home'),
    environment: {},
    launcher: join(stateHome, 'bin', 'drawbridge'),
    editorUserFolder: join(root, 'home', '.config', 'Code', 'User'),
    stateHome,
  };
}
