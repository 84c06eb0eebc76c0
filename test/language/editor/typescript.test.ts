import { beforeEach, expect, test, vi } from 'vitest';
import { Uri } from 'vscode';
import { loadProject, reloadProjects, typescript, askWithProject } from '#language/editor/typescript.ts';
import { FakeDocument } from '../../fakes/editor/documents.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';

const extension = 'vscode.typescript-language-features';
const question = 'typescript.tsserverRequest';
let activated = 0;
const open = (path: string): FakeDocument => new FakeDocument(Uri.file(path), '');

beforeEach(() => {
  resetEditor();
  activated = 0;
});

function install(answers: Readonly<Record<string, unknown>> = {}): void {
  const activate = async (): Promise<void> => {
    activated += 1;
    installed.isActive = true;
    editor.commands.set(question, (name: string) => {
      if (!(name in answers)) throw new Error('No Project.');
      return answers[name];
    });
  };
  const installed = { isActive: false, exports: undefined, activate };
  editor.extensions.set(extension, installed);
}

test('activates the extension for a script, never for another file', async () => {
  install();
  expect(await typescript.checks('/w/a.md')).toBe(false);
  expect(await typescript.checks('/w/ts')).toBe(false);
  expect(activated).toBe(0);
  for (const name of ['a.ts', 'a.tsx', 'a.mts', 'a.d.ts', 'a.js', 'a.cjs', 'a.jsx'])
    expect(await typescript.checks(`/w/${name}`)).toBe(true);
});

test('does not check files when the user turned validation off', async () => {
  install();
  editor.settings.set('javascript.validate.enable', false);
  expect(await typescript.checks('/w/a.js')).toBe(false);
  expect(await typescript.checks('/w/a.ts')).toBe(true);
});

test('checks nothing without the extension', async () => {
  expect(await typescript.checks('/w/a.ts')).toBe(false);
});

const diagnostic = (category: string, code: number, line: number) => ({
  category,
  code,
  message: `Message ${code}`,
  startLocation: { line, offset: 3 },
  start: 1,
});

test('returns errors and warnings with the text of their line', async () => {
  install({
    syntacticDiagnosticsSync: { type: 'response', body: [diagnostic('error', 1005, 1)] },
    semanticDiagnosticsSync: {
      type: 'response',
      body: [diagnostic('error', 2322, 2), diagnostic('suggestion', 80001, 1), diagnostic('warning', 6133, 3)],
    },
  });
  await typescript.checks('/w/a.ts');
  expect(await typescript.problemsOf('/w/a.ts', 'one\r\n  two \rthree')).toEqual([
    { line: 1, severity: 'error', message: 'Message 1005', code: 'ts(1005)', lineText: 'one' },
    { line: 2, severity: 'error', message: 'Message 2322', code: 'ts(2322)', lineText: 'two' },
    { line: 3, severity: 'warning', message: 'Message 6133', code: 'ts(6133)', lineText: 'three' },
  ]);
});

test.each([
  ['knows no project with the file', {}],
  ['cancels', { syntacticDiagnosticsSync: { type: 'cancelled', reason: 'x' } }],
  ['answers half', { syntacticDiagnosticsSync: { type: 'response', body: [] } }],
  ['answers otherwise than we know', { syntacticDiagnosticsSync: { type: 'response', body: [{ text: 'x' }] } }],
])('returns undefined when the server %s', async (_what, answers) => {
  install(answers);
  await typescript.checks('/w/a.ts');
  expect(await typescript.problemsOf('/w/a.ts', '')).toBeUndefined();
});

test('rereads files by opening them for a request, and waits until they are closed', async () => {
  const looked: string[] = [];
  open('/w/open.ts');
  editor.commands.set('vscode.executeDefinitionProvider', ({ fsPath }: { fsPath: string }) => {
    looked.push(fsPath);
    const document = open(fsPath);
    setImmediate(() => document.close());
  });
  await typescript.reread(['/w/a.ts', '/w/open.ts', '/w/b.ts']);
  expect(looked).toEqual(['/w/a.ts', '/w/b.ts']);
  expect(editor.documents.map(({ uri }) => uri.fsPath)).toEqual(['/w/open.ts']);
});

test('loads a project before the first request about imports and not again before the next', async () => {
  const asked: string[] = [];
  let isLoaded = false;
  install();
  await typescript.checks('/w/a.ts');
  editor.commands.set(question, (name: string) => {
    asked.push(name);
    if (!isLoaded) throw new Error('No Project.');
    return { type: 'response', body: [] };
  });
  editor.commands.set('vscode.executeDefinitionProvider', () => {
    asked.push('open');
    isLoaded = true;
  });
  await loadProject('/w/a.ts');
  expect(asked).toEqual(['syntacticDiagnosticsSync', 'open', 'syntacticDiagnosticsSync']);
  await loadProject('/w/a.ts');
  await loadProject('/w/a.vue');
  expect(asked.slice(3)).toEqual(['syntacticDiagnosticsSync']);
});

test('reloads projects only when the extension is active', async () => {
  const reload = vi.fn<() => void>();
  install();
  await reloadProjects();
  editor.commands.set('typescript.reloadProjects', reload);
  await reloadProjects();
  expect(reload).not.toHaveBeenCalled();
  await typescript.checks('/w/a.ts');
  await reloadProjects();
  expect(reload).toHaveBeenCalledOnce();
  editor.commands.clear();
  await reloadProjects();
});

test('repeats only a request that was answered while the project was loading', async () => {
  install();
  const order: string[] = [];
  const loaded = Promise.withResolvers<void>();
  await typescript.checks('/w/a.ts');
  editor.commands.set(question, async () => {
    await loaded.promise;
    order.push('loaded');
    return {};
  });
  // A provider command opens the file while it runs.
  const ask = async (): Promise<number> => {
    const document = open('/w/a.ts');
    order.push('asked');
    await new Promise(setImmediate);
    document.close();
    return order.length;
  };
  const first = askWithProject('/w/a.ts', ask);
  await vi.waitUntil(() => order.length === 1);
  await new Promise(setImmediate);
  loaded.resolve();
  expect(await first).toBe(3);
  expect(order).toEqual(['asked', 'loaded', 'asked']);
  order.length = 0;
  await askWithProject('/w/a.ts', ask);
  expect(order.filter((what) => what === 'asked')).toHaveLength(1);
  await askWithProject('/w/a.md', ask);
  expect(order.filter((what) => what === 'loaded')).toHaveLength(1);
});

test('asks whether the project is loaded once the file is open, and before the request is answered', async () => {
  install();
  await typescript.checks('/w/a.ts');
  const order: string[] = [];
  editor.commands.set(question, () => order.push('checked'));
  await askWithProject('/w/a.ts', async () => {
    order.push('asked');
    open('/w/a.ts');
    order.push('opened');
    await new Promise(setImmediate);
  });
  expect(order).toEqual(['asked', 'checked', 'opened']);
  order.length = 0;
  await askWithProject('/w/a.ts', async () => {
    order.push('asked');
    await new Promise(setImmediate);
  });
  expect(order).toEqual(['checked', 'asked']);
});

test('opens a file outside loaded projects before it repeats the request', async () => {
  install();
  await typescript.checks('/w/a.ts');
  const order: string[] = [];
  editor.commands.set(question, () => {
    if (!order.includes('shown')) throw new Error('No Project.');
    return {};
  });
  editor.commands.set('vscode.executeDefinitionProvider', () => order.push('shown'));
  await askWithProject('/w/a.ts', async () => order.push('asked'));
  expect(order).toEqual(['asked', 'shown', 'asked']);
});
