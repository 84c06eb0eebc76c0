import { beforeEach, describe, expect, test } from 'vitest';
import { createEditorConnection } from '#main/editorConnection.ts';
import type { RunningServer } from '#mcp/server.ts';
import { editor, resetEditor } from '../fakes/editor/editor.ts';

const token = 't'.repeat(43);
let running: RunningServer | undefined;
let starts: number;

beforeEach(() => {
  [running, starts] = [undefined, 0];
  given({ isTrusted: true, setting: 'whenConnected' });
});

function given({ isTrusted, setting }: { isTrusted: boolean; setting: string }): void {
  resetEditor();
  editor.isTrusted = isTrusted;
  editor.settings.set('drawbridge.start', setting);
}

function start(): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part of the server that it uses
  running = { endpoint: 'http://127.0.0.1:50001/mcp', token } as RunningServer;
}

const connection = () =>
  createEditorConnection(
    { redactor: { add: () => undefined } },
    {
      get running() {
        return running;
      },
      async start() {
        starts += 1;
        start();
      },
    },
  );

describe('the editor’s own agent', () => {
  test.each(['whenConnected', 'always'])(
    'starts the server when it connects, where that is set to %s',
    async (setting) => {
      given({ isTrusted: true, setting });
      const access = await connection().connect();
      expect(access).toMatchObject({ endpoint: running?.endpoint, headers: { Authorization: `Bearer ${token}` } });
      expect(starts).toBe(1);
    },
  );

  test('does not start the server where only the user starts it, and explains how', async () => {
    given({ isTrusted: true, setting: 'manual' });
    await expect(connection().connect()).rejects.toThrow('Run "Drawbridge: Start"');
    expect(starts).toBe(0);
    start();
    expect((await connection().connect()).endpoint).toBe('http://127.0.0.1:50001/mcp');
  });

  test('starts nothing in Restricted Mode', async () => {
    given({ isTrusted: false, setting: 'always' });
    await expect(connection().connect()).rejects.toThrow('Restricted Mode');
    expect(starts).toBe(0);
  });
});
