import { request } from 'node:http';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Emitter } from '#base/event.ts';
import { outputOf } from '#search/ripgrep/runRipgrep.ts';
import { FakeSearch } from '../fakes/search.ts';
import { initialize, jsonHeaders, modern, send, until } from './fixture.ts';
import { endless, startShippedWindow, type ShippedWindow } from './protocol/shippedWindow.ts';

const eras = ['2025', '2026'] as const;
type Era = (typeof eras)[number];
const params = { name: 'search_code', arguments: { query: endless } };

/** Returns the headers and body of a silent call in this era. */
async function silentCall(era: Era, { port, token }: Pick<ShippedWindow, 'port' | 'token'>) {
  if (era === '2026') return modern(token, 1, 'tools/call', params);
  const opened = await send(port, 'POST', jsonHeaders(token), initialize('2025-11-25'));
  const headers = jsonHeaders(token, { 'Mcp-Session-Id': String(opened.headers['mcp-session-id']) });
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) };
}

/** Sends a request and collects the received chunks. */
function open(port: number, { headers, body }: { headers: Record<string, string>; body: string }) {
  const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path: '/mcp', agent: false, headers });
  const received = { text: '', close: () => void outgoing.destroy() };
  outgoing.on('response', (incoming) => incoming.on('data', (piece: Buffer) => (received.text += piece.toString())));
  outgoing.on('error', () => undefined);
  onTestFinished(received.close);
  outgoing.end(body);
  return received;
}

describe.each(eras)('a call of the %s era that sends nothing for a long time', (era) => {
  afterEach(() => void vi.useRealTimers());

  it('is kept alive by a frame every five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const window = await startShippedWindow();
    const begun = new Promise((resolve) => void window.search.onBegin(resolve));
    const received = open(window.port, await silentCall(era, window));
    await begun;
    for (let frames = 1; frames <= 3; frames++) {
      vi.advanceTimersByTime(5000);
      await until(() => received.text.split(': keepalive').length > frames);
    }
    expect(received.text.split(': keepalive')).toHaveLength(4);
    expect(received.text).not.toContain('data:');
  });

  it('ends its child process when it is cancelled', async () => {
    const search = new ChildSearch();
    const window = await startShippedWindow({ search });
    const begun = new Promise<void>((resolve) => void search.onBegin(resolve));
    const call = await silentCall(era, window);
    const received = open(window.port, call);
    await begun;
    expect(search.hasEnded).toBe(false);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    if (era === '2026') received.close();
    else await send(window.port, 'POST', call.headers, JSON.stringify(cancelled));
    // The search has ended, so its process must be dead.
    await until(() => search.hasEnded);
  });
});

/** A search whose program never ends by itself, started in the same way as ripgrep. */
class ChildSearch extends FakeSearch {
  readonly #begun = new Emitter<void>();
  readonly onBegin = this.#begun.event;
  hasEnded = false;

  override async *text(...[, signal]: Parameters<FakeSearch['text']>): ReturnType<FakeSearch['text']> {
    const program = 'process.stdout.write("begun"); setInterval(() => undefined, 1000);';
    const run = { program: process.execPath, arguments: ['-e', program], workingDirectory: process.cwd() };
    try {
      for await (const _ of outputOf(run, signal)) this.#begun.fire();
    } finally {
      this.hasEnded = true;
    }
    yield* [];
  }
}
