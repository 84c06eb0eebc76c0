import { describe, expect, it } from 'vitest';
import type { OutlineSymbol } from '#base/language.ts';
import { CallLimits } from '#call/callLimits.ts';
import { callTool, type CoreDependencies } from '#call/callTool.ts';
import { hasClosedCode } from '#call/closedCode.ts';
import { tellingOf } from '#call/serviceText.ts';
import { readResource } from '#call/resourceRequests.ts';
import { defaultProfile } from '#call/resultProfile.ts';
import type { Tool } from '#call/tool.ts';
import { UnaskedBudget } from '#call/unaskedBudget.ts';
import type { ChangeOutcome } from '#changes/approver.ts';
import { expandBraces } from '#policy/globSegments.ts';
import type { ScopedRule } from '#policy/rules.ts';
import { secretRows } from '#policy/secretRows.ts';
import { applyEdit } from '#tools/edit/applyEdit.ts';
import { getApproval } from '#tools/edit/getApproval.ts';
import { getDiagnostics } from '#tools/language/getDiagnostics.ts';
import { getOutline } from '#tools/language/getOutline.ts';
import { getSymbol } from '#tools/language/getSymbol.ts';
import { listCodeActions } from '#tools/language/listCodeActions.ts';
import { getLanguageDetails } from '#tools/languageMore/getLanguageDetails.ts';
import { resources } from '#tools/resources/index.ts';
import { FakeAuditLog } from '../fakes/auditLog.ts';
import { FakeCatalog } from '../fakes/catalog.ts';
import { fakeSources } from '../fakes/changeSources.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakeFiles } from '../fakes/files.ts';
import { fakeFolderAccess } from '../fakes/folderAccess.ts';
import { fakePorts } from '../fakes/ports.ts';
import { FakePolicy, ruleOf } from '../fakes/rules.ts';
import { FakeSearch } from '../fakes/search.ts';
import { characters } from '../fakes/secrets.ts';
import { folderAt } from '../fakes/workspace.ts';

const literal = 'canary-LITERAL-9f8e';
const uses = 'import { KEY } from "../secrets/keys.ts";\nexport const again = KEY;\nf(KEY);\n';
const folder = folderAt('/w');

/** A workspace in which a service says what TypeScript says of src/uses.ts. */
function setUp(files: Readonly<Record<string, string>>, ...rules: readonly ScopedRule[]) {
  const nodes = { '/w/src/uses.ts': uses, ...files };
  const search = new FakeSearch();
  const placeOf = (fsPath: string) => ({ path: fsPath.slice(3), uri: `file://${fsPath}`, fsPath, folder });
  for (const [fsPath, text] of Object.entries(nodes)) search.add(placeOf(fsPath), text);
  const ports = fakePorts({ files: new FakeFiles(nodes), search });
  const range = { firstLine: 2, firstColumn: 1, lastLine: 2, lastColumn: 26 };
  const symbol: OutlineSymbol = {
    ...range,
    name: 'again',
    kind: 'constant',
    detail: `"${literal}"`,
    nameLine: 2,
    nameColumn: 14,
    children: [],
  };
  ports.language.outlines.set('src/uses.ts', [symbol]);
  ports.language.hovers.set('src/uses.ts:2', [
    `\`\`\`typescript\nconst again: "${literal}" | 4711\n\`\`\`\nIt's documented.`,
  ]);
  ports.language.hovers.set('src/uses.ts:3', [
    `\`\`\`typescript\nconst KEY: "${literal}"\n\`\`\`\nThe key is ${literal}.`,
  ]);
  ports.language.uses.set('definition src/uses.ts:3', [
    { ...placeOf('/w/secrets/keys.ts'), firstLine: 1, firstColumn: 1, lastLine: 1, lastColumn: 9 },
  ]);
  const message = `Argument of type '"${literal}"' is not assignable to parameter of type 'Map<string, 4711>'.`;
  const diagnostic = { ...range, severity: 'error' as const, message, source: 'ts', code: '2345' };
  const related = [{ place: { ...placeOf('/w/src/uses.ts'), ...range }, message: `See '"${literal}"'.` }];
  ports.diagnostics.answers.set('src/uses.ts', { freshness: 'fresh', diagnostics: [{ ...diagnostic, related }] });
  ports.diagnostics.publish({ ...placeOf('/w/src/uses.ts'), diagnostics: [diagnostic] });
  ports.refactorings.actions.push({
    title: `Change spelling to '${literal}'`,
    kind: 'quickfix',
    isPreferred: false,
    fixes: [message],
    expand: async () => ({}),
  });
  ports.languageDetails.signatures = {
    signatures: [
      { label: `f(key: "${literal}")`, documentation: `Takes ${literal}.`, parameters: [`key: "${literal}"`] },
    ],
    activeSignature: 0,
    activeParameter: 0,
  };
  ports.languageDetails.completed = [
    { label: literal, kind: 'constant' },
    { label: `"${literal}"`, kind: 'property' },
    { label: 'again', kind: 'variable', detail: `const again: "${literal}"`, insertText: `again["${literal}"]` },
    { label: 'canary', kind: 'text' },
  ];
  ports.languageDetails.hints = [{ line: 2, column: 19, label: `: "${literal}"`, kind: 'type' }];
  const clock = new FakeClock();
  const outcome: ChangeOutcome = {
    status: 'applied',
    approvalId: 'a-1',
    displayed: true,
    files: [],
    problems: {
      new: [{ path: 'src/uses.ts', line: 3, severity: 'error', message, code: 'ts(2345)' }],
      newCount: 1,
      fixedCount: 0,
      freshness: 'fresh',
    },
    next: 'Go on.',
  };
  const tools: readonly Tool[] = [
    getSymbol,
    getOutline,
    getDiagnostics,
    listCodeActions,
    getLanguageDetails,
    applyEdit,
    getApproval,
  ];
  const dependencies: CoreDependencies = {
    catalog: new FakeCatalog(tools, resources),
    ports,
    sources: fakeSources({}),
    folderAccess: fakeFolderAccess(),
    approver: { request: async () => outcome, permitRead: async () => undefined, outcome: async () => outcome },
    auditLog: new FakeAuditLog(),
    clock,
    pathRules: { home: '/home/u', privateFolders: [] },
    policy: new FakePolicy(...rules),
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
  return {
    ports,
    answer: async (tool: string, args: unknown) =>
      JSON.stringify(await callTool({ ...caller, tool, arguments: args }, dependencies)),
    resource: async (uri: string) => JSON.stringify(await readResource(uri, caller, dependencies)),
  };
}

const closed = { '/w/secrets/keys.ts': `export const KEY = '${literal}' as const;\n` };
const closing = ruleOf({ effect: 'deny', paths: ['secrets/**'] });
const at = (kind: string) => ({ kind, path: 'src/uses.ts:3:3' });

describe('A31: the literals of a closed file', () => {
  it.each([
    ['get_symbol', { symbol: 'again', path: 'src/uses.ts' }, 'const again: \\"…\\" | …'],
    ['get_symbol', { path: 'src/uses.ts:3:3' }, 'KEY'],
    ['get_outline', { paths: ['src/uses.ts'] }, 'again'],
    ['get_diagnostics', { paths: ['src/uses.ts'] }, "parameter of type 'Map<string, …>'"],
    ['list_code_actions', { path: 'src/uses.ts', firstLine: 3 }, 'Change spelling to'],
    ['get_language_details', at('signature_help'), 'f(key: \\"…\\")'],
    ['get_language_details', at('completions'), 'const again: \\"…\\"'],
    ['get_language_details', { kind: 'inlay_hints', path: 'src/uses.ts' }, ': \\"…\\"'],
    ['apply_edit', { edits: [{ path: 'src/uses.ts', oldText: 'again', newText: 'b' }] }, 'is not assignable'],
    ['get_approval', { approvalId: 'a-1' }, 'is not assignable'],
  ])('are left out of what %s says of files that use it: %j', async (tool, args, kept) => {
    const answer = await setUp(closed, closing).answer(tool, args);
    expect(answer).not.toContain(literal);
    expect(answer).not.toContain('4711');
    expect(answer).toContain(kept);
    const open = await setUp({}).answer(tool, args);
    if (tool !== 'get_outline' && !JSON.stringify(args).includes(':3:3"}')) expect(open).toContain(literal);
  });

  it('are left out of the problems resource, and of a file that a rule closes', async () => {
    expect(await setUp(closed, closing).resource('drawbridge://diagnostics')).not.toContain(literal);
    expect(await setUp({}).resource('drawbridge://diagnostics')).toContain(literal);
    const rule = ruleOf({ effect: 'deny', paths: ['vault/**'] });
    const args = { symbol: 'again', path: 'src/uses.ts' };
    const byRule = (path: string) => setUp({ [path]: '' }, rule).answer('get_symbol', args);
    expect(await byRule('/w/vault/keys.ts')).not.toContain(literal);
    expect(await byRule('/w/vault/env.prod.ts')).not.toContain(literal);
    expect(await byRule('/w/other/keys.ts')).toContain(literal);
  });

  it('are told when only files are closed of which a service takes none, and left out when that is unknown', async () => {
    const args = { symbol: 'again', path: 'src/uses.ts' };
    expect(await setUp({ '/w/secrets/keys.unknown': '' }).answer('get_symbol', args)).not.toContain(literal);
    expect(await setUp({ '/w/.env': 'A=1', '/w/a.pem': 'x' }).answer('get_symbol', args)).toContain(literal);
    const broken = setUp({});
    broken.ports.search.closedFiles = () => {
      throw new Error('no search program');
    };
    expect(await broken.answer('get_symbol', args)).not.toContain(literal);
  });

  it('are the same for every value, and whatever the file that uses it says', async () => {
    const { answer, ports } = setUp(closed, closing);
    const args = { symbol: 'again', path: 'src/uses.ts' };
    const first = await answer('get_symbol', args);
    ports.language.hovers.set('src/uses.ts:2', [
      `\`\`\`typescript\nconst again: "another" | 12\n\`\`\`\nIt's documented.`,
    ]);
    expect(await answer('get_symbol', args)).toBe(first);
  });
});

/** Sample names for the rows of the table, and for folders whose files are secret. */
const samples = [
  ...secretRows.flatMap(({ files = [] }) => files),
  '.ssh/{config,known_hosts,authorized_keys,id_work}',
  'secrets/{db_password.txt,production.yml,tls.crt}',
]
  .flatMap((pattern) => expandBraces(pattern.replace('[._~ -]', '.'), { maximum: 64, allowsOneChoice: false }))
  .map((name) => name.replaceAll('*', 'x'));

it.each(samples)('no literal is taken from the secret file %s', async (path) => {
  const search = new FakeSearch();
  search.add({ path, uri: `file:///w/${path}`, fsPath: `/w/${path}`, folder }, '');
  const { signal } = new AbortController();
  const found = [];
  const query = { within: [], include: [], exclude: [], includeIgnored: true };
  for await (const file of search.closedFiles(query, signal)) found.push(file.path);
  expect(found).toEqual([path]);
  expect(await hasClosedCode({ search, within: [], mayRead: undefined }, signal)).toBe(false);
});

describe('A34: the value of a redacted secret', () => {
  it('is left out where a service shows it without the name before it', async () => {
    const secret = characters(40);
    const { answer, ports } = setUp({});
    ports.language.hovers.set('src/uses.ts:2', [`\`\`\`typescript\nconst again: "${secret}"\n\`\`\``]);
    expect(await answer('get_symbol', { symbol: 'again', path: 'src/uses.ts' })).not.toContain(secret.slice(0, 12));
  });

  it('is left out as a whole where a tool cuts what a service says', async () => {
    const secret = `ghp_${'a'.repeat(36)}`;
    const { answer, ports } = setUp({});
    for (let length = 1960; length < 2000; length += 6) {
      const signature = `const a: "${'x'.repeat(length - 15)}" | "${secret}"`;
      ports.language.hovers.set('src/uses.ts:2', [`\`\`\`typescript\n${signature}\n\`\`\``]);
      const told = await answer('get_symbol', { symbol: 'again', path: 'src/uses.ts' });
      expect(told).not.toContain('ghp_a');
    }
  });

  it('is no completion, and no prefix is compared with it', async () => {
    const { answer, ports } = setUp({});
    const secret = `ghp_${characters(36)}`;
    ports.languageDetails.completed = [{ label: secret, kind: 'variable' }];
    const asked = (prefix: string) => answer('get_language_details', { ...at('completions'), prefix });
    expect(await asked('ghp_')).toBe(await asked('ghp_x').then((text) => text.replaceAll('ghp_x', 'ghp_')));
  });
});

it('A31: tells texts of language services in linear time, whatever they are', () => {
  const { code, markdown, message } = tellingOf(true);
  for (const unit of ['"a"', "'", '"', '`', '\\', '\'"', '```\n', '-1', "'a'", '.1', 'a1']) {
    const text = unit.repeat(200_000 / unit.length);
    expect(code(text).length + markdown(text).length).toBeGreaterThan(0);
    expect(message(text, 'ts') + message(text, undefined)).not.toBe('');
  }
});
