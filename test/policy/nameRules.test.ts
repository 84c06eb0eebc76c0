import { describe, expect, it } from 'vitest';
import { classifyNames } from '#policy/nameRules.ts';
import { protectedRows } from '#policy/protectedRows.ts';
import { hardDenied } from '#policy/protectedTable.ts';
import { secretRows } from '#policy/secretRows.ts';
import { expectToEnd } from '../expectToEnd.ts';

describe('names', () => {
  const words = [
    ...hardDenied,
    ...secretRows.flatMap(({ files = [], folders = [] }) => [...files, ...folders]),
    ...protectedRows.flatMap(({ patterns }) => patterns),
  ].flatMap((pattern) => pattern.split(/[/{},*]+/));

  it('H16: of 4 KB that nearly match a pattern of the table are classified in time', () => {
    expectToEnd(() => {
      for (const word of words.filter((one) => one !== '')) {
        const name = word.repeat(4096 / word.length);
        for (const hostile of [name, `${name}x`, `x${name}/x`]) expect(classifyNames(hostile)).toHaveProperty('class');
      }
    });
  });

  it('A8: are classified in the same way when they begin with a line end', () => {
    expect(classifyNames('\n.key').class).toBe('secret');
    expect(classifyNames('\nx.tfstate').class).toBe('secret');
    expect(classifyNames('\n.code-workspace').class).toBe('protected');
  });
});
