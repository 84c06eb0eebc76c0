import { describe, expect, it } from 'vitest';
import { resources } from '#tools/resources/index.ts';
import { changeOf } from '../../fakes/appliedChange.ts';
import { FakeChanges } from '../../fakes/changes.ts';
import { problemAt } from '../../fakes/problemAt.ts';
import { RequestRun } from '../../fakes/requestRun.ts';
import { characters } from '../../fakes/secrets.ts';

describe('the resources', () => {
  it('have unique names, and each accepts only its own address', () => {
    const names = resources.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const resource of resources) {
      const { address } = resource;
      if ('uri' in address) expect(resources.find((each) => each.match(address.uri) !== undefined)).toBe(resource);
    }
  });

  it.each(resources.map((resource) => [resource.name, resource] as const))(
    'keep the definition of %s that the snapshot holds',
    (_, resource) => {
      const { address, name, title, description, mimeType, judgedAs } = resource;
      expect({ address, name, title, description, mimeType, judgedAs }).toMatchSnapshot();
    },
  );
});

describe('drawbridge://workspace', () => {
  it('returns what get_workspace returns, also without a folder', async () => {
    const run = new RequestRun({ '/w/a': '' });
    expect(await run.text('drawbridge://workspace')).toMatch(
      /^w in Fake Editor 1\.0\.0.*\nfolder \. \(w\): file:\/\/\/w\n/s,
    );
    run.workspace.setFolders([]);
    run.workspace.trusted = false;
    expect(await run.text('drawbridge://workspace')).toContain('Ask the user to open a folder');
  });
});

describe('drawbridge://diagnostics', () => {
  it('lists the diagnostics by file, errors first', async () => {
    const run = new RequestRun({});
    run.publish({
      '/w/a.ts': [problemAt(3, 'hint', 'Unused.')],
      '/w/b.ts': [
        problemAt(1, 'warning', 'Odd.'),
        { ...problemAt(2, 'error', 'Not assignable:\n  because.'), source: 'ts', code: '2322' },
      ],
    });
    expect(await run.text('drawbridge://diagnostics')).toBe(
      [
        '3 problems: 1 error, 1 warning in 2 checked files',
        '3 problems in 2 files: 1 error, 1 warning, 1 hint',
        'b.ts',
        '  2:1 error Not assignable:',
        '      because. (ts 2322)',
        '  1:1 warning Odd.',
        'a.ts',
        '  3:1 hint Unused.',
      ].join('\n'),
    );
  });

  it('lists the 500 most severe of very many diagnostics, and counts the rest', async () => {
    const run = new RequestRun({});
    const many = Array.from({ length: 700 }, (_, at) => problemAt(at + 1, 'warning'));
    run.publish({ '/w/a.ts': many, '/w/b.ts': [problemAt(1, 'error', 'Last, but worst.')] });
    const lines = (await run.text('drawbridge://diagnostics')).split('\n');
    expect(lines.slice(1, 5)).toEqual([
      '701 problems in 2 files: 1 error, 700 warnings',
      'b.ts',
      '  1:1 error Last, but worst.',
      'a.ts',
    ]);
    expect(lines.filter((line) => line.startsWith('  '))).toHaveLength(500);
    expect(lines.at(-1)).toBe('(201 more problems, none of them worse than these)');
  });

  it('says that there are no diagnostics', async () => {
    const run = new RequestRun({ '/w/a.ts': 'x' });
    expect(await run.text('drawbridge://diagnostics')).toBe('0 problems: 0 errors, 0 warnings in 1 checked file');
  });

  it('says that no file was checked, instead of that there are no problems', async () => {
    expect(await new RequestRun({}).text('drawbridge://diagnostics')).toBe('No file was checked');
  });

  it('tells the problems that get_diagnostics finds in a file that no tab shows', async () => {
    const run = new RequestRun({ '/w/closed.ts': 'x' });
    run.diagnostics.answers.set('closed.ts', { freshness: 'fresh', diagnostics: [problemAt(1, 'error', 'Wrong.')] });
    expect(await run.text('drawbridge://diagnostics')).toContain('closed.ts\n  1:1 error Wrong.');
  });

  it('A8: returns nothing of a secret file, nor a secret that a message quotes, even when the message is cut', async () => {
    const run = new RequestRun({});
    const secret = `ghp_${characters(36)}`;
    run.publish({
      '/w/.env': [problemAt(1, 'error', 'KEY=1')],
      '/w/a.ts': [problemAt(1, 'error', `${'x '.repeat(990)}${secret}`)],
    });
    const text = await run.text('drawbridge://diagnostics');
    expect(text).toContain('1 problem in 1 file: 1 error\na.ts\n');
    expect(text).not.toContain('ghp_');
    expect(text).not.toContain('KEY=1');
  });
});

describe('drawbridge://selection', () => {
  it('returns the file, the range and the selected text, as the editor holds them', async () => {
    const run = new RequestRun({ '/w/a.ts': 'old' });
    run.files.buffers.set('/w/a.ts', 'one\r\ntwo three\r\nfour\r\n');
    run.select('/w/a.ts', { firstLine: 2, firstColumn: 5, lastLine: 3, lastColumn: 3 });
    expect(await run.text('drawbridge://selection')).toBe('a.ts: selected from 2:5 to 3:3:\nthree\nfo');
    run.select('/w/a.ts', { firstLine: 3, firstColumn: 1, lastLine: 4, lastColumn: 9 });
    expect(await run.text('drawbridge://selection')).toBe('a.ts: selected from 3:1 to 4:9:\nfour\n');
  });

  it('returns the line of the cursor when nothing is selected', async () => {
    const run = new RequestRun({ '/w/a.ts': 'one\ntwo three\n' });
    run.select('/w/a.ts', { firstLine: 2, firstColumn: 4, lastLine: 2, lastColumn: 4 });
    expect(await run.text('drawbridge://selection')).toBe(
      'a.ts: nothing is selected, the cursor is at 2:4, in this line:\ntwo three',
    );
  });

  it('says so when no file is active', async () => {
    expect(await new RequestRun({}).text('drawbridge://selection')).toMatch(/^No file of the workspace/);
  });

  it('cuts a long selection, and says so', async () => {
    const run = new RequestRun({ '/w/a': 'x'.repeat(500) });
    run.readBytes = 100;
    run.select('/w/a', { firstLine: 1, firstColumn: 1, lastLine: 1, lastColumn: 501 });
    expect(await run.text('drawbridge://selection')).toMatch(/:\nx{100}\n\(cut here; read_file/);
  });

  it('A8: returns nothing of a secret file, by its own path or through a link', async () => {
    const run = new RequestRun({ '/w/.env': 'KEY=1', '/w/notes': { link: '/w/.env' } });
    const range = { firstLine: 1, firstColumn: 1, lastLine: 1, lastColumn: 6 };
    run.select('/w/.env', range);
    expect(await run.text('drawbridge://selection')).toMatch(/^No file of the workspace/);
    run.select('/w/notes', range);
    expect(await run.text('drawbridge://selection')).toBe('denied');
  });

  it('A8: returns no part of a secret that only the whole file reveals as such', async () => {
    const secret = `ghp_${characters(36)}`;
    const run = new RequestRun({ '/w/a.ts': `const t = "${secret}";\n` });
    run.select('/w/a.ts', { firstLine: 1, firstColumn: 20, lastLine: 1, lastColumn: 40 });
    const text = await run.text('drawbridge://selection');
    expect(text).not.toContain(secret.slice(12, 24));
    expect(text).toContain('[redacted:');
  });
});

describe('drawbridge://changes', () => {
  it('returns what list_changes returns, and counts the older changes', async () => {
    const run = new RequestRun({ '/w/a.ts': '' });
    run.changes = new FakeChanges(...Array.from({ length: 203 }, (_, at) => ({ change: changeOf(`c${at}`, 'a.ts') })));
    const text = await run.text('drawbridge://changes');
    expect(text).toMatch(/^200 of 203 changes\nc0 /);
    expect(text).toContain('edit a.ts +1 -1');
    expect(text.endsWith('\n(and 3 older changes; list_changes has pages)')).toBe(true);
  });

  it('A8: returns nothing of a change to a secret file', async () => {
    const run = new RequestRun({ '/w/.env': '' });
    run.changes = new FakeChanges({ change: changeOf('c0', '.env') });
    expect(await run.text('drawbridge://changes')).toBe('0 changes');
  });
});
