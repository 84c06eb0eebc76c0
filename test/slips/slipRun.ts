import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { ApprovalRequest } from '#changes/approver.ts';
import { tools } from '#tools/index.ts';
import { FakeLanguage } from '../fakes/language.ts';
import { type ShippedWindow, startShippedWindow } from '../mcp/protocol/shippedWindow.ts';
import { WireSession } from '../mcp/protocol/wire.ts';

const values = z.record(z.string(), z.unknown());

const slip = z.strictObject({
  /** The slip as the end of "The model ...". */
  does: z.string(),
  /** Names the thread or the note in which the slip was seen, or the assistant whose parameter names it uses. */
  source: z.string(),
  tool: z.string(),
  arguments: values,
  /** The exact call that the slip stands for. */
  right: values,
  /** The slip stays an error, which names the right call. */
  refused: z.literal(true).optional(),
  /** The first line of the answer before the window accepted slips; "done" when it was accepted. */
  before: z.string(),
});

/** One way in which models get a call wrong. */
export type Slip = z.infer<typeof slip>;

export const slipsFile = new URL('slips.json', import.meta.url);

export const slips: readonly Slip[] = z.array(slip).parse(JSON.parse(readFileSync(slipsFile, 'utf8')));

/** The answer to one call, and the request for an approval that the call made. */
export interface SlipAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly asked: Pick<ApprovalRequest, 'tool' | 'arguments' | 'proposal'> | undefined;
  /** Bytes of the arguments and the answer. */
  readonly bytes: number;
}

/** Calls tools of the shipped server over an editor in memory, whose user approves everything. */
export class SlipRun {
  readonly window: ShippedWindow;
  readonly #session: WireSession;
  readonly #asked: ApprovalRequest[];

  private constructor(window: ShippedWindow, session: WireSession, asked: ApprovalRequest[]) {
    this.window = window;
    this.#session = session;
    this.#asked = asked;
  }

  static async start(): Promise<SlipRun> {
    const asked: ApprovalRequest[] = [];
    const language = new FakeLanguage();
    const greet = { firstLine: 1, firstColumn: 1, lastLine: 3, lastColumn: 2, nameLine: 1, nameColumn: 17 };
    language.outlines.set('src/greet.ts', [{ name: 'greet', kind: 'function', ...greet, children: [] }]);
    const window = await startShippedWindow({ language }, tools, async (request) => {
      asked.push(request);
      return { status: 'applied', approvalId: 'approval', displayed: true, files: [], next: 'Go on.' };
    });
    window.files.nodes.set('/w/src/my cart.ts', 'export const cart = [];\n');
    return new SlipRun(window, await WireSession.open(window, { name: 'claude-code' }), asked);
  }

  async call(tool: string, given: Readonly<Record<string, unknown>>): Promise<SlipAnswer> {
    const before = this.#asked.length;
    const { result, error } = await this.#session.ask('tools/call', { name: tool, arguments: given });
    const { content, isError } = answer.parse(result ?? { content: [{ text: error?.message }], isError: true });
    const text = content.map((block) => block.text ?? '').join('\n');
    const request = this.#asked[before];
    return {
      text,
      isError,
      asked: request && { tool: request.tool, arguments: request.arguments, proposal: request.proposal },
      bytes: Buffer.byteLength(JSON.stringify(given)) + Buffer.byteLength(text),
    };
  }
}

const answer = z.looseObject({
  content: z.array(z.looseObject({ text: z.string().optional() })),
  isError: z.boolean().default(false),
});
