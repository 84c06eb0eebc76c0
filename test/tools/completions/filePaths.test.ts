import { describe, expect, it } from 'vitest';
import { RequestRun } from '../../fakes/requestRun.ts';
import { folderAt } from '../../fakes/workspace.ts';

const file = { uriTemplate: 'drawbridge://files/{+path}' };

async function completed(run: RequestRun, typed: string) {
  const outcome = await run.complete(file, 'path', typed);
  if (outcome.kind !== 'completion') throw new Error(`Refused: ${outcome.message}`);
  return outcome;
}

describe('completion of paths', () => {
  it('lists open editors first, then names that begin with the text, names that contain it, and paths', async () => {
    const run = new RequestRun({
      '/w/cart/index.ts': '',
      '/w/src/shoppingCart.ts': '',
      '/w/src/cart.ts': '',
      '/w/docs/Cart.md': '',
      '/w/other.ts': '',
    });
    run.open('/w/src/shoppingCart.ts', '/w/other.ts');
    expect(await completed(run, 'cart')).toEqual({
      kind: 'completion',
      values: ['src/shoppingCart.ts', 'docs/Cart.md', 'src/cart.ts', 'cart/index.ts'],
      total: 4,
      hasMore: false,
    });
    expect((await completed(run, './SRC/ca')).values).toEqual(['src/cart.ts']);
    expect((await completed(run, '')).total).toBe(5);
    expect((await completed(run, 'no such file')).values).toEqual([]);
  });

  it('takes glob syntax literally', async () => {
    const run = new RequestRun({ '/w/[id].ts': '', '/w/i.ts': '', '/w/a(b).ts': '', '/w/a{b}*.ts': '' });
    expect((await completed(run, '[id')).values).toEqual(['[id].ts']);
    expect((await completed(run, 'a(')).values).toEqual(['a(b).ts']);
    expect((await completed(run, '{b}*')).values).toEqual(['a{b}*.ts']);
  });

  it('completes the name of a folder when there are several', async () => {
    const run = new RequestRun({ '/app/src/a.ts': '', '/app/b.ts': '', '/lib/src/a.ts': '' }, [
      folderAt('/app'),
      folderAt('/lib'),
    ]);
    expect((await completed(run, 'ap')).values).toEqual(['app/b.ts', 'app/src/a.ts']);
    expect((await completed(run, 'App/src/')).values).toEqual(['app/src/a.ts']);
    expect((await completed(run, 'src/a')).values).toEqual(['app/src/a.ts', 'lib/src/a.ts']);
  });

  it('A8: offers no secret file, whether it is open or found, and no file whose name has invisible characters', async () => {
    const run = new RequestRun({ '/w/.env': '', '/w/.env.example': '', '/w/.env\u200b.txt': '' });
    run.open('/w/.env');
    expect((await completed(run, '.env')).values).toEqual(['.env.example']);
  });

  it('stops the search and returns no total when it finds very many files', async () => {
    const nodes = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`/w/f${at}.ts`, '']));
    const run = new RequestRun(nodes);
    const outcome = await completed(run, 'f');
    expect(outcome.values).toHaveLength(100);
    expect(outcome).not.toHaveProperty('total');
    expect(outcome.hasMore).toBe(true);
  });
});
