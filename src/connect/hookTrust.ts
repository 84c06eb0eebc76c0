import type { Assistant, Machine } from './assistant.ts';
import { codex, codexHookFile } from './assistants/codex.ts';
import { readCodexTrust, trustCodexHook } from './codexTrust.ts';
import { programOnPath } from './machine.ts';

/** Whether an assistant trusts our hooks: an untrusted or modified one is not run. `unknown`: the assistant could not be asked. */
export type HookTrust = 'trusted' | 'untrusted' | 'modified' | 'absent' | 'unknown';

/** Asks an assistant whether it trusts our hooks; undefined for one that runs hooks without trust. Starts a program of the assistant. */
export async function readHookTrust({ id }: Assistant, machine: Machine): Promise<HookTrust | undefined> {
  if (id !== codex.id) return undefined;
  const program = await programOnPath('codex', machine);
  return program === undefined ? 'unknown' : readCodexTrust(program, codexHookFile(machine));
}

/** Makes an assistant trust our hooks. @throws when it cannot be asked, or trusts them still not */
export async function trustHooks(assistant: Assistant, machine: Machine): Promise<void> {
  const program = await programOnPath('codex', machine);
  if (program === undefined) throw new Error('The program codex is not on the PATH.');
  await trustCodexHook(program, codexHookFile(machine));
  const trust = await readHookTrust(assistant, machine);
  if (trust !== 'trusted') throw new Error(`The hook is ${trust ?? 'unknown'} still.`);
}
