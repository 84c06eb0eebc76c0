import { randomBytes } from 'node:crypto';
import {
  createRequestStateCodec,
  inputRequired,
  isSpecType,
  type InputRequest,
  type InputRequiredResult,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { InputRequired } from '#call/outcomes.ts';
import type { ClientInput, ClientRequest } from '#call/tool.ts';

/** What the server remembers of a call while the client answers its questions; the client carries it, sealed. */
export interface RequestState {
  /** A tool's or prompt's own. */
  readonly state?: string;
  /** The question was the server's own, for the client's roots. */
  readonly askedForRoots?: true;
}

/** A client may show a question to its user, who may be at lunch. */
const lifetimeSeconds = 60 * 60;

/**
 * Seals states with a key of this process, so that a call gets back only what it gave (MCP 2026-07-28, "Multi round-trip
 * requests").
 * @param bind tells whose call it is, and of what; a state is worth nothing in another call
 */
export function requestStates(bind: (context: ServerContext) => string): RequestStateCodec<RequestState> {
  return createRequestStateCodec<RequestState>({ key: randomBytes(32), ttlSeconds: lifetimeSeconds, bind });
}

/** The server's own question; tools name theirs as they like. */
const rootsKey = 'drawbridge.roots';

/** A tool's questions as a result. Throws when one of them is no request of the specification (our bug). */
export async function questions(
  { requests, state }: InputRequired,
  states: RequestStateCodec<RequestState>,
  context: ServerContext,
): Promise<InputRequiredResult> {
  const asked = Object.entries(requests).map(([key, request]) => [key, wireRequest(request)] as const);
  return inputRequired({
    ...(asked.length > 0 && { inputRequests: Object.fromEntries(asked) }),
    ...(state !== undefined && { requestState: await states.mint({ state }, context) }),
  });
}

/** The question for the client's roots. */
export async function rootsQuestion(
  states: RequestStateCodec<RequestState>,
  context: ServerContext,
): Promise<InputRequiredResult> {
  return inputRequired({
    inputRequests: { [rootsKey]: inputRequired.listRoots() },
    requestState: await states.mint({ askedForRoots: true }, context),
  });
}

/** What the client answered to {@link rootsQuestion}, not checked; undefined when this request is no answer to it. */
export function rootsAnswer({ mcpReq }: ServerContext): { readonly answer: unknown } | undefined {
  if (mcpReq.requestState<RequestState>()?.askedForRoots !== true) return undefined;
  return { answer: mcpReq.inputResponses?.[rootsKey] };
}

/** What a client with these capabilities can be asked for. */
export function supportedRequests(capabilities: object): readonly ClientRequest['method'][] {
  return askable.filter(([capability]) => capability in capabilities).map(([, method]) => method);
}

const askable = [
  ['elicitation', 'elicitation/create'],
  ['sampling', 'sampling/createMessage'],
  ['roots', 'roots/list'],
] as const;

/** What the client answered to a tool, and what it can be asked; undefined when that is nothing. */
export function clientInputOf(
  { mcpReq }: ServerContext,
  supported: readonly ClientRequest['method'][],
): ClientInput | undefined {
  const state = mcpReq.requestState<RequestState>()?.state;
  if (mcpReq.inputResponses === undefined && state === undefined && supported.length === 0) return undefined;
  const { [rootsKey]: _roots, ...responses } = mcpReq.inputResponses ?? {};
  return { responses, ...(state !== undefined && { state }), ...(supported.length > 0 && { supported }) };
}

function wireRequest({ method, params = {} }: ClientRequest): InputRequest {
  const request: unknown = { method, params };
  if (method === 'roots/list') return inputRequired.listRoots();
  if (isSpecType.ElicitRequest(request)) return request;
  if (isSpecType.CreateMessageRequest(request)) return request;
  throw new Error(`A tool asks the client for ${method} in a way that the specification does not know.`);
}
