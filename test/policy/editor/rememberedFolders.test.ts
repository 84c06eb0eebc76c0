import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RememberedFolders } from '#policy/editor/rememberedFolders.ts';
import { temporaryState } from '../../home/temporaryState.ts';

function setUp() {
  const { home } = temporaryState();
  const errors: unknown[] = [];
  const open = (): RememberedFolders => {
    const folders = new RememberedFolders({ home, onError: (error) => errors.push(error) });
    onTestFinished(() => folders.dispose());
    return folders;
  };
  const other = join(home, 'other');
  mkdirSync(other, { recursive: true });
  const path = join(home, 'folders.json');
  const written = (): unknown => JSON.parse(readFileSync(path, 'utf8'));
  return { errors, open, other, path, written };
}

const window = ['/w', '/x'];

describe('the answers for folders', () => {
  it('are the same in every window and after a restart, for the same folders of a window only', async () => {
    const { open, other } = setUp();
    const [here, there] = [open(), open()];
    expect(here.answerFor(other, window)).toBeUndefined();
    await here.remember(other, window, 'always');
    expect(there.answerFor(other, window)).toBe('always');
    expect(open().answerFor(other, window)).toBe('always');
    expect(here.answerFor(other, ['/w'])).toBeUndefined();
    expect(here.answerFor(`${other}2`, window)).toBeUndefined();
  });

  it('replace an earlier answer', async () => {
    const { open, other, written } = setUp();
    const folders = open();
    await folders.remember(other, window, 'always');
    await folders.remember(other, window, 'never');
    expect(folders.answerFor(other, window)).toBe('never');
    expect(written()).toMatchObject({ version: 1, answers: [{ folder: other, window, answer: 'never' }] });
  });

  it('are gone once the user removes them from the file', async () => {
    const { open, other, path } = setUp();
    const folders = open();
    await folders.remember(other, window, 'always');
    expect(folders.answerFor(other, window)).toBe('always');
    writeFileSync(path, '{"version":1,"answers":[]}');
    expect(folders.answerFor(other, window)).toBeUndefined();
  });

  it('do not count for another folder at the same path, such as a new clone', async () => {
    const { open, other } = setUp();
    const folders = open();
    await folders.remember(other, window, 'always');
    expect(folders.answerFor(other, window)).toBe('always');
    rmSync(other, { recursive: true });
    expect(folders.answerFor(other, window)).toBeUndefined();
    // Files in between get the number that the folder had.
    for (let index = 0; index < 20; index += 1) writeFileSync(join(other, '..', `between${index}`), '');
    mkdirSync(other);
    expect(folders.answerFor(other, window)).toBeUndefined();
  });

  it('do not count while the file cannot be used, which stays as the user wrote it', async () => {
    const { errors, open, other, path } = setUp();
    const folders = open();
    await folders.remember(other, window, 'always');
    expect(folders.answerFor(other, window)).toBe('always');
    writeFileSync(path, '{"version":1,');
    expect(folders.answerFor(other, window)).toBeUndefined();
    await folders.remember(other, window, 'never');
    expect(errors.map(String).join()).toContain('folders.json cannot be used');
    expect(readFileSync(path, 'utf8')).toBe('{"version":1,');
  });
});
