import { createTwoFilesPatch } from 'diff';
import type { Frame } from 'playwright-core';
import * as z from 'zod';
import { decide, openApprovals } from '../e2e/approvalsPage.ts';
import type { Host } from '../host/host.ts';
import { until } from '../host/until.ts';
import { type BenchWindow, clientNames, openBenchWindow, writeWorkspace } from './benchHost.ts';
import { connectMcp, type McpClient } from './mcpClient.ts';
import { type Measurement, rounded } from './report.ts';
import { median, timed } from './statistics.ts';

const hunks = 1000;
const rounds = 7;
const warmUp = 2;
const toggles = 5;

interface Bench {
  readonly opened: BenchWindow;
  readonly client: McpClient;
  readonly page: Frame;
}

/** Measures the time until a card of 1,000 hunks is painted, and until a check box takes effect. */
export async function benchCard(host: Host): Promise<Measurement[]> {
  const files = Array.from({ length: warmUp + rounds }, (_, round) => [pathOf(round), textOf(round, false)] as const);
  const opened = await openBenchWindow(host, writeWorkspace(host, 'card', files));
  try {
    const page = await openApprovals(opened.window);
    const client = await connectMcp(opened.server, '2025', clientNames.unknown);
    const painted: number[] = [];
    const toggled: number[] = [];
    for (let round = 0; round < warmUp + rounds; round += 1) {
      const sample = await oneCard({ opened, client, page }, round);
      if (round < warmUp) continue;
      painted.push(sample.painted);
      toggled.push(...sample.toggled);
    }
    client.close();
    const row = (what: string, samples: number[], atMost: number, detail: string): Measurement => ({
      topic: 'card',
      what: `${hunks} hunks, ${what}`,
      value: median(samples),
      unit: 'ms',
      target: { atMost },
      detail: `${detail}; worst ${rounded(Math.max(...samples))} ms of ${samples.length}`,
      samples: { samples },
    });
    return [
      row('first paint', painted, 300, 'from the call being sent (reading and comparing included) to the frame'),
      row('toggle', toggled, 50, 'from the click in the page to the frame that says so, through the extension host'),
    ];
  } finally {
    await opened.close();
  }
}

async function oneCard({ client, page }: Bench, round: number): Promise<{ painted: number; toggled: number[] }> {
  const path = pathOf(round);
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, textOf(round, false), textOf(round, true));
  const frame = page.evaluate<number>(`new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('article')?.textContent.includes(${JSON.stringify(path)})) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(Date.now())));
    });
    observer.observe(document.body, { childList: true, subtree: true });
  })`);
  const begin = Date.now();
  const call = timed(() => client.callTool('apply_edit', { patch }));
  const painted = (await frame) - begin;
  const toggled = await toggleSome(page, path);
  // A change of so many lines is approved once its end was on screen, or by this button.
  await decide(page, new RegExp(`^Approve without reading everything: .*${path}`));
  const { value } = await call;
  const { status } = z.looseObject({ status: z.string() }).parse(value.toolResult().structuredContent);
  if (status !== 'partially_applied') throw new Error(`The card of ${path} ended as ${status}`);
  return { painted, toggled };
}

/** Excludes hunks one after the other; the page itself measures how long each update takes. */
async function toggleSome(page: Frame, path: string): Promise<number[]> {
  await page.evaluate(`{
    globalThis.times = [];
    const approve = document.querySelector('footer .approve');
    document.addEventListener('click', () => {
      const begin = performance.now();
      const observer = new MutationObserver(() => {
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - begin)));
      });
      observer.observe(approve, { childList: true, subtree: true, characterData: true });
    }, { capture: true });
  }`);
  for (let toggle = 1; toggle <= toggles; toggle += 1) {
    await page.getByRole('checkbox', { name: `Include line ${toggle * 5 - 2} of ${path}` }).click();
    await until(async () => (await page.evaluate<number>('times.length')) >= toggle, 'the check box to be answered');
  }
  return page.evaluate<number[]>('times');
}

function pathOf(round: number): string {
  return `card${round}.txt`;
}

function textOf(round: number, isChanged: boolean): string {
  return Array.from({ length: hunks * 5 }, (_, index) =>
    isChanged && index % 5 === 2 ? `changed ${round} ${index}\n` : `line ${round} ${index}\n`,
  ).join('');
}
