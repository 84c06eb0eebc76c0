import * as z from 'zod';
import { type ConnectOptions, connectV1, type WindowRecord } from './harness.ts';

/** The longest that a call may wait for the user: longer than any test, which has a limit of its own. */
export const approvalSeconds = 600;
/** Milliseconds that a client waits for an answer: less than a test may take, so that its error names the call. */
export const answerTimeout = 350_000;
/** User settings under which an assistant waits for the user as long as a test may take. */
export const patience = { 'drawbridge.clients': { assistant: { approvalSeconds } } };

const outcome = z.looseObject({
  status: z.string(),
  approvalId: z.string(),
  userMessage: z.string().optional(),
  next: z.string(),
  files: z.array(
    z.looseObject({
      path: z.string(),
      state: z.string(),
      version: z.string().optional(),
      saved: z.boolean().optional(),
      dirty: z.boolean().optional(),
      changedOnSave: z.string().optional(),
      reason: z.string().optional(),
    }),
  ),
});

/** The result of a tool that proposes a change. */
export type Outcome = z.infer<typeof outcome>;

/** The shape of what any tool answers. */
export const answer = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })),
  structuredContent: z.looseObject({}).optional(),
  isError: z.boolean().optional(),
});

/** The result of any tool. */
export type Answer = z.infer<typeof answer>;

/** One edit of `apply_edit`. */
export type Edit = Readonly<Record<string, string | number | boolean>>;

/** A program with an MCP client, the SDK of the 2025 era, that works on a window. */
export interface Assistant {
  readonly client: Awaited<ReturnType<typeof connectV1>>['client'];
  call(tool: string, args?: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Answer>;
  /** Calls and returns the text of the answer, which every answer has. */
  say(tool: string, args?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Calls a tool that changes something, and waits until the user, or something else, has decided. Rejects with its error. */
  change(tool: string, args: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Outcome>;
  /** `change` by edits of `apply_edit`. */
  propose(edits: readonly Edit[], reason?: string, signal?: AbortSignal): Promise<Outcome>;
  close(): Promise<void>;
}

/** Connects an assistant; its name is "assistant" unless given. */
export async function connectAssistant(record: WindowRecord, options: ConnectOptions = {}): Promise<Assistant> {
  const connected = await connectV1(record, { name: 'assistant', ...options });
  const { client } = connected;
  const call: Assistant['call'] = async (name, args = {}, signal) => {
    const settings = { timeout: answerTimeout, ...(signal && { signal }) };
    return answer.parse(await client.callTool({ name, arguments: { ...args } }, undefined, settings));
  };
  const change: Assistant['change'] = (tool, args, signal) => {
    const changed = call(tool, args, signal).then((result) => {
      if (result.isError === true) throw new Error(textOfAnswer(result));
      return outcome.parse(result.structuredContent);
    });
    // A test that failed before it looked at the outcome has said enough.
    changed.catch(() => undefined);
    return changed;
  };
  return {
    client,
    call,
    say: async (tool, args) => textOfAnswer(await call(tool, args)),
    change,
    propose: (edits, reason, signal) =>
      change('apply_edit', { edits, ...(reason !== undefined && { reason }) }, signal),
    close: () => connected.close(),
  };
}

/** The first text block of an answer. */
export function textOfAnswer({ content }: Answer): string {
  return z.looseObject({ text: z.string() }).parse(content.find(({ type }) => type === 'text')).text;
}
