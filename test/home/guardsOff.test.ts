import { chmodSync, existsSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { guardsOffUntil, hourMilliseconds, mostHours, switchGuardsOff, switchGuardsOn } from '#home/guardsOff.ts';
import { GuardsOffWatch } from '#home/guardsOffWatch.ts';
import { FakeClock } from '../fakes/clock.ts';
import { temporaryState } from './temporaryState.ts';

const now = Date.UTC(2026, 10, 21);

describe('the record that the guard is off', () => {
  test('counts until its end, is private, and goes when the guard is switched on', async () => {
    const { home } = temporaryState();
    const path = join(home, 'guards-off');
    expect(await guardsOffUntil(home, now)).toBeUndefined();
    const until = now + hourMilliseconds;
    await switchGuardsOff(home, until);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await guardsOffUntil(home, now)).toBe(until);
    expect(await guardsOffUntil(home, until)).toBeUndefined();
    await switchGuardsOn(home);
    expect(existsSync(path)).toBe(false);
  });

  test('G9: does not count when it ends later than 8 hours from now', async () => {
    const { home } = temporaryState();
    const longest = now + mostHours * hourMilliseconds;
    await switchGuardsOff(home, longest);
    expect(await guardsOffUntil(home, now)).toBe(longest);
    await switchGuardsOff(home, longest + 1);
    expect(await guardsOffUntil(home, now)).toBeUndefined();
  });

  test.each<[string, (path: string) => void]>([
    ['others can read it', (path) => chmodSync(path, 0o644)],
    [
      'it is a link',
      (path) => {
        renameSync(path, `${path}.real`);
        symlinkSync(`${path}.real`, path);
      },
    ],
    ['it is malformed', (path) => writeFileSync(path, '{"until":1e99}')],
    [
      'it was written before the last start of the machine',
      (path) => writeFileSync(path, readFileSync(path, 'utf8').replace(/"bootId":"[^"]*"/, '"bootId":"other"')),
    ],
  ])('does not count when %s', async (_case, change) => {
    const { home } = temporaryState();
    await switchGuardsOff(home, now + hourMilliseconds);
    change(join(home, 'guards-off'));
    expect(await guardsOffUntil(home, now)).toBeUndefined();
  });
});

describe('GuardsOffWatch', () => {
  test('tells when the guard is switched off, on again, and when the time is over', async () => {
    const { home } = temporaryState();
    const clock = new FakeClock(now);
    await switchGuardsOn(home);
    await switchGuardsOff(home, now + hourMilliseconds);
    const watch = new GuardsOffWatch(home, clock);
    const told: (number | undefined)[] = [];
    watch.onDidChange(() => told.push(watch.until));
    await vi.waitFor(() => expect(told).toEqual([now + hourMilliseconds]));
    await watch.guardAgain();
    expect(told.at(-1)).toBeUndefined();
    await switchGuardsOff(home, now + 2 * hourMilliseconds);
    await vi.waitFor(() => expect(watch.until).toBe(now + 2 * hourMilliseconds), { timeout: 10_000 });
    clock.advance(2 * hourMilliseconds);
    await vi.waitFor(() => {
      clock.advance(30_000);
      expect(watch.until).toBeUndefined();
    });
    watch.dispose();
    expect(told).toHaveLength(4);
  });
});
