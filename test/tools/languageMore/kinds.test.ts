import { beforeEach, describe, expect, test } from 'vitest';
import { callTool } from '#call/callTool.ts';
import type { ToolChoices } from '#call/windowCatalog.ts';
import { WindowCatalog } from '#call/windowCatalog.ts';
import type { ScopedRule } from '#policy/rules.ts';
import { tools } from '#tools/index.ts';
import { CallRun } from '../../call/callRun.ts';
import { FakePolicy, ruleOf } from '../../fakes/rules.ts';
import { cartProject } from '../language/cartProject.ts';

const path = 'src/cart.ts';
let run: CallRun;

beforeEach(() => {
  const { files, language, languageDetails, search, symbols, workspace } = cartProject();
  languageDetails.folded = [{ firstLine: 1, lastLine: 7 }];
  languageDetails.lenses = [{ firstLine: 8, firstColumn: 1, lastLine: 8, lastColumn: 2, title: '2 references' }];
  run = new CallRun(tools, { files, language, languageDetails, search, symbols, workspace });
});

interface Window {
  readonly rules?: readonly ScopedRule[];
  readonly choices?: ToolChoices;
}

function catalogWith(choices: ToolChoices): WindowCatalog {
  return new WindowCatalog({
    tools,
    sources: [],
    resources: [],
    prompts: [],
    choices: () => choices,
    mode: () => 'manual',
    isTrusted: () => true,
    isHeld: () => false,
  });
}

/** Returns the text of an answer in a window with these rules and choices of tools; by default `language_more` is on. */
async function answer(args: object, { rules = [], choices = { language_more: true } }: Window = {}): Promise<string> {
  const call = {
    tool: 'get_language_details',
    arguments: args,
    principal: { credential: 'window' },
    client: undefined,
    era: '2025',
    protocolVersion: '2025-11-25',
    signal: new AbortController().signal,
  } as const;
  const dependencies = { ...run.dependencies, catalog: catalogWith(choices), policy: new FakePolicy(...rules) };
  const outcome = await callTool(call, dependencies);
  if (outcome.kind !== 'result') return JSON.stringify(outcome);
  return outcome.result.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

const folds = 'src/cart.ts: 1 range\n1-7';
const lenses = 'src/cart.ts: 1 code lens\n8 2 references';

describe('the rules for get_language_details', () => {
  test('decide a kind by the name of its former tool, and no other kind', async () => {
    const rules = [ruleOf({ effect: 'deny', tools: ['get_folding_ranges'] })];
    expect(await answer({ kind: 'folding_ranges', path }, { rules })).toContain(
      'A rule of the user (r-deny) denies this.',
    );
    expect(await answer({ kind: 'code_lenses', path }, { rules })).toBe(lenses);
  });

  test.each(['managed', 'repository', 'workspace', 'session'] as const)(
    'decide a kind by the name of its former tool in the scope %s',
    async (scope) => {
      const rule = ruleOf({ effect: 'deny', tools: ['get_folding_ranges'], paths: ['src/**'] }, scope);
      const rules = [scope === 'session' ? { ...rule, principal: '["window",null]' } : rule];
      expect(await answer({ kind: 'folding_ranges', path }, { rules })).toContain('(r-deny) denies this');
      expect(await answer({ kind: 'folding_ranges', path: 'src/order.ts' }, { rules })).toContain('denies this');
    },
  );

  test('decide every kind by the name of the tool', async () => {
    const rules = [ruleOf({ effect: 'deny', tools: ['get_language_details'] })];
    for (const kind of ['folding_ranges', 'code_lenses']) {
      expect(await answer({ kind, path }, { rules })).toContain('(r-deny) denies this');
    }
  });

  test('do not decide a kind by the name of another tool or kind', async () => {
    const rules = [ruleOf({ effect: 'deny', tools: ['read_file', 'get_code_lenses'] })];
    expect(await answer({ kind: 'folding_ranges', path }, { rules })).toBe(folds);
  });
});

describe('the setting drawbridge.toolsets', () => {
  test('keeps a kind off that was turned off by the name of its former tool, and the answer says so', async () => {
    const choices = { language_more: true, get_folding_ranges: false };
    expect(await answer({ kind: 'folding_ranges', path }, { choices })).toBe(
      'The user has turned this kind of get_language_details off (get_folding_ranges). Do without it, or ask the user to turn it on again in the setting drawbridge.toolsets. [unavailable]',
    );
    expect(await answer({ kind: 'code_lenses', path }, { choices })).toBe(lenses);
  });

  test('turns a kind on by the name of its former tool although the toolset is off', async () => {
    const choices = { get_folding_ranges: true };
    expect(await answer({ kind: 'folding_ranges', path }, { choices })).toBe(folds);
    expect(await answer({ kind: 'code_lenses', path }, { choices })).toContain('(get_code_lenses)');
  });

  test('lets the choice for a kind win over that for the tool, and the tool over its toolset', async () => {
    const choices = { language_more: true, get_language_details: false, get_code_lenses: true };
    expect(await answer({ kind: 'folding_ranges', path }, { choices })).toContain('(get_folding_ranges)');
    expect(await answer({ kind: 'code_lenses', path }, { choices })).toBe(lenses);
  });

  test('offers the tool as long as one kind is on', () => {
    const isOffered = (choices: ToolChoices): boolean =>
      catalogWith(choices).offered.some(({ name }) => name === 'get_language_details');
    expect(isOffered({})).toBe(false);
    expect(isOffered({ language_more: true })).toBe(true);
    expect(isOffered({ get_document_colors: true })).toBe(true);
    expect(isOffered({ get_language_details: true })).toBe(true);
    expect(isOffered({ language_more: true, get_language_details: false })).toBe(false);
  });
});

describe('the record of a get_language_details call', () => {
  const recorded = () => run.auditLog.calls.map(({ start, end }) => [start.tool, end?.outcome]);

  test('names the kind, whatever the outcome of the call', async () => {
    const rules = [ruleOf({ effect: 'deny', tools: ['get_code_lenses'] })];
    await answer({ kind: 'folding_ranges', path }, { rules });
    await answer({ kind: 'code_lenses', path }, { rules });
    await answer({ kind: 'document_links', path }, { choices: {} });
    expect(await answer({ kind: 'document_colors' })).toContain('document_colors needs a file');
    expect(recorded()).toEqual([
      ['get_folding_ranges', 'ok'],
      ['get_code_lenses', 'denied'],
      ['get_document_links', 'unavailable'],
      ['get_document_colors', 'invalid_arguments'],
    ]);
  });

  test('names the tool when the arguments name no known kind', async () => {
    for (const args of [{}, { kind: 'toString', path }, { kind: ['folding_ranges'], path }]) await answer(args);
    expect(recorded()).toEqual(Array.from({ length: 3 }, () => ['get_language_details', 'invalid_arguments']));
  });

  test('names the kind when the user is asked to permit a read', async () => {
    const asked: string[] = [];
    const approver = {
      ...run.dependencies.approver,
      permitRead: async ({ tool }: { readonly tool: string }) => void asked.push(tool),
    };
    run = new CallRun(tools, run.dependencies.ports, approver);
    const rules = [ruleOf({ effect: 'ask', tools: ['get_folding_ranges'] })];
    expect(await answer({ kind: 'folding_ranges', path }, { rules })).toBe(folds);
    expect(asked).toEqual(['get_folding_ranges']);
  });
});

test('counts a secret in a signature', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const { files, language, languageDetails, search, symbols, workspace } = cartProject();
  languageDetails.signatures = {
    signatures: [{ label: 'f()', documentation: `Uses ${secret}.`, parameters: [] }],
    activeSignature: 0,
    activeParameter: 0,
  };
  run = new CallRun(tools, { files, language, languageDetails, search, symbols, workspace });
  const text = await answer({ kind: 'signature_help', path: 'src/cart.ts:7:1' });
  expect(text).not.toContain(secret);
  expect(text).toContain('(1 secret redacted)');
});
