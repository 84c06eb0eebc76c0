/** The quick ones of the attacks of `npm run attack`, on the shared window. */
import { expect, it } from 'vitest';
import { attacks } from '../attack/attacks.ts';
import { attackSettings, targetOf, Tries } from '../attack/target.ts';
import { sharedDrawbridge } from './shared.ts';

it.each(attacks.filter(({ isQuick }) => isQuick === true))('$id: nobody $name', async (attack) => {
  const tries = new Tries();
  await attack.run(await targetOf(await sharedDrawbridge({}, attackSettings)), tries);
  expect(tries.successes).toEqual([]);
  expect(tries.count).toBeGreaterThan(0);
});
