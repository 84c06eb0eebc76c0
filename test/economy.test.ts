import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measureEconomy } from './bench/economy.ts';
import { repository } from './host/hostFolder.ts';

const kept: unknown = JSON.parse(readFileSync(join(repository, 'test/bench/economy.json'), 'utf8'));
const economy = await measureEconomy();

describe('the token economy', () => {
  it('is what the file says; `npm run bench -- economy --update` writes it anew', () => {
    expect(economy).toEqual(kept);
  });

  it('keeps the tools that are on within 16 KB', () => {
    expect(economy.toolList['total']).toBeLessThanOrEqual(16 * 1024);
  });

  it.each(Object.keys(economy.total).filter((client) => client !== 'unknown'))(
    '%s pays less than with a server that sends everything to everyone',
    (client) => {
      expect(economy.total[client]).toBeLessThan(economy.naive[client] ?? 0);
    },
  );

  it('sends each measured client the cheaper form', () => {
    const { text = 0, data = 0 } = economy.forms;
    expect(text).toBeLessThan(data);
  });
});
