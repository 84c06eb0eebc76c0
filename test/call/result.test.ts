import { describe, expect, it } from 'vitest';
import { ToolError } from '#base/toolError.ts';
import { countsOf, makeErrorResult, makeResult, resourceOf, textBytes } from '#call/result.ts';
import { pageLimits } from '#call/callTool.ts';
import { defaultProfile, profileFor } from '#call/resultProfile.ts';

const data = { path: 'a.ts', lines: [{ text: 'é', line: 1 }], none: null };
const file = { path: 'src/deep/a.ts', uri: 'file:///w/src/deep/a.ts' };
const rendering = {
  text: 'one line',
  links: [{ ...file, description: '3 matches', size: 12, modified: 86_400_000 }],
  embedded: [{ ...file, text: 'const a = 1;', modified: 86_400_000 }],
};
const onlyText = { ...defaultProfile, structured: false, links: false, embedded: false };
const onlyData = { ...defaultProfile, text: false, links: false, embedded: false };

describe('makeResult', () => {
  it('returns text, embedded files, links and data, in this order', () => {
    expect(makeResult(data, rendering, defaultProfile)).toEqual({
      content: [
        { type: 'text', text: 'one line' },
        {
          type: 'resource',
          resource: { uri: file.uri, mimeType: 'text/x-typescript', text: 'const a = 1;' },
          annotations: { audience: ['assistant'], priority: 0.9, lastModified: '1970-01-02T00:00:00.000Z' },
        },
        {
          type: 'resource_link',
          uri: file.uri,
          name: 'src/deep/a.ts',
          title: 'a.ts',
          description: '3 matches',
          mimeType: 'text/x-typescript',
          size: 12,
          annotations: { audience: ['user', 'assistant'], priority: 0.5, lastModified: '1970-01-02T00:00:00.000Z' },
        },
      ],
      structuredContent: data,
    });
  });

  it('omits unknown facts of a file', () => {
    const [, link] = makeResult(data, { text: '', links: [{ ...file, path: 'a.ts' }] }, defaultProfile).content;
    expect(link).toEqual({
      type: 'resource_link',
      uri: file.uri,
      name: 'a.ts',
      title: 'a.ts',
      mimeType: 'text/x-typescript',
      annotations: { audience: ['user', 'assistant'], priority: 0.5 },
    });
    const unknown = makeResult(data, { text: '', links: [{ ...file, modified: 0 }] }, defaultProfile).content[1];
    expect(JSON.stringify(unknown)).not.toContain('lastModified');
  });

  it('links an embedded text of more than 8 KB, which the result holds twice without it', () => {
    const typesOf = (text: string, profile = defaultProfile): readonly string[] =>
      makeResult({ text }, { text, embedded: [{ ...file, text }] }, profile).content.map(({ type }) => type);
    expect(typesOf('é'.repeat(4096))).toEqual(['text', 'resource']);
    expect(typesOf('é'.repeat(4097))).toEqual(['text', 'resource_link']);
    expect(typesOf('x'.repeat(8193), { ...defaultProfile, links: false })).toEqual(['text', 'resource']);
    expect(typesOf('x'.repeat(8193), onlyText)).toEqual(['text']);
    const blob = makeResult({}, { text: '', embedded: [{ ...file, blob: 'A'.repeat(9000) }] }, defaultProfile);
    expect(blob.content.map(({ type }) => type)).toEqual(['text', 'resource']);
  });

  it('omits blocks that a client does not use, but never all of them', () => {
    expect(makeResult(data, rendering, onlyText)).toEqual({ content: [{ type: 'text', text: 'one line' }] });
    expect(makeResult(data, rendering, onlyData)).toEqual({ content: [], structuredContent: data });
    const neither = { ...onlyText, text: false };
    expect(makeResult(data, rendering, neither)).toEqual({ content: [{ type: 'text', text: 'one line' }] });
  });

  it('links at most 20 files', () => {
    const links = Array.from({ length: 21 }, () => file);
    expect(makeResult(data, { text: '', links }, { ...onlyData, links: true }).content).toHaveLength(20);
  });

  it.each([[[1, 2]], ['text'], [undefined], [null], [3]])('has no structured content when the data is %j', (value) => {
    expect(makeResult(value, { text: 'x' }, defaultProfile)).toEqual({ content: [{ type: 'text', text: 'x' }] });
  });

  it('has no lone surrogates, which a strict client would refuse', () => {
    const broken = makeResult(data, { text: 'a\ud800', links: [{ ...file, path: 'b\ud800' }] }, defaultProfile);
    expect(JSON.stringify(broken)).not.toContain('\\ud800');
    expect(resourceOf({ ...file, text: 'a\ud800' })).toMatchObject({ text: 'a\ufffd' });
    expect(resourceOf({ ...file, path: 'a.png', blob: 'AAAA' })).toEqual({
      uri: file.uri,
      mimeType: 'image/png',
      blob: 'AAAA',
    });
  });

  it('returns an error as one text: what happened, what to do, the code', () => {
    expect(makeErrorResult(new ToolError('no_match', 'Nothing matched.', 'Read it again.'))).toEqual({
      content: [{ type: 'text', text: 'Nothing matched. Read it again. [no_match]' }],
      isError: true,
    });
  });
});

it('counts the bytes of the text, or of all strings of the data for a client that uses only data', () => {
  expect(textBytes(data, { text: 'é' }, defaultProfile)).toBe(2);
  expect(textBytes(data, { text: 'é' }, onlyData)).toBe('a.ts'.length + 2);
  expect(textBytes([{ a: 'bb', b: ['c', 1, null, true] }], { text: '' }, onlyData)).toBe(3);
  expect(textBytes(undefined, { text: '' }, onlyData)).toBe(0);
  expect(textBytes(data, { text: 'abc' }, { ...onlyText, text: false })).toBe(3);
});

describe('countsOf', () => {
  it('returns the numbers and the lengths of lists, and no text', () => {
    const found = {
      matches: [{ text: 'secret', line: 7 }],
      totalCount: 91,
      truncated: true,
      path: 'a.ts',
      next: undefined,
    };
    expect(countsOf(found)).toEqual({ matches: 1, totalCount: 91 });
    expect([countsOf(undefined), countsOf('text'), countsOf([1])]).toEqual([{}, {}, {}]);
  });
});

describe('the profile of a client', () => {
  it('is the measured one for a known name, and the default otherwise', () => {
    expect(profileFor(undefined, {})).toEqual(defaultProfile);
    expect(profileFor({ name: 'nobody', version: '1' }, {})).toEqual(defaultProfile);
    expect(profileFor({ name: 'claude-code', version: '1' }, {}).approvalSeconds).toBe(60);
    expect(profileFor({ name: 'my-claude-code', version: '1' }, {}).approvalSeconds).toBe(25);
    expect(profileFor({ name: 'codex-mcp-client', version: '1' }, {}).approvalSeconds).toBe(60);
    expect(profileFor({ name: 'gemini-cli-mcp-client', version: '1' }, {}).approvalSeconds).toBe(300);
  });

  it('has icons for clients that show them, and longer reads for one to which a tool can name their length', () => {
    const of = (name: string) => profileFor({ name, version: '1' }, {});
    expect([of('nobody').icons, of('Visual Studio Code').icons]).toEqual([false, true]);
    expect([of('nobody').unnamedBytes, of('codex').unnamedBytes]).toEqual([undefined, undefined]);
    // Claude Code puts more than 50,000 characters into a file, unless the tool names the length.
    const profile = of('claude-code');
    expect(profile.readBytes).toBeGreaterThan(50_000);
    const caps = { readBytes: 1_000_000, maxResults: 200 };
    expect(pageLimits({ hasLongResults: true }, profile, caps).readBytes).toBe(profile.readBytes);
    expect(pageLimits({}, profile, caps).readBytes).toBeLessThan(50_000);
    expect(pageLimits({}, of('codex'), caps).readBytes).toBe(10_000);
  });

  it('is overridden by the setting for exactly this name', () => {
    const overrides = { 'my-client': { pageBytes: undefined, approvalSeconds: 5 } };
    expect(profileFor({ name: 'my-client', version: '1' }, overrides)).toEqual({
      ...defaultProfile,
      pageBytes: undefined,
      approvalSeconds: 5,
    });
    expect(profileFor({ name: 'my-client-2', version: '1' }, overrides)).toEqual(defaultProfile);
    expect(profileFor({ name: 'codex', version: '1' }, { codex: { structured: true } })).toMatchObject({
      structured: true,
      readBytes: 10_000,
    });
    expect(profileFor({ name: 'toString', version: '1' }, overrides)).toEqual(defaultProfile);
  });

  it('is text alone, whatever is set, in revisions without structured content', () => {
    const overrides = { blind: { text: false, structured: true } };
    for (const revision of ['2024-10-07', '2024-11-05', '2025-03-26']) {
      expect(profileFor({ name: 'blind', version: '1' }, overrides, revision)).toMatchObject({
        text: true,
        structured: false,
      });
    }
    for (const revision of [undefined, '2025-06-18', '2026-07-28']) {
      expect(profileFor({ name: 'blind', version: '1' }, overrides, revision)).toMatchObject({
        text: false,
        structured: true,
      });
    }
  });
});
