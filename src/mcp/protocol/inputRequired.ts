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

/** The state of a call while the client answers its questions. The client carries it, sealed. */
export interface RequestState {
  /** The state of the tool or prompt. */
  readonly state?: string;
  /** Set when the server itself asked for the client's roots. */
  readonly askedForRoots?: true;
}

/** Long enough for a client's user who is away for a while. */
const lifetimeSeconds = 60 * 60;

/**
 * Returns a codec that seals states with a key of this process, so that a client cannot forge one (MCP 2026-07-28, "Multi
 * round-trip requests").
 * @param bind returns a text for the caller and its request; a state is invalid in any other call
 */
export function requestStates(bind: (context: ServerContext) => string): RequestStateCodec<RequestState> {
  return createRequestStateCodec<RequestState>({ key: randomBytes(32), ttlSeconds: lifetimeSeconds, bind });
}

/** The key of the server's own question. Tools choose other keys. */
const rootsKey = 'drawbridge.roots';

/** Returns a tool's questions as a result. @throws when a question is no request of the specification (a bug) */
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

/** Returns a result that asks for the client's roots. */
export async function rootsQuestion(
  states: RequestStateCodec<RequestState>,
  context: ServerContext,
): Promise<InputRequiredResult> {
  return inputRequired({
    inputRequests: { [rootsKey]: inputRequired.listRoots() },
    requestState: await states.mint({ askedForRoots: true }, context),
  });
}

/** Returns the client's unchecked answer to {@link rootsQuestion}, or undefined when the request holds no such answer. */
export function rootsAnswer({ mcpReq }: ServerContext): { readonly answer: unknown } | undefined {
  if (mcpReq.requestState<RequestState>()?.askedForRoots !== true) return undefined;
  return { answer: mcpReq.inputResponses?.[rootsKey] };
}

/** Returns the requests that a client with these capabilities supports. */
export function supportedRequests(capabilities: object): readonly ClientRequest['method'][] {
  return askable.filter(([capability]) => capability in capabilities).map(([, method]) => method);
}

const askable = [
  ['elicitation', 'elicitation/create'],
  ['sampling', 'sampling/createMessage'],
  ['roots', 'roots/list'],
] as const;

/** Returns the client's answers to a tool and the requests it supports, or undefined when there are none. */
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
