import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { opencodePlugin } from '#connect/assistants/opencodePlugin.ts';
import { until } from '../../host/until.ts';
import { temporaryFolder } from '../../mcp/fixture.ts';

interface Call {
  readonly tool: string;
  readonly sessionID: string;
  readonly callID: string;
}

/** The hooks of a plugin, as opencode 1.18.33 calls them. */
interface Hooks {
  config(settings: object): Promise<void>;
  'chat.message'(input: { sessionID: string }, output: { message: { id: string; agent: string } }): Promise<void>;
  event(input: { event: { type: string; properties: object } }): Promise<void>;
  'tool.execute.before'(input: Call, output: { args: object }): Promise<void>;
  'tool.execute.after'(input: Call, output: { output: string }): Promise<void>;
  dispose(): Promise<void>;
}

const isPlugin = (value: unknown): value is (input: { directory: string }) => Promise<Hooks> =>
  typeof value === 'function';
const call: Call = { tool: 'edit', sessionID: 'ses_1', callID: 'call_1' };
const argsOf = () => ({ filePath: 'a.ts', oldString: 'one', newString: 'ONE' });

/** Loads the plugin with a launcher that is this shell script; the script finds its folder in `$here`. */
async function load(script: string | undefined, isGuarded = true) {
  const root = await temporaryFolder();
  const launcher = join(root, 'state/bin/drawbridge');
  mkdirSync(join(root, 'state/bin'), { recursive: true });
  if (script !== undefined) {
    writeFileSync(launcher, `#!/bin/sh\nhere='${root}'\n${script}\n`);
    chmodSync(launcher, 0o755);
  }
  if (isGuarded) {
    mkdirSync(join(root, 'state/guards'));
    writeFileSync(join(root, 'state/guards/one'), 'open\n');
  }
  const file = join(root, 'drawbridge.mjs');
  writeFileSync(file, opencodePlugin({ command: launcher, args: [] }));
  const module: unknown = await import(pathToFileURL(file).href);
  // opencode calls each export as a plugin.
  const [plugin, ...others] = Object.values(
    z.record(z.string(), z.unknown()).parse({ ...z.looseObject({}).parse(module) }),
  );
  expect(others).toEqual([]);
  if (!isPlugin(plugin)) throw new Error('The plugin exports no function.');
  return { root, launcher, hooks: await plugin({ directory: root }) };
}

/** Saves the input, and prints an answer. */
const answering = (answer: object): string =>
  `cat >>"$here/input"; echo >>"$here/input"\ncat <<'END'\n${JSON.stringify(answer)}\nEND`;

function inputs(root: string): readonly unknown[] {
  const lines = readFileSync(join(root, 'input'), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line): unknown => JSON.parse(line));
}

describe('the plugin for opencode', () => {
  test('hands the call over with its session, prompt and arguments, and lets it pass without an opinion', async () => {
    const { root, hooks } = await load(
      'cat >>"$here/input"; echo >>"$here/input"; echo "$# $1" >"$here/words"; env >"$here/env"',
    );
    await hooks['chat.message']({ sessionID: 'ses_1' }, { message: { id: 'msg_1', agent: 'build' } });
    const output = { args: argsOf() };
    await hooks['tool.execute.before'](call, output);
    expect(output.args).toEqual(argsOf());
    const asked = { drawbridge: 'opencode', version: 1, sessionID: 'ses_1', messageID: 'msg_1', callID: 'call_1' };
    const wanted = { ...asked, event: 'before', tool: 'edit', args: argsOf(), directory: root };
    expect(inputs(root)).toEqual([wanted]);
    expect(readFileSync(join(root, 'words'), 'utf8')).toBe('1 hook\n');
    // The shell itself sets these.
    expect(readFileSync(join(root, 'env'), 'utf8').replaceAll(/^(?:PWD|OLDPWD|SHLVL|_)=.*\n/gm, '')).toBe('');
    const result = { output: 'Done.' };
    await hooks['tool.execute.after'](call, result);
    expect(result.output).toBe('Done.');
    expect(inputs(root)).toEqual([wanted, { ...wanted, event: 'after' }]);
  });

  test('changes the arguments in place and tells the model what was changed', async () => {
    const words = 'The user left a line out. '.repeat(20_000);
    const { hooks } = await load(answering({ decision: 'allow', args: { oldString: 'o', newString: '$&' }, words }));
    const args = argsOf();
    const output = { args };
    await hooks['tool.execute.before'](call, output);
    expect(output.args).toBe(args);
    expect(args).toEqual({ filePath: 'a.ts', oldString: 'o', newString: '$&' });
    const result = { output: 'Done.' };
    await hooks['tool.execute.after'](call, result);
    expect(result.output).toBe(`Done.\n\n${words}`);
  });

  test('lets no other plugin change what was approved', async () => {
    const { hooks } = await load(answering({ decision: 'allow' }));
    const args = argsOf();
    await hooks['tool.execute.before'](call, { args });
    expect(() => (args.newString = 'other')).toThrow('Another plugin of opencode wanted to change this edit');
    expect(() => Object.assign(args, { replaceAll: true })).toThrow(TypeError);
    expect(structuredClone(args)).toEqual(argsOf());
  });

  test('refuses in the words of the answer', async () => {
    const { hooks } = await load(answering({ decision: 'deny', words: 'The user declined this edit.' }));
    await expect(hooks['tool.execute.before'](call, { args: argsOf() })).rejects.toThrow(
      /^The user declined this edit\.$/,
    );
  });

  test('refuses in the words of the launcher when it ends with code 2', async () => {
    const { hooks } = await load('echo "Drawbridge guards this folder." >&2; exit 2', false);
    await expect(hooks['tool.execute.before'](call, { args: argsOf() })).rejects.toThrow(
      /^Drawbridge guards this folder\.$/,
    );
  });

  test('lets every edit pass when the launcher is not installed', async () => {
    const { hooks } = await load(undefined);
    await expect(hooks['tool.execute.before'](call, { args: argsOf() })).resolves.toBeUndefined();
  });

  test.each([
    ['the launcher is killed', 'kill -9 $$', 'it was stopped by SIGKILL'],
    ['the launcher ends with another code', 'exit 7', 'it ended with code 7'],
    ['the answer cannot be read', 'echo no', 'its answer cannot be read'],
  ])('refuses when %s, unless no window guards anything', async (_when, script, reason) => {
    const guarded = await load(script);
    const asking = guarded.hooks['tool.execute.before'](call, { args: argsOf() });
    await expect(asking).rejects.toThrow(`Drawbridge could not look at this edit, so it was not made: ${reason}.`);
    const { hooks } = await load(script, false);
    await hooks['tool.execute.before'](call, { args: argsOf() });
  });

  test('refuses when the launcher cannot be started', async () => {
    const { launcher, hooks } = await load('exit 0');
    chmodSync(launcher, 0o644);
    await expect(hooks['tool.execute.before'](call, { args: argsOf() })).rejects.toThrow('EACCES');
  });

  test('asks only about tools that write files or run commands', async () => {
    const { root, hooks } = await load('echo asked >"$here/input"');
    for (const tool of ['read', 'glob', 'task', 'drawbridge_apply_edit']) {
      await hooks['tool.execute.before']({ ...call, tool }, { args: {} });
      await hooks['tool.execute.after']({ ...call, tool }, { output: '' });
    }
    expect(existsSync(join(root, 'input'))).toBe(false);
  });

  test('asks about a command with the shell of the settings, and refuses in words about commands', async () => {
    const { root, hooks } = await load('cat >>"$here/input"; exit 2');
    await hooks.config({ shell: '/bin/zsh' });
    const args = { command: 'ls' };
    const asking = hooks['tool.execute.before']({ ...call, tool: 'bash' }, { args });
    await expect(asking).rejects.toThrow('Drawbridge refused this command. Tell the user.');
    expect(inputs(root)).toMatchObject([{ event: 'before', tool: 'bash', args, shell: '/bin/zsh' }]);
  });

  test('tells the moments of the sessions of the user in order, none of a subagent, and waits for the last', async () => {
    const { root, hooks } = await load(
      'echo "$*" >>"$here/words"; cat >>"$here/input"; echo >>"$here/input"; /bin/sleep 0.05',
    );
    const event = (type: string, properties: object) => hooks.event({ event: { type, properties } });
    await event('session.created', { sessionID: 'ses_1', info: { id: 'ses_1' } });
    await event('session.created', { sessionID: 'ses_2', info: { id: 'ses_2', parentID: 'ses_1' } });
    await event('session.idle', { sessionID: 'ses_2' });
    await event('session.deleted', { sessionID: 'ses_2', info: { id: 'ses_2', parentID: 'ses_1' } });
    await event('session.idle', { sessionID: 'ses_1' });
    await event('session.deleted', { sessionID: 'ses_1', info: { id: 'ses_1' } });
    await event('session.created', { sessionID: 'ses_3', info: { id: 'ses_3' } });
    await hooks.dispose();
    const wanted = [
      ['sessionBegan', 'ses_1'],
      ['turnEnded', 'ses_1'],
      ['sessionEnded', 'ses_1'],
      ['sessionBegan', 'ses_3'],
      ['sessionEnded', 'ses_3'],
    ].map(([moment, sessionID]) => ({ drawbridge: 'opencode', version: 1, event: moment, sessionID, directory: root }));
    expect(inputs(root)).toEqual(wanted);
    expect(readFileSync(join(root, 'words'), 'utf8')).toBe('hook moment\n'.repeat(5));
  });

  test('names the subagent, and the session and the prompt of the user', async () => {
    const { root, hooks } = await load('cat >>"$here/input"');
    await hooks['chat.message']({ sessionID: 'ses_1' }, { message: { id: 'msg_1', agent: 'build' } });
    const info = { id: 'ses_2', parentID: 'ses_1' };
    await hooks.event({ event: { type: 'session.created', properties: { sessionID: 'ses_2', info } } });
    await hooks['chat.message']({ sessionID: 'ses_2' }, { message: { id: 'msg_2', agent: 'general' } });
    await hooks['tool.execute.before']({ ...call, sessionID: 'ses_2' }, { args: argsOf() });
    const agent = { id: 'ses_2', kind: 'general' };
    expect(inputs(root)).toMatchObject([{ sessionID: 'ses_1', messageID: 'msg_1', agent }]);
  });

  test.each([
    ['the user stops the session', { type: 'session.error', properties: { sessionID: 'ses_1' } }],
    [
      'the call fails',
      { type: 'message.part.updated', properties: { part: { ...call, type: 'tool', state: { status: 'error' } } } },
    ],
  ])('stops the launcher and refuses when %s meanwhile', async (_when, event) => {
    // Nothing is guarded, so that the plugin would not refuse only because the launcher was killed.
    const { root, hooks } = await load('echo $$ >"$here/pid"\nexec /bin/sleep 60', false);
    const asking = hooks['tool.execute.before'](call, { args: argsOf() });
    const refused = expect(asking).rejects.toThrow('The user stopped this edit, so it was not made.');
    await until(() => existsSync(join(root, 'pid')), 'the launcher');
    await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 'ses_9' } } });
    await hooks.event({ event });
    await refused;
  });

  test('tells the window that an allowed call has failed', async () => {
    const { root, hooks } = await load(answering({ decision: 'allow' }));
    await hooks['tool.execute.before'](call, { args: argsOf() });
    const part = { ...call, type: 'tool', state: { status: 'error' } };
    await hooks.event({ event: { type: 'message.part.updated', properties: { part } } });
    expect(inputs(root)).toMatchObject([{ event: 'before' }, { event: 'after' }]);
  });

  test('stops the launcher when opencode ends', async () => {
    const { root, hooks } = await load('echo $$ >"$here/pid"\nexec /bin/sleep 60');
    const refused = expect(hooks['tool.execute.before'](call, { args: argsOf() })).rejects.toThrow('stopped');
    await until(() => existsSync(join(root, 'pid')), 'the launcher');
    await hooks.dispose();
    await refused;
  });

  test('makes an allowed edit when the launcher is gone afterwards', async () => {
    const { launcher, hooks } = await load(answering({ decision: 'allow', words: 'Changed.' }));
    await hooks['tool.execute.before'](call, { args: argsOf() });
    rmSync(launcher);
    const result = { output: '' };
    await hooks['tool.execute.after'](call, result);
    expect(result.output).toBe('Changed.');
  });
});
