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

test('the extension is woken for a script, never for another file', async () => {
  install();
  expect(await typescript.checks('/w/a.md')).toBe(false);
  expect(await typescript.checks('/w/ts')).toBe(false);
  expect(activated).toBe(0);
  for (const name of ['a.ts', 'a.tsx', 'a.mts', 'a.d.ts', 'a.js', 'a.cjs', 'a.jsx'])
    expect(await typescript.checks(`/w/${name}`)).toBe(true);
});

test('a user who turned validation off is not told', async () => {
  install();
  editor.settings.set('javascript.validate.enable', false);
  expect(await typescript.checks('/w/a.js')).toBe(false);
  expect(await typescript.checks('/w/a.ts')).toBe(true);
});

test('without the extension it judges nothing', async () => {
  expect(await typescript.checks('/w/a.ts')).toBe(false);
});

const diagnostic = (category: string, code: number, line: number) => ({
  category,
  code,
  message: `Message ${code}`,
  startLocation: { line, offset: 3 },
  start: 1,
});

test('errors and warnings, with the text of their line', async () => {
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
])('a server that %s has said nothing', async (_what, answers) => {
  install(answers);
  await typescript.checks('/w/a.ts');
  expect(await typescript.problemsOf('/w/a.ts', '')).toBeUndefined();
});

test('files are shown by opening them for a question, and are closed again when that is over', async () => {
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

test('a project is loaded before the first question about imports, and known to be loaded at the next', async () => {
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

test('projects are loaded anew only where they were loaded', async () => {
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

test('a question that was answered while the project was loading is asked once more, others are not', async () => {
  install();
  const order: string[] = [];
  const loaded = Promise.withResolvers<void>();
  await typescript.checks('/w/a.ts');
  editor.commands.set(question, async () => {
    await loaded.promise;
    order.push('loaded');
    return {};
  });
  const ask = async (): Promise<number> => {
    order.push('asked');
    await new Promise(setImmediate);
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

test('a file of no project that is loaded is shown to the server before it is asked about again', async () => {
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
