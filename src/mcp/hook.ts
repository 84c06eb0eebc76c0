/** The route by which the hook program of an assistant asks this window about the assistant's own edits. It only proposes. */
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import {
  exactWrites,
  mostWaitSeconds,
  type NativeAnswer,
  type NativeCall,
  type UnknownTool,
} from '#base/nativeEdit.ts';
import { nativeFileEdit } from '#call/nativeFileEdit.ts';
import { hasForbiddenKey } from './requestBody.ts';

export const hookPath = '/hook';
/** Upper limit of a request, in bytes. An assistant may write a file as a whole. */
export const hookBytes = 64 * 1024 * 1024;

/** Answers a call; the signal is aborted when the hook program does not wait any more. */
export type AnswerHook = (call: NativeCall, signal: AbortSignal) => Promise<NativeAnswer>;

const name = z.string().min(1).max(200);

const NativeCallBody = z.strictObject({
  event: z.enum(['before', 'question', 'after']),
  assistant: name,
  session: name,
  call: name.optional(),
  source: name.optional(),
  isSerial: z.boolean().optional(),
  attempt: z.int().min(0).max(100).optional(),
  waitSeconds: z.int().min(1).max(mostWaitSeconds).optional(),
  turn: name.optional(),
  agent: z.strictObject({ id: name, kind: name }).optional(),
  tool: name,
  writesExactly: z.array(z.enum(exactWrites)),
  edits: z.array(nativeFileEdit).min(1).max(1000),
}) satisfies z.ZodType<NativeCall>;

const UnknownToolBody = z.strictObject({
  event: z.literal('unknown'),
  assistant: name,
  tool: name,
}) satisfies z.ZodType<UnknownTool>;

const HookBody = z.discriminatedUnion('event', [NativeCallBody, UnknownToolBody]);

/** Returns the call or report in the body of a request; undefined when it is malformed. */
export function parseHookBody(bytes: Uint8Array): NativeCall | UnknownTool | undefined {
  try {
    const body: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return hasForbiddenKey(body) ? undefined : HookBody.parse(body);
  } catch {
    return undefined;
  }
}

/**
 * Answers a call when it is decided. The headers go out at once, which shows the hook program that this window does not hang. The
 * connection stays open until the decision; when it closes before, the signal is aborted.
 */
export async function serveHook(call: NativeCall, response: ServerResponse, answer: AnswerHook): Promise<void> {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.flushHeaders();
  const text = JSON.stringify(await answer(call, closed.signal));
  if (!response.destroyed) response.end(text);
}

/** Answers a report. */
export function acknowledge(response: ServerResponse): void {
  const text = JSON.stringify({ decision: 'none' } satisfies NativeAnswer);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}
