/** A model that says what a test wrote down: the Responses API of OpenAI, as far as Codex uses it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import * as z from 'zod';
import { eventWriter, type ModelServer, Script, startModelServer, type ToolCall, type Turn } from './modelServer.ts';

const item = z.looseObject({ type: z.string(), role: z.string().optional() });
const responsesRequest = z.looseObject({
  tools: z.array(z.looseObject({ type: z.string(), name: z.string().optional() })).default([]),
  input: z.array(item),
});

/** A request of Codex to its model. */
export type ResponsesRequest = z.infer<typeof responsesRequest>;

export interface ScriptedResponsesModel extends ModelServer {
  /** The requests that took a turn of the script. */
  readonly requests: readonly ResponsesRequest[];
}

/**
 * Starts a model that answers the conversation turn by turn, as a stream of events. Its address for Codex is `<url>/v1`.
 * @param subagents turns of subagents, by a text that stands in the prompt of that subagent and in no other prompt
 */
export async function startScriptedResponsesModel(
  script: readonly Turn[],
  subagents: Readonly<Record<string, readonly Turn[]>> = {},
): Promise<ScriptedResponsesModel> {
  const requests: ResponsesRequest[] = [];
  const turns = new Script(script, subagents);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // Codex also asks for the list of models, and goes on without it.
    if (request.method !== 'POST' || !(request.url ?? '').endsWith('/responses')) {
      response.writeHead(404).end();
      return;
    }
    const asked = responsesRequest.parse(await json(request));
    requests.push(asked);
    // A subagent gets its task as a message of another agent.
    const prompts = asked.input.filter(({ role, type }) => role === 'user' || type === 'agent_message');
    stream(response, withRunningSession(turns.next(JSON.stringify(prompts)), asked));
  };
  return { ...(await startModelServer(answer)), requests };
}

/** Returns everything that a request carries to the model after its last answer. */
export function toldOfResponses({ input }: ResponsesRequest): string {
  const lastAnswer = input.findLastIndex(
    ({ type, role }) => role === 'assistant' || type === 'function_call' || type === 'custom_tool_call',
  );
  return JSON.stringify(input.slice(lastAnswer + 1));
}

/** Puts the number of the program that Codex said to be running in place of `<session>` in the calls of a turn. */
function withRunningSession(turn: Turn, { input }: ResponsesRequest): Turn {
  const [, session] = /.*running with session ID (\d+)/s.exec(JSON.stringify(input)) ?? [];
  if (session === undefined || typeof turn === 'string') return turn;
  return z.array(scriptedCall).parse(JSON.parse(JSON.stringify(turn).replaceAll('"<session>"', session)));
}

const scriptedCall = z.object({ tool: z.string(), input: z.union([z.string(), z.looseObject({})]) });

let ids = 0;

function stream(response: ServerResponse, turn: Turn): void {
  ids += 1;
  const id = `resp_${ids}`;
  const event = eventWriter(response);
  event('response.created', { response: { id } });
  for (const [index, output] of outputOf(turn).entries())
    event('response.output_item.done', { output_index: index, item: output });
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 20,
  };
  event('response.completed', { response: { id, usage } });
  response.end();
}

function outputOf(turn: Turn): readonly object[] {
  if (typeof turn !== 'string') return turn.map(callItem);
  const content = [{ type: 'output_text', text: turn }];
  return [{ type: 'message', id: `msg_${ids}`, role: 'assistant', content }];
}

/** A tool in a namespace is written as `namespace.tool`. */
function callItem({ tool, input }: ToolCall, index: number): object {
  const [name = '', namespace] = tool.split('.').toReversed();
  const call = {
    id: `item_${ids}_${index}`,
    call_id: `call_${ids}_${index}`,
    name,
    ...(namespace !== undefined && { namespace }),
  };
  return typeof input === 'string'
    ? { ...call, type: 'custom_tool_call', input }
    : { ...call, type: 'function_call', arguments: JSON.stringify(input) };
}
