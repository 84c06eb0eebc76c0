/** The colours of code on the page, beside those of the same code in the editor. */
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { clickButton, decide, openApprovals } from './approvalsPage.ts';
import { type Assistant, connectAssistant, type Outcome } from './assistant.ts';
import { hostPatience } from '../host/until.ts';
import { type Drawbridge } from './harness.ts';
import { sharedDrawbridge } from './shared.ts';

let drawbridge: Drawbridge;
let assistant: Assistant;
let page: Frame;
let outcome: Promise<Outcome>;

const code = `/** Says it. */
export function say(name: string): void {
  const text = \`Hello \${name}\`;
  if (name !== 'x') return console.log(/a+/u, text, 42);
}
`;

beforeAll(async () => {
  drawbridge = await sharedDrawbridge({ 'say.ts': code });
  assistant = await connectAssistant(await drawbridge.record());
  await drawbridge.window.evaluate(
    async (vscode, path) => {
      // The colours of language services and of pairs of brackets come on top of those of the theme.
      const settings = vscode.workspace.getConfiguration('editor');
      await settings.update('semanticHighlighting.enabled', false, true);
      await settings.update('bracketPairColorization.enabled', false, true);
      await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
    },
    join(drawbridge.folder ?? '', 'say.ts'),
  );
  page = await openApprovals(drawbridge.window);
  const [first, last] = ['/** Says it. */', '}\n'] as const;
  outcome = assistant.propose([
    { path: 'say.ts', oldText: first, newText: '/** Says \u202Eit. */' },
    { path: 'say.ts', oldText: `42);\n${last}`, newText: `42); // said\n${last}` },
  ]);
  await page.locator('.row.context').first().waitFor();
});

afterAll(async () => {
  await clickButton(page, /^Decline… edit of say\.ts/);
  await decide(page, /^Decline edit of say\.ts/);
  await outcome;
  await drawbridge.window.evaluate(async (vscode) => {
    const settings = vscode.workspace.getConfiguration('editor');
    await settings.update('semanticHighlighting.enabled', undefined, true);
    await settings.update('bracketPairColorization.enabled', undefined, true);
    await vscode.workspace.getConfiguration('workbench').update('colorTheme', undefined, true);
  });
  await assistant.close();
  await drawbridge.window.command('workbench.action.closeAllEditors');
});

/**
 * Returns each character of the first line with some text, with its colour and whether it is italic or bold. Blanks are left out.
 * @param lines a CSS selector of lines
 */
async function looks(frame: Frame, lines: string): Promise<string[]> {
  const found = await frame.evaluate(`(() => {
    const line = [...document.querySelectorAll(${JSON.stringify(lines)})].find(({ textContent }) =>
      /export.function.say/.test(textContent),
    );
    if (!line) return [];
    const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    const characters = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const { color, fontStyle, fontWeight } = getComputedStyle(node.parentElement);
      const style = color + ' ' + fontStyle + (Number(fontWeight) > 500 ? ' bold' : '');
      for (const character of node.nodeValue) if (character.trim() !== '') characters.push(character + ' ' + style);
    }
    return characters;
  })()`);
  return z.array(z.string()).parse(found);
}

/** The first unchanged line of the card, and the same line in the editor. */
async function bothLooks(): Promise<{ readonly card: string[]; readonly editor: string[] }> {
  const editor = drawbridge.window.page.mainFrame();
  return { card: await looks(page, '.row.context > .code'), editor: await looks(editor, '.monaco-editor .view-line') };
}

const setTheme = (theme: string): Promise<void> =>
  drawbridge.window.evaluate(async (vscode, name) => {
    await vscode.workspace.getConfiguration('workbench').update('colorTheme', name, true);
  }, theme);

it.each([
  'Dark Modern',
  'Light Modern',
  'Monokai',
  'Default High Contrast',
  'Default High Contrast Light',
  'Dark 2026',
])(
  'code on the card has the colours that it has in the editor in the theme %s, which is chosen while the card is open',
  async (theme) => {
    await setTheme(theme);
    const isSame = async (): Promise<boolean> => {
      const { card, editor } = await bothLooks();
      return (
        card.length > 20 && new Set(card.map((look) => look.slice(2))).size > 1 && card.join('\n') === editor.join('\n')
      );
    };
    await vi.waitUntil(isSame, { timeout: hostPatience, interval: 200 }).catch(async () => {
      const { card, editor } = await bothLooks();
      expect(card).toEqual(editor);
      expect(new Set(card.map((look) => look.slice(2))).size).toBeGreaterThan(1);
    });
  },
);

it('A5: an escape keeps its own look between coloured words', async () => {
  const escape = page.locator('.row.added .escaped').first();
  expect(await escape.innerText()).toBe('<U+202E>');
  expect(await escape.getAttribute('class')).toBe('escaped changed');
  expect(await page.locator('.row.added > .code').first().innerText()).toBe('/** Says <U+202E>it. */');
});
