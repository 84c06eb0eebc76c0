import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ToolError } from '#base/toolError.ts';
import { CallLimits } from '#call/callLimits.ts';
import { callTool, type CoreDependencies } from '#call/callTool.ts';
import { redactError, redactResult } from '#call/redactResult.ts';
import { readResource } from '#call/resourceRequests.ts';
import { defaultProfile } from '#call/resultProfile.ts';
import { defineTool, inputFromZod, outputFromZod, type Tool } from '#call/tool.ts';
import { UnaskedBudget } from '#call/unaskedBudget.ts';
import type { ChangeOutcome } from '#changes/approver.ts';
import { applyEdit } from '#tools/edit/applyEdit.ts';
import { getApproval } from '#tools/edit/getApproval.ts';
import { resources } from '#tools/resources/index.ts';
import { readFile } from '#tools/workspace/readFile.ts';
import { readFiles } from '#tools/workspace/readFiles.ts';
import { searchCode } from '#tools/workspace/searchCode.ts';
import { FakeAuditLog } from '../fakes/auditLog.ts';
import { FakeCatalog } from '../fakes/catalog.ts';
import { fakeSources } from '../fakes/changeSources.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakeFiles } from '../fakes/files.ts';
import { fakeFolderAccess } from '../fakes/folderAccess.ts';
import { fakePorts } from '../fakes/ports.ts';
import { FakePolicy } from '../fakes/rules.ts';
import { FakeSearch } from '../fakes/search.ts';
import { characters, githubToken, keyPieces, privateKey } from '../fakes/secrets.ts';
import { folderAt } from '../fakes/workspace.ts';

const outcome: ChangeOutcome = {
  status: 'applied_modified',
  approvalId: 'a-1',
  displayed: true,
  files: [
    {
      path: 'a.ts',
      uri: 'file:///w/a.ts',
      change: 'edit',
      state: 'applied',
      changedOnSave: `+token = '${githubToken}'`,
      differenceFromProposal: "-url = 'https://ann:hunter2x@host/'",
      reason: `because of ${githubToken}`,
      addedLines: 1,
      removedLines: 1,
    },
  ],
  problems: {
    new: [{ path: 'a.ts', line: 1, severity: 'error', message: `Type '"${githubToken}"' is wrong.` }],
    newCount: 1,
    fixedCount: 0,
    freshness: 'fresh',
  },
  userMessage: `use ${githubToken}`,
  next: 'Go on.',
};

const quoting = defineTool({
  name: 'quote_it',
  title: 'Quote',
  toolset: 'workspace',
  risk: 'read',
  needs: [],
  description: 'Fails.',
  input: inputFromZod(z.strictObject({})),
  output: outputFromZod(z.object({})),
  targets: () => [],
  run: () => Promise.reject(new ToolError('no_match', `The nearest is ${githubToken}.`, 'Look again.')),
  render: () => ({ text: '' }),
});

function setUp(files: Readonly<Record<string, string>>) {
  const auditLog = new FakeAuditLog();
  const clock = new FakeClock();
  const search = new FakeSearch();
  for (const [fsPath, text] of Object.entries(files)) {
    search.add({ path: fsPath.slice(3), uri: `file://${fsPath}`, fsPath, folder: folderAt('/w') }, text);
  }
  const tools: readonly Tool[] = [readFile, readFiles, searchCode, applyEdit, getApproval, quoting];
  const dependencies: CoreDependencies = {
    catalog: new FakeCatalog(tools, resources),
    ports: fakePorts({ files: new FakeFiles(files), search }),
    sources: fakeSources({}),
    folderAccess: fakeFolderAccess(),
    approver: {
      request: async () => outcome,
      permitRead: async () => undefined,
      outcome: async () => outcome,
    },
    auditLog,
    clock,
    pathRules: { home: '/home/u', privateFolders: [] },
    policy: new FakePolicy(),
    limits: new CallLimits(),
    unasked: new UnaskedBudget(clock),
    profileFor: () => defaultProfile,
    caps: () => ({ readBytes: 65_536, maxResults: 200 }),
  };
  const caller = {
    principal: { credential: 'window' },
    client: undefined,
    era: '2025' as const,
    protocolVersion: undefined,
    signal: new AbortController().signal,
  };
  const call = (tool: string, args: unknown) => callTool({ ...caller, tool, arguments: args }, dependencies);
  const resource = (uri: string) => readResource(uri, caller, dependencies);
  return { auditLog, call, resource };
}

const marked = `[redacted:`;

describe('the redaction of results', () => {
  const files = {
    '/w/a.ts': `const token = '${githubToken}';\nconst again = '${githubToken}';\n${privateKey}\n`,
    '/w/b.ts': 'let clean = 1;\n',
  };

  it.each([
    ['read_file', { path: 'a.ts' }, 3],
    ['read_files', { files: [{ path: 'a.ts' }, { path: 'b.ts' }] }, 3],
    ['search_code', { query: 'const' }, 2],
    ['apply_edit', { edits: [{ path: 'b.ts', oldText: 'clean', newText: 'b' }] }, 5],
    ['get_approval', { approvalId: 'a-1' }, 5],
  ])('A8: redacts the secrets in %s, in every block, and says how many', async (tool, args, count) => {
    const { auditLog, call } = setUp(files);
    const answer = await call(tool, args);
    const json = JSON.stringify(answer);
    expect(json).toContain(marked);
    expect(json).not.toContain(githubToken);
    expect(json).not.toContain('hunter2x');
    expect(keyPieces.filter((piece) => json.includes(piece))).toEqual([]);
    const words = count === 1 ? '(1 secret redacted)' : `(${count} secrets redacted)`;
    expect(answer).toMatchObject({ result: { structuredContent: { redactedSecrets: count } } });
    expect(json).toContain(words);
    expect(auditLog.events).toEqual([{ event: 'redaction', tool, count }]);
  });

  it('A8: redacts an error', async () => {
    const { auditLog, call } = setUp(files);
    const answer = JSON.stringify(await call('quote_it', {}));
    expect(answer).toContain(marked);
    expect(answer).toContain('Look again. [no_match]');
    expect(answer).not.toContain(githubToken);
    expect(auditLog.events).toEqual([{ event: 'redaction', tool: 'quote_it', count: 1 }]);
  });

  it('A8: redacts resources/read and leaves binary content unchanged', async () => {
    const { auditLog, resource } = setUp(files);
    const answer = await resource('file:///w/a.ts');
    expect(JSON.stringify(answer)).not.toContain(githubToken);
    expect(keyPieces.filter((piece) => JSON.stringify(answer).includes(piece))).toEqual([]);
    expect(auditLog.events).toEqual([{ event: 'redaction', tool: 'read_resource', count: 3 }]);
    const blob = Buffer.from(githubToken).toString('base64');
    expect(redactResult({ blob, path: 'a' }, {}).data).toEqual({ blob, path: 'a' });
  });

  it('reports nothing when nothing is redacted, even for text that looks like a marker', async () => {
    const { auditLog, call } = setUp({ '/w/a.ts': 'see [redacted:jwt:0123abcd]\n' });
    const answer = JSON.stringify(await call('read_file', { path: 'a.ts' }));
    expect(answer).toContain('see [redacted:jwt:0123abcd]');
    expect(answer).not.toMatch(/redactedSecrets|secrets? redacted/);
    expect(auditLog.events).toEqual([]);
  });

  it('A27: numbers the secrets of one answer, whether they are equal or not, and after those that the tool numbered', () => {
    const other = `ghp_${characters(40).slice(1)}`;
    const answerTo = (secret: string): unknown =>
      redactResult({ one: githubToken, two: [secret, { three: secret }], read: 'x [redacted:jwt#4]' }, {});
    expect(answerTo(githubToken)).toEqual({
      data: {
        one: '[redacted:github_token#5]',
        two: ['[redacted:github_token#6]', { three: '[redacted:github_token#7]' }],
        read: 'x [redacted:jwt#4]',
      },
      count: 4,
    });
    expect(answerTo(other)).toEqual(answerTo(githubToken));
  });

  it('changes nothing when it runs again', () => {
    const schema = { properties: { redactedSecrets: {} } };
    const once = redactResult({ text: `${githubToken}\n${privateKey}` }, schema);
    expect(redactResult(once.data, schema)).toEqual(once);
    const error = redactError(new ToolError('no_match', githubToken, '')).error;
    expect(redactError(error)).toEqual({ error, count: 1 });
  });

  it('leaves addresses unchanged', () => {
    const names = {
      path: githubToken,
      uri: `file:///w/${githubToken}`,
      movedFrom: githubToken,
      nextCursor: githubToken,
    };
    expect(redactResult(names, {})).toEqual({ data: names, count: 0 });
  });

  it('returns the same object for numbers, ids and texts without secrets', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.uuid(), (value, id) => {
        const data = { value, id };
        expect(redactResult(data, {})).toEqual({ data, count: 0 });
      }),
    );
  });
});
