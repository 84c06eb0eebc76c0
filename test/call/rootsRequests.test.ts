import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { changeOf } from '../fakes/appliedChange.ts';
import { FakeChanges } from '../fakes/changes.ts';
import { problemAt } from '../fakes/problemAt.ts';
import { RequestRun } from '../fakes/requestRun.ts';

const place = { firstLine: 1, firstColumn: 1, lastLine: 1, lastColumn: 3 };

/** A window in which every file is open, has a problem, declares a symbol and was changed. */
function windowOf(names: readonly string[]): RequestRun {
  const paths = names.map((name) => `/w/${name}`);
  const run = new RequestRun(Object.fromEntries(paths.map((path, at) => [path, `token${at}\n`])));
  run.open(...paths);
  run.publish(Object.fromEntries(paths.map((path, at) => [path, [problemAt(1, 'error', `token${at}`)]])));
  run.symbols.places = paths.map((path, at) => ({
    ...run.found(path),
    name: `token${at}`,
    kind: 'function',
    firstLine: 1,
    lastLine: 1,
  }));
  run.changes = new FakeChanges(...names.map((name, at) => ({ change: changeOf(`c${at}`, name) })));
  return run;
}

const fixedAddresses = ['selection', 'diagnostics', 'changes'].map((name) => `drawbridge://${name}`);

/** Returns the answers to all requests that name no file. */
async function askAll(run: RequestRun): Promise<string> {
  const answers: unknown[] = [await run.list()];
  for (const uri of fixedAddresses) answers.push(await run.read(uri));
  answers.push(
    await run.complete({ uriTemplate: 'drawbridge://files/{+path}' }, 'path', ''),
    await run.complete({ prompt: 'make_change' }, 'path', ''),
    await run.complete({ prompt: 'fix_problems' }, 'path', ''),
    await run.complete({ prompt: 'explain_symbol' }, 'symbol', ''),
    await run.prompt('review_selection'),
  );
  return JSON.stringify(answers);
}

const directory = fc
  .array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 3 })
  .map((names) => names.map((name) => `${name}/`).join(''));

it('law: shows nothing outside the roots in a resource, a prompt, a completion, a watch or an error', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(directory, { minLength: 1, maxLength: 5 }),
      directory,
      fc.nat(),
      async (directories, root, selected) => {
        const names = directories.map((each, at) => `${each}f${at}.ts`);
        const run = windowOf(names);
        run.select(`/w/${names[selected % names.length] ?? ''}`, place);
        run.origin = { roots: [`file:///w/${root}`] };
        const all = await askAll(run);
        for (const [at, name] of names.entries()) {
          const isInside = name.startsWith(root);
          expect(all.includes(`f${at}.ts`), `${name}: ${all}`).toBe(isInside);
          if (!isInside) expect(all).not.toContain(`token${at}`);
          const kinds = [
            await run.read(`file:///w/${name}`),
            await run.watch(`file:///w/${name}`, () => undefined),
            await run.prompt('fix_problems', { path: name }),
            await run.prompt('make_change', { goal: 'More.', path: name }),
            await run.prompt('explain_symbol', { symbol: `token${at}` }),
          ].map(({ kind }) => kind);
          const inside = ['contents', 'watching', 'prompt', 'prompt', 'prompt'];
          expect(kinds).toEqual(isInside ? inside : inside.map(() => 'error'));
        }
      },
    ),
    { numRuns: 60 },
  );
});
