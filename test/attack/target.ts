/** Prepares the packaged extension in a real window for an attack, with a folder outside the workspace that the attacker wants to reach. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connectAssistant, patience, type Assistant } from '../e2e/assistant.ts';
import type { Drawbridge, WindowRecord } from '../e2e/harness.ts';
import { until } from '../host/until.ts';
import { initialize, jsonHeaders, send, type RawAnswer } from '../mcp/rawHttp.ts';

/** The name of the client that attacks. Its calls wait for the user no longer than a second. */
export const attackerName = 'attacker';

/** User settings of the window under attack. */
export const attackSettings = {
  'drawbridge.clients': { ...patience['drawbridge.clients'], [attackerName]: { approvalSeconds: 1 } },
};

/** A text that stands outside the workspace or in a closed file; whoever gets it has won. */
export const loot = 'loot-4711-abcdef';

export interface Target {
  readonly drawbridge: Drawbridge;
  /** The open folder, which is empty when an attack begins. */
  readonly folder: string;
  /** A folder beside the open one, with the loot in `loot.txt`. */
  readonly outside: string;
  readonly record: WindowRecord;
  readonly port: number;
}

/** Looks at a window, and lays the loot out beside its folder. */
export async function targetOf(drawbridge: Drawbridge & { readonly folder: string }): Promise<Target> {
  const { folder } = drawbridge;
  const record = await drawbridge.record();
  const outside = join(dirname(folder), 'outside');
  mkdirSync(outside, { recursive: true });
  writeFileSync(join(outside, 'loot.txt'), `${loot}\n`);
  return { drawbridge, folder, outside, record, port: Number(new URL(record.endpoint).port) };
}

/** Counts what an attack tries, and keeps in words each try that reached the aim of the attacker. */
export class Tries {
  readonly successes: string[] = [];
  /** The latest try that did not reach the aim. */
  failed = 'nothing';
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Counts one try. @param what the try in words @param reached whether the attacker reached his aim */
  add(what: string, reached: boolean): void {
    this.#count += 1;
    if (reached) this.successes.push(what);
    else this.failed = what;
  }
}

/** One line of a source file, and the text that takes its place when the defence is switched off. */
export interface Line {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** The live attack of a row of `test/threats/threats.json`. */
export interface Attack {
  /** The id of the row. */
  readonly id: string;
  /** The aim of the attacker, as a sentence. */
  readonly name: string;
  /** True: it also runs in `npm test`, on the shared window. */
  readonly isQuick?: boolean;
  /** True: it needs a window that has just opened, since only so many changes are applied in ten minutes without asking. */
  readonly isFresh?: boolean;
  /** True: only root can attack, since it acts as another user; for anybody else it is left out. */
  readonly needsRoot?: boolean;
  /**
   * The lines whose change switches the defence off, where the line of the row does not: several where one defence stands
   * behind another.
   */
  readonly control?: readonly Line[];
  run(target: Target, tries: Tries): Promise<void>;
}

/** Writes files into the open folder. */
export function put({ folder }: Target, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Connects the attacker with the token of the window, as an assistant does that is told to do harm. */
export const connectAttacker = ({ record }: Target): Promise<Assistant> =>
  connectAssistant(record, { name: attackerName });

/** Returns everything that a call answers, an error too, as one text. */
export async function answerOf(
  assistant: Assistant,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<string> {
  try {
    return JSON.stringify(await assistant.call(tool, args));
  } catch (error) {
    return String(error);
  }
}

/** Returns what becomes of a proposal: its status, or the code or text of the error. */
export async function endOf(
  assistant: Assistant,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<string> {
  try {
    return (await assistant.change(tool, args)).status;
  } catch (error) {
    return /\[(\w+)\]/.exec(String(error))?.[1] ?? String(error);
  }
}

/** Saves rules of the user, and waits until they are in force. */
export async function useRules(target: Target, rules: readonly object[]): Promise<void> {
  // It says when the window has read the file.
  const sign = { id: 'r-sign', effect: 'deny', class: 'edit', paths: ['sign.txt'] };
  put(target, { 'sign.txt': 'one\n' });
  writeFileSync(
    join(target.drawbridge.host.home, 'rules.json'),
    JSON.stringify({ version: 1, rules: [...rules, sign] }),
    { mode: 0o600 },
  );
  const assistant = await connectAttacker(target);
  const args = { edits: [{ path: 'sign.txt', oldText: 'one', newText: 'two' }] };
  await until(async () => (await endOf(assistant, 'apply_edit', args)) === 'denied', 'the rules to be in force');
  await assistant.close();
}

/** A rule of the user that allows every edit, so that a write needs no click. */
export const allowEdits = { id: 'r-all', effect: 'allow', class: 'edit', paths: ['**'] };

/** A rule of the user that refuses each edit of a folder, so that a decision comes at once. */
export const closed = { id: 'r-closed', effect: 'deny', class: 'edit', paths: ['closed/**'] };

/** Opens a 2025-era session by hand. Returns the headers of its later requests, or the refusal. */
export async function openSession(
  { port, record }: Target,
  more: Record<string, string> = {},
  name = attackerName,
): Promise<Record<string, string> | RawAnswer> {
  const headers = jsonHeaders(record.token, more);
  const answer = await send(port, 'POST', headers, initialize('2025-11-25', name));
  const id = answer.headers['mcp-session-id'];
  return typeof id === 'string' ? { ...headers, 'Mcp-Session-Id': id } : answer;
}

/** Opens a session that must open. */
export async function sessionHeaders(target: Target, more?: Record<string, string>): Promise<Record<string, string>> {
  const opened = await openSession(target, more);
  if ('status' in opened && typeof opened.status === 'number') throw new Error(`No session: ${opened.status}`);
  return Object.fromEntries(
    Object.entries(opened).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}
