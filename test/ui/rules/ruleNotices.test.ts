import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { RuleNotices, tellModeEnd } from '#ui/rules/ruleNotices.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';
import { nextTurn, openWindowPolicy } from './windowPolicy.ts';

beforeEach(() => resetEditor());

function open(prepare: (setUp: ReturnType<typeof openWindowPolicy>) => void = () => undefined) {
  const setUp = openWindowPolicy();
  prepare(setUp);
  const policy = setUp.open();
  const opened: string[] = [];
  const notices = new RuleNotices({
    policy,
    openRulesFile: () => void opened.push('rules'),
    openFile: (path) => void opened.push(path),
    showRules: () => void opened.push('view'),
  });
  onTestFinished(() => notices.dispose());
  return { ...setUp, policy, opened };
}

const messages = (): string[] => editor.shown.map(({ kind, message }) => `${kind}: ${message}`);

test('reports a broken rules file once, with a button that opens it', async () => {
  const { destroy, policy, opened } = open();
  expect(editor.shown).toEqual([]);
  editor.answers.push('Open Rules File');
  destroy('rules');
  await nextTurn();
  policy.rules();
  policy.windowMode.set('readOnly');
  await nextTurn();
  expect(messages()).toEqual([
    expect.stringMatching(/^error: .*every change needs your approval: .*rules\.json cannot be used/),
  ]);
  expect(opened).toEqual(['rules']);
});

test('reports stricter rules of a repository, and what it tried to allow, once per content', async () => {
  editor.answers.push('Show');
  const { write, policy, opened } = open(({ write: first }) =>
    first('repository', [{ effect: 'deny', class: 'delete' }]),
  );
  await nextTurn();
  expect(messages()).toEqual(['information: “shop” has its own stricter rules for assistants.']);
  expect(opened).toEqual(['view']);
  write('repository', [{ effect: 'allow', class: 'edit' }]);
  await nextTurn();
  policy.rules();
  write('repository', [{ effect: 'deny', class: 'delete' }]);
  await nextTurn();
  policy.rules();
  expect(messages().slice(1)).toEqual([
    'information: A repository cannot allow anything, so the allow rules of “shop” are ignored.',
  ]);
});

test('reports nothing for a repository without rules', () => {
  open(({ write }) => write('repository', []));
  expect(editor.shown).toEqual([]);
});

test('reports a broken policy of a repository or of the machine', () => {
  open(({ destroy }) => {
    destroy('repository');
    destroy('managed');
  });
  expect(messages()).toEqual([
    expect.stringMatching(/^error: Assistants can only read/),
    expect.stringMatching(/^warning: The rules of “shop” cannot be used/),
  ]);
});

test('reports the end of a mode', () => {
  tellModeEnd('acceptEdits', 'time');
  expect(messages()).toEqual(['information: Accept edits has ended after 4 hours. Changes need your approval again.']);
});
