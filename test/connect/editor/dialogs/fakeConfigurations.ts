import type { Assistant, LauncherCommand, SettingsPart } from '#connect/assistant.ts';
import { ConfigurationError } from '#connect/configurationError.ts';
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
  settings: { file: () => settingsFile('claude'), elements: () => ({ guard: [], permission: [] }) },
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

  isFound = async ({ id }: Assistant) => this.found.has(id);

  readState = async (assistant: Assistant) => {
    if (this.broken.has(assistant.id)) throw new ConfigurationError('Line 3, column 1 is broken.', 'Repair it.');
    const text = this.textOf(assistant) ?? '';
    return text.includes(entry) ? 'current' : text.includes(oldEntry) ? 'outdated' : 'absent';
  };

  planConnect = async (assistant: Assistant) => {
    await this.readState(assistant);
    const before = this.textOf(assistant);
    const kept = (before ?? '').replace(oldEntry, '');
    const after = kept.includes(entry) ? kept : `${kept}${entry}`;
    const created = before === kept && after !== kept ? { keys: 0 } : undefined;
    return { assistant, file: this.fileOf(assistant), before, after, isChange: after !== before, created };
  };

  planDisconnect = async (assistant: Assistant) => {
    await this.readState(assistant);
    const before = this.textOf(assistant);
    const rest = before?.replace(entry, '').replace(oldEntry, '');
    const after = rest === '' ? undefined : rest;
    return { assistant, file: this.fileOf(assistant), before, after, isChange: after !== before };
  };

  apply = async ({ file, before, after }: { file: string; before: string | undefined; after: string | undefined }) => {
    if (this.files.get(file) !== before) throw new ConfigurationError('The file was changed meanwhile.', 'Try again.');
    if (after === undefined) this.files.delete(file);
    else this.files.set(file, after);
  };

  readSettings = async ({ id }: Assistant) => {
    const parts = this.files.get(settingsFile(id)) ?? '';
    const stateOf = (part: SettingsPart) => (parts.includes(part) ? ('current' as const) : ('absent' as const));
    return { guard: stateOf('guard'), permission: stateOf('permission') };
  };

  planSettings = async (assistant: Assistant, wanted: ReadonlySet<SettingsPart>) => {
    const file = settingsFile(assistant.id);
    const before = this.files.get(file);
    const after = wanted.size === 0 ? undefined : [...wanted].toSorted().join('\n');
    return { assistant, file, before, after, isChange: after !== before };
  };

  hooksDisabledBy = async () => undefined;
  namesakes = async () => [];

  connectedIds = async () => [...this.connected];
  markConnected = async (id: string) => void this.connected.add(id);
  unmarkConnected = async (id: string) => void this.connected.delete(id);
}
