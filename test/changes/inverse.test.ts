import { describe, expect, it } from 'vitest';
import type { ChangesProposal, FileChange } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import { applied, removeFolder, setUpEditor, treeFile, type EditorSetUp } from './editorSetUp.ts';
import { create, edit, judged, move, remove } from './queueSetUp.ts';

const text = 'one\ntwo\nthree\nfour\n';
const limits = { maximumFiles: 1, maximumBytes: 5 * 1024 * 1024 };

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof ToolError ? `${error.code}: ${error.message}` : String(error);
}

/** Each of these stands for work that the inverse would destroy. */
const conflicts: readonly (readonly [string, FileChange, (t: EditorSetUp) => void, string])[] = [
  ['an edited file is gone', edit('a', 'old\n', 'new\n'), (t) => t.edits.texts.delete('/w/a'), 'it no longer exists'],
  [
    'a custom editor holds unsaved changes of an edited file',
    edit('a', 'old\n', 'new\n'),
    (t) => t.shown.facts.set('a', { unsavedElsewhere: true }),
    'an editor holds unsaved changes of it',
  ],
  [
    'an edited file is read-only',
    edit('a', 'old\n', 'new\n'),
    (t) => t.shown.facts.set('a', { readonly: true }),
    'it is read-only',
  ],
  [
    'an edited file has another encoding, which has not all letters',
    edit('a', 'old\n', 'new\n'),
    (t) => (t.shown.canEncode = false),
    'its encoding has changed',
  ],
  [
    'a created file has unsaved text',
    create('n', 'x\n'),
    (t) => t.shown.facts.set('n', { unsaved: true }),
    'it was edited since it was created',
  ],
  [
    'a created file was edited',
    create('n', 'x\n'),
    (t) => t.edits.texts.set('/w/n', 'x\nmine\n'),
    'it was edited since it was created',
  ],
  [
    'another program has written a created file, and the editor does not show it yet',
    create('n', 'x\n'),
    (t) => t.shown.trees.set('n', { files: [treeFile('', 'of another program\n')] }),
    'it was edited since it was created',
  ],
  [
    'a created file cannot be found on the disk, and the editor does not show it yet',
    create('n', 'x\n'),
    (t) => t.shown.trees.set('n', { files: [] }),
    'it was edited since it was created',
  ],
  [
    'a custom editor holds unsaved changes of a created file',
    create('n', 'x\n'),
    (t) => t.shown.facts.set('n', { unsavedElsewhere: true }),
    'an editor holds unsaved changes of it',
  ],
  [
    'a deleted file has a successor',
    remove('a', 'old\n'),
    (t) => t.edits.texts.set('/w/a', 'mine\n'),
    'something else has its name now',
  ],
  ['a moved file is gone', move('a', 'b', 'old\n'), (t) => t.edits.texts.delete('/w/b'), 'it no longer exists'],
  [
    'a moved file has a successor where it was',
    move('a', 'b', 'old\n'),
    (t) => t.edits.texts.set('/w/a', 'mine\n'),
    'something else has its old name now',
  ],
  [
    'a custom editor holds unsaved changes of a moved file',
    move('a', 'b', 'old\n'),
    (t) => t.shown.trees.set('b', { unsavedElsewhere: ['b'] }),
    'an editor holds unsaved changes of it',
  ],
];

describe('F14 the inverse of a change', () => {
  it.each(conflicts)('refuses, naming the file, when %s', async (_name, change, happen, reason) => {
    const t = setUpEditor({ '/w/a': 'old\n' });
    const id = await applied(t, [change]);
    happen(t);
    const now = Object.fromEntries(t.edits.texts);
    const message = await refusal(t.queue.changes.inverse(id));
    expect(message).toMatch(/^stale_version: /);
    expect(message).toContain(`${change.path.path} (${reason})`);
    expect(Object.fromEntries(t.edits.texts)).toEqual(now);
  });

  it('refuses when an edited file became a link to another file', async () => {
    const t = setUpEditor({ '/w/a': 'old\n', '/w/b': 'new\n' });
    const id = await applied(t, [edit('a', 'old\n', 'new\n')]);
    t.shown.places.set('a', '/w/b');
    expect(await refusal(t.queue.changes.inverse(id))).toContain('leads to another place');
  });
});

describe('the inverse of a change that is partly taken back', () => {
  it.each([
    ['an edit', edit('a', text, text.replace('two', 'TWO')), (t: EditorSetUp) => t.edits.texts.set('/w/a', text)],
    ['a creation', create('n', 'x\n'), (t: EditorSetUp) => t.edits.texts.delete('/w/n')],
    [
      'a move',
      move('a', 'c', text),
      (t: EditorSetUp) => {
        t.edits.texts.delete('/w/c');
        t.edits.texts.set('/w/a', text);
      },
    ],
  ])('leaves out %s that is undone already', async (_name, change, takeBack) => {
    const t = setUpEditor({ '/w/a': text, '/w/b': 'old\n' });
    const id = await applied(t, [change, edit('b', 'old\n', 'new\n')]);
    takeBack(t);
    const { files, reverts } = await t.queue.changes.inverse(id);
    expect(files).toMatchObject([{ kind: 'edit', path: { path: 'b' }, result: { text: 'old\n' } }]);
    expect(files).toHaveLength(1);
    expect(reverts).toBe(id);
    t.edits.texts.set('/w/b', 'old\n');
    expect(await refusal(t.queue.changes.inverse(id))).toMatch(/^not_found: .*already/);
  });
});

describe('the exact inverse', () => {
  it('restores the text of an edit, and its encoding', async () => {
    const t = setUpEditor({ '/w/a': 'text\n' });
    const change = edit('a', 'text\n', 'text\n');
    const id = await applied(t, [{ ...change, result: { text: 'text\n', encoding: 'utf16le' } }]);
    t.shown.facts.set('a', { encoding: 'utf16le' });
    const { files } = await t.queue.changes.inverse(id);
    expect(files).toMatchObject([
      { base: { text: 'text\n', encoding: 'utf16le' }, result: { text: 'text\n', encoding: 'utf8' } },
    ]);
  });

  it('keeps unsaved work beside an edit, in the present encoding', async () => {
    const t = setUpEditor({ '/w/a': text });
    const id = await applied(t, [edit('a', text, text.replace('two', 'TWO'))]);
    const now = `${text.replace('two', 'TWO')}mine\n`;
    t.shown.facts.set('a', { text: now, encoding: 'utf16le', source: 'buffer', unsaved: true, unifiedLineEnds: 2 });
    expect((await t.queue.changes.inverse(id)).files).toEqual([
      {
        kind: 'edit',
        path: expect.objectContaining({ path: 'a' }),
        base: { text: now, encoding: 'utf16le', source: 'buffer', unsaved: true, unifiedLineEnds: 2 },
        result: { text: `${text}mine\n`, encoding: 'utf16le' },
      },
    ]);
  });

  it('deletes a created file alone, past the trash, and shows its text on the card', async () => {
    const t = setUpEditor({});
    const id = await applied(t, [create('n', 'x\n')]);
    const { files } = await t.queue.changes.inverse(id);
    expect(files).toMatchObject([
      {
        kind: 'delete',
        isFolder: false,
        toTrash: false,
        recovery: 'unknown',
        base: { text: 'x\n', encoding: 'utf8' },
        files: [treeFile('', 'x\n')],
      },
    ]);
    expect(t.shown.limits).toEqual([limits]);
  });

  it('compares the text of a created file when its bytes are unknown', async () => {
    const t = setUpEditor({});
    const carryOut = t.edits.apply.bind(t.edits);
    t.edits.apply = async (changes) => {
      const outcome = await carryOut(changes);
      if (outcome.status !== 'applied') return outcome;
      const files = outcome.files.map(({ written: { sha256: _sha256, ...written } = fail() }) => ({ written }));
      return { ...outcome, files };
    };
    const id = await applied(t, [create('n', 'x\n')]);
    t.edits.apply = carryOut;
    t.shown.trees.set('n', { files: [treeFile('', 'with a byte-order mark: x\n')] });
    expect((await t.queue.changes.inverse(id)).files).toMatchObject([{ kind: 'delete', path: { path: 'n' } }]);
    t.edits.texts.set('/w/n', 'mine\n');
    expect(await refusal(t.queue.changes.inverse(id))).toContain('n (it was edited since it was created)');
    t.edits.texts.set('/w/n', 'x\n');
    expect(await t.queue.undo(id)).toMatchObject({ status: 'changed_since' });
    t.shown.trees.delete('n');
    expect(await t.queue.undo(id)).toEqual({ status: 'undone' });
  });

  it('moves a folder back with its present files, as facts without bytes', async () => {
    const t = setUpEditor({ '/w/f/x': 'old\n' });
    const { bytes: _bytes, ...file } = treeFile('x', 'old\n');
    const id = await applied(t, [{ ...move('f', 'g', ''), isFolder: true, files: [file] }]);
    t.edits.texts.set('/w/g/y', 'mine\n');
    const { bytes: _mine, ...mine } = treeFile('y', 'mine\n');
    const { files } = await t.queue.changes.inverse(id);
    expect(files).toMatchObject([{ kind: 'move', path: { path: 'g' }, to: { path: 'f' }, isFolder: true }]);
    expect(files[0]).toHaveProperty('files', [file, mine]);
    expect(t.shown.limits).toEqual([{ maximumFiles: 1000, maximumBytes: 20 * 1024 * 1024 }]);
  });

  it.each([true, false])('is indivisible as the change was: %s', async (indivisible) => {
    const t = setUpEditor({ '/w/a': 'old\n' });
    const files = [edit('a', 'old\n', 'new\n')];
    const proposal: ChangesProposal = { kind: 'changes', files, ...(indivisible && { indivisible: true as const }) };
    const { approvalId } = await t.queue.request(t.request({ proposal, judgement: judged({ effect: 'allow' }) }));
    expect((await t.queue.changes.inverse(approvalId)).indivisible ?? false).toBe(indivisible);
  });
});

it('finding 18: proposes the files of a deleted folder of texts again, each with its bytes', async () => {
  const files = { x: 'old\n', 'deep/y.md': '\uFEFFlines\r\n' };
  const t = setUpEditor({ '/w/f/x': files.x, '/w/f/deep/y.md': files['deep/y.md'] });
  const id = await applied(t, [removeFolder('f', files)]);
  const { files: proposed, reverts } = await t.queue.changes.inverse(id);
  expect(reverts).toBe(id);
  expect(proposed).toHaveLength(2);
  expect(proposed).toEqual(
    expect.arrayContaining(
      Object.entries(files).map(([name, content]) =>
        expect.objectContaining({
          kind: 'create',
          path: expect.objectContaining({ path: `f/${name}` }),
          result: { text: content, encoding: 'utf8' },
        }),
      ),
    ),
  );
});

it('names the files that only the user can bring back, and says how', async () => {
  const t = setUpEditor({ '/w/f/x': 'old\0', '/w/g/x': 'old\0', '/w/a': 'old\n' });
  const folders = [removeFolder('f', { x: 'old\0' }), removeFolder('g', { x: 'old\0' })];
  const id = await applied(t, folders);
  expect(await refusal(t.queue.changes.inverse(id))).toMatch(/^unavailable: f, g: /);
  const mixed = setUpEditor({ '/w/f/x': 'old\0', '/w/a': 'old\n' });
  const mixedId = await applied(mixed, [removeFolder('f', { x: 'old\0' }), edit('a', 'old\n', 'new\n')]);
  mixed.edits.texts.set('/w/a', 'mine\n');
  const message = await refusal(mixed.queue.changes.inverse(mixedId));
  expect(message).toMatch(/^stale_version: /);
  expect(message).toContain('a (the same lines were edited since)');
});

it('zed#33234 does not count the change as undone when the inverse cannot undo everything', async () => {
  const t = setUpEditor({ '/w/a': text, '/w/b': 'old\n' });
  const id = await applied(t, [edit('a', text, text.replace('two', 'TWO')), edit('b', 'old\n', 'new\n')]);
  t.edits.texts.set('/w/a', `${text.replace('two', 'TWO')}mine\n`);
  t.edits.texts.set('/w/b', 'mine\n');
  expect(await t.queue.changes.revert([id])).toMatchObject({
    asked: [id],
    conflicts: [{ id, fileIndex: 1, path: 'b' }],
  });
  expect(t.waiting()).toHaveLength(1);
  expect(t.waiting()[0]?.reverts).toBeUndefined();
});

function fail(): never {
  throw new Error('A creation is written');
}
