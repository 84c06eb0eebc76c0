import { randomBytes } from 'node:crypto';
import { lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readFlags } from '#base/openFlags.ts';
import { hasEnded, hostIdentity, isSameHost } from './hostIdentity.ts';
import { hasCode } from './ownFile.ts';
import { makePrivateFolder } from './stateFolder.ts';

const text = z.string().check(z.maxLength(4096));
const loopbackUrl = z.url({ protocol: /^http$/, hostname: /^127\.0\.0\.1$/ });
/** Milliseconds since the epoch. */
const time = z.int().check(z.gte(0), z.lte(2 ** 48));

/** The content of a window file, by which a window tells other programs of this user how to reach it (docs/connecting.md). */
export const WindowRecord = z.object({
  version: z.literal(1),
  windowId: z.string().check(z.regex(/^[\w-]{1,100}$/)),
  endpoint: loopbackUrl,
  /** Endpoint that accepts access tokens only and keeps its port; present while that listener is open. */
  httpEndpoint: z.optional(loopbackUrl),
  token: z.string().check(z.minLength(43), z.maxLength(128)),
  folders: z.array(z.object({ name: text, path: text, uri: text })).check(z.maxLength(1000)),
  workspaceName: z.optional(text),
  trusted: z.boolean(),
  extensionVersion: text,
  editor: z.object({ name: text, version: text }),
  hostName: text,
  bootId: text,
  pidNamespace: text,
  pid: z.int().check(z.gte(1), z.lte(2 ** 31 - 1)),
  /** When the process started, in clock ticks after the boot; known on Linux only. */
  processStart: z.optional(z.int().check(z.gte(0))),
  startedAt: time,
  /** When the window last gained the focus; 0 when it never did, or when an older version wrote the file. */
  focusedAt: z.prefault(time, 0),
  /** The number of requests that wait for the user in the window; absent when an older version wrote the file. */
  waiting: z.optional(z.int().check(z.gte(0), z.lte(1_000_000))),
});
export type WindowRecord = z.infer<typeof WindowRecord>;

/**
 * Writes or replaces the file of a window. The file appears under its name complete and readable by its owner only. Whatever had
 * that name before is replaced; a link is never written through (threat row H12).
 * @param home the state folder of this user (`~/.drawbridge`), which is created when missing
 * @returns the path of the file
 */
export async function writeWindowFile(home: string, record: WindowRecord): Promise<string> {
  const { windowId } = WindowRecord.parse(record);
  const path = fileOf(windowsFolder(home), windowId);
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(record)}\n`);
    await file.close();
    await rename(temporary, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
  return path;
}

/** Removes the file of a window if it still holds this token. After a reload, the next run may have written its own file. */
export async function removeWindowFile(home: string, windowId: string, token: string): Promise<void> {
  const path = fileOf(join(home, 'windows'), windowId);
  const record = await readWindowFile(path);
  if (record?.token === token) await rm(path, { force: true });
}

/** Reads the window files of this host, boot and pid namespace. Some windows may have ended. Changes nothing on the disk. */
export async function readWindowRecords(home: string): Promise<readonly WindowRecord[]> {
  const folder = join(home, 'windows');
  const identity = await hostIdentity();
  const names = await readdir(folder).catch(() => []);
  const paths = names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
  const records = await Promise.all(paths.map((path) => readWindowFile(path)));
  return records.filter((record) => record !== undefined).filter((record) => isSameHost(record, identity));
}

/** The result of an authenticated request to the endpoint of a window. */
export type WindowAnswer = 'alive' | 'refused' | 'unknown';

/**
 * Removes the files of windows of this host that have ended: the process is gone, or the endpoint refuses its own token. Files of
 * other hosts, boots and containers stay, since their processes cannot be checked here. Creates nothing, since the sweep of a
 * window may outlast the window.
 */
export async function sweepWindowFiles(
  home: string,
  ask: (record: WindowRecord) => Promise<WindowAnswer> = askWindow,
): Promise<void> {
  const folder = join(home, 'windows');
  const identity = await hostIdentity();
  for (const name of await readdir(folder).catch(noNames)) {
    const path = join(folder, name);
    if (name.endsWith('.tmp')) await removeOld(path);
    if (!name.endsWith('.json')) continue;
    const record = await readWindowFile(path);
    if (record === undefined || !isSameHost(record, identity) || !(await isDead(record, ask))) continue;
    await removeWindowFile(home, record.windowId, record.token);
  }
}

/**
 * Asks a window whether it accepts its own token. The request is OPTIONS, which reaches the token check and nothing behind it: the
 * server answers 405 with the right token and 401 without.
 * @param timeout how long the window may take, in milliseconds
 */
export function askWindow({ endpoint, token }: WindowRecord, timeout = 2000): Promise<WindowAnswer> {
  return new Promise((resolve) => {
    const options = { method: 'OPTIONS', headers: { Authorization: `Bearer ${token}` }, agent: false, timeout };
    const question = request(endpoint, options, (answer) => {
      answer.resume();
      const { statusCode = 500 } = answer;
      // A window that cannot answer now says so by 429 or 5xx; any other status comes from another program.
      const isInTrouble = statusCode === 429 || statusCode >= 500;
      resolve(statusCode === 405 ? 'alive' : isInTrouble ? 'unknown' : 'refused');
    });
    question.on('timeout', () => question.destroy(new Error('No answer')));
    question.on('error', (error) => resolve(hasCode(error, 'ECONNREFUSED') ? 'refused' : 'unknown'));
    question.end();
  });
}

async function isDead(record: WindowRecord, ask: (record: WindowRecord) => Promise<WindowAnswer>): Promise<boolean> {
  return (await hasEnded(record)) || (await ask(record)) === 'refused';
}

const maximumFileBytes = 4 * 1024 * 1024;
const abandonedMilliseconds = 60_000;

/** Reads a window file. Returns undefined for links, files of other users, and anything malformed. */
export async function readWindowFile(path: string): Promise<WindowRecord | undefined> {
  let file;
  try {
    file = await open(path, readFlags);
    const { size, uid } = await checkedStat(file);
    if (size > maximumFileBytes || !isOwn(uid)) return undefined;
    const parsed = WindowRecord.safeParse(JSON.parse(await file.readFile('utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}

async function checkedStat(file: Awaited<ReturnType<typeof open>>): Promise<{ size: number; uid: number }> {
  const stats = await file.stat();
  if (!stats.isFile()) throw new Error('Not a file');
  return stats;
}

/** Removes a temporary file when it is old: its writer crashed before the rename. */
async function removeOld(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isFile() === true && isOwn(stats.uid) && Date.now() - stats.mtimeMs > abandonedMilliseconds) {
    await rm(path, { force: true });
  }
}

/** Creates the folder of window files, private to this user, unless it exists, and returns its path. */
function windowsFolder(home: string): string {
  const folder = join(home, 'windows');
  makePrivateFolder(home, folder);
  return folder;
}

function isOwn(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** Returns no names for a folder that does not exist. */
function noNames(error: unknown): string[] {
  if (hasCode(error, 'ENOENT')) return [];
  throw error;
}

function fileOf(folder: string, windowId: string): string {
  return join(folder, `${windowId}.json`);
}
