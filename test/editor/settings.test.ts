import { beforeEach, expect, test } from 'vitest';
import { watchSettings } from '#editor/settings.ts';
import { editor, resetEditor } from '../fakes/editor/editor.ts';

beforeEach(resetEditor);

test.each([
  [undefined, 'full'],
  ['brief', 'brief'],
  ['off', 'off'],
  [true, 'brief'],
  [false, 'off'],
  ['loud', 'full'],
])('reads %s of drawbridge.approvals.notify as %s, so that values of earlier versions still work', (value, notify) => {
  if (value !== undefined) editor.settings.set('drawbridge.approvals.notify', value);
  const settings = watchSettings();
  expect(settings.current().notify).toBe(notify);
  settings.dispose();
});
