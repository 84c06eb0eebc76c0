import { expect, test } from 'vitest';
import { missingCapabilityError } from '#mcp/respond.ts';

const frame = (message: unknown): Uint8Array => Buffer.from(`event: message\ndata: ${JSON.stringify(message)}\n\n`);

const refusal = {
  jsonrpc: '2.0',
  id: 1,
  error: { code: -32021, message: 'sampling', data: { requiredCapabilities: {} } },
};

test('finds the error for a missing capability in the first event of a stream', () => {
  expect(JSON.parse(missingCapabilityError(frame(refusal)) ?? '')).toEqual(refusal);
});

test.each([
  ['another error', { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'no' } }],
  ['a result that holds the same number', { jsonrpc: '2.0', id: 1, result: { structuredContent: { code: -32021 } } }],
  ['a notification', { jsonrpc: '2.0', method: 'notifications/message', params: { data: refusal } }],
])('leaves %s in its stream', (_what, message) => {
  expect(missingCapabilityError(frame(message))).toBeUndefined();
});

test('leaves a keep-alive comment in its stream', () => {
  expect(missingCapabilityError(Buffer.from(': keepalive\n\n'))).toBeUndefined();
});
