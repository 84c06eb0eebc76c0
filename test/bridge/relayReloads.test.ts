import { describe, expect, it } from 'vitest';
import { ticketKey } from '#mcp/wire/ticket.ts';
import { FakeClock } from '../fakes/clock.ts';
import { until } from '../mcp/fixture.ts';
import { type RawRequest, type RawWindow, startRawWindow } from './rawWindow.ts';
import { initializeParams, modernParams, startRelay, type TestRelay } from './relaySetUp.ts';

const tool = (name: string, readOnlyHint: boolean) => ({
  name,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint },
});
const catalog = { tools: [tool('read_file', true), tool('get_approval', true), tool('apply_edit', false)] };

const read = { name: 'read_file', arguments: { path: 'a.ts' } };
const change = { name: 'apply_edit', arguments: {}, _meta: { progressToken: 7 } };
const pending = { content: [{ type: 'text', text: 'pending_approval (a-1)' }] };
const applied = { content: [{ type: 'text', text: 'applied (a-1)' }] };
const ticket = { ...pending, _meta: { [ticketKey]: { approvalId: 'a-1', waitMilliseconds: 20_000 } } };

type Connected = TestRelay & { readonly clock: FakeClock; readonly window: RawWindow };

/** A relay whose client is connected to a window that answers as `onRequest` does. */
async function connected(onRequest: RawWindow['onRequest']): Promise<Connected> {
  const clock = new FakeClock();
  const test = startRelay({ clock, toolList: () => Promise.resolve(catalog) });
  const window = await startRawWindow();
  window.onRequest = onRequest;
  test.windows.choose(window.record);
  await test.ask('init', 'initialize', initializeParams);
  return { ...test, clock, window };
}

/** Answers every request with a result. */
const answerWith =
  (result: object): RawWindow['onRequest'] =>
  (request) =>
    request.json(200, { jsonrpc: '2.0', id: request.message.id, result });

/** The window goes, and comes back after a while. */
async function comeBack(test: Connected, onRequest: RawWindow['onRequest'], windowId = 'window-1'): Promise<RawWindow> {
  const next = await startRawWindow(windowId);
  next.onRequest = onRequest;
  test.windows.choose(next.record);
  return next;
}

const drop: RawWindow['onRequest'] = ({ response }) => void response.destroy();
const requestsOf = (window: RawWindow, method: string): RawRequest[] =>
  window.requests.filter(({ message }) => message.method === method);

/** Sends a request, and lets its window go when it has got it. */
async function sendAndReload(test: Connected, method: string, params: object, id = 1): Promise<void> {
  test.send({ jsonrpc: '2.0', id, method, params });
  await until(() => requestsOf(test.window, method).length > 0);
  test.windows.choose(undefined);
  await until(() => test.windows.refreshes > 0);
}

describe.each(['2025', '2026'] as const)('when the window reloads, a client of the %s era', (era) => {
  const paramsOf = (params: object): object => (era === '2026' ? modernParams(params) : params);

  it.each([
    ['tools/call', read],
    ['resources/read', { uri: 'file:///a.ts' }],
  ])('gets the answer to a read from the next run (%s)', async (method, params) => {
    const test = await connected(drop);
    await sendAndReload(test, method, paramsOf(params));
    test.clock.advance(29_000);
    expect(test.answers(1)).toEqual([]);
    await comeBack(test, answerWith(applied));
    await until(() => test.answers(1).length > 0);
    expect(test.answers(1)).toMatchObject([{ result: applied }]);
  });

  it('gets an error for a read when the window does not come back within thirty seconds', async () => {
    const test = await connected(drop);
    await sendAndReload(test, 'tools/call', paramsOf(read));
    await until(() => test.clock.pendingTimers > 0);
    test.clock.advance(30_000);
    await until(() => test.answers(1).length > 0);
    expect(test.answers(1)).toMatchObject([{ result: { isError: true } }]);
  });

  it('gets an error for a read that ends the next run, too', async () => {
    const test = await connected(drop);
    await sendAndReload(test, 'tools/call', paramsOf(read));
    await comeBack(test, drop);
    await until(() => test.answers(1).length > 0);
    expect(JSON.stringify(test.answers(1))).toContain('[session_closed]');
  });

  it('can cancel a read that is held', async () => {
    const test = await connected(drop);
    await sendAndReload(test, 'tools/call', paramsOf(read));
    test.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    const next = await comeBack(test, answerWith(applied));
    expect((await test.ask(2, 'tools/call', paramsOf(read))).result).toMatchObject(applied);
    expect(requestsOf(next, 'tools/call')).toHaveLength(1);
    expect(test.answers(1)).toEqual([]);
  });

  it('gets an error for a change that the window has not answered, which is not sent again', async () => {
    const test = await connected(drop);
    await sendAndReload(test, 'tools/call', paramsOf(change));
    await until(() => test.answers(1).length > 0);
    expect(JSON.stringify(test.answers(1))).toContain('[session_closed]');
    const next = await comeBack(test, answerWith(applied));
    await test.ask(2, 'tools/call', paramsOf(read));
    expect(requestsOf(next, 'tools/call')).toHaveLength(1);
  });

  it('gets the outcome of a change that waits from the next run, which is asked for it by the ticket', async () => {
    const test = await connected(answerWith(ticket));
    await sendAndReload(test, 'tools/call', paramsOf(change));
    expect(test.answers(1)).toEqual([]);
    const next = await comeBack(test, answerWith(applied));
    await until(() => test.answers(1).length > 0);
    expect(test.answers(1)).toMatchObject([{ result: applied }]);
    const [asked] = requestsOf(next, 'tools/call');
    const meta = { progressToken: 7 };
    const params = { name: 'get_approval', arguments: { approvalId: 'a-1' }, ...(era === '2025' && { _meta: meta }) };
    expect(asked?.message).toMatchObject({ id: 1, params });
    if (era === '2026') expect(asked?.headers['mcp-name']).toBe('get_approval');
  });

  it('gets the ticket when the time is over that its call would have waited', async () => {
    const test = await connected(answerWith(ticket));
    await sendAndReload(test, 'tools/call', paramsOf(change));
    const next = await comeBack(test, () => undefined);
    await until(() => requestsOf(next, 'tools/call').length > 0);
    test.clock.advance(19_999);
    expect(test.answers(1)).toEqual([]);
    test.clock.advance(1);
    await until(() => test.answers(1).length > 0);
    expect(test.answers(1)).toMatchObject([{ result: pending }]);
  });

  it.each([
    ['does not know the approval', { isError: true, content: [] }, 'window-1'],
    ['is another window', applied, 'window-2'],
  ])('gets the ticket when the next run %s', async (_what, answer, windowId) => {
    const test = await connected(answerWith(ticket));
    await sendAndReload(test, 'tools/call', paramsOf(change));
    await comeBack(test, answerWith(answer), windowId);
    await until(() => test.answers(1).length > 0);
    expect(test.answers(1)).toMatchObject([{ result: pending }]);
  });

  it('waits on over a second reload', async () => {
    const test = await connected(answerWith(ticket));
    await sendAndReload(test, 'tools/call', paramsOf(change));
    const second = await comeBack(test, answerWith(ticket));
    await until(() => requestsOf(second, 'tools/call').length > 0);
    await comeBack(test, answerWith(applied));
    await until(() => test.answers(1).length > 0);
    expect(test.answers(1)).toMatchObject([{ result: applied }]);
  });
});
