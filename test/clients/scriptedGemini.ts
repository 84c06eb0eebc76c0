/** A model that says what a test wrote down: the Gemini API, as far as Gemini CLI uses it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import * as z from 'zod';
import { type ModelServer, Script, startModelServer, type Turn } from './modelServer.ts';

const content = z.looseObject({ role: z.string().optional(), parts: z.array(z.unknown()) });
const generateRequest = z.looseObject({
  tools: z.array(z.looseObject({ functionDeclarations: z.array(z.unknown()).default([]) })).default([]),
  contents: z.array(content),
});

/** A request of Gemini CLI to its model. */
export type GeminiRequest = z.infer<typeof generateRequest>;

export interface ScriptedGemini extends ModelServer {
  /** The requests that took a turn of the script. */
  readonly requests: readonly GeminiRequest[];
}

/**
 * Starts a model that answers the conversation turn by turn. Other requests, such as those that choose a model, get an empty object
 * and take no turn: they offer no tools.
 */
export async function startScriptedGemini(script: readonly Turn[]): Promise<ScriptedGemini> {
  const requests: GeminiRequest[] = [];
  const turns = new Script(script, {});
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    const asked = generateRequest.parse(await json(request));
    const isConversation = asked.tools.some(({ functionDeclarations }) => functionDeclarations.length > 0);
    if (isConversation) requests.push(asked);
    const body = JSON.stringify(messageOf(isConversation ? turns.next('') : '{}'));
    const isStream = (request.url ?? '').includes('streamGenerateContent');
    response.writeHead(200, { 'Content-Type': isStream ? 'text/event-stream' : 'application/json' });
    response.end(isStream ? `data: ${body}\n\n` : body);
  };
  return { ...(await startModelServer(answer)), requests };
}

/** Returns what a request carries to the model after its last answer, without the ids of calls, which hold the time. */
export function toldOfGemini({ contents }: GeminiRequest): unknown {
  const lastAnswer = contents.findLastIndex(({ role }) => role === 'model');
  const told = contents.slice(lastAnswer + 1).map(({ parts }) => parts);
  return JSON.parse(JSON.stringify(told, (key, value: unknown) => (key === 'id' ? undefined : value)));
}

function messageOf(turn: Turn): object {
  const parts =
    typeof turn === 'string'
      ? [{ text: turn }]
      : turn.map(({ tool, input }) => ({ functionCall: { name: tool, args: input } }));
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
  };
}
