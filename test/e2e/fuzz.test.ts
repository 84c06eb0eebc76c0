import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { listAuditFiles, runOf } from '#audit/auditFiles.ts';
import { verifyRun } from '#audit/verifyRun.ts';
import { snapshot } from '../changes/editor/editsFixture.ts';
import { size } from '../size.ts';
import { wrongInputsTree } from '../tools/edit/wrongInputs.ts';
import { decide, openApprovals, waitingCards } from './approvalsPage.ts';
import { connectAssistant, patience } from './assistant.ts';
import { AnswerJudge } from '../fuzz/answers.ts';
import { calls } from '../fuzz/calls.ts';
import { clientName, FuzzClient, type FuzzRequest, revisions } from '../fuzz/client.ts';
import type { KnownValues } from '../fuzz/fields.ts';
import { methods, raws } from '../fuzz/requests.ts';
import { FuzzSender, isPending } from '../fuzz/sender.ts';
import { hostPatience } from '../host/until.ts';
import { type Drawbridge, startDrawbridge, tempWorkspace, type WindowRecord } from './harness.ts';

/** The same requests at every run; another seed makes others. */
const seed = Number(process.env['DRAWBRIDGE_FUZZ_SEED'] ?? 20_261_121);
const total = size({ quick: 400, full: 10_000 });
const inFlight = 200;

const mostPending = 50;

/** Calls whose ends a quick run would not reach by chance. */
const rareEnds: readonly FuzzRequest[] = [
  ...['none.ts', 'bin', '.env', '../x', 'd\0'].map(
    (path) => ({ kind: 'call', tool: 'read_file', arguments: { path } }) as const,
  ),
  { kind: 'call', tool: 'apply_edit', arguments: { edits: [{ path: 'a.ts', oldText: 'none', newText: 'b' }] } },
  { kind: 'call', tool: 'create_file', arguments: { path: 'waits.ts', content: 'a\n' } },
];

const listed = z.object({
  tools: z.array(z.looseObject({ name: z.string(), inputSchema: z.unknown(), outputSchema: z.unknown() })),
});

let drawbridge: Drawbridge;
let record: WindowRecord;
let folder: string;
let outside: string;
let hostBefore: number;
let before: readonly Record<string, string>[];
let judge: AnswerJudge;
let sender: FuzzSender;
const clients: FuzzClient[] = [];
/** Bytes that the extension host holds: at the start, after half of the calls, after all. */
const heapSizes: number[] = [];

beforeAll(async () => {
  outside = tempWorkspace({ x: 'x\n' }, 'outside');
  folder = tempWorkspace({
    ...wrongInputsTree,
    'src/cart.ts': 'export const cart = 1;\n'.repeat(40),
    'big.txt': `${'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.repeat(60)}\n`.repeat(200),
  });
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  symlinkSync(outside, join(folder, 'out'));
  symlinkSync('nowhere', join(folder, 'dead'));
  // A call that gets as far as a card is answered soon, with a ticket.
  const settings = {
    'drawbridge.clients': { ...patience['drawbridge.clients'], [clientName]: { approvalSeconds: 1 } },
  };
  drawbridge = await startDrawbridge({ folder, settings });
  record = await drawbridge.record();
  hostBefore = drawbridge.window.extensionHostPid;
  const { tools, known } = await lookAround();
  judge = new AnswerJudge(tools);
  sender = new FuzzSender(judge, inFlight);
  const anything = fc.oneof(
    { weight: 17, arbitrary: calls(tools, known) },
    { weight: 1, arbitrary: methods(folder) },
    { weight: 2, arbitrary: raws },
  );
  const requests = [...rareEnds, ...fc.sample<FuzzRequest>(anything, { seed, numRuns: total })];
  await watchHost();
  before = [snapshot(folder), snapshot(outside)];
  for (const revision of [...revisions, ...revisions]) clients.push(await new FuzzClient(record, revision).open());
  heapSizes.push(await heldBytes());
  await sender.sendAll(requests.slice(0, total / 2), clients);
  heapSizes.push(await heldBytes());
  await sender.sendAll(requests.slice(total / 2), clients);
  heapSizes.push(await heldBytes());
  // More than one caller may send within a second.
  const flood = { kind: 'call', tool: 'delete_file', arguments: { path: 'none.ts' } } as const;
  await sender.sendAll(
    Array.from({ length: 300 }, () => flood),
    clients.slice(0, 1),
  );
}, 600_000);
afterAll(async () => {
  for (const client of clients) client.close();
  await drawbridge?.stop();
});

/** Approves one change, so that the calls know an id, a version and a change to undo. */
async function lookAround(): Promise<{ tools: z.infer<typeof listed>['tools']; known: KnownValues }> {
  const assistant = await connectAssistant(record);
  const { tools } = listed.parse(await assistant.client.listTools());
  const page = await openApprovals(drawbridge.window);
  const changed = assistant.change('create_file', { path: 'made.ts', content: 'a\n' });
  await decide(page, /^Approve creation of made\.ts/);
  const { approvalId, files } = await changed;
  const found = await assistant.call('search_code', { query: 'a', maxResults: 1 });
  const { nextCursor } = z.looseObject({ nextCursor: z.string() }).parse(found.structuredContent);
  await assistant.close();
  return { tools, known: { approvalId, cursor: nextCursor, version: files[0]?.version ?? '' } };
}

/** Collects the uncaught errors of the extension host from now on. */
async function watchHost(): Promise<void> {
  await drawbridge.window.evaluateSource(`
    state.uncaught = [];
    for (const event of ['unhandledRejection', 'uncaughtExceptionMonitor']) {
      process.on(event, (error) => state.uncaught.push(String(error?.stack ?? error)));
    }
  `);
}

/** After everything that is not used has been given back. */
async function heldBytes(): Promise<number> {
  const bytes = await drawbridge.window.evaluateSource(`
    require('node:v8').setFlagsFromString('--expose-gc');
    const collect = require('node:vm').runInNewContext('gc');
    for (let round = 0; round < 3; round += 1) {
      collect();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  `);
  return z.number().parse(bytes);
}

function logs(name: string): string {
  return readdirSync(drawbridge.host.directory, { withFileTypes: true, recursive: true })
    .filter((each) => each.name === name)
    .map((each) => readFileSync(join(each.parentPath, each.name), 'utf8'))
    .join('');
}

/** An entry begins with its time; a stack may follow. */
const logEntries = (name: string): string[] => logs(name).split(/^(?=\d{4}-\d\d-\d\d )/m);

/** The host runs the editor's own extensions too. */
const isOfOtherExtension = (stack: string): boolean => /[/\\]extensions[/\\](?![^/\\]*drawbridge)/.test(stack);

describe(`${total} malformed or hostile calls, seed ${seed}`, () => {
  it('all get a valid answer', () => {
    const { problems } = sender;
    expect({ seed, problems: problems.slice(0, 20), more: Math.max(0, problems.length - 20) }).toEqual({
      seed,
      problems: [],
      more: 0,
    });
  });

  it('reach every kind of outcome', () => {
    const ends = [...judge.outcomes.keys()];
    const ofTools = ['ok', 'invalid arguments', 'pending_approval', 'not_found', 'no_match', 'binary_file'];
    const ofPaths = ['outside_workspace', 'unsafe_path', 'denied'];
    const ofProtocol = ['error -32602', 'raw 400', 'raw 415', 'method ok'];
    expect(ends).toEqual(expect.arrayContaining([...ofTools, ...ofPaths, ...ofProtocol]));
  });

  it('leave the extension host running, without an uncaught error', async () => {
    expect(drawbridge.window.extensionHostPid).toBe(hostBefore);
    // The window may be looked at meanwhile, and requests may wait in it.
    const changes = { focusedAt: 0, waiting: 0 };
    expect({ ...(await drawbridge.record()), ...changes }).toEqual({ ...record, ...changes });
    const uncaught = z.array(z.string()).parse(await drawbridge.window.evaluateSource('return state.uncaught'));
    expect(uncaught.filter((stack) => !isOfOtherExtension(stack))).toEqual([]);
    expect(logEntries('Drawbridge.log').filter((entry) => entry.includes(' [error] '))).toEqual([]);
    const errors = [...logEntries('remoteexthost.log'), ...logEntries('exthost.log')].filter((entry) =>
      entry.includes('[error]'),
    );
    expect(errors.filter((entry) => /drawbridge[^/\\]*[/\\]dist[/\\]/.test(entry))).toEqual([]);
  });

  it('use no more memory at the end than after half of the calls', () => {
    const [, half = 0, end = 0] = heapSizes;
    expect(end / half).toBeLessThan(1.15);
  });

  it('change no byte inside or outside the workspace', () => {
    expect([snapshot(folder), snapshot(outside)]).toEqual(before);
  });

  it('leave no card except those that were reported', async () => {
    const page = await openApprovals(drawbridge.window);
    const cards = waitingCards(page);
    const pending = await Promise.all(
      [...sender.tickets].map(async ([approvalId, client]) => {
        const answer = await client.ask({ kind: 'call', tool: 'get_approval', arguments: { approvalId } });
        return isPending.test(answer?.body.toString() ?? '');
      }),
    );
    const waiting = pending.filter(Boolean).length;
    expect(waiting).toBeGreaterThan(0);
    expect(waiting).toBeLessThanOrEqual(mostPending);
    await expect.poll(() => cards.count(), { timeout: hostPatience }).toBe(waiting);
  });

  it('leave an intact record', async () => {
    const runs = Map.groupBy(await listAuditFiles(join(drawbridge.host.home, 'audit')), runOf);
    expect(runs.size).toBe(1);
    for (const files of runs.values()) {
      const report = await verifyRun(files);
      expect(report).toMatchObject({ isChained: true, cutLines: 0, startsLater: false });
      expect(report.problem).toBeUndefined();
      expect(report.lines).toBeGreaterThan(total);
    }
  });
});
