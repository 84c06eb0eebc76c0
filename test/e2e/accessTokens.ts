import type { Locator } from 'playwright-core';
import { openConnections } from './connectionsPane.ts';
import { type Drawbridge, until, type Window } from './harness.ts';

/**
 * Makes a token by the button of the Connections view, as a user does.
 * @returns the secret that the dialog shows
 */
export async function createToken(window: Window, name: string): Promise<string> {
  const pane = await openConnections(window);
  // The buttons of a view are there when the pointer or the keyboard is.
  await pane.hover();
  await pane.getByRole('button', { name: 'Create Access Token...' }).click();
  const input = window.page.locator('.quick-input-widget input.input');
  await input.fill('window');
  await window.page.locator('.quick-input-message', { hasText: 'is reserved' }).waitFor();
  await input.fill(name);
  await input.press('Enter');
  const dialog = window.page.getByRole('dialog', { name: new RegExp(`Access token "${name}"`) });
  await dialog.waitFor();
  const secret = /[\w-]{43}/.exec(await dialog.innerText())?.[0];
  if (secret === undefined) throw new Error('The dialog shows no secret');
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await dialog.waitFor({ state: 'detached' });
  return secret;
}

/** Revokes a token by the button of its row in the Connections view, and confirms it. */
export async function revokeToken(window: Window, row: Locator): Promise<void> {
  await row.hover();
  await row.getByRole('button', { name: 'Revoke Access Token...' }).click();
  const dialog = window.page.getByRole('dialog', { name: /Revoke the access token/ });
  await dialog.getByRole('button', { name: 'Revoke' }).click();
}

/**
 * Makes a token, and revokes it when something was done with it.
 * @param use is given the secret, and the port on which the window listens for it
 */
export async function withToken(
  drawbridge: Drawbridge,
  use: (secret: string, port: number) => Promise<void>,
): Promise<void> {
  const { window } = drawbridge;
  const secret = await createToken(window, 'lent');
  try {
    await use(secret, Number(new URL(await httpEndpointOf(drawbridge)).port));
  } finally {
    const row = (await openConnections(window)).getByRole('treeitem', { name: /^lent/ });
    await revokeToken(window, row);
    await row.waitFor({ state: 'detached' });
  }
}

/** Waits until a window listens for programs with an access token. Returns the address. */
export function httpEndpointOf(drawbridge: Drawbridge): Promise<string> {
  return until(async () => (await drawbridge.record()).httpEndpoint, 'the listener for access tokens');
}
