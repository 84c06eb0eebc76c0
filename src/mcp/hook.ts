/** The route by which the hook program of an assistant asks this window about the assistant's own edits and commands. It only proposes. */
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import { type NativeCommand, type NativeMoment, shells } from '#base/nativeCommand.ts';
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
export type AnswerHook = (call: NativeCall | NativeCommand, signal: AbortSignal) => Promise<NativeAnswer>;

const name = z.string().min(1).max(200);

const path = z.string().min(1).max(4096);

const caller = {
  event: z.enum(['before', 'question', 'after']),
  assistant: name,
  session: name,
  call: name.optional(),
  source: name.optional(),
  isSerial: z.boolean().optional(),
  waitSeconds: z.int().min(1).max(mostWaitSeconds).optional(),
  turn: name.optional(),
  agent: z.strictObject({ id: name, kind: name }).optional(),
  tool: name,
  reachesModel: z.boolean().optional(),
};

const NativeCallBody = z.strictObject({
  ...caller,
  attempt: z.int().min(0).max(100).optional(),
  writesExactly: z.array(z.enum(exactWrites)),
  edits: z.array(nativeFileEdit).min(1).max(1000),
}) satisfies z.ZodType<NativeCall>;

const NativeCommandBody = z.strictObject({
  ...caller,
  command: z.strictObject({
    shell: z.enum(shells),
    text: z.string(),
    folder: path,
    reason: z.string().optional(),
    isInput: z.boolean().optional(),
    seesInput: z.boolean().optional(),
    leavesSandbox: z.boolean().optional(),
    namesOwnSettings: z.boolean().optional(),
  }),
}) satisfies z.ZodType<NativeCommand>;

const NativeMomentBody = z.strictObject({
  event: z.enum(['sessionBegan', 'turnEnded', 'sessionEnded']),
  assistant: name,
  session: name,
  folder: path,
}) satisfies z.ZodType<NativeMoment>;

const UnknownToolBody = z.strictObject({
  event: z.literal('unknown'),
  assistant: name,
  tool: name,
}) satisfies z.ZodType<UnknownTool>;

const HookBody = z.union([NativeCallBody, NativeCommandBody, NativeMomentBody, UnknownToolBody]);

/** Returns the call or report in the body of a request; undefined when it is malformed. */
export function parseHookBody(bytes: Uint8Array): NativeCall | NativeCommand | NativeMoment | UnknownTool | undefined {
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
export async function serveHook(
  call: NativeCall | NativeCommand,
  response: ServerResponse,
  answer: AnswerHook,
): Promise<void> {
  const closed = new AbortController();
  // The connection also closes after the answer, and what the user decides then still counts.
  response.once('close', () => {
    if (!response.writableFinished) closed.abort();
  });
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
