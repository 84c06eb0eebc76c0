import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { NativeCommand, NativeMoment } from '#base/nativeCommand.ts';
import { type ApprovedFile, type NativeAnswer, type NativeCall, pathsOf, type UnknownTool } from '#base/nativeEdit.ts';
import { isOwnSetting, ownSettings, type UserPlaces } from '#connect/hooks/ownSettings.ts';
import { isScratch, type ScratchPlaces } from '#connect/hooks/scratchFolders.ts';
import { absenceMilliseconds, type Guard, holds, isInForce, readGuards } from '#home/guards.ts';
import { guardsOffUntil } from '#home/guardsOff.ts';
import { readWindowRecords, type WindowRecord } from '#home/windowFiles.ts';
import { guardedWorkTree, guardsOfFiles } from '#home/worktree.ts';
import { guardsOfCommand, namesOwnSettings } from './commandPlaces.ts';
import { realPath } from './realPath.ts';

const NativeAnswerBody = z.discriminatedUnion('decision', [
  z.object({ decision: z.literal('none'), words: z.optional(z.string()), news: z.optional(z.string()) }),
  z.object({
    decision: z.literal('allow'),
    files: z.array(
      z.object({
        path: z.string(),
        change: z.enum(['edit', 'create', 'delete']),
        movedTo: z.optional(z.string()),
        sha256: z.optional(z.string()),
        texts: z.object({ before: z.string(), after: z.string() }),
        isChanged: z.boolean(),
      }),
    ),
    words: z.optional(z.string()),
  }),
  z.object({ decision: z.literal('deny'), words: z.string() }),
]) satisfies z.ZodMiniType<NativeAnswer>;

const lookMilliseconds = 200;
/** The hook asks about an edit at most so many times, when its file changes between the approval and the answer. */
const mostAttempts = 5;

const noOpinion: NativeAnswer = { decision: 'none' };
const changingWords = 'The file keeps changing, so this edit was not made. Read the file again before you edit it.';

/**
 * Asks every window that guards a file of the call, one after the other: all must agree. A window that is away is waited for. While
 * the user has switched the guard off, only edits of the guard's own settings are refused.
 * @param home the state folder of this user
 * @param absence milliseconds to wait for a window that is away
 */
export async function askWindows(
  call: NativeCall,
  home: string,
  absence: number = absenceMilliseconds,
): Promise<NativeAnswer> {
  const named = (await Promise.all(call.edits.flatMap(pathsOf).map(placesOf))).flat();
  const user = await thisUser(home);
  // A settings file may be a link, as into a folder of dotfiles.
  const settings = await Promise.all(ownSettings(user).map(realPath));
  const own = named.find(({ real }) => isOwnSetting(real, settings, user.platform));
  if (own !== undefined && (await readGuards(home)).some(isInForce)) return denial(ownSettingWords(own.real));
  const paths = named.filter(({ real }) => !isScratch(real, user));
  // A window is still told that a call which it approved has ended.
  if (call.event === 'before' && (await guardsOffUntil(home)) !== undefined) return noOpinion;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const answer = await askAll(questionOf({ ...call, attempt }, paths), home, absence);
    // The user was asked about this edit, so it must not pass now that no window guards its files.
    if (answer.decision === 'none' && attempt > 0) return denial(changingWords);
    if (answer.decision !== 'allow' || (await areUnchanged(answer.files))) return answer;
    if (call.edits.some(({ kind }) => kind === 'write')) {
      return denial('The file changed while the user looked at this edit, so it was not made. Read the file again.');
    }
  }
  return denial(changingWords);
}

/**
 * Asks the windows that a command concerns (`guardsOfCommand`), one after the other: all must agree. The end of a command is told to
 * those of them that are there. While the user has switched the guard off, and where no window is asked, only a command that names the
 * guard's own settings is refused.
 * @param home the state folder of this user
 * @param absence milliseconds to wait for a window that is away
 */
export async function askAboutCommand(
  asked: NativeCommand,
  home: string,
  absence: number = absenceMilliseconds,
): Promise<NativeAnswer> {
  const user = await thisUser(home);
  const guards = await readGuards(home);
  const concerned = (all: readonly Guard[]): Promise<readonly Guard[]> => guardsOfCommand(all, asked.command, user);
  if (asked.event !== 'before') return await tell(asked, await concerned(guards), home);
  const isOwn = await namesOwnSettings(asked.command, ownSettings(user), user);
  const command: NativeCommand = isOwn ? { ...asked, command: { ...asked.command, namesOwnSettings: true } } : asked;
  const isOff = (await guardsOffUntil(home)) !== undefined;
  const isAsked = !isOff && (await concerned(guards.filter(isInForce))).length > 0;
  if (isOwn && !isAsked && guards.some(isInForce)) return denial(ownSettingsInCommandWords);
  return isOff ? noOpinion : await askAll(questionOfCommand(command, concerned), home, absence);
}

/** A file of a call. */
interface NamedFile {
  /** The path as the assistant names it, absolute. */
  readonly path: string;
  /** The path without links. */
  readonly real: string;
}

/** Returns where a path may lead: assistants leave out ".." before or after they follow the links before it. */
async function placesOf(path: string): Promise<readonly NamedFile[]> {
  const lexical = resolve(path);
  const reals = new Set(await Promise.all([realPath(path), realPath(lexical)]));
  return [...reals].map((real) => ({ path: lexical, real }));
}

/** The time limit of a report, which the assistant waits for. */
const tellMilliseconds = 1000;

/** Reports a tool to the windows that guard the working directory, without waiting for those that are away. */
export async function tellWindows(tool: UnknownTool, home: string, folder: string = process.cwd()): Promise<void> {
  await tell(tool, guardsOfFiles(await readGuards(home), [await realPath(folder)]), home);
}

/**
 * Reports the beginning of a session to the windows that guard its folder or a folder below it, and every other moment to all windows
 * that guard something, because the session may have gone to another folder meanwhile. Does not wait for windows that are away.
 */
export async function tellMoment(moment: NativeMoment, home: string): Promise<void> {
  const guards = await readGuards(home);
  const folder = await realPath(moment.folder);
  const here = guardsOfFiles(guards, [folder]);
  const concerned = guards.filter(
    (guard) =>
      moment.event !== 'sessionBegan' ||
      here.includes(guard) ||
      guard.folders.some((guarded) => holds(folder, guarded, process.platform)),
  );
  await tell(moment, concerned, home);
}

/** Returns an answer that has words for the model, else none. */
async function tell(report: Report, guards: readonly Guard[], home: string): Promise<NativeAnswer> {
  const windows = (await readWindowRecords(home)).filter(({ windowId }) =>
    guards.some((guard) => guard.windowId === windowId && !guard.hasEnded),
  );
  const signal = AbortSignal.timeout(tellMilliseconds);
  const answers = await Promise.all(windows.map((window) => askWindow(window, report, { signal })));
  const withWords = answers.filter((answer) => typeof answer !== 'string' && answer.decision === 'none');
  return withWords.find(({ words, news }) => words !== undefined || news !== undefined) ?? noOpinion;
}

/** Returns the places of this user, without links. The home is not that of the environment, which a project may set for a hook. */
async function thisUser(home: string): Promise<UserPlaces & ScratchPlaces> {
  const { platform, env: environment } = process;
  const places = { home: await realPath(homeOfUser(home)), state: await realPath(home), platform, environment };
  return { ...places, uid: process.getuid?.() };
}

/** Returns the home folder of this user; in a container whose user has no name, the one that the state folder is in. */
function homeOfUser(state: string): string {
  try {
    return userInfo().homedir;
  } catch {
    return dirname(state);
  }
}

function ownSettingWords(path: string): string {
  return (
    `${path} decides which edits the user is asked about, so assistants do not change it with their own tools. ` +
    'Nothing was changed. Ask the user to change it.'
  );
}

const ownSettingsInCommandWords =
  'This command names a file or folder by which assistants could stop asking the user, so it was not run. ' +
  'Ask the user to run it in a terminal of their own.';

/** A call, and what it needs of the windows. */
interface Question {
  readonly call: NativeCall | NativeCommand;
  /** Returns the guards whose windows must agree. */
  concerned(guards: readonly Guard[]): Promise<readonly Guard[]>;
  /** Returns whether others that have answered judge everything that this guard would. */
  isJudged(guard: Guard, answered: readonly Guard[]): boolean;
  /** Returns the words of a refusal, when the window of a guard cannot judge the call, and said nothing for this reason. */
  cannotJudge?(guard: Guard): string | undefined;
}

function questionOf(call: NativeCall, files: readonly NamedFile[]): Question {
  const paths = files.map(({ real }) => real);
  return {
    call,
    concerned: async (guards) => guardsOfFiles(guards, paths),
    isJudged: ({ folders }, answered) =>
      paths
        .filter((path) => guardsPath(folders, path))
        .every((path) => answered.some((guard) => guardsPath(guard.folders, path))),
    cannotJudge(guard) {
      const linked = call.event === 'before' ? files.find((file) => isLinked(file, guard)) : undefined;
      return linked && linkWords(linked);
    },
  };
}

function questionOfCommand(call: NativeCommand, concerned: Question['concerned']): Question {
  return {
    call,
    concerned,
    isJudged: ({ folders }, answered) =>
      folders.every((folder) => answered.some((guard) => guardsPath(guard.folders, folder))),
  };
}

async function askAll(question: Question, home: string, absence: number): Promise<NativeAnswer> {
  const { call } = question;
  const answers = new Map<string, NativeAnswer>();
  /** The windows that took the question and ended without an answer, for example while its card was open. */
  const left = new Set<string>();
  let awaySince: number | undefined;
  for (;;) {
    const guards = await question.concerned(await readGuards(home));
    const windows = await readWindowRecords(home);
    const unasked = guards.filter(({ windowId }) => !answers.has(windowId));
    const away: Guard[] = [];
    for (const guard of unasked) {
      const window = guard.hasEnded ? undefined : windows.find(({ windowId }) => windowId === guard.windowId);
      const answer = window === undefined ? 'unreachable' : await askWindow(window, call, { absence });
      if (answer === 'left') left.add(guard.windowId);
      if (answer === 'left' || answer === 'unreachable') away.push(guard);
      else if (answer.decision === 'deny') return answer;
      else {
        const words = answer.decision === 'none' ? question.cannotJudge?.(guard) : undefined;
        if (words !== undefined) return denial(words);
        answers.set(guard.windowId, answer);
      }
    }
    const answered = guards.filter(({ windowId }) => answers.has(windowId));
    // A window that has ended needs no answer when others that guard its files gave theirs.
    const missed = away.find(
      (guard) => !question.isJudged(guard, answered) || !(guard.hasEnded || guard.state === 'closed'),
    );
    if (missed === undefined) {
      return answers.size === 0 && left.size > 0
        ? denial(closedWords(call))
        : [...answers.values()].reduce(both, noOpinion);
    }
    awaySince ??= Date.now();
    const since = missed.state === 'closed' ? missed.changedAt : awaySince;
    if (Date.now() - since >= absence) {
      // No window guards a folder that the user closed and did not open again. The hook still refuses a call that a window asked about.
      if (missed.state === 'open') return denial(awayWords(missed, call));
      if (left.has(missed.windowId)) return denial(closedWords(call));
      answers.set(missed.windowId, noOpinion);
    } else await wait(lookMilliseconds);
  }
}

function holdsPath(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => holds(folder, path, process.platform));
}

/** Returns whether the window of these folders judges a path: it is in one of them, or in a work tree of their repository. */
function guardsPath(folders: readonly string[], path: string): boolean {
  return holdsPath(folders, path) || guardedWorkTree(path, folders) !== undefined;
}

/** Returns whether a path leads by a link from elsewhere into a guarded folder. Its window does not find the file by that path. */
function isLinked({ path, real }: NamedFile, { folders }: Guard): boolean {
  return holdsPath(folders, real) && !holdsPath(folders, path);
}

function linkWords({ path, real }: NamedFile): string {
  return `${path} leads by a link to ${real}, so this edit was not made. Make it with the path ${real}.`;
}

/** Two windows can have one folder open. Only one of them may have changed the edit. */
function both(one: NativeAnswer, other: NativeAnswer): NativeAnswer {
  if (one.decision !== 'allow') return other;
  if (other.decision !== 'allow') return one;
  const hasChanges = ({ files }: typeof one): boolean => files.some(({ isChanged }) => isChanged);
  if (hasChanges(one) && hasChanges(other)) {
    return denial('The user changed this edit in two windows, so it was not made. Ask the user what they want.');
  }
  return hasChanges(other) ? other : one;
}

function awayWords({ folders }: Guard, call: Call): string {
  const { not, again } = wordsFor(call);
  return (
    `Drawbridge guards ${folders.join(' and ')}, but its window does not answer, so ${not}. ` +
    `Tell the user: open the folder in the editor again, or close its window if it hangs. Then ${again}.`
  );
}

function closedWords(call: Call): string {
  const { one, was, ask } = wordsFor(call);
  return `The user closed the window, or stopped Drawbridge, before deciding about ${one}, so it was not ${was}. ${ask}`;
}

type Call = NativeCall | NativeCommand;

function wordsFor(call: Call) {
  return 'command' in call
    ? {
        one: 'this command',
        was: 'run',
        not: 'this command was not run',
        again: 'run the command again',
        ask: 'Ask them whether you should run it.',
      }
    : {
        one: 'this edit',
        was: 'made',
        not: 'this edit was not made',
        again: 'make the edit again',
        ask: 'Ask them whether you should make it.',
      };
}

function denial(words: string): NativeAnswer {
  return { decision: 'deny', words };
}

type Report = NativeCall | NativeCommand | NativeMoment | UnknownTool;

/** Returns the answer of a window; `left` when the window took the question and is gone, `unreachable` when it could not be asked. */
function askWindow(
  { endpoint, token }: WindowRecord,
  report: Report,
  { signal, absence = absenceMilliseconds }: { readonly signal?: AbortSignal; readonly absence?: number },
): Promise<NativeAnswer | 'left' | 'unreachable'> {
  return new Promise((done) => {
    const body = JSON.stringify(report);
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    };
    const options = { method: 'POST', agent: false, headers, ...(signal && { signal }) };
    const outgoing = request(new URL('/hook', endpoint), options, (incoming) => {
      clearTimeout(hangs);
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', () => done('left'));
      incoming.on('end', () => done(answerIn(incoming.statusCode ?? 0, Buffer.concat(chunks).toString('utf8'))));
    });
    // A window answers a question late, but begins its answer at once.
    const hangs = setTimeout(() => outgoing.destroy(), absence);
    hangs.unref();
    let isConnected = false;
    outgoing.on('socket', (socket) => socket.once('connect', () => (isConnected = true)));
    for (const event of ['error', 'close']) {
      outgoing.on(event, () => done(isConnected ? 'left' : 'unreachable'));
    }
    outgoing.end(body);
  });
}

function answerIn(status: number, body: string): NativeAnswer | 'unreachable' {
  // The secret is no longer the one of that window.
  if (status === 401 || status === 429) return 'unreachable';
  if (status !== 200) {
    return denial(`Drawbridge could not read this call (HTTP ${status}), so it was not made. Tell the user.`);
  }
  try {
    return NativeAnswerBody.parse(JSON.parse(body));
  } catch {
    return denial('The window of Drawbridge gave an answer that cannot be read, so this call was not made.');
  }
}

/** Returns whether the files still have the bytes for which the edit was approved. */
async function areUnchanged(files: readonly ApprovedFile[]): Promise<boolean> {
  const found = await Promise.all(
    files.map(async ({ path, sha256 }) => {
      const bytes = await readFile(path).catch(() => undefined);
      return sha256 === (bytes && createHash('sha256').update(bytes).digest('hex'));
    }),
  );
  return found.every(Boolean);
}
