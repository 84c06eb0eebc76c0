import { expect, it } from 'vitest';
import { startShippedWindow } from './protocol/shippedWindow.ts';
import { WireSession } from './protocol/wire.ts';

it.each([
  ['2024-10-07', false],
  ['2024-11-05', false],
  ['2025-03-26', false],
  ['2025-06-18', true],
  ['2025-11-25', true],
])('a session of %s has structured content and output schemas: %s, and always text', async (revision, has) => {
  const session = await WireSession.open(await startShippedWindow(), { revision });
  const listed = await session.ask('tools/list');
  expect(JSON.stringify(listed).includes('"outputSchema"')).toBe(has);
  const { result } = await session.ask('tools/call', { name: 'read_file', arguments: { path: 'src/greet.ts' } });
  expect('structuredContent' in (result ?? {})).toBe(has);
  expect(result?.['content']).toMatchObject([{ type: 'text', text: expect.stringContaining('Hello') }, {}]);
});
