import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { threatRows } from '../threats/threats.ts';
import { attacks } from './attacks.ts';
import { notLive } from './notLive.ts';

const rows = threatRows().map(({ id }) => id);
const attacked = attacks.map(({ id }) => id);

it('each row of the threats is attacked, or in the list that says why not, and never in both', () => {
  expect([...attacked, ...Object.keys(notLive)].toSorted()).toEqual(rows.toSorted());
});

it('each reason for a row that is not attacked is a sentence', () => {
  for (const reason of Object.values(notLive)) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
});

it('each attack has lines that switch its defence off, each of which occurs exactly once in its file', () => {
  const lineOf = new Map(threatRows().map(({ id, line }) => [id, line]));
  for (const { id, control = [lineOf.get(id)] } of attacks) {
    expect(control.length, id).toBeGreaterThan(0);
    for (const line of control) {
      expect(readFileSync(line?.file ?? '', 'utf8').split(line?.find ?? ''), id).toHaveLength(2);
      expect(line?.replace, id).not.toBe(line?.find);
    }
  }
});

it('each attack has a name that begins with a verb and continues a sentence about the attacker', () => {
  for (const { name } of attacks) expect(name).toMatch(/^[a-z]\w*s .{20,}[^.]$/);
});
