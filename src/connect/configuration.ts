import { isDeepStrictEqual } from 'node:util';
import {
  type Addition,
  type Assistant,
  type AssistantPart,
  assistantParts,
  type ConnectPart,
  type Machine,
} from './assistant.ts';
import { type ConfigurationChange, recordsOf } from './configurationChange.ts';
import { ConfigurationDraft } from './configurationDraft.ts';
import { ConfigurationError } from './configurationError.ts';
import { cannotBeChanged } from './configurationText.ts';
import { readLastCreatedParts, stateHome } from './createdParts.ts';
import { commandLine, launcherCommand } from './launcherCommand.ts';
import { planOwnFile, stateOfOwnFile } from './ownFile.ts';
import { isCurrent, isOurs, startsWith, type ValueAddition, withoutAdditions } from './partStates.ts';
import { withoutKeyAndEmptyParents } from './plainValue.ts';
import { trustPaths } from './hookTrust.ts';
import { removeServer, serverState, setServer } from './serverEntry.ts';

export { applyChange, type ConfigurationChange } from './configurationChange.ts';
export { namesakesIn } from './namesakes.ts';
export { ConfigurationError } from './configurationError.ts';
export { hooksDisabledBy } from './hooks/hooksDisabledBy.ts';
export { readHookTrust, trustHooks } from './hookTrust.ts';

/** The state of a part; all parts that an assistant does not have are absent. */
export type PartState = 'absent' | 'current' | 'outdated';

/**
 * Returns whether an assistant starts our launcher: it has no entry of Drawbridge, a right one, or one that needs a repair.
 * @throws ConfigurationError when its file cannot be read, is not valid, or has another server under our name
 */
export async function readState(assistant: Assistant, machine: Machine): Promise<PartState> {
  const file = assistant.configurationFile(machine);
  if (file === undefined) return 'absent';
  const draft = await open(assistant, machine, file, file);
  return serverState(assistant, machine, file, draft.read());
}

/** Returns which parts are set up besides the server entry. Throws as `readState` does, also for a foreign file in the place of ours. */
export async function readParts(
  assistant: Assistant,
  machine: Machine,
): Promise<Readonly<Record<AssistantPart, PartState>>> {
  const states = assistantParts.map(async (part) => {
    const additions = additionsOf(assistant, machine, part);
    const found = await Promise.all(additions.map((addition) => readAddition(assistant, machine, addition)));
    if (!found.some((each) => each.isOurs)) return [part, 'absent'] as const;
    return [part, found.every((each) => each.isCurrent) ? 'current' : 'outdated'] as const;
  });
  return { guard: 'absent', permission: 'absent', only: 'absent', ...Object.fromEntries(await Promise.all(states)) };
}

async function readAddition(assistant: Assistant, machine: Machine, addition: Addition) {
  if (addition.kind === 'file') {
    const state = await stateOfOwnFile(addition);
    return { isOurs: state !== 'absent', isCurrent: state === 'current' };
  }
  const server = configurationFile(assistant, machine);
  const draft = await open(assistant, machine, addition.file ?? server, server);
  return { isOurs: isOurs(addition, draft), isCurrent: isCurrent(addition, draft.read()) };
}

/**
 * Plans the changes after which the named parts are set up (true) or are not (false); other parts, and every other byte, stay. Each
 * file has one change, the file of the server entry first.
 * @throws ConfigurationError as `readParts` does, and when a file cannot be changed as it is written
 */
export async function planParts(
  assistant: Assistant,
  machine: Machine,
  wanted: Readonly<Partial<Record<ConnectPart, boolean>>>,
): Promise<readonly ConfigurationChange[]> {
  const server =
    wanted.server === false ? await fileWithEntry(assistant, machine) : configurationFile(assistant, machine);
  const parts = assistantParts.map((part) => ({ part, all: additionsOf(assistant, machine, part) }));
  const files = [server, ...parts.flatMap(({ all }) => all.map((addition) => addition.file ?? server))];
  const trust = wanted.guard === false ? await trustPaths(assistant, machine) : [];
  const changes: ConfigurationChange[] = [];
  for (const file of new Set(files)) {
    const here = parts.map(({ part, all }) => ({ part, all: all.filter((each) => (each.file ?? server) === file) }));
    changes.push(await planFile({ assistant, machine, file, isServer: file === server, parts: here, trust }, wanted));
  }
  return changes;
}

/** Plans the change after which an assistant starts our launcher. Throws as `planParts` does. */
export async function planConnect(assistant: Assistant, machine: Machine): Promise<ConfigurationChange> {
  return serverChange(await planParts(assistant, machine, { server: true }));
}

/** Plans the change that removes our entry, and the file if only Drawbridge wrote it. Throws as `planParts` does. */
export async function planDisconnect(assistant: Assistant, machine: Machine): Promise<ConfigurationChange> {
  return serverChange(await planParts(assistant, machine, { server: false }));
}

function serverChange([change]: readonly ConfigurationChange[]): ConfigurationChange {
  if (change === undefined) throw new Error('The file of the server entry has no planned change');
  return change;
}

interface FilePlan {
  readonly assistant: Assistant;
  readonly machine: Machine;
  readonly file: string;
  /** It is the file of the server entry. */
  readonly isServer: boolean;
  /** The additions of each part to this file. */
  readonly parts: readonly { readonly part: AssistantPart; readonly all: readonly Addition[] }[];
  /** The paths in the file of the server entry at which the assistant keeps its trust in the hooks that are removed. */
  readonly trust: readonly (readonly string[])[];
}

async function planFile(plan: FilePlan, wanted: Readonly<Partial<Record<ConnectPart, boolean>>>) {
  const { assistant, machine, file, isServer, parts } = plan;
  const trust = isServer ? plan.trust : [];
  const own = parts.find(({ all }) => all[0]?.kind === 'file');
  if (own?.all[0]?.kind === 'file') {
    return planOwnFile(own.all[0], wanted[own.part], assistant, stateHome(machine));
  }
  const draft = await open(assistant, machine, file, isServer ? file : undefined);
  const before = draft.read();
  const values = (isWanted: boolean): ValueAddition[] =>
    parts.filter(({ part }) => wanted[part] === isWanted).flatMap(({ all }) => all.filter(isValue));
  const isInEntry = ({ path }: ValueAddition): boolean => startsWith(path, assistant.entryPath);
  // The reverse of the order in which parts are added, so that what the first one created is empty when it goes.
  for (const path of trust) draft.removeWithEmptyParents(path);
  for (const addition of values(false).toReversed()) remove(addition, draft);
  if (isServer && wanted.server === false) removeServer(draft, assistant);
  if (isServer && wanted.server === true) setServer(draft, assistant, machine);
  const server = isServer ? serverState(assistant, machine, file, draft.read()) : 'absent';
  const added = values(true).filter((addition) => server !== 'absent' || !isInEntry(addition));
  for (const addition of added) add(addition, draft);
  const after = draft.read();
  const all = parts.flatMap((each) => each.all.filter(isValue));
  const others = [before, after].map((value) => {
    const rest = trust.reduce(withoutKeyAndEmptyParents, withoutAdditions(value ?? {}, all));
    return isServer ? withoutKeyAndEmptyParents(rest, assistant.entryPath) : rest;
  });
  const isServerRight = !isServer || wanted.server === undefined || server === (wanted.server ? 'current' : 'absent');
  const isRight = added.every((each) => isCurrent(each, after)) && values(false).every((each) => !isOurs(each, draft));
  if (isServerRight && isRight && isDeepStrictEqual(others[0], others[1])) return draft.change(assistant);
  throw cannotBeChanged(file, 'it cannot be changed without changing something else');
}

function add(addition: ValueAddition, draft: ConfigurationDraft): void {
  const { kind, path, value } = addition;
  if (isCurrent(addition, draft.read())) return;
  if (kind === 'value') return draft.set(path, value);
  if (addition.isOurs !== undefined && isOurs(addition, draft))
    return draft.replaceElement(path, addition.isOurs, value);
  draft.append(path, value);
}

function remove(addition: ValueAddition, draft: ConfigurationDraft): void {
  if (!isOurs(addition, draft)) return;
  const { kind, path, value, isOurs: isMeant = (other: unknown) => isDeepStrictEqual(other, value) } = addition;
  if (kind === 'value') draft.remove(path);
  else draft.removeElement(path, isMeant, value);
}

function isValue(addition: Addition): addition is ValueAddition {
  return addition.kind !== 'file';
}

function additionsOf(assistant: Assistant, machine: Machine, part: AssistantPart): readonly Addition[] {
  const of = assistant.parts?.[part];
  if (of === undefined) return [];
  const launcher = launcherCommand(machine);
  const { entryPath } = assistant;
  return of({ machine, launcher, commandLine: commandLine(launcher, machine.platform), entryPath });
}

/** Opens a JSON file, or the file of the server entry in its format. */
function open(assistant: Assistant, machine: Machine, file: string, server: string | undefined) {
  const [serverRecord, otherRecord] = recordsOf(assistant);
  return file === server
    ? ConfigurationDraft.open(file, assistant.format, serverRecord, stateHome(machine))
    : ConfigurationDraft.open(file, 'json', otherRecord, stateHome(machine));
}

function configurationFile(assistant: Assistant, machine: Machine): string {
  const file = assistant.configurationFile(machine);
  if (file !== undefined) return file;
  throw new ConfigurationError(
    `${assistant.name} has no configuration on this machine.`,
    'Connect it on the machine where it runs.',
  );
}

/** Returns the file with our entry, which may be an earlier file: some assistants read the old and the new one. */
async function fileWithEntry(assistant: Assistant, machine: Machine): Promise<string> {
  const file = configurationFile(assistant, machine);
  const earlier = (await readLastCreatedParts(stateHome(machine), assistant.id))?.file;
  if (earlier === undefined || earlier === file || (await hasEntry(assistant, machine, file))) return file;
  const isThere = await hasEntry(assistant, machine, earlier).catch(() => false);
  return isThere ? earlier : file;
}

async function hasEntry(assistant: Assistant, machine: Machine, file: string): Promise<boolean> {
  const draft = await open(assistant, machine, file, file);
  return serverState(assistant, machine, file, draft.read()) !== 'absent';
}
