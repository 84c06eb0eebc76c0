import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
import { findRipgrep } from '#search/ripgrep/findRipgrep.ts';
import { Semaphore } from '#search/ripgrep/semaphore.ts';
import { folderAt } from '../../fakes/workspace.ts';
import { collect, ripgrep, SearchedFolder } from './ripgrepFixture.ts';

let place: SearchedFolder;
beforeEach(() => void (place = new SearchedFolder()));
afterEach(() => place.remove());

describe('matches', () => {
  it('have line, column in UTF-16 units, and context', async () => {
    place.write({ 'a.txt': 'one\r\n𝒳é needle needle\r\nthree\r\nfour\r\n' });
    expect(await place.find('needle', { linesBefore: 1, linesAfter: 1 })).toMatchObject([
      { path: 'a.txt', matches: [{ line: 2, column: 5, text: '𝒳é needle needle', before: ['one'], after: ['three'] }] },
    ]);
  });

  it('serve as context of each other when they are neighbours', async () => {
    place.write({ 'a.txt': 'x1\nx2\nend' });
    const [file] = await place.find('x', { linesBefore: 2, linesAfter: 2 });
    expect(file?.matches).toMatchObject([
      { line: 1, before: [], after: ['x2', 'end'] },
      { line: 2, before: ['x1'], after: ['end'] },
    ]);
  });

  it('are cut around the match when the line is long', async () => {
    place.write({ 'min.js': `${'a'.repeat(50_000)}needle${'b'.repeat(5_000_000)}` });
    const [file] = await place.find('needle');
    expect(file?.matches[0]).toMatchObject({ line: 1, column: 50_001 });
    expect(file?.matches[0]?.text).toContain('needle');
    expect(file?.matches[0]?.text.length).toBeLessThan(450);
  });

  it('are found in every encoding', async () => {
    place.write({
      'utf16.txt': Buffer.from('\uFEFFa needle', 'utf16le'),
      'bom.txt': '\uFEFFneedle',
      'latin.txt': Buffer.concat([Buffer.from([0xe9, 0x20]), Buffer.from('needle')]),
    });
    const found = await place.find('needle');
    expect(found.map(({ path, matches }) => [path, matches[0]?.column])).toEqual([
      ['bom.txt', 1],
      ['latin.txt', 3],
      ['utf16.txt', 3],
    ]);
    place.settings = { ...place.settings, encoding: 'windows1252' };
    expect((await place.find('é needle')).map(({ path }) => path)).toEqual(['latin.txt']);
  });

  it('are left out when the file is binary, even when the query names it', async () => {
    place.write({ 'a.bin': 'needle\n\0\nneedle\n' });
    expect(await place.hits('needle')).toEqual([]);
    expect(await place.hits('needle', {}, 'a.bin')).toEqual([]);
  });

  it.each([
    { linesBefore: 0, linesAfter: 0 },
    { linesBefore: 2, linesAfter: 2 },
    { linesBefore: 3, linesAfter: 0 },
    { linesBefore: 0, linesAfter: 3 },
    { linesBefore: 1, linesAfter: 3 },
  ])('P13 come in parts with their context when a file has very many: %j', async ({ linesBefore, linesAfter }) => {
    const lines = Array.from({ length: 25_000 }, (_, at) => (at % 5 === 4 ? 'no' : 'needle'));
    place.write({ 'a.txt': lines.join('\n') });
    const parts = await place.find('needle', { linesBefore, linesAfter });
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.flatMap(({ matches }) => matches)).toEqual(
      lines.flatMap((text, at) => {
        const before = lines.slice(Math.max(0, at - linesBefore), at);
        const after = lines.slice(at + 1, at + 1 + linesAfter);
        return text === 'no' ? [] : [{ line: at + 1, column: 1, text, before, after }];
      }),
    );
  });

  it('are refused as arguments when no text can hold the pattern', async () => {
    place.write({ 'a.txt': 'n' });
    await expect(place.find('\\x00', { isRegex: true })).rejects.toThrow(InvalidArgumentsError);
  });

  it('come in path order, segment by segment', async () => {
    place.write({ 'a/x': 'n', 'a-b/x': 'n', 'a.x': 'n', 'B/x': 'n', é: 'n', '😀': 'n', '\uFFEE': 'n' });
    place.unsaved = [
      { fsPath: join(place.root, 'a/m'), text: 'n' },
      { fsPath: join(place.root, 'zz'), text: 'n' },
    ];
    expect(await place.hits('n')).toEqual([
      'B/x:1',
      'a/m:1',
      'a/x:1',
      'a-b/x:1',
      'a.x:1',
      'zz:1',
      'é:1',
      '\uFFEE:1',
      '😀:1',
    ]);
  });
});

describe('an absolute glob', () => {
  it('matches in its folder only', async () => {
    place.write({ 'a.ts': 'n', 'src/b.ts': 'n', 'src/deep/c.ts': 'n', 'other/d.ts': 'n' });
    expect(await place.names({ include: [`${place.root}/src/**`] })).toEqual(['src/b.ts', 'src/deep/c.ts']);
    expect(await place.names({ include: [`${place.root}/*.ts`] })).toEqual(['a.ts']);
    expect(await place.hits('n', { exclude: [`${place.root}/src`, `${place.root}/other/**`] })).toEqual(['a.ts:1']);
    expect(await place.names({ include: [place.root] })).toHaveLength(4);
  });
});

describe('a query', () => {
  beforeEach(() => {
    place.write({ 'a.txt': 'foo.bar(1)\nfooxbar\nFoo bar\nfoobar\r\nend of foo\r\n' });
  });

  it.each([
    ['foo.bar', {}, [1]],
    ['foo.bar', { isRegex: true }, [1, 2, 3]],
    ['foo.bar', { isRegex: true, caseSensitive: true }, [1, 2]],
    ['foo', { wholeWord: true }, [1, 3, 5]],
    ['FOOBAR', {}, [4]],
    ['bar$', { isRegex: true }, [2, 3, 4]],
    ['--files', {}, []],
    ['bar\nfoo', { multiline: true }, [2]],
    ['bar\nend', { multiline: true }, [4]],
    ['bar\\nend', { multiline: true, isRegex: true }, [4]],
    ['bar[\\r\\n]+end', { multiline: true, isRegex: true }, [4]],
    ['(1)', { multiline: true }, [1]],
  ] as const)('%s with the options %j finds the lines %j', async (pattern, facts, lines) => {
    expect((await place.find(pattern, facts)).flatMap(({ matches }) => matches.map(({ line }) => line))).toEqual(lines);
  });

  it.each([
    ['(foo', 'unclosed group'],
    ['(?=a)b', 'look-around'],
    ['(a)\\1', 'backreferences are not supported'],
  ])('explains why %s is refused: %s', async (pattern, reason) => {
    const error: unknown = await place.find(pattern, { isRegex: true }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InvalidArgumentsError);
    expect(String(error)).toContain(reason);
    expect(String(error)).toContain('look-around and backreferences are not supported');
  });

  it('is explained when it spans lines without multiline', async () => {
    await expect(place.find('a\nb')).rejects.toThrow('multiline');
  });

  it('is explained when a glob is not valid', async () => {
    await expect(place.find('foo', { exclude: ['{a,b'] })).rejects.toThrow('"{a,b" is not a valid glob');
  });

  it('H16 ends in time when its glob is slow for the names on disk', async () => {
    const glob = `${'*a'.repeat(15)}*b`;
    const name = 'a'.repeat(250);
    place.write(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${name}/${name}${at}`, 'needle'])));
    place.unsaved = [{ fsPath: join(place.root, name, `${name}0`), text: 'needle' }];
    place.settings = { ...place.settings, exclude: { [`**/${glob}`]: true, [`**/${glob}c`]: { when: 'x' } } };
    expect(await place.names({ include: [glob, `**/${glob}/**`] })).toEqual([]);
    expect(await place.hits('needle', { exclude: [glob, `**/${glob}/**`] })).toHaveLength(20);
  });

  it('H16 ends in time, and blocks no other query, when its pattern would backtrack forever, on disk and in unsaved text', async () => {
    const hostile = `${'a'.repeat(50_000)}b`;
    place.write({ 'evil.txt': hostile });
    place.unsaved = [{ fsPath: join(place.root, 'dirty.txt'), text: hostile }];
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 1);
    try {
      expect(await place.hits('(a+)+$', { isRegex: true })).toEqual([]);
      expect(await place.hits('(a+)+b$', { isRegex: true })).toEqual(['dirty.txt:1', 'evil.txt:1']);
    } finally {
      clearInterval(timer);
    }
    expect(ticks).toBeGreaterThan(0);
  });
});

describe('the searched files', () => {
  beforeEach(() => {
    place.write({
      '.gitignore': 'node_modules\nignored.ts\n',
      'src/a.ts': 'needle',
      'src/b.js': 'needle',
      'src/ignored.ts': 'needle',
      'src/node_modules/x.ts': 'needle',
      'lib/src/c.ts': 'needle',
      'node_modules/pkg/index.ts': 'needle',
      '.hidden/d.ts': 'needle',
      'out/e.ts': 'needle',
      'deep/out/f.ts': 'needle',
    });
  });
  const visible = ['.hidden/d.ts', 'deep/out/f.ts', 'lib/src/c.ts', 'out/e.ts', 'src/a.ts', 'src/b.js'];
  const paths = async (...asked: Parameters<SearchedFolder['hits']>) =>
    (await place.hits(...asked)).map((hit) => hit.replace(/:\d+$/, ''));

  it('include hidden files, and ignored ones only when requested', async () => {
    expect(await paths('needle')).toEqual(visible);
    expect(await place.names()).toEqual(['.gitignore', ...visible]);
    expect(await place.names({ includeIgnored: true })).toContain('node_modules/pkg/index.ts');
    place.settings = { ...place.settings, useIgnoreFiles: false };
    expect(await paths('needle')).toContain('src/ignored.ts');
  });

  it('lie no deeper than the query looks', async () => {
    expect(await place.names({ maxDepth: 1 })).toEqual(['.gitignore']);
    const near = ['.gitignore', '.hidden/d.ts', 'out/e.ts', 'src/a.ts', 'src/b.js'];
    expect(await place.names({ maxDepth: 2 })).toEqual(near);
  });

  it('lie in no folder that the query leaves out by its absolute path', async () => {
    const others = visible.filter((path) => !path.startsWith('src/'));
    expect(await place.names({ exclude: [join(place.root, 'src')] })).toEqual(['.gitignore', ...others]);
  });

  it.each([
    [['*.ts'], ['.hidden/d.ts', 'deep/out/f.ts', 'lib/src/c.ts', 'out/e.ts', 'src/a.ts']],
    [['*.{js,jsx}'], ['src/b.js']],
    [['src/**'], ['src/a.ts', 'src/b.js']],
    [['src'], ['lib/src/c.ts', 'src/a.ts', 'src/b.js']],
    [['./src'], ['src/a.ts', 'src/b.js']],
    [
      ['/src/*.ts', 'lib/**/*.ts'],
      ['lib/src/c.ts', 'src/a.ts'],
    ],
    [['src/a.ts'], ['src/a.ts']],
    [['nowhere/**'], []],
    [['**/**/**/src/**/**/*.ts'], ['lib/src/c.ts', 'src/a.ts']],
  ])('are limited by the include %j to %j, without ignored files', async (include, expected) => {
    expect(await paths('needle', { include })).toEqual(expected);
    expect(await place.names({ include })).toEqual(expected);
  });

  it.each([
    [['*.ts'], ['src/b.js']],
    [['src'], ['.hidden/d.ts', 'deep/out/f.ts', 'out/e.ts']],
    [
      ['/src', '**/out/**'],
      ['.hidden/d.ts', 'lib/src/c.ts'],
    ],
  ])('are limited by the exclude %j to %j', async (exclude, expected) => {
    expect(await paths('needle', { exclude })).toEqual(expected);
  });

  it('follow the excludes of the editor, also those with siblings', async () => {
    place.write({ 'src/b.ts': '' });
    place.settings = {
      ...place.settings,
      exclude: { out: true, '**/.hidden': true, '**/*.js': { when: '$(basename).ts' }, lib: false },
    };
    expect(await paths('needle')).toEqual(['deep/out/f.ts', 'lib/src/c.ts', 'src/a.ts']);
    place.write({ 'src/only.js': 'needle' });
    expect(await paths('needle')).toContain('src/only.js');
  });

  it('include an ignored folder or file when the query names it', async () => {
    expect(await paths('needle', {}, 'node_modules/pkg')).toEqual(['node_modules/pkg/index.ts']);
    expect(await paths('needle', {}, 'src/ignored.ts')).toEqual(['src/ignored.ts']);
    expect(await paths('needle', {}, 'src', 'src/a.ts')).toEqual(['src/a.ts', 'src/b.js']);
  });

  it('P3 never include the target of a link, not even when an include names the link', async () => {
    const outside = new SearchedFolder().write({ 'k.ts': 'needle' });
    symlinkSync(outside.root, join(place.root, 'link'));
    symlinkSync(join(outside.root, 'k.ts'), join(place.root, 'src/link.ts'));
    try {
      expect(await paths('needle')).toEqual(visible);
      expect(await paths('needle', { include: ['link/**'] })).toEqual([]);
      expect(await paths('needle', { include: ['link/k.ts'] })).toEqual([]);
    } finally {
      outside.remove();
    }
  });

  it.each(['a/../../NAME/**', 'a/../../NAME/k.ts', '..\\NAME\\*.ts', '{src,..}/NAME/*', './../NAME/k.ts'])(
    'P2 refuse an include that leads out of the workspace: %s',
    async (glob) => {
      const outside = new SearchedFolder().write({ 'k.ts': 'needle' });
      const include = [glob.replace('NAME', basename(outside.root))];
      place.write({ 'a/x.ts': '' });
      try {
        await expect(place.hits('needle', { include })).rejects.toThrow('contains ..');
        await expect(place.names({ include })).rejects.toThrow(InvalidArgumentsError);
        await expect(place.names({ exclude: include })).rejects.toThrow(InvalidArgumentsError);
      } finally {
        outside.remove();
      }
    },
  );

  it('carry the name of their folder when the window has several, and are found once when folders are nested', async () => {
    const other = new SearchedFolder().write({ 'z.ts': 'needle', '.gitignore': '' });
    const nested = folderAt(join(place.root, 'lib'), { name: 'lib' });
    place.folders = [folderAt(other.root, { name: 'other' }), place.folder, nested];
    try {
      expect(await paths('needle')).toEqual(['other/z.ts', ...visible.map((path) => `w/${path}`)]);
      expect(await paths('needle', { include: ['w/src/**'] })).toEqual(['w/src/a.ts', 'w/src/b.js']);
      expect(await paths('needle', { exclude: ['w/*', 'other/z.ts'] })).toEqual([]);
    } finally {
      other.remove();
    }
  });
});

describe('A8: secret files', () => {
  const secret = [
    '.env',
    '.env.local',
    'a/.Env.Production',
    '.env.e',
    '.env.exampled',
    '.env.templat',
    'x.pem',
    'X.KEY',
    'id_rsa',
    'my-credentials.json',
    'secrets/k.txt',
    '.netrc',
    'x.tfstate.backup',
    '.git/config',
    'sub/.git',
    '.bash_history',
    'credentials',
    'private/[x]/k.txt',
  ];
  const open = [
    '.env.example',
    '.env.sample',
    'b/.env.template',
    '.github/x',
    'keys.ts',
    'src/secrets.ts',
    'secrets/a.ts',
  ];

  it('are left out of names and matches, but not the samples and source code beside them', async () => {
    place.write(Object.fromEntries([...secret, ...open].map((path) => [path, 'needle'])));
    place.pathRules = { home: place.root, privateFolders: [join(place.root, 'private/[x]')] };
    expect(await place.names({ includeIgnored: true })).toEqual(open.toSorted());
    expect((await place.hits('needle', { includeIgnored: true })).map((hit) => hit.slice(0, -2))).toEqual(
      open.toSorted(),
    );
  });

  it('are left out when an include names them', async () => {
    place.write(Object.fromEntries(secret.map((path) => [path, 'needle'])));
    expect(
      await place.hits('needle', { include: ['.env', 'secrets/**', '.git/**', 'secrets/k.txt', 'id_rsa'] }),
    ).toEqual([]);
  });

  it('are left out when their text is unsaved', async () => {
    place.unsaved = [{ fsPath: join(place.root, '.env'), text: 'needle' }];
    expect(await place.hits('needle')).toEqual([]);
  });
});

describe('unsaved texts', () => {
  it('replace their files and are searched by the same engine', async () => {
    place.write({ 'a.ts': 'old needle', 'b.ts': 'needle' });
    place.unsaved = [{ fsPath: join(place.root, 'a.ts'), text: 'first\r\nnew Needle\r\n' }];
    expect(await place.hits('needle')).toEqual(['a.ts:2', 'b.ts:1']);
    expect(await place.hits('old')).toEqual([]);
    expect(await place.hits('^new n\\w+$', { isRegex: true })).toEqual(['a.ts:2']);
    expect(await place.hits('needle', { sorted: false })).toEqual(['b.ts:1', 'a.ts:2']);
  });

  it('obey the same globs, excludes and folders', async () => {
    place.write({ 'src/a.ts': '', 'src/gen/b.ts': '', 'lib/c.js': '' });
    place.unsaved = ['src/a.ts', 'src/gen/b.ts', 'lib/c.js', 'new/d.ts'].map((path) => ({
      fsPath: join(place.root, path),
      text: 'needle',
    }));
    expect(await place.hits('needle')).toEqual(['lib/c.js:1', 'new/d.ts:1', 'src/a.ts:1', 'src/gen/b.ts:1']);
    expect(await place.hits('needle', { include: ['*.ts'], exclude: ['gen'] })).toEqual(['new/d.ts:1', 'src/a.ts:1']);
    expect(await place.hits('needle', {}, 'src/gen')).toEqual(['src/gen/b.ts:1']);
    place.settings = { ...place.settings, exclude: { 'src/gen': true } };
    expect(await place.hits('needle')).toEqual(['lib/c.js:1', 'new/d.ts:1', 'src/a.ts:1']);
  });

  it('replace the text of the target when the file was opened through a link', async () => {
    place.write({ 'real.ts': 'old' });
    symlinkSync(join(place.root, 'real.ts'), join(place.root, 'link.ts'));
    place.unsaved = [{ fsPath: join(place.root, 'link.ts'), text: 'needle' }];
    expect(await place.hits('needle')).toEqual(['real.ts:1']);
    expect(await place.hits('old')).toEqual([]);
  });
});

describe('processes', () => {
  /** Reticks the ripgrep processes that run in the folder of the test. */
  function running(): number {
    return readdirSync('/proc').filter((pid) => {
      if (!/^\d+$/.test(pid)) return false;
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--no-config') && execCwd(pid) === place.root;
      } catch {
        return false;
      }
    }).length;
  }

  function execCwd(pid: string): string {
    return execFileSync('readlink', [`/proc/${pid}/cwd`])
      .toString()
      .trim();
  }

  /** Prints one match, then waits to be killed. */
  function patientProgram(): string {
    const path = join(place.root, 'patient');
    const line = (type: string) =>
      `{"type":"${type}","data":{"path":{"text":"a"},"lines":{"text":"x"},"line_number":1,"binary_offset":null,"submatches":[{"start":0}]}}`;
    writeFileSync(path, `#!/bin/sh\necho '${line('match')}'\necho '${line('end')}'\nexec sleep 1000\n`);
    chmodSync(path, 0o755);
    return path;
  }

  it.runIf(process.platform === 'linux')('end when the reader stops early', async () => {
    place.program = async () => patientProgram();
    for await (const _ of place.search.text(await place.textQuery('x'), AbortSignal.timeout(10_000))) {
      break;
    }
    expect(childrenOf(process.pid)).toEqual([]);
    expect(running()).toBe(0);
  });

  it.runIf(process.platform === 'linux')('end at once when the call is cancelled', async () => {
    place.program = async () => patientProgram();
    const cancel = new AbortController();
    const reason = new ToolError('cancelled', 'Cancelled.', 'Call again.');
    const search = async () => {
      for await (const _ of place.search.text(await place.textQuery('x'), cancel.signal)) cancel.abort(reason);
    };
    await expect(search()).rejects.toBe(reason);
    expect(childrenOf(process.pid)).toEqual([]);
  });

  it('run for at most two searches at a time, and the others wait in order', async () => {
    const semaphore = new Semaphore(2);
    const never = new AbortController().signal;
    const [first, second] = [await semaphore.acquire(never), await semaphore.acquire(never)];
    const order: string[] = [];
    const third = semaphore.acquire(never).then((release) => (order.push('third'), release));
    const gone = new AbortController();
    const cancelled = semaphore.acquire(gone.signal);
    const fourth = semaphore.acquire(never).then((release) => (order.push('fourth'), release));
    gone.abort(new Error('left'));
    await expect(cancelled).rejects.toThrow('left');
    expect(order).toEqual([]);
    first();
    first();
    (await third)();
    (await fourth)();
    second();
    expect(order).toEqual(['third', 'fourth']);
  });
});

/** Reticks the child processes that run, or that ended and were not waited for. */
function childrenOf(pid: number): readonly string[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === ''
    ? []
    : text.split(' ').filter((child) => /rg|patient|sleep/.test(readFileSync(`/proc/${child}/comm`, 'utf8')));
}

describe('the lookup of ripgrep', () => {
  const nowhere = {
    extensionRoot: '/nowhere',
    path: undefined,
    platform: process.platform,
    architecture: process.arch,
  };

  it.each([
    'node_modules/@vscode/ripgrep-universal/bin/TARGET/rg',
    'node_modules/@vscode/ripgrep/bin/rg',
    'node_modules.asar.unpacked/@vscode/ripgrep/bin/rg',
    'node_modules.asar.unpacked/@vscode/ripgrep-universal/bin/TARGET/rg',
  ])('finds ripgrep in the editor: %s', async (at) => {
    const path = at.replace('TARGET', `${process.platform}-${process.arch}`);
    const program = join(place.root, path);
    place.write({ [path]: readFileSync(await ripgrep) });
    chmodSync(program, 0o755);
    expect(await findRipgrep({ ...nowhere, appRoot: place.root })).toBe(program);
  });

  it('finds ripgrep on PATH, but not in a relative entry, nor another program of that name', async () => {
    place.write({ 'bin/rg': readFileSync(await ripgrep), 'fake/rg': '#!/bin/sh\necho something else\n' });
    chmodSync(join(place.root, 'bin/rg'), 0o755);
    chmodSync(join(place.root, 'fake/rg'), 0o755);
    const path = ['.', 'relative', join(place.root, 'fake'), join(place.root, 'bin')].join(':');
    expect(await findRipgrep({ ...nowhere, appRoot: undefined, path })).toBe(join(place.root, 'bin/rg'));
  });

  it('throws a clear error when there is no ripgrep', async () => {
    await expect(findRipgrep({ ...nowhere, appRoot: place.root })).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('throws a clear error when the program cannot start', async () => {
    place.program = async () => join(place.root, 'gone');
    await expect(place.hits('x')).rejects.toMatchObject({ code: 'unavailable' });
  });
});

it('lists the files that names close, ignored ones too, and none of node_modules or git', async () => {
  place.write({
    '.gitignore': 'secrets\n',
    'secrets/deep/keys.txt': 'a',
    'secrets/deep/keys.ts': 'a',
    'sub/.ENV': 'a',
    '.env.example': 'a',
    'a.ts': 'a',
    'key.PEM': 'a',
    'node_modules/p/secrets/index.txt': 'a',
    '.git/hooks/x.js': 'a',
  });
  const query = await place.textQuery('', { exclude: ['**/node_modules/**'] });
  const found = await collect(place.search.closedFiles(query, AbortSignal.timeout(9000)));
  expect(found.map(({ path }) => path).toSorted()).toEqual(['key.PEM', 'secrets/deep/keys.txt', 'sub/.ENV']);
});
