import type { Locator, Page } from 'playwright-core';
import { until } from './harness.ts';

/** Opens the context menu of a row. */
export const menuOf = (row: Locator) => (): Promise<void> => row.click({ button: 'right', timeout: 5000 });

/** Takes an item of a row's context menu, which does not hear a click that comes right after it was opened. */
export async function chooseInMenu(page: Page, openMenu: () => Promise<void>, item: string): Promise<void> {
  const entry = page.getByRole('menuitem', { name: item, exact: true });
  let isChosen = false;
  await until(async () => {
    if (await entry.isVisible()) {
      await entry.click({ timeout: 5000 }).catch(() => undefined);
      isChosen = true;
    } else if (!isChosen) {
      await openMenu().catch(() => undefined);
    }
    return isChosen && !(await entry.isVisible());
  }, `the menu item ${item}`);
}
