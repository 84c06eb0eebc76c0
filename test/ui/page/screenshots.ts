/** Makes pictures of the states of the review page in a browser. Arguments: a folder for the pictures. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { browserProgram } from '../../host/systemPackages.ts';
import type { FakeApprovals } from '../../fakes/approvals.ts';
import { openPage, type OpenPageOptions } from './openPage.ts';
import { actionsScene, kindsScene, policyScene, scene } from './scene.ts';

const folder = process.argv[2] ?? '.pictures';
mkdirSync(folder, { recursive: true });

const renamed = (approvals: FakeApprovals): void => {
  const line = (index: number): string => `  return formatPrice(item${index});\n`;
  const files = Array.from({ length: 31 }, (_, index) => {
    const base = `import { formatPrice } from '../price';\n\n${'// filler\n'.repeat(5)}export function page${index}() {\n${line(index)}}\n`;
    return { path: `src/pages/page${index}.ts`, base, result: base.replaceAll('formatPrice', 'formatMoney') };
  });
  approvals.add({
    id: 'rename',
    tool: 'rename_symbol',
    reason: 'Prices become amounts of money.',
    purpose: { kind: 'rename_symbol', from: 'formatPrice', to: 'formatMoney', places: 62 },
    indivisible: true,
    files,
  });
};
const group = (approvals: FakeApprovals): void => {
  for (let index = 0; index < 7; index += 1) {
    const file = { path: `docs/page${index}.md`, base: 'one\n', result: 'two\n' };
    approvals.add({ id: `g${index}`, groupId: 'g', requestedAt: index, files: [file] });
  }
};

const states: Record<string, { readonly fill: (approvals: FakeApprovals) => void } & OpenPageOptions> = {
  scene: { fill: scene },
  kinds: { fill: kindsScene },
  policy: { fill: policyScene },
  actions: { fill: actionsScene },
  rename: { fill: renamed },
  group: { fill: group },
  empty: { fill: () => undefined },
  narrow: { fill: scene, width: 250 },
  slit: { fill: scene, width: 320, height: 225 },
  tab: { fill: renamed, only: 'rename', width: 1200 },
  tabNarrow: { fill: renamed, only: 'rename', width: 320, height: 450 },
};
const themes = process.argv.slice(3);
const browser = await chromium.launch({ executablePath: browserProgram(), args: ['--no-sandbox'] });
const page = await (await browser.newContext()).newPage();
for (const theme of ['dark', 'light', 'highContrast', 'highContrastLight'] as const) {
  if (themes.length > 0 && !themes.includes(theme)) continue;
  for (const [name, { fill, ...options }] of Object.entries(states)) {
    const opened = await openPage(page, { ...options, theme });
    fill(opened.approvals);
    await opened.settled();
    for (let turn = 0; turn < 3; turn += 1) {
      opened.clock.advance(500);
      await opened.settled();
    }
    await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
    await opened.close();
  }
}
await browser.close();
