/** The part that the scripted models of all assistants share: an HTTP server on this machine, and the turns of a script. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod';

/** A call of a tool. */
export interface ToolCall {
  readonly tool: string;
  /** A text for a tool that takes a text instead of JSON. */
  readonly input: object | string;
}

/** One turn of the model: calls of tools, or a text that ends its work. */
export type Turn = readonly ToolCall[] | string;

export interface ModelServer {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server that answers every request by this function. A request at which it throws is cut off. */
export async function startModelServer(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<ModelServer> {
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, resolve));
  const address = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns a function that writes one server-sent event, whose data repeats its type. */
export function eventWriter(response: ServerResponse): (type: string, data: object) => void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  return (type, data) => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
}

/** Returns the turns that are left of a script, for the assistant itself and for each subagent, by a text in its prompt. */
export class Script {
  readonly #left: Turn[];
  readonly #subagents: readonly { readonly prompt: string; readonly left: Turn[] }[];

  constructor(turns: readonly Turn[], subagents: Readonly<Record<string, readonly Turn[]>>) {
    this.#left = [...turns];
    this.#subagents = Object.entries(subagents).map(([prompt, own]) => ({ prompt, left: [...own] }));
  }

  /** @param prompt the first message of the conversation, which tells a subagent from the assistant itself */
  next(prompt: string): Turn {
    const left = this.#subagents.find((subagent) => prompt.includes(subagent.prompt))?.left ?? this.#left;
    return left.shift() ?? 'Done.';
  }
}
