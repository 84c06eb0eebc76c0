import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { ancestorsOfThis, callingAssistant } from '#bridge/callingAssistant.ts';

const shell = { name: 'zsh', words: ['-zsh'] };

describe('callingAssistant', () => {
  test('sees no assistant above the shell of a person', () => {
    const ancestors = [
      shell,
      { name: 'vim', words: ['vim', 'claude.md'] },
      { name: 'tmux: server', words: ['tmux'] },
      { name: 'systemd', words: ['/lib/systemd/systemd', '--user'] },
    ];
    expect(callingAssistant(ancestors, { HOME: '/home/ada', CLAUDECODE: '' })).toBeUndefined();
  });

  test.each([
    [{ name: 'claude', words: ['claude', '-p', 'x'] }, 'Claude Code'],
    [{ name: 'node', words: ['node', '/usr/lib/node_modules/@openai/codex/bin/codex.js'] }, 'Codex'],
    [
      { name: 'node', words: ['node', '--no-warnings', '/opt/node_modules/@google/gemini-cli/dist/index.js'] },
      'Gemini CLI',
    ],
    [{ name: 'MainThread', words: ['/home/ada/.local/bin/copilot', '--allow-all-tools'] }, 'Copilot'],
    [{ name: 'opencode', words: ['/home/ada/.opencode/bin/opencode'] }, 'opencode'],
    [{ name: 'node', words: ['/home/ada/.local/bin/cursor-agent', 'index.js'] }, 'Cursor'],
    [{ name: 'node.exe', words: ['C:\\node.exe', 'C:\\x\\node_modules\\cline\\cli.mjs'] }, 'Cline'],
  ])('recognises an assistant by a program above it: %j', (ancestor, expected) => {
    expect(callingAssistant([shell, ancestor, shell], {})).toBe(expected);
  });

  test.each([
    ['CLAUDECODE', 'Claude Code'],
    ['CODEX_THREAD_ID', 'Codex'],
    ['CODEX_SANDBOX_NETWORK_DISABLED', 'Codex'],
    ['GEMINI_CLI', 'Gemini CLI'],
    ['COPILOT_CLI', 'Copilot'],
    ['OPENCODE', 'opencode'],
    ['CURSOR_AGENT', 'Cursor'],
    ['CLINE_ACTIVE', 'Cline'],
    ['AI_AGENT', 'an assistant'],
  ])('recognises an assistant by the variable %s', (name, expected) => {
    expect(callingAssistant([shell], { [name]: '1' })).toBe(expected);
  });
});

describe('ancestorsOfThis', () => {
  test.runIf(process.platform !== 'win32')('names the programs above this one, up to the first', async () => {
    const ancestors = ancestorsOfThis();
    expect(ancestors.length).toBeGreaterThan(0);
    // The program that runs this test is a Node above the workers.
    expect(JSON.stringify(ancestors)).toMatch(/node|vitest/);
    const script =
      "import('#bridge/callingAssistant.ts').then((m) => console.log(JSON.stringify(m.ancestorsOfThis()[0])))";
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    await new Promise((closed) => child.once('close', closed));
    const parent: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    expect(parent).toMatchObject({ words: expect.arrayContaining([expect.stringContaining('node')]) });
  });

  test('has none on Windows', () => {
    expect(ancestorsOfThis('win32')).toEqual([]);
  });
});
