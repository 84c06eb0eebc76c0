import { describe, expect, test } from 'vitest';
import { until } from '../host/until.ts';
import { inBrowser } from '../ui/page/inBrowser.ts';
import { armed, bar, button, decision, decisions, pick } from '../ui/page/onPage.ts';

const start = inBrowser();

const numbered = (count: number): string => Array.from({ length: count }, (_, line) => `const a${line};\n`).join('');
const payload = `var ok=1;${' '.repeat(20_000)}require("child_process").exec("evil")\n`;

describe('A39: a part with a warning', () => {
  test('is drawn with a mark, and approved only after it was before the eyes of the user', async () => {
    const opened = await start({ height: 520 });
    const { page, approvals } = opened;
    const file = { path: 'src/wide.js', change: 'create', result: `${numbered(50)}${payload}` } as const;
    approvals.add({ id: 'a', files: [file] });
    await pick(opened, 'a');
    const approve = button(opened, 'a', /^Approve/);
    await bar(opened)
      .getByText('Click into the card and scroll to each marked part to approve: src/wide.js:51')
      .waitFor();
    expect(await approve.getAttribute('aria-disabled')).toBe('true');
    await page.evaluate('document.hasFocus = () => false');
    const part = page.locator('[data-part]');
    expect(await part.innerText()).toContain('var ok=1;<20000 spaces>require("child_process").exec("evil")');
    await part.scrollIntoViewIfNeeded();
    await page.waitForTimeout(500);
    expect(approvals.decisions).not.toContain('placeSeen a 0 51');
    await page.evaluate("delete document.hasFocus; dispatchEvent(new Event('focus'))");
    await until(() => approvals.decisions.includes('placeSeen a 0 51'), 'the part to be on screen');
    await (await armed(opened, approve)).click();
    await page.getByText('Created wide.js').waitFor();
    expect(decisions(opened)).toEqual(['approve a accepted']);
  });

  test('does not count as seen when it was on screen for a moment', async () => {
    const opened = await start({ height: 520 });
    const { page, approvals } = opened;
    const file = { path: 'src/wide.js', change: 'create', result: `${numbered(50)}${payload}` } as const;
    approvals.add({ id: 'a', files: [file] });
    await pick(opened, 'a');
    const part = page.locator('[data-part]');
    await part.waitFor();
    await page.evaluate(`new Promise((resolve) => {
      document.querySelector('[data-part]').scrollIntoView();
      setTimeout(() => { document.querySelector('main').scrollTo({ top: 0 }); resolve(); }, 100);
    })`);
    await page.waitForTimeout(600);
    expect(approvals.decisions).not.toContain('placeSeen a 0 51');
  });
});

test('A39: approves a very large new file without its end on screen only by a button that says so', async () => {
  const opened = await start();
  opened.approvals.add({ id: 'a', files: [{ path: 'src/a.js', change: 'create', result: numbered(2900) }] });
  const unread = await decision(opened, 'a', /^Approve without reading everything/);
  expect(await button(opened, 'a', /^Approve creation/).getAttribute('aria-disabled')).toBe('true');
  await unread.click();
  await opened.page.getByText('Created a.js').waitFor();
  expect(decisions(opened)).toEqual(['approve a accepted without reading']);
});
