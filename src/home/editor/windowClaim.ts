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
import { readWindowFile } from '../windowFiles.ts';

/**
 * The identity of a window: its id and its port. Windows on the same folder share the storage of the workspace, so each claims one
 * numbered set of files in it.
 */
export interface WindowClaim {
  /** 128 bits in hex. A reload keeps the id, unless the window has no folder. */
  readonly windowId: string;
  /** Returns a port between 49152 and 65535, chosen once and kept, or undefined without a folder. */
  httpPort(): Promise<number | undefined>;
  /** Releases the claim on close or reload; the next window on this folder may take over the id. */
  release(): void;
}

/** The options of {@link claimWindow}. */
export interface WindowClaimOptions {
  /** The extension's storage for the workspace; undefined in a window without a folder. */
  readonly storage: Pick<vscode.Uri, 'scheme' | 'fsPath'> | undefined;
  /** Absolute path of the state folder of this user. */
  readonly home: string;
  /** How long to wait for the first claim: a reloaded window may start before its old process ended. Two seconds by default. */
  readonly patienceMilliseconds?: number;
}

/** The process that holds a claim, as its owner file names it. */
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
 * Claims the first identity on the folder of this window that no other running process holds.
 * @throws when the storage cannot be written, or 100 windows hold a claim on the folder
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
    const files = await takeClaim(folder, home, owner, most);
    if (files !== undefined) return claimOf(files, owner);
    if (most > 1) throw new Error(`${folder} has more than ${mostWindows} windows.`);
    await setTimeout(pollMilliseconds);
  }
}

/** The files of one claim on a folder, as absolute paths. The first claim has no suffix, the second has `-2`, and so on. */
interface ClaimFiles {
  readonly id: string;
  readonly port: string;
  readonly owner: string;
}

function claimFilesOf(folder: string, number: number): ClaimFiles {
  const suffix = number === 1 ? '' : `-${number}`;
  const [id, port, owner] = ['window-id', 'http-port', 'window-owner'].map((name) => join(folder, `${name}${suffix}`));
  return { id: id ?? '', port: port ?? '', owner: owner ?? '' };
}

/** Takes the first free claim of the first `most`. A lock makes windows that open at once do this one after the other. */
async function takeClaim(
  folder: string,
  home: string,
  owner: Owner,
  most: number,
): Promise<(ClaimFiles & { readonly windowId: string }) | undefined> {
  const unlock = await lock(folder, { ...lockOptions, lockfilePath: join(folder, 'window-owners.lock') });
  try {
    for (let number = 1; number <= most; number++) {
      const files = claimFilesOf(folder, number);
      const windowId = await idAt(files);
      if (!(await isFree(files, windowId, home, owner))) continue;
      await writeFileAtomic(files.owner, JSON.stringify(owner), { mode: 0o600 });
      return { ...files, windowId };
    }
    return undefined;
  } finally {
    await unlock().catch(() => undefined);
  }
}

async function isFree(files: ClaimFiles, windowId: string, home: string, asking: Owner): Promise<boolean> {
  const holder = readOwner(files);
  if (holder === undefined) return true;
  if (isSameHost(holder, asking)) return holder.pid === asking.pid || (await hasEnded(holder));
  if (holder.hostName === asking.hostName && !isSameBoot(holder.bootId, asking.bootId)) return true;
  // Only the window file tells whether a process of another host or container, which shares this folder, still runs.
  const record = await readWindowFile(join(home, 'windows', `${windowId}.json`));
  return record === undefined || !isSameHost(record, holder);
}

function readOwner({ owner }: ClaimFiles): Owner | undefined {
  try {
    const text = readOwnFile(owner)?.text;
    return text === undefined ? undefined : Owner.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function claimOf(files: ClaimFiles & { readonly windowId: string }, owner: Owner): WindowClaim {
  return {
    windowId: files.windowId,
    httpPort: () => portAt(files),
    release() {
      const holder = readOwner(files);
      if (holder?.pid === owner.pid && holder.startedAt === owner.startedAt) rmSync(files.owner, { force: true });
    },
  };
}

async function idAt({ id }: ClaimFiles): Promise<string> {
  const kept = await readFile(id, 'utf8').catch(() => '');
  if (/^[0-9a-f]{32}$/.test(kept)) return kept;
  const fresh = freshId();
  await writeFileAtomic(id, fresh, { mode: 0o600 });
  return fresh;
}

function freshId(): string {
  return randomBytes(16).toString('hex');
}

/** The range of dynamic ports, which IANA assigns to nobody (RFC 6335, section 6). */
const ports = { first: 49_152, last: 65_535 };

async function portAt({ port }: ClaimFiles): Promise<number> {
  const kept = Number(await readFile(port, 'utf8').catch(() => ''));
  if (Number.isInteger(kept) && kept >= ports.first && kept <= ports.last) return kept;
  const chosen = randomInt(ports.first, ports.last + 1);
  await writeFileAtomic(port, String(chosen), { mode: 0o600 });
  return chosen;
}
