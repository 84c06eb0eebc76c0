import { expect, test } from 'vitest';
import * as z from 'zod';
import { ToolError } from '#base/toolError.ts';
import { isOffered, refuseTurnedOff } from '#call/catalog.ts';
import { defineTool, inputFromZod, outputFromZod } from '#call/tool.ts';
import { FakeCatalog } from '../fakes/catalog.ts';

const look = defineTool({
  name: 'look_around',
  title: 'Look around',
  toolset: 'workspace',
  risk: 'read',
  needs: [],
  description: 'Looks.',
  input: inputFromZod(z.strictObject({})),
  output: outputFromZod(z.object({})),
  targets: () => [],
  run: async () => ({}),
  render: () => ({ text: '' }),
});
const resource = defineTool({ ...look, name: 'read_resource', judgedAs: look.name });
const stranger = defineTool({ ...look, name: 'stranger', judgedAs: 'not_there_yet' });

test('refuses a resource, and names the tool, when the tool it is judged as is turned off', () => {
  const catalog = new FakeCatalog([look]);
  expect(() => refuseTurnedOff(resource, catalog)).not.toThrow();
  catalog.turnOff(look);
  expect(() => refuseTurnedOff(look, catalog)).toThrow(
    new ToolError(
      'unavailable',
      'The user has turned this tool off.',
      'Do without it, or ask the user to turn it on again in the setting drawbridge.toolsets.',
    ),
  );
  expect(() => refuseTurnedOff(resource, catalog)).toThrow('The user has turned look_around off');
});

test('offers a resource when the tool it is judged as is offered', () => {
  const catalog = new FakeCatalog([look]);
  const isShown = (judgedAs: string): boolean => isOffered({ judgedAs }, catalog);
  expect([look.name, 'not_there_yet'].map(isShown)).toEqual([true, true]);
  catalog.turnOff(look);
  expect([look.name, 'not_there_yet'].map(isShown)).toEqual([false, true]);
});

test('does not refuse a request that is judged as a tool outside the catalog', () => {
  const catalog = new FakeCatalog([look]);
  catalog.turnOff(stranger);
  expect(() => refuseTurnedOff(stranger, catalog)).not.toThrow();
});
