import { existsSync } from 'node:fs';
import type { Assistant, Machine } from '../assistant.ts';
import { inHome, joined, xdgConfigFolder } from '../machinePaths.ts';

/** Describes the entry that `amp mcp add` writes (ampcode.com/docs/cli/settings). */
export const amp: Assistant = {
  id: 'amp',
  name: 'Amp',
  kind: 'terminal',
  reportsAs: /^amp/i,
  format: 'json',
  // Amp reads one of both files, `settings.json` first.
  configurationFile: (machine) => {
    const [plain, withComments] = settingsFiles(machine);
    return !existsSync(plain) && existsSync(withComments) ? withComments : plain;
  },
  traces: (machine) => [...settingsFiles(machine), inHome(machine, '.local', 'share', 'amp')],
  // A text editor is also called `amp`, so the PATH proves nothing.
  programs: [],
  // The name of the setting holds a dot: it is one key.
  entryPath: ['amp.mcpServers', 'drawbridge'],
  entry: ({ command, args }) => ({ command, args }),
  afterwards: 'Start a new session of Amp.',
};

/** Returns the settings files, which have the same place on every platform. */
function settingsFiles(machine: Machine): readonly [plain: string, withComments: string] {
  const folder = joined(machine, xdgConfigFolder(machine), 'amp');
  return [joined(machine, folder, 'settings.json'), joined(machine, folder, 'settings.jsonc')];
}
