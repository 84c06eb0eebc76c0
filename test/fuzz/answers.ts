import { CallToolResultSchema, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import * as z from 'zod';
import type { ErrorCode } from '#base/toolError.ts';
import type { FuzzAnswer, FuzzRequest, Revision } from './client.ts';

/** Every code that a tool may fail with; `internal` is a bug. */
const codes: Readonly<Record<Exclude<ErrorCode, 'internal'>, true>> = {
  not_found: true,
  outside_workspace: true,
  unsafe_path: true,
  scheme_not_allowed: true,
  binary_file: true,
  too_large: true,
  undecodable: true,
  no_match: true,
  ambiguous_match: true,
  stale_version: true,
  redacted_text: true,
  denied: true,
  not_trusted: true,
  rate_limited: true,
  too_many_pending: true,
  timeout: true,
  cancelled: true,
  session_closed: true,
  workspace_unavailable: true,
  unavailable: true,
};

/** The HTTP statuses of answers, refusals and unknown addresses. A 500 is a bug. */
const statuses = new Set([200, 202, 400, 401, 403, 404, 405, 406, 411, 413, 415, 429, 503]);
/** The error codes of JSON-RPC without "Internal error", and those of the SDKs and of Drawbridge. */
const errorCodes = new Set([-32700, -32600, -32601, -32602, -32000, -32001, -32020, -32021, -32022]);
/** Revisions are dates, so they compare as text. */
const structuredSince = '2025-06-18';

const reply = z.looseObject({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
});
type Reply = z.infer<typeof reply>;

/** Says as a sentence what is wrong with an answer, and counts the outcomes of the calls. */
export class AnswerJudge {
  readonly #outputs: ReadonlyMap<string, (value: unknown) => string | undefined>;
  readonly outcomes = new Map<string, number>();

  constructor(tools: readonly { readonly name: string; readonly outputSchema?: unknown }[]) {
    const validator = new AjvJsonSchemaValidator();
    this.#outputs = new Map(
      tools.map(({ name, outputSchema }) => {
        const check = validator.getValidator(z.record(z.string(), z.unknown()).parse(outputSchema));
        return [name, (value) => check(value).errorMessage];
      }),
    );
  }

  problemOf(asked: FuzzRequest, { status, body, id }: FuzzAnswer, revision: Revision): string | undefined {
    if (!statuses.has(status)) return `HTTP ${status}`;
    const text = decoded(body);
    if (text === undefined) return 'not UTF-8';
    let messages: readonly unknown[];
    try {
      messages = messagesIn(text);
    } catch {
      return `not JSON: ${text.slice(0, 200)}`;
    }
    const replies: Reply[] = [];
    for (const message of messages) {
      // JSON-RPC answers with the id null when a request could not be parsed.
      const isRefusal = z.looseObject({ id: z.null() }).safeParse(message).success;
      const checked = isRefusal ? message : JSONRPCMessageSchema.safeParse(message).data;
      if (checked === undefined) return `no JSON-RPC: ${JSON.stringify(message).slice(0, 300)}`;
      const parsed = reply.parse(message);
      if (parsed.method === undefined) replies.push(parsed);
    }
    const bug = replies.find(({ error }) => error !== undefined && !errorCodes.has(error.code) && !isOfSdk(error));
    if (bug !== undefined) return `error ${bug.error?.code}: ${bug.error?.message.slice(0, 200)}`;
    if (asked.kind === 'raw') return this.#count(`raw ${status}`);
    if (status !== 200) return this.#count(`${asked.kind} refused with ${status}`);
    const [only, ...others] = replies;
    // A cancelled request gets no answer.
    if (only === undefined && asked.kind === 'call' && asked.cancelAfter !== undefined) return this.#count('cancelled');
    if (only === undefined || others.length > 0) return `${replies.length} answers to one request`;
    if (only.id !== id) return `the answer to ${JSON.stringify(only.id)}, not to ${id}`;
    return asked.kind === 'call'
      ? this.#problemOfCall(asked.tool, only, revision)
      : this.#count(`method ${only.error?.code ?? 'ok'}`);
  }

  #problemOfCall(tool: string, { result, error }: Reply, revision: Revision): string | undefined {
    if (error !== undefined) return this.#count(`error ${error.code}`);
    const parsed = CallToolResultSchema.safeParse(result);
    if (!parsed.success) return `no tool result: ${parsed.error.message.slice(0, 300)}`;
    const { isError, content, structuredContent } = parsed.data;
    const [first] = content;
    if (first?.type !== 'text' || first.text === '') return 'no text';
    if (isError !== true && revision < structuredSince) {
      return structuredContent === undefined ? this.#count('ok, as text') : 'content that its revision does not know';
    }
    if (isError !== true) {
      const problem = this.#outputs.get(tool)?.(structuredContent);
      const status = structuredContent?.['status'];
      return problem === undefined ? this.#count(typeof status === 'string' ? status : 'ok') : `output: ${problem}`;
    }
    if (structuredContent !== undefined) return 'an error with structured content';
    const [, code = ''] = /\[([a-z_]+)\]$/.exec(first.text) ?? [];
    if (/^(?:Invalid arguments for \S|arguments: \S)/.test(first.text)) return this.#count('invalid arguments');
    return Object.hasOwn(codes, code)
      ? this.#count(code)
      : `an error without a known code: ${first.text.slice(0, 300)}`;
  }

  #count(outcome: string): undefined {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }
}

/** Returns whether the SDK refused the params of a list: its message holds the issues of its schema as JSON. */
function isOfSdk({ code, message }: NonNullable<Reply['error']>): boolean {
  return code === -32603 && /^\[\s*\{[^]*"path": \[\s*"params"/.test(message);
}

function decoded(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

/** Streamed or not, of a batch too. */
export function messagesIn(text: string): readonly unknown[] {
  if (text === '') return [];
  if (/^[[{]/.test(text)) return [JSON.parse(text)].flat();
  return text.split('\n').flatMap((line) => {
    if (
      line === '' ||
      line.startsWith(':') ||
      /^(?:event|id|retry):/.test(line) ||
      line === 'data:' ||
      line === 'data: '
    )
      return [];
    if (!line.startsWith('data: ')) throw new Error('neither JSON nor events');
    return [JSON.parse(line.slice('data: '.length))].flat();
  });
}
