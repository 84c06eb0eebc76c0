import type { Locator } from 'playwright-core';
import { until, type Window } from './harness.ts';

/** Our views of the side bar and of the panel. */
const views = [
  'Approvals',
  'Changed Outside',
  'Assistant Context',
  'Activity',
  'History',
  'Rules',
  'Connections',
  'Tools',
];

/** The pane of the Connections view, by itself. */
export async function openConnections(window: Window): Promise<Locator> {
  return openPane(window, 'Connections');
}

/**
 * The pane of a tree, brought up as a user does who comes by the keyboard. The other views are closed: rows that do not
 * fit are not there, or scroll below a copy of their heading.
 */
type PaneName = 'Assistant Context' | 'Changed Outside' | 'Connections' | 'Tools';

export async function openPane(window: Window, name: PaneName): Promise<Locator> {
  const id = {
    'Assistant Context': 'context',
    'Changed Outside': 'outside',
    Connections: 'connections',
    Tools: 'tools',
  }[name];
  await window.command(`drawbridge.${id}.focus`);
  const pane = window.page.locator('.pane', { has: window.page.getByRole('button', { name: new RegExp(`^${name}`) }) });
  await pane.getByRole('treeitem').first().waitFor();
  const panel = window.page.locator('.part.panel', { has: pane });
  const box = (await panel.count()) > 0 ? await panel.boundingBox() : undefined;
  if (box && box.height < 500) await window.command('workbench.action.toggleMaximizedPanel');
  for (const view of views.filter((each) => each !== name)) {
    const open = window.page.getByRole('button', { name: new RegExp(`^${view}`), expanded: true });
    await until(async () => {
      if ((await open.count()) === 0) return true;
      await open.click({ timeout: 3000 }).catch(() => undefined);
      return false;
    }, `the view ${view} to be closed`);
  }
  return pane;
}
