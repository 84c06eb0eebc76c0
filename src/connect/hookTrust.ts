import { realpath } from 'node:fs/promises';
import type { Assistant, Machine } from './assistant.ts';
import { codex, codexHookFile } from './assistants/codex.ts';
import { type CodexTrust, readCodexTrust, trustCodexHook } from './codexTrust.ts';
import { parseConfiguration, readConfigurationText } from './configurationText.ts';
import { isOurHookGroup } from './hookGroup.ts';
import { jsonFormat } from './jsonFormat.ts';
import { programOnPath } from './machine.ts';
import { isRecord, valueAt } from './plainValue.ts';

/** The trust in our hooks of an assistant that runs trusted hooks only. */
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

/**
 * Returns the paths in the configuration file below which an assistant keeps its trust in our hooks, to be removed with them. Codex
 * names a hook by its file, its event and its position (read from a run of 0.169.0).
 * @throws ConfigurationError when the file of the hooks cannot be read or is not valid
 */
export async function trustPaths(assistant: Assistant, machine: Machine): Promise<readonly (readonly string[])[]> {
  if (assistant.id !== codex.id) return [];
  const file = codexHookFile(machine);
  const { body = '' } = await readConfigurationText(file);
  const events = valueAt(parseConfiguration(jsonFormat, 'json', file, body), ['hooks']);
  const places = Object.entries(isRecord(events) ? events : {}).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group: unknown, index) =>
      isOurHookGroup(group) ? [`${inSnakeCase(event)}:${index}:0`] : [],
    ),
  );
  const real = await realpath(file).catch(() => file);
  return [...new Set([file, real])].flatMap((name) => places.map((place) => ['hooks', 'state', `${name}:${place}`]));
}

function inSnakeCase(event: string): string {
  return event.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
