import { isDeepStrictEqual } from 'node:util';
import {
  type Assistant,
  type AssistantSettings,
  type Machine,
  type SettingsElement,
  type SettingsPart,
  settingsParts,
} from './assistant.ts';
import type { ConfigurationChange } from './configurationChange.ts';
import type { CreatedKeys } from './configurationFormat.ts';
import { cannotBeChanged, editConfiguration, parseConfiguration, readConfigurationText } from './configurationText.ts';
import { readCreatedParts, stateHome } from './createdParts.ts';
import { appendElement, jsonFormat, removeElement, replaceElement } from './jsonFormat.ts';
import { commandLine, launcherCommand } from './launcherCommand.ts';
import { valueAt, withoutKeyAndEmptyParents } from './plainValue.ts';

type PartState = 'absent' | 'current' | 'outdated';

/**
 * Returns which parts are set up in the settings of an assistant; all are absent for an assistant without settings.
 * @throws ConfigurationError when the file cannot be read or is not valid
 */
export async function readSettings(
  assistant: Assistant,
  machine: Machine,
): Promise<Readonly<Record<SettingsPart, PartState>>> {
  const found = settingsOf(assistant, machine);
  if (found === undefined) return { guard: 'absent', permission: 'absent' };
  const { file, elements } = found;
  const value = parseConfiguration(jsonFormat, 'json', file, (await readConfigurationText(file)).body ?? '');
  return { guard: stateOf(elements.guard, value), permission: stateOf(elements.permission, value) };
}

/**
 * Plans the change after which exactly these parts are set up; every other byte of the file stays.
 * @throws ConfigurationError as `readSettings` does, and when the file cannot be changed as it is written
 */
export async function planSettings(
  assistant: Assistant,
  machine: Machine,
  wanted: ReadonlySet<SettingsPart>,
): Promise<ConfigurationChange> {
  const found = settingsOf(assistant, machine);
  if (found === undefined) throw new Error(`${assistant.name} has no settings that Drawbridge changes`);
  const { file, elements, owner } = found;
  const { before, body = '', mark } = await readConfigurationText(file);
  const value = parseConfiguration(jsonFormat, 'json', file, body);
  const known = await readCreatedParts(stateHome(machine), owner.id, file);
  const created: Record<string, CreatedKeys> = { ...known?.elements };
  const text = editConfiguration(file, () => {
    let edited = body;
    // The reverse of the order in which elements are added, so that what the first one created is empty when it goes.
    for (const part of settingsParts.filter((each) => !wanted.has(each)).toReversed()) {
      for (const { path, isOurs } of elements[part].toReversed()) {
        edited = removeElement(edited, path, isOurs, created[keyOf(path)]);
        delete created[keyOf(path)];
      }
    }
    for (const element of settingsParts.filter((each) => wanted.has(each)).flatMap((part) => elements[part])) {
      const { path, isOurs, value: ours } = element;
      const state = stateOf([element], value);
      if (state === 'outdated') edited = replaceElement(edited, path, isOurs, ours);
      if (state !== 'absent') continue;
      const added = appendElement(edited, path, ours);
      edited = added.text;
      created[keyOf(path)] = added.created;
    }
    return edited;
  });
  const all = settingsParts.flatMap((part) => elements[part]);
  if (
    !isDeepStrictEqual(
      withoutElements(value, all),
      withoutElements(parseConfiguration(jsonFormat, 'json', file, text), all),
    )
  ) {
    throw cannotBeChanged(file, 'it cannot be changed without changing something else');
  }
  const isNothing = known?.isFile === true && wanted.size === 0 && /^\s*(?:\{\s*\}\s*)?$/.test(text);
  const after = isNothing ? undefined : mark + text;
  const isChange = after !== before && !(before === undefined && text === '');
  return {
    assistant: owner,
    file,
    before,
    after: isChange ? after : before,
    isChange,
    created: { ...(known ?? { keys: 0 }), elements: created },
  };
}

function settingsOf(assistant: Assistant, machine: Machine) {
  const settings: AssistantSettings | undefined = assistant.settings;
  const file = settings?.file(machine);
  if (settings === undefined || file === undefined) return undefined;
  const elements = settings.elements(commandLine(launcherCommand(machine), machine.platform));
  // Backups and created parts of this file are kept apart from those of the file with the server entry.
  return { file, elements, owner: { ...assistant, id: `${assistant.id}-settings` } };
}

function stateOf(elements: readonly SettingsElement[], value: unknown): PartState {
  const found = elements.map(({ path, isOurs }) => elementsAt(value, path).find(isOurs));
  if (found.every((each) => each === undefined)) return 'absent';
  return found.every((each, index) => isDeepStrictEqual(each, elements[index]?.value)) ? 'current' : 'outdated';
}

function elementsAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const array = valueAt(value, path);
  return Array.isArray(array) ? array : [];
}

/** Returns a copy without our elements and the empty containers that they leave. */
function withoutElements(value: unknown, elements: readonly SettingsElement[]): unknown {
  return elements.reduce<unknown>((left, { path, isOurs }) => {
    const others = elementsAt(left, path).filter((each) => !isOurs(each));
    const array = valueAt(left, path);
    if (others.length > 0 && Array.isArray(array)) return withValue(left, path, others);
    return others.length === 0 && (array === undefined || Array.isArray(array))
      ? withoutKeyAndEmptyParents(left, path)
      : left;
  }, value ?? {});
}

function withValue(value: unknown, [key, ...rest]: readonly string[], inner: unknown): unknown {
  if (key === undefined) return inner;
  const outer = typeof value === 'object' && value !== null ? value : {};
  return { ...outer, [key]: withValue(valueAt(outer, [key]), rest, inner) };
}

function keyOf(path: readonly string[]): string {
  return path.join('.');
}
