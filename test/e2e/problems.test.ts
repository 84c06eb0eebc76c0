import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { clickButton, decide, openApprovals, readToEnd } from './approvalsPage.ts';
import { type Assistant, connectAssistant, type Edit, type Outcome } from './assistant.ts';
import { hostPatience } from '../host/until.ts';
import { type Drawbridge } from './harness.ts';
import { sharedDrawbridge } from './shared.ts';

let drawbridge: Drawbridge;
let assistant: Assistant;
let page: Frame;
let folder: string;

const gone = 'export const gone: number = 1;\n';

beforeAll(async () => {
  drawbridge = await sharedDrawbridge({
    'tsconfig.json': '{"compilerOptions":{"strict":true,"module":"nodenext","target":"es2022"}}',
    'closed.ts': 'export const closed: number = 1;\n',
    'open.ts': 'export const open: number = 1;\n',
    'value.ts': 'export const value: number = 1;\n',
    'user.ts': "import { value } from './value.js';\n\nexport const user: number = value;\n",
    'mixed.ts': 'export const mixed: number = 1;\r\n// a line end of another kind\n',
    'data.json': '{ "a": 1 }\n',
    'gone.ts': gone,
    'needs.ts': "import { gone } from './gone.js';\n\nexport const needs: number = gone;\n",
    'note.txt': 'text\n',
  });
  folder = drawbridge.folder ?? '';
  assistant = await connectAssistant(await drawbridge.record());
  page = await openApprovals(drawbridge.window);
  // The language service needs longer for its first answer than a change waits for it. While the project loads, a server that
  // knows no project answers about definitions, but not about problems.
  const knowsProblems = (): Promise<boolean> =>
    drawbridge.window.evaluate(
      async (vscode, path) => {
        const start = new vscode.Position(0, 0);
        await vscode.commands.executeCommand('vscode.executeDefinitionProvider', vscode.Uri.file(path), start);
        const request = { file: path, includeLinePosition: true };
        return vscode.commands
          .executeCommand('typescript.tsserverRequest', 'semanticDiagnosticsSync', request)
          .then(Boolean, () => false);
      },
      join(folder, 'user.ts'),
    );
  await vi.waitUntil(knowsProblems, { timeout: hostPatience });
});

async function approved(...edits: readonly Edit[]): Promise<Outcome> {
  const proposed = assistant.propose(edits);
  await Promise.race([
    page
      .getByRole('button', { name: /^Approve/ })
      .first()
      .waitFor(),
    proposed,
  ]);
  await decide(page, /^Approve/);
  const outcome = await proposed;
  expect(outcome.status).toBe('applied');
  return outcome;
}

const edit = (path: string, oldText: string, newText: string): Edit => ({ path, oldText, newText });

/** Names of files that the editor holds, in a tab or not. */
const documents = (): Promise<string[]> =>
  drawbridge.window.evaluate((vscode) =>
    vscode.workspace.textDocuments
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri }) => uri.path.slice(uri.path.lastIndexOf('/') + 1)),
  );

const open = (name: string): Promise<void> =>
  drawbridge.window.evaluate(
    async (vscode, path) => {
      await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false, preserveFocus: true });
    },
    join(folder, name),
  );

const wrongType = "Type 'string' is not assignable to type 'number'.";
const newProblem = (path: string, line: number) => ({
  new: [{ path, line, severity: 'error', message: wrongType, code: 'ts(2322)' }],
  newCount: 1,
  fixedCount: 0,
  unchangedCount: 0,
  freshness: 'fresh',
});
const fixed = { new: [], newCount: 0, fixedCount: 1, unchangedCount: 0, freshness: 'fresh' };

it('B9: names the file that imports a deleted one before the decision, and its new problem afterwards', async () => {
  // The language service may not have looked at the importer yet when the delete is approved at once.
  await vi.waitFor(
    async () => {
      writeFileSync(join(folder, 'gone.ts'), gone);
      const deleted = assistant.change('delete_file', { path: 'gone.ts' });
      await page.getByText('1 file imports it: needs.ts').waitFor();
      await readToEnd(page, /^Approve delete of gone\.ts/);
      await decide(page, /^Approve delete of gone\.ts/);
      const { status, problems } = await deleted;
      expect(status).toBe('applied');
      expect(problems).toMatchObject({ new: [{ path: 'needs.ts', line: 1, code: 'ts(2307)' }], newCount: 1 });
    },
    { timeout: hostPatience },
  );
  await page.getByText('1 new problem, 0 fixed').first().waitFor();
});

it('warns of a syntax error in the proposed text before it is applied', async () => {
  const proposed = assistant.propose([edit('value.ts', 'number = 1', 'number = (1')]);
  await page.getByText('The proposed text has a syntax error in line 1.').waitFor();
  await clickButton(page, /^Decline… edit of value\.ts/);
  await decide(page, /^Decline edit of value\.ts/);
  expect((await proposed).status).toBe('declined');
});

describe('the problems after a change of a closed file', () => {
  it('appear and disappear, and the editor holds no document of the file afterwards', async () => {
    await approved(edit('closed.ts', '= 1', '= 2'));
    expect((await approved(edit('closed.ts', '2', "'2'")))['problems']).toEqual(newProblem('closed.ts', 1));
    expect((await approved(edit('closed.ts', "'2'", '3')))['problems']).toEqual(fixed);
    expect(await documents()).not.toContain('closed.ts');
  });

  it('include another file of the same change, and do not report older problems as new', async () => {
    const breaking = [edit('value.ts', 'number = 1', "string = '1'"), edit('user.ts', '\n\n', '\n\n\n')];
    expect((await approved(...breaking))['problems']).toEqual(newProblem('user.ts', 4));
    const later = [edit('value.ts', "'1'", "'2'"), edit('user.ts', '\n\n\n', '\n')];
    expect((await approved(...later))['problems']).toEqual({ ...fixed, fixedCount: 0, unchangedCount: 1 });
    const mending = [edit('value.ts', "string = '2'", 'number = 2'), edit('user.ts', 'user:', 'user :')];
    expect((await approved(...mending))['problems']).toEqual(fixed);
  });

  it('include those of a file that imports the edited one', async () => {
    // The language service may still look at the importers when a change is approved at once, so that they are left out.
    await vi.waitFor(
      async () => {
        const { problems } = await approved(edit('value.ts', 'number = 2', "string = '2'"));
        await approved(edit('value.ts', "string = '2'", 'number = 2'));
        expect(problems).toMatchObject({ new: [{ path: 'user.ts', code: 'ts(2322)' }], newCount: 1 });
      },
      { timeout: hostPatience },
    );
  });

  it('are not reported as fresh in a file with mixed line endings, which keeps its endings', async () => {
    const { problems } = await approved(edit('mixed.ts', '= 1', '= 2'));
    expect(problems).toMatchObject({ newCount: 0, freshness: 'settling' });
    expect(readFileSync(join(folder, 'mixed.ts'), 'utf8')).toBe(
      'export const mixed: number = 2;\r\n// a line end of another kind\n',
    );
  });
});

describe('the problems after a change of an open file', () => {
  it('appear and disappear', async () => {
    await open('open.ts');
    expect((await approved(edit('open.ts', '= 1', "= '1'")))['problems']).toEqual(newProblem('open.ts', 1));
    expect((await approved(edit('open.ts', "= '1'", '= 1')))['problems']).toEqual(fixed);
  });

  it('are returned, but not as fresh, when the language publishes them at any time', async () => {
    await open('data.json');
    const { problems } = await approved(edit('data.json', '1', ''));
    expect(problems).toMatchObject({
      new: [{ path: 'data.json', line: 1, severity: 'error', message: 'Value expected' }],
      newCount: 1,
      freshness: 'settling',
    });
  });
});

it('are not reported for a file without a language service', async () => {
  expect(await approved(edit('note.txt', 'text', 'words'))).not.toHaveProperty('problems');
});

it('open no tab', async () => {
  const tabs = await drawbridge.window.evaluate((vscode) =>
    vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label)),
  );
  expect(tabs).toEqual(['open.ts', 'data.json']);
});
