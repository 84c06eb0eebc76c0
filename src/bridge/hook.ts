/**
 * The program that assistants start as their hook: it asks the windows that guard a file whether the assistant may edit it, and whether
 * it may run a command, and tells them of the moments of its session.
 */
import { writeSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { stateFolder } from '#home/stateFolder.ts';
import { type HookReport, isCommand, isMoment } from '#base/nativeCommand.ts';
import { holds, isInForce, readGuards } from '#home/guards.ts';
import { isRunning } from '#home/hostIdentity.ts';
import { asciiJson } from '#connect/hooks/asciiJson.ts';
import { guardsOffUntil } from '#home/guardsOff.ts';
import { guardsOfFiles } from '#home/worktree.ts';
import { claudeCodeHook } from '#connect/hooks/claudeCode.ts';
import { codexHook } from '#connect/hooks/codex.ts';
import { copilotHook } from '#connect/hooks/copilot.ts';
import { droidHook } from '#connect/hooks/droid.ts';
import { geminiHook } from '#connect/hooks/gemini.ts';
import {
  type HookAdapter,
  type HookInput,
  type HookOutput,
  hookProbe,
  momentArgument,
  noOpinion,
  UnreadableCommand,
} from '#connect/hooks/hookAdapter.ts';
import { opencodeHook } from '#connect/hooks/opencode.ts';
import { qwenCodeHook } from '#connect/hooks/qwenCode.ts';
import { mayEdit } from '#connect/hooks/unknownTool.ts';
import { askAboutCommand, askWindows, tellMoment, tellWindows } from './askWindows.ts';
import { realPath } from './realPath.ts';

/** The first adapter that recognises an input reads it. An input of Qwen Code also has the shape of one of Claude Code. */
const adapters: readonly HookAdapter[] = [
  qwenCodeHook,
  codexHook,
  claudeCodeHook,
  droidHook,
  geminiHook,
  copilotHook,
  opencodeHook,
];

/** Exit code with which every assistant refuses the call and shows standard error to its model. */
const refused = 2;

async function run(given: string, home: string, event: string): Promise<HookOutput> {
  const input = parseInput(given);
  if (input?.[hookProbe] === true) return { stdout: hookProbe, exitCode: 0 };
  // Where nobody guards anything, assistants work as if this program were not there.
  if ((await readGuards(home)).length === 0) return noOpinion;
  const known = input === undefined ? [] : adapters.filter((each) => each.recognises(input, event));
  if (input === undefined) return noOpinion;
  if (known[0] === undefined) {
    await tellOfStranger(input, home);
    return noOpinion;
  }
  // The input of one assistant may get what so far tells it from that of another: then the tool tells them apart.
  const read = known.map((adapter) => ({ adapter, report: reportIn(input, adapter, event) }));
  const found = read.find(({ report }) => report !== undefined);
  if (found?.report === undefined) {
    const [adapter] = known;
    const tool = adapter.unknownTool?.(input, event);
    if (tool !== undefined) await tellWindows({ event: 'unknown', assistant: adapter.assistant, tool }, home);
    return noOpinion;
  }
  const { adapter, report } = found;
  if (report === 'unknownEdit' || report === 'unknownCommand') {
    if (!(await isGuarded(given, home, report))) return noOpinion;
    return adapter.answer(input, { decision: 'deny', words: unknownWords(adapter.assistant, report) }, event);
  }
  if (isMoment(report)) {
    await tellMoment(report, home);
    return noOpinion;
  }
  const answer = isCommand(report) ? await askAboutCommand(report, home) : await askWindows(report, home);
  return adapter.answer(input, answer, event);
}

/** An edit, or a command, whose input has another shape than is known. */
type Unknown = 'unknownEdit' | 'unknownCommand';

function unknownWords(assistant: string, unknown: Unknown): string {
  return unknown === 'unknownCommand'
    ? `Drawbridge does not know this kind of command of ${assistant}, so it was not run. Tell the user to update Drawbridge.`
    : `Drawbridge does not know this kind of edit of ${assistant}, so it was not made. ` +
        'Tell the user to update Drawbridge, and change the file with the tool apply_edit of Drawbridge meanwhile.';
}

/**
 * Reports a tool that may edit files, of a program whose input no adapter recognises: another assistant that runs hooks of this one, or
 * a new version with another input.
 */
async function tellOfStranger(input: HookInput, home: string): Promise<void> {
  const tool = input['tool_name'] ?? input['toolName'];
  if (typeof tool !== 'string' || !mayEdit(tool)) return;
  await tellWindows({ event: 'unknown', assistant: 'A program that Drawbridge does not recognise', tool }, home);
}

/** Returns what an input reports, also when its tool is known and its shape is not. */
function reportIn(input: HookInput, adapter: HookAdapter, event: string): HookReport | Unknown | undefined {
  try {
    return adapter.read(input, event);
  } catch (error) {
    return error instanceof UnreadableCommand ? 'unknownCommand' : 'unknownEdit';
  }
}

/**
 * Returns whether a window guards the working directory, which is the project or a folder in it, or a folder that the input names, or
 * for a command a folder below the working directory, and the user has not switched that off.
 */
async function isGuarded(input: string, home: string, unknown?: Unknown): Promise<boolean> {
  if ((await guardsOffUntil(home)) !== undefined) return false;
  const guards = (await readGuards(home)).filter(isInForce);
  if (guards.some(({ folders }) => folders.some((folder) => names(input, folder)))) return true;
  const here = await workingFolder();
  const isBelow = (guarded: string): boolean => here.some((folder) => holds(folder, guarded, process.platform));
  if (unknown === 'unknownCommand' && guards.some(({ folders }) => folders.some(isBelow))) return true;
  return guardsOfFiles(guards, here).length > 0;
}

/** Returns whether JSON has the path of a folder or of a file in it. */
function names(input: string, folder: string): boolean {
  const parts = input.split(JSON.stringify(folder).slice(1, -1));
  return parts.slice(1).some((rest) => /^["\\/]/.test(rest));
}

/** Returns nothing for a folder that was deleted. */
async function workingFolder(): Promise<readonly string[]> {
  try {
    return [await realPath(process.cwd())];
  } catch {
    return [];
  }
}

function parseInput(input: string): HookInput | undefined {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the refusal after an error, unless nobody guards this folder: an error of ours must not let a call pass. */
async function failed(cause: unknown, input: string, home: string): Promise<HookOutput> {
  if (!(await isGuarded(input, home))) return noOpinion;
  const reason = cause instanceof Error ? cause.message : String(cause);
  writeSync(2, `Drawbridge could not look at this call, so it was not made: ${reason} Tell the user.\n`);
  return { stdout: '', exitCode: refused };
}

/**
 * Ends this program with the assistant that started it, so that its window withdraws the card. The launcher, which waits in between,
 * names its parent. Windows does not tell.
 */
function endWithParent(): void {
  const parent = process.ppid;
  const assistant = Number(process.env['DRAWBRIDGE_PARENT']);
  setInterval(() => {
    if (process.ppid !== parent || (assistant > 1 && !isRunning(assistant))) process.exit(refused);
  }, 500).unref();
}

async function main(): Promise<void> {
  const { home } = stateFolder();
  // The launcher passes on its own arguments: `hook`, `moment` for a moment of a session, and the event when the input does not name it.
  const event = process.argv.slice(3).join(' ');
  const isOfMoment = process.argv[3] === momentArgument;
  // An assistant may end right after it told of its end.
  if (!isOfMoment) endWithParent();
  let input = '';
  let output: HookOutput;
  try {
    input = await text(process.stdin);
    output = await run(input, home, event);
  } catch (error) {
    output = isOfMoment ? noOpinion : await failed(error, input, home);
  }
  process.stdout.write(asciiJson(output.stdout));
  process.exitCode = output.exitCode;
}

void main();
