import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { keepVersionKey } from '#audit/textVersion.ts';
import type { createLogging } from './record.ts';

/** The name of the key of versions in the secret storage. */
const name = 'drawbridge.versionKey';
/** How long the start waits for the secret storage, which may ask the user to unlock a keyring, in milliseconds. */
const longestWait = 2000;

/**
 * Takes the key of versions from the secret storage, or makes it at the first start, so that versions stay valid over a reload.
 * Until it is there, and when the storage fails, a key of this process serves: an older version then counts as stale.
 */
export async function useVersionKey(
  storage: Pick<vscode.SecretStorage, 'get' | 'store'>,
  log: Pick<ReturnType<typeof createLogging>['log'], 'error'>,
): Promise<void> {
  const taken = takeKey(storage).catch((error: unknown) =>
    log.error('The secret storage holds no key, so versions of files end with this window', error),
  );
  await Promise.race([taken, setTimeout(longestWait, undefined, { ref: false })]);
}

async function takeKey(storage: Pick<vscode.SecretStorage, 'get' | 'store'>): Promise<void> {
  const kept = await storage.get(name);
  if (kept === undefined || !isKey(kept)) await storage.store(name, randomBytes(32).toString('base64'));
  // Another window may have stored its key at the same time; the last one counts for all.
  const current = await storage.get(name);
  if (current === undefined || !isKey(current)) throw new Error('What was stored is not there');
  keepVersionKey(Buffer.from(current, 'base64'));
}

function isKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(text);
}
