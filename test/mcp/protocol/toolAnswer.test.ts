import { describe, expect, it } from 'vitest';
import type { ToolResult } from '#call/result.ts';
import { toolAnswer } from '#mcp/protocol/toolAnswer.ts';
import { featuresOf } from '#mcp/wire/revisions.ts';

const annotations = { audience: ['assistant'], priority: 0.9, lastModified: '2026-07-28T00:00:00.000Z' } as const;
const result: ToolResult = {
  content: [
    { type: 'text', text: 'All there is.' },
    { type: 'image', data: 'AAAA', mimeType: 'image/png', annotations },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav', annotations },
    { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'a' }, annotations },
    { type: 'resource_link', uri: 'file:///a', name: 'a', title: 'a', mimeType: 'text/plain', annotations },
  ],
  structuredContent: { all: 'there is' },
};
const typesIn = (revision: string | undefined): readonly string[] =>
  toolAnswer({ kind: 'result', result }, featuresOf(revision)).content.map(({ type }) => type);

describe('the blocks of a result, by revision', () => {
  it.each([
    ['2024-11-05', ['text', 'image', 'text', 'resource']],
    ['2025-03-26', ['text', 'image', 'audio', 'resource']],
    ['2025-06-18', ['text', 'image', 'audio', 'resource', 'resource_link']],
    ['2025-11-25', ['text', 'image', 'audio', 'resource', 'resource_link']],
    ['2026-07-28', ['text', 'image', 'audio', 'resource', 'resource_link']],
    [undefined, ['text', 'image', 'audio', 'resource', 'resource_link']],
  ])('%s', (revision, types) => expect(typesIn(revision)).toEqual(types));

  it('keeps all other blocks unchanged', () => {
    expect(toolAnswer({ kind: 'result', result }, featuresOf('2026-07-28'))).toEqual(result);
    const old = toolAnswer({ kind: 'result', result: { ...result, isError: true } }, featuresOf('2024-11-05'));
    expect(old).toMatchObject({ isError: true, structuredContent: { all: 'there is' } });
    expect(old.content[2]).toEqual({ type: 'text', text: '[audio/wav audio left out]' });
  });
});
