import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Assistant, Machine } from '#connect/assistant.ts';
import { amp } from '#connect/assistants/amp.ts';
import { cline } from '#connect/assistants/cline.ts';
import { assistants } from '#connect/assistants/allAssistants.ts';
import { kiloCode } from '#connect/assistants/kiloCode.ts';
import { opencode } from '#connect/assistants/opencode.ts';
import { temporaryMachine } from '../temporaryMachine.ts';

const linux: Machine = {
  platform: 'linux',
  home: '/home/ada',
  environment: {},
  launcher: '/home/ada/.drawbridge/bin/drawbridge',
  editorUserFolder: '/home/ada/.config/Code/User',
};
const mac: Machine = {
  ...linux,
  platform: 'darwin',
  home: '/Users/ada',
  editorUserFolder: '/Users/ada/Library/Application Support/Code/User',
};
const windows: Machine = {
  platform: 'win32',
  home: String.raw`C:\Users\Ada`,
  environment: { APPDATA: String.raw`C:\Users\Ada\AppData\Roaming` },
  launcher: String.raw`C:\Users\Ada\.drawbridge\bin\drawbridge.cmd`,
  editorUserFolder: String.raw`C:\Users\Ada\AppData\Roaming\Code\User`,
};

const filesOf = (machine: Machine): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(assistants.map((assistant) => [assistant.id, assistant.configurationFile(machine)]));

describe('the paths of configurations', () => {
  test('are below the home folder on Linux', () => {
    expect(filesOf(linux)).toEqual({
      'claude-code': '/home/ada/.claude.json',
      'claude-desktop': '/home/ada/.config/Claude/claude_desktop_config.json',
      cursor: '/home/ada/.cursor/mcp.json',
      codex: '/home/ada/.codex/config.toml',
      'antigravity-cli': '/home/ada/.gemini/config/mcp_config.json',
      'gemini-cli': '/home/ada/.gemini/settings.json',
      'copilot-cli': '/home/ada/.copilot/mcp-config.json',
      vscode: '/home/ada/.config/Code/User/mcp.json',
      windsurf: '/home/ada/.codeium/windsurf/mcp_config.json',
      zed: '/home/ada/.config/zed/settings.json',
      opencode: '/home/ada/.config/opencode/opencode.json',
      cline: '/home/ada/.cline/data/settings/cline_mcp_settings.json',
      'kilo-code': '/home/ada/.config/kilo/kilo.json',
      kiro: '/home/ada/.kiro/settings/mcp.json',
      amp: '/home/ada/.config/amp/settings.json',
      droid: '/home/ada/.factory/mcp.json',
      junie: '/home/ada/.junie/mcp/mcp.json',
      'qwen-code': '/home/ada/.qwen/settings.json',
      'roo-code': '/home/ada/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
      goose: '/home/ada/.config/goose/config.yaml',
    });
  });

  test('are below the home folder and Library on macOS', () => {
    expect(filesOf(mac)).toMatchObject({
      'claude-code': '/Users/ada/.claude.json',
      'claude-desktop': '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
      vscode: '/Users/ada/Library/Application Support/Code/User/mcp.json',
      zed: '/Users/ada/.config/zed/settings.json',
      opencode: '/Users/ada/.config/opencode/opencode.json',
      goose: '/Users/ada/.config/goose/config.yaml',
    });
  });

  test('are below the profile folders on Windows', () => {
    expect(filesOf(windows)).toMatchObject({
      'claude-code': String.raw`C:\Users\Ada\.claude.json`,
      'claude-desktop': String.raw`C:\Users\Ada\AppData\Roaming\Claude\claude_desktop_config.json`,
      cursor: String.raw`C:\Users\Ada\.cursor\mcp.json`,
      codex: String.raw`C:\Users\Ada\.codex\config.toml`,
      vscode: String.raw`C:\Users\Ada\AppData\Roaming\Code\User\mcp.json`,
      windsurf: String.raw`C:\Users\Ada\.codeium\windsurf\mcp_config.json`,
      zed: String.raw`C:\Users\Ada\AppData\Roaming\Zed\settings.json`,
      opencode: String.raw`C:\Users\Ada\.config\opencode\opencode.json`,
      'kilo-code': String.raw`C:\Users\Ada\.config\kilo\kilo.json`,
      amp: String.raw`C:\Users\Ada\.config\amp\settings.json`,
      goose: String.raw`C:\Users\Ada\AppData\Roaming\Block\goose\config\config.yaml`,
    });
  });

  test('follow the environment variables of the assistants', () => {
    const environment = {
      XDG_CONFIG_HOME: '/x',
      CLAUDE_CONFIG_DIR: '/c',
      CODEX_HOME: '/o',
      GEMINI_CLI_HOME: '/g',
      COPILOT_HOME: '/p',
      CLINE_DATA_DIR: '/d',
      GOOSE_PATH_ROOT: '/r',
      QWEN_HOME: '/q',
    };
    expect(filesOf({ ...linux, environment })).toMatchObject({
      'claude-code': '/c/.claude.json',
      'claude-desktop': '/x/Claude/claude_desktop_config.json',
      codex: '/o/config.toml',
      'gemini-cli': '/g/.gemini/settings.json',
      'copilot-cli': '/p/mcp-config.json',
      zed: '/x/zed/settings.json',
      opencode: '/x/opencode/opencode.json',
      cline: '/d/settings/cline_mcp_settings.json',
      goose: '/r/config/config.yaml',
      'kilo-code': '/x/kilo/kilo.json',
      amp: '/x/amp/settings.json',
      'qwen-code': '/q/settings.json',
    });
    expect(filesOf({ ...mac, environment: { XDG_CONFIG_HOME: '/x' } })).toMatchObject({
      zed: '/Users/ada/.config/zed/settings.json',
      goose: '/Users/ada/.config/goose/config.yaml',
    });
  });

  test('ignore a variable that is not an absolute path', () => {
    const environment = { XDG_CONFIG_HOME: 'relative', CODEX_HOME: '', CLAUDE_CONFIG_DIR: ' ' };
    expect(filesOf({ ...linux, environment })).toEqual(filesOf(linux));
  });

  test('are unknown for assistants of the editor when its user folder is unknown', () => {
    const files = filesOf({ ...linux, editorUserFolder: undefined });
    expect(files).toMatchObject({ vscode: undefined, 'roo-code': undefined });
    expect(files['cline']).toBe('/home/ada/.cline/data/settings/cline_mcp_settings.json');
  });

  test.each([
    { assistant: opencode, name: 'opencode/opencode.jsonc' },
    { assistant: kiloCode, name: 'kilo/kilo.jsonc' },
  ])('prefer the file with comments of $assistant.id when it exists', async ({ assistant, name }) => {
    const machine = await temporaryMachine();
    const file = join(machine.home, '.config', name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '{}');
    expect(assistant.configurationFile(machine)).toBe(file);
  });

  test('use the file of Amp with comments only when the other one is missing, as Amp does', async () => {
    const machine = await temporaryMachine();
    const folder = join(machine.home, '.config', 'amp');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'settings.jsonc'), '{}');
    expect(amp.configurationFile(machine)).toBe(join(folder, 'settings.jsonc'));
    await writeFile(join(folder, 'settings.json'), '{}');
    expect(amp.configurationFile(machine)).toBe(join(folder, 'settings.json'));
  });

  test('use the file of Cline’s extension from before 2026 when only that exists', async () => {
    const machine = await temporaryMachine();
    const folder = join(machine.editorUserFolder ?? '', 'globalStorage', 'saoudrizwan.claude-dev');
    await mkdir(folder, { recursive: true });
    expect(cline.configurationFile(machine)).toBe(join(folder, 'settings', 'cline_mcp_settings.json'));
    await mkdir(join(machine.home, '.cline', 'data'), { recursive: true });
    expect(cline.configurationFile(machine)).toContain('.cline');
  });
});

describe('the entries of assistants', () => {
  const launcher = { command: '/b/drawbridge', args: [] };
  const entryOf = (id: string, command = launcher): unknown =>
    assistants.find((assistant) => assistant.id === id)?.entry(command);

  test('name the launcher and contain no token, port or folder', () => {
    for (const assistant of assistants) {
      const text = JSON.stringify(assistant.entry(launcher));
      expect(text).toContain('/b/drawbridge');
      expect(text).not.toMatch(/Bearer|token|http|--folder|127\.0\.0\.1/i);
    }
  });

  test('have the shape that each assistant reads', () => {
    expect(entryOf('claude-code')).toEqual({ type: 'stdio', command: '/b/drawbridge', args: [], env: {} });
    expect(entryOf('copilot-cli')).toEqual({ type: 'local', command: '/b/drawbridge', args: [], tools: ['*'] });
    expect(entryOf('codex')).toMatchObject({ env_vars: ['DRAWBRIDGE_WINDOW'] });
    expect(entryOf('goose')).toMatchObject({ type: 'stdio', cmd: '/b/drawbridge', args: [], timeout: 300 });
    const forWindows = { command: 'cmd.exe', args: ['/d', '/c', 'x.cmd'] as string[] };
    expect(entryOf('opencode', { ...forWindows, args: [] })).toMatchObject({ type: 'local', command: ['cmd.exe'] });
    expect(assistants.map(({ id }) => id)).toEqual([...new Set(assistants.map(({ id }: Assistant) => id))]);
  });
});
