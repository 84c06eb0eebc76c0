import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import * as z from 'zod/mini';
import type { NativeCommand } from '#base/nativeCommand.ts';
import { type ApprovedFile, type ExactWrite, mostWaitSeconds, type NativeFileEdit } from '#base/nativeEdit.ts';
import { commandInput } from './commandInput.ts';
import { approvedReplacement } from './exactReplacement.ts';
import { type HookAdapter, type HookInput, type HookOutput, noOpinion, wordsAfter } from './hookAdapter.ts';
import { isTranscriptIn, sessionMoment } from './sessionMoment.ts';

/** The input of the hooks BeforeTool and AfterTool (geminicli.com/docs/hooks/reference), read from runs of 0.61.0. */
const input = z.looseObject({
  hook_event_name: z.enum(['BeforeTool', 'AfterTool']),
  session_id: z.string(),
  cwd: z.string(),
  tool_name: z.string(),
  tool_input: z.unknown(),
});
type Input = z.infer<typeof input>;

const replaceInput = z.looseObject({
  file_path: z.string(),
  old_string: z.string(),
  new_string: z.string(),
  allow_multiple: z.prefault(z.boolean(), false),
});
const writeInput = z.looseObject({ file_path: z.string(), content: z.string() });
const shellInput = z.looseObject({
  command: z.string(),
  description: z.optional(z.string()),
  dir_path: z.optional(z.string()),
});

const moments = { SessionStart: 'sessionBegan', AfterAgent: 'turnEnded', SessionEnd: 'sessionEnded' } as const;

/** Reads and answers the hooks of Gemini CLI. They name neither the call nor the prompt. */
export const geminiHook: HookAdapter = {
  assistant: 'Gemini CLI',

  recognises: (given) => input.safeParse(given).success || isMoment(given),

  read(given) {
    const moment = sessionMoment(given, 'Gemini CLI', moments);
    if (moment !== undefined) return moment;
    const { hook_event_name: event, session_id: session, ...rest } = input.parse(given);
    const caller = {
      event: event === 'BeforeTool' ? 'before' : 'after',
      assistant: 'Gemini CLI',
      session,
      waitSeconds: mostWaitSeconds,
      tool: rest.tool_name,
      ...(event === 'AfterTool' && { reachesModel: true }),
    } as const;
    if (rest.tool_name === shellTool) return { ...caller, command: commandOf(rest) };
    const edit = editOf(rest);
    return edit && { ...caller, writesExactly: writesExactly(edit), edits: [edit] };
  },

  answer(given, answer) {
    const { hook_event_name: event, ...call } = input.parse(given);
    if (event === 'AfterTool') {
      const words = wordsAfter(answer);
      return words === undefined ? noOpinion : output(event, { additionalContext: words });
    }
    switch (answer.decision) {
      case 'none': {
        const named = namedExactly(call);
        return named === undefined ? noOpinion : output(event, { tool_input: named });
      }
      case 'deny':
        return { stdout: JSON.stringify({ decision: 'deny', reason: answer.words }), exitCode: 0 };
      case 'allow': {
        if (call.tool_name === shellTool) return { stdout: JSON.stringify({ decision: 'allow' }), exitCode: 0 };
        const exact = exactInput(call, answer.files[0]) ?? namedExactly(call);
        return output(event, exact && { tool_input: exact }, 'allow');
      }
      default:
        return answer satisfies never;
    }
  },
};

function output(event: Input['hook_event_name'], rest: object | undefined, decision?: 'allow'): HookOutput {
  const answer = { ...(decision && { decision }), hookSpecificOutput: { hookEventName: event, ...rest } };
  return { stdout: JSON.stringify(answer), exitCode: 0 };
}

const shellTool = 'run_shell_command';

/** Qwen Code has some of these moments too, with a transcript elsewhere. */
function isMoment(given: HookInput): boolean {
  return isTranscriptIn(given, '.gemini') && sessionMoment(given, '', moments) !== undefined;
}

/** Gemini CLI runs commands with `bash -c`, and on Windows with PowerShell (`getShellConfiguration` in its package). */
function commandOf({ cwd, tool_input: toolInput }: ToolCall): NativeCommand['command'] {
  const { command: text, description: reason, dir_path: path = '' } = commandInput(shellInput, toolInput);
  const shell = process.platform === 'win32' ? 'powershell' : 'bash';
  return { shell, text, folder: resolve(cwd, path), ...(reason !== undefined && { reason }) };
}

type ToolCall = Pick<Input, 'cwd' | 'tool_name' | 'tool_input'>;

function editOf({ cwd, tool_name: tool, tool_input: toolInput }: ToolCall): NativeFileEdit | undefined {
  if (tool === 'replace') {
    const {
      file_path: path,
      old_string: oldText,
      new_string: newText,
      allow_multiple: all,
    } = replaceInput.parse(toolInput);
    return { kind: 'replace', path: absolute(path, cwd), oldText, newText, all };
  }
  if (tool === 'write_file') {
    const { file_path: path, content: text } = writeInput.parse(toolInput);
    return { kind: 'write', path: absolute(path, cwd), text, keepsCrlf: true };
  }
  return undefined;
}

/** Gemini CLI drops NUL characters from a path. */
function absolute(path: string, cwd: string): string {
  return resolve(cwd, path.replaceAll('\0', ''));
}

/**
 * Recorded in `test/bridge/hook/recorded/gemini`. `replace` gives each line the line end of the file, leaves its last line end and
 * its byte order mark as they are, and creates a file when it names no text to replace. `write_file` writes no byte order mark. On
 * Windows, both create files with CRLF.
 */
function writesExactly(edit: NativeFileEdit): readonly ExactWrite[] {
  const always = ['changed', 'crlf', 'link'] as const;
  const creates = process.platform === 'win32' ? [] : (['create', 'noFinalLineEnd'] as const);
  if (edit.kind === 'write') return ['edit', ...always, ...creates];
  const isCreation = edit.kind === 'replace' && edit.oldText === '';
  return isCreation ? [...always, ...creates] : ['edit', ...always, 'utf8bom'];
}

/**
 * Returns the input with the absolute path that Drawbridge judged, where Gemini CLI could write another file; otherwise undefined.
 * When no file has the name, Gemini CLI drops an "@" before it, and `replace` looks for a file of that name elsewhere. Other names stay,
 * because the names of plans are relative to the folder of plans.
 */
function namedExactly({ cwd, tool_name: tool, tool_input: toolInput }: ToolCall): object | undefined {
  if (tool !== 'replace' && tool !== 'write_file') return undefined;
  const { file_path: path, ...rest } = z.looseObject({ file_path: z.string() }).parse(toolInput);
  const looked = absolute(path, cwd);
  const isLoose = path.startsWith('@') || (tool === 'replace' && !isAbsolute(path));
  return isLoose && !existsSync(looked) ? { ...rest, file_path: looked } : undefined;
}

/** Returns the whole input that makes exactly the approved text, so that Gemini CLI does not look for a similar text. */
function exactInput(
  { cwd, tool_name: tool, tool_input: toolInput }: ToolCall,
  file: ApprovedFile | undefined,
): object | undefined {
  if (file === undefined) return undefined;
  const { texts } = file;
  if (tool === 'write_file') {
    const { file_path: path, ...rest } = writeInput.parse(toolInput);
    return { ...rest, file_path: absolute(path, cwd), content: texts.after };
  }
  const { file_path: path, ...rest } = replaceInput.parse(toolInput);
  // A new file gets its line ends as they are given.
  const isCreation = rest.old_string === '';
  const before = texts.before.replaceAll('\r\n', '\n');
  const after = isCreation ? texts.after : texts.after.replaceAll('\r\n', '\n');
  const { oldText, newText } = approvedReplacement(before, after);
  return {
    ...rest,
    file_path: absolute(path, cwd),
    old_string: oldText,
    new_string: newText,
    allow_multiple: false,
  };
}
