/** A model that says what a test wrote down: the Messages API of Anthropic, as far as Claude Code uses it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import * as z from 'zod';
import { eventWriter, type ModelServer, Script, startModelServer, type ToolCall, type Turn } from './modelServer.ts';

const block = z.looseObject({ type: z.string(), text: z.string().optional(), content: z.unknown().optional() });
const messagesRequest = z.looseObject({
  stream: z.boolean().default(false),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
  messages: z.array(z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(block)]) })),
});

/** A request of an assistant to its model. */
export type ModelRequest = z.infer<typeof messagesRequest>;

export interface ScriptedModel extends ModelServer {
  /** The requests that took a turn of the script. */
  readonly requests: readonly ModelRequest[];
}

/**
 * Starts a model that answers the conversation turn by turn. Other requests, such as those for a title, get a short text and take no
 * turn: they offer no tools.
 * @param subagents turns of subagents, by a text that stands in the prompt of that subagent and in no other prompt
 */
export async function startScriptedModel(
  script: readonly Turn[],
  subagents: Readonly<Record<string, readonly Turn[]>> = {},
): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const turns = new Script(script, subagents);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST' || !(request.url ?? '').startsWith('/v1/messages')) {
      response.writeHead(request.method === 'HEAD' ? 200 : 404).end();
      return;
    }
    const body: unknown = await json(request);
    if ((request.url ?? '').includes('count_tokens')) return send(response, { input_tokens: 100 });
    const asked = messagesRequest.parse(body);
    const isConversation = asked.tools.length > 0;
    if (isConversation) requests.push(asked);
    const turn = isConversation ? turns.next(JSON.stringify(asked.messages[0]?.content ?? '')) : 'A title';
    const message = messageOf(turn);
    if (asked.stream) stream(response, message);
    else send(response, message);
  };
  return { ...(await startModelServer(answer)), requests };
}

/** Returns all text that a request carries to the model after its last answer. */
export function toldOf({ messages }: ModelRequest): string {
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  return JSON.stringify(messages.slice(lastAnswer + 1).map(({ content }) => content));
}

type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: ToolCall['input'] };

interface Message {
  readonly content: readonly Content[];
  readonly stop_reason: 'end_turn' | 'tool_use';
}

let ids = 0;

function messageOf(turn: Turn) {
  ids += 1;
  const said: Message =
    typeof turn === 'string'
      ? { content: [{ type: 'text', text: turn }], stop_reason: 'end_turn' }
      : { content: turn.map(toolUse), stop_reason: 'tool_use' };
  return {
    id: `msg_${ids}`,
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    ...said,
  };
}

function toolUse({ tool, input }: ToolCall, index: number): Content {
  return { type: 'tool_use', id: `toolu_${ids}_${index}`, name: tool, input };
}

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function stream(response: ServerResponse, { content, stop_reason, ...message }: ReturnType<typeof messageOf>): void {
  const event = eventWriter(response);
  event('message_start', { message: { ...message, content: [], stop_reason: null } });
  for (const [index, each] of content.entries()) {
    const { begin, delta } = partsOf(each);
    event('content_block_start', { index, content_block: begin });
    event('content_block_delta', { index, delta });
    event('content_block_stop', { index });
  }
  event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } });
  event('message_stop', {});
  response.end();
}

function partsOf(content: Content): { readonly begin: object; readonly delta: object } {
  if (content.type === 'text') {
    return { begin: { type: 'text', text: '' }, delta: { type: 'text_delta', text: content.text } };
  }
  const { input, ...begin } = content;
  return {
    begin: { ...begin, input: {} },
    delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
  };
}
