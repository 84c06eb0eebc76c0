import {
  type Assistant,
  type AssistantPart,
  assistantParts,
  type ConnectPart,
  type LauncherCommand,
} from '#connect/assistant.ts';
import type { ConfigurationChange } from '#connect/configurationChange.ts';
import { ConfigurationError } from '#connect/configurationError.ts';
import type { HookTrust } from '#connect/hookTrust.ts';
import type { Configurations } from '#connect/seenAssistants.ts';

const home = '/home/ada';

/** The settings file of an assistant, which holds the names of the parts that are set up. */
export function settingsFile(id: string): string {
  return `${home}/.${id}/settings.json`;
}

export function fakeAssistant(id: string, name: string, afterwards?: string): Assistant {
  return {
    id,
    name,
    kind: 'terminal',
    reportsAs: new RegExp(`^${id}`),
    format: 'toml',
    configurationFile: () => `${home}/.${id}/config.toml`,
    traces: () => [],
    programs: [],
    entryPath: ['mcp_servers', 'drawbridge'],
    entry: () => ({}),
    ...(afterwards !== undefined && { afterwards }),
  };
}

export const codex = fakeAssistant('codex', 'Codex CLI', 'Start it again.');
export const zed = fakeAssistant('zed', 'Zed');
/** An assistant whose own edits can be guarded. */
export const claude: Assistant = {
  ...fakeAssistant('claude', 'Claude Code'),
  parts: { guard: () => [], permission: () => [], only: () => [] },
};
const entry = '[mcp_servers.drawbridge]\ncommand = "/home/ada/.drawbridge/bin/drawbridge"\n';
const oldEntry = '[mcp_servers.drawbridge]\ncommand = "/old"\n';

/** Configurations in memory: a file with our entry is one that ends with it. */
export class FakeConfigurations implements Configurations {
  readonly assistants: readonly Assistant[];
  readonly machine = {
    platform: 'linux' as const,
    home,
    environment: {},
    launcher: `${home}/.drawbridge/bin/drawbridge`,
  };
  launcherCommand = (): LauncherCommand => ({ command: this.machine.launcher, args: [] });
  readonly files = new Map<string, string>();
  readonly found = new Set<string>();
  readonly connected = new Set<string>();
  readonly broken = new Set<string>();
  /** The trust of each assistant that needs some, by its id. */
  readonly trust = new Map<string, HookTrust>();
  refusesTrust = false;

  constructor(assistants: readonly Assistant[] = [codex, zed]) {
    this.assistants = assistants;
  }

  fileOf(assistant: Assistant): string {
    return assistant.configurationFile(this.machine) ?? '';
  }

  textOf(assistant: Assistant): string | undefined {
    return this.files.get(this.fileOf(assistant));
  }

  connect(assistant: Assistant, state: 'current' | 'outdated' = 'current'): void {
    this.files.set(this.fileOf(assistant), `model = "x"\n${state === 'current' ? entry : oldEntry}`);
    this.connected.add(assistant.id);
  }

  /** The times of last calls by id. */
  readonly seen = new Map<string, number>();

  lastSeen = async () => this.seen;
  hasProgram = async () => true;
  isFound = async ({ id }: Assistant) => this.found.has(id);

  readState = async (assistant: Assistant) => {
    if (this.broken.has(assistant.id)) throw new ConfigurationError('Line 3, column 1 is broken.', 'Repair it.');
    const text = this.textOf(assistant) ?? '';
    return text.includes(entry) ? 'current' : text.includes(oldEntry) ? 'outdated' : 'absent';
  };

  planParts = async (assistant: Assistant, wanted: Readonly<Partial<Record<ConnectPart, boolean>>>) => {
    await this.readState(assistant);
    const before = this.textOf(assistant);
    const rest = (before ?? '').replace(entry, '').replace(oldEntry, '');
    const isRight = before?.includes(entry) === true;
    const after = wanted.server === true ? (isRight ? before : `${rest}${entry}`) : rest === '' ? undefined : rest;
    const server = change(assistant, this.fileOf(assistant), before, after);
    if (assistant.parts === undefined) return [server];
    const names = assistantParts.filter((part) => wanted[part] === true);
    const settings = settingsFile(assistant.id);
    return [
      server,
      change(assistant, settings, this.files.get(settings), names.length === 0 ? undefined : names.join('\n')),
    ];
  };

  apply = async ({ file, before, after }: { file: string; before: string | undefined; after: string | undefined }) => {
    if (this.files.get(file) !== before) throw new ConfigurationError('The file was changed meanwhile.', 'Try again.');
    if (after === undefined) this.files.delete(file);
    else this.files.set(file, after);
  };

  readParts = async ({ id }: Assistant) => {
    const parts = this.files.get(settingsFile(id)) ?? '';
    const stateOf = (part: AssistantPart) => (parts.includes(part) ? ('current' as const) : ('absent' as const));
    return { guard: stateOf('guard'), permission: stateOf('permission'), only: stateOf('only') };
  };

  hooksDisabledBy = async () => undefined;
  namesakes = async () => [];
  readHookTrust = async ({ id }: Assistant) => this.trust.get(id);
  trustHooks = async ({ id }: Assistant) => {
    if (!this.refusesTrust) this.trust.set(id, 'trusted');
    return this.trust.get(id);
  };

  connectedIds = async () => [...this.connected];
  markConnected = async (id: string) => void this.connected.add(id);
  unmarkConnected = async (id: string) => void this.connected.delete(id);
}

function change(
  assistant: Assistant,
  file: string,
  before: string | undefined,
  after: string | undefined,
): ConfigurationChange {
  return { assistant, record: assistant.id, file, before, after, isChange: after !== before };
}
