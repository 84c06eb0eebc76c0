import { describe, expect, it } from 'vitest';
import { callTool, type Call } from '#call/callTool.ts';
import { complete } from '#call/completion.ts';
import { FolderAccess } from '#call/folderAccess.ts';
import { listResources } from '#call/listResources.ts';
import { getPrompt } from '#call/prompt.ts';
import { readResource, watchResource } from '#call/resourceRequests.ts';
import { defaultProfile } from '#call/resultProfile.ts';
import { useWindow, windowAnswers } from '#changes/windowUse.ts';
import { tools } from '#tools/index.ts';
import { prompts } from '#tools/prompts/index.ts';
import { resources } from '#tools/resources/index.ts';
import { settled, setUp as setUpQueue } from '../changes/queueSetUp.ts';
import { FakeCatalog } from '../fakes/catalog.ts';
import { FakeRememberedFolders } from '../fakes/folderAccess.ts';
import { folderAt } from '../fakes/workspace.ts';
import { setUp as setUpCalls, textOf } from './callSetUp.ts';

const worksIn = '/home/u/other';
const content = String.raw`1\tone`;

/** A window whose user decides about cards, and assistants that work in a folder that it does not have open. */
function setUp(remembered = new FakeRememberedFolders()) {
  const { clock, queue, waiting, show, only } = setUpQueue();
  const calls = setUpCalls();
  const { auditLog, policy, workspace } = calls;
  const folderAccess = new FolderAccess(workspace, remembered);
  folderAccess.follow(queue);
  const catalog = new FakeCatalog(tools, resources, prompts);
  const dependencies = { ...calls.dependencies, catalog, clock, approver: queue, folderAccess };
  const callOf = (more: Partial<Call> = {}): Call =>
    calls.callOf('read_file', { path: 'a.ts' }, { principal: principalOf('one'), worksIn, ...more });
  const say = async (more: Partial<Call> = {}): Promise<string> => {
    const said = textOf(callTool(callOf(more), dependencies));
    await settled();
    return said;
  };
  /** Answers the card that waits; dismisses it without words. */
  const answer = (words?: string): void => {
    const { id, proposalHash } = only();
    show(id);
    expect(words === undefined ? queue.decline(id) : queue.answer(id, proposalHash, words)).toBe('accepted');
  };
  return { auditLog, policy, workspace, remembered, clock, queue, dependencies, callOf, say, answer, waiting, only };
}

function principalOf(connectionId: string): Call['principal'] {
  return { credential: 'window', connectionId };
}

describe('an assistant that works in a folder that the window does not have open', () => {
  it('A43: is told nothing by any tool, resource, prompt or completion until the user lets it use the window', async () => {
    const t = setUp();
    const call = t.callOf();
    const asked = [
      ...tools.map(({ name }) => callTool(t.callOf({ tool: name, arguments: {} }), t.dependencies)),
      ...['file:///w/a.ts', ...resources.flatMap(({ address }) => ('uri' in address ? [address.uri] : []))].map((uri) =>
        readResource(uri, call, t.dependencies),
      ),
      ...prompts.map(({ name }) => getPrompt(name, {}, call, t.dependencies)),
    ];
    await settled();
    // All calls wait for one card.
    expect(t.waiting()).toHaveLength(1);
    t.answer();
    const answers = (await Promise.all(asked)).map((each) => JSON.stringify(each));
    expect(answers.length).toBeGreaterThan(35);
    expect(answers.filter((text) => !/did not let you use it/.test(text))).toEqual([]);
  });

  it('is refused what clients ask for by themselves, without a card', async () => {
    const t = setUp();
    const call = t.callOf();
    const request = { of: { uriTemplate: 'file:///{+path}' }, argument: 'path', typed: 'a', others: {} };
    expect(await complete(request, call, t.dependencies)).toMatchObject({ code: 'denied' });
    expect(await watchResource('file:///w/a.ts', call, () => undefined, t.dependencies)).toMatchObject({
      code: 'denied',
    });
    const listed = await listResources(undefined, call, t.dependencies);
    expect(JSON.stringify(listed)).not.toContain('file:///');
    expect(t.waiting()).toEqual([]);
  });

  it('is asked about by a card that names its folder, and then answered for as long as it runs', async () => {
    const t = setUp();
    const first = t.say();
    await settled();
    expect(t.only()).toMatchObject({
      tool: useWindow,
      client: { name: 'test' },
      question: { text: expect.stringContaining('It works in ~/other,'), allowsText: false },
    });
    t.answer(windowAnswers.once);
    expect(await first).toContain(content);
    expect(await t.say()).toContain(content);
    expect(t.remembered.answers).toEqual([]);
    // Another run of the assistant, and the same one in another folder.
    void t.say({ principal: principalOf('two') });
    void t.say({ worksIn: '/home/u/third' });
    await settled();
    expect(t.waiting()).toHaveLength(2);
  });

  it.each([
    ['always', windowAnswers.always, content],
    ['never', windowAnswers.never, 'did not let you use it'],
  ] as const)('is not asked about again once the user answered %s for its folder', async (kind, words, expected) => {
    const t = setUp();
    const first = t.say();
    await settled();
    t.answer(words);
    expect(await first).toContain(expected);
    expect(t.remembered.answers).toEqual([{ folder: worksIn, window: ['/w'], answer: kind }]);
    const later = setUp(t.remembered);
    expect(await later.say({ principal: principalOf('two') })).toContain(expected);
    expect(later.waiting()).toEqual([]);
  });

  it('is asked about again when the window gets another folder, since the user has not said that of it', async () => {
    const t = setUp();
    void t.say();
    await settled();
    t.answer(windowAnswers.always);
    t.workspace.setFolders([folderAt('/w'), folderAt('/private')]);
    void t.say();
    await settled();
    expect(t.waiting()).toHaveLength(1);
  });

  it('gets a ticket when the user takes longer than the call waits, and the late answer counts', async () => {
    const t = setUp();
    const first = t.say();
    await settled();
    const { id } = t.only();
    t.clock.advance(defaultProfile.approvalSeconds * 1000);
    expect(await first).toMatch(new RegExp(`not answered yet.*${id}.*unavailable`));
    const second = t.say({ tool: 'get_approval', arguments: { approvalId: id } });
    t.answer(windowAnswers.always);
    expect(await second).toContain('"status":"answered"');
    expect(t.remembered.answers).toHaveLength(1);
    expect(t.auditLog.calls.map(({ start }) => start.tool)).toEqual(['read_file', 'get_approval']);
  });

  it('is remembered although nobody waits for the answer any more', async () => {
    const t = setUp();
    const first = t.say();
    await settled();
    t.clock.advance(defaultProfile.approvalSeconds * 1000);
    await first;
    t.answer(windowAnswers.never);
    expect(t.remembered.answers).toMatchObject([{ answer: 'never' }]);
  });

  it('is refused in Unattended mode, which asks nobody', async () => {
    const t = setUp();
    t.policy.currentMode = 'unattended';
    expect(await t.say()).toContain('did not let you use it');
    expect(t.queue.all).toEqual([]);
  });

  it('gets no access by a question of its own with the same words', async () => {
    const t = setUp();
    void t.queue.request({
      ...setUpQueue().request(),
      principal: principalOf('one'),
      tool: 'ask_user',
      arguments: { folder: worksIn, window: ['/w'] },
      proposal: {
        kind: 'question',
        files: [],
        question: 'Yes?',
        choices: Object.values(windowAnswers),
        allowsText: false,
      },
    });
    t.answer(windowAnswers.always);
    expect(t.remembered.answers).toEqual([]);
    void t.say();
    await settled();
    expect(t.waiting()).toHaveLength(1);
  });
});

describe('an assistant that is meant for the window', () => {
  it.each([
    ['works in its folder', '/w'],
    ['works below its folder', '/w/deep'],
    ['was named by --folder, roots or the terminal, or connects without the bridge', undefined],
  ])('is answered without a card when it %s', async (_, folder) => {
    const t = setUp();
    const { worksIn: _folder, ...call } = t.callOf();
    const given = folder === undefined ? call : { ...call, worksIn: folder };
    expect(await textOf(callTool(given, t.dependencies))).toContain(content);
    expect(t.queue.all).toEqual([]);
  });

  it('is asked about when the folder in which it works only begins like the one of the window', async () => {
    const t = setUp();
    void t.say({ worksIn: '/workshop' });
    await settled();
    expect(t.waiting()).toHaveLength(1);
  });
});
