/** The hook program as a real process, as Claude Code starts it before and after its own tools. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { type ClaudeCodeCall, claudeCodeInput } from '../bridge/claudeCode.ts';
import { hostPatience, until } from '../host/until.ts';
import type { Target } from './target.ts';

const output = z.object({
  hookSpecificOutput: z.looseObject({
    permissionDecision: z.string().optional(),
    permissionDecisionReason: z.string().optional(),
    updatedInput: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** `none` lets the call pass; so does `broken`, a program that ends without an answer. */
export type Decision = 'allow' | 'deny' | 'none' | 'waits' | 'broken';
export type Environment = Readonly<Record<string, string>>;

export interface HookAnswer {
  readonly decision: Decision;
  /** The words of a refusal. */
  readonly words: string;
  /** The input that the tool gets in the place of its own. */
  readonly input: Readonly<Record<string, unknown>>;
}

export interface RunningHook {
  readonly answer: Promise<HookAnswer>;
  isAnswered(): boolean;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
}

export interface HookOptions {
  readonly environment?: Environment;
  /** Milliseconds after which the program is ended; what it was asked about then waits for the user. */
  readonly limit?: number;
}

/** Milliseconds after which a call counts as one that waits for the user. */
export const waitMilliseconds = 15_000;

/** Starts the hook program by the launcher, as Claude Code does. @param input what Claude Code writes to it */
export function startHook(
  { drawbridge, folder }: Target,
  input: string,
  { environment = {}, limit = hostPatience }: HookOptions = {},
): RunningHook {
  const launcher = join(drawbridge.host.home, 'bin/drawbridge');
  // The launcher waits for the program. Both are in a group of their own.
  const child = spawn(launcher, ['hook'], { cwd: folder, env: { ...environment }, detached: true });
  const signal = (name: NodeJS.Signals): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, name);
  };
  let [isLate, isAnswered] = [false, false];
  const timer = setTimeout(() => {
    isLate = true;
    signal('SIGTERM');
  }, limit);
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const answered = async (): Promise<HookAnswer> => {
    const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    clearTimeout(timer);
    isAnswered = true;
    const plain = { words: stderr, input: {} };
    if (isLate) return { ...plain, decision: 'waits' };
    if (stdout === '') return { ...plain, decision: status === 0 ? 'none' : status === 2 ? 'deny' : 'broken' };
    const {
      permissionDecision: decision,
      permissionDecisionReason: words = '',
      updatedInput = {},
    } = output.parse(JSON.parse(stdout)).hookSpecificOutput;
    return { decision: decision === 'allow' || decision === 'deny' ? decision : 'none', words, input: updatedInput };
  };
  return { answer: answered(), isAnswered: () => isAnswered, signal };
}

/** Asks about a call, and returns what the hook program decides. */
export async function hook(
  target: Target,
  call: ClaudeCodeCall,
  environment: Environment = {},
  limit = waitMilliseconds,
): Promise<Decision> {
  const { answer } = startHook(target, claudeCodeInput({ folder: target.folder, ...call }), { environment, limit });
  return (await answer).decision;
}

let calls = 0;

/** Returns an id that no other call has. */
export const newCall = (): string => `toolu_attack_${(calls += 1)}`;

export const write = (path: string, content = 'planted\n'): ClaudeCodeCall => ({
  tool: 'Write',
  input: { file_path: path, content },
  call: newCall(),
});

export const bash = (command: string): ClaudeCodeCall => ({ tool: 'Bash', input: { command }, call: newCall() });

/** Waits until the window guards its folder, and returns the path of its record. */
export async function guarded({ drawbridge, record }: Target): Promise<string> {
  const guard = join(drawbridge.host.home, 'guards', record.windowId);
  await until(() => existsSync(guard), 'the window to guard its folder');
  return guard;
}
