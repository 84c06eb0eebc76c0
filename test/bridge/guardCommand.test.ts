import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCommandLine, usage } from '#bridge/commandLine.ts';
import { type GuardAction, type GuardSurroundings, runGuardCommand } from '#bridge/guardCommand.ts';
import type { Terminal } from '#bridge/terminal.ts';
import { guardsOffUntil, hourMilliseconds, mostHours } from '#home/guardsOff.ts';
import { writeGuard } from '#home/windowGuard.ts';
import { temporaryState } from '../home/temporaryState.ts';
import { temporaryFolder } from '../mcp/fixture.ts';

const now = Date.UTC(2026, 10, 21);

function setUp(typed = 'gobuleti', changed: Partial<GuardSurroundings> = {}) {
  const { home } = temporaryState();
  const shown: string[] = [];
  let isOpen = false;
  const terminal: Terminal = {
    write: (text) => void shown.push(text),
    readLine: () => typed,
    close: () => void (isOpen = false),
  };
  const surroundings: GuardSurroundings = {
    home,
    environment: { HOME: '/home/ada' },
    ancestors: () => [{ name: 'bash', words: ['-bash'] }],
    openTerminal() {
      isOpen = true;
      return terminal;
    },
    now: () => now,
    word: () => 'gobuleti',
    ...changed,
  };
  const run = (action: GuardAction) => runGuardCommand(action, surroundings);
  return { home, shown, run, isOpen: () => isOpen, until: () => guardsOffUntil(home, now) };
}

const off: GuardAction = { kind: 'off', hours: 1 };

describe('drawbridge guard', () => {
  test('switches the guard off when a person types the word that the terminal shows, and on again', async () => {
    const { run, shown, until, isOpen } = setUp();
    expect(await run({ kind: 'off', hours: 2 })).toMatchObject({ isDone: true });
    expect(shown.join('')).toContain('for 2 hours');
    expect(shown.join('')).toContain('gobuleti');
    expect(isOpen()).toBe(false);
    expect(await until()).toBe(now + 2 * hourMilliseconds);
    expect((await run({ kind: 'status' })).text).toContain('The guard is off');
    expect(await run({ kind: 'on' })).toMatchObject({ isDone: true });
    expect(await until()).toBeUndefined();
  });

  test.each<[string, string, Partial<GuardSurroundings>, string?]>([
    ['another word was typed', 'another word', {}, 'gobulet'],
    ['nothing was typed', 'another word', {}, ''],
    ['there is no terminal', 'no terminal', { openTerminal: () => undefined }],
    ['an assistant is above it', 'Claude Code', { ancestors: () => [{ name: 'claude', words: ['claude'] }] }],
    ['an assistant set its environment', 'Gemini CLI', { environment: { GEMINI_CLI: '1' } }],
    [
      'the programs above it cannot be seen',
      'cannot see which program',
      {
        ancestors() {
          throw new Error('ps failed');
        },
      },
    ],
  ])('G8: does not switch the guard off when %s', async (_case, why, changed, typed) => {
    const { run, until } = setUp(typed, changed);
    const { text, isDone } = await run(off);
    expect([isDone, text]).toEqual([false, expect.stringContaining(why)]);
    expect(await until()).toBeUndefined();
  });

  test('does not switch the guard off for longer than 8 hours', async () => {
    const { run, until } = setUp();
    expect(await run({ kind: 'off', hours: mostHours + 1 })).toMatchObject({ isDone: false });
    expect(await until()).toBeUndefined();
    expect(usage).toContain(`(at most ${mostHours})`);
  });

  test('names the guarded folders', async () => {
    const { run, home } = setUp();
    expect((await run({ kind: 'status' })).text).toContain('no window guards');
    await writeGuard(home, { windowId: 'one', state: 'open', folders: ['/work/shop'] });
    expect((await run({ kind: 'status' })).text).toBe(
      "The guard is on. Assistants' own edits are reviewed in:\n  /work/shop",
    );
  });

  test.each([
    [['guard'], { kind: 'guard', action: { kind: 'status' } }],
    [['guard', 'on'], { kind: 'guard', action: { kind: 'on' } }],
    [['guard', 'off'], { kind: 'guard', action: { kind: 'off', hours: 1 } }],
    [['guard', 'off', '--hours', '2.5'], { kind: 'guard', action: { kind: 'off', hours: 2.5 } }],
    [['guard', 'off', '--hours=0'], { kind: 'mistake' }],
    [['guard', 'off', '--hours=x'], { kind: 'mistake' }],
    [['guard', 'on', '--hours=1'], { kind: 'mistake' }],
    [['guard', 'of'], { kind: 'mistake' }],
    [['guard', 'off', 'now'], { kind: 'mistake' }],
    [['doctor', '--hours=1'], { kind: 'mistake' }],
  ])('reads the arguments %j', (words, expected) => {
    expect(readCommandLine(words)).toMatchObject(expected);
  });
});

/** `script` of util-linux gives a program a terminal. */
const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

/** Runs a command line in its own terminal, types what the callback returns for the text shown so far, and returns the whole text. */
async function inTerminal(
  commandLine: string,
  env: NodeJS.ProcessEnv,
  type: (shown: string) => string | undefined,
): Promise<string> {
  const child = spawn('script', ['-qefc', commandLine, '/dev/null'], { env });
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString('utf8');
    const typed = type(shown);
    if (typed !== undefined) child.stdin.write(`${typed}\n`);
  });
  await new Promise((closed) => child.once('close', closed));
  return shown;
}

describe.runIf(hasScript)('drawbridge guard off in a real terminal', () => {
  const path = process.env['PATH'];

  test('reads the word from the terminal when its standard input is something else', async () => {
    const home = join(await temporaryFolder(), 'home');
    const program = `import('#bridge/guardCommand.ts').then(async (command) => {
      const surroundings = { ...command.thisSurroundings(${JSON.stringify(home)}), ancestors: () => [], environment: {} };
      console.log((await command.runGuardCommand({ kind: 'off', hours: 1 }, surroundings)).text);
    })`;
    const commandLine = `echo wrong | '${process.execPath}' --input-type=module -e "$PROGRAM"`;
    let hasTyped = false;
    const shown = await inTerminal(commandLine, { PATH: path, PROGRAM: program, SHELL: '/bin/sh' }, (text) => {
      const word = /Type (\w+) to switch/.exec(text)?.[1];
      if (word === undefined || hasTyped) return undefined;
      hasTyped = true;
      return word;
    });
    expect(shown).toContain('The guard is off');
    expect(await guardsOffUntil(home)).toBeGreaterThan(Date.now());
  });

  test('G8: is refused below a program that is named as an assistant, and shows no word', async () => {
    const folder = await temporaryFolder();
    const assistant = join(folder, 'opencode');
    writeFileSync(assistant, `#!/bin/sh\n"$@"\nexit $?\n`);
    chmodSync(assistant, 0o755);
    const [home, node] = [join(folder, 'home'), join(folder, 'node')];
    symlinkSync(process.execPath, node);
    const commandLine = `'${assistant}' '${node}' '${resolve('src/bridge/bridge.ts')}' guard off`;
    const shown = await inTerminal(
      commandLine,
      { PATH: path, DRAWBRIDGE_HOME: home, SHELL: '/bin/sh' },
      () => undefined,
    );
    expect(shown).toContain('The guard stays on, because this command was started by');
    expect(shown).not.toContain('Type');
    expect(existsSync(join(home, 'guards-off'))).toBe(false);
  });

  test('G8: is refused without a terminal', () => {
    const program = `import('#bridge/terminal.ts').then(({ openTerminal }) => console.log(openTerminal() === undefined))`;
    // `setsid` takes the controlling terminal away, as for the commands of most assistants.
    const shown = execFileSync('setsid', ['-w', process.execPath, '--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect(shown.trim()).toBe('true');
  });
});
