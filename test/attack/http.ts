/** Attacks on the HTTP door of a window: the rows H of `docs/threats.md`. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { httpEndpointOf, withToken } from '../e2e/accessTokens.ts';
import { connectAssistant } from '../e2e/assistant.ts';
import type { Drawbridge } from '../e2e/harness.ts';
import { until } from '../host/until.ts';
import { initialize, jsonHeaders, modern, send, type RawAnswer } from '../mcp/rawHttp.ts';
import { answerOf, connectAttacker, put, sessionHeaders, type Attack, type Target, type Tries } from './target.ts';

const opening = initialize('2025-11-25', 'attacker');
const request = (method: string, params: object = {}, id: number | string = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

/** Returns whether the server did what the request asked. */
const isServed = ({ status, text }: Pick<RawAnswer, 'status' | 'text'>): boolean =>
  status < 400 || /"result"\s*:/.test(text);

type Variant = readonly [what: string, headers: Record<string, string>];

/** Sends one request in each variant of its headers, all at once; every one that is served is a success. */
async function tryHeaders(
  { port }: Target,
  tries: Tries,
  base: Record<string, string>,
  variants: readonly Variant[],
  body: string,
): Promise<void> {
  await Promise.all(
    variants.map(async ([what, headers]) => {
      const answer = await send(port, 'POST', { ...base, ...headers }, body).catch(() => undefined);
      const opens = Object.keys(answer?.headers ?? {}).some((name) => name.startsWith('access-control'));
      tries.add(`${what}: ${answer?.status}`, answer !== undefined && (isServed(answer) || opens));
    }),
  );
}

/** Sends bytes. Returns the first piece of the answer; empty when there is none within ten seconds. */
function firstAnswer(port: number, bytes: string, host = '127.0.0.1'): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    const end = (text: string): void => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(10_000, () => end(''));
    socket.once('error', () => end(''));
    socket.once('close', () => resolve(''));
    socket.once('data', (data) => end(data.toString()));
    socket.write(bytes);
  });
}

const lines = (headers: readonly string[], body = ''): string => `${headers.join('\r\n')}\r\n\r\n${body}`;

const rawPost = ({ port, record }: Target, more: readonly string[]): readonly string[] => [
  'POST /mcp HTTP/1.1',
  `Host: 127.0.0.1:${port}`,
  `Authorization: Bearer ${record.token}`,
  'Content-Type: application/json',
  'Accept: application/json, text/event-stream',
  `Content-Length: ${Buffer.byteLength(opening)}`,
  ...more,
];

const h1: Attack = {
  id: 'H1',
  name: 'uses the server without its token',
  isQuick: true,
  async run({ port, record: { token } }, tries) {
    const { Authorization: _, ...base } = jsonHeaders(token);
    const guess = randomBytes(32).toString('base64url');
    const authorizations = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Bearer ${guess}`,
      `Bearer ${token}x`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token.slice(1)}`,
      `Bearer ${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      `Bearer ${token.split('').toReversed().join('')}`,
      `Basic ${Buffer.from(`:${token}`).toString('base64')}`,
      `Token ${guess}`,
      'Bearer null',
      'Bearer undefined',
      `Bearer ${'='.repeat(43)}`,
    ];
    const elsewhere = [
      { Cookie: `Authorization=Bearer ${token}` },
      { 'X-Authorization': `Bearer ${token}` },
      { 'Proxy-Authorization': `Bearer ${token}` },
      { 'Drawbridge-Connection': token },
      { 'Mcp-Session-Id': token },
    ];
    const headers = [
      ...authorizations.map((value) => (value === undefined ? {} : { Authorization: value })),
      ...elsewhere,
    ];
    const paths = ['/mcp', '/hook', `/mcp?token=${token}`, `/mcp?access_token=${token}`];
    const methods = ['POST', 'GET', 'DELETE', 'OPTIONS'];
    const all = headers.flatMap((extra) => methods.flatMap((method) => paths.map((path) => ({ extra, method, path }))));
    const attempt = async ({ extra, method, path }: (typeof all)[number]): Promise<void> => {
      const body = method === 'POST' ? opening : undefined;
      const answer = await send(port, method, { ...base, ...extra }, body, path).catch(() => undefined);
      const reached = answer !== undefined && isServed(answer);
      tries.add(
        `${method} ${path.slice(0, 12)} with ${JSON.stringify(Object.keys(extra))}: ${answer?.status}`,
        reached,
      );
    };
    // The window takes 512 connections at a time.
    for (let start = 0; start < all.length; start += 100) await Promise.all(all.slice(start, start + 100).map(attempt));
  },
};

const h2: Attack = {
  id: 'H2',
  name: 'reaches the server under another host name, or from a page of another origin, even with the token',
  isQuick: true,
  async run(target, tries) {
    const { port } = target;
    const hosts = [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      'localhost',
      `127.0.0.1:${port + 1}`,
      `127.0.0.1.:${port}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost.evil.example:${port}`,
      `127.1:${port}`,
      `2130706433:${port}`,
      `0.0.0.0:${port}`,
      `[::1]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `127.0.0.1:0${port}`,
      `127.0.0.1:${port}@evil.example`,
      `evil.example#127.0.0.1:${port}`,
    ];
    const origins = [
      'null',
      'http://evil.example',
      `http://evil.example:${port}`,
      `https://127.0.0.1:${port}`,
      `http://127.0.0.1:${port + 1}`,
      `http://127.0.0.1`,
      `http://localhost:${port}`,
      `http://127.0.0.1:${port}.evil.example`,
      `http://127.0.0.1:${port}/`,
      'file://',
      'vscode-webview://abc',
      'chrome-extension://abc',
    ];
    const variants: Variant[] = [
      ...hosts.map((host): Variant => [`host ${host}`, { Host: host }]),
      ...origins.map((origin): Variant => [`origin ${origin}`, { Origin: origin }]),
      ...hosts.map((host): Variant => [`host and origin ${host}`, { Host: host, Origin: `http://${host}` }]),
    ];
    await tryHeaders(target, tries, jsonHeaders(target.record.token), variants, opening);
  },
};

const h3: Attack = {
  id: 'H3',
  name: 'sends a request that a browser sends without a preflight',
  isQuick: true,
  async run(target, tries) {
    const types = [
      'text/plain',
      'text/plain; charset=utf-8',
      'text/plain; application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'application/json, text/plain',
      'application/json;',
      'application/json; charset=utf-16',
      'text/json',
      'text/plain\t;application/json',
      '',
    ];
    const variants = types.map((type): Variant => [`type ${type}`, { 'Content-Type': type }]);
    await tryHeaders(target, tries, jsonHeaders(target.record.token), variants, opening);
  },
};

const h4: Attack = {
  id: 'H4',
  name: 'reaches the server by another address than 127.0.0.1',
  isQuick: true,
  control: [
    {
      file: 'src/mcp/listener.ts',
      find: "server.listen({ host: '127.0.0.1', port: options.port ?? 0, exclusive: true }, resolve);",
      replace: "server.listen({ host: '0.0.0.0', port: options.port ?? 0, exclusive: true }, resolve);",
    },
    { file: 'src/mcp/listener.ts', find: "address?.address === '127.0.0.1'", replace: "address?.address !== ''" },
  ],
  async run(target, tries) {
    const own = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
    // All of 127.0.0.0/8 leads to this machine on Linux.
    const addresses = new Set(['127.0.0.2', '127.1.2.3', '::1', ...own].filter((address) => address !== '127.0.0.1'));
    for (const address of addresses) {
      const answer = await firstAnswer(target.port, lines(rawPost(target, ['Connection: close']), opening), address);
      tries.add(`address ${address}: ${answer.slice(0, 15)}`, answer !== '');
    }
  },
};

const h5: Attack = {
  id: 'H5',
  name: 'makes the server read a body without the token',
  isQuick: true,
  control: [
    {
      file: 'src/mcp/listener.ts',
      find: 'const credential = authenticate(request.headers.authorization, options.credentials());',
      replace:
        'const credential = authenticate(request.headers.authorization, options.credentials()) ?? options.credentials()[0];',
    },
  ],
  async run(target, tries) {
    const withoutToken = rawPost(target, []).filter((line) => !/^(?:authorization|content-length)/i.test(line));
    const bodies = [
      ['asks for leave to send 4 MB', ['Content-Length: 4000000', 'Expect: 100-continue'], ''],
      ['asks for leave to send pieces', ['Transfer-Encoding: chunked', 'Expect: 100-continue'], ''],
      ['sends what is no JSON', ['Content-Length: 5'], '{{{{{'],
      ['sends a piece that is no JSON', ['Transfer-Encoding: chunked'], '5\r\n{{{{{\r\n0\r\n\r\n'],
      ['announces 100 MB', ['Content-Length: 100000000'], '{'],
      ['sends no UTF-8', ['Content-Length: 4'], '\u{ff}\u{ff}'],
    ] as const;
    for (const wrong of ['', 'Authorization: Bearer x', 'Authorization: Basic x']) {
      for (const [what, headers, body] of bodies) {
        const answer = await firstAnswer(
          target.port,
          lines([...withoutToken, ...headers, ...(wrong === '' ? [] : [wrong])], body),
        );
        // Any other answer depends on the body or its length.
        tries.add(`${what}: ${answer.slice(0, 12)}`, !/^HTTP\/1\.1 (?:401|429) /.test(answer));
      }
    }
  },
};

const h6: Attack = {
  id: 'H6',
  name: 'makes a small request explode in validation',
  async run(target, tries) {
    const headers = await sessionHeaders(target);
    const call = (args: string): string =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_files","arguments":${args}}}`;
    const bombs: readonly (readonly [string, string])[] = [
      ['a million numbers', call(`{"files":[${'0,'.repeat(1_000_000)}0]}`)],
      ['200,000 objects', call(`{"files":[${'{"a":1},'.repeat(200_000)}{}]}`)],
      ['300,000 keys', call(`{${Array.from({ length: 300_000 }, (_, index) => `"k${index}":0`).join()}}`)],
      ['100,000 levels of lists', call(`{"files":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)],
      ['50,000 levels of objects', call(`${'{"a":'.repeat(50_000)}0${'}'.repeat(50_000)}`)],
      ['40 levels', call(`${'{"a":'.repeat(40)}0${'}'.repeat(40)}`)],
      ['a batch of 12,000', `[${Array.from({ length: 12_000 }, (_, id) => request('ping', {}, id)).join()}]`],
    ];
    for (const [what, body] of bombs) {
      const { status } = await send(target.port, 'POST', headers, body);
      tries.add(`${what}: ${status}`, status === 200);
    }
  },
};

const h7: Attack = {
  id: 'H7',
  name: 'gets an answer that belongs to another request with the same id',
  async run(target, tries) {
    put(target, { 'a.txt': 'one\n' });
    const mine = await sessionHeaders(target, { 'Drawbridge-Connection': randomBytes(16).toString('hex') });
    const other = await sessionHeaders(target, { 'Drawbridge-Connection': randomBytes(16).toString('hex') });
    const { port } = target;
    for (let id = 1; id <= 5; id += 1) {
      const args = { edits: [{ path: 'a.txt', oldText: 'one', newText: `two ${id}` }] };
      const waiting = send(port, 'POST', mine, request('tools/call', { name: 'apply_edit', arguments: args }, id));
      await sleep(300);
      const again = await send(port, 'POST', mine, request('tools/list', {}, id));
      tries.add(`id ${id} again in its session: ${again.status}`, again.status === 200);
      const elsewhere = await send(port, 'POST', other, request('ping', {}, id));
      tries.add(`id ${id} in another session`, elsewhere.text.includes('approvalId'));
      // An answer that went to another request never comes.
      const answer = await Promise.race([waiting, sleep(15_000)]);
      tries.add(`the answer of id ${id}`, answer?.text.includes('approvalId') !== true);
    }
  },
};

const h8: Attack = {
  id: 'H8',
  name: 'opens sessions without end, or ends those of others by it',
  async run(target, tries) {
    const { port } = target;
    const isAlive = async (headers: Record<string, string>): Promise<boolean> =>
      (await send(port, 'POST', headers, request('ping'))).status === 200;
    const victim = await sessionHeaders(target, { 'Drawbridge-Connection': randomBytes(16).toString('hex') });
    const flood = async (count: number, connection: () => string): Promise<Record<string, string>[]> => {
      const opened: Record<string, string>[] = [];
      for (let index = 0; index < count; index += 1) {
        const headers = await sessionHeaders(target, { 'Drawbridge-Connection': connection() }).catch(() => undefined);
        if (headers !== undefined) opened.push(headers);
      }
      return opened;
    };
    const one = randomBytes(16).toString('hex');
    const count = async (all: readonly Record<string, string>[]): Promise<number> => {
      let alive = 0;
      for (const headers of all) if (await isAlive(headers)) alive += 1;
      return alive;
    };
    const own = await count(await flood(80, () => one));
    tries.add(`${own} sessions of one connection are open`, own > 32);
    const invented = await count(await flood(160, () => randomBytes(16).toString('hex')));
    tries.add(`${own + invented + 1} sessions are open`, own + invented + 1 > 128);
    tries.add('the session of another assistant is gone', !(await isAlive(victim)));
  },
};

const h9: Attack = {
  id: 'H9',
  name: 'uses the session of another connection by its id',
  isQuick: true,
  async run(target, tries) {
    const secret = randomBytes(16).toString('hex');
    const stolen = await sessionHeaders(target, { 'Drawbridge-Connection': secret });
    const { 'Drawbridge-Connection': _, 'Mcp-Session-Id': id = '', ...base } = stolen;
    const connections = [
      undefined,
      randomBytes(16).toString('hex'),
      secret.slice(1),
      `${secret}0`,
      secret.toUpperCase(),
    ];
    for (const connection of connections.filter((each) => each !== secret)) {
      const own = connection === undefined ? base : { ...base, 'Drawbridge-Connection': connection };
      for (const method of ['POST', 'DELETE', 'GET'] as const) {
        const body = method === 'POST' ? request('tools/list') : undefined;
        const status =
          method === 'GET'
            ? Number(/^HTTP\/1\.1 (\d+)/.exec(await firstAnswer(target.port, getLines(target, own, id)))?.[1] ?? 0)
            : (await send(target.port, method, { ...own, 'Mcp-Session-Id': id }, body)).status;
        tries.add(`${method} with connection ${connection}: ${status}`, status < 400);
      }
    }
    for (let guess = 0; guess < 30; guess += 1) {
      const headers = { ...base, 'Mcp-Session-Id': randomBytes(16).toString('hex') };
      const { status } = await send(target.port, 'POST', headers, request('tools/list'));
      tries.add(`a guessed id: ${status}`, status < 400);
    }
  },
};

const getLines = ({ port }: Target, headers: Record<string, string>, id: string): string =>
  lines([
    'GET /mcp HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    ...Object.entries({ ...headers, Accept: 'text/event-stream' }).map(([name, value]) => `${name}: ${value}`),
    `Mcp-Session-Id: ${id}`,
  ]);

/** Returns the texts of all files below a folder whose name matches, by path. */
function textsBelow(folder: string, name: RegExp): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && name.test(entry.name),
  );
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, readFileSync(path, 'latin1')];
    }),
  );
}

const logText = ({ drawbridge }: Target): string =>
  [...textsBelow(drawbridge.host.directory, /^Drawbridge\.log$/).values()].join('');

const h10: Attack = {
  id: 'H10',
  name: 'forges a line or a field of the log by the name of a client or a tool',
  async run(target, tries) {
    put(target, { 'a.txt': 'one\n' });
    const forged = 'read_file | stolen.txt | allow | ok';
    const breaks = ['\n', '\r', '\r\n', '\u{2028}', '\u{85}', '\u{b}', ' | '];
    for (const [index, separator] of breaks.entries()) {
      const name = `forger${index}${separator}${forged}`;
      const assistant = await connectAssistant(target.record, { name });
      await answerOf(assistant, 'read_file', { path: 'a.txt' });
      await answerOf(assistant, `tool${separator}${forged}`, {});
      await assistant.close();
      const log = await until(() => [logText(target)].find((text) => text.includes(`forger${index}`)), 'the log line');
      const own = log.slice(log.indexOf(`forger${index}`));
      tries.add(`separator ${JSON.stringify(separator)}`, own.includes(forged));
    }
  },
};

const h11: Attack = {
  id: 'H11',
  name: 'sends a header twice, so that two readers see two values',
  isQuick: true,
  async run(target, tries) {
    const { port, record } = target;
    const doubled = [
      `Host: 127.0.0.1:${port}`,
      'Host: evil.example',
      `Authorization: Bearer ${record.token}`,
      'Authorization: Bearer x',
      'Content-Type: application/json',
      'Content-Type: text/plain',
      'Content-Length: 0',
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: identity',
    ];
    const twice = [
      'Mcp-Protocol-Version: 2025-11-25',
      `Drawbridge-Connection: ${'a'.repeat(32)}`,
      'Mcp-Method: initialize',
    ];
    const origin = `Origin: http://127.0.0.1:${port}`;
    const all = [...doubled.map((line) => [line]), ...twice.map((line) => [line, line]), [origin, origin]];
    for (const more of all) {
      const answer = await firstAnswer(port, lines(rawPost(target, [...more, 'Connection: close']), opening));
      tries.add(`${more.join(' and ').slice(0, 40)}: ${answer.slice(9, 12)}`, answer.startsWith('HTTP/1.1 2'));
    }
  },
};

const h12: Attack = {
  id: 'H12',
  name: 'reads a file of the state folder as another user',
  async run({ drawbridge }, tries) {
    const { home } = drawbridge.host;
    for (const name of ['', ...readdirSync(home, { recursive: true, encoding: 'utf8' })]) {
      const mode = statSync(join(home, name), { throwIfNoEntry: false })?.mode ?? 0;
      tries.add(`${name} has the mode ${(mode & 0o777).toString(8)}`, (mode & 0o077) !== 0);
    }
  },
};

const h13: Attack = {
  id: 'H13',
  name: 'makes the product write its token into a log or a record',
  async run(target, tries) {
    put(target, { 'a.txt': 'one\n' });
    const { token } = target.record;
    const spellings = {
      plain: token,
      base64: Buffer.from(token).toString('base64'),
      base64url: Buffer.from(token).toString('base64url'),
      hex: Buffer.from(token).toString('hex'),
      encoded: Buffer.from(token).toString('hex').replaceAll(/../g, '%$&'),
    };
    for (const [kind, text] of Object.entries(spellings)) {
      const assistant = await connectAssistant(target.record, { name: `n ${text}` });
      await answerOf(assistant, 'read_file', { path: `${text}.txt` });
      await answerOf(assistant, 'search_code', { query: text });
      await answerOf(assistant, 'search_code', { query: `is it ${text.slice(0, 9)} ${text}?`, path: 'a.txt' });
      await answerOf(assistant, `t_${text}`, {});
      await assistant.close();
      tries.add(`calls with the token, ${kind}`, false);
    }
    const { home, directory } = target.drawbridge.host;
    const written = [...textsBelow(home, /./), ...textsBelow(directory, /\.log$/)];
    for (const [path, text] of written.filter(([name]) => !name.startsWith(join(home, 'windows')))) {
      for (const [kind, spelling] of Object.entries(spellings)) {
        tries.add(`${kind} token in ${path.slice(directory.length)}`, text.includes(spelling));
      }
    }
  },
};

/** Listens in the place of a window. Resolves with undefined when somebody else has the port. */
function takePort(port: number, host: string, reusePort = false): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, reusePort }, () => resolve(server));
  });
}

const h14: Attack = {
  id: 'H14',
  name: 'takes the port of the access tokens without the user being told',
  run: ({ drawbridge }, tries) => withToken(drawbridge, (_, port) => takePortOf(drawbridge, port, tries)),
};

/** Takes the port of the access tokens of a window, beside the window and while its server is stopped. */
async function takePortOf(drawbridge: Drawbridge, port: number, tries: Tries): Promise<void> {
  const { window } = drawbridge;
  for (const [host, reusePort] of [
    ['127.0.0.1', false],
    ['127.0.0.1', true],
    ['0.0.0.0', true],
  ] as const) {
    const beside = await takePort(port, host, reusePort);
    tries.add(`${host} beside the window${reusePort ? ', sharing the port' : ''}`, beside !== undefined);
    beside?.close();
  }
  const notices = window.page.locator('.notifications-center .notification-list-item', { hasText: 'is in use by' });
  /** Returns what the user is told, or the address that the window opened instead. */
  const outcome = (): Promise<string> =>
    until(async () => {
      const { httpEndpoint } = await drawbridge.record();
      if (httpEndpoint !== undefined) return httpEndpoint;
      await window.command('notifications.showList');
      return (await notices.count()) > 0 && notices.first().innerText();
    }, 'the window to tell of the port');
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    await window.command('drawbridge.stop');
    const thief = await until(() => takePort(port, host), `the port ${port}`);
    await window.command('notifications.clearAll');
    await window.command('drawbridge.start');
    const told = await outcome();
    tries.add(`${host}: the window opens ${told}`, told.startsWith('http'));
    tries.add(`${host}: the user is told ${told}`, !told.includes(`${port}`) || !told.includes(`${process.pid}`));
    await window.command('drawbridge.retryHttpListener');
    const { httpEndpoint } = await drawbridge.record();
    tries.add(`${host}: the window opens ${httpEndpoint} when it tries again`, httpEndpoint !== undefined);
    await window.evaluate(async (vscode) => vscode.env.clipboard.writeText('nothing'));
    await window.command('notifications.clearAll');
    // It does not end before the user answers.
    void window.command('drawbridge.copyHttpUrl').catch(() => undefined);
    await outcome();
    const copied = await window.evaluate(async (vscode) => vscode.env.clipboard.readText());
    tries.add(`${host}: the user copies ${copied}`, copied !== 'nothing');
    await new Promise((resolve) => thief.close(resolve));
  }
  // The window wanted this port: it takes the port as soon as it is free.
  await window.command('drawbridge.retryHttpListener');
  const last = await httpEndpointOf(drawbridge);
  if (new URL(last).port !== `${port}`) throw new Error(`The window opened ${last}, not the port ${port}.`);
}

const h15: Attack = {
  id: 'H15',
  name: 'reaches the server through a tunnel or a proxy',
  isQuick: true,
  async run(target, tries) {
    const names = [
      'Forwarded',
      'Via',
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'X-Forwarded-Proto',
      'X-Forwarded',
      'X-Original-Host',
      'X-Original-URL',
      'X-Real-IP',
      'X-Client-IP',
      'True-Client-IP',
      'X-Cluster-Client-IP',
      'CF-Connecting-IP',
      'CF-Ray',
      'x-forwarded-for',
    ];
    const variants = names.map((name): Variant => [name, { [name]: '203.0.113.9' }]);
    await tryHeaders(target, tries, jsonHeaders(target.record.token), variants, opening);
  },
};

/** Returns the seconds of processor time that a process has used. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const h16: Attack = {
  id: 'H16',
  name: 'keeps the window busy by a pattern or a glob',
  async run(target, tries) {
    put(target, { 'a.txt': `${'a'.repeat(30_000)}!\n`, 'deep/b.txt': 'b\n' });
    const assistant = await connectAttacker(target);
    const { pid } = target.record;
    const patterns = ['(a+)+$', '(a|a)*b', '(.*a){20}', '(?:a?){50}a{50}', '^(([a-z])+.)+[A-Z]([a-z])+$'];
    const globs = [
      '{a,b,c,d}'.repeat(11),
      '{a,b,c,d,e}'.repeat(9),
      `${'{a,b}/'.repeat(15)}*`,
      '**/'.repeat(15),
      '*a'.repeat(15),
    ];
    const calls = [
      ...patterns.map((query) => ['search_code', { query, isRegex: true }] as const),
      ...globs.flatMap((glob) => [
        ['search_code', { query: 'b', include: [glob] }] as const,
        ['search_code', { query: 'b', exclude: [glob] }] as const,
        ['find_files', { query: glob }] as const,
      ]),
    ];
    for (const [tool, args] of calls) {
      const before = processorSeconds(pid);
      await answerOf(assistant, tool, args);
      const used = processorSeconds(pid) - before;
      tries.add(`${tool} ${JSON.stringify(args).slice(0, 60)} took ${used.toFixed(1)} s of the processor`, used > 1.5);
    }
    await assistant.close();
  },
};

const h17: Attack = {
  id: 'H17',
  name: 'reaches the prototype of an object by a key of a message',
  async run(target, tries) {
    const headers = await sessionHeaders(target);
    const planted = '{"polluted":"yes"}';
    const keys = ['__proto__', 'constructor', '\\u005f_proto__'];
    const bodies = keys.flatMap((key) => [
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"${key}":${planted}}}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"a":{"${key}":${planted}}}}}`,
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[{"${key}":${planted}}]}}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_workspace","arguments":{},"_meta":{"${key}":${planted}}}}`,
    ]);
    for (const body of bodies) {
      const answer = await send(target.port, 'POST', headers, body);
      tries.add(`${body.slice(33, 90)}: ${answer.status}`, answer.status === 200);
    }
    const args = keys.map((key) => `{"files":[{"path":"a.txt"}],"${key}":${planted}}`);
    for (const each of args) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_files","arguments":${each}}}`;
      const { text } = await send(target.port, 'POST', headers, body);
      tries.add(`arguments ${each.slice(30, 60)}`, !/"isError":true|"error":/.test(text));
    }
    const polluted = await target.drawbridge.window.evaluateSource('return ({}).polluted ?? Object.polluted ?? null');
    tries.add('an object of the extension host has the planted key', polluted !== null);
  },
};

const h18: Attack = {
  id: 'H18',
  name: 'names one tool in a header and another one in the body',
  isQuick: true,
  async run(target, tries) {
    const { token } = target.record;
    const call = { name: 'get_workspace', arguments: {} };
    const session = await sessionHeaders(target);
    const lies: readonly Record<string, string>[] = [
      { 'Mcp-Method': 'tools/list' },
      { 'Mcp-Method': 'TOOLS/CALL' },
      { 'Mcp-Method': '' },
      { 'Mcp-Name': 'delete_file' },
      { 'Mcp-Name': 'GET_WORKSPACE' },
      { 'Mcp-Method': 'tools/list', 'Mcp-Name': 'read_file' },
    ];
    for (const lie of lies) {
      const old = await send(target.port, 'POST', { ...session, ...lie }, request('tools/call', call));
      tries.add(`2025: ${JSON.stringify(lie)}: ${old.status}`, isServed(old));
      const { headers, body } = modern(token, 1, 'tools/call', call);
      const now = await send(target.port, 'POST', { ...headers, ...lie }, body);
      tries.add(`2026: ${JSON.stringify(lie)}: ${now.status}`, isServed(now));
    }
  },
};

export const httpAttacks: readonly Attack[] = [
  h1,
  h2,
  h3,
  h4,
  h5,
  h6,
  h7,
  h8,
  h9,
  h10,
  h11,
  h12,
  h13,
  h14,
  h15,
  h16,
  h17,
  h18,
];
