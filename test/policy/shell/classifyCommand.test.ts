import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { SyntaxLanguage } from '#base/syntaxTree.ts';
import { classifyCommand } from '#policy/shell/classifyCommand.ts';
import type { ClassifierPorts } from '#policy/shell/context.ts';
import { sameCommand } from '#policy/shell/sameCommand.ts';
import type { CommandPart, CommandVerdict } from '#policy/shell/verdict.ts';
import { size } from '../../size.ts';
import { createTestParser } from '../../syntax/testParser.ts';
import { executeWithoutPrograms, hasBash } from './bashOracle.ts';
import { fragments } from './fragments.ts';
import { bashReads } from './corpus/bashReads.ts';
import { bashRuns } from './corpus/bashRuns.ts';
import { bashWrites } from './corpus/bashWrites.ts';

const parser = createTestParser();
afterAll(() => parser.dispose());

const parse = (language: SyntaxLanguage, text: string): ReturnType<typeof parser.parse> => parser.parse(language, text);
const classify = async (text: string, ports: ClassifierPorts = {}): Promise<CommandVerdict> =>
  classifyCommand(text, await parse('bash', text), 'bash', { parse, ...ports });
const targetsOf = async (text: string, ports?: ClassifierPorts): Promise<CommandPart['targets']> =>
  (await classify(text, ports)).parts.flatMap(({ targets }) => targets);
const scriptsOf = async (text: string, ports?: ClassifierPorts): Promise<CommandPart['scripts']> =>
  (await classify(text, ports)).parts.flatMap(({ scripts }) => scripts);

describe('the parts of a command line', () => {
  it('have their place, words and reason when the line joins commands', async () => {
    const text = "LC_ALL=C ls 'a b' && r\\m -f x";
    const { parts, class: kind, reason } = await classify(text);
    expect(kind).toBe('writes');
    expect(reason).toBe('`rm` deletes files');
    expect(parts.map((part) => [part.class, part.text, part.argv])).toEqual([
      ['reads', "LC_ALL=C ls 'a b'", ['LC_ALL=C', 'ls', 'a b']],
      ['writes', 'r\\m -f x', ['rm', '-f', 'x']],
    ]);
    for (const { start, end, text: part } of parts) expect(text.slice(start, end)).toBe(part);
  });

  it('have no words when one of them is not known', async () => {
    const [part] = (await classify('cat $X')).parts;
    expect(part?.argv).toBeUndefined();
  });

  it('hold the parts of an inner command line when a shell runs one', async () => {
    const [part] = (await classify("timeout 5 bash -c 'cd sub && rm a'")).parts;
    expect(part?.inner.map(({ argv }) => argv)).toEqual([
      ['cd', 'sub'],
      ['rm', 'a'],
    ]);
    expect(part?.inlineScripts).toEqual(['cd sub && rm a']);
    expect(part?.targets).toEqual([{ path: 'sub/a' }]);
  });
});

describe('the targets of a command line', () => {
  it.each([
    ['rm a b/c', [{ path: 'a' }, { path: 'b/c' }]],
    ['rm -- -x', [{ path: '-x' }]],
    ['rm $X', ['anywhere']],
    ['rm *', ['anywhere']],
    ['rm link/../a', ['anywhere']],
    ['rm ../a', [{ path: '../a' }]],
    ['cp a b c', [{ path: 'c' }]],
    ['cp -t d a b', [{ path: 'd' }]],
    ['mv a b', [{ path: 'a' }, { path: 'b' }]],
    ['chmod +x a', [{ path: 'a' }]],
    ['echo x > a', [{ path: 'a' }]],
    ['echo x > "$F"', ['anywhere']],
    ['sed -i s/a/b/ x y', [{ path: 'x' }, { path: 'y' }]],
    ['find src -delete', [{ path: 'src' }]],
    ['dd if=a of=b', [{ path: 'b' }]],
    ['sort -o b a', [{ path: 'b' }]],
    ['git diff --output=a', [{ path: 'a' }]],
    ['git checkout -- a.ts', [{ path: 'a.ts' }]],
    ['git reset --hard', ['anywhere']],
    ['tee -a a b', [{ path: 'a' }, { path: 'b' }]],
    ['rm --unknown a', [{ path: 'a' }, 'anywhere']],
  ])('are told when the line is %s', async (line, expected) => {
    expect(await targetsOf(line)).toEqual(expected);
  });

  it.each([
    ['cd src && rm a', [{ path: '/w/src/a' }]],
    ['cd src; rm a', [{ path: '/w/src/a' }]],
    ['cd src || rm a', ['anywhere']],
    ['(cd src && rm a); rm b', [{ path: '/w/src/a' }, { path: '/w/b' }]],
    ['cd $X && rm a', ['anywhere']],
    ['cd && rm a', ['anywhere']],
    ['cd - && rm a', ['anywhere']],
    ['cd -P src && rm a', ['anywhere']],
    ['cd /tmp & rm a', [{ path: '/w/a' }]],
    ['cd /tmp | rm a', [{ path: '/w/a' }]],
    ['if true; then cd /tmp; fi; rm a', ['anywhere']],
    ['eval "cd /tmp"; rm a', ['anywhere']],
    ['time cd src; rm a', ['anywhere']],
    ['CDPATH=/tmp cd src; rm a', ['anywhere']],
    ['pushd src; rm a; popd; rm b', [{ path: '/w/src/a' }, 'anywhere']],
    ['f() { cd /tmp; }; f; rm a', ['anywhere']],
    ['cd src && echo x > a', [{ path: '/w/src/a' }]],
    ['rm /tmp/a', [{ path: '/tmp/a' }]],
  ])('follow the folder when the line is %s', async (line, expected) => {
    expect(await targetsOf(line, { folder: '/w' })).toEqual(expected);
  });
});

describe('the scripts of a command line', () => {
  it.each([
    ['python3 x.py a', [{ path: '/w/x.py' }]],
    ['bash -e scripts/x.sh', [{ path: '/w/scripts/x.sh' }]],
    ['./x.sh', [{ path: '/w/x.sh' }]],
    ['source env.sh', [{ path: '/w/env.sh' }]],
    ['make all', [{ path: '/w/Makefile' }]],
    ['make -f other.mk', [{ path: '/w/other.mk' }]],
    ['make -C sub', ['anywhere']],
    ['npm run build', [{ path: '/w/package.json' }]],
    ['cd sub && npm test', [{ path: '/w/sub/package.json' }]],
    ['npm --prefix sub test', ['anywhere']],
    ['python3 -m tools.gen', [{ path: '/w/tools/gen.py' }]],
    ['sed -f x.sed a', [{ path: '/w/x.sed' }]],
    ['node $X', ['anywhere']],
  ])('are told when the line is %s', async (line, expected) => {
    expect(await scriptsOf(line, { folder: '/w' })).toEqual(expected);
  });

  it('stand in the line when it brings them along', async () => {
    const inline = async (line: string): Promise<readonly string[]> =>
      (await classify(line)).parts.flatMap(({ inlineScripts }) => inlineScripts);
    expect(await inline("python3 -c 'print(1)'")).toEqual(['print(1)']);
    expect(await inline('python3 - <<EOF\nprint(1)\nEOF')).toEqual(['print(1)\n']);
    expect(await inline('node --eval=1')).toEqual(['1']);
    expect(await inline("bash <<< 'rm a'")).toEqual(['rm a']);
  });
});

describe('a script of package.json', () => {
  const scripts: Readonly<Record<string, string>> = {
    build: 'tsc -p .',
    clean: 'rm -rf dist',
    pretest: 'rm -rf coverage',
    test: 'vitest run',
    all: 'npm run clean',
    loop: 'npm run loop',
  };
  const asked: string[] = [];
  const ports: ClassifierPorts = {
    folder: '/w',
    scriptOf: (folder, _manager, name) => {
      asked.push(`${folder} ${name}`);
      return Promise.resolve(scripts[name]);
    },
  };

  it.each([
    ['npm run build', 'runs'],
    ['npm run clean', 'writes'],
    ['pnpm clean', 'writes'],
    ['yarn clean', 'writes'],
    ['npm test', 'writes'],
    ['npm run all', 'writes'],
    ['npm run missing', 'runs'],
  ])('decides the class when the line is %s', async (line, expected) => {
    expect((await classify(line, ports)).class).toBe(expected);
  });

  it('is looked up in the folder in which the command runs', async () => {
    asked.length = 0;
    await classify('cd sub && npm run build', ports);
    expect(asked).toContain('/w/sub build');
  });

  it('writes after few parses when scripts run each other many times', async () => {
    let parses = 0;
    const many = {
      folder: '/w',
      parse: (language: SyntaxLanguage, text: string) => {
        parses += 1;
        return parse(language, text);
      },
      scriptOf: () => Promise.resolve('npm run a; '.repeat(100)),
    };
    expect((await classify('npm run a', many)).class).toBe('writes');
    expect(parses).toBeLessThan(100);
  });

  it('writes when it runs itself, since nobody can follow that', async () => {
    expect((await classify('npm run loop', ports)).class).toBe('writes');
  });
});

describe('a command line that cannot be read', () => {
  it('writes when it was not parsed', async () => {
    expect((await classifyCommand('ls', undefined, 'bash')).class).toBe('writes');
    expect((await classifyCommand('ls', await parse('bash', 'ls'), 'powershell')).class).toBe('writes');
  });

  it('writes when a shell within it cannot be parsed', async () => {
    const text = "bash -c 'ls'";
    expect((await classifyCommand(text, await parse('bash', text), 'bash')).class).toBe('writes');
  });

  it('runs something when the shell is another one', async () => {
    const verdict = await classifyCommand('ls', undefined, 'fish');
    expect(verdict).toMatchObject({ class: 'runs', reason: 'the language of this shell (fish) is not understood' });
  });

  it('is never reading when the tree has an error, and writes when a word of it may write', async () => {
    expect((await classify('ls )(')).class).toBe('runs');
    expect((await classify('ls )( rm x')).class).toBe('writes');
    expect((await classify('')).class).toBe('runs');
    const tree = await parse('bash', 'ls');
    const broken = tree && { ...tree, root: { ...tree.root, hasError: true } };
    expect((await classifyCommand('ls', broken, 'bash')).class).toBe('runs');
  });
});

describe('a command that takes further commands', () => {
  const interactive = async (line: string): Promise<boolean> =>
    (await classify(line)).parts.some(({ startsInteractive }) => startsInteractive);
  it.each([
    'bash',
    'python3',
    'node -i',
    'ssh host',
    'tmux',
    'screen -S x',
    'sudo -i',
    'psql',
    'docker exec -it x sh',
    'timeout 9 bash',
  ])('is told when the line is %s', async (line) => {
    expect(await interactive(line)).toBe(true);
  });
  it.each(['python3 x.py', "bash -c 'ls'", 'ls | cat', 'echo x | bash', 'docker build .', 'ls'])(
    'is not told when the line is %s',
    async (line) => {
      expect(await interactive(line)).toBe(false);
    },
  );
});

describe('git', () => {
  it('reads only in the folder in which the line starts', async () => {
    expect((await classify('cd /w && git status', { folder: '/w' })).class).toBe('reads');
    expect((await classify('cd /w/sub && git status', { folder: '/w' })).class).toBe('runs');
    expect((await classify('time cd sub; git status', { folder: '/w' })).class).toBe('runs');
    expect((await classify('cd -P link; cd ..; git status', { folder: '/w' })).class).toBe('runs');
  });
});

describe('sameCommand', () => {
  const part = async (line: string): Promise<CommandPart> => {
    const [first] = (await classify(line)).parts;
    if (!first) throw new Error(`${line} has no part`);
    return first;
  };
  it('is true when two commands differ only in their quotes', async () => {
    expect(sameCommand(await part("npm test 'a b'"), await part('npm "test" a\\ b'))).toBe(true);
  });
  it('is false when a word differs or is not known', async () => {
    expect(sameCommand(await part('npm test a'), await part('npm test b'))).toBe(false);
    expect(sameCommand(await part('npm test'), await part('A=1 npm test'))).toBe(false);
    expect(sameCommand(await part('npm test $X'), await part('npm test $X'))).toBe(false);
  });
});

const bashGroups = [...bashReads, ...bashWrites, ...bashRuns].filter(({ shell }) => shell === 'bash');
const writingLines = bashGroups.flatMap(({ writes = [] }) => writes);
/** Without those whose comment would swallow what follows. */
const readingLines = bashGroups.flatMap(({ reads = [] }) => reads).filter((line) => !line.includes('#'));

/** Forms that leave a writing line writing, however harmless they look. */
const forms: readonly ((line: string, reads: string) => string)[] = [
  (line, reads) => `${reads}; ${line}`,
  (line, reads) => `${reads} && ${line}`,
  (line, reads) => `${reads} || ${line}`,
  (line, reads) => `${reads}\n${line}`,
  (line, reads) => `${reads} | { ${line}\n}`,
  (line) => `( ${line}\n)`,
  (line) => `{ ${line}\n}`,
  (line) => `if ls; then\n${line}\nfi`,
  (line) => `while ! ls; do\n${line}\ndone`,
  (line) => `echo "$( ${line}\n)"`,
  (line) => `  \t${line}  `,
  (line) => `\\\n${line}`,
  (line) => `# ls\n${line}`,
  (line) => `ls # it's "only" a comment\n${line}`,
  (line) => `cat <<'EOF'\nls\nEOF\n${line}`,
  (line) => `bash -c '${line.replaceAll("'", String.raw`'\''`)}'`,
  (line) => `eval '${line.replaceAll("'", String.raw`'\''`)}'`,
  (line) => `! ( ${line}\n)`,
  (line) => `f() { ls; }\n${line}`,
];

// The full size takes a minute.
describe('the classifier against an attacker', { timeout: 180_000 }, () => {
  it('never calls a writing line reading when it is wrapped in harmless-looking forms', async () => {
    const wrapped = fc
      .tuple(
        fc.constantFrom(...writingLines),
        fc.array(fc.tuple(fc.constantFrom(...forms), fc.constantFrom(...readingLines)), { maxLength: 3 }),
      )
      .map(([line, wrappings]) => wrappings.reduce((inner, [form, reads]) => form(inner, reads), line));
    await fc.assert(
      fc.asyncProperty(wrapped, async (line) => {
        expect((await classify(line)).class).not.toBe('reads');
      }),
      { numRuns: size({ quick: 400, full: 10_000 }) },
    );
  });

  it.skipIf(!hasBash)(
    'never calls a random line reading when bash would start a program that it did not see',
    async () => {
      const starts = fc.constantFrom('ls', 'cat a', 'grep x', 'echo a', 'time ls', '');
      const tokens = fc.array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 10 });
      const lines = fc.sample(
        fc.tuple(starts, tokens).map(([start, rest]) => start + rest.join('')),
        size({ quick: 4_000, full: 100_000 }),
      );
      const reading: { line: string; argvs: readonly (readonly string[] | undefined)[] }[] = [];
      for (const line of new Set(lines)) {
        const verdict = await classify(line);
        if (verdict.class === 'reads') reading.push({ line, argvs: verdict.parts.map(({ argv }) => argv) });
      }
      expect(reading.length).toBeGreaterThan(50);
      const { programs, files } = executeWithoutPrograms(reading.map(({ line }) => line));
      // A wrapper such as `time` starts the rest of its words.
      const unseen = programs.filter(({ line, argv }) => {
        const seen = reading[line]?.argvs ?? [];
        return !seen.some((words) => words && JSON.stringify(words.slice(-argv.length)) === JSON.stringify(argv));
      });
      expect(unseen.map(({ line, argv }) => [reading[line]?.line, argv])).toEqual([]);
      expect(files).toEqual([]);
    },
  );
});
