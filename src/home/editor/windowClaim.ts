import { randomBytes, randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import type * as vscode from 'vscode';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { hasEnded, hostIdentity, isSameBoot, isSameHost, ownProcess } from '../hostIdentity.ts';
import { readOwnFile } from '../ownFile.ts';
import { readWindowFile } from '../windows.ts';

/** What makes a window this one and no other. Windows on one folder share its storage, and each has a claim of its own. */
export interface WindowClaim {
  /** 128 bits in hex; the same after a reload, unless the window has no folder. */
  readonly windowId: string;
  /** A port between 49152 and 65535, chosen once and kept; undefined without a folder. */
  httpPort(): Promise<number | undefined>;
  /** The window closes or reloads: whoever comes next may be it. */
  release(): void;
}

export interface WindowClaimOptions {
  /** The extension's storage for the workspace; a window without a folder has none. */
  readonly storage: Pick<vscode.Uri, 'scheme' | 'fsPath'> | undefined;
  /** The state folder of this user, absolute. */
  readonly home: string;
  /** A window that reloads may start before it has ended; it gets this long. */
  readonly patienceMilliseconds?: number;
}

/** Which process has a claim. */
const Owner = z.object({
  hostName: z.string(),
  bootId: z.string(),
  pidNamespace: z.string(),
  pid: z.int().min(1),
  processStart: z.int().optional(),
  /** Milliseconds since the epoch. */
  startedAt: z.number(),
});
type Owner = z.infer<typeof Owner>;

const patience = 2000;
const pollMilliseconds = 50;
const mostWindows = 100;
const lockOptions = { realpath: false, stale: 5000, retries: { retries: 100, minTimeout: 10, maxTimeout: 100 } };

/**
 * Finds out which window this is: the first one on its folder that no other process is.
 * @throws when the storage cannot be written
 */
export async function claimWindow(options: WindowClaimOptions): Promise<WindowClaim> {
  const { storage, home, patienceMilliseconds = patience } = options;
  if (storage === undefined || storage.scheme !== 'file') {
    return { windowId: freshId(), httpPort: async () => undefined, release: () => undefined };
  }
  const folder = storage.fsPath;
  await mkdir(folder, { recursive: true });
  const owner = { ...(await hostIdentity()), ...(await ownProcess()), startedAt: Date.now() };
  const end = performance.now() + patienceMilliseconds;
  for (;;) {
    const most = performance.now() < end ? 1 : mostWindows;
    const place = await takePlace(folder, home, owner, most);
    if (place !== undefined) return claimOf(place, owner);
    if (most > 1) throw new Error(`${folder} has more than ${mostWindows} windows.`);
    await setTimeout(pollMilliseconds);
  }
}

/** The files of the first window on a folder, the second, and so on. Absolute paths. */
interface Place {
  readonly id: string;
  readonly port: string;
  readonly owner: string;
}

function placeOf(folder: string, number: number): Place {
  const suffix = number === 1 ? '' : `-${number}`;
  const [id, port, owner] = ['window-id', 'http-port', 'window-owner'].map((name) => join(folder, `${name}${suffix}`));
  return { id: id ?? '', port: port ?? '', owner: owner ?? '' };
}

/** Takes the first free of so many places. Two windows that open at once do it one after the other. */
async function takePlace(
  folder: string,
  home: string,
  owner: Owner,
  most: number,
): Promise<(Place & { readonly windowId: string }) | undefined> {
  const unlock = await lock(folder, { ...lockOptions, lockfilePath: join(folder, 'window-owners.lock') });
  try {
    for (let number = 1; number <= most; number++) {
      const place = placeOf(folder, number);
      const windowId = await idAt(place);
      if (!(await isFree(place, windowId, home, owner))) continue;
      await writeFileAtomic(place.owner, JSON.stringify(owner), { mode: 0o600 });
      return { ...place, windowId };
    }
    return undefined;
  } finally {
    await unlock().catch(() => undefined);
  }
}

async function isFree(place: Place, windowId: string, home: string, asking: Owner): Promise<boolean> {
  const holder = readOwner(place);
  if (holder === undefined) return true;
  if (isSameHost(holder, asking)) return holder.pid === asking.pid || (await hasEnded(holder));
  if (holder.hostName === asking.hostName && !isSameBoot(holder.bootId, asking.bootId)) return true;
  // Of another host or container that shares this folder only its window file can tell.
  const record = await readWindowFile(join(home, 'windows', `${windowId}.json`));
  return record === undefined || !isSameHost(record, holder);
}

function readOwner({ owner }: Place): Owner | undefined {
  try {
    const text = readOwnFile(owner)?.text;
    return text === undefined ? undefined : Owner.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function claimOf(place: Place & { readonly windowId: string }, owner: Owner): WindowClaim {
  return {
    windowId: place.windowId,
    httpPort: () => portAt(place),
    release() {
      const holder = readOwner(place);
      if (holder?.pid === owner.pid && holder.startedAt === owner.startedAt) rmSync(place.owner, { force: true });
    },
  };
}

async function idAt({ id }: Place): Promise<string> {
  const kept = await readFile(id, 'utf8').catch(() => '');
  if (/^[0-9a-f]{32}$/.test(kept)) return kept;
  const fresh = freshId();
  await writeFileAtomic(id, fresh, { mode: 0o600 });
  return fresh;
}

function freshId(): string {
  return randomBytes(16).toString('hex');
}

/** The range that the Internet's registry leaves to whoever comes (RFC 6335, section 6). */
const ports = { first: 49_152, last: 65_535 };

async function portAt({ port }: Place): Promise<number> {
  const kept = Number(await readFile(port, 'utf8').catch(() => ''));
  if (Number.isInteger(kept) && kept >= ports.first && kept <= ports.last) return kept;
  const chosen = randomInt(ports.first, ports.last + 1);
  await writeFileAtomic(port, String(chosen), { mode: 0o600 });
  return chosen;
}
