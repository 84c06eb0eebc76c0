import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Frame } from 'playwright-core';
import * as z from 'zod';
import { listAuditFiles } from '#audit/auditFiles.ts';
import { decide, openApprovals } from '../e2e/approvalsPage.ts';
import type { Host } from '../host/host.ts';
import { until } from '../host/until.ts';
import { type BenchWindow, clientNames, openBenchWindow, writeWorkspace } from './benchHost.ts';
import type { Floor } from './floor.ts';
import { connectMcp, type McpClient } from './mcpClient.ts';
import { type Measurement, rounded } from './report.ts';
import { seededRandom, sourceLines } from './sourceText.ts';
import { median, takeTurns, timed } from './statistics.ts';

/** Says whether the editor has the file open before the edit. */
type Kind = 'open' | 'not open';

/** Says how many edits are made, and how slow they may be. */
interface EditPlan {
  readonly kinds: readonly Kind[];
  readonly rounds: number;
  readonly warmUp: number;
  readonly atMost: number;
}

const wholePlan: EditPlan = { kinds: ['open', 'not open'], rounds: 15, warmUp: 3, atMost: 1.6 };
const lines = 200;
/** 0-based. */
const changedLine = 99;
/** The editor draws cards and tabs after an answer; the next contestant must not pay for that. */
const settleMilliseconds = 250;

const outcome = z.looseObject({ status: z.literal('applied'), approvalId: z.string() });
const auditLine = z.looseObject({
  event: z.string(),
  mono: z.number(),
  ts: z.iso.datetime(),
  approvalId: z.string().optional(),
  state: z.string().optional(),
});

interface Moment {
  /** Milliseconds of a clock that never goes back. */
  readonly mono: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** One edit through Drawbridge. */
interface Edit {
  readonly kind: Kind;
  readonly approvalId: string;
  readonly callMilliseconds: number;
  /** Clicks in the page, in milliseconds since the epoch; clicks that came too early had no effect. */
  readonly clicks: readonly number[];
  /** The time at which the file got its new bytes, by the same clock. */
  readonly changedAt: number;
}

interface Bench {
  readonly plan: EditPlan;
  readonly opened: BenchWindow;
  readonly folder: string;
  readonly client: McpClient;
  readonly floor: Floor;
  readonly page: Frame;
  readonly edits: Edit[];
}

/** One line replaced and saved, with a real click on the card, against `applyEdit` and `save` alone. */
export async function benchEdit(host: Host, plan = wholePlan): Promise<Measurement[]> {
  const folder = writeWorkspace(host, 'edit', allFiles(plan));
  const opened = await openBenchWindow(host, folder);
  try {
    const page = await openApprovals(opened.window);
    await page.evaluate(
      `globalThis.clicks = []; document.addEventListener('click', () => { globalThis.clicks.push(Date.now()); }, true)`,
    );
    const client = await connectMcp(opened.server, '2025', clientNames.unknown);
    const bench: Bench = { plan, opened, folder, client, floor: opened.connectFloor(), page, edits: [] };
    const floor: Record<Kind, number[]> = { open: [], 'not open': [] };
    for (const kind of plan.kinds) floor[kind] = await race(bench, kind);
    for (const each of [bench.client, bench.floor]) each.close();
    const states = await approvalStates(host.home, bench.edits);
    return plan.kinds.flatMap((kind) => rows(kind, bench, states, floor[kind]));
  } finally {
    await opened.close();
  }
}

/** Adds the edits through Drawbridge to `edits`, warm-up included. Returns the times of the floor. */
async function race(bench: Bench, kind: Kind): Promise<number[]> {
  const samples = await takeTurns(
    {
      drawbridge: async (round) => {
        const edit = await editOurs(bench, kind, round);
        bench.edits.push(edit);
        return edit.callMilliseconds;
      },
      floor: (round) => editFloor(bench, kind, round),
    },
    bench.plan.rounds,
    bench.plan.warmUp,
  );
  await bench.opened.window.command('workbench.action.closeAllEditors');
  return samples.floor;
}

async function editOurs(bench: Bench, kind: Kind, round: number): Promise<Edit> {
  const path = pathOf('drawbridge', kind, round);
  const [before, after] = await prepare(bench, kind, path);
  const call = timed(() =>
    bench.client.callTool('apply_edit', { edits: [{ path, oldText: before, newText: after }], reason: 'Measured.' }),
  );
  const [{ milliseconds, value }] = await Promise.all([call, decide(bench.page, approveButton(path))]);
  const result = value.toolResult().structuredContent;
  const parsed = outcome.safeParse(result);
  if (!parsed.success) throw new Error(`The approved edit ended so: ${JSON.stringify(result)}`);
  const { approvalId } = parsed.data;
  requireChanged(bench, path, before, after);
  const clicks = z.array(z.number()).parse(await bench.page.evaluate('globalThis.clicks.splice(0)'));
  return {
    kind,
    approvalId,
    callMilliseconds: milliseconds,
    clicks,
    changedAt: statSync(join(bench.folder, path)).ctimeMs,
  };
}

async function editFloor(bench: Bench, kind: Kind, round: number): Promise<number> {
  const path = pathOf('floor', kind, round);
  const [before, after] = await prepare(bench, kind, path);
  const content = { path: join(bench.folder, path), line: changedLine, text: after };
  const { milliseconds, value } = await timed(() => bench.floor.ask('edit', content));
  value.as(z.object({ applied: z.literal(true), saved: z.literal(true) }));
  requireChanged(bench, path, before, after);
  return milliseconds;
}

/** @returns the line before and after the edit */
async function prepare({ opened, folder }: Bench, kind: Kind, path: string): Promise<readonly [string, string]> {
  if (kind === 'open') {
    await opened.window.evaluate(
      async (editor, file) => {
        const document = await editor.workspace.openTextDocument(file);
        await editor.window.showTextDocument(document, { preview: false, preserveFocus: true });
      },
      join(folder, path),
    );
  }
  await sleep(settleMilliseconds);
  const before = readFileSync(join(folder, path), 'utf8').split('\n')[changedLine] ?? '';
  return [before, before.replace('untouched', 'replaced')];
}

function requireChanged({ folder }: Bench, path: string, before: string, after: string): void {
  const text = readFileSync(join(folder, path), 'utf8');
  if (text !== textOf(path).replace(before, () => after)) throw new Error(`${path} does not hold the approved text.`);
}

function rows(
  kind: Kind,
  { edits, plan: { rounds, warmUp, atMost } }: Bench,
  states: ReadonlyMap<string, Moment>,
  floor: number[],
): Measurement[] {
  const own = edits.filter((edit) => edit.kind === kind).slice(warmUp);
  const without = (from: string) =>
    own.map(({ approvalId, callMilliseconds }) => {
      return callMilliseconds - (at(states, approvalId, 'approved').mono - at(states, approvalId, from).mono);
    });
  const [waiting, displayed] = [without('waiting'), without('displayed')];
  const click = own.map(({ approvalId, clicks, changedAt }) => {
    const approvedAt = at(states, approvalId, 'approved').time;
    return changedAt - Math.max(...clicks.filter((time) => time <= approvedAt));
  });
  const row = (what: string, ours: number[]) => ({
    topic: 'apply_edit',
    what: `one line, file ${kind}${what}`,
    value: median(ours) / median(floor),
    unit: 'x' as const,
    detail: `${rounded(median(ours))} ms, applyEdit + save ${rounded(median(floor))} ms; ${rounds} files each`,
    samples: { ours, floor },
  });
  return [
    { ...row('', waiting), target: { atMost } },
    row(', with drawing the card', displayed),
    {
      topic: 'apply_edit',
      what: `click -> bytes, file ${kind}`,
      value: median(click),
      unit: 'ms',
      target: { atMost: 50 },
      detail: 'from the click event in the page to the change time of the file (a clock of 4 ms)',
      samples: { click },
    },
  ];
}

function at(states: ReadonlyMap<string, Moment>, approvalId: string, state: string): Moment {
  const moment = states.get(`${approvalId} ${state}`);
  if (moment === undefined) throw new Error(`The audit does not say when ${approvalId} was ${state}.`);
  return moment;
}

/** Returns the time at which each approval entered each state, by `<id> <state>`, from the audit log. */
async function approvalStates(home: string, edits: readonly Edit[]): Promise<ReadonlyMap<string, Moment>> {
  return until(async () => {
    const files = await listAuditFiles(join(home, 'audit'));
    const texts = files.map(({ path }) => readFileSync(path, 'utf8'));
    const records = texts.flatMap((text) => text.split('\n').filter((line) => line !== ''));
    const states = new Map<string, Moment>();
    for (const { event, approvalId, state, mono, ts } of records.map((line) => auditLine.parse(JSON.parse(line)))) {
      const key = `${approvalId} ${state}`;
      if (event === 'approval.state' && !states.has(key)) states.set(key, { mono, time: Date.parse(ts) });
    }
    return edits.every(({ approvalId }) => states.has(`${approvalId} applied`)) ? states : undefined;
  }, 'the audit of every edit');
}

function* allFiles({ kinds, rounds, warmUp }: EditPlan): Generator<readonly [string, string]> {
  for (const kind of kinds) {
    for (let round = 0; round < warmUp + rounds; round += 1) {
      for (const who of ['drawbridge', 'floor'] as const) {
        const path = pathOf(who, kind, round);
        yield [path, textOf(path)];
      }
    }
  }
}

/** Plain text, so that no language service works beside the measurement. */
function pathOf(who: 'drawbridge' | 'floor', kind: Kind, round: number): string {
  return `${kind === 'open' ? 'open' : 'closed'}/${who}-${round}.txt`;
}

function textOf(path: string): string {
  const text = sourceLines(seededRandom(path.length), lines);
  text[changedLine] = `  const ${path.replaceAll(/\W/g, '_')} = 'untouched';`;
  return `${text.join('\n')}\n`;
}

function approveButton(path: string): RegExp {
  return new RegExp(`^Approve edit of ${path.replaceAll('.', '\\.')}`);
}
