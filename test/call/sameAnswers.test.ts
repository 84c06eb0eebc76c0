import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallLimits } from '#call/callLimits.ts';
import { callTool, type CoreDependencies } from '#call/callTool.ts';
import { defaultProfile } from '#call/resultProfile.ts';
import type { Tool } from '#call/tool.ts';
import { UnaskedBudget } from '#call/unaskedBudget.ts';
import { applyEdit } from '#tools/edit/applyEdit.ts';
import { createFile } from '#tools/edit/createFile.ts';
import { listChanges } from '#tools/edit/listChanges.ts';
import { findSymbols } from '#tools/language/findSymbols.ts';
import { getSymbol } from '#tools/language/getSymbol.ts';
import { findFiles } from '#tools/workspace/findFiles.ts';
import { listDirectory } from '#tools/workspace/listDirectory.ts';
import { readFile } from '#tools/workspace/readFile.ts';
import { searchCode } from '#tools/workspace/searchCode.ts';
import { setUp as setUpQueue } from '../changes/queueSetUp.ts';
import { FakeAuditLog } from '../fakes/auditLog.ts';
import { FakeCatalog } from '../fakes/catalog.ts';
import { fakeSources } from '../fakes/changeSources.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakeFiles } from '../fakes/files.ts';
import { fakeFolderAccess } from '../fakes/folderAccess.ts';
import { fakePorts } from '../fakes/ports.ts';
import { FakePolicy } from '../fakes/rules.ts';
import { FakeSearch } from '../fakes/search.ts';
import { characters, githubToken } from '../fakes/secrets.ts';
import { folderAt } from '../fakes/workspace.ts';
import { size } from '../size.ts';

const tools: readonly Tool[] = [
  readFile,
  searchCode,
  findFiles,
  listDirectory,
  getSymbol,
  findSymbols,
  applyEdit,
  createFile,
  listChanges,
];

/** What two workspaces differ in. */
interface Hidden {
  readonly token: string;
  readonly password: string;
  readonly closed: string;
}

const hidden: readonly Hidden[] = [
  { token: githubToken, password: 'hunter2x', closed: 'A=1\n' },
  { token: `ghp_${characters(37).slice(1)}`, password: 'hunter3y', closed: 'B=2\n' },
  { token: `ghp_${characters(66)}`, password: 'a-longer-password', closed: 'needle\n'.repeat(20) },
];

/** A workspace in which every change of the assistant is applied at once. */
class Workspace {
  readonly #files: FakeFiles;
  readonly #search = new FakeSearch();
  readonly #queue: ReturnType<typeof setUpQueue>;
  readonly #dependencies: CoreDependencies;

  constructor({ token, password, closed }: Hidden) {
    const texts = {
      '/w/a.ts': `const a = "${token}"; const b = "${token}";\nurl("postgres://ann:${password}@host/x", last);\nlast\n`,
      '/w/b.ts': 'const plain = 1;\nneedle\n',
      '/w/.env': closed,
      '/w/secrets/keys.unknown': closed,
    };
    this.#files = new FakeFiles(texts);
    this.#queue = setUpQueue(texts);
    this.#index();
    const clock = new FakeClock();
    const policy = new FakePolicy();
    policy.currentMode = 'acceptEdits';
    const ports = fakePorts({ files: this.#files, search: this.#search, changes: this.#queue.queue.changes });
    this.#dependencies = {
      catalog: new FakeCatalog(tools, []),
      ports,
      sources: fakeSources({}),
      folderAccess: fakeFolderAccess(),
      approver: {
        request: (request) =>
          this.#queue.queue.request({ ...request, judgement: { ...request.judgement, effect: 'allow' } }),
        permitRead: async () => undefined,
        outcome: async () => undefined,
      },
      auditLog: new FakeAuditLog(),
      clock,
      pathRules: { home: '/home/u', privateFolders: [] },
      policy,
      limits: { admit: () => undefined, slot: new CallLimits().slot.bind(new CallLimits()) },
      unasked: new UnaskedBudget(clock),
      profileFor: () => defaultProfile,
      caps: () => ({ readBytes: 65_536, maxResults: 200 }),
    };
  }

  /** Returns the whole answer without times and ids that are new each time. */
  async answer(tool: string, args: unknown): Promise<string> {
    const call = {
      tool,
      arguments: args,
      principal: { credential: 'window' },
      client: undefined,
      era: '2025' as const,
      protocolVersion: undefined,
      signal: new AbortController().signal,
    };
    const outcome = await callTool(call, this.#dependencies);
    await this.#queue.queue.settled();
    this.#queue.clock.advance(1);
    for (const [path, text] of this.#queue.edits.texts) this.#files.nodes.set(path, text);
    this.#index();
    return JSON.stringify(outcome)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/a-[0-9a-f]{24}/g, 'ID');
  }

  #index(): void {
    this.#search.entries.splice(0);
    for (const [fsPath, text] of this.#files.nodes) {
      if (typeof text !== 'string') continue;
      const file = { path: fsPath.slice(3), uri: `file://${fsPath}`, fsPath, folder: folderAt('/w') };
      this.#search.add(file, text);
    }
  }
}

const markers = ['[redacted:github_token#1]', '[redacted:github_token#2]', '[redacted:password#3]'];
const pieces = [
  '"',
  "'",
  'ghp_',
  'const',
  'a',
  'needle',
  '\n',
  ' ',
  'last',
  '@host',
  '://',
  ';',
  'postgres://ann:',
  'b',
];
const guesses = [githubToken, githubToken.slice(0, 9), 'hunter2x', 'hunter', 'A=1', characters(36).slice(3, 9)];
const word = fc.oneof(fc.constantFrom(...markers), fc.constantFrom(...pieces), fc.constantFrom(...guesses));
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(''));
const shownLine = fc.constantFrom(
  'const a = "[redacted:github_token#1]"; const b = "[redacted:github_token#2]";',
  'url("postgres://ann:[redacted:password#3]@host/x", last);',
  'const a = "[redacted:github_token#1]"',
);
const given = fc.oneof(
  text,
  shownLine,
  fc.tuple(shownLine, text).map((both) => both.join('')),
);
const path = fc.constantFrom('a.ts', 'b.ts', '.env', 'secrets/keys.unknown', 'new.ts');
const step: fc.Arbitrary<readonly [string, unknown]> = fc.oneof(
  path.map((one) => ['read_file', { path: one }] as const),
  fc.tuple(text, fc.boolean()).map(([query, isRegex]) => {
    const isValid = !isRegex || !/[[\]()*+?{}\\|]/.test(query);
    return ['search_code', { query, isRegex: isRegex && isValid, linesBefore: 1, linesAfter: 1 }] as const;
  }),
  fc.constantFrom('ghp_[A-M]', '"[^"]{40}"', '"\\w+"', 'ann:\\w+@', 'hunter[2x]', 'a|ghp_A').map((query) => {
    return ['search_code', { query, isRegex: true }] as const;
  }),
  fc.constantFrom(
    ['find_files', { query: '*' }] as const,
    ['list_directory', {}] as const,
    ['list_changes', {}] as const,
  ),
  fc.tuple(text, path).map(([symbol, one]) => ['get_symbol', { symbol, path: one }] as const),
  text.map((query) => ['find_symbols', { query }] as const),
  fc.tuple(path, given, given, fc.boolean()).map(([one, oldText, newText, replaceAll]) => {
    return ['apply_edit', { edits: [{ path: one, oldText, newText, replaceAll }] }] as const;
  }),
  fc.tuple(fc.constantFrom(...markers), fc.constantFrom(...guesses)).map(([oldText, newText]) => {
    return ['apply_edit', { edits: [{ path: 'a.ts', oldText, newText }] }] as const;
  }),
  fc.tuple(given, given).map(([before, after]) => {
    const patch = `--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-${before.replaceAll('\n', '')}\n+${after.replaceAll('\n', '')}\n`;
    return ['apply_edit', { patch }] as const;
  }),
  fc.tuple(path, given).map(([one, content]) => ['create_file', { path: one, content, overwrite: true }] as const),
);

describe('A27 A28 A29 A30 A32 A33: workspaces that differ only in what is closed or redacted', () => {
  it('give the same answers to the same calls, also after changes that were approved', async () => {
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const workspaces = hidden.map((one) => new Workspace(one));
        for (const [tool, args] of steps) {
          const [first = '', ...others] = await Promise.all(workspaces.map((one) => one.answer(tool, args)));
          if (first.includes('"status":"applied"')) applied += 1;
          for (const other of others) expect(other, `${tool} ${JSON.stringify(args)}`).toBe(first);
        }
      }),
      { numRuns: size({ quick: 250, full: 5000 }) },
    );
    expect(applied).toBeGreaterThan(20);
  }, 120_000);
});
