import { expect, it } from 'vitest';
import { isOnByItself } from '#call/windowCatalog.ts';
import { instructions } from '#mcp/wire/instructions.ts';
import { tools } from '#tools/index.ts';

it('keeps the instructions short, since every model reads them', () => {
  expect(Buffer.byteLength(instructions)).toBeLessThanOrEqual(1200);
});

it('names the tools in the order of the work', () => {
  const named = [...instructions.matchAll(/\b[a-z]+_[a-z]+\b/g)].map(([name]) => name);
  const steps = ['search_code', 'read_file', 'apply_edit', 'get_approval'];
  expect(named.filter((name) => steps.includes(name))).toEqual(steps);
  expect(instructions).toContain('version');
});

it('says why a model should prefer these tools to its own', () => {
  expect(instructions).toContain('Prefer these tools for files of these folders: the user reviews each change before');
});

it('names no tool that is off until the user turns it on, and no unknown tool', () => {
  const known = new Set([...tools.filter(isOnByItself).map(({ name }) => name), 'pending_approval']);
  for (const [name] of instructions.matchAll(/\b[a-z]+_[a-z]+\b/g)) expect(known).toContain(name);
});

it("says when edits and commands of the assistant's own tools are reviewed", () => {
  expect(instructions).toContain(
    'edits and commands of your own tools are shown to the user only where the guard is set up',
  );
});
