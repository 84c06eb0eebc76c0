import type { FakeApprovals } from '../fakes/approvals.ts';

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

/** The cards of the design sketch: an edit of two files, one of a protected file, and one that is over. */
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
