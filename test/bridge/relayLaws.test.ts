import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FakeClock } from '../fakes/clock.ts';
import { until } from '../mcp/fixture.ts';
import { startRawWindow, type RawRequest, type RawWindow } from './rawWindow.ts';
import { initializeParams, modernParams, startRelay } from './relaySetUp.ts';

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('call' as const), modern: fc.boolean(), tool: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('answer' as const), which: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('answerTwice' as const), which: fc.nat(50) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('drop' as const), which: fc.nat(50) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), which: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'reload' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'kill' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'vanish' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'wait' as const }) },
);

it('answers every request once and a cancelled one at most once, whatever happens to the window', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      const clock = new FakeClock();
      const test = startRelay({ clock });
      let window: RawWindow | undefined;
      const held: RawRequest[] = [];
      const open = async () => {
        window = await startRawWindow();
        window.onRequest = (request) => {
          if (request.message.method === 'notifications/cancelled') request.json(202, undefined);
          else held.push(request);
        };
        test.windows.choose(window.record);
      };
      await open();
      await test.ask('init', 'initialize', initializeParams);
      test.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      const ids: number[] = [];
      const cancelled = new Set<number>();
      for (const each of steps) {
        const request = 'which' in each ? held[each.which % Math.max(held.length, 1)] : undefined;
        const reply = { jsonrpc: '2.0', id: request?.message.id, result: {} };
        if (each.do === 'call') {
          const id = ids.push(ids.length) - 1;
          const params = { name: 'x', uri: 'x' };
          test.send({
            jsonrpc: '2.0',
            id,
            method: each.tool ? 'tools/call' : 'resources/read',
            params: each.modern ? modernParams(params) : params,
          });
        } else if (each.do === 'answer') request?.stream(reply);
        else if (each.do === 'answerTwice') request?.stream(reply, reply);
        else if (each.do === 'drop') request?.response.destroy();
        else if (each.do === 'forget' && request?.response.headersSent === false) request.json(404, undefined);
        else if (each.do === 'cancel' && ids.length > 0) {
          const requestId = each.which % ids.length;
          cancelled.add(requestId);
          test.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
        } else if (each.do === 'reload') {
          test.windows.choose(undefined);
          await window?.stop();
          await open();
        } else if (each.do === 'kill') await window?.stop();
        else if (each.do === 'vanish') test.windows.choose(undefined);
        // Long enough for a message to get to the window and back.
        for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      }
      test.windows.choose(undefined);
      await window?.stop();
      const settled = (id: number) => cancelled.has(id) || test.answers(id).length > 0;
      await until(() => {
        clock.advance(5000);
        return ids.every(settled);
      });
      await test.relay.close();
      for (const id of ids) {
        if (cancelled.has(id)) expect(test.answers(id).length).toBeLessThanOrEqual(1);
        else expect(test.answers(id)).toHaveLength(1);
      }
    }),
    { numRuns: 100 },
  );
});
