import { afterAll, beforeAll, expect, test } from 'vitest';
import { contract, contractFiles } from '../fakes/editor/contract.ts';
import { type Drawbridge, startDrawbridge } from './harness.ts';

let drawbridge: Drawbridge;

beforeAll(async () => {
  drawbridge = await startDrawbridge({ files: contractFiles });
});
afterAll(() => drawbridge.stop());

test.each(contract)('in VS Code $name', async ({ run, expected }) => {
  const { folder = '', window } = drawbridge;
  expect(await window.evaluate(run, folder)).toEqual(expected);
});
