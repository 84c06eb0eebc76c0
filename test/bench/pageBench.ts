import { chromium, type Page } from 'playwright-core';
import { browserProgram } from '../host/systemPackages.ts';
import { openPage } from '../ui/page/openPage.ts';
import { type Measurement, rounded } from './report.ts';
import { median } from './statistics.ts';

const rounds = 7;

/** A rename in 31 files with 91 places. */
const files = Array.from({ length: 31 }, (_, index) => {
  const uses = index === 30 ? 1 : 3;
  const use = (number: number): string =>
    `export const price${number} = formatPrice(${number});\n${'// filler\n'.repeat(4)}`;
  const base = `// page ${index}\n${'// filler\n'.repeat(4)}${Array.from({ length: uses }, (_use, number) => use(number)).join('')}`;
  return { path: `src/pages/page${index}.ts`, base, result: base.replaceAll('formatPrice', 'formatMoney') };
});

/**
 * Measures the review tab in a browser without an editor: a rename of 31 files and 91 places, next to a bare page that shows the same
 * texts in one `<pre>`. The figures are ratios, because every machine has its own times.
 */
export async function benchPage(): Promise<Measurement[]> {
  const browser = await chromium.launch({ executablePath: browserProgram(), args: ['--no-sandbox'] });
  try {
    const page = await (await browser.newContext()).newPage();
    const [bare, painted, ticked, scrolled, bareScrolled]: [number[], number[], number[], number[], number[]] = [
      [],
      [],
      [],
      [],
      [],
    ];
    for (let round = 0; round < rounds; round += 1) {
      const plain = await barePage(page);
      bare.push(plain.painted);
      bareScrolled.push(plain.longest);
      const tab = await reviewTab(page);
      painted.push(tab.painted);
      ticked.push(tab.ticked);
      scrolled.push(tab.longest);
    }
    const row = (what: string, value: number, base: number, atMost: number): Measurement => ({
      topic: 'page',
      what,
      value: value / base,
      unit: 'x',
      target: { atMost },
      detail: `${rounded(value)} ms, the bare page ${rounded(base)} ms; medians of ${rounds}`,
    });
    const [base, frame] = [median(bare), Math.max(median(bareScrolled), 16)];
    return [
      row('31 files, first paint', median(painted), base, 3),
      row('31 files, tick of a file', median(ticked), base, 1.5),
      row('31 files, longest task while scrolling', median(scrolled), frame, 2),
    ];
  } finally {
    await browser.close();
  }
}

const afterFrame = 'requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begin)))';

/** Scrolls an element to its end in steps, and returns the longest time between two frames. */
async function longestFrame(page: Page, selector: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const target = document.querySelector('${selector}');
    let [last, longest, steps] = [performance.now(), 0, 0];
    const step = () => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      target.scrollTop += 400;
      steps += 1;
      if (steps < 30) requestAnimationFrame(step);
      else resolve(longest);
    };
    requestAnimationFrame(step);
  })`);
}

async function barePage(page: Page): Promise<{ painted: number; longest: number }> {
  await page.goto('about:blank');
  await page.setViewportSize({ width: 1200, height: 900 });
  const text = JSON.stringify(files.map(({ path, base, result }) => `${path}\n${base}${result}`).join('\n'));
  const painted = await page.evaluate<number>(`new Promise((resolve) => {
    const begin = performance.now();
    document.body.innerHTML = '<pre style="height: 800px; overflow: auto"></pre>';
    document.querySelector('pre').textContent = ${text};
    ${afterFrame};
  })`);
  return { painted, longest: await longestFrame(page, 'pre') };
}

async function reviewTab(page: Page): Promise<{ painted: number; ticked: number; longest: number }> {
  const opened = await openPage(page, { width: 1200, height: 900, only: 'a' });
  await opened.settled();
  // From the message of the host to the frame: what the host computes is measured with the card.
  const drawn = page.evaluate<number>(`new Promise((resolve) => {
    let begin;
    addEventListener('message', () => { begin ??= performance.now(); }, { capture: true });
    new MutationObserver((_, observer) => {
      if (!document.querySelector('[data-approval="a"]')) return;
      observer.disconnect();
      ${afterFrame};
    }).observe(document.body, { childList: true, subtree: true });
  })`);
  const purpose = { kind: 'rename_symbol', from: 'formatPrice', to: 'formatMoney', places: 91 } as const;
  opened.approvals.add({ id: 'a', tool: 'rename_symbol', purpose, indivisible: true, files });
  const painted = await drawn;
  await opened.settled();
  const longest = await longestFrame(page, 'main');
  await page.evaluate(`document.querySelector('main').scrollTop = 0`);
  const tick = page.evaluate<number>(`new Promise((resolve) => {
    addEventListener('click', () => { const begin = performance.now(); ${afterFrame}; }, { capture: true, once: true });
  })`);
  await page.getByRole('checkbox', { name: 'Viewed: src/pages/page0.ts' }).first().click();
  const ticked = await tick;
  await opened.close();
  return { painted, ticked, longest };
}
