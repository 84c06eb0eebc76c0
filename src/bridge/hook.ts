/** The program that assistants start as their hook: it asks the windows that guard a file whether the assistant may edit it. */
import { writeSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { stateFolder } from '#home/stateFolder.ts';
import type { NativeCall } from '#base/nativeEdit.ts';
import { guardsOf, readGuards } from '#home/guards.ts';
import { asciiJson } from '#connect/hooks/asciiJson.ts';
import { guardsOffUntil } from '#home/guardsOff.ts';
import { claudeCodeHook } from '#connect/hooks/claudeCode.ts';
import { codexHook } from '#connect/hooks/codex.ts';
import { copilotHook } from '#connect/hooks/copilot.ts';
import { droidHook } from '#connect/hooks/droid.ts';
import { geminiHook } from '#connect/hooks/gemini.ts';
import { type HookAdapter, type HookInput, type HookOutput, hookProbe, noOpinion } from '#connect/hooks/hookAdapter.ts';
import { opencodeHook } from '#connect/hooks/opencode.ts';
import { qwenCodeHook } from '#connect/hooks/qwenCode.ts';
import { askWindows, tellWindows } from './askWindows.ts';
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

async function run(home: string, event: string): Promise<HookOutput> {
  const input = parseInput(await text(process.stdin));
  if (input?.[hookProbe] === true) return { stdout: hookProbe, exitCode: 0 };
  const adapter = input && adapters.find((each) => each.recognises(input, event));
  // Another program's hook input, or one of an assistant that is not known.
  if (input === undefined || adapter === undefined) return noOpinion;
  const call = callIn(input, adapter, event);
  if (call === undefined) {
    const tool = adapter.unknownTool?.(input, event);
    if (tool !== undefined) await tellWindows({ event: 'unknown', assistant: adapter.assistant, tool }, home);
    return noOpinion;
  }
  if (call !== 'unknown') return adapter.answer(input, await askWindows(call, home), event);
  if (!(await isGuarded(home))) return noOpinion;
  const words =
    `Drawbridge does not know this kind of edit of ${adapter.assistant}, so it was not made. ` +
    'Tell the user to update Drawbridge, and change the file with the tool apply_edit of Drawbridge meanwhile.';
  return adapter.answer(input, { decision: 'deny', words }, event);
}

/** Returns the edit in an input; `unknown` for an edit tool whose input has another shape than is known. */
function callIn(input: HookInput, adapter: HookAdapter, event: string): NativeCall | 'unknown' | undefined {
  try {
    return adapter.read(input, event);
  } catch {
    return 'unknown';
  }
}

/** Returns whether a window guards the working directory, which is the project or a folder in it, and the user has not switched that off. */
async function isGuarded(home: string): Promise<boolean> {
  if ((await guardsOffUntil(home)) !== undefined) return false;
  return guardsOf(await readGuards(home), [await realPath(process.cwd())]).length > 0;
}

function parseInput(input: string): HookInput | undefined {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the refusal after an error, unless nobody guards this folder: an error of ours must not let an edit pass. */
async function failed(cause: unknown, home: string): Promise<HookOutput> {
  if (!(await isGuarded(home))) return noOpinion;
  const reason = cause instanceof Error ? cause.message : String(cause);
  writeSync(2, `Drawbridge could not look at this edit, so it was not made: ${reason} Tell the user.\n`);
  return { stdout: '', exitCode: refused };
}

/** Ends this program with the assistant that started it, so that the window withdraws the card. Windows keeps the id of the parent. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(refused);
  }, 500).unref();
}

async function main(): Promise<void> {
  endWithParent();
  const { home } = stateFolder();
  // The launcher passes on its own arguments: `hook`, and the event when the input does not name it.
  const event = process.argv[3] ?? '';
  let output: HookOutput;
  try {
    output = await run(home, event);
  } catch (error) {
    output = await failed(error, home);
  }
  process.stdout.write(asciiJson(output.stdout));
  process.exitCode = output.exitCode;
}

void main();
