import { AxeBuilder } from '@axe-core/playwright';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Frame } from 'playwright-core';
import { repository } from '../host/hostFolder.ts';
import { browserProgram } from '../host/systemPackages.ts';
import { findingsOf, type AxeFinding } from '../ui/page/axe.ts';
import { themes } from './pictures.ts';

/**
 * Returns the axe violations of a webview that may not run scripts, and so cannot run axe: axe checks a copy of the page with
 * the colours of the editor.
 * @param style its stylesheet in the repository
 * @param theme of the editor: in another than the dark one, only the contrast of colours
 */
export async function axeViolationsOfCopy(page: Frame, style: string, theme: string): Promise<readonly AxeFinding[]> {
  const html = await page.locator('html').evaluate((element) => element.outerHTML);
  const css = `${readFileSync(join(repository, style), 'utf8')} body { background: var(--vscode-editor-background); }`;
  const browser = await chromium.launch({ executablePath: browserProgram(), args: ['--no-sandbox'] });
  try {
    const copy = await (await browser.newContext()).newPage();
    await copy.setContent(html.replaceAll(/<(?:meta http-equiv|link)[^>]*>/g, ''));
    await copy.addStyleTag({ content: css });
    return await findingsOf(new AxeBuilder({ page: copy }), { isFull: theme === themes.dark, leastPasses: 11 });
  } finally {
    await browser.close();
  }
}
