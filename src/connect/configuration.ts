import { isDeepStrictEqual } from 'node:util';
import type { Assistant, JsonValue, Machine } from './assistant.ts';
import type { ConfigurationChange } from './configurationChange.ts';
import { ConfigurationError } from './configurationError.ts';
import type { ConfigurationFormat } from './configurationFormat.ts';
import { cannotBeChanged, editConfiguration, parseConfiguration, readConfigurationText } from './configurationText.ts';
import { readCreatedParts, readLastCreatedParts, stateHome } from './createdParts.ts';
import { isOurEntry, repairsOf } from './entryRepairs.ts';
import { jsonFormat } from './jsonFormat.ts';
import { launcherCommand } from './launcherCommand.ts';
import { isRecord, valueAt, withoutKeyAndEmptyParents } from './plainValue.ts';
import { tomlFormat } from './tomlFormat.ts';
import { yamlFormat } from './yamlFormat.ts';

export { planSettings, readSettings } from './assistantSettings.ts';
export { hooksDisabledBy } from './hooks/hooksDisabledBy.ts';
export { namesakesIn } from './namesakes.ts';
export { applyChange } from './configurationChange.ts';
export type { ConfigurationChange } from './configurationChange.ts';
export { ConfigurationError } from './configurationError.ts';

const formats: Readonly<Record<Assistant['format'], ConfigurationFormat>> = {
  json: jsonFormat,
  toml: tomlFormat,
  yaml: yamlFormat,
};

/**
 * Returns whether an assistant starts our launcher: it has no entry of Drawbridge, a right one, or one that needs a repair.
 * @throws ConfigurationError when its file cannot be read, is not valid, or has another server under our name
 */
export async function readState(assistant: Assistant, machine: Machine): Promise<'absent' | 'current' | 'outdated'> {
  const file = assistant.configurationFile(machine);
  if (file === undefined) return 'absent';
  const { body } = await readConfigurationText(file);
  const entry = body === undefined ? undefined : ourEntry(assistant, file, body);
  if (entry === undefined) return 'absent';
  return repairsOf(entry, wantedEntry(assistant, machine)).length === 0 ? 'current' : 'outdated';
}

/**
 * Plans the change after which an assistant starts our launcher; every other byte of its file stays.
 * @throws ConfigurationError as `readState` does, and when the entry cannot be added to the file as it is written
 */
export async function planConnect(assistant: Assistant, machine: Machine): Promise<ConfigurationChange> {
  const file = configurationFile(assistant, machine);
  const { before, body, mark } = await readConfigurationText(file);
  const wanted = wantedEntry(assistant, machine);
  const entry = body === undefined ? undefined : ourEntry(assistant, file, body);
  const format = formats[assistant.format];
  const path = assistant.entryPath;
  const { text, created } = editConfiguration(file, () => {
    if (entry === undefined) return format.set(body ?? '', path, wanted);
    return { text: repaired(assistant, body ?? '', entry, wanted), created: undefined };
  });
  check(assistant, file, body ?? '', text, (after) => repairsOf(after, wanted).length === 0);
  const after = mark + text;
  return { assistant, file, before, after, isChange: after !== before, created };
}

/**
 * Plans the change that removes our entry from the configuration of an assistant, and the file if only Drawbridge wrote it.
 * @throws ConfigurationError as `readState` does
 */
export async function planDisconnect(assistant: Assistant, machine: Machine): Promise<ConfigurationChange> {
  const file = await fileWithEntry(assistant, machine);
  const { before, body, mark } = await readConfigurationText(file);
  const entry = body === undefined ? undefined : ourEntry(assistant, file, body);
  if (body === undefined || entry === undefined) return { assistant, file, before, after: before, isChange: false };
  const created = await readCreatedParts(stateHome(machine), assistant.id, file);
  const format = formats[assistant.format];
  const text = editConfiguration(file, () => format.remove(body, assistant.entryPath, created));
  check(assistant, file, body, text, undefined);
  const isNothing = text.trim() === '' && created !== undefined && created.isFile;
  return { assistant, file, before, after: isNothing ? undefined : mark + text, isChange: true, created };
}

function repaired(
  assistant: Assistant,
  body: string,
  entry: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, JsonValue>>,
): string {
  const format = formats[assistant.format];
  return repairsOf(entry, wanted).reduce((text, repair) => {
    const path = [...assistant.entryPath, repair.key];
    return repair.kind === 'set' ? format.set(text, path, repair.value).text : format.remove(text, path, undefined);
  }, body);
}

/**
 * Parses both texts and throws unless our entry is the only difference: an edit of text must not touch anything else.
 */
function check(
  assistant: Assistant,
  file: string,
  before: string,
  after: string,
  isRight: ((entry: Readonly<Record<string, unknown>>) => boolean) | undefined,
): void {
  const format = formats[assistant.format];
  const [old, now] = editConfiguration(file, () => [format.read(before), format.read(after)]);
  const [others, othersNow] = [old, now].map((value) => withoutKeyAndEmptyParents(value ?? {}, assistant.entryPath));
  const entry = valueAt(now, assistant.entryPath);
  const isEntryRight = isRight === undefined ? entry === undefined : isRecord(entry) && isRight(entry);
  if (isDeepStrictEqual(others, othersNow) && isEntryRight) return;
  throw cannotBeChanged(file, 'its entry cannot be changed without changing something else');
}

/** Returns our entry in the text of a file; undefined when there is none. */
function ourEntry(assistant: Assistant, file: string, body: string): Readonly<Record<string, unknown>> | undefined {
  const entry = valueAt(
    parseConfiguration(formats[assistant.format], assistant.format, file, body),
    assistant.entryPath,
  );
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
  if (earlier === undefined || earlier === file || (await hasEntry(assistant, file))) return file;
  const isThere = await hasEntry(assistant, earlier).catch(() => false);
  return isThere ? earlier : file;
}

async function hasEntry(assistant: Assistant, file: string): Promise<boolean> {
  const { body } = await readConfigurationText(file);
  return body !== undefined && ourEntry(assistant, file, body) !== undefined;
}
