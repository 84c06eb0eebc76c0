import * as z from 'zod';
import type { Assistant, Machine } from '../assistant.ts';
import { readConfigurationFile } from '../configurationFile.ts';
import { parsedLeniently } from '../jsonFormat.ts';
import { joined } from '../machinePaths.ts';
import { tomlFormat } from '../tomlFormat.ts';

/** A settings file that switches hooks off. */
export interface DisabledHooks {
  readonly file: string;
  /** The name of the setting as the file has it. */
  readonly setting: string;
}

/** The settings that make an assistant run no hooks, not even those of the user. Tried with the versions in `docs/connecting.md`. */
interface HookSwitch {
  /** The files of a folder that the assistant works in. */
  readonly inFolder: readonly string[];
  readonly read: (text: string) => unknown;
  readonly settings: readonly (readonly [setting: string, schema: z.ZodType])[];
}

const switches: ReadonlyMap<string, HookSwitch> = new Map([
  [
    'claude-code',
    {
      inFolder: ['.claude/settings.json', '.claude/settings.local.json'],
      read: parsedLeniently,
      settings: [['disableAllHooks', z.looseObject({ disableAllHooks: z.literal(true) })]],
    },
  ],
  [
    'qwen-code',
    {
      inFolder: ['.qwen/settings.json'],
      read: parsedLeniently,
      settings: [['disableAllHooks', z.looseObject({ disableAllHooks: z.literal(true) })]],
    },
  ],
  [
    'copilot-cli',
    {
      // Tried with 1.0.102 where hooks of repositories count; `.github/hooks` does not switch the hooks of the user off.
      inFolder: ['.github/copilot', '.claude'].flatMap((folder) => [
        `${folder}/settings.json`,
        `${folder}/settings.local.json`,
      ]),
      read: parsedLeniently,
      settings: [['disableAllHooks', z.looseObject({ disableAllHooks: z.literal(true) })]],
    },
  ],
  [
    'gemini-cli',
    {
      inFolder: ['.gemini/settings.json'],
      read: parsedLeniently,
      settings: [
        ['hooksConfig.enabled', z.looseObject({ hooksConfig: z.looseObject({ enabled: z.literal(false) }) })],
        [
          'hooksConfig.disabled',
          z.looseObject({
            hooksConfig: z.looseObject({ disabled: z.array(z.unknown()).refine((names) => names.some(isOurName)) }),
          }),
        ],
      ],
    },
  ],
  [
    'codex',
    {
      inFolder: ['.codex/config.toml'],
      read: readToml,
      settings: ['hooks', 'codex_hooks'].map((name) => [
        `features.${name}`,
        z.looseObject({ features: z.looseObject({ [name]: z.literal(false) }) }),
      ]),
    },
  ],
]);

/**
 * Returns the setting by which a text of a settings file of an assistant switches its hooks off; undefined when there is none. A text
 * that is not valid is read as far as possible.
 * @param id the id of the assistant
 */
export function disablingSetting(id: string, text: string): string | undefined {
  const found = switches.get(id);
  const value = found?.read(text);
  return found?.settings.find(([, schema]) => schema.safeParse(value).success)?.[0];
}

/** Returns the first settings file, of the user or in one of these folders, that switches the hooks of an assistant off. */
export async function hooksDisabledBy(
  assistant: Assistant,
  machine: Machine,
  folders: readonly string[],
): Promise<DisabledHooks | undefined> {
  const inFolder = switches.get(assistant.id)?.inFolder ?? [];
  const own = assistant.settingsFile?.(machine) ?? assistant.configurationFile(machine);
  const files = [
    ...(own === undefined || inFolder.length === 0 ? [] : [own]),
    ...folders.flatMap((folder) => inFolder.map((name) => joined(machine, folder, name))),
  ];
  for (const file of files) {
    // A repository may have anything in the place of this file, such as a pipe, which is not read.
    const text = await readConfigurationFile(file).catch(() => undefined);
    const setting = disablingSetting(assistant.id, text ?? '');
    if (setting !== undefined) return { file, setting };
  }
  return undefined;
}

/** Gemini CLI accepts the name of a hook or its command in this list. */
function isOurName(name: unknown): boolean {
  return typeof name === 'string' && /^drawbridge$|[\\/]bin[\\/]drawbridge(?:\.cmd)?["']? hook/.test(name);
}

function readToml(text: string): unknown {
  try {
    return tomlFormat.read(text);
  } catch {
    return undefined;
  }
}
