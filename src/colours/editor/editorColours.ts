import { join } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { Emitter, type Event } from '#base/event.ts';
import { CodeColours } from '../codeColours.ts';
import { colouringOf } from '../contributions.ts';

const associations = z.record(z.string(), z.string()).catch({});
const manifest = z.object({ contributes: z.unknown().optional() }).catch({});

const setting = (section: string, name: string): unknown => vscode.workspace.getConfiguration(section).get(name);

export interface EditorColours extends vscode.Disposable, Pick<CodeColours, 'of'> {
  /** Fires when other colours may come out than before. */
  readonly onDidChange: Event<void>;
}

/**
 * Colours code with the themes, grammars and settings of this window.
 * @param extensionPath the folder of Drawbridge
 */
export function createEditorColours(extensionPath: string): EditorColours {
  const colours = new CodeColours({
    program: join(extensionPath, 'dist/coloursWorker.cjs'),
    folder: join(extensionPath, 'dist/colours'),
    installed: () =>
      colouringOf(
        vscode.extensions.all.map(({ id, extensionPath: folder, packageJSON }) => ({
          id,
          folder,
          contributes: manifest.parse(packageJSON).contributes,
        })),
      ),
    settings: () => ({
      // The value is a proxy, which no thread can be given.
      customizations: JSON.parse(JSON.stringify(setting('editor', 'tokenColorCustomizations') ?? {})),
      associations: associations.parse(setting('files', 'associations')),
    }),
  });
  const didChange = new Emitter<void>();
  const changed = (): void => {
    colours.changed();
    didChange.fire();
  };
  const subscriptions = [
    vscode.extensions.onDidChange(changed),
    vscode.workspace.onDidChangeConfiguration((event) => {
      const names = ['editor.tokenColorCustomizations', 'files.associations'];
      if (names.some((name) => event.affectsConfiguration(name))) changed();
    }),
  ];
  return {
    of: (text) => colours.of(text),
    onDidChange: didChange.event,
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
      colours.dispose();
    },
  };
}
