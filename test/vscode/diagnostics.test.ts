import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createDiagnostics } from '../../src/vscode/diagnostics.ts';
import { DiagnosticSeverity, host, Position, Uri } from '../fakes/languages.ts';
import { FakeWorkspace } from '../fakes/workspace.ts';

vi.mock('vscode', () => import('../fakes/languages.ts'));

beforeEach(() => host.reset());

const range = (line: number, from: number, to: number) => ({
  start: new Position(line, from),
  end: new Position(line, to),
});

test('lists the files of the workspace that have problems, in path order, with 1-based places', () => {
  const diagnostics = createDiagnostics(new FakeWorkspace());
  onTestFinished(() => diagnostics.dispose());
  let told = 0;
  diagnostics.onDidChange(() => (told += 1));
  const { Error: error, Hint: hint } = DiagnosticSeverity;
  host.publish(
    '/w/b.ts',
    { severity: hint, message: 'later', range: range(7, 0, 3), code: { value: 6133, target: Uri.file('/x') } },
    { severity: error, message: 'sooner', range: range(1, 4, 9), source: 'ts', code: 'E1' },
  );
  host.publish('/w/a.ts', { severity: error, message: 'first', range: range(0, 0, 1) });
  host.publish('/w/clean.ts');
  host.publish('/elsewhere/c.ts', { severity: error, message: 'not ours', range: range(0, 0, 1) });
  expect(diagnostics.list()).toMatchObject([
    {
      path: 'a.ts',
      diagnostics: [{ severity: 'error', message: 'first', firstLine: 1, firstColumn: 1, lastColumn: 2 }],
    },
    {
      path: 'b.ts',
      diagnostics: [
        {
          severity: 'error',
          message: 'sooner',
          source: 'ts',
          code: 'E1',
          firstLine: 2,
          firstColumn: 5,
          lastColumn: 10,
        },
        { severity: 'hint', message: 'later', code: '6133', firstLine: 8 },
      ],
    },
  ]);
  expect(told).toBe(4);
  host.diagnosticsChanged.fire({ uris: [{ ...Uri.file('/w/a.ts'), scheme: 'vscode-notebook-cell' }] });
  expect(told).toBe(4);
});
