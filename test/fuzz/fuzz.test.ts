import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { heapInUse } from '../mcp/heapInUse.ts';
import { size } from '../size.ts';
import { AnswerJudge } from './answers.ts';
import { calls, likelyChanges, type ListedTool } from './calls.ts';
import { FuzzClient, type FuzzRequest, revisions } from './client.ts';
import type { KnownValues } from './fields.ts';
import { openFuzzWindow, type FuzzWindow } from './fuzzWindow.ts';
import { methods, raws } from './requests.ts';
import { FuzzSender } from './sender.ts';

/** The same requests at every run; another seed makes others. */
const seed = Number(process.env['DRAWBRIDGE_FUZZ_SEED'] ?? 20_261_128);
const total = size({ quick: 500, full: 100_000 });
/** Milliseconds; a slow machine is no failure. */
const timeLimit = size({ quick: 60_000, full: 3 * 3_600_000 });
/** The number of requests that know the same ids. After two batches the workspace is as it was at first. */
const batch = 125;
const inFlight = 16;

/** Ends of calls, and decisions of the user, that each run must reach. */
const commonEnds = ['applied', 'declined', 'pending_approval', 'answered', 'not_found', 'invalid arguments', 'raw 400'];
const commonDecisions = ['approve accepted', 'decline accepted', 'answer accepted', 'ignored', 'left out a part'];

const listed = z.object({
  tools: z.array(z.looseObject({ name: z.string(), inputSchema: z.unknown(), outputSchema: z.unknown() })),
});
const found = z.object({ structuredContent: z.object({ nextCursor: z.string() }) });

/** Returns the result of a request that the server answers as it must. */
async function resultOf(client: FuzzClient, asked: FuzzRequest): Promise<unknown> {
  const answer = await client.ask(asked);
  const message: unknown = JSON.parse(answer?.body.toString().replace(/^[^{]*data: /, '') ?? '');
  return z.object({ result: z.unknown() }).parse(message).result;
}

/** Returns the id and the version of the change that was applied last, and a cursor, to which some calls come near. */
async function knownTo({ queue }: FuzzWindow, client: FuzzClient): Promise<KnownValues> {
  const search = { kind: 'call', tool: 'search_code', arguments: { query: 'a', maxResults: 1 } } as const;
  const result = found.safeParse(await resultOf(client, search));
  const applied = queue.all.find(({ state }) => state === 'applied');
  return {
    approvalId: applied?.id ?? 'a-000000000000000000000000',
    cursor: result.data?.structuredContent.nextCursor ?? 'bnVsbA',
    version: applied?.outcomes?.[0]?.version ?? '0123456789abcdef',
  };
}

function requestsOf(tools: readonly ListedTool[], known: KnownValues, at: number): readonly FuzzRequest[] {
  const anything = fc.oneof(
    { weight: 12, arbitrary: calls(tools, known) },
    { weight: 5, arbitrary: likelyChanges },
    { weight: 1, arbitrary: methods('/w') },
    { weight: 2, arbitrary: raws },
  );
  return fc.sample<FuzzRequest>(anything, { seed: seed + at, numRuns: Math.min(batch, total - at) });
}

/** Returns the changes that were written and that the record does not tell of, and the calls of which it tells no end. */
function recordProblems({ edits, auditLog }: FuzzWindow): readonly string[] {
  const decided = new Set<string>();
  const applies: string[] = [];
  for (const { event, approvalId = '', ['state']: state } of auditLog.events) {
    if (event === 'approval.state' && (state === 'approved' || state === 'applying')) decided.add(approvalId);
    if (event === 'apply') applies.push(approvalId);
  }
  const written = [...edits.written];
  return [
    ...written.filter((id) => !decided.has(id)).map((id) => `${id} has no decision on record`),
    ...written
      .filter((id) => applies.filter((each) => each === id).length !== 1)
      .map((id) => `${id} has no apply on record, or several`),
    ...auditLog.calls.filter(({ end }) => end === undefined).map(({ start }) => `${start.tool} has no end on record`),
  ];
}

describe(`${total} calls of all tools over a window in memory, seed ${seed}`, () => {
  it(
    'get a valid answer, crash nothing, keep no memory, and change no byte without a decision on record',
    async () => {
      const window = await openFuzzWindow(seed);
      onTestFinished(() => window.server.stop());
      const { server, edits, user } = window;
      const clients = await Promise.all(revisions.map((revision) => new FuzzClient(server, revision).open()));
      onTestFinished(() => clients.forEach((client) => client.close()));
      const newest = clients.find(({ revision }) => revision === '2025-11-25') ?? expect.unreachable();
      const { tools } = listed.parse(await resultOf(newest, { kind: 'method', method: 'tools/list', params: {} }));
      const judge = new AnswerJudge(tools);
      const sender = new FuzzSender(judge, inFlight);
      const problems: string[] = [];
      const heapSizes: number[] = [];
      let written = 0;
      for (let at = 0; at < total && problems.length === 0; at += batch) {
        const isAgain = at % (2 * batch) === 0;
        if (isAgain) await window.startAgain(at % (8 * batch) === 6 * batch ? 'acceptEdits' : 'manual');
        const writtenBefore = edits.written.size;
        await sender.sendAll(requestsOf(tools, await knownTo(window, newest), at), clients);
        await user.rested();
        edits.checkUntouched();
        written += edits.written.size - writtenBefore;
        problems.push(...sender.problems, ...edits.problems, ...recordProblems(window));
        if (at + batch === total / 2 || at + batch === total) {
          await window.startAgain('manual');
          heapSizes.push(await heapInUse());
        }
      }
      expect({ problems: problems.slice(0, 20), errors: window.errorsOf() }).toEqual({ problems: [], errors: [] });
      expect([...judge.outcomes.keys()]).toEqual(expect.arrayContaining(commonEnds));
      expect([...user.decisions.keys()]).toEqual(expect.arrayContaining(commonDecisions));
      expect(written).toBeGreaterThan(total / 100);
      const [half = 0, end = 0] = heapSizes;
      expect(end / half).toBeLessThan(1.15);
    },
    timeLimit,
  );
});
