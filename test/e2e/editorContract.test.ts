import { beforeAll, expect, test } from 'vitest';
import { contract, contractFiles } from '../fakes/editor/contract.ts';
import type { Drawbridge } from './harness.ts';
import { sharedDrawbridge } from './shared.ts';

let drawbridge: Drawbridge;

beforeAll(async () => {
  drawbridge = await sharedDrawbridge(contractFiles);
});

test.each(contract)('in VS Code $name', async ({ run, expected }) => {
  const { folder = '', window } = drawbridge;
  expect(await window.evaluate(run, folder)).toEqual(expected);
});
