import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { Diagnostic, DiagnosticSeverity, Range, Uri } from 'vscode';
import { createDiagnostics } from '#language/editor/diagnostics.ts';
import { events, resetEditor } from '../../fakes/editor/editor.ts';
import { publish } from '../../fakes/editor/services.ts';
import { FakeWorkspace } from '../../fakes/workspace.ts';

beforeEach(() => resetEditor());

const found = (
  severity: DiagnosticSeverity,
  message: string,
  range: Range,
  more: Partial<Diagnostic> = {},
): Diagnostic => Object.assign(new Diagnostic(range, message, severity), more);

test('lists the files of the workspace that have problems, in path order, with 1-based places', () => {
  const diagnostics = createDiagnostics(new FakeWorkspace());
  onTestFinished(() => diagnostics.dispose());
  let told = 0;
  diagnostics.onDidChange(() => (told += 1));
  const { Error: error, Hint: hint } = DiagnosticSeverity;
  publish(
    '/w/b.ts',
    found(hint, 'later', new Range(7, 0, 7, 3), { code: { value: 6133, target: Uri.file('/x') } }),
    found(error, 'sooner', new Range(1, 4, 1, 9), { source: 'ts', code: 'E1' }),
  );
  publish('/w/a.ts', found(error, 'first', new Range(0, 0, 0, 1)));
  publish('/w/clean.ts');
  publish('/elsewhere/c.ts', found(error, 'not ours', new Range(0, 0, 0, 1)));
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
  events.diagnosticsChanged.fire({ uris: [Uri.file('/w/a.ts').with({ scheme: 'vscode-notebook-cell' })] });
  expect(told).toBe(4);
});
