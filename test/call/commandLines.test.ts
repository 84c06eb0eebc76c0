import { afterAll, describe, expect, it } from 'vitest';
import type { Shell } from '#base/nativeCommand.ts';
import { understandCommand } from '#call/commandLines.ts';
import { FakeFiles } from '../fakes/files.ts';
import { FakeWorkspace } from '../fakes/workspace.ts';
import { createTestParser } from '../syntax/testParser.ts';

const parser = createTestParser();
afterAll(() => parser.dispose());

const files = new FakeFiles({
  '/w/a.ts': 'one\n',
  '/w/build/x.js': 'x\n',
  '/w/clean.sh': 'rm -rf build\n',
  '/w/.env': 'KEY=1\n',
  '/w/.git/config': '[core]\n',
  '/w/package.json': JSON.stringify({ scripts: { clean: 'rm -rf build', test: 'vitest run' } }),
  '/out/x.txt': 'x\n',
  '/out/in': { link: '/w/a.ts' },
});

function understand(text: string, shell: Shell = 'bash', folder = '/w') {
  const dependencies = {
    parse: (language: 'bash' | 'powershell', script: string) => parser.parse(language, script),
    workspace: new FakeWorkspace(),
    files,
    pathRules: { home: '/home/u', privateFolders: [] },
  };
  return understandCommand({ shell, text, folder }, dependencies, new AbortController().signal);
}

describe('understandCommand', () => {
  it('tells a command that only reads, with the words of each part', async () => {
    expect(await understand('cat a.ts && wc -l a.ts')).toMatchObject({
      class: 'reads',
      parts: [
        { text: 'cat a.ts', class: 'reads', words: ['cat', 'a.ts'] },
        { text: 'wc -l a.ts', class: 'reads', words: ['wc', '-l', 'a.ts'] },
      ],
      places: [],
      writesElsewhere: false,
    });
  });

  it('names the files in the workspace that a command writes, and those elsewhere', async () => {
    const found = await understand('rm a.ts && echo x > /out/x.txt');
    expect(found).toMatchObject({ class: 'writes', outside: ['/out/x.txt'], closed: [], writesElsewhere: false });
    expect(found.places.map(({ path }) => path)).toEqual(['a.ts']);
  });

  it('resolves relative names against the folder that the command is in then', async () => {
    const found = await understand('cd build && rm x.js');
    expect(found.places.map(({ path }) => path)).toEqual(['build/x.js']);
    const elsewhere = await understand('rm x.js', 'bash', '/w/build');
    expect(elsewhere.places.map(({ path }) => path)).toEqual(['build/x.js']);
  });

  it('says that a command may write to files that it does not name', async () => {
    expect(await understand('rm *.ts')).toMatchObject({ class: 'writes', writesElsewhere: true });
    expect(await understand('git checkout .')).toMatchObject({ class: 'writes', writesElsewhere: true });
  });

  it('takes a file in .git, and one that a link from outside leads to, for one that no tool may change', async () => {
    expect(await understand('rm .git/config')).toMatchObject({ closed: ['.git/config'], places: [], outside: [] });
    expect(await understand('rm /out/in')).toMatchObject({ closed: ['/out/in'], places: [], outside: [] });
  });

  it('looks through a script of package.json, and shows its text', async () => {
    const found = await understand('npm run clean');
    expect(found).toMatchObject({ class: 'writes', runs: ['/w/package.json'] });
    expect(found.scripts).toContainEqual({ name: 'npm run clean', text: 'rm -rf build' });
    expect(await understand('npm test')).toMatchObject({ class: 'runs', runs: ['/w/package.json'] });
  });

  it('shows the text of a script file that a command runs, but never that of a secret file', async () => {
    const found = await understand('sh clean.sh');
    expect(found).toMatchObject({ class: 'runs', runs: ['/w/clean.sh'] });
    expect(found.scripts).toEqual([{ name: '/w/clean.sh', text: 'rm -rf build\n' }]);
    expect((await understand('sh .env')).scripts).toEqual([]);
  });

  it('tells a program that takes further commands', async () => {
    expect(await understand('bash')).toMatchObject({ takesCommands: true });
    expect(await understand('bash -c "ls"')).toMatchObject({ takesCommands: false });
  });

  it('reads zsh by the grammar of bash for what writes, and takes nothing there for reading', async () => {
    expect(await understand('rm a.ts', 'zsh')).toMatchObject({ class: 'writes' });
    const reading = await understand('cat a.ts', 'zsh');
    expect([reading.class, reading.parts.map((part) => part.class)]).toEqual(['runs', ['runs']]);
  });

  it.each(['fish', 'cmd', 'nu', 'other'] as const)(
    'takes a command of the shell %s for one that runs something',
    async (shell) => {
      expect(await understand('cat a.ts', shell)).toMatchObject({ class: 'runs', parts: [{ class: 'runs' }] });
    },
  );

  it('takes a command that cannot be parsed for one that writes anywhere', async () => {
    const text = `cat ${'a'.repeat(70_000)}`;
    expect(await understand(text)).toMatchObject({ class: 'writes', writesElsewhere: true });
  });
});
