import { describe, expect, it } from 'vitest';
import { repropose } from '#call/repropose.ts';
import { defaultProfile } from '#call/resultProfile.ts';
import type { Tool } from '#call/tool.ts';
import { tools } from '#tools/index.ts';
import { FakeCatalog } from '../fakes/catalog.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakeFiles } from '../fakes/files.ts';
import { fakePorts } from '../fakes/ports.ts';
import { FakePolicy, ruleOf } from '../fakes/rules.ts';

const principal = { credential: 'window' };
const edit = { edits: [{ path: 'a.ts', oldText: 'one', newText: '1' }] };

function setUp(offered: readonly Tool[] = tools) {
  const files = new FakeFiles({ '/w/a.ts': 'one\n', '/w/app/b.ts': 'one\n' });
  const policy = new FakePolicy();
  const clock = new FakeClock();
  const dependencies = {
    catalog: new FakeCatalog(offered),
    clock,
    ports: fakePorts({ files }),
    pathRules: { home: '/home/u', privateFolders: [] },
    policy,
    profileFor: () => defaultProfile,
    caps: () => ({ readBytes: 65_536, maxResults: 200 }),
  };
  const again = (tool: string, args: unknown = edit, roots?: readonly string[]) =>
    repropose({ tool, arguments: args, principal, client: undefined, ...(roots && { roots }) }, dependencies);
  return { files, policy, clock, again };
}

describe('repropose', () => {
  it('proposes the change for the files as they are now, judged as they are now', async () => {
    const t = setUp();
    t.files.nodes.set('/w/a.ts', 'zero\none\n');
    const again = await t.again('apply_edit');
    expect(again?.proposal.files).toMatchObject([{ kind: 'edit', result: { text: 'zero\n1\n' } }]);
    expect(again?.judgement).toMatchObject({ effect: 'ask', mode: 'manual', risk: 'edit' });
    t.policy.setRules(ruleOf({ effect: 'allow', class: 'edit' }));
    expect((await t.again('apply_edit'))?.judgement).toMatchObject({ effect: 'allow', rule: { id: 'r-allow' } });
  });

  it('returns nothing when the change no longer applies or the policy denies it', async () => {
    const t = setUp();
    t.files.nodes.set('/w/a.ts', 'two\n');
    expect(await t.again('apply_edit')).toBeUndefined();
    t.files.nodes.set('/w/a.ts', 'one\n');
    t.policy.setRules(ruleOf({ effect: 'deny', tools: ['apply_edit'] }));
    expect(await t.again('apply_edit')).toBeUndefined();
    t.policy.setRules(ruleOf({ effect: 'ask', class: 'read' }));
    expect(await t.again('apply_edit')).toBeUndefined();
  });

  it('stays inside the roots of the client', async () => {
    const t = setUp();
    const below = { edits: [{ path: 'app/b.ts', oldText: 'one', newText: '1' }] };
    expect((await t.again('apply_edit', below, ['file:///w/app']))?.proposal.files).toHaveLength(1);
    expect(await t.again('apply_edit', edit, ['file:///w/app'])).toBeUndefined();
  });

  it('returns nothing when the tool is gone or changes nothing', async () => {
    const t = setUp();
    expect(await t.again('no_such_tool')).toBeUndefined();
    expect(await t.again('read_file', { path: 'a.ts' })).toBeUndefined();
    expect(await setUp([]).again('apply_edit')).toBeUndefined();
  });

  it('leaves no timer behind, and throws unexpected errors', async () => {
    const t = setUp();
    await t.again('apply_edit');
    expect(t.clock.pendingTimers).toBe(0);
    t.files.readText = () => Promise.reject(new Error('a bug'));
    await expect(t.again('apply_edit')).rejects.toThrow('a bug');
  });
});
