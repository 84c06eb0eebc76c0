import {
  ProtocolError,
  ProtocolErrorCode,
  type InputRequiredResult,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Clock } from '#base/clock.ts';
import { principalKey, type Principal } from '#base/principal.ts';
import type { CallOrigin } from '#call/callTool.ts';
import { capabilities } from '#mcp/wire/capabilities.ts';
import { serverIcons } from '#mcp/wire/icons.ts';
import { featuresOf } from '#mcp/wire/revisions.ts';
import { hasForbiddenKey, type Message } from '../requestBody.ts';
import type { Clients } from '../clients.ts';
import type { Inbound } from '../inbound.ts';
import type { Product } from '../product.ts';
import { tooManyWatches } from '../resourceWatches.ts';
import { followedResources, followingLevel } from './clientLog.ts';
import { RememberedRoots } from './clientRoots.ts';
import { invalidParams, protocolError } from './protocolErrors.ts';
import {
  clientInputOf,
  questions,
  requestStates,
  rootsAnswer,
  rootsQuestion,
  supportedRequests,
} from './inputRequired.ts';
import { listedPrompts, listedResource, listedTemplates, ToolList } from './lists.ts';
import { pageOf, type Page } from './pages.ts';
import { callOriginOf, type Peer, type SessionState } from './peer.ts';
import { ProtocolServer } from './protocolServer.ts';
import { toolAnswer, wireBlock } from './toolAnswer.ts';

export interface HandlerOptions {
  readonly product: Product;
  readonly clock: Clock;
  readonly clients: Clients;
  /** Called with an unexpected error. The client is told only "Internal error". */
  readonly onError: (error: unknown) => void;
  /** Returns the parsed messages of an SDK request, because the SDK's own copy of arguments drops keys. */
  readonly inboundOf: (context: ServerContext) => Inbound | undefined;
  /** Items per page of `tools/list` and the other lists held in memory. */
  readonly pageSize?: number;
}

/** Larger than the number of tools, since some clients read only the first page. */
const defaultPageSize = 1000;

/** The most characters that Claude Code lets a tool name. */
const longestNamed = 500_000;

/** Answers every request of either era. All SDK Servers of a window share one. */
export class Handlers {
  readonly #options: HandlerOptions;
  readonly #pageSize: number;
  readonly #tools: ToolList;
  readonly #roots: RememberedRoots;
  readonly #states = requestStates((context) => this.#bindingOf(context));

  constructor(options: HandlerOptions) {
    this.#options = options;
    this.#pageSize = options.pageSize ?? defaultPageSize;
    this.#roots = new RememberedRoots(options.clock);
    this.#tools = new ToolList(options.product.catalog, this.#pageSize);
  }

  /** Makes the SDK Server of one peer. @param icons whether the server information has icons */
  makeServer(peer: Peer, { icons }: { readonly icons: boolean }): Server {
    const { serverInfo, instructions } = this.#options.product;
    const server = new ProtocolServer(
      { ...serverInfo, ...(icons && { icons: [...serverIcons] }) },
      { capabilities, instructions, requestState: { verify: (state, context) => this.#states.verify(state, context) } },
      (context) => peer.started(context),
    );
    this.#serveTools(server, peer);
    this.#serveResources(server, peer);
    this.#servePrompts(server, peer);
    if (peer.session !== undefined) this.#serveSession(server, peer, peer.session);
    return server;
  }

  /** Returns the remembered roots of a 2026-era client, without asking it. */
  rememberedRoots(principal: Principal): CallOrigin['roots'] {
    return this.#roots.known(principal);
  }

  #serveTools(server: Server, peer: Peer): void {
    server.setRequestHandler('tools/list', ({ params }) =>
      this.#list(() => {
        const revision = peer.protocolVersion();
        const { icons, toolTitles } = featuresOf(revision);
        const profile = this.#options.product.profileFor(peer.client, revision);
        return this.#tools.page(params?.cursor, {
          icons: icons && profile.icons,
          outputSchemas: profile.structured,
          toolTitles,
          resultChars: profile.unnamedBytes === undefined ? undefined : Math.min(profile.readBytes, longestNamed),
        });
      }),
    );
    server.setRequestHandler('tools/call', ({ params: { name } }, context) => {
      this.#options.clients.called(peer.principal);
      return this.#carryOut(peer, context, async (origin) => {
        const call = { ...origin, tool: name, arguments: this.#argumentsOf(context) };
        const outcome = hasForbiddenKey(call.arguments)
          ? ({ kind: 'invalid_arguments', message: forbiddenKeyMessage } as const)
          : await this.#options.product.callTool(call);
        if (outcome.kind === 'input_required') return questions(outcome, this.#states, context);
        return toolAnswer(outcome, featuresOf(peer.protocolVersion()));
      });
    });
  }

  #serveResources(server: Server, peer: Peer): void {
    const { product } = this.#options;
    server.setRequestHandler('resources/list', ({ params }, context) =>
      this.#answer(peer, context, async (call) => {
        const outcome = await product.listResources(params?.cursor, call);
        if (outcome.kind !== 'resources') throw protocolError(outcome);
        const { kind: _kind, resources, ...rest } = outcome;
        return { ...rest, resources: resources.map(listedResource) };
      }),
    );
    server.setRequestHandler('resources/templates/list', ({ params }) =>
      this.#list(() => {
        const { items, ...rest } = this.#page('templates', listedTemplates(product.catalog), params?.cursor);
        return { ...rest, resourceTemplates: [...items] };
      }),
    );
    server.setRequestHandler('resources/read', ({ params: { uri } }, context) =>
      this.#carryOut(peer, context, async (call) => {
        const outcome = await product.readResource(uri, call);
        if (outcome.kind !== 'contents') throw protocolError(outcome, { uri });
        return { contents: outcome.contents.map((contents) => ({ ...contents })) };
      }),
    );
  }

  #servePrompts(server: Server, peer: Peer): void {
    const { product } = this.#options;
    server.setRequestHandler('prompts/list', ({ params }) =>
      this.#list(() => {
        const { items, ...rest } = this.#page('prompts', listedPrompts(product.catalog), params?.cursor);
        return { ...rest, prompts: [...items] };
      }),
    );
    server.setRequestHandler('prompts/get', ({ params }, context) =>
      this.#carryOut(peer, context, async (call) => {
        const outcome = await product.getPrompt(params.name, params.arguments ?? {}, call);
        if (outcome.kind === 'input_required') return questions(outcome, this.#states, context);
        if (outcome.kind !== 'prompt') throw protocolError(outcome);
        const messages = outcome.messages.map(({ role, content }) => ({ role, content: wireBlock(content) }));
        return { description: outcome.description, messages };
      }),
    );
    server.setRequestHandler('completion/complete', ({ params: { ref, argument, context: given } }, context) =>
      this.#answer(peer, context, async (call) => {
        const of = ref.type === 'ref/prompt' ? { prompt: ref.name } : { uriTemplate: ref.uri };
        const others = given?.arguments ?? {};
        const outcome = await product.complete({ of, argument: argument.name, typed: argument.value, others }, call);
        if (outcome.kind !== 'completion') throw protocolError(outcome);
        const { kind: _kind, values, ...rest } = outcome;
        return { completion: { ...rest, values: [...values] } };
      }),
    );
  }

  /** Adds the handlers that exist only in sessions. */
  #serveSession(server: Server, peer: Peer, session: SessionState): void {
    server.setRequestHandler('logging/setLevel', ({ params: { level } }, context) => {
      session.logLevel = level;
      if (level !== followingLevel) return {};
      return this.#answer(peer, context, async ({ log: _log, ...call }) => {
        await Promise.all(followedResources.map((uri) => session.followed.watch(uri, call)));
        return {};
      });
    });
    server.setRequestHandler('resources/subscribe', ({ params: { uri } }, context) =>
      this.#answer(peer, context, async (call) => {
        if (session.watches.isFull && !session.watches.has(uri)) throw invalidParams(tooManyWatches);
        const outcome = await session.watches.watch(uri, call);
        if (outcome.kind !== 'watching') throw protocolError(outcome, { uri });
        return {};
      }),
    );
    server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      session.watches.unwatch(uri);
      return {};
    });
    server.setNotificationHandler('notifications/roots/list_changed', () => session.roots.changed());
  }

  /** Answers a request that may first ask the client for input, such as its roots when they are not known. */
  #carryOut<R>(
    peer: Peer,
    context: ServerContext,
    work: (call: CallOrigin) => Promise<R>,
  ): Promise<R | InputRequiredResult> {
    return this.#answer<R | InputRequiredResult>(peer, context, async (call) => {
      if (this.#mustAskForRoots(peer, context)) return rootsQuestion(this.#states, context);
      const clientInput = clientInputOf(context, supportedRequests(peer.capabilities(context)));
      return work(clientInput === undefined ? call : { ...call, clientInput });
    });
  }

  async #answer<R>(peer: Peer, context: ServerContext, work: (call: CallOrigin) => Promise<R>): Promise<R> {
    try {
      this.#rememberRoots(peer, context);
      const origin = callOriginOf(peer, context, this.#options.inboundOf(context));
      const roots = await this.#rootsOf(peer, context);
      return await work(roots === undefined ? origin : { ...origin, roots });
    } catch (error) {
      throw this.#told(error);
    }
  }

  /** Answers a list request from memory, and hides unexpected errors. */
  #list<R>(make: () => R): R {
    try {
      return make();
    } catch (error) {
      throw this.#told(error);
    }
  }

  /** Hides unexpected errors: the SDK would send their message, which may reveal too much. */
  #told(error: unknown): ProtocolError {
    if (error instanceof ProtocolError) return error;
    this.#options.onError(error);
    return new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error');
  }

  async #rootsOf(peer: Peer, context: ServerContext): Promise<readonly string[] | undefined> {
    if (peer.session === undefined) return this.#roots.known(peer.principal);
    return hasRoots(peer, context) ? peer.session.roots.of(context) : undefined;
  }

  /** Returns false without a connection: such requests share one principal, and would share roots. */
  #mustAskForRoots(peer: Peer, context: ServerContext): boolean {
    if (peer.session !== undefined || peer.principal.connectionId === undefined) return false;
    return hasRoots(peer, context) && this.#roots.mustAsk(peer.principal);
  }

  #rememberRoots({ session, principal }: Peer, context: ServerContext): void {
    const answered = session === undefined ? rootsAnswer(context) : undefined;
    if (answered !== undefined) this.#roots.answered(principal, answered.answer);
  }

  #argumentsOf(context: ServerContext): unknown {
    return this.#messageOf(context)?.params?.['arguments'] ?? {};
  }

  #messageOf(context: ServerContext): Message | undefined {
    const messages = this.#options.inboundOf(context)?.messages ?? [];
    return messages.find((message) => message.id === context.mcpReq.id);
  }

  /** Binds a request state to the same request of the same caller. */
  #bindingOf(context: ServerContext): string {
    const { method, params } = this.#messageOf(context) ?? {};
    const principal = this.#options.inboundOf(context)?.principal;
    return JSON.stringify([method, params?.['name'] ?? params?.['uri'], principal && principalKey(principal)]);
  }

  #page<T>(name: string, items: readonly T[], cursor: string | undefined): Page<T> {
    const list = `${name} ${this.#options.product.catalog.version}`;
    return pageOf(items, { cursor, list, size: this.#pageSize });
  }
}

const forbiddenKeyMessage = 'arguments: __proto__ and constructor are not allowed as keys';

function hasRoots(peer: Peer, context: ServerContext): boolean {
  return supportedRequests(peer.capabilities(context)).includes('roots/list');
}
