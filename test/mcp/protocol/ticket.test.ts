import { expect, it } from 'vitest';
import { ticketKey } from '#mcp/wire/ticket.ts';
import { tools } from '#tools/index.ts';
import { connectSdkClient, modes } from '../sdkClients.ts';
import { startShippedWindow } from './shippedWindow.ts';

const outcome = { status: 'pending_approval', approvalId: 'a-1', displayed: false, files: [], next: 'Wait.' } as const;
const change = { edits: [{ path: 'readme.md', oldText: '# Greetings', newText: '# Hello' }] };

it.each(modes)('a call that ends because the window does carries its ticket, to %s', async (mode) => {
  const endings = [true, false];
  const window = await startShippedWindow({}, tools, async (request) => {
    window.clock.advance(5000);
    if (endings.shift() === true) request.onSuspended?.('a-1');
    return outcome;
  });
  const client = await connectSdkClient(mode, window);
  expect(await client.call('apply_edit', change)).toMatchObject({
    structuredContent: outcome,
    _meta: { [ticketKey]: { approvalId: 'a-1', waitMilliseconds: 20_000 } },
  });
  expect(JSON.stringify(await client.call('apply_edit', change))).not.toContain(ticketKey);
});
