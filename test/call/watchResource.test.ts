import { describe, expect, it } from 'vitest';
import { ruleOf } from '../fakes/rules.ts';
import { RequestRun } from '../fakes/requestRun.ts';

async function watched(run: RequestRun, uri: string) {
  let count = 0;
  const outcome = await run.watch(uri, () => void (count += 1));
  if (outcome.kind !== 'watching') throw new Error(`The watch was refused: ${outcome.message}`);
  return { watch: outcome.watch, count: () => count };
}

describe('watchResource', () => {
  it.each([
    ['drawbridge://workspace', (run: RequestRun) => run.workspace.setFolders(run.workspace.folders())],
    ['drawbridge://diagnostics', (run: RequestRun) => run.publish({})],
    ['drawbridge://selection', (run: RequestRun) => run.editors.select(undefined)],
    ['drawbridge://changes', (run: RequestRun) => run.changed.fire()],
    ['file:///w/a', (run: RequestRun) => run.fileChanges.change('/w/a')],
    ['drawbridge://files/a', (run: RequestRun) => run.fileChanges.change('/w/a')],
    ['drawbridge://files/not/yet', (run: RequestRun) => run.fileChanges.change('/w/not/yet')],
  ])('reports a change of %s until it is disposed', async (uri, change) => {
    const run = new RequestRun({ '/w/a': 'x' });
    const { watch, count } = await watched(run, uri);
    change(run);
    change(run);
    expect(count()).toBe(2);
    watch.dispose();
    change(run);
    expect(count()).toBe(2);
    expect(run.fileChanges.size).toBe(0);
  });

  it.each([
    ['file:///w/.env', 'denied'],
    ['file:///w/link', 'denied'],
    ['file:///etc/passwd', 'outside_workspace'],
    ['drawbridge://files/dir', 'unavailable'],
    ['drawbridge://nothing', 'not_found'],
    ['git:/w/a', 'scheme_not_allowed'],
    ['', 'unsafe_path'],
  ])('A8: refuses to watch a resource that the caller may not read: %s is %s', async (uri, code) => {
    const run = new RequestRun({ '/w/.env': 'KEY=1', '/w/link': { link: '/w/.env' }, '/w/dir/a': 'x' });
    expect(await run.watch(uri, () => undefined)).toMatchObject({ kind: 'error', code });
    expect(run.fileChanges.size).toBe(0);
  });

  it('is refused, without asking the user, when a rule asks before the read', async () => {
    const run = new RequestRun({ '/w/a': 'x' });
    run.policy.setRules(ruleOf({ effect: 'ask', tools: ['read_file'] }));
    expect(await run.watch('file:///w/a', () => undefined)).toMatchObject({ kind: 'error', code: 'denied' });
    expect([run.asked, run.fileChanges.size]).toEqual([[], 0]);
  });

  it('reports nothing while the rules deny the read', async () => {
    const run = new RequestRun({ '/w/a': 'x' });
    let count = 0;
    await run.watch('file:///w/a', () => (count += 1));
    await run.watch('drawbridge://diagnostics', () => (count += 1));
    const change = (): number => {
      run.fileChanges.change('/w/a');
      run.publish({});
      return count;
    };
    expect(change()).toBe(2);
    run.policy.setRules(ruleOf({ effect: 'deny' }));
    expect(change()).toBe(2);
    run.policy.setRules(ruleOf({ effect: 'ask', tools: ['read_file'] }));
    expect(change()).toBe(3);
    run.policy.setRules();
    expect(change()).toBe(5);
  });

  it('is judged by the rules of the tool with the same answer, and recorded', async () => {
    const run = new RequestRun({ '/w/a': 'x' });
    run.policy.setRules(ruleOf({ effect: 'deny', tools: ['get_diagnostics'] }));
    expect(await run.watch('drawbridge://diagnostics', () => undefined)).toMatchObject({ code: 'denied' });
    await run.watch('file:///w/a', () => undefined);
    expect(run.auditLog.calls).toMatchObject([
      { start: { tool: 'watch_resource', arguments: { uri: 'drawbridge://diagnostics' } }, end: { outcome: 'denied' } },
      { end: { outcome: 'ok', resources: [{ path: 'a' }] } },
    ]);
  });
});
