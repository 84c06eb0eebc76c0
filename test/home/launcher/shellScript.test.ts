import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { switchGuardsOff } from '#home/guardsOff.ts';
import { install, makeExtension, temporaryFolder, writeProgram, writeRuntime } from './installed.ts';

const request = '{"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}\n';
/** A bridge that prints how it was started. */
const tellingBridge = `
  process.stdout.write(JSON.stringify({
    runtime: process.execPath, bridge: __filename, arguments: process.argv.slice(2), folder: process.cwd(),
    home: process.env.DRAWBRIDGE_HOME, options: process.env.NODE_OPTIONS, pid: process.pid,
  }));`;

interface Start {
  /** Shell that runs the script; by default the script itself is started. */
  readonly shell?: readonly string[];
  readonly arguments?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  readonly folder?: string;
  readonly input?: string;
}

/** A PATH on which nothing is found. Without any PATH, a shell uses its default. */
const noPath = { PATH: '/nowhere' };

/** Starts a launcher as assistants do, by default with an empty PATH. */
function start(launcher: string, options: Start = {}) {
  const [program, ...before] = [...(options.shell ?? []), launcher];
  const { status, stdout, stderr } = spawnSync(program, [...before, ...(options.arguments ?? [])], {
    env: options.environment ?? noPath,
    cwd: options.folder ?? '/',
    input: options.input ?? '',
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** Returns the answers of a launcher to each input. One shell is started, and a fork of it runs the script for each input. */
function answersTo(launcher: string, shell: readonly string[], inputs: readonly string[]) {
  const folder = temporaryFolder();
  inputs.forEach((input, at) => writeFileSync(join(folder, `${at}.in`), input));
  const each =
    'for file in "$1"/*.in; do ( set --; . "$0" ) <"$file" >"$file.out" 2>/dev/null; echo $? >"$file.status"; done';
  const [program = '', ...options] = shell;
  // A bash whose input is a socket assumes a remote login and reads the user's start file.
  spawnSync(program, [...options, '-c', each, launcher, folder], { env: noPath, cwd: '/', stdio: 'ignore' });
  return inputs.map((_, at) => ({
    status: Number(readFileSync(join(folder, `${at}.in.status`), 'utf8')),
    stdout: readFileSync(join(folder, `${at}.in.out`), 'utf8'),
  }));
}

/** Moves the usual folders of Node below `root`, so that no Node of this machine is found. */
function hideInstalledNode(launcher: string, root: string): void {
  const script = readFileSync(launcher, 'utf8');
  const hidden = script.replaceAll(/^ {4}(\/\S+\/node) \\$/gm, `    ${root}$1 \\`);
  if (hidden === script) throw new Error('The script has no known places.');
  writeFileSync(launcher, hidden);
}

/** Installs a launcher on a machine without any Node besides those that the test adds. */
async function installAlone(root: string, execPath = '/no/editor') {
  const installed = await install({ root, execPath, bridge: tellingBridge });
  hideInstalledNode(installed.launcher, root);
  return { ...installed, cache: join(installed.folder, 'runtime') };
}

describe.each(
  [['/bin/sh'], ['/bin/dash'], ['/bin/bash', '--posix']].filter(
    ([name = '']) => spawnSync(name, ['-c', ':'], { stdio: 'ignore' }).status === 0,
  ),
)('the launcher in %s', (...shell) => {
  test('starts the bridge in any folder, with an empty environment, whatever the paths hold', async () => {
    const root = join(temporaryFolder(), `it's "a" $HOME \`b\` *[ü]; \\n é`);
    const { launcher, bridge, home } = await install({ root, bridge: tellingBridge });
    const wanted = ['--folder', `a b'c"d$e`, '', '*'];
    const { status, stdout, stderr } = start(launcher, { shell, arguments: wanted, environment: {} });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const report: unknown = JSON.parse(stdout);
    expect(report).toMatchObject({ runtime: process.execPath, bridge, arguments: wanted, folder: '/', home });
  });

  test('answers with the id of the request', async () => {
    const root = temporaryFolder();
    const { launcher } = await installAlone(root);
    const value = fc.jsonValue({ maxDepth: 3, noUnicodeString: false });
    const id = fc.oneof(fc.integer(), fc.string({ unit: 'grapheme-ascii' }), fc.string({ unit: 'grapheme' }));
    const message = fc.record({ id, method: fc.string(), params: value, '"id"': value, 'a{': value });
    const messages = fc.array(fc.tuple(message, fc.boolean()), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(messages, (all) => {
        const inputs = all.map(([sent, reversed]) => {
          const entries = Object.entries(sent);
          return `${JSON.stringify(Object.fromEntries(reversed ? entries.toReversed() : entries))}\n`;
        });
        const answers = answersTo(launcher, shell, inputs).map(({ stdout }): unknown => JSON.parse(stdout));
        expect(answers).toMatchObject(all.map(([sent]) => ({ jsonrpc: '2.0', id: sent.id, error: { code: -32000 } })));
      }),
      { numRuns: 1 },
    );
  });

  test('does not answer a message that is not a request', async () => {
    const { launcher } = await installAlone(temporaryFolder());
    const inputs = [
      '',
      '\n',
      '{}',
      'no JSON',
      '{"id":null}',
      '{"params":{"id":1}}',
      '[{"id":1}]',
      '"\\',
      '{"id":"',
      '{"id"',
    ];
    const answers = answersTo(launcher, shell, inputs);
    expect(answers).toEqual(inputs.map(() => ({ status: 1, stdout: '' })));
  });
});

describe('the bridge that the launcher starts', () => {
  test('is the newest version that exists', async () => {
    const root = temporaryFolder();
    const [older, newer] = [
      await install({ root: join(root, 'one'), home: join(root, 'home'), version: '0.9.0', bridge: tellingBridge }),
      await install({ root: join(root, 'two'), home: join(root, 'home'), version: '0.10.0', bridge: tellingBridge }),
    ];
    expect(start(newer.launcher).stdout).toContain(newer.bridge);
    rmSync(newer.extensionPath, { recursive: true });
    expect(start(newer.launcher).stdout).toContain(older.bridge);
  });

  test('A1: never comes from the working directory, whatever the list holds', async () => {
    const root = temporaryFolder();
    const { launcher, folder } = await install({ root });
    const repository = makeExtension(join(root, 'repository', 'here'), '9.9.9', 'process.exit(9)');
    writeFileSync(join(root, 'repository', 'version'), 'process.exit(9)');
    for (const lines of ['no version\n', '1.0.0\there\n', '1.0.0\there/a/b/c\n', '1.0.0\t.\n']) {
      writeFileSync(join(folder, 'bridges'), lines);
      expect(start(launcher, { folder: join(dirname(repository), '..') }).status).toBe(1);
    }
  });

  test('is an update that no window has loaded yet', async () => {
    const root = temporaryFolder();
    const { launcher, extensionPath } = await install({ root, bridge: tellingBridge });
    rmSync(extensionPath, { recursive: true });
    const updated = makeExtension(join(root, 'extensions'), '0.2.0', tellingBridge);
    expect(start(launcher).stdout).toContain(join(updated, 'dist', 'bridge.cjs'));
  });

  test('uses the state folder of the launcher, or DRAWBRIDGE_HOME when it is set', async () => {
    const { launcher, home } = await install({ root: temporaryFolder(), bridge: tellingBridge });
    expect(start(launcher, { environment: { HOME: '/elsewhere' } }).stdout).toContain(`"home":"${home}"`);
    expect(start(launcher, { environment: { DRAWBRIDGE_HOME: '/other' } }).stdout).toContain('"home":"/other"');
    expect(start(launcher, { environment: { DRAWBRIDGE_HOME: 'here' } }).stdout).toContain(`"home":"${home}"`);
  });

  test('starts when the launcher is called through a link, by its name, or in its folder', async () => {
    const root = temporaryFolder();
    const { launcher, folder, home } = await install({ root, bridge: tellingBridge });
    const programs = join(root, 'programs');
    mkdirSync(programs);
    symlinkSync('../home/.drawbridge/bin/drawbridge', join(programs, 'second'));
    symlinkSync(join(programs, 'second'), join(programs, 'bridge'));
    const environment = { PATH: `${programs}:/usr/bin:/bin` };
    expect(start('bridge', { environment }).stdout).toContain(`"home":"${home}"`);
    for (const name of ['drawbridge', './drawbridge', '../bin/./drawbridge']) {
      expect(start(name, { shell: ['/bin/sh'], folder }).stdout).toContain(`"home":"${home}"`);
    }
    expect(start(launcher, { environment: { PATH: '/nowhere' } }).stdout).toContain(`"home":"${home}"`);
  });

  test('gets signals and the end of input itself, since no shell remains', async () => {
    const bridge = `
      process.stdin.on('end', () => process.exit(3)).resume();
      for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(signal === 'SIGINT' ? 4 : 5));
      console.log(process.pid);`;
    const { launcher } = await install({ root: temporaryFolder(), bridge });
    const endings = { end: 3, SIGINT: 4, SIGTERM: 5 } as const;
    for (const ending of ['end', 'SIGINT', 'SIGTERM'] as const) {
      const child = spawn(launcher, { env: {} });
      const [said] = await once(child.stdout, 'data');
      expect(String(said)).toBe(`${child.pid}\n`);
      if (ending === 'end') child.stdin.end();
      else child.kill(ending);
      expect(await once(child, 'exit')).toEqual([endings[ending], null]);
    }
  });

  test('gets its complete input when rejected runtimes read theirs', async () => {
    const root = temporaryFolder();
    const greedy = writeProgram(join(root, 'greedy'), 'cat >/dev/null');
    const { folder, launcher } = await install({ root, bridge: 'process.stdin.pipe(process.stdout)' });
    writeFileSync(join(folder, 'runtime'), `${greedy}\n`);
    writeFileSync(join(folder, 'runtimes'), `${greedy}\n${process.execPath}\n`);
    const input = `${request.repeat(1000)}no line end`;
    expect(start(launcher, { input, environment: {} }).stdout).toBe(input);
  });

  test("ignores the settings of another program's debugger in the environment", async () => {
    const root = temporaryFolder();
    const { launcher } = await install({ root, bridge: tellingBridge });
    writeFileSync(join(root, 'bootloader.cjs'), 'console.log("debugging"); process.exit(9)');
    const { status, stdout } = start(launcher, {
      environment: { NODE_OPTIONS: `--require ${join(root, 'bootloader.cjs')}` },
    });
    expect([status, stdout.includes('debugging'), stdout.includes('options')]).toEqual([0, false, false]);
  });
});

describe('the runtime', () => {
  test("is the editor's program, run as plain Node", async () => {
    const root = temporaryFolder();
    const editor = writeProgram(
      join(root, 'My Editor', 'code'),
      `[ "$ELECTRON_RUN_AS_NODE" = 1 ] || { echo window; exit; }; exec '${process.execPath}' "$@"`,
    );
    const { launcher, cache } = await installAlone(root, editor);
    expect(start(launcher).stdout).toContain(`"runtime":"${process.execPath}"`);
    expect(readFileSync(cache, 'utf8')).toBe(`${editor}\n`);
  });

  test('is remembered', async () => {
    const root = temporaryFolder();
    const { launcher, folder, cache } = await installAlone(root);
    const [first, second] = [writeRuntime(join(root, 'first')), writeRuntime(join(root, 'second'))];
    writeFileSync(join(folder, 'runtimes'), `${first}\n${second}\n`);
    expect(start(launcher).stdout).toContain(`${first}\n`);
    writeFileSync(join(folder, 'runtimes'), `${second}\n${first}\n`);
    expect(start(launcher).stdout).toContain(`${first}\n`);
    expect(readFileSync(cache, 'utf8')).toBe(`${first}\n`);
  });

  test.each([
    ['is gone', (path: string) => rmSync(path)],
    ['does not start', (path: string) => void writeProgram(path, 'exit 127')],
    ['is not executable', (path: string) => writeFileSync(path, '', { mode: 0o600 })],
    ['became too old', (path: string) => void writeRuntime(path, 'v18.20.0')],
    ['became a folder', (path: string) => (rmSync(path), mkdirSync(path))],
  ])('is searched for again when the remembered one %s', async (_why, spoil) => {
    const root = temporaryFolder();
    const { launcher, folder, cache } = await installAlone(root);
    const [first, second] = [writeRuntime(join(root, 'first')), writeRuntime(join(root, 'second'))];
    writeFileSync(join(folder, 'runtimes'), `${first}\n${second}\n`);
    start(launcher);
    rmSync(first);
    writeFileSync(first, '', { mode: 0o600 });
    spoil(first);
    expect(start(launcher).stdout).toContain(`${second}\n`);
    expect(readFileSync(cache, 'utf8')).toBe(`${second}\n`);
  });

  test.each([
    ['v20.0.0', true],
    ['v24.21.0', true],
    ['v99.0.0', true],
    ['v100.1.0', true],
    ['v19.9.0', false],
    ['v9.0.0', false],
    ['v2.0.0', false],
    ['1.101.0', false],
    ['', false],
  ])('accepts version %j: %j', async (version, isEnough) => {
    const root = temporaryFolder();
    const { launcher } = await installAlone(root, writeRuntime(join(root, 'node'), version));
    expect(start(launcher).status).toBe(isEnough ? 0 : 1);
  });

  test.each([
    'usr/local/bin/node',
    'opt/homebrew/bin/node',
    'home/.nvm/versions/node/v22.1.0/bin/node',
    'home/.volta/tools/image/node/22.1.0/bin/node',
    'home/.local/share/fnm/node-versions/v22.1.0/installation/bin/node',
    'home/.asdf/installs/nodejs/22.1.0/bin/node',
    'home/.local/share/mise/installs/node/22.1.0/bin/node',
  ])('is found in %s, even without HOME', async (place) => {
    const root = temporaryFolder();
    const { launcher } = await installAlone(root);
    const runtime = writeRuntime(join(root, place));
    expect(start(launcher).stdout).toContain(`${runtime}\n`);
  });

  test('is found on the PATH, but never in the working directory', async () => {
    const root = temporaryFolder();
    const { launcher } = await installAlone(root);
    const runtime = writeRuntime(join(root, 'tools', 'node'));
    const folder = join(root, 'tools');
    expect(start(launcher, { folder, environment: { PATH: ':.' } }).status).toBe(1);
    expect(start(launcher, { environment: { PATH: `/nowhere:${folder}` } }).stdout).toContain(`${runtime}\n`);
  });

  test('A1: is not remembered when it comes from the PATH', async () => {
    const root = temporaryFolder();
    const { launcher, cache } = await installAlone(root);
    const runtime = writeRuntime(join(root, 'repository', 'node_modules', '.bin', 'node'));
    expect(start(launcher, { environment: { PATH: dirname(runtime) } }).stdout).toContain(`${runtime}\n`);
    expect(existsSync(cache)).toBe(false);
    expect(start(launcher).status).toBe(1);
  });

  test('is used when it cannot be remembered', async () => {
    const root = temporaryFolder();
    const { launcher, cache } = await installAlone(root, writeRuntime(join(root, 'node')));
    mkdirSync(cache);
    expect(start(launcher)).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('a launcher that cannot start the bridge', () => {
  test('tells the user and the assistant what to install when there is no runtime', async () => {
    const { launcher } = await installAlone(temporaryFolder());
    const { status, stdout, stderr } = start(launcher, { input: request });
    expect(status).toBe(1);
    expect(stderr).toMatch(/Open a window with Drawbridge in your editor once, or install Node\.js 20 or newer/);
    expect(stdout.endsWith('\n')).toBe(true);
    const answer: unknown = JSON.parse(stdout);
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32000, message: expect.stringMatching(/install Node\.js 20 or newer/) },
    });
  });

  test('tells how to remove it when the extension was removed', async () => {
    const { launcher, extensionPath, folder } = await install({ root: temporaryFolder() });
    const removed = join(dirname(extensionPath), '.removed');
    for (const remove of [() => renameSync(extensionPath, removed), () => rmSync(join(folder, 'bridges'))]) {
      remove();
      const { status, stdout, stderr } = start(launcher, { input: request });
      expect(status).toBe(1);
      expect(stderr).toContain('remove the drawbridge entry');
      expect(stderr).toContain(launcher);
      expect(stdout).toMatch(/^\{"jsonrpc":"2\.0","id":7,"error":\{.*remove the drawbridge entry.*\}\}\n$/);
    }
    expect(existsSync(join(folder, 'runtime'))).toBe(false);
  });

  test.each(['doctor', '--help', '--version'])('does not wait for a request when the user runs %s', async (command) => {
    const { launcher } = await installAlone(temporaryFolder());
    const child = spawn(launcher, [command], { env: noPath });
    const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect([stdout, code]).toEqual(['', 1]);
    child.stdin.destroy();
  });
});

describe.each([['/bin/sh'], ['/bin/bash', '--posix']])('the launcher as a hook in %s', (...shell) => {
  /** A hook program that prints how it was started. */
  const tellingHook = `
    process.stdout.write(JSON.stringify({
      arguments: process.argv.slice(2), home: process.env.DRAWBRIDGE_HOME, options: process.env.NODE_OPTIONS,
    }));
    process.exitCode = 2;`;

  async function installHook(bridge = '') {
    const root = join(temporaryFolder(), `it's "a" $HOME`);
    const installed = await install({ root, bridge });
    const project = join(root, 'project');
    mkdirSync(join(project, 'src'), { recursive: true });
    writeFileSync(join(dirname(installed.bridge), 'hook.cjs'), tellingHook);
    const hook = (options: Start = {}) => start(installed.launcher, { shell, arguments: ['hook'], ...options });
    return { ...installed, root, project, hook };
  }

  /** Writes a guard record as a window does. */
  function guard(home: string, folder: string, state = 'open'): string {
    mkdirSync(join(home, 'guards'), { recursive: true });
    const record = join(home, 'guards', 'window-1');
    writeFileSync(record, `${state}\n{}\n${folder}\n`);
    return record;
  }

  test('G5: starts the hook program with the state folder of the launcher, whatever the environment says', async () => {
    const { home, hook } = await installHook();
    const environment = {
      ...noPath,
      HOME: '/elsewhere',
      DRAWBRIDGE_HOME: '/elsewhere',
      NODE_OPTIONS: '--require /x.js',
    };
    const { status, stdout, stderr } = hook({ environment });
    expect([status, stderr]).toEqual([2, '']);
    expect(JSON.parse(stdout)).toEqual({ arguments: ['hook'], home });
  });

  test('G5: runs no program of the PATH, also when it is started through a link', async () => {
    const { home, root, launcher } = await installHook();
    const [ran, planted, link] = [join(root, 'ran'), join(root, 'planted'), join(root, 'link')];
    for (const name of ['readlink', 'dirname', 'find', 'node']) {
      writeProgram(join(planted, name), `echo ${name} >>${JSON.stringify(ran)}`);
    }
    symlinkSync(launcher, link);
    const environment = { PATH: `${planted}:${process.env['PATH']}` };
    const { stdout } = start(link, { arguments: ['hook', 'PreToolUse'], environment });
    expect(existsSync(ran)).toBe(false);
    expect(JSON.parse(stdout)).toEqual({ arguments: ['hook', 'PreToolUse'], home });
  });

  test('G5: runs no function of the environment, which bash would take over', async () => {
    const { bridge, home, project, hook } = await installHook();
    rmSync(join(dirname(bridge), 'hook.cjs'));
    guard(home, project);
    for (const name of [
      'cd',
      'command',
      'date',
      'dirname',
      'find',
      'printf',
      'pwd',
      'read',
      'readlink',
      'true',
      'umask',
    ]) {
      const environment = { [`BASH_FUNC_${name}%%`]: '() { exit 0; }' };
      const { status, stderr } = hook({ environment, folder: project });
      expect([name, status, stderr]).toEqual([name, 2, expect.stringContaining('Drawbridge guards this folder')]);
    }
  });

  test('does not ask a runtime for its version, and takes none from the PATH', async () => {
    const { folder, root, hook } = await installHook();
    const asked = join(root, 'asked');
    const runtime = writeProgram(
      join(root, 'runtime'),
      `[ "$1" = --version ] && echo x >${JSON.stringify(asked)}; echo "$1"`,
    );
    writeFileSync(join(folder, 'runtime'), `${runtime}\n`);
    expect(hook().stdout).toContain('hook.cjs');
    expect(existsSync(asked)).toBe(false);
    rmSync(join(folder, 'runtime'));
    writeFileSync(join(folder, 'runtimes'), '/gone/node\n');
    expect(hook({ environment: { PATH: dirname(process.execPath) } })).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  const missing: readonly [string, (installed: Awaited<ReturnType<typeof installHook>>) => void][] = [
    ['the extension is uninstalled', ({ folder }) => rmSync(join(folder, 'bridges'))],
    ['the newest bridge is older than hooks', ({ bridge }) => rmSync(join(dirname(bridge), 'hook.cjs'))],
    ['there is no runtime', ({ folder }) => writeFileSync(join(folder, 'runtimes'), '')],
  ];

  test.each(missing)('lets edits pass when %s and nobody guards the folder', async (_cause, remove) => {
    const installed = await installHook();
    remove(installed);
    expect(installed.hook({ folder: installed.project })).toEqual({ status: 0, stdout: '', stderr: '' });
    guard(installed.home, installed.project, 'closed');
    expect(installed.hook({ folder: installed.project })).toEqual({ status: 0, stdout: '', stderr: '' });
    guard(installed.home, join(installed.root, 'other'));
    expect(installed.hook({ folder: installed.project })).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test.each(missing)('refuses edits in words in a guarded folder when %s', async (_cause, remove) => {
    const installed = await installHook();
    remove(installed);
    guard(installed.home, installed.project);
    const { status, stdout, stderr } = installed.hook({ folder: join(installed.project, 'src') });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^Drawbridge guards this folder, .* so this edit or command was refused\. Tell the user/);
    const moment = installed.hook({ folder: installed.project, arguments: ['hook', 'moment'] });
    expect(moment).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test.each(['exit 1', 'kill -9 $$'])(
    'refuses edits in words in a guarded folder when the program ends by "%s", and lets others pass',
    async (end) => {
      const { folder, home, project, root, hook } = await installHook();
      writeFileSync(join(folder, 'runtime'), `${writeProgram(join(root, 'runtime'), end)}\n`);
      expect(hook({ folder: project })).toMatchObject({ status: 0, stdout: '' });
      guard(home, project);
      const { status, stderr } = hook({ folder: project });
      expect([status, stderr]).toEqual([2, expect.stringContaining('Drawbridge guards this folder')]);
    },
  );

  test('lets edits pass without its program while the user has switched the guard off', async () => {
    const { bridge, home, project, hook } = await installHook();
    rmSync(join(dirname(bridge), 'hook.cjs'));
    guard(home, project);
    const off = join(home, 'guards-off');
    const statusWith = async (until: number, change?: () => void): Promise<number | null> => {
      await switchGuardsOff(home, until);
      change?.();
      return hook({ folder: project }).status;
    };
    const inAnHour = Date.now() + 3_600_000;
    // Without the id of a boot, the launcher cannot tell a record of an earlier one.
    const hasBootId = existsSync('/proc/sys/kernel/random/boot_id');
    expect(await statusWith(inAnHour)).toBe(hasBootId ? 0 : 2);
    expect(await statusWith(Date.now() - 1000)).toBe(2);
    expect(await statusWith(inAnHour + 8 * 3_600_000)).toBe(2);
    expect(await statusWith(inAnHour, () => chmodSync(off, 0o644))).toBe(2);
    const nineHoursAgo = new Date(Date.now() - 9 * 3_600_000);
    expect(await statusWith(inAnHour, () => utimesSync(off, nineHoursAgo, nineHoursAgo))).toBe(2);
    expect(await statusWith(inAnHour, () => writeFileSync(off, `{"until":${inAnHour},"bootId":"x"}`))).toBe(2);
    const moved = (): void => {
      renameSync(off, `${off}.real`);
      symlinkSync(`${off}.real`, off);
    };
    expect(await statusWith(inAnHour, moved)).toBe(2);
  });

  test('refuses an edit of a guarded file from a folder elsewhere', async () => {
    const { bridge, home, hook } = await installHook();
    rmSync(join(dirname(bridge), 'hook.cjs'));
    guard(home, '/work/shop');
    expect(hook({ input: '{"tool_input":{"file_path":"/work/shop/a.ts"}}' }).status).toBe(2);
    expect(hook({ input: '{"tool_input":{"command":"*** Update File: /work/shop/a.ts"}}' }).status).toBe(2);
    expect(hook({ input: '{"tool_input":{"file_path":"/work/shopping/a.ts"}}\n\n' }).status).toBe(0);
  });

  test('lets edits pass when the guard record is a day old', async () => {
    const { bridge, home, project, hook } = await installHook();
    rmSync(join(dirname(bridge), 'hook.cjs'));
    const yesterday = Date.now() / 1000 - 25 * 3600;
    utimesSync(guard(home, project), yesterday, yesterday);
    expect(hook({ folder: project }).status).toBe(0);
  });
});
