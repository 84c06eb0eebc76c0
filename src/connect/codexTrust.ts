/**
 * Codex runs a hook only when the user trusts it, as it stands at its place in the file. Its app server tells the trust of each
 * hook and takes a new one, as its dialog `/hooks` does (learn.chatgpt.com/docs/app-server; read from runs of 0.169.0).
 */
import { spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { isHookCommand } from './hookCommand.ts';

/**
 * - `trusted`: Codex runs all hooks of Drawbridge in the file.
 * - `modified`: one of them is not as the user trusted it.
 * - `untrusted`: the user has never trusted one of them, or has turned one off.
 * - `absent`: the file has no hook of Drawbridge.
 * - `unknown`: Codex did not answer, for example because it is too old or cannot be started.
 */
export type CodexTrust = 'trusted' | 'untrusted' | 'modified' | 'absent' | 'unknown';

const patienceMilliseconds = 10_000;

const hook = z.object({
  key: z.string(),
  command: z.nullish(z.string()),
  sourcePath: z.string(),
  enabled: z.boolean(),
  currentHash: z.string(),
  trustStatus: z.enum(['managed', 'trusted', 'modified', 'untrusted']),
});
type Hook = z.infer<typeof hook>;

const hookList = z.object({
  data: z.array(z.object({ hooks: z.array(hook), warnings: z.array(z.unknown()), errors: z.array(z.unknown()) })),
});
const answer = z.object({ id: z.number(), result: z.unknown() });

/**
 * Asks Codex whether it trusts the hooks of Drawbridge. Never rejects; answers within ten seconds.
 * @param codexProgram the absolute path of the program `codex`
 * @param hookFile `hooks.json` in the user's folder of Codex
 * @param environment the variables of the program; `CODEX_HOME` in it must be as in the user's terminals
 */
export async function readCodexTrust(
  codexProgram: string,
  hookFile: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<CodexTrust> {
  const trust = await withAppServer(codexProgram, environment, async (ask) => trustOf(await ownHooks(ask, hookFile)));
  return trust ?? 'unknown';
}

/**
 * Makes Codex trust the hooks of Drawbridge as they stand in the file, and no other hook; the user has just agreed to this. Codex
 * writes the trust into its `config.toml`. Never rejects; answers within ten seconds.
 * @returns the trust afterwards
 */
export async function trustCodexHook(
  codexProgram: string,
  hookFile: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<CodexTrust> {
  const trust = await withAppServer(codexProgram, environment, async (ask) => {
    const hooks = await ownHooks(ask, hookFile);
    const value = Object.fromEntries(hooks.filter(isTrustable).map((each) => [each.key, stateOf(each)]));
    if (Object.keys(value).length > 0) {
      const edits = [{ keyPath: 'hooks.state', value, mergeStrategy: 'upsert' }];
      await ask('config/batchWrite', { edits, reloadUserConfig: true });
    }
    return trustOf(await ownHooks(ask, hookFile));
  });
  return trust ?? 'unknown';
}

function isTrustable({ trustStatus, enabled }: Hook): boolean {
  return trustStatus !== 'managed' && !(trustStatus === 'trusted' && enabled);
}

function stateOf({ currentHash, enabled }: Hook): object {
  return { trusted_hash: currentHash, ...(!enabled && { enabled: true }) };
}

function trustOf(hooks: readonly Hook[]): CodexTrust {
  if (hooks.length === 0) return 'absent';
  if (hooks.some(({ trustStatus }) => trustStatus === 'modified')) return 'modified';
  return hooks.some(({ trustStatus, enabled }) => trustStatus === 'untrusted' || !enabled) ? 'untrusted' : 'trusted';
}

type Ask = (method: string, parameters: object) => Promise<unknown>;

async function ownHooks(ask: Ask, hookFile: string): Promise<readonly Hook[]> {
  const { data } = hookList.parse(await ask('hooks/list', { cwds: [dirname(hookFile)] }));
  const wanted = await realPath(hookFile);
  const found = data.flatMap(({ hooks }) => hooks).filter(({ command }) => isHookCommand(command ?? ''));
  const paths = await Promise.all(found.map(({ sourcePath }) => realPath(sourcePath)));
  const own = found.filter((_, index) => paths[index] === wanted);
  if (own.length === 0 && data.some(({ warnings, errors }) => warnings.length + errors.length > 0)) {
    throw new Error('Codex could not read all of its settings');
  }
  return own;
}

function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** Returns the result of `use`, which asks an app server; undefined when the server does not start, does not answer or refuses. */
async function withAppServer<T>(
  codexProgram: string,
  environment: NodeJS.ProcessEnv,
  use: (ask: Ask) => Promise<T>,
): Promise<T | undefined> {
  const child = spawn(codexProgram, ['app-server'], {
    env: environment,
    shell: false,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = Promise.withResolvers<undefined>();
  const end = (): void => ended.resolve(undefined);
  child.once('error', end);
  child.once('close', end);
  child.stdin.on('error', end);
  const timer = setTimeout(end, patienceMilliseconds);
  const waiting = new Map<number, (result: unknown) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { data } = answer.safeParse(parseJson(line));
    if (data !== undefined) waiting.get(data.id)?.(data.result);
  });
  const write = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask: Ask = (method, params) =>
    new Promise((resolve) => {
      const id = waiting.size + 1;
      waiting.set(id, resolve);
      write({ id, method, params });
    });
  const conversation = async (): Promise<T | undefined> => {
    try {
      await ask('initialize', { clientInfo: { name: 'drawbridge', version: '1.0.0' } });
      write({ method: 'initialized' });
      return await use(ask);
    } catch {
      // It could not read its settings, or gave an answer of another shape.
      return undefined;
    }
  };
  try {
    return await Promise.race([conversation(), ended.promise]);
  } finally {
    clearTimeout(timer);
    child.kill();
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
