import * as z from 'zod/mini';
import type { NativeCommand, Shell } from '#base/nativeCommand.ts';
import { mostWaitSeconds, type NativeAnswer, type NativeFileEdit } from '#base/nativeEdit.ts';
import { commandInput } from './commandInput.ts';
import { approvedReplacement } from './exactReplacement.ts';
import { type HookAdapter, type HookInput, type HookOutput, noOpinion } from './hookAdapter.ts';
import { notebookEditOf } from './notebookEdit.ts';
import { claudeMoments, isTranscriptIn, sessionMoment } from './sessionMoment.ts';
import { isProgram, shellOf } from './shells.ts';
import { shortened } from './shortened.ts';
import { mayEdit } from './unknownTool.ts';

/** The keys by which an input is recognised; one that differs otherwise is refused where a folder is guarded. */
const identity = z.looseObject({
  hook_event_name: z.enum(['PreToolUse', 'PostToolUse', 'PostToolUseFailure']),
  session_id: z.string(),
  transcript_path: z.string(),
  tool_name: z.string(),
  tool_use_id: z.string(),
});

/**
 * The input of the hooks PreToolUse, PostToolUse and PostToolUseFailure, which comes instead for a command that failed (code.claude.com/docs/en/hooks), read from runs of 2.1.329.
 */
const input = z.looseObject({
  hook_event_name: z.enum(['PreToolUse', 'PostToolUse', 'PostToolUseFailure']),
  session_id: z.string(),
  transcript_path: z.string(),
  cwd: z.optional(z.string()),
  prompt_id: z.optional(z.string()),
  tool_name: z.string(),
  tool_input: z.unknown(),
  tool_use_id: z.string(),
  agent_id: z.nullish(z.string()),
  agent_type: z.nullish(z.string()),
});

const editInput = z.looseObject({
  file_path: z.string(),
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.prefault(z.boolean(), false),
});
const writeInput = z.looseObject({ file_path: z.string(), content: z.string() });
const shellInput = z.looseObject({
  command: z.string(),
  description: z.optional(z.string()),
  dangerouslyDisableSandbox: z.prefault(z.boolean(), false),
});
/** The tool Monitor runs a command, or opens a connection to a server. */
const monitorInput = z.looseObject({ command: z.optional(z.string()) });
/** A subagent that works on after the assistant has answered. */
const runningSubagent = z.looseObject({ type: z.literal('subagent'), status: z.literal('running') });

/** Reads and answers the hooks of Claude Code. */
export const claudeCodeHook: HookAdapter = {
  assistant: 'Claude Code',

  // Codex writes the same keys, and also `turn_id`.
  recognises: (given) =>
    !('turn_id' in given) && (identity.safeParse(given).success || (hasOwnTranscript(given) && isMoment(given))),

  read(given) {
    const moment = sessionMoment(given, 'Claude Code', claudeMoments);
    // The turn goes on until the last subagent has ended, and is told then.
    if (moment !== undefined) return moment.event === 'turnEnded' && hasRunningSubagent(given) ? undefined : moment;
    const {
      hook_event_name: event,
      session_id: session,
      prompt_id: turn,
      tool_use_id: call,
      ...rest
    } = input.parse(given);
    const { agent_id: agentId, agent_type: kind, tool_name: tool, tool_input: toolInput } = rest;
    const caller = {
      event: event === 'PreToolUse' ? 'before' : 'after',
      assistant: 'Claude Code',
      session,
      call,
      waitSeconds: mostWaitSeconds,
      ...(turn !== undefined && { turn }),
      ...(typeof agentId === 'string' && { agent: { id: agentId, kind: kind ?? 'subagent' } }),
      tool,
      ...(event !== 'PreToolUse' && { reachesModel: true }),
    } as const;
    const command = commandOf(tool, toolInput, rest.cwd);
    if (command !== undefined) return { ...caller, command };
    const edit = editOf(tool, toolInput);
    if (edit === undefined) return undefined;
    return {
      ...caller,
      isSerial: true,
      writesExactly: ['edit', 'create', 'changed', 'crlf', 'noFinalLineEnd', 'utf8bom', 'utf16le'],
      edits: [edit],
    };
  },

  unknownTool(given) {
    const { hook_event_name: event, tool_name: tool } = input.parse(given);
    return event === 'PreToolUse' && !knownTools.has(tool) && mayEdit(tool) ? tool : undefined;
  },

  answer(given, answer) {
    const { hook_event_name: event, tool_name: tool, tool_input: toolInput, cwd } = input.parse(given);
    if (event !== 'PreToolUse') {
      const news = answer.decision === 'none' ? answer.news : undefined;
      return news === undefined ? noOpinion : output(event, { additionalContext: shortened(news) });
    }
    switch (answer.decision) {
      case 'none':
        return noOpinion;
      case 'deny':
        return decision({ permissionDecision: 'deny', permissionDecisionReason: answer.words });
      case 'allow':
        // A permission of this hook would stand for the question of Claude Code, which only the user may answer.
        if (leavesSandbox(tool, toolInput, cwd)) return noOpinion;
        return decision({
          permissionDecision: 'allow',
          ...updatedInput(tool, toolInput, answer),
          ...(answer.words !== undefined && { additionalContext: shortened(answer.words) }),
        });
      default:
        return answer satisfies never;
    }
  },
};

function isMoment(given: HookInput): boolean {
  return sessionMoment(given, '', claudeMoments) !== undefined;
}

/** The folders of other assistants that have the same moments. */
const others = ['.factory', '.gemini', '.qwen'];

/** Returns whether the transcript may be one of Claude Code. */
function hasOwnTranscript(given: HookInput): boolean {
  const path = given['transcript_path'];
  return (
    typeof path === 'string' &&
    !/[\\/]rollout-[^\\/]*$/.test(path) &&
    !others.some((name) => isTranscriptIn(given, name))
  );
}

function hasRunningSubagent({ background_tasks: tasks }: HookInput): boolean {
  return Array.isArray(tasks) && tasks.some((task) => runningSubagent.safeParse(task).success);
}

function leavesSandbox(tool: string, toolInput: unknown, cwd: string | undefined): boolean {
  try {
    return commandOf(tool, toolInput, cwd)?.leavesSandbox === true;
  } catch {
    return false;
  }
}

/** The command runs in the working directory of the hook, which follows each `cd` of the commands before. */
function commandOf(tool: string, toolInput: unknown, cwd: string | undefined): NativeCommand['command'] | undefined {
  if (tool !== 'Bash' && tool !== 'PowerShell' && tool !== 'Monitor') return undefined;
  const folder = commandInput(z.string(), cwd);
  if (tool === 'Monitor') {
    const { command: text } = commandInput(monitorInput, toolInput);
    return text === undefined ? undefined : { shell: shellOfBash(), text, folder };
  }
  const { command: text, description: reason, dangerouslyDisableSandbox } = commandInput(shellInput, toolInput);
  const shell = tool === 'PowerShell' ? 'powershell' : shellOfBash();
  return {
    shell,
    text,
    folder,
    ...(reason !== undefined && { reason }),
    ...(dangerouslyDisableSandbox && { leavesSandbox: true }),
  };
}

/**
 * Returns the shell of the tool Bash: the first of CLAUDE_CODE_SHELL and SHELL that names bash or zsh and can be started, on Windows
 * Git Bash. Otherwise Claude Code looks for a bash or a zsh itself: the command is then read as one of zsh, which runs it in a way
 * that is known less well. CLAUDE_CODE_SHELL_PREFIX names a program that runs the command.
 */
function shellOfBash(): Shell {
  const { CLAUDE_CODE_SHELL, SHELL, CLAUDE_CODE_SHELL_PREFIX } = process.env;
  if (CLAUDE_CODE_SHELL_PREFIX !== undefined && CLAUDE_CODE_SHELL_PREFIX !== '') return 'other';
  if (process.platform === 'win32') return 'bash';
  const named = [CLAUDE_CODE_SHELL, SHELL].filter((path) => path !== undefined);
  const found = named.find((path) => /bash|zsh/.test(path) && isProgram(path));
  return found === undefined ? 'zsh' : shellOf(found);
}

const knownTools: ReadonlySet<string> = new Set(['Edit', 'Write', 'NotebookEdit', 'MultiEdit']);

/** @throws Error for an input that cannot be read, and for `MultiEdit` */
function editOf(tool: string, toolInput: unknown): NativeFileEdit | undefined {
  if (tool === 'Edit') {
    const { file_path: path, old_string: oldText, new_string: newText, replace_all: all } = editInput.parse(toolInput);
    // Without a new text, Claude Code deletes the line end after the old text too.
    const takesLineEnd = newText === '' && oldText !== '' && !oldText.endsWith('\n');
    return { kind: 'replace', path, oldText, newText, all, ...(takesLineEnd && { takesLineEnd }) };
  }
  if (tool === 'Write') {
    const { file_path: path, content: text } = writeInput.parse(toolInput);
    return { kind: 'write', path, text };
  }
  if (tool === 'NotebookEdit') return notebookEditOf(toolInput);
  if (tool === 'MultiEdit') throw new Error('MultiEdit is a tool of earlier versions.');
  return undefined;
}

/**
 * Returns the input that makes exactly the approved text, so that no rule of the tool for quotes or line ends counts. `Edit` takes LF
 * for every line end and writes the one of the file; `Write` writes line ends as they are.
 */
function updatedInput(
  tool: string,
  toolInput: unknown,
  { files }: Extract<NativeAnswer, { decision: 'allow' }>,
): { readonly updatedInput?: object } {
  const texts = files[0]?.texts;
  if (texts === undefined) return {};
  if (tool === 'Write') return { updatedInput: { ...writeInput.parse(toolInput), content: texts.after } };
  const before = texts.before.replaceAll('\r\n', '\n');
  const after = texts.after.replaceAll('\r\n', '\n');
  const { oldText, newText } = approvedReplacement(before, after);
  const edit = editInput.parse(toolInput);
  return { updatedInput: { ...edit, old_string: oldText, new_string: newText, replace_all: false } };
}

function decision(rest: object): HookOutput {
  return output('PreToolUse', rest);
}

function output(hookEventName: string, rest: object): HookOutput {
  return { stdout: JSON.stringify({ hookSpecificOutput: { hookEventName, ...rest } }), exitCode: 0 };
}
