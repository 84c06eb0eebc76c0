import { request, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import { until } from '../mcp/fixture.ts';

type Members = Readonly<Record<string, unknown>>;
/** A message, a batch, or a text that is not JSON-RPC. */
type Body = Members | readonly Members[] | string;

/** Request and response headers that are part of the contract, in the order in which they are shown. */
const shownHeaders = [
  'content-type',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'drawbridge-connection',
  'allow',
];

/** One HTTP exchange whose answer is shown as it arrives. */
interface ShownExchange {
  /** Resolves when the server has begun to answer. */
  begun(): Promise<void>;
  /** Resolves with the next message of the answer, once it is shown. */
  next(): Promise<Members>;
  /** Shows the rest of the answer and resolves when it has ended. */
  rest(): Promise<IncomingHttpHeaders>;
  /** The client closes the connection, as the 2026 era does to cancel. */
  abort(): void;
}

/** Writes the messages of a client and the server as readable text: `->` from the client, `<-` from the server. */
export class Transcript {
  readonly #port: number;
  readonly #token: string;
  /** The values that differ in each run, with the name shown instead of each. */
  readonly #names = new Map<string, string>();
  /** Every message of the 2026 era names its sender, which is shown only once. */
  readonly #shownMeta = new Set<string>();
  #text = '';

  constructor({ port, token }: { readonly port: number; readonly token: string }) {
    this.#port = port;
    this.#token = token;
  }

  get text(): string {
    return this.#text;
  }

  /** Shows a name instead of a value, in the text so far and from now on. */
  name(value: string, name: string): void {
    this.#names.set(value, name);
    this.#text = this.#text.replaceAll(value, name);
  }

  step(title: string): void {
    this.#text += `${this.#text === '' ? '' : '\n'}# ${title}\n`;
  }

  /** Shows an event in the window. */
  happens(what: string): void {
    this.#text += `.. ${what}\n`;
  }

  /** Sends one request and shows the whole answer. */
  async exchange(method: string, headers: Record<string, string>, body?: Body): Promise<IncomingHttpHeaders> {
    return this.begin(method, headers, body).rest();
  }

  begin(method: string, headers: Record<string, string>, body?: Body): ShownExchange {
    const bytes = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    this.#show('->', [method, ...this.#headerTexts(lowerCased(headers))].join('; '));
    if (body !== undefined) this.#show('->', typeof body === 'string' ? body : jsonText(this.#shortened(body)));
    const outgoing = request({
      host: '127.0.0.1',
      port: this.#port,
      path: '/mcp',
      method,
      agent: false,
      headers: {
        Authorization: `Bearer ${this.#token}`,
        Accept: 'application/json, text/event-stream',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
    });
    const answer = new Answer(outgoing);
    outgoing.end(bytes);
    let isHeadShown = false;
    const showHead = async (): Promise<void> => {
      await until(() => answer.head !== undefined);
      if (isHeadShown || answer.head === undefined) return;
      isHeadShown = true;
      this.#show('<-', [String(answer.head.status), ...this.#headerTexts(answer.head.headers)].join('; '));
    };
    const next = async (): Promise<Members> => {
      await showHead();
      await until(() => answer.messages.length > 0);
      const message = answer.messages.shift() ?? {};
      this.#show('<-', jsonText(this.#shortened(message)));
      return message;
    };
    return {
      begun: showHead,
      next,
      rest: async () => {
        await showHead();
        await until(() => answer.hasEnded);
        while (answer.messages.length > 0) await next();
        return answer.head?.headers ?? {};
      },
      abort: () => {
        this.#show('->', '(closes the connection)');
        outgoing.destroy();
      },
    };
  }

  #headerTexts(headers: IncomingHttpHeaders): readonly string[] {
    return shownHeaders.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${String(headers[name])}`]));
  }

  #show(arrow: '->' | '<-', text: string): void {
    let shown = text;
    for (const [value, name] of this.#names) shown = shown.replaceAll(value, name);
    this.#text += `${arrow} ${shown.replaceAll('\n', '\n   ')}\n`;
  }

  /** Shortens the texts of the tools and the server, which other tests hold, so that they do not hide the protocol. */
  #shortened(value: unknown, name = ''): unknown {
    if (typeof value === 'string') return name === 'instructions' || value.startsWith('data:') ? '…' : value;
    if (Array.isArray(value))
      return value.map((each, at) => (name === 'tools' && at > 0 ? outline(each) : this.#shortened(each)));
    if (!isMembers(value)) return value;
    if (name === '_meta' && this.#isShown(JSON.stringify(value))) return '…';
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#shortened(each, key)]));
  }

  #isShown(meta: string): boolean {
    const isShown = this.#shownMeta.has(meta);
    this.#shownMeta.add(meta);
    return isShown;
  }
}

/** The part of an answer received so far. */
class Answer {
  head: { readonly status: number; readonly headers: IncomingHttpHeaders } | undefined;
  hasEnded = false;
  readonly messages: Members[] = [];
  #unread = '';

  constructor(outgoing: ClientRequest) {
    outgoing.on('error', () => (this.hasEnded = true));
    outgoing.on('response', (incoming) => {
      this.head = { status: incoming.statusCode ?? 0, headers: incoming.headers };
      const isStream = incoming.headers['content-type'] === 'text/event-stream';
      incoming.setEncoding('utf8');
      incoming.on('data', (piece: string) => {
        this.#unread += piece;
        if (isStream) this.#readEvents();
      });
      incoming.on('error', () => (this.hasEnded = true));
      incoming.on('end', () => {
        if (!isStream && this.#unread !== '') this.#push(this.#unread);
        this.hasEnded = true;
      });
    });
  }

  #readEvents(): void {
    const events = this.#unread.split('\n\n');
    this.#unread = events.pop() ?? '';
    for (const event of events) {
      for (const line of event.split('\n')) {
        if (line.startsWith('data:')) this.#push(line.slice('data:'.length));
        // Keep-alive comments arrive at times of their own.
        else if (!line.startsWith(':') && line !== 'event: message') this.messages.push({ line });
      }
    }
  }

  #push(text: string): void {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) for (const each of value) this.messages.push(isMembers(each) ? each : { each });
    else if (isMembers(value)) this.messages.push(value);
  }
}

function outline(tool: unknown): unknown {
  if (!isMembers(tool)) return tool;
  const { name, annotations, ...others } = tool;
  return { name, annotations, '…': Object.keys(others).join(', ') };
}

const width = 140;

/** Writes JSON on one line where it fits, else one line for each member. */
function jsonText(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  if (line.length + indent.length <= width || typeof value !== 'object' || value === null) return line;
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((each) => jsonText(each, deeper))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${jsonText(each, deeper)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  return `${open}\n${members.map((member) => `${deeper}${member}`).join(',\n')}\n${indent}${close}`;
}

function lowerCased(headers: Record<string, string>): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
