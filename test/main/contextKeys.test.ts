import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { Emitter } from '#base/event.ts';
import { keepContextKeys, type KeySources } from '#main/contextKeys.ts';
import { editor, resetEditor } from '../fakes/editor/editor.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const changed = new Emitter<void>();
const onDidChange = changed.event;
let changes: { readonly canRevert: boolean }[];
let sources: Writable<KeySources>;

beforeEach(() => {
  resetEditor();
  changes = [];
  sources = {
    changes: { list: () => changes, onDidChange },
    lineMarks: { hasMarks: false, onDidChange },
    recentCalls: { all: [], onDidChange },
    tokens: { all: [], onDidChange },
    server: { running: undefined, onDidChange },
    auditFiles: Promise.resolve([]),
    onError: () => expect.unreachable(),
  };
});

/** Returns the keys that are true now. */
function keys(): readonly unknown[] {
  const set = editor.executed.filter(([command]) => command === 'setContext');
  const now = new Map(set.map(([, key, value]) => [key, value]));
  return [...now].flatMap(([key, value]) => (value === true ? [key] : []));
}

async function start(): Promise<void> {
  const subscriptions = keepContextKeys(sources);
  onTestFinished(() => subscriptions.forEach((each) => each.dispose()));
  // The files are listed in the background.
  await new Promise((resolve) => setTimeout(resolve, 0));
}

test('sets no key in a window in which nothing has happened', async () => {
  await start();
  expect(keys()).toEqual([]);
  expect(editor.executed).toHaveLength(6);
});

test.each<[key: string, change: () => void]>([
  ['canUndo', () => changes.push({ canRevert: true })],
  ['hasMarks', () => Object.assign(sources.lineMarks, { hasMarks: true })],
  ['hasRecords', () => Object.assign(sources.recentCalls, { all: ['call'] })],
  ['hasTokens', () => Object.assign(sources.tokens, { all: ['token'] })],
  ['hasAssistants', () => runs({ clients: ['claude'] })],
  ['listenerClosed', () => runs({ listener: 'busy' })],
])('sets %s when it becomes true, and once', async (key, change) => {
  await start();
  change();
  changed.fire();
  changed.fire();
  expect(keys()).toEqual([`drawbridge.${key}`]);
  expect(editor.executed).toHaveLength(7);
});

function runs({ clients = [], listener = 'open' }: { clients?: string[]; listener?: 'busy' | 'open' }): void {
  const running = { clients: () => clients, httpListener: () => ({ kind: listener }) };
  Object.assign(sources.server, { running });
}

test('takes a key away when its reason is gone', async () => {
  changes = [{ canRevert: false }, { canRevert: true }];
  await start();
  expect(keys()).toEqual(['drawbridge.canUndo']);
  changes = [{ canRevert: false }];
  changed.fire();
  expect(keys()).toEqual([]);
});

test('finds records of earlier runs and of other windows', async () => {
  sources.auditFiles = Promise.resolve(['2026-11-21-w-1.jsonl']);
  await start();
  expect(keys()).toEqual(['drawbridge.hasRecords']);
});

test('reports that the records could not be listed', async () => {
  const errors: unknown[] = [];
  sources.auditFiles = Promise.reject(new Error('EACCES'));
  sources.onError = (error) => errors.push(error);
  await start();
  expect(errors).toEqual([new Error('EACCES')]);
});
