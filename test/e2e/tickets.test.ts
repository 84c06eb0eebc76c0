import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { decide, openApprovals } from './approvalsPage.ts';
import { answerTimeout, approvalSeconds } from './assistant.ts';
import { connectV1, connectV2, type Drawbridge, until, type WindowRecord } from './harness.ts';
import { sharedDrawbridge } from './shared.ts';

/** How long a call of each client waits for the user; the rest of what is shipped stays as it is. */
const settings = {
  'drawbridge.clients': { patient: { approvalSeconds }, hurried: { approvalSeconds: 1 } },
};
const names = ['joined', 'late', 'cancelled', 'dropped', 'ended', 'stopped', 'restarted', 'reloaded', 'slow'];

const outcome = z.looseObject({
  status: z.string(),
  approvalId: z.string(),
  displayed: z.boolean(),
  replacedBy: z.string().optional(),
  next: z.string(),
});
const answer = z.looseObject({ structuredContent: outcome });

type Era = '2025' | '2026';

interface Caller {
  readonly connection: string;
  call(tool: string, args: Record<string, unknown>, options?: CallOptions): Promise<z.infer<typeof outcome>>;
  /** The raw answer, errors too. */
  raw(tool: string, args: Record<string, unknown>): Promise<unknown>;
  /** Ends the session on the server (2025), or just goes away (2026 knows no sessions). */
  close(): Promise<void>;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { message?: string | undefined }) => void;
}

let drawbridge: Drawbridge;
let page: Frame;

beforeAll(async () => {
  const eras = ['2025', '2026'];
  const files = Object.fromEntries(
    eras.flatMap((era) => names.map((name) => [`${name}-${era}.txt`, 'one\ntwo\nthree\n'])),
  );
  drawbridge = await sharedDrawbridge(files, settings);
  page = await openApprovals(drawbridge.window);
});

const onDisk = (name: string): string => readFileSync(join(drawbridge.folder ?? '', name), 'utf8');
const edit = (path: string, oldText = 'one', newText = 'ONE') => ({ edits: [{ path, oldText, newText }] });

async function connect(
  era: Era,
  name: 'patient' | 'hurried',
  connection = randomBytes(16).toString('hex'),
  record?: WindowRecord,
): Promise<Caller> {
  const server = record ?? (await drawbridge.record());
  if (era === '2025') {
    const connected = await connectV1(server, { name, connection });
    const { client } = connected;
    const close = () => connected.close();
    const raw = (tool: string, args: Record<string, unknown>, options: CallOptions = {}) =>
      client.callTool({ name: tool, arguments: args }, undefined, { timeout: answerTimeout, ...options });
    return { connection, raw, close, call: async (...args) => answer.parse(await raw(...args)).structuredContent };
  }
  const connected = await connectV2(server, { name, connection });
  const { client } = connected;
  const close = () => connected.close();
  const raw = (tool: string, args: Record<string, unknown>, options: CallOptions = {}) =>
    client.callTool({ name: tool, arguments: args }, { timeout: answerTimeout, ...options });
  return { connection, raw, close, call: async (...args) => answer.parse(await raw(...args)).structuredContent };
}

/** A headline of the view, waiting or finished. */
const heading = (text: string) => page.getByRole('heading', { name: text }).first().waitFor();

describe.each(['2025', '2026'] as const)('approvals that outlast their call, in the %s era', (era) => {
  it('reports in the progress that the call waits, and whether the user has seen the card', async () => {
    const name = `slow-${era}.txt`;
    const patient = await connect(era, 'patient');
    const messages: (string | undefined)[] = [];
    const waiting = patient.call('apply_edit', edit(name), { onprogress: ({ message }) => messages.push(message) });
    await until(() => messages.length > 0, 'the first progress');
    expect(messages[0]).toMatch(/^Waiting for the user's approval/);
    await decide(page, new RegExp(`^Approve edit of ${name}`));
    expect(await waiting).toMatchObject({ status: 'applied', displayed: true });
    await patient.close();
  });

  it('F13: returns a ticket before any client stops waiting, and never loses a later decision', async () => {
    const name = `late-${era}.txt`;
    const caller = await connect(era, 'hurried');
    const pending = await caller.call('apply_edit', edit(name));
    expect(pending).toMatchObject({ status: 'pending_approval', expiresAt: expect.any(String) });
    expect(pending.next).toContain('get_approval');
    expect((await caller.call('get_approval', { approvalId: pending.approvalId })).status).toBe('pending_approval');
    await decide(page, new RegExp(`^Approve edit of ${name}`));
    await until(() => onDisk(name).startsWith('ONE'), 'the approved bytes');
    // B27: the card says that the assistant does not know, until it asks.
    const unheard = page
      .locator('article', { hasText: `Edited ${name}` })
      .getByText('hurried has not heard of this yet.');
    await unheard.waitFor();
    await page.getByRole('button', { name: `Copy what to tell hurried: Edited ${name}` }).click();
    await until(
      async () =>
        (await drawbridge.window.evaluate(async (vscode) => await vscode.env.clipboard.readText())).includes(
          pending.approvalId,
        ),
      'the message on the clipboard',
    );
    expect(await caller.call('get_approval', { approvalId: pending.approvalId })).toMatchObject({
      status: 'applied',
      approvalId: pending.approvalId,
    });
    await unheard.waitFor({ state: 'detached' });
    const other = await connect(era, 'hurried');
    expect(JSON.stringify(await other.raw('get_approval', { approvalId: pending.approvalId }))).toContain(
      '[not_found]',
    );
    await caller.close();
    await other.close();
  });

  it('joins an identical proposal to its card, and replaces the card of the same lines by another proposal', async () => {
    const name = `joined-${era}.txt`;
    const caller = await connect(era, 'hurried');
    const first = await caller.call('apply_edit', edit(name));
    expect((await caller.call('apply_edit', edit(name))).approvalId).toBe(first.approvalId);
    const another = await caller.call('apply_edit', edit(name, 'one', 'uno'));
    const elsewhere = await caller.call('apply_edit', edit(name, 'three', 'drei'));
    expect(await caller.call('get_approval', { approvalId: first.approvalId })).toMatchObject({
      status: 'superseded',
      replacedBy: another.approvalId,
    });
    expect(await caller.call('get_approval', { approvalId: another.approvalId })).toMatchObject({
      status: 'pending_approval',
    });
    const last = await caller.call('apply_edit', { ...edit(name, 'two', 'zwei'), replaces: elsewhere.approvalId });
    expect((await caller.call('get_approval', { approvalId: elsewhere.approvalId })).status).toBe('superseded');
    // The second card is computed anew when the first one lands, and redrawn for that.
    await until(async () => {
      await decide(page, new RegExp(`^Approve edit of ${name}`)).catch(() => undefined);
      return onDisk(name) === 'uno\nzwei\nthree\n';
    }, 'both to be applied');
    for (const { approvalId } of [another, last]) {
      expect((await caller.call('get_approval', { approvalId })).status).toBe('applied');
    }
    await caller.close();
  });

  it('withdraws the card when the client cancels before the ticket', async () => {
    const name = `cancelled-${era}.txt`;
    const caller = await connect(era, 'patient');
    const cancel = new AbortController();
    const waiting = caller.call('apply_edit', edit(name), { signal: cancel.signal });
    await page.getByRole('button', { name: new RegExp(`^Approve edit of ${name}`) }).waitFor();
    cancel.abort();
    await expect(waiting).rejects.toThrow();
    await heading(`Withdrawn: edit of ${name}`);
    expect(onDisk(name)).toBe('one\ntwo\nthree\n');
    await caller.close();
  });

  it('treats a dropped response stream as a cancellation in the 2026 era only', async () => {
    const name = `dropped-${era}.txt`;
    const record = await drawbridge.record();
    const connection = randomBytes(16).toString('hex');
    const drop = await dropMidCall(era, record, connection, edit(name));
    await page.getByRole('button', { name: new RegExp(`^Approve edit of ${name}`) }).waitFor();
    drop();
    if (era === '2026') {
      await heading(`Withdrawn: edit of ${name}`);
      return;
    }
    const caller = await connect(era, 'hurried', connection);
    const again = await caller.call('apply_edit', edit(name));
    expect(again.status).toBe('pending_approval');
    expect(await page.getByRole('button', { name: new RegExp(`^Approve edit of ${name}`) }).count()).toBe(1);
    await decide(page, new RegExp(`^Approve edit of ${name}`));
    await until(() => onDisk(name).startsWith('ONE'), 'the approved bytes');
    expect((await caller.call('get_approval', { approvalId: again.approvalId })).status).toBe('applied');
    await caller.close();
  });

  it('withdraws the waiting calls of an ended session, and keeps its tickets', async () => {
    const name = `ended-${era}.txt`;
    const ticketed = await connect(era, 'hurried');
    const { approvalId } = await ticketed.call('apply_edit', edit(name));
    await ticketed.close();
    const again = await connect(era, 'hurried', ticketed.connection);
    expect((await again.call('get_approval', { approvalId })).status).toBe('pending_approval');
    const patient = await connect(era, 'patient');
    const waiting = patient.call('apply_edit', edit(name, 'three', 'drei')).then(
      ({ status }) => status,
      () => 'cut off',
    );
    await until(async () => (await page.getByRole('article', { name: `Edit ${name}` }).count()) === 2, 'both cards');
    await patient.close();
    expect(['withdrawn', 'cut off']).toContain(await waiting);
    await heading(`Withdrawn: edit of ${name}`);
    await again.close();
  });

  it('keeps the tickets at a restart, and withdraws all at Stop', async () => {
    const name = `restarted-${era}.txt`;
    const caller = await connect(era, 'hurried');
    const { approvalId } = await caller.call('apply_edit', edit(name));
    await caller.close();
    await drawbridge.window.command('drawbridge.restart');
    const after = await connect(era, 'hurried', caller.connection, await drawbridge.record());
    expect((await after.call('get_approval', { approvalId })).status).toBe('pending_approval');
    await after.close();
    await drawbridge.window.command('drawbridge.stop');
    await heading(`Withdrawn: edit of ${name}`);
    await drawbridge.window.command('drawbridge.start');
    const last = await connect(era, 'hurried', caller.connection, await drawbridge.record());
    expect((await last.call('get_approval', { approvalId })).status).toBe('withdrawn');
    await last.close();
  });

  it('F9: restores the card after a reload of the window, and the user can approve it there', async () => {
    const name = `reloaded-${era}.txt`;
    const caller = await connect(era, 'hurried');
    const { approvalId } = await caller.call('apply_edit', edit(name));
    await drawbridge.window.reload();
    page = await openApprovals(drawbridge.window);
    const after = await connect(era, 'hurried', caller.connection, await drawbridge.record());
    expect((await after.call('get_approval', { approvalId })).status).toBe('pending_approval');
    await decide(page, new RegExp(`^Approve edit of ${name}`));
    await until(() => onDisk(name).startsWith('ONE'), 'the approved bytes');
    expect((await after.call('get_approval', { approvalId })).status).toBe('applied');
    await after.close();
  });
});

/** Sends a call by hand, so that its connection can be cut without a word. */
async function dropMidCall(era: Era, record: WindowRecord, connection: string, args: unknown): Promise<() => void> {
  const cut = new AbortController();
  const headers: Record<string, string> = {
    Authorization: `Bearer ${record.token}`,
    'Drawbridge-Connection': connection,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  const post = (body: unknown, more: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(record.endpoint, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  const clientInfo = { name: 'patient', version: '1' };
  const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'apply_edit', arguments: args } };
  if (era === '2026') {
    const version = '2026-07-28';
    const meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const body = { ...call, params: { ...call.params, _meta: meta } };
    const more = { 'MCP-Protocol-Version': version, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'apply_edit' };
    post(body, more, cut.signal)
      .then((response) => response.text())
      .catch(() => undefined);
    return () => cut.abort();
  }
  const version = '2025-11-25';
  const opened = await post({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: version, capabilities: {}, clientInfo },
  });
  await opened.text();
  const session = {
    'Mcp-Session-Id': opened.headers.get('mcp-session-id') ?? '',
    'MCP-Protocol-Version': version,
  };
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  post(call, session, cut.signal)
    .then((response) => response.text())
    .catch(() => undefined);
  return () => cut.abort();
}
