import { beforeEach, describe, expect, test } from 'vitest';
import type { WorkspaceFolder } from '#base/workspace.ts';
import type { Approval, DecisionResult } from '#changes/approval.ts';
import type { PastCall } from '#policy/lint.ts';
import { CardRules } from '#ui/approvals/cardRules.ts';
import type { RulePreview } from '#ui/page/messages.ts';
import { ruleMenu, rulePreviewText, savedRuleText } from '#ui/page/words/ruleText.ts';
import { english } from '#ui/page/words/translate.ts';
import { dataOf } from '../page/words/drawnCard.ts';
import { FakeApprovals, type FakeRequest } from '../../fakes/approvals.ts';
import { FakeRules } from '../../fakes/keptRules.ts';

const root = '/work/shop-api';
const folder = { name: 'shop-api', uri: `file://${root}`, fsPath: root, realPath: root };
const edit = { path: 'src/a.ts', base: 'one\n', result: 'eins\n' };
const past: PastCall[] = [
  { tool: 'apply_edit', class: 'edit', paths: ['src/a.ts'] },
  { tool: 'apply_edit', class: 'edit', paths: ['src/b.ts'] },
];

/** Sets the answer of the queue. */
class Queue extends FakeApprovals {
  willAnswer: DecisionResult = 'accepted';
  /** The answer of the queue to the approval itself. */
  atLast: DecisionResult | undefined;

  override approvable(): DecisionResult {
    return this.willAnswer;
  }

  override approve(id: string): DecisionResult {
    const result = this.atLast ?? this.willAnswer;
    this.decisions.push(`approve ${id} ${result}`);
    return result;
  }
}

let folders: readonly WorkspaceFolder[];
let approvals: Queue;
let rules: FakeRules;
let cards: CardRules;

beforeEach(() => {
  folders = [folder];
  approvals = new Queue();
  rules = new FakeRules();
  cards = new CardRules({
    approvals,
    rules,
    pastCalls: () => past,
    folders: () => folders,
    now: () => Date.UTC(2026, 10, 21),
    t: english,
  });
});

const add = (request: Partial<FakeRequest> = {}): Approval => approvals.add({ id: 'a', files: [edit], ...request });
const asked = (approval: Approval, scope: RulePreview['scope'] = 'session', suggestion = 0) => ({
  proposalHash: approval.proposalHash,
  suggestion,
  scope,
});

/** Returns the menu that the page makes of the offers. */
const menuOf = (approval: Approval) => {
  const offered = cards.offers(approval);
  return ruleMenu(dataOf(approval, undefined, offered && { rules: offered }), english);
};
/** Returns the words that the page makes of a preview. */
const previewOf = (approval: Approval, given: ReturnType<typeof asked>) => {
  const preview = cards.preview(approval, given);
  return preview && rulePreviewText(preview, dataOf(approval), english);
};
/** Returns the words that the page makes of a rule that was saved. */
const savedOf = (id: string) => {
  const saved = cards.saved(id);
  return saved && savedRuleText(saved, english);
};

describe('the suggested rules of a change', () => {
  test('A20: are empty when the rule would also count for another folder of the same name', () => {
    const other = (name: string) => ({ name, uri: 'file:///other', fsPath: '/other', realPath: '/other' });
    folders = [folder, other('api')];
    expect(menuOf(add())).toBeDefined();
    folders = [folder, other('Shop-API')];
    expect(menuOf(add())).toBeUndefined();
  });

  test('name the folder in a work tree only, and count there only', async () => {
    const tree = { ...folder, name: 'worktree x', fsPath: '/t/x', realPath: '/t/x', worktree: { of: root } };
    folders = [folder, tree];
    const pathsFor = (realPath: string): unknown => {
      const approval = add({ id: realPath, files: [{ ...edit, realPath }] });
      return JSON.parse(previewOf(approval, asked(approval))?.json.value ?? '').paths;
    };
    expect(pathsFor(`${root}/src/a.ts`)).toEqual(['src/a.ts']);
    expect(pathsFor('/t/x/src/a.ts')).toEqual(['folder:worktree x:src/a.ts']);
  });

  test('A20: begin with the narrowest rule for each scope, and end with the widest scope', () => {
    const menu = menuOf(add());
    expect(menu?.groups.map(({ label }) => label)).toEqual([
      'For this session',
      'In this workspace',
      'Always, in every workspace',
    ]);
    expect(menu?.groups[0]?.items[0]).toEqual({ text: 'edits of src/a.ts', suggestion: 0, scope: 'session' });
  });

  test('B14: have all edits of the session above them, which no other scope can have', () => {
    const approval = add();
    const menu = menuOf(approval);
    const suggestion = menu?.wide?.suggestion ?? -1;
    expect(menu?.wide).toMatchObject({ text: 'Accept edits of Claude Code for this session' });
    expect(previewOf(approval, asked(approval, 'session', suggestion))?.sentence).toBe('Allow edits of every file');
    expect(cards.preview(approval, asked(approval, 'user', suggestion))).toBeUndefined();
    expect(menu?.groups.flatMap(({ items }) => items.map((item) => item.suggestion))).not.toContain(suggestion);
    expect(menuOf(add({ id: 'shared', principal: { credential: 'ci' } }))?.wide).toBeUndefined();
  });

  test('G2: begin with the rule of the user that would allow an own edit of an assistant, as a rule for such edits', async () => {
    const { id } = await rules.add({ effect: 'allow', class: 'edit', paths: ['src/**'] }, { scope: 'user' });
    const unusedRule = { id, scope: 'user' } as const;
    const given = add({ tool: 'native_edit', judgement: { unusedRule } });
    expect(menuOf(given)?.groups[0]?.items[0]).toMatchObject({ text: `all that your rule ${id} allows` });
    expect(previewOf(given, asked(given))?.json.value).toContain('"native_edit"');
    expect((await cards.save(given, asked(given))) satisfies object).toEqual({ decision: 'accepted' });
    expect(rules.all.at(-1)?.rule).toMatchObject({ class: 'edit', paths: ['src/**'], tools: ['native_edit'] });
  });

  test.each([
    ['a warning', { result: 'password = "correct-horse-battery"\n' }],
    ['a delete', { change: 'delete' }],
    ['a protected file', { protectedBy: '**/package.json' }],
  ] as const)('A39: are kept, and apply no waiting request with %s', async (_, file) => {
    const base = { path: 'src/a.ts', base: 'one\n', result: 'eins\n' };
    const approval = add({ files: [{ ...base, ...file }], judgement: { onceOnly: false } });
    expect(previewOf(approval, asked(approval))).toBeDefined();
    expect(await cards.save(approval, asked(approval))).toEqual({ failure: 'rule_kept' });
    expect(rules.all).toHaveLength(1);
    expect(approvals.decisions).toEqual([]);
  });

  test('A20: contain only the path src/a.ts when the change is of src/a.ts', async () => {
    const approval = add();
    const preview = previewOf(approval, asked(approval, 'user'));
    expect(JSON.parse(preview?.json.value ?? '')).toMatchObject({
      effect: 'allow',
      class: 'edit',
      paths: ['src/a.ts'],
    });
    expect(preview?.sentence).toBe('Allow edits of src/a.ts');
    expect(preview?.matches).toBe('It would have matched 1 of the last 2 calls.');
    await cards.save(approval, asked(approval, 'user'));
    expect(rules.all[0]?.rule.paths).toEqual(['src/a.ts']);
  });

  test.each<[string, Partial<FakeRequest>]>([
    ['counts once only', { judgement: { onceOnly: true } }],
    ['asks for a number', { judgement: { confirmCount: 37 } }],
    ['goes through a link', { files: [{ ...edit, viaLink: true }] }],
    ['is of a whole folder', { files: [{ path: 'src', change: 'delete', folderFiles: 3 }] }],
    ['is over', { state: 'applied' }],
  ])('are empty for an approval that %s', (_, request) => {
    const approval = add(request);
    expect(menuOf(approval)).toBeUndefined();
    expect(cards.preview(approval, asked(approval))).toBeUndefined();
  });

  test('F3: contain no session rule for callers that share a credential, who are different assistants', () => {
    const approval = add({ principal: { credential: 'ci' } });
    expect(menuOf(approval)?.groups.map(({ label }) => label)).not.toContain('For this session');
    expect(cards.preview(approval, asked(approval, 'session'))).toBeUndefined();
  });

  test('leave out a file that the user left out', () => {
    add({ files: [edit, { ...edit, path: 'src/b.ts' }] });
    approvals.selectFile('a', 1, false);
    const approval = approvals.get('a');
    if (!approval) throw new Error('There is no approval');
    expect(menuOf(approval)?.groups[0]?.items[0]?.text).toBe('edits of src/a.ts');
  });

  test('serve no other program when the change came with a token', () => {
    const approval = add({ principal: { credential: 'ci', connectionId: 'c1' } });
    expect(previewOf(approval, asked(approval, 'workspace'))?.json.value).toContain('"client": "ci"');
    expect(previewOf(approval, asked(approval, 'session'))?.json.value).not.toContain('"client"');
  });
});

describe('the suggested rules of an action', () => {
  const action = { title: 'Fix All', definition: 'fixAll', arguments: [{ b: 1, a: 2 }], paths: [], remarks: [] };
  const run = (given: Partial<FakeRequest> = {}): Approval =>
    add({ files: [], tool: 'run_command', risk: 'execute', action, ...given });

  test('allow exactly this action with exactly these arguments, for each scope', () => {
    const menu = menuOf(run());
    const text = 'fixAll with exactly these arguments';
    expect(menu?.groups.map(({ items }) => items.map((item) => item.text))).toEqual([[text], [text], [text]]);
    const preview = previewOf(run(), asked(run(), 'user'));
    expect(preview?.sentence).toBe('Allow runs: fixAll [{"a":2,"b":1}]');
    expect(preview?.matches).toContain('only this');
    expect(preview?.save.text).toBe('Save rule and run');
    const saved = run({ risk: 'edit' });
    expect(previewOf(saved, asked(saved))?.save.text).toBe('Save rule and approve');
  });

  test('are empty for a workspace of several folders, and for an answer that counts once only', () => {
    folders = [folder, { name: 'api', uri: 'file:///other', fsPath: '/other', realPath: '/other' }];
    expect(menuOf(run())?.groups.map(({ label }) => label)).toEqual(['For this session', 'Always, in every workspace']);
    expect(menuOf(run({ judgement: { onceOnly: true } }))).toBeUndefined();
    expect(menuOf(run({ state: 'applied' }))).toBeUndefined();
  });

  test('are empty for a question', () => {
    const question = { text: 'Which?', choices: ['a'], allowsText: false };
    expect(menuOf(add({ files: [], risk: 'ui', question, judgement: { onceOnly: true } }))).toBeUndefined();
  });
});

describe('saving a rule', () => {
  test('F2: keeps exactly the rule that was shown, with its origin, then approves; the rule can be removed and put back', async () => {
    const approval = add();
    const preview = previewOf(approval, asked(approval));
    expect(await cards.save(approval, asked(approval))).toEqual({ decision: 'accepted' });
    const [kept] = rules.all;
    expect(kept?.scope).toBe('session');
    expect({ ...JSON.parse(preview?.json.value ?? ''), id: kept?.rule.id }).toEqual(kept?.rule);
    expect(kept?.rule.origin).toEqual({ how: 'card', at: '2026-11-21T00:00:00.000Z', approvalId: 'a' });
    expect(approvals.decisions).toEqual(['approve a accepted']);
    expect(savedOf('a')).toMatchObject({ text: 'Rule saved: Allow edits of src/a.ts', remove: { text: 'Remove' } });
    await cards.remove('a');
    expect(rules.all).toEqual([]);
    expect(savedOf('a')).toMatchObject({
      text: 'Rule removed: Allow edits of src/a.ts',
      restore: { text: 'Restore' },
    });
    await cards.restore('a');
    expect(rules.all).toEqual([kept]);
  });

  test('keeps a rule for the rest of a turn with that turn', async () => {
    const approval = add({ turn: { id: 'p-1', edit: 2 } });
    expect(menuOf(approval)?.groups[0]?.label).toBe('For the rest of this turn');
    cards.preview(approval, asked(approval, 'turn'));
    await cards.save(approval, asked(approval, 'turn'));
    expect(rules.places).toMatchObject([{ scope: 'session', turn: 'p-1' }]);
  });

  test('F3: keeps a session rule for the assistant that asked', async () => {
    const approval = add();
    cards.preview(approval, asked(approval));
    await cards.save(approval, asked(approval));
    expect(rules.all[0]?.principal).toBe(JSON.stringify(['window', 'c0ffee00c0ffee00']));
  });

  test('A3: refuses a rule that was not shown: another scope, another suggestion, another change', async () => {
    const approval = add();
    expect(await cards.save(approval, asked(approval))).toEqual({ decision: 'changed' });
    cards.preview(approval, asked(approval));
    expect(await cards.save(approval, asked(approval, 'user'))).toEqual({ decision: 'changed' });
    expect(await cards.save(approval, asked(approval, 'session', 1))).toEqual({ decision: 'changed' });
    const other = { ...asked(approval), proposalHash: 'f'.repeat(64) };
    expect(await cards.save(approval, other)).toEqual({ decision: 'changed' });
    expect(cards.preview(approval, other)).toBeUndefined();
    expect(rules.all).toEqual([]);
    expect(approvals.decisions).toEqual([]);
  });

  test('approves nothing when the rule cannot be kept, and explains why', async () => {
    const approval = add();
    cards.preview(approval, asked(approval));
    rules.failure = 'the disk is full';
    expect(await cards.save(approval, asked(approval))).toEqual({
      failure: { ruleNotSaved: 'the disk is full' },
    });
    expect(approvals.decisions).toEqual([]);
  });

  test('A17: saves no rule when the click does not approve', async () => {
    const approval = add();
    cards.preview(approval, asked(approval));
    approvals.willAnswer = 'too_fast';
    expect(await cards.save(approval, asked(approval))).toEqual({ decision: 'too_fast' });
    expect(rules.all).toEqual([]);
  });

  test('A15: leaves no rule behind when the change was decided while the rule was written', async () => {
    const approval = add();
    cards.preview(approval, asked(approval));
    approvals.atLast = 'already_decided';
    expect(await cards.save(approval, asked(approval))).toEqual({ decision: 'already_decided' });
    expect(rules.all).toEqual([]);
  });
});
