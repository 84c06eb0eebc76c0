import { expect, test } from 'vitest';
import { nameWindowInTerminals } from '#editor/terminals.ts';

/** The environment variables that an extension sets for terminals; each `replace` is counted. */
class FakeCollection {
  readonly values = new Map<string, string>();
  replaced = 0;
  persistent = true;
  description: string | undefined;

  get(variable: string): { readonly value: string } | undefined {
    const value = this.values.get(variable);
    return value === undefined ? undefined : { value };
  }

  replace(variable: string, value: string): void {
    this.values.set(variable, value);
    this.replaced += 1;
  }
}

function name(collection: FakeCollection, windowId: string, isLasting: boolean): void {
  nameWindowInTerminals(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part of the collection that is used
    collection as unknown as Parameters<typeof nameWindowInTerminals>[0],
    windowId,
    isLasting,
  );
}

const windowId = '0123456789abcdef0123456789abcdef';

test('H13 gives terminals the id of their window and nothing else', () => {
  const collection = new FakeCollection();
  name(collection, windowId, true);
  expect([...collection.values]).toEqual([['DRAWBRIDGE_WINDOW', windowId]]);
  expect(collection.description).toContain('which window');
});

test('changes nothing after a reload, so that no terminal counts as outdated', () => {
  const collection = new FakeCollection();
  name(collection, windowId, true);
  name(collection, windowId, true);
  expect([collection.replaced, collection.persistent]).toEqual([1, true]);
  name(collection, windowId.replace('0', 'f'), true);
  expect(collection.replaced).toBe(2);
});

test('does not persist the id when the window has no folder', () => {
  const collection = new FakeCollection();
  name(collection, windowId, false);
  expect(collection.persistent).toBe(false);
});
