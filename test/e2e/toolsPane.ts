/** The Tools view, as a user works with it. */
import type { Locator } from 'playwright-core';
import { openPane } from './connectionsPane.ts';
import { until, type Window } from './harness.ts';

/** Opens the view with one heading open: rows that are out of sight are not there. */
export async function openTools(window: Window, heading: 'Workspace' | 'Other Extensions'): Promise<Locator> {
  await window.setViewport(1280, 1400);
  const pane = await openPane(window, 'Tools');
  const open = pane.getByRole('treeitem', { expanded: true });
  const closed = pane.getByRole('treeitem', { name: new RegExp(`^${heading}`), expanded: false });
  await until(async () => {
    const others = await open.filter({ hasNotText: heading }).count();
    const next = others > 0 ? open.filter({ hasNotText: heading }) : closed;
    if ((await next.count()) === 0) return true;
    await next
      .first()
      .locator('.monaco-tl-twistie')
      .click({ timeout: 3000 })
      .catch(() => undefined);
    return false;
  }, `${heading} alone to be open`);
  return pane;
}

/** Returns the row of a tool. */
export function toolRow(pane: Locator, name: string): Locator {
  return pane.getByRole('treeitem', { name: new RegExp(`^${name.replaceAll(/[./]/g, '\\$&')}, `) });
}

/** Offers a tool of another extension to assistants, and returns the text of the question that is answered for that. */
export async function offerTool(window: Window, pane: Locator, name: string): Promise<string> {
  const question = window.page.getByRole('dialog', { name: /Offer .* to assistants/ });
  // A row that is drawn anew under the click does not take it.
  await until(async () => {
    await toolRow(pane, name).getByRole('checkbox').click({ timeout: 3000 });
    await question.waitFor({ timeout: 5000 });
    return true;
  }, `the question about ${name}`);
  const text = await question.innerText();
  await question.getByRole('button', { name: 'Offer', exact: true }).click();
  await question.waitFor({ state: 'detached' });
  return text;
}
