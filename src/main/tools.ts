import * as vscode from 'vscode';
import type { ToolPin } from '#call/ports/otherTools.ts';
import type { LateView } from '#ui/lateTree.ts';
import { ToolsView } from '#ui/tools/toolsView.ts';
import type { Services } from './services.ts';

/** Creates the Tools view, which writes the user's choices into the settings. */
export function createTools(
  view: LateView,
  { auditLog, catalog, otherTools, relayed, settings }: Services,
  onError: (error: unknown) => void,
) {
  const save = (name: string, value: unknown): Thenable<void> =>
    vscode.workspace.getConfiguration('drawbridge').update(name, value, vscode.ConfigurationTarget.Global);
  const toolsView = new ToolsView({
    view,
    catalog,
    relayed: () => relayed.tools,
    otherTools,
    choices: () => settings.current().toolsets,
    pins: () => settings.current().relayedTools,
    onDidChangeSettings: settings.onDidChange,
    saveChoices: (choices) => save('toolsets', choices),
    async savePins(pins) {
      const before = settings.current().relayedTools;
      await save('relay.tools', pins);
      for (const { name, hash } of pinsNotIn(before, pins)) {
        auditLog.event({ event: 'tool.pin', state: 'pinned', name, pin: hash });
      }
      const left = before.filter((pin) => pins.every(({ name }) => name !== pin.name));
      for (const { name } of left) auditLog.event({ event: 'tool.pin', state: 'unpinned', name });
    },
    onError,
  });
  return {
    disposables: [toolsView],
    commands: {
      findTool: () => toolsView.findTool(),
      turnToolOn: (row: unknown) => toolsView.turn(row, true),
      turnToolOff: (row: unknown) => toolsView.turn(row, false),
    },
  };
}

/** Returns the pins of the second list that the first one does not have; a pin with another hash is another pin. */
function pinsNotIn(others: readonly ToolPin[], pins: readonly ToolPin[]): readonly ToolPin[] {
  return pins.filter((pin) => !others.some(({ name, hash }) => name === pin.name && hash === pin.hash));
}
