import { describe, expect, it } from 'vitest';
import { defineResource } from '#call/resource.ts';
import { RequestRun } from '../fakes/requestRun.ts';
import { ruleOf } from '../fakes/rules.ts';
import { characters } from '../fakes/secrets.ts';

describe('resources/read', () => {
  it('returns the whole text without pages', async () => {
    const run = new RequestRun({ '/w/a.ts': 'x\n'.repeat(10_000) });
    run.readBytes = 100;
    expect(await run.read('file:///w/a.ts')).toEqual({
      kind: 'contents',
      contents: [
        { uri: 'file:///w/a.ts', mimeType: expect.stringContaining('typescript'), text: 'x\n'.repeat(10_000) },
      ],
    });
  });

  it('returns binary content as base64', async () => {
    const run = new RequestRun({ '/w/a.png': Buffer.from([0x89, 0, 1]), '/w/a.out': Buffer.from([0x89, 0, 1]) });
    expect(await run.read('file:///w/a.png')).toEqual({
      kind: 'contents',
      contents: [{ uri: 'file:///w/a.png', mimeType: 'image/png', blob: 'iQAB' }],
    });
    expect(await run.read('file:///w/a.out')).toMatchObject({ contents: [{ mimeType: 'application/octet-stream' }] });
  });

  it('returns the content under the requested URI', async () => {
    const run = new RequestRun({ '/w/src/a b#?.ts': 'x' });
    for (const uri of ['drawbridge://files/src/a%20b%23%3F.ts', 'drawbridge://files/src/a b#?.ts', 'src/a b#?.ts']) {
      expect(await run.read(uri)).toMatchObject({ kind: 'contents', contents: [{ uri, text: 'x' }] });
    }
  });

  it.each([
    ['file:///w/.env', 'denied'],
    ['drawbridge://files/.env', 'denied'],
    ['drawbridge://files/%2eenv', 'denied'],
    ['drawbridge://files/sub/../.env', 'denied'],
    ['file:///w/.git/config', 'denied'],
    ['file:///etc/passwd', 'outside_workspace'],
    ['drawbridge://files//etc/passwd', 'outside_workspace'],
    ['drawbridge://files/../etc/passwd', 'outside_workspace'],
    ['drawbridge://files/..%2Fetc%2Fpasswd', 'outside_workspace'],
    ['drawbridge://files/file:///etc/passwd', 'outside_workspace'],
    ['file:///w/gone', 'not_found'],
    ['drawbridge://files/gone', 'not_found'],
    ['drawbridge://files/100%', 'not_found'],
    ['file:///w/a%00', 'unsafe_path'],
    ['drawbridge://files/a%00', 'unsafe_path'],
    ['', 'unsafe_path'],
    [`file:///w/${'a'.repeat(20_000)}`, 'unsafe_path'],
    ['file:///w/large', 'too_large'],
    ['file:///w/large.bin', 'too_large'],
    ['drawbridge://nothing', 'not_found'],
    ['Drawbridge://files/a', 'not_found'],
  ])('P12: passes the same gate as every read: %s is %s', async (uri, code) => {
    const run = new RequestRun({
      '/w/.env': 'secret',
      '/w/.git/config': 'secret',
      '/w/large': 'x'.repeat(2 * 1024 * 1024 + 1),
      '/w/large.bin': Buffer.alloc(1024 * 1024 + 1),
    });
    expect(await run.read(uri)).toMatchObject({ kind: 'error', code });
  });

  it.each([
    'vscode://x/y',
    'http://127.0.0.1/',
    'command:x',
    'untitled:/x',
    'git:/w/a',
    'vscode-userdata:/User/settings.json',
    'drawbridge://files/command:x',
  ])('P12: refuses %s', async (uri) => {
    expect(await new RequestRun({ '/w/a': 'x' }).read(uri)).toMatchObject({
      kind: 'error',
      code: 'scheme_not_allowed',
    });
  });

  it('is recorded as a call, also for an unknown URI, and refused when the record fails', async () => {
    const run = new RequestRun({ '/w/a': 'x' });
    await run.read('file:///w/a');
    await run.read('drawbridge://nothing');
    expect(run.auditLog.calls).toMatchObject([
      {
        start: { tool: 'read_resource', arguments: { uri: 'file:///w/a' } },
        end: { outcome: 'ok', resources: [{ path: 'a' }], bytesOut: 1 },
      },
      { start: { arguments: { uri: 'drawbridge://nothing' } }, end: { outcome: 'not_found' } },
    ]);
    run.auditLog.failure = new Error('disk full');
    expect(await run.read('file:///w/a')).toMatchObject({ kind: 'error', code: 'unavailable' });
  });

  it('works without trust, but not without a folder', async () => {
    const run = new RequestRun({ '/w/a': 'x' });
    run.workspace.trusted = false;
    expect(await run.read('file:///w/a')).toMatchObject({ kind: 'contents' });
    run.workspace.setFolders([]);
    expect(await run.read('file:///w/a')).toMatchObject({ kind: 'error', code: 'workspace_unavailable' });
  });

  it('is judged by the rules of the tool with the same answer', async () => {
    const run = new RequestRun({ '/w/a': 'x' });
    run.policy.setRules(ruleOf({ effect: 'deny', tools: ['read_file'] }));
    expect(await run.read('file:///w/a')).toMatchObject({ kind: 'error', code: 'denied' });
    expect(await run.read('drawbridge://workspace')).toMatchObject({ kind: 'contents' });
    run.policy.setRules(ruleOf({ effect: 'deny', tools: ['get_workspace'] }));
    expect(await run.read('drawbridge://workspace')).toMatchObject({ kind: 'error', code: 'denied' });
  });

  it('asks the user when the same tool call would', async () => {
    const run = new RequestRun({ '/w/a': 'x' });
    run.policy.setRules(ruleOf({ effect: 'ask', tools: ['read_file'] }));
    expect(await run.read('file:///w/a')).toMatchObject({ kind: 'error', code: 'denied' });
    expect(run.asked).toMatchObject([{ paths: ['a'] }]);
  });

  it('A8: redacts secrets, and sends only text that has a UTF-8 form', async () => {
    const secret = `ghp_${characters(36)}`;
    const run = new RequestRun({ '/w/a.ts': `const t = "${secret}";\n` });
    expect(await run.text('file:///w/a.ts')).toMatch(/^const t = "\[redacted:[^\]]+\]";\n$/);
    run.files.buffers.set('/w/a.ts', 'half \ud800');
    expect(await run.text('file:///w/a.ts')).toBe('half \ufffd');
  });

  it('A8: refuses binary content with a secret in 8-bit or 16-bit characters', async () => {
    const secret = `x ghp_${characters(36)} x`;
    const run = new RequestRun({
      '/w/a.db': Buffer.from(`\0\u0089${secret}`, 'latin1'),
      '/w/a.bin': Buffer.from(`\0${secret}`, 'utf16le'),
    });
    for (const name of ['a.db', 'a.bin']) {
      expect(await run.read(`file:///w/${name}`)).toMatchObject({ kind: 'error', code: 'denied' });
    }
  });

  it('keeps the details of a bug secret', async () => {
    const run = new RequestRun({});
    const broken = defineResource({
      address: { uri: 'drawbridge://broken' },
      name: 'broken',
      title: 'Broken',
      description: 'Broken.',
      judgedAs: 'read_file',
      needs: [],
      match: (uri) => (uri === 'drawbridge://broken' ? {} : undefined),
      targets: () => [],
      read: () => Promise.reject(new Error('secret detail')),
      watch: () => ({ dispose: () => undefined }),
    });
    run.catalog.resources = [broken];
    const outcome = await run.read('drawbridge://broken');
    expect(outcome).toMatchObject({ kind: 'error', code: 'internal' });
    expect(JSON.stringify(outcome)).not.toContain('secret detail');
  });
});
