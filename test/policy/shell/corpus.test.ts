import { afterAll, describe, expect, it } from 'vitest';
import { classifyCommand } from '#policy/shell/classifyCommand.ts';
import type { CommandClass } from '#policy/shell/verdict.ts';
import { createTestParser } from '../../syntax/testParser.ts';
import { bashReads } from './corpus/bashReads.ts';
import { bashRuns } from './corpus/bashRuns.ts';
import { bashWrites } from './corpus/bashWrites.ts';
import type { CorpusGroup } from './corpus/group.ts';
import { powershell } from './corpus/powershell.ts';

const parser = createTestParser();
afterAll(() => parser.dispose());

const groups = [...bashReads, ...bashWrites, ...bashRuns, ...powershell];
const classes: readonly CommandClass[] = ['reads', 'runs', 'writes'];
const linesOf = (group: CorpusGroup): readonly (readonly [line: string, expected: CommandClass])[] =>
  classes.flatMap((expected) => (group[expected] ?? []).map((line) => [line, expected] as const));

const classify = async (
  line: string,
  shell: CorpusGroup['shell'],
): Promise<{ class: CommandClass; reason: string }> => {
  const parse = (language: 'bash' | 'powershell', text: string) => parser.parse(language, text);
  const tree = shell === 'bash' || shell === 'powershell' ? await parse(shell, line) : undefined;
  return classifyCommand(line, tree, shell, { parse });
};

describe('the corpus of command lines', () => {
  it('has at least 500 lines, each of them once', () => {
    const lines = groups.flatMap((group) => linesOf(group).map(([line]) => `${group.shell} ${line}`));
    expect(lines.length).toBeGreaterThanOrEqual(500);
    expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
  });

  it('G14: calls no line of the corpus that writes one that reads', async () => {
    const writing = groups.flatMap((group) =>
      linesOf(group).flatMap(([line, expected]) => (expected === 'writes' ? [{ line, shell: group.shell }] : [])),
    );
    const found: string[] = [];
    for (const { line, shell } of writing) if ((await classify(line, shell)).class === 'reads') found.push(line);
    expect([writing.length > 300, found]).toEqual([true, []]);
  });

  it.each(groups.map((group) => [group.group, group] as const))(
    'has the expected class when the lines are about %s',
    async (_, group) => {
      const found: string[] = [];
      for (const [line, expected] of linesOf(group)) {
        const verdict = await classify(line, group.shell);
        if (verdict.class !== expected) found.push(`${expected} but ${verdict.class}: ${line} (${verdict.reason})`);
      }
      expect(found).toEqual([]);
    },
  );
});
