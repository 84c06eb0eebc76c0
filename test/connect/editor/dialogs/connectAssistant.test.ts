import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ConfigurationError } from '#connect/configurationError.ts';
import { connectAssistant, type ConnectDependencies } from '#connect/editor/dialogs/connectAssistant.ts';
import { editor, resetEditor } from '../../../fakes/editor/editor.ts';
import { claude, codex, fakeAssistant, FakeConfigurations, settingsFile, zed } from './fakeConfigurations.ts';

const compared = vi.hoisted(() => ({ count: 0 }));
vi.mock('#connect/editor/dialogs/compareConfiguration.ts', () => ({
  besideComparison: async (_change: unknown, ask: () => Promise<unknown>) => {
    compared.count += 1;
    return ask();
  },
}));

let configurations: FakeConfigurations;
let started: number;
let tokens: number;
const urls: string[] = [];

beforeEach(() => {
  resetEditor();
  [started, tokens, urls.length, compared.count] = [0, 0, 0, 0];
  configurations = new FakeConfigurations();
  configurations.found.add('codex');
  configurations.files.set(configurations.fileOf(codex), 'model = "x"\n');
});

function dependencies(change: Partial<ConnectDependencies> = {}): ConnectDependencies {
  return {
    configurations,
    http: {
      hasToken: () => tokens > 0,
      createToken: async () => void (tokens += 1),
      copyUrl: async () => urls.push('copied'),
    },
    editorHasAgent: true,
    remoteMachine: undefined,
    prepareLauncher: async () => undefined,
    start: async () => {
      started += 1;
      return true;
    },
    ...change,
  };
}

/** The notification after it is not waited for by the command. */
const told = () => vi.waitFor(() => expect(editor.answers).toEqual([]));

describe('Connect an Assistant', () => {
  test('lists those of this machine first, with what they have of Drawbridge', async () => {
    const cline = fakeAssistant('cline', 'Cline');
    const goose = fakeAssistant('goose', 'Goose');
    configurations = new FakeConfigurations([zed, cline, goose, codex]);
    configurations.connect(codex);
    configurations.connect(goose, 'outdated');
    configurations.broken.add('cline');
    await connectAssistant(dependencies());
    expect(editor.shown[0]?.choices).toEqual([
      'found on this machine',
      '$(error) Cline its configuration cannot be read',
      '$(warning) Goose has an old entry, which is repaired',
      '$(terminal) Codex CLI set up',
      'nothing to set up',
      "$(copilot) Visual Studio Code's Own Agent finds Drawbridge by itself: see how to use it",
      'not found on this machine',
      '$(terminal) Zed',
      'any other',
      '$(ellipsis) Something Else... a command line, JSON or URL to copy',
    ]);
  });

  test('has no heading without rows, and shows by its icon how an assistant is started', async () => {
    configurations = new FakeConfigurations([
      { ...zed, kind: 'editor' },
      fakeAssistant('copilot-cli', 'Copilot CLI'),
      { ...fakeAssistant('cline', 'Cline'), kind: 'extension' },
      { ...fakeAssistant('goose', 'Goose'), kind: 'app' },
    ]);
    await connectAssistant(dependencies({ editorHasAgent: false }));
    expect(editor.shown[0]?.choices).toEqual([
      'not found on this machine',
      '$(window) Zed',
      '$(copilot) Copilot CLI',
      '$(extensions) Cline',
      '$(device-desktop) Goose',
      'any other',
      '$(ellipsis) Something Else... a command line, JSON or URL to copy',
    ]);
  });

  test("leaves out the editor's own file where its agent finds Drawbridge by itself", async () => {
    configurations = new FakeConfigurations([fakeAssistant('vscode', 'VS Code')]);
    await connectAssistant(dependencies());
    expect(editor.shown[0]?.choices).not.toContain('$(terminal) VS Code');
    await connectAssistant(dependencies({ editorHasAgent: false }));
    expect(editor.shown[1]?.choices).toContain('$(terminal) VS Code');
  });

  test('takes two answers: it shows the file and the lines, writes, and starts this window', async () => {
    editor.answers.push('Codex', 'Connect');
    await connectAssistant(dependencies());
    const [, question, message] = editor.shown;
    expect(question).toMatchObject({
      message: 'Connect Codex CLI to Drawbridge?',
      choices: ['Connect', 'Show Diff'],
    });
    expect(question?.detail?.split('\n')).toEqual([
      'These lines of the file will change: ~/.codex/config.toml',
      '',
      '+ [mcp_servers.drawbridge]',
      '+ command = "/home/ada/.drawbridge/bin/drawbridge"',
      '',
      'Everything else in the file stays as it is. Drawbridge keeps a backup of the file.',
      '',
      'Edits that Codex CLI makes with its own edit tools are not reviewed by Drawbridge yet.',
    ]);
    expect(configurations.textOf(codex)).toContain('[mcp_servers.drawbridge]');
    expect([...configurations.connected]).toEqual(['codex']);
    expect(started).toBe(1);
    expect(message).toMatchObject({
      kind: 'information',
      message: 'Codex CLI is set up: start it to connect. Already running? Start it again.',
      choices: ['Copy a First Question', 'Undo'],
    });
  });

  test('changes nothing when the user cancels', async () => {
    editor.answers.push('Codex', undefined);
    await connectAssistant(dependencies());
    editor.answers.push('Codex', 'Show Diff', 'Cancel');
    await connectAssistant(dependencies());
    editor.answers.push('Codex', 'Show Diff', undefined);
    await connectAssistant(dependencies());
    expect(compared.count).toBe(2);
    expect(configurations.textOf(codex)).toBe('model = "x"\n');
    expect([configurations.connected.size, started]).toEqual([0, 0]);
  });

  describe('for an assistant whose own edits can be guarded', () => {
    beforeEach(() => {
      configurations = new FakeConfigurations([claude]);
    });
    const all = ['Tools of Drawbridge', 'Approve its own edits before they are made', 'Do not ask twice'];

    test('names its parts, and changes both files after the user saw the lines of each', async () => {
      editor.answers.push('Connect');
      await connectAssistant(dependencies(), 'claude');
      const [question, message] = editor.shown;
      expect(question?.choices).toEqual(['Connect', 'Show Diff', 'Choose Parts...']);
      expect(question?.detail?.split('\n').slice(0, 4)).toEqual([
        'This sets up the following. Disconnect takes all of it back.',
        ...all.map((part) => `• ${part}`),
      ]);
      expect(question?.detail).not.toContain('not reviewed');
      expect(question?.detail).toContain('+ [mcp_servers.drawbridge]');
      expect(question?.detail).toContain('+ guard');
      expect(configurations.files.get(settingsFile('claude'))).toBe('guard\npermission');
      expect(configurations.textOf(claude)).toContain('[mcp_servers.drawbridge]');
      expect(message?.message).toContain('its own edits of files in your windows wait');
    });

    test('says that own edits are not reviewed when the guard is not picked', async () => {
      editor.answers.push('Choose Parts...', ['Tools of Drawbridge', 'Do not ask twice'], 'Connect');
      await connectAssistant(dependencies(), 'claude');
      expect(editor.shown[2]?.choices).toEqual(['Connect', 'Show Diff']);
      expect(editor.shown[2]?.detail).toContain('are then not reviewed by Drawbridge');
      expect(configurations.files.get(settingsFile('claude'))).toBe('permission');
    });

    test('removes a part that is no longer picked', async () => {
      configurations.connect(claude);
      configurations.files.set(settingsFile('claude'), 'guard\npermission');
      editor.answers.push(['Tools of Drawbridge', 'Approve its own edits'], 'Connect');
      await connectAssistant(dependencies(), 'claude');
      expect(configurations.files.get(settingsFile('claude'))).toBe('guard');
    });

    test('picks all parts but the one that switches edit tools off, which stays picked when it is set up', async () => {
      const pickedParts = async (...before: string[]) => {
        editor.answers.push(...before, undefined);
        await connectAssistant(dependencies(), 'claude');
        return editor.shown.at(-1)?.items?.flatMap(({ label, picked }) => (picked === true ? [label] : []));
      };
      expect(await pickedParts('Choose Parts...')).toEqual(all);
      configurations.files.set(settingsFile('claude'), 'only');
      expect(await pickedParts()).toEqual([...all, 'Only through Drawbridge']);
    });

    test.each([
      ['untrusted', "Trust Drawbridge's Hook", 'trusted'],
      ['modified', undefined, 'modified'],
      ['unknown', undefined, 'unknown'],
    ] as const)(
      'says that its hook is not run while its trust is %s, and trusts it on a click',
      async (before, answer, after) => {
        configurations.trust.set('claude', before);
        editor.answers.push('Connect', undefined, answer);
        await connectAssistant(dependencies(), 'claude');
        await vi.waitFor(() => expect(configurations.trust.get('claude')).toBe(after));
        const asked = editor.shown.at(-1);
        expect(asked?.message).toContain('runs no hook that you have not trusted');
        expect(asked?.message).toContain(before === 'unknown' ? 'Run /hooks in Claude Code' : '~/.claude/config.toml');
      },
    );

    test('says how to trust the hook by hand when the assistant does not take the trust', async () => {
      configurations.trust.set('claude', 'untrusted');
      configurations.refusesTrust = true;
      editor.answers.push('Connect', undefined, "Trust Drawbridge's Hook");
      await connectAssistant(dependencies(), 'claude');
      await vi.waitFor(() => expect(editor.shown.at(-1)?.kind).toBe('error'));
      expect(editor.shown.at(-1)?.message).toContain('Run /hooks in Claude Code');
    });

    test('says nothing about trust when the hook is trusted', async () => {
      configurations.trust.set('claude', 'trusted');
      editor.answers.push('Connect');
      await connectAssistant(dependencies(), 'claude');
      expect(editor.shown).toHaveLength(2);
    });

    test('changes nothing when the user dismisses either question', async () => {
      editor.answers.push(undefined);
      await connectAssistant(dependencies(), 'claude');
      editor.answers.push('Choose Parts...', undefined);
      await connectAssistant(dependencies(), 'claude');
      expect([configurations.files.size, configurations.connected.size, started]).toEqual([0, 0, 0]);
    });

    test('takes back both files with Undo', async () => {
      editor.answers.push('Connect', 'Undo');
      await connectAssistant(dependencies(), 'claude');
      await vi.waitFor(() => expect(configurations.connected.size).toBe(0));
      expect(configurations.files.size).toBe(0);
    });
  });

  test('returns to the question beside the diff', async () => {
    editor.answers.push('Codex', 'Show Diff', 'Connect');
    await connectAssistant(dependencies());
    expect(editor.shown[2]).toMatchObject({ kind: 'pick', message: 'Connect Codex CLI to Drawbridge?' });
    expect(editor.shown[2]?.choices).toEqual(['Connect ~/.codex/config.toml', 'Cancel']);
    expect(configurations.textOf(codex)).toContain('[mcp_servers.drawbridge]');
  });

  test('restores the file byte for byte with Undo, and forgets that it was set up', async () => {
    editor.answers.push('Codex', 'Connect', 'Undo');
    await connectAssistant(dependencies());
    await vi.waitFor(() => expect(configurations.connected.size).toBe(0));
    expect(configurations.textOf(codex)).toBe('model = "x"\n');
  });

  test('keeps with Undo what a running assistant wrote into its file since', async () => {
    editor.answers.push('Codex', 'Connect', 'Undo');
    const start = async () => {
      configurations.files.set(configurations.fileOf(codex), `n = 1\n${configurations.textOf(codex)}`);
      return true;
    };
    await connectAssistant(dependencies({ start }));
    await vi.waitFor(() => expect(configurations.connected.size).toBe(0));
    expect(configurations.textOf(codex)).toBe('n = 1\nmodel = "x"\n');
  });

  test('keeps the assistant set up with Undo of a repair', async () => {
    configurations.connect(codex, 'outdated');
    const before = configurations.textOf(codex);
    editor.answers.push('Connect', 'Undo');
    await connectAssistant(dependencies(), 'codex');
    await vi.waitFor(() => expect(configurations.textOf(codex)).toBe(before));
    expect([...configurations.connected]).toEqual(['codex']);
  });

  test('asks nothing when it is set up already, but starts', async () => {
    configurations.connect(codex);
    await connectAssistant(dependencies(), 'codex');
    expect(editor.shown).toMatchObject([{ message: 'Codex CLI is set up already: start it to connect.' }]);
    expect(editor.shown[0]?.choices).toEqual(['Copy a First Question']);
    expect(started).toBe(1);
  });

  /** Something happens between the first plan and the answer to it. */
  function meanwhile(happens: () => void): void {
    const { planParts } = configurations;
    configurations.planParts = async (assistant, wanted) => {
      const changes = await planParts(assistant, wanted);
      configurations.planParts = planParts;
      happens();
      return changes;
    };
  }

  test('keeps what a running assistant writes into its file meanwhile, and does not ask again', async () => {
    meanwhile(() => configurations.files.set(configurations.fileOf(codex), 'model = "y"\n'));
    editor.answers.push('Codex', 'Connect');
    await connectAssistant(dependencies());
    expect(configurations.textOf(codex)).toMatch(/^model = "y"\n\[mcp_servers/);
    expect(editor.shown.at(-1)?.message).toMatch(/is set up/);
  });

  test('asks again when the change looks different after the answer', async () => {
    meanwhile(() => configurations.connect(codex, 'outdated'));
    editor.answers.push('Codex', 'Connect', undefined);
    await connectAssistant(dependencies());
    expect(editor.shown[2]?.detail).toContain('- command = "/old"');
    expect(configurations.textOf(codex)).toContain('"/old"');
  });

  test('leaves a file alone that changed meanwhile, and asks again', async () => {
    const { apply } = configurations;
    configurations.apply = async (change) => {
      configurations.files.set(change.file, 'model = "y"\n');
      configurations.apply = apply;
      return configurations.apply(change);
    };
    editor.answers.push('Codex', 'Connect', 'Try Again', 'Connect');
    await connectAssistant(dependencies());
    expect(editor.shown[2]).toMatchObject({
      kind: 'error',
      message: 'Codex CLI was not set up. The file was changed meanwhile. Try again.',
      choices: ['Open File', 'Try Again'],
    });
    expect(configurations.textOf(codex)).toMatch(/^model = "y"\n\[mcp_servers/);
  });

  test('explains a broken file and offers to open it', async () => {
    configurations.broken.add('codex');
    editor.answers.push('Codex', 'Open File');
    await connectAssistant(dependencies());
    expect(editor.shown[1]?.message).toBe('Codex CLI was not set up. Line 3, column 1 is broken. Repair it.');
    expect(editor.executed).toMatchObject([['vscode.open', { path: '/home/ada/.codex/config.toml' }]]);
    expect(started).toBe(0);
  });

  test('writes nothing that would lead nowhere', async () => {
    editor.answers.push('Codex', 'Run Doctor');
    await connectAssistant(dependencies({ prepareLauncher: () => Promise.reject(new Error('The disk is full.')) }));
    await told();
    expect(editor.shown[1]?.message).toContain('The disk is full.');
    expect(configurations.textOf(codex)).toBe('model = "x"\n');
    await vi.waitFor(() => expect(editor.executed).toEqual([['drawbridge.doctor']]));
  });

  test('says where it has to run, and that this window is still closed', async () => {
    editor.answers.push('Codex', 'Connect', 'Start Drawbridge');
    await connectAssistant(dependencies({ remoteMachine: 'build-7', start: async () => false }));
    await told();
    expect(editor.shown[2]?.message).toBe(
      'Codex CLI is set up: start it to connect. Already running? Start it again. It must run on build-7: start it in the integrated terminal. It reaches this window as soon as Drawbridge is started.',
    );
    await vi.waitFor(() => expect(editor.executed).toEqual([['drawbridge.start']]));
  });

  test('explains how to make the editor’s own agent ask only once', async () => {
    editor.answers.push('Own Agent', 'Manage Tool Approval');
    await connectAssistant(dependencies());
    expect(editor.shown[1]?.detail).toContain('Always Allow Tools from Drawbridge');
    expect(editor.executed).toEqual([['workbench.action.chat.editToolApproval']]);
  });

  test("copies a first question for the editor's own agent", async () => {
    editor.answers.push('Own Agent', 'Copy a First Question');
    await connectAssistant(dependencies());
    expect(editor.clipboard).toBe('Use Drawbridge to tell me what is open in my editor.');
  });

  test('connects Copilot CLI for the Agents window, which may not see servers of extensions', async () => {
    const copilot = fakeAssistant('copilot-cli', 'Copilot CLI');
    configurations = new FakeConfigurations([copilot]);
    editor.answers.push('Own Agent', 'Connect Copilot CLI...', 'Connect');
    await connectAssistant(dependencies());
    expect(editor.shown[1]?.detail).toContain('missing in the Agents window, connect Copilot CLI');
    expect([...configurations.connected]).toEqual(['copilot-cli']);
  });

  test('shows the note of a product beside its name', async () => {
    const old = { ...fakeAssistant('old', 'Old Code'), note: 'shut down in May 2026' };
    configurations = new FakeConfigurations([old]);
    await connectAssistant(dependencies());
    expect(editor.shown[0]?.choices).toContain('$(terminal) Old Code shut down in May 2026');
  });
});

describe('Something Else', () => {
  test('copies the command line', async () => {
    editor.answers.push('Something Else', 'Copy Command Line');
    await connectAssistant(dependencies());
    expect(editor.clipboard).toBe('/home/ada/.drawbridge/bin/drawbridge');
    expect([...configurations.connected]).toEqual(['something-else']);
    expect(started).toBe(1);
  });

  test('copies JSON that programs read', async () => {
    editor.answers.push('Something Else', 'Copy JSON');
    await connectAssistant(dependencies());
    const entry = { command: '/home/ada/.drawbridge/bin/drawbridge', args: [] };
    expect(JSON.parse(editor.clipboard)).toEqual({ mcpServers: { drawbridge: entry } });
  });

  test('suggests what to do where no assistant can start the launcher, and connects nothing', async () => {
    configurations.launcherCommand = () => {
      throw new ConfigurationError('Its path has a ",".', 'Set DRAWBRIDGE_HOME.');
    };
    editor.answers.push('Something Else', 'Copy JSON');
    await connectAssistant(dependencies());
    expect(editor.shown.at(-1)?.message).toBe('Nothing was set up. Its path has a ",". Set DRAWBRIDGE_HOME.');
    expect([editor.clipboard, configurations.connected.size, started]).toEqual(['', 0, 0]);
  });

  test('makes a token first for the URL, and leaves it on the clipboard until the URL is asked for', async () => {
    editor.answers.push('Something Else', 'Copy URL', undefined);
    await connectAssistant(dependencies());
    expect([tokens, urls, configurations.connected.size]).toEqual([1, [], 0]);
    editor.answers.push('Something Else', 'Copy URL', 'Copy URL');
    await connectAssistant(dependencies());
    expect([tokens, urls, started]).toEqual([1, ['copied'], 1]);
    expect(editor.shown.at(-1)?.message).toContain('never in one of the workspace');
  });
});
