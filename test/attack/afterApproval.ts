/** Attacks on calls of an assistant's own tools after the user approved them, and on the list of what changed: rows G of `docs/threats.md`. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import * as z from 'zod';
import { hookPath } from '#mcp/hook.ts';
import { type ClaudeCodeCall, claudeCodeInput, claudeCodeMoment } from '../bridge/claudeCode.ts';
import { hostileRepository } from '../changes/outside/hostileRepository.ts';
import { bringUp, decide, openApprovals, waitingCards } from '../e2e/approvalsPage.ts';
import { openPane } from '../e2e/connectionsPane.ts';
import { bufferOf, openFile, setSetting, typeInto } from '../e2e/editor.ts';
import { until } from '../host/until.ts';
import { jsonHeaders, send } from '../mcp/rawHttp.ts';
import { bash, guarded, hook, newCall, startHook, write, type HookAnswer, type RunningHook } from './hookProgram.ts';
import { put, targetOf, type Attack, type Target, type Tries } from './target.ts';

const approveOf = (name: string): RegExp => new RegExp(`^Approve .*${name}`);

/** Returns whether an answer of a port of this machine lies in a socket that nobody has read yet. */
function hasUnread(port: number): boolean {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const sockets = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return sockets.some((line) => {
    const [, , to = '', , queues = ''] = line.trim().split(/\s+/);
    return to.endsWith(remote) && !queues.endsWith(':00000000');
  });
}

/** Approves a call while its hook program stands still, and does something to the file before the program reads the answer. */
async function approvedLate(
  target: Target,
  page: Frame,
  call: ClaudeCodeCall,
  name: string,
  change: () => void,
): Promise<RunningHook> {
  const running = startHook(target, claudeCodeInput({ folder: target.folder, ...call }));
  await bringUp(page, approveOf(name));
  running.signal('SIGSTOP');
  try {
    await decide(page, approveOf(name));
    await until(() => hasUnread(target.port), 'the answer of the window');
    change();
  } finally {
    running.signal('SIGCONT');
  }
  return running;
}

const edited = (path: string): ClaudeCodeCall => ({
  tool: 'Edit',
  input: { file_path: path, old_string: 'one', new_string: 'two', replace_all: false },
  call: newCall(),
});

const g4: Attack = {
  id: 'G4',
  name: 'has an edit allowed whose file changed between the approval and the answer',
  async run(target, tries) {
    await guarded(target);
    const page = await openApprovals(target.drawbridge.window);
    const before = 'one\nkept\n';
    const mine = 'one\nkept\nmine\n';
    const cases: readonly (readonly [what: string, call: typeof edited, change: (path: string) => void])[] = [
      ['nothing', write, () => undefined],
      ['a longer text', write, (path) => writeFileSync(path, mine)],
      ['another text of the same length', write, (path) => writeFileSync(path, 'uno\nkept\n')],
      ['a file that is gone', write, (path) => rmSync(path)],
      ['a line end', write, (path) => writeFileSync(path, 'one\r\nkept\r\n')],
      ['a longer text', edited, (path) => writeFileSync(path, mine)],
    ];
    for (const [index, [what, callOf, change]] of cases.entries()) {
      const name = `late${index}.txt`;
      const path = join(target.folder, name);
      put(target, { [name]: before });
      const call = callOf(path);
      const running = await approvedLate(target, page, call, name, () => change(path));
      // An edit is computed anew and shown again, and what the user approves then is what the file holds.
      await until(async () => running.isAnswered() || (await waitingCards(page).count()) > 0, 'an answer or a card');
      if (!running.isAnswered()) await decide(page, approveOf(name));
      const { decision, input, words } = await running.answer;
      const isAllowed = decision === 'allow';
      if (what === 'nothing') {
        if (!isAllowed) throw new Error(`An edit of an unchanged file is not allowed either: ${decision} ${words}`);
        continue;
      }
      const isOfNow = call.tool === 'Edit' && existsSync(path) && input['old_string'] === readFileSync(path, 'utf8');
      tries.add(`${call.tool} of ${what}: ${decision} ${words}`, isAllowed && !isOfNow);
    }
  },
};

/** The text of the card of a file, once its edit is over. */
function finishedCard(page: Frame, name: string): Promise<string> {
  const card = page.locator('article').filter({ hasText: name }).first();
  return until(async () => {
    const told = await card.innerText({ timeout: 5000 });
    return told.includes('Applying…') ? undefined : told;
  }, `the card of ${name} to be over`);
}

const g6: Attack = {
  id: 'G6',
  name: 'writes something else than what was approved, and has it shown as approved',
  async run(target, tries) {
    await guarded(target);
    const page = await openApprovals(target.drawbridge.window);
    const approved = 'two\nkept\n';
    const cases: readonly (readonly [what: string, isNew: boolean, written: string | Buffer])[] = [
      ['the approved text', true, approved],
      ['the approved text', false, approved],
      ['another text', true, 'evil\n'],
      ['another text', false, 'evil\n'],
      ['one more line', true, `${approved}evil\n`],
      ['one more line', false, `${approved}evil\n`],
      ['a line less', false, 'two\n'],
      ['other line ends', true, 'two\r\nkept\r\n'],
      ['no last line end', false, 'two\nkept'],
      ['a hidden character', false, 'two\u{200b}\nkept\n'],
      ['a byte order mark', true, `\u{feff}${approved}`],
      ['UTF-16', false, Buffer.from(`\u{feff}${approved}`, 'utf16le')],
      ['bytes that are no text', true, Buffer.from([0, 0xff, 0xfe, 0])],
    ];
    for (const [index, [what, isNew, written]] of cases.entries()) {
      const name = `written${index}.txt`;
      const path = join(target.folder, name);
      if (!isNew) put(target, { [name]: 'one\nkept\n' });
      const call = isNew ? write(path, approved) : edited(path);
      const { answer } = startHook(target, claudeCodeInput({ folder: target.folder, ...call }));
      await decide(page, approveOf(name));
      const { decision, words } = await answer;
      if (decision !== 'allow') throw new Error(`An approved edit is not allowed: ${decision} ${words}`);
      writeFileSync(path, written);
      await hook(target, { ...call, event: 'PostToolUse' });
      const told = (await finishedCard(page, name)).replaceAll(/\s+/g, ' ');
      const isTold = /Written differently than approved|check this file/.test(told);
      if (what === 'the approved text') {
        if (isTold) throw new Error(`The approved text counts as another one: ${told}`);
        continue;
      }
      tries.add(`${what} in ${isNew ? 'a new' : 'an old'} file: ${told}`, !isTold);
    }
  },
};

const hookDecision = z.object({ decision: z.string() });

/** A command as the hook program tells it. */
interface Asked {
  readonly text: string;
  readonly folder?: string;
  readonly session?: string;
  readonly tool?: string;
}

/**
 * Asks about a command as the hook program does, but waits for a second only. The hooks of all assistants wait for days.
 * @returns the decision of the window
 */
async function askAboutCommand(target: Target, { text, folder, session, tool }: Asked): Promise<string> {
  const body = {
    event: 'before',
    assistant: 'Claude Code',
    session: session ?? 'late',
    call: newCall(),
    waitSeconds: 31,
    tool: tool ?? 'Bash',
    command: { shell: 'bash', text, folder: folder ?? target.folder },
  };
  const answer = await send(target.port, 'POST', jsonHeaders(target.record.token), JSON.stringify(body), hookPath);
  return hookDecision.parse(JSON.parse(answer.text)).decision;
}

const g17: Attack = {
  id: 'G17',
  name: 'runs a command twice that the user approved too late, or another one in its place',
  async run(target, tries) {
    await guarded(target);
    put(target, { 'src/a.txt': 'one\n' });
    const page = await openApprovals(target.drawbridge.window);
    const commands = ['touch ran0', 'mkdir ran1', 'cp src/a.txt ran2'];
    // No other card waits yet: those of one assistant make a group.
    for (const [index, text] of commands.entries()) {
      const first = await askAboutCommand(target, { text });
      if (first !== 'deny') throw new Error(`The call does not end without a decision: ${first}`);
      await decide(page, new RegExp(`^Run: Run ${text}`));
      tries.add(`the window runs ${text}`, existsSync(join(target.folder, `ran${index}`)));
    }
    for (const text of commands) {
      const others: Readonly<Record<string, Asked>> = {
        'another command': { text: `${text}-evil` },
        'more than the command': { text: `${text} && touch evil` },
        'the command in another folder': { text, folder: join(target.folder, 'src') },
        'the command of another session': { text, session: 'another' },
        'the command of another tool': { text, tool: 'Monitor' },
      };
      for (const [what, other] of Object.entries(others)) {
        const decision = await askAboutCommand(target, other);
        tries.add(`${what}: ${decision}`, decision === 'allow');
      }
      const late = await askAboutCommand(target, { text });
      if (late !== 'allow') throw new Error(`A command that was approved late is not let through once: ${late}`);
      for (let again = 2; again < 5; again += 1) {
        const decision = await askAboutCommand(target, { text });
        tries.add(`${text}, run ${again}: ${decision}`, decision === 'allow');
      }
    }
  },
};

const session = 'commands';

/** Runs a command as Claude Code does, with the hook before it and after it. It must need no approval. */
async function run(target: Target, command: string): Promise<void> {
  const call: ClaudeCodeCall = { ...bash(command), session };
  const environment = { SHELL: '/bin/bash' };
  const ask = (event: 'PreToolUse' | 'PostToolUse'): Promise<HookAnswer> =>
    startHook(target, claudeCodeInput({ folder: target.folder, ...call, event }), { environment }).answer;
  const { decision, words } = await ask('PreToolUse');
  if (decision !== 'none') throw new Error(`The command does not pass: ${decision} ${words}`);
  spawnSync('/bin/bash', ['-c', command], { cwd: target.folder });
  await ask('PostToolUse');
}

const tell = (target: Target, event: 'SessionStart' | 'Stop'): Promise<HookAnswer> =>
  startHook(target, claudeCodeMoment(event, session, target.folder)).answer;

/** Presses Undo on a row of the list. */
async function undo(row: Locator): Promise<void> {
  await row.hover();
  await row.getByRole('button', { name: 'Undo' }).click();
}

const g19: Attack = {
  id: 'G19',
  name: 'has the undo of a command remove newer work of the user',
  control: [
    { file: 'src/changes/outside/undoFiles.ts', find: '    await requireAsLeft(each, dependencies);\n', replace: '' },
    {
      file: 'src/changes/outside/undoFiles.ts',
      find: "if (found?.relative !== '' || others.length > 0 || found.sha256 !== now.sha256) {",
      replace: "if (found?.relative !== '' || others.length > 0) {",
    },
  ],
  async run(target, tries) {
    const { folder, drawbridge } = target;
    const { window } = drawbridge;
    await guarded(target);
    const names = ['edited.txt', 'created.txt', 'deleted.txt', 'again.txt'];
    // The first and the last of the list are undone, which shows that all between them were tried.
    const ends = ['a.txt', 'z.txt'];
    const unsaved = 'unsaved.txt';
    put(target, Object.fromEntries([...names, ...ends, unsaved].map((name) => [name, 'one\n'])));
    rmSync(join(folder, 'created.txt'));
    const changed = [...ends, 'edited.txt', 'created.txt', 'again.txt', unsaved];
    put(target, { 'run.sh': `${changed.map((name) => `echo two > ${name}\n`).join('')}rm deleted.txt\n` });
    await tell(target, 'SessionStart');
    await run(target, './none || sh run.sh');
    const pane = await openPane(window, 'Changed Outside');
    for (const name of [...names, ...ends, unsaved]) {
      await pane
        .getByRole('treeitem', { name: new RegExp(`^${name}`) })
        .first()
        .waitFor();
    }
    await undo(pane.getByRole('treeitem', { name: /^Claude Code: \.\/none/ }).first());
    // The assistant is still in its turn, so the undo waits, and the user works on.
    for (const name of names) writeFileSync(join(folder, name), `mine ${name}\n`);
    const path = join(folder, unsaved);
    await openFile(window, path);
    await typeInto(window, path, 'mine\n');
    await tell(target, 'Stop');
    const textOf = (name: string): string =>
      existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '(gone)';
    await until(() => ends.every((name) => textOf(name) === 'one\n'), 'the undo at the end of the turn');
    for (const name of names) tries.add(`${name} holds ${textOf(name)}`, textOf(name) !== `mine ${name}\n`);
    const { text } = await bufferOf(window, path);
    tries.add(`the editor holds ${text}`, !text.startsWith('mine\n'));
  },
};

const g18: Attack = {
  id: 'G18',
  name: 'has the list of changes start programs that the configuration of a repository names',
  async run(target, tries) {
    const { drawbridge, outside } = target;
    // The editor itself runs Git in a repository that the user trusts.
    await setSetting(drawbridge.window, 'git.enabled', false);
    mkdirSync(join(outside, 'hostile'));
    const { root, marker } = hostileRepository(join(outside, 'hostile'));
    const window = await drawbridge.host.openWindow({ folder: root });
    try {
      const record = (): ReturnType<typeof drawbridge.record> => drawbridge.record(window);
      const inside = await targetOf({ ...drawbridge, window, folder: root, record });
      await guarded(inside);
      await tell(inside, 'SessionStart');
      tryStarted(marker, 'the begin of a session', tries);
      put(inside, { 'run.sh': 'for name in a.txt b.slow crlf.txt new.txt sub/a.txt; do echo two > $name; done\n' });
      await run(inside, './none || sh run.sh');
      tryStarted(marker, 'a command', tries);
      const pane = await openPane(window, 'Changed Outside');
      const row = pane.getByRole('treeitem', { name: /^crlf\.txt/ }).first();
      await row.waitFor();
      tryStarted(marker, 'the list', tries);
      await tell(inside, 'Stop');
      await undo(row);
      await until(() => readFileSync(join(root, 'crlf.txt'), 'utf8') === 'one\r\ntwo\r\n', 'the undo');
      tryStarted(marker, 'the undo', tries);
    } finally {
      await window.close();
      rmSync(join(outside, 'hostile'), { recursive: true });
    }
  },
};

/** Counts what wrote its name into the marker as a program that was started. */
function tryStarted(marker: string, at: string, tries: Tries): void {
  const started = existsSync(marker) ? readFileSync(marker, 'utf8') : '';
  tries.add(`${at}: ${started.slice(0, 300)}`, started !== '');
}

export const afterApprovalAttacks: readonly Attack[] = [g4, g6, g17, g18, g19];
