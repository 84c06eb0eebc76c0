import { expect, test } from 'vitest';
import type { RecoveryNotice } from '#changes/restoring.ts';
import { showRecovered } from '#ui/recoveryNotice.ts';
import { userAnswers } from '../fakes/editor/editor.ts';

const of = (...paths: readonly string[]): RecoveryNotice => ({
  id: 'a-1',
  interrupted: 'apply',
  files: paths.map((path) => ({ path, state: 'unknown' })),
});
const notKnown =
  'The window closed while an action that you approved was running. Drawbridge does not know whether it finished.';

test.each([
  [[of('a.ts')], 'The window closed while a.ts was being changed. Check what the file contains now.'],
  [[of('a.ts', 'b.ts')], expect.stringContaining('2 files were being changed, a.ts among them')],
  // A command, or a tool of another extension.
  [[of()], notKnown],
  [[of(), of('a.ts')], expect.stringMatching(/^The window closed while a\.ts .* does not know whether it finished\.$/)],
])(
  'reports once the changes and actions that a crash interrupted, and leads to the card: %j',
  async (notices, text) => {
    const { shown } = userAnswers('Review');
    const reviewed: string[] = [];
    await showRecovered(notices, (id) => void reviewed.push(id));
    expect(shown).toEqual([{ kind: 'warning', message: text, choices: ['Review'] }]);
    expect(reviewed).toEqual(['a-1']);
  },
);

test('shows no notice when no change was interrupted', async () => {
  const { shown } = userAnswers();
  await showRecovered([], () => undefined);
  expect(shown).toEqual([]);
});
