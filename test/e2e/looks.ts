import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { until } from '../host/until.ts';
import type { Window } from './harness.ts';

/** The visible state of the editor, and the clipboard. */
export interface Looks {
  readonly tabs: readonly string[];
  readonly active: string | undefined;
  readonly selections: readonly string[];
  readonly visible: readonly string[];
  readonly clipboard: string;
  /** The element that has the keyboard. */
  readonly focused: string;
  /** The texts of toasts and dialogs. */
  readonly shown: readonly string[];
}

/** Looks in a row that must be equal: the keyboard and the toasts of a start settle a moment after the window is ready. */
const equalLooks = 20;

/** Returns the visible state once it stands still. */
export async function settledLooks(window: Window): Promise<Looks> {
  let [last, equal] = [await looksOf(window), 0];
  await until(async () => {
    const now = await looksOf(window);
    equal = isDeepStrictEqual(now, last) ? equal + 1 : 0;
    last = now;
    return equal >= equalLooks;
  }, 'the window to stand still');
  return last;
}

/** Returns the visible state, to compare before and after a tool that only reads. */
export async function looksOf(window: Window): Promise<Looks> {
  const inHost = await window.evaluate(async (vscode) => {
    const editor = vscode.window.activeTextEditor;
    const tabs = vscode.window.tabGroups.all.flatMap((group) =>
      group.tabs.map(
        ({ label, isActive, isDirty, isPreview }) => `${group.viewColumn} ${label} ${isActive} ${isDirty} ${isPreview}`,
      ),
    );
    const text = ({ start, end }: { start: { line: number; character: number }; end: typeof start }): string =>
      `${start.line}:${start.character}-${end.line}:${end.character}`;
    return {
      tabs,
      active: editor?.document.uri.path,
      selections: (editor?.selections ?? []).map(text),
      visible: vscode.window.visibleTextEditors.map(
        ({ document, visibleRanges }) => `${document.uri.path} ${visibleRanges.map(text).join()}`,
      ),
      clipboard: await vscode.env.clipboard.readText(),
    };
  });
  return {
    ...inHost,
    active: inHost.active,
    focused: z.string().parse(await window.page.evaluate(`document.activeElement?.className ?? ''`)),
    shown: await window.page.locator('.notification-toast, .monaco-dialog-box').allTextContents(),
  };
}

/**
 * Leaves out the tabs and the editors, for a comparison after a change: VS Code opens a tab for a file that stays unsaved for
 * 0.8 s, and on a busy machine a save takes that long.
 */
export function withoutTabs({ clipboard, focused, shown }: Looks): Pick<Looks, 'clipboard' | 'focused' | 'shown'> {
  return { clipboard, focused, shown };
}
