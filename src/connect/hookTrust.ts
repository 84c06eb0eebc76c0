import type { Assistant, Machine } from './assistant.ts';
import { codex, codexHookFile } from './assistants/codex.ts';
import { type CodexTrust, readCodexTrust, trustCodexHook } from './codexTrust.ts';
import { programOnPath } from './machine.ts';

/** Whether an assistant trusts our hooks: it runs no other ones. */
export type HookTrust = CodexTrust;

/** Asks an assistant whether it trusts our hooks; undefined for one that runs hooks without trust. Starts a program of the assistant. */
export async function readHookTrust(assistant: Assistant, machine: Machine): Promise<HookTrust | undefined> {
  return assistant.id === codex.id ? ask(readCodexTrust, machine) : undefined;
}

/** Makes an assistant trust our hooks as they stand in its file. @returns the trust afterwards */
export async function trustHooks(assistant: Assistant, machine: Machine): Promise<HookTrust | undefined> {
  return assistant.id === codex.id ? ask(trustCodexHook, machine) : undefined;
}

async function ask(question: typeof readCodexTrust, machine: Machine): Promise<HookTrust> {
  const program = await programOnPath('codex', machine);
  if (program === undefined) return 'unknown';
  // Windows does not start every program that is on the PATH.
  return question(program, codexHookFile(machine)).catch(() => 'unknown');
}
