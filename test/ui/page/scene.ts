import type { FakeApprovals } from '../../fakes/approvals.ts';

const cartBefore = `${'// cart\n'.repeat(37)}export function addItem(item, qty) {
  const items = load();
  // Only positive quantities make sense.
  if (qty > 0) items.push(item);
  return save(items);
}
`;
const cartAfter = cartBefore.replace(
  '  if (qty > 0) items.push(item);\n',
  "  if (qty <= 0) {\n    throw new RangeError('qty must be positive');\n  }\n  items.push(item);\n",
);
const testBefore = `import { add } from '../src/cart/cart.js';

${'// setup\n'.repeat(4)}
test('rejects zero', () => {
  expect(add(0)).toBe(undefined);
});
`;
const testAfter = testBefore.replace(
  '  expect(add(0)).toBe(undefined);\n',
  '  expect(() => add(0))\n    .toThrow(RangeError);\n',
);

/** Adds an edit of two files, an edit of a protected file, and a finished edit. */
export function scene(approvals: FakeApprovals): void {
  approvals.add({
    id: 'two-files',
    reason: 'Zero quantities slipped into orders; make addItem refuse them.',
    files: [
      { path: 'src/cart/cart.ts', base: cartBefore, result: cartAfter, unsaved: true, addedLines: 4 },
      { path: 'test/cart.test.ts', base: testBefore, result: testAfter, addedLines: 2 },
    ],
  });
  approvals.add({
    id: 'guarded',
    client: { name: 'Codex', version: '0.169.0' },
    files: [
      {
        path: '.vscode/tasks.json',
        base: '{\n  "version": "2.0.0"\n}\n',
        result: '{\n  "version": "2.0.0",\n  "runOptions": { "runOn": "folder\u202EOpen" }\n}\n',
        protectedBy: '**/.vscode/**',
        addedLines: 2,
      },
    ],
  });
  approvals.add({
    id: 'over',
    state: 'applied',
    client: { name: 'Cursor', version: '1.0' },
    files: [{ path: 'README.md', base: 'a\n', result: 'b\n', addedLines: 3, removedLines: 3 }],
    decidedAt: Date.UTC(2026, 10, 21, 13, 58),
    canUndo: true,
  });
}

/** Adds a card of every kind, with its commands. */
export function kindsScene(approvals: FakeApprovals): void {
  approvals.add({
    id: 'mixed',
    moved: true,
    files: [
      { path: 'src/cart/cart.ts', base: `${cartBefore}${cartBefore}`, result: `${cartAfter}${cartAfter}` },
      { path: 'test/cart.test.ts', base: testBefore, result: testAfter },
      { path: 'src/cart/quantity.ts', change: 'create', result: 'export const most = 99;\n' },
      { path: 'src/legacy/basket.ts', change: 'delete', base: 'export {};\n', size: 11, recovery: 'not_committed' },
    ],
  });
  approvals.selectHunk('mixed', 0, 1, false);
  approvals.setText('mixed', 1, testAfter.replace('RangeError', 'TypeError'));
  approvals.add({
    id: 'move',
    indivisible: true,
    files: [
      { path: 'src/cart/cart.ts', to: 'src/shop/cart.ts', change: 'move', size: 2048 },
      { path: 'src/app.ts', base: "import './cart/cart.ts';\n", result: "import './shop/cart.ts';\n" },
    ],
  });
  approvals.add({
    id: 'folder',
    files: [{ path: 'src/old', change: 'delete', folderFiles: 12, size: 34_816, toTrash: false, recovery: 'unknown' }],
  });
  approvals.add({ id: 'whole', files: [{ path: 'README.md', base: 'a\n', result: 'b\n', overwrites: true }] });
  approvals.add({
    id: 'stale',
    state: 'stale',
    files: [{ path: 'src/app.ts', base: 'a\n', result: 'b\n' }],
    note: 'src/app.ts was saved by another program.',
    canRebase: true,
    replacedBy: 'whole',
  });
  approvals.add({
    id: 'done',
    state: 'applied',
    files: [{ path: 'src/app.ts', base: 'a\n', result: 'b\n', proposedHunks: 5, includedHunks: 3 }],
    canUndo: true,
    problems: {
      new: [{ path: 'src/app.ts', line: 12, severity: 'error', message: 'Cannot find name “b”.', code: 'ts(2304)' }],
      newCount: 1,
      fixedCount: 2,
      freshness: 'fresh',
    },
  });
}

/** Adds a change that suggests rules, a delete of counted files, a read that asks, and changes applied without asking. */
export function policyScene(approvals: FakeApprovals): void {
  approvals.add({
    id: 'edit',
    files: [{ path: 'src/cart/cart.ts', base: cartBefore, result: cartAfter }],
    judgement: {
      reason: 'ask rule r-2 (user)',
      rule: { id: 'r-2', scope: 'user' },
      explain: [
        { step: 'deny_rule', detail: 'none matches' },
        { step: 'ask_rule', detail: 'ask rule r-2 (user)', rule: { id: 'r-2', scope: 'user' } },
      ],
    },
  });
  approvals.add({
    id: 'count',
    files: [{ path: 'dist', change: 'delete', folderFiles: 37, size: 34_816, recovery: 'not_committed' }],
    judgement: { onceOnly: true, confirmCount: 37, reason: 'deletes 37 files that no commit holds' },
  });
  approvals.addRead({ id: 'read', paths: ['config/.env'] });
  const judgement = {
    effect: 'allow',
    reason: 'allow rule r-7f3a (session)',
    rule: { id: 'r-7f3a', scope: 'session' },
    explain: [{ step: 'allow_rule', detail: 'allow rule r-7f3a (session)' }],
  } as const;
  const files = [{ path: 'src/cart/item.ts', base: 'a\n', result: 'b\n' }];
  approvals.add({ id: 'unasked', state: 'applied', canUndo: true, files, judgement });
  approvals.add({ id: 'undone', state: 'undone', canRedo: true, files });
}

/** Adds waiting and finished actions and questions. */
export function actionsScene(approvals: FakeApprovals): void {
  approvals.add({
    id: 'run',
    tool: 'run_command',
    reason: 'The imports of the cart are out of order.',
    action: {
      title: 'Run command: Organize Imports',
      definition: 'editor.action.organizeImports',
      arguments: [{ uri: 'src/cart/cart.ts', flags: ['quiet', 'all\u202E'] }, { deep: true }],
      paths: ['src/cart/cart.ts'],
      remarks: ['What a command changes is not shown before, and Undo does not know of it.'],
    },
  });
  approvals.add({
    id: 'save',
    tool: 'save_files',
    risk: 'edit',
    mustReachEnd: false,
    action: {
      title: 'Save 2 files',
      definition: 'save_files',
      arguments: undefined,
      paths: ['src/cart/cart.ts', 'test/cart.test.ts'],
      remarks: [],
    },
  });
  approvals.add({
    id: 'ask',
    tool: 'ask_user',
    client: { name: 'Codex', version: '0.169.0' },
    question: {
      text: 'Orders with a quantity of zero exist in the database.\nWhat shall become of them?',
      choices: ['Delete them when the cart is loaded', 'Keep them, and show a warning', 'Leave them alone'],
      allowsText: true,
    },
  });
  approvals.add({
    id: 'words',
    tool: 'ask_user',
    question: { text: 'What is it called?', choices: [], allowsText: true },
  });
  const over = { definition: 'npm.test', arguments: undefined, paths: [], remarks: [] };
  approvals.add({
    id: 'failed',
    state: 'applied',
    decidedAt: Date.UTC(2026, 10, 21, 13, 58),
    action: { ...over, title: 'Run command: Run Tests' },
    output: '3 tests failed:\n  cart.test.ts: rejects zero\n',
    outputIsError: true,
  });
  approvals.add({
    id: 'answered',
    state: 'applied',
    decidedAt: Date.UTC(2026, 10, 21, 13, 57),
    question: { text: 'Which port?', choices: ['3000', '8080'], allowsText: false },
    answer: '8080',
  });
}
