import type { Assistant, JsonValue, Machine } from './assistant.ts';
import type { ConfigurationDraft } from './configurationDraft.ts';
import { ConfigurationError } from './configurationError.ts';
import { isOurEntry, repairsOf } from './entryRepairs.ts';
import { launcherCommand } from './launcherCommand.ts';
import { isRecord, valueAt } from './plainValue.ts';

/**
 * Returns the state of the server entry in a parsed configuration.
 * @throws ConfigurationError when another server has our name
 */
export function serverState(
  assistant: Assistant,
  machine: Machine,
  file: string,
  configuration: unknown,
): 'absent' | 'current' | 'outdated' {
  const entry = ourEntry(assistant, file, configuration);
  if (entry === undefined) return 'absent';
  return repairsOf(entry, wantedEntry(assistant, machine)).length === 0 ? 'current' : 'outdated';
}

/** Adds the server entry, or repairs it. Throws as `serverState` does. */
export function setServer(draft: ConfigurationDraft, assistant: Assistant, machine: Machine): void {
  const entry = ourEntry(assistant, draft.file, draft.read());
  const wanted = wantedEntry(assistant, machine);
  if (entry === undefined) return draft.set(assistant.entryPath, wanted);
  for (const repair of repairsOf(entry, wanted)) {
    draft.repair([...assistant.entryPath, repair.key], repair.kind === 'set' ? repair.value : undefined);
  }
}

/** Removes the server entry, if there is one. Throws as `serverState` does. */
export function removeServer(draft: ConfigurationDraft, assistant: Assistant): void {
  if (ourEntry(assistant, draft.file, draft.read()) !== undefined) draft.remove(assistant.entryPath);
}

function ourEntry(
  assistant: Assistant,
  file: string,
  configuration: unknown,
): Readonly<Record<string, unknown>> | undefined {
  const entry = valueAt(configuration, assistant.entryPath);
  if (entry === undefined) return undefined;
  if (isRecord(entry) && isOurEntry(entry)) return entry;
  const [name] = assistant.entryPath.slice(-1);
  throw new ConfigurationError(
    `${file} has an entry "${name}" that is not for Drawbridge.`,
    'Give that entry another name, then try again.',
  );
}

function wantedEntry(assistant: Assistant, machine: Machine): Readonly<Record<string, JsonValue>> {
  return assistant.entry(launcherCommand(machine));
}
