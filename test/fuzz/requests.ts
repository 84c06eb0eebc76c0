import fc, { type Arbitrary } from 'fast-check';
import { json, text } from './values.ts';

/** A well-formed request of the protocol that is no call. */
export interface FuzzMethod {
  readonly kind: 'method';
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Something sent to the endpoint that is not what it expects. */
export interface FuzzRaw {
  readonly kind: 'raw';
  readonly http: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whether the request belongs to the session of the client. */
  readonly inSession: boolean;
}

const uri = fc.oneof(
  fc.constantFrom(
    'file:///etc/passwd',
    'file:///',
    'http://example.org/',
    'vscode://x/y',
    'command:x',
    'drawbridge:/x',
    '',
  ),
  text,
);

export function methods(folder: string): Arbitrary<FuzzMethod> {
  const here = fc
    .constantFrom('a.ts', 'd/x', 'd', '.env', 'out/x', '%2e%2e/x', 'pipe', 'big.txt')
    .map((name) => `file://${folder}/${name}`);
  const named = (method: string, params: Arbitrary<object>) =>
    params.map((given) => ({ kind: 'method' as const, method, params: Object.fromEntries(Object.entries(given)) }));
  const without = fc.constantFrom('ping', 'tools/list', 'resources/list', 'resources/templates/list', 'prompts/list');
  return fc.oneof(
    named('resources/read', fc.record({ uri: fc.oneof(here, uri) })),
    without.chain((method) =>
      named(method, fc.oneof(fc.constant({}), fc.record({ cursor: json }), fc.record({ _meta: json }))),
    ),
    fc
      .constantFrom(
        'prompts/get',
        'completion/complete',
        'logging/setLevel',
        'sampling/createMessage',
        'server/discover',
        '__proto__',
        'tools/call/x',
      )
      .chain((method) => named(method, fc.record({ name: json, level: json, ref: json }, { requiredKeys: [] }))),
    named(
      'tools/call',
      fc.record(
        { name: fc.oneof(json, fc.constant('get_workspace')), arguments: json, extra: json },
        { requiredKeys: [] },
      ),
    ),
  );
}

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_workspace', arguments: {} } };
const whole = JSON.stringify(call);

const envelope = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '1.0', '', 2, null),
    id: fc.oneof(fc.integer(), text, fc.constantFrom(null, 0.5, 2 ** 60, {}, [], true)),
    method: fc.oneof(
      fc.constantFrom('tools/list', 'ping', 'initialize', 'notifications/cancelled', 'notifications/x'),
      json,
    ),
    params: fc.oneof(fc.constant({}), json),
    result: json,
    error: json,
    extra: json,
  },
  { requiredKeys: ['jsonrpc'] },
);

const body: Arbitrary<Buffer> = fc.oneof(
  fc.nat(whole.length).map((end) => Buffer.from(whole.slice(0, end))),
  fc
    .tuple(fc.nat(whole.length - 1), fc.constantFrom('"', '{', '}', '\\', '\0', ',', '0', '\u{FEFF}'))
    .map(([at, piece]) => Buffer.from(whole.slice(0, at) + piece + whole.slice(at + 1))),
  fc.tuple(fc.nat(whole.length - 1), fc.constantFrom(0xff, 0xc0, 0xed)).map(([at, byte]) => {
    const bytes = Buffer.from(whole);
    bytes[at] = byte;
    return bytes;
  }),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  envelope.map((message) => Buffer.from(JSON.stringify(message))),
  fc
    .array(fc.oneof(envelope, fc.constant(call), fc.constant({ ...call, method: 'tools/list' }), json), {
      maxLength: 5,
    })
    .map((batch) => Buffer.from(JSON.stringify(batch))),
  fc
    .constantFrom(
      '',
      'null',
      '[]',
      '{}',
      '[[]]',
      '"x"',
      '['.repeat(10_000),
      '{"a":'.repeat(5000),
      '[1e999]',
      '01',
      '{"jsonrpc":"2.0"}',
      `[${Array.from({ length: 40 }, () => whole).join(',')}]`,
      `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping","method":"tools/list"}`,
      `{"__proto__":{"jsonrpc":"2.0"},"id":1,"method":"ping"}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"__proto__":{"name":"get_workspace"}}}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_workspace","_meta":{"progressToken":{}}}}`,
      JSON.stringify({ ...call, params: { ...call.params, name: 'x'.repeat(1_000_000) } }),
      'x'.repeat(4_194_305),
    )
    .map((given) => Buffer.from(given)),
);

const wrongHeaders = fc.constantFrom<Readonly<Record<string, string>>>(
  {},
  {},
  {},
  { 'Content-Type': 'text/plain' },
  { 'Content-Type': 'application/json; charset=utf-16' },
  { 'Content-Encoding': 'gzip' },
  { Accept: 'text/html' },
  { 'MCP-Protocol-Version': '1999-01-01' },
  { 'MCP-Protocol-Version': '2026-07-28' },
  { 'Mcp-Session-Id': '0'.repeat(32) },
  { 'Mcp-Session-Id': '../../x' },
  { 'Mcp-Method': 'tools/list' },
  { 'Mcp-Name': '=?base64?/w==?=' },
  { 'Drawbridge-Connection': 'short' },
  { Origin: 'http://evil.example' },
  { Host: 'evil.example' },
  { 'Last-Event-ID': '\u00FF' },
);

export const raws: Arbitrary<FuzzRaw> = fc
  .record({
    kind: fc.constant('raw' as const),
    http: fc.oneof(
      { weight: 20, arbitrary: fc.constant('POST') },
      { weight: 3, arbitrary: fc.constantFrom('PUT', 'PATCH', 'DELETE', 'OPTIONS', 'GET') },
    ),
    path: fc.oneof(
      { weight: 20, arbitrary: fc.constant('/mcp') },
      { weight: 1, arbitrary: fc.constantFrom('/', '/mcp/', '/mcp?x=1', '/%6dcp', '//mcp') },
    ),
    headers: wrongHeaders,
    body,
    inSession: fc.boolean(),
  })
  // In a session, a GET would be a stream without an end and a DELETE the end of the session.
  .map((raw) => (raw.http === 'POST' ? raw : { ...raw, inSession: false }));
