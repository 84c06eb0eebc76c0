import { beforeEach, expect, test } from 'vitest';
import type { AuditEvent } from '#audit/auditLog.ts';
import { unknownToolNotice } from '#ui/unknownTools.ts';
import { editor, resetEditor } from '../fakes/editor/editor.ts';

beforeEach(() => {
  resetEditor();
});

test('tells the user once of an unknown tool, and records it', () => {
  const events: AuditEvent[] = [];
  const tell = unknownToolNotice({ event: (event) => void events.push(event) });
  const report = { event: 'unknown', assistant: 'Claude Code', tool: 'MultiEdit\u202e' } as const;
  tell(report);
  tell(report);
  tell({ ...report, tool: 'Rewrite' });
  expect(editor.shown.map(({ message }) => message)).toEqual([
    expect.stringContaining('Claude Code used its tool "MultiEdit<U+202E>", which Drawbridge does not know.'),
    expect.stringContaining('"Rewrite"'),
  ]);
  expect(events.map(({ event, tool }) => [event, tool])).toEqual([
    ['tool.unknown', report.tool],
    ['tool.unknown', 'Rewrite'],
  ]);
});

test('tells the user of a few tools at most', () => {
  const tell = unknownToolNotice({ event: () => undefined });
  for (let index = 0; index < 50; index += 1) tell({ event: 'unknown', assistant: 'A', tool: `edit${index}` });
  expect(editor.shown).toHaveLength(20);
});
