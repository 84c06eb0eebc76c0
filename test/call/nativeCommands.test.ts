import { describe, expect, it } from 'vitest';
import type { NativeCommand } from '#base/nativeCommand.ts';
import type { ApprovalRequest, ChangeOutcome } from '#changes/approver.ts';
import { NativeCommands } from '#call/nativeCommands.ts';
import { nativeCommand } from '#tools/commands/nativeCommand.ts';
import { FakeCommandLines } from '../fakes/commandLines.ts';
import { FakeNativeWatch } from '../fakes/nativeWatch.ts';
import { ruleOf } from '../fakes/rules.ts';
import { setUp } from './callSetUp.ts';

/** A window in which the user decides as `decide` says. */
function start(decide: (request: ApprovalRequest) => Promise<Partial<ChangeOutcome>> = async () => ({})) {
  const t = setUp();
  const commandLines = new FakeCommandLines();
  commandLines.known.set('rm a', { class: 'writes' });
  commandLines.known.set('ls', { class: 'reads' });
  const requests: ApprovalRequest[] = [];
  /** The outcomes of approvals that ended after their calls. */
  const ended = new Map<string, ChangeOutcome>();
  const included: string[] = [];
  const watch = new FakeNativeWatch();
  const commands = new NativeCommands({
    ...t.dependencies,
    ports: { ...t.dependencies.ports, commandLines },
    approver: {
      async request(request) {
        requests.push(request);
        request.onWaiting('a-1');
        const outcome = await decide(request);
        return { status: 'applied', approvalId: 'a-1', displayed: true, files: [], next: 'Go on.', ...outcome };
      },
      permitRead: async () => undefined,
      outcome: async (id) => ended.get(id),
    },
    tool: nativeCommand,
    includeWorktrees: (paths) => included.push(...paths),
    endTurnRules: () => undefined,
    level: () => commandLines.assistantLevel,
    watch,
  });
  const closed = new AbortController();
  const ask = (text: string, more: Partial<NativeCommand> = {}, command: Partial<NativeCommand['command']> = {}) =>
    commands.answer(
      {
        event: 'before',
        assistant: 'Claude Code',
        session: 's',
        call: 'c-1',
        isSerial: true,
        turn: 't-1',
        tool: 'Bash',
        command: { shell: 'bash', text, folder: '/w', ...command },
        ...more,
      },
      closed.signal,
    );
  return { ...t, commandLines, requests, ended, included, watch, commands, ask, closed };
}

const approve = async ({ writer }: ApprovalRequest): Promise<Partial<ChangeOutcome>> => {
  writer?.permit();
  return {};
};

describe('NativeCommands', () => {
  it('has no opinion about a command that only reads, and watches nothing for it', async () => {
    const t = start();
    expect(await t.ask('ls')).toEqual({ decision: 'none' });
    expect(t.requests).toEqual([]);
    expect(t.watch.calls).toEqual([]);
    expect(t.included).toEqual(['/w']);
    expect(t.lastEnd()).toMatchObject({ outcome: 'applied', decision: { effect: 'allow' }, definition: 'Bash' });
  });

  it('has no opinion about a command that runs something, and watches what it changes until it ends', async () => {
    const t = start();
    expect(await t.ask('npm test')).toEqual({ decision: 'none' });
    expect(t.watch.calls).toMatchObject([{ headline: 'Claude Code: npm test' }]);
    expect(await t.ask('npm test', { event: 'after' })).toEqual({ decision: 'none' });
    expect(t.watch.ends).toEqual([{ key: t.watch.calls[0]?.key, paths: [] }]);
    expect(t.watch.sessions.size).toBe(1);
  });

  it('asks about a command that writes, shows it as one of the assistant, and lets it through when the user approves', async () => {
    const t = start(approve);
    expect(await t.ask('rm a', {}, { reason: 'Cleans up' })).toEqual({ decision: 'allow', files: [] });
    expect(t.requests[0]).toMatchObject({
      tool: 'native_command',
      client: { name: 'Claude Code' },
      reason: 'Cleans up',
      principal: { credential: 'window', connectionId: expect.stringMatching(/^native:/) },
      proposal: { kind: 'action', definition: 'Bash', command: { text: 'rm a', class: 'writes' } },
      judgement: { effect: 'ask', risk: 'execute' },
    });
    expect(t.watch.calls).toMatchObject([{ headline: 'Claude Code: rm a' }]);
  });

  it('refuses a command in the words of the user, and the same command in the same turn without a card', async () => {
    const t = start(async () => ({ status: 'declined', userMessage: 'Keep it.' }));
    const refused = await t.ask('rm a');
    expect(refused).toMatchObject({ decision: 'deny', words: expect.stringContaining('The user says: Keep it.') });
    expect(await t.ask('rm a', { call: 'c-2' })).toEqual(refused);
    expect(t.requests).toHaveLength(1);
    expect(await t.ask('rm a', { call: 'c-3', turn: 't-2' })).toMatchObject({ decision: 'deny' });
    expect(t.requests).toHaveLength(2);
    expect(t.watch.calls).toEqual([]);
  });

  it('lets a command through that a rule of the user allows, and asks about every command at the level for all', async () => {
    const t = start(approve);
    t.policy.setRules(ruleOf({ effect: 'allow', class: 'execute', command: ['rm', 'a'] }));
    expect(await t.ask('rm a')).toEqual({ decision: 'allow', files: [] });
    expect(t.requests).toEqual([]);
    t.commandLines.assistantLevel = 'everything';
    await t.ask('npm test');
    expect(t.requests).toMatchObject([{ judgement: { reason: 'you review all commands' } }]);
    await t.ask('ls');
    expect(t.requests).toHaveLength(1);
  });

  it('asks about nothing when the user reviews changes afterwards, and still refuses what a rule denies', async () => {
    const t = start();
    t.commandLines.assistantLevel = 'after';
    expect(await t.ask('rm a')).toEqual({ decision: 'none' });
    expect(t.watch.calls).toMatchObject([{ headline: 'Claude Code: rm a' }]);
    t.policy.setRules(ruleOf({ effect: 'deny', class: 'execute', command: ['rm', '*'] }));
    expect(await t.ask('rm a', { call: 'c-2' })).toMatchObject({ decision: 'deny' });
    expect(t.requests).toEqual([]);
  });

  it('asks once about a command whose script an assistant changed, and again after the next change', async () => {
    const t = start(approve);
    t.commandLines.known.set('sh x.sh', { class: 'runs', runs: ['/w/x.sh'] });
    expect(await t.ask('sh x.sh')).toEqual({ decision: 'none' });
    t.clock.advance(1000);
    t.commandLines.changed.set('/w/x.sh', t.clock.now());
    t.clock.advance(10_000);
    expect(await t.ask('sh x.sh', { call: 'c-2' })).toMatchObject({ decision: 'allow' });
    expect(t.requests).toMatchObject([{ judgement: { reason: '/w/x.sh was changed by an assistant' } }]);
    t.clock.advance(10_000);
    expect(await t.ask('sh x.sh', { call: 'c-3' })).toEqual({ decision: 'none' });
    t.commandLines.changed.set('/w/x.sh', t.clock.now());
    await t.ask('sh x.sh', { call: 'c-4' });
    expect(t.requests).toHaveLength(2);
  });

  it('G17: lets a command that was approved too late through once within 15 minutes, and runs nothing itself', async () => {
    const late = Promise.withResolvers<ApprovalRequest>();
    const t = start(async (request) => {
      late.resolve(request);
      return { status: 'pending_approval' };
    });
    const outcome = { approvalId: 'a-1', displayed: true, files: [], next: 'Go on.' };
    t.ended.set('a-1', { ...outcome, status: 'pending_approval' });
    const first = await t.ask('rm a');
    expect(first).toMatchObject({ decision: 'deny', words: expect.stringContaining('has not decided') });
    expect((await late.promise).writer?.permit()).toBe('later');
    t.ended.set('a-1', { ...outcome, status: 'applied' });
    t.clock.advance(14 * 60_000);
    const second = await t.ask('rm a', { call: 'c-2' });
    expect(second).toMatchObject({
      decision: 'allow',
      words: expect.stringContaining('About your earlier command rm a'),
    });
    expect(t.watch.calls).toMatchObject([{ headline: 'Claude Code: rm a' }]);
    await t.ask('rm a', { call: 'c-3' });
    expect(t.requests).toHaveLength(2);
  });

  it('asks again about a command that was approved too late when 15 minutes are over', async () => {
    const late = Promise.withResolvers<ApprovalRequest>();
    const t = start(async (request) => {
      late.resolve(request);
      return { status: 'pending_approval' };
    });
    await t.ask('rm a');
    (await late.promise).writer?.permit();
    t.clock.advance(15 * 60_000);
    await t.ask('rm a', { call: 'c-2' });
    expect(t.requests).toHaveLength(2);
  });

  it('permits nothing when the assistant stopped waiting, or the window ends', async () => {
    const permitted: unknown[] = [];
    const t = start(async ({ writer }) => {
      t.closed.abort();
      permitted.push(writer?.permit());
      return { status: 'withdrawn' };
    });
    await t.ask('rm a');
    const u = start(async ({ writer }) => {
      u.commands.suspend();
      permitted.push(writer?.permit());
      return {};
    });
    void u.ask('rm a');
    await expect.poll(() => permitted).toEqual([false, false]);
  });

  it('waits until the files are known as they are before a command that may change them', async () => {
    const t = start();
    const ready = Promise.withResolvers<undefined>();
    t.watch.isReady = ready.promise;
    let answer: unknown;
    void t.ask('npm test').then((given) => (answer = given));
    expect(await t.ask('ls', { call: 'c-2' })).toEqual({ decision: 'none' });
    expect(answer).toBeUndefined();
    ready.resolve(undefined);
    await expect.poll(() => answer).toEqual({ decision: 'none' });
  });

  it('shows one card for one call that comes by two settings files, and one each for calls without an id', async () => {
    const t = start(approve);
    await Promise.all([t.ask('rm a'), t.ask('rm a', { source: '/other.json' })]);
    expect(t.requests).toHaveLength(1);
    await t.ask('rm a', { call: undefined });
    await t.ask('rm a', { call: undefined });
    expect(t.requests).toHaveLength(3);
  });

  it('never answers a question by which an assistant asks to leave its sandbox', async () => {
    const t = start(approve);
    await t.ask('rm a');
    expect(await t.ask('rm a', { event: 'question' })).toEqual({ decision: 'none' });
  });

  it('has no opinion about a command that only changes files outside the folders of the window', async () => {
    const t = start();
    t.commandLines.known.set('touch /x', { class: 'writes', outside: ['/x'] });
    expect(await t.ask('touch /x')).toEqual({ decision: 'none' });
    expect(t.requests).toEqual([]);
    expect(t.watch.calls).toEqual([]);
  });

  it('asks about a command outside the folders that may also change other files', async () => {
    const t = start(approve);
    t.commandLines.known.set('touch /x *', { class: 'writes', outside: ['/x'], writesElsewhere: true });
    await t.ask('touch /x *');
    expect(t.requests).toMatchObject([
      {
        proposal: {
          remarks: [
            'It may also change files that its text does not name.',
            'It also changes files outside the folders of this window: /x.',
          ],
        },
      },
    ]);
  });

  it('asks each time about a command that names settings of the guard, or a file that nothing may change', async () => {
    const t = start(approve);
    await t.ask('ls', {}, { namesOwnSettings: true });
    t.commandLines.known.set('rm .git/x', { class: 'writes', closed: ['/w/.git/x'] });
    await t.ask('rm .git/x', { call: 'c-2' });
    expect(t.requests.map(({ judgement }) => [judgement.effect, judgement.onceOnly])).toEqual([
      ['ask', true],
      ['ask', true],
    ]);
  });

  it('asks about a program whose further commands the hook does not see, and about no other', async () => {
    const t = start(approve);
    t.commandLines.known.set('bash', { class: 'runs', takesCommands: true });
    expect(await t.ask('bash', {}, { seesInput: true })).toEqual({ decision: 'none' });
    expect(await t.ask('bash', { call: 'c-2' })).toMatchObject({ decision: 'allow' });
    expect(t.requests).toHaveLength(1);
  });

  it('does not take what is typed into a running program for a command that only reads', async () => {
    const t = start(approve);
    t.commandLines.assistantLevel = 'everything';
    await t.ask('ls', {}, { isInput: true });
    expect(t.requests).toMatchObject([{ proposal: { title: 'Type ls', command: { class: 'runs' } } }]);
  });

  it('tells the model once what the user took back: with the next decision, or after the next command', async () => {
    const t = start(approve);
    t.watch.words = 'The user took back a.ts.';
    expect(await t.ask('npm test')).toEqual({ decision: 'none' });
    expect(await t.ask('npm test', { event: 'after' })).toEqual({ decision: 'none' });
    const heard = { event: 'after', reachesModel: true } as const;
    expect(await t.ask('npm test', heard)).toEqual({ decision: 'none', news: 'The user took back a.ts.' });
    t.watch.words = 'The user took back b.ts.';
    expect(await t.ask('rm a', { call: 'c-2' })).toMatchObject({ words: 'The user took back b.ts.' });
    expect(await t.ask('rm a', { call: 'c-2', ...heard })).toEqual({ decision: 'none' });
  });

  it('refuses a command that cannot be recorded', async () => {
    const t = start();
    t.auditLog.failure = new Error('ENOSPC');
    expect(await t.ask('ls')).toMatchObject({ decision: 'deny', words: expect.stringContaining('record') });
  });

  it('refuses nothing because many commands passed before', async () => {
    const t = start();
    for (let at = 0; at < 300; at += 1) await t.ask('npm test', { call: `c-${at}` });
    expect(await t.ask('npm test', { call: 'last' })).toEqual({ decision: 'none' });
  });
});
