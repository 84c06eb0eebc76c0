import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const byName = z.record(z.string(), z.number());
// test/docs.test.ts checks that the file matches the measurement.
const economy = z
  .object({ toolList: byName, total: byName, naive: byName, forms: byName })
  .parse(JSON.parse(readFileSync('test/bench/economy.json', 'utf8')));

describe('the token economy', () => {
  it('keeps the tools that are on within 15 KB', () => {
    expect(economy.toolList['total']).toBeLessThanOrEqual(15 * 1024);
  });

  // Kiro drops a whole result because of a link in it, so what it would get from such a server costs little and tells nothing.
  it.each(Object.keys(economy.total).filter((client) => client !== 'unknown' && client !== 'Kiro'))(
    'costs %s less than a server that sends everything to every client',
    (client) => {
      expect(economy.total[client]).toBeLessThan(economy.naive[client] ?? 0);
    },
  );

  it('sends each measured client the cheaper form', () => {
    const { text = 0, data = 0 } = economy.forms;
    expect(text).toBeLessThan(data);
  });
});
