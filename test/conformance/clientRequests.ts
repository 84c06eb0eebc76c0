import * as z from 'zod';
import type { ClientInput, ClientRequest } from '#call/tool.ts';

export const listRoots: ClientRequest = { method: 'roots/list' };

/** Asks the user to fill in a form. */
export function elicit(
  message: string,
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[] = Object.keys(properties),
): ClientRequest {
  return {
    method: 'elicitation/create',
    params: { message, requestedSchema: { type: 'object', properties, required } },
  };
}

/** Requests a completion of the client's model. */
export function sample(text: string, maxTokens: number): ClientRequest {
  return {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens },
  };
}

const acceptedForm = z.object({ action: z.literal('accept'), content: z.record(z.string(), z.unknown()) });
const sampledText = z.object({ content: z.object({ text: z.string() }) });
const listedRoots = z.object({ roots: z.array(z.object({ uri: z.string() })) });

/** Returns a field of the form that the user sent; undefined when the user sent none. */
export function fieldOf({ responses }: ClientInput, request: string, field: string): unknown {
  return acceptedForm.safeParse(responses[request]).data?.content[field];
}

export function textField(input: ClientInput, request: string, field: string): string | undefined {
  return z.string().safeParse(fieldOf(input, request, field)).data;
}

export function sampledAnswer({ responses }: ClientInput, request: string): string | undefined {
  return sampledText.safeParse(responses[request]).data?.content.text;
}

/** Returns the URIs of the roots that the client sent; undefined when it sent none. */
export function rootsOf({ responses }: ClientInput, request: string): readonly string[] | undefined {
  return listedRoots.safeParse(responses[request]).data?.roots.map(({ uri }) => uri);
}
