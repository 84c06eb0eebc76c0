import { describe, expect, it } from 'vitest';
import { recordOf, startRelay } from '../bridge/relaySetUp.ts';
import { until } from './fixture.ts';
import { endless, startShippedWindow } from './protocol/shippedWindow.ts';
import { connectSdkClient, modes, type CallOptions } from './sdkClients.ts';

const ways = ['http', 'the bridge'] as const;

describe.each(ways)('over %s', (way) => {
  describe.each(modes)('a client of the SDK, %s,', (mode) => {
    async function connect() {
      const window = await startShippedWindow();
      const relay = way === 'http' ? undefined : startRelay();
      relay?.windows.choose(recordOf(window));
      const client = await connectSdkClient(mode, window, relay);
      return { window, client };
    }

    it('lists, calls and reads, and gets prompts and completions', async () => {
      const { window, client } = await connect();
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(window.catalog.tools.map(({ name }) => name));
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).toContain('file:///w/readme.md');
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).toEqual(window.catalog.prompts.map(({ name }) => name));
      // The clients check the structured content against the listed schema.
      await expect(client.call('read_file', { path: 'src/greet.ts' })).resolves.toMatchObject({
        structuredContent: { path: 'src/greet.ts', text: expect.stringContaining('Hello') },
      });
      await expect(client.call('read_file', { path: 'none.ts' })).resolves.toMatchObject({ isError: true });
      await expect(client.call('nosuch', {})).rejects.toMatchObject({ code: -32602 });
      await expect(client.read('file:///w/readme.md')).resolves.toMatchObject({
        contents: [{ text: '# Greetings\n' }],
      });
      await expect(client.read('file:///w/none.md')).rejects.toMatchObject({ code: -32602 });
      await expect(client.prompt('make_change', { goal: 'Greet in French' })).resolves.toMatchObject({
        messages: [{ role: 'user', content: { text: expect.stringContaining('Greet in French') } }],
      });
      await expect(client.complete('drawbridge://files/{+path}', 'path', 'gre')).resolves.toMatchObject({
        completion: { values: ['src/greet.ts'], hasMore: false },
      });
      expect(window.errors).toEqual([]);
    });

    it('receives the progress of a call, and cancels it', async () => {
      const { window, client } = await connect();
      const heard: unknown[] = [];
      const abort = new AbortController();
      const begun = new Promise<AbortSignal>((resolve) => void window.search.onBegin(resolve));
      const onprogress: CallOptions['onprogress'] = ({ message }) => void heard.push(message);
      const done = client.call('search_code', { query: endless }, { signal: abort.signal, onprogress });
      const signal = await begun;
      window.clock.advance(1000);
      await until(() => heard.length === 1);
      window.clock.advance(1000);
      await until(() => heard.length === 2);
      abort.abort('enough');
      await expect(done).rejects.toThrow(/enough|abort/i);
      await until(() => signal.aborted);
      await expect(client.call('get_workspace', {})).resolves.toMatchObject({ structuredContent: { trusted: true } });
    });

    it('is notified of an edit of a subscribed resource, and of changed tools', async () => {
      const { window, client } = await connect();
      await client.subscribe('file:///w/readme.md');
      window.fileChanges.change('/w/src/main.ts');
      window.fileChanges.change('/w/readme.md');
      await until(() => client.heard.length === 1);
      const [first] = window.catalog.tools;
      if (first !== undefined) window.catalog.turnOff(first);
      await until(() => client.heard.length === 2);
      expect(client.heard).toEqual(['file:///w/readme.md', 'tools']);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).not.toContain(first?.name);
    });
  });
});
