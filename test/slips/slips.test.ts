import { isDeepStrictEqual } from 'node:util';
import * as prettier from 'prettier';
import { expect, it } from 'vitest';
import { type Slip, type SlipAnswer, SlipRun, slips } from './slipRun.ts';

/** The rounds and bytes that a slip cost until the task was done. */
interface Cost {
  readonly rounds: number;
  readonly bytes: number;
  readonly answer: SlipAnswer;
}

it('the slips of models are answered as the exact calls are, in at most 1.1 rounds each, and docs/slips.md lists them', async () => {
  const wrong = await SlipRun.start();
  // The exact calls have a window of their own, since some answers count what was done before.
  const right = await SlipRun.start();
  const costs = new Map<Slip, Cost>();
  for (const slip of slips) {
    const what = `the model ${slip.does}`;
    const calls = [wrong.call(slip.tool, slip.arguments), right.call(slip.tool, slip.right)] as const;
    const [answer, exact] = await Promise.all(calls);
    expect.soft(exact.isError, `${what}: the exact call is answered with ${exact.text}`).toBe(false);
    if (slip.refused) {
      expect.soft(answer, what).toMatchObject({ isError: true, asked: undefined });
      expect.soft(answer.text, what).toMatch(/Its parameters are .* A valid call: \{/);
    } else {
      expect.soft(answer.text, what).toBe(exact.text);
      expect.soft(isDeepStrictEqual(answer.asked, exact.asked), `${what}: the user is asked the same`).toBe(true);
    }
    costs.set(slip, { rounds: slip.refused ? 2 : 1, bytes: answer.bytes + (slip.refused ? exact.bytes : 0), answer });
  }
  expect(slips.length).toBeGreaterThanOrEqual(60);
  expect([...costs.values()].reduce((sum, { rounds }) => sum + rounds, 0) / costs.size).toBeLessThanOrEqual(1.1);
  const options = await prettier.resolveConfig('docs/slips.md');
  const text = await prettier.format(table(costs), { ...options, parser: 'markdown' });
  await expect(text).toMatchFileSnapshot('../../docs/slips.md');
}, 60_000);

function table(costs: ReadonlyMap<Slip, Cost>): string {
  const all = [...costs];
  const before = all.reduce((sum, [slip]) => sum + (slip.before === 'done' ? 1 : 2), 0) / all.length;
  const after = all.reduce((sum, [, { rounds }]) => sum + rounds, 0) / all.length;
  const bytes = all.reduce((sum, [, cost]) => sum + cost.bytes, 0);
  return [
    '# Slips',
    '',
    'Models call tools with small mistakes: the parameter names of other tools, numbers written as text, paths with a line behind',
    'them. The window accepts a slip that has one meaning only, in `src/call/understood.ts`, before the policy looks at the call. The',
    'exact form always goes first, a text to write or to search for is never changed, and a path is only replaced by that of a file',
    'which exists and which the assistant may read. What stays wrong is refused with the parameters and a valid call.',
    '',
    `The test \`test/slips/slips.test.ts\` sends these ${all.length} slips to the shipped server and writes this table. A task took`,
    `${before.toFixed(2)} rounds on average before the slips were accepted, and takes ${after.toFixed(2)} now, with ${bytes} bytes of arguments and answers in all.`,
    '',
    '| The model ... | Tool | Arguments | Where it was seen | Answered before | Rounds now | Bytes now |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...all.map(([slip, { rounds, bytes: own }]) =>
      [
        '',
        ` ${slip.does} `,
        ` \`${slip.tool}\` `,
        ` ${code(JSON.stringify(slip.arguments))} `,
        ` ${slip.source} `,
        slip.before === 'done' ? ' accepted ' : ' refused ',
        ` ${rounds} `,
        ` ${own} `,
        '',
      ].join('|'),
    ),
    '',
    '## What is refused',
    '',
    ...all
      .filter(([slip]) => slip.refused)
      .flatMap(([slip, { answer }]) => [`The model ${slip.does}, and is told:`, '', `> ${answer.text}`, '']),
  ].join('\n');
}

function code(text: string): string {
  const escaped = text.replaceAll('|', '\\|');
  return escaped.includes('`') ? `\`\` ${escaped} \`\`` : `\`${escaped}\``;
}
