import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { decide, openApprovals, readToEnd } from './approvalsPage.ts';
import { type Answer, type Assistant, connectAssistant } from './assistant.ts';
import { type Drawbridge, until } from './harness.ts';
import { sharedDrawbridge } from './shared.ts';

let drawbridge: Drawbridge;
let assistant: Assistant;
let page: Frame;
let folder: string;

/** Says `./lib/price` and means nothing by it. */
const bystander = "export const text = `import { price } from './lib/price'`;\n// import './lib/price'\n";

beforeAll(async () => {
  drawbridge = await sharedDrawbridge({
    'tsconfig.json':
      '{"compilerOptions":{"strict":true,"module":"esnext","moduleResolution":"bundler","noUncheckedSideEffectImports":false,"paths":{"@/*":["./src/*"]}}}',
    'src/lib/price.ts': "import { tax } from './tax';\r\nimport './side.css';\r\n\r\nexport const price = 1 + tax;\r\n",
    'src/lib/tax.ts': 'export const tax = 1;\n',
    'src/lib/side.css': 'a {}\n',
    'src/shop.ts':
      "import { price } from './lib/price';\n\nexport const shop = () => import('./lib/price.js').then(() => price);\n",
    'src/pages/cart.ts':
      "import { tax } from '../lib/tax';\nimport { price } from '@/lib/price';\n\nexport const cart = price + tax;\n",
    'src/bystander.ts': bystander,
  });
  ({ folder = '' } = drawbridge);
  assistant = await connectAssistant(await drawbridge.record());
  page = await openApprovals(drawbridge.window);
  // The language service needs a moment until it knows the new configuration.
  const isKnown = (): Promise<boolean> =>
    drawbridge.window.evaluate(
      async (vscode, from, to) => {
        const found: unknown = await vscode.commands.executeCommand(
          'vscode.executeDefinitionProvider',
          vscode.Uri.file(from),
          new vscode.Position(1, 10),
        );
        return JSON.stringify(found).includes(to);
      },
      join(folder, 'src/pages/cart.ts'),
      'src/lib/price.ts',
    );
  await until(isKnown, 'the language service to follow the alias');
});

const text = (path: string): string => readFileSync(join(folder, path), 'utf8');

/** Approves as a user does: reads to the end of the card first, which a move asks for. */
async function approvedMove(path: string, to: string): Promise<Answer> {
  const moving = assistant.call('move_file', { path, to });
  await Promise.race([
    page
      .getByRole('button', { name: /^Approve/ })
      .first()
      .waitFor(),
    moving,
  ]);
  await readToEnd(page, /^Approve/);
  await decide(page, /^Approve/);
  return moving;
}

it('updates the imports of and to a moved file byte for byte, and nothing else', async () => {
  const answer = await approvedMove('src/lib/price.ts', 'src/money/deep/amount.ts');
  expect(answer.structuredContent).toMatchObject({
    status: 'applied',
    problems: { newCount: 0, fixedCount: 0, freshness: 'fresh' },
  });
  expect(existsSync(join(folder, 'src/lib/price.ts'))).toBe(false);
  expect(text('src/money/deep/amount.ts')).toBe(
    "import { tax } from '../../lib/tax';\r\nimport '../../lib/side.css';\r\n\r\nexport const price = 1 + tax;\r\n",
  );
  expect(text('src/shop.ts')).toBe(
    "import { price } from './money/deep/amount';\n\nexport const shop = () => import('./money/deep/amount.js').then(() => price);\n",
  );
  expect(text('src/pages/cart.ts')).toBe(
    "import { tax } from '../lib/tax';\nimport { price } from '@/money/deep/amount';\n\nexport const cart = price + tax;\n",
  );
  expect(text('src/bystander.ts')).toBe(bystander);
});

it('leaves the imports inside a moved folder alone', async () => {
  const answer = await approvedMove('src/money', 'src/core/money');
  expect(answer.structuredContent).toMatchObject({ status: 'applied' });
  expect(text('src/core/money/deep/amount.ts')).toContain("from '../../../lib/tax'");
  expect(text('src/shop.ts')).toContain("from './core/money/deep/amount'");
  expect(text('src/pages/cart.ts')).toContain("from '@/core/money/deep/amount'");
});

it('moves an open file without the editor’s question about imports', async () => {
  await drawbridge.window.evaluate(
    async (vscode, paths) => {
      for (const path of paths) await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
    },
    ['src/lib/tax.ts', 'src/pages/cart.ts'].map((path) => join(folder, path)),
  );
  const answer = await approvedMove('src/lib/tax.ts', 'src/lib/duty.ts');
  expect(answer.structuredContent).toMatchObject({ status: 'applied' });
  expect(text('src/pages/cart.ts')).toContain("from '../lib/duty'");
  expect(text('src/core/money/deep/amount.ts')).toContain("from '../../../lib/duty'");
  expect(await drawbridge.window.page.locator('.monaco-dialog-box').count()).toBe(0);
});
