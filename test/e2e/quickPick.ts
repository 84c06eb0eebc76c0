import type { Window } from './harness.ts';

/** Takes the entry of an open quick pick that contains the text, as one who types does. */
export async function pick(window: Window, text: string): Promise<void> {
  const widget = window.page.locator('.quick-input-widget');
  await widget.locator('.monaco-list-row', { hasText: text }).first().waitFor();
  const input = widget.locator('input[type="text"]').first();
  await input.fill(text);
  await widget.locator('.monaco-list-row.focused', { hasText: text }).waitFor();
  await input.press('Enter');
}

/** Chooses the mode of a window by the command; `mode` as the list calls it. */
export async function setMode(window: Window, mode: string): Promise<void> {
  // The command ends when the user has answered.
  const done = window.command('drawbridge.setMode');
  await pick(window, mode);
  await done;
}
