import { expect, it } from 'vitest';
import { RequestRun } from '../../fakes/requestRun.ts';

const symbol = { prompt: 'explain_symbol' };

function withSymbols(...places: readonly (readonly [fsPath: string, name: string])[]): RequestRun {
  const run = new RequestRun(Object.fromEntries(places.map(([fsPath]) => [fsPath, ''])));
  run.symbols.places = places.map(([fsPath, name]) => ({
    ...run.found(fsPath),
    name,
    kind: 'function',
    firstLine: 1,
    lastLine: 2,
  }));
  return run;
}

it('completes each symbol name once, names that begin with the text first', async () => {
  const run = withSymbols(['/w/a.ts', 'reparse'], ['/w/a.ts', 'parse'], ['/w/b.ts', 'Parser'], ['/w/b.ts', 'parse']);
  expect(await run.complete(symbol, 'symbol', 'parse')).toMatchObject({
    values: ['Parser', 'parse', 'reparse'],
    total: 3,
  });
  expect(await run.complete(symbol, 'symbol', 'parse', { path: 'a.ts' })).toMatchObject({
    values: ['parse', 'reparse'],
  });
});

it('A8: offers no name that a secret file declares', async () => {
  const run = withSymbols(['/w/.env', 'API_KEY'], ['/w/a.ts', 'apiKey']);
  expect(await run.complete(symbol, 'symbol', 'api')).toMatchObject({ values: ['apiKey'] });
});
