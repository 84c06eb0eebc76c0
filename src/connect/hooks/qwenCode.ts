import { resolve } from 'node:path';
import * as z from 'zod/mini';
import type { NativeCommand, Shell } from '#base/nativeCommand.ts';
import { type ExactWrite, mostWaitSeconds, type NativeFileEdit } from '#base/nativeEdit.ts';
import { commandInput } from './commandInput.ts';
import { type HookAdapter, type HookInput, type HookOutput, noOpinion, wordsAfter } from './hookAdapter.ts';
import { notebookEditOf } from './notebookEdit.ts';
import { claudeMoments, sessionMoment } from './sessionMoment.ts';

/**
 * The input of the hooks PreToolUse, PostToolUse and PostToolUseFailure (qwenlm.github.io/qwen-code-docs/en/users/features/hooks), read
 * from runs of 0.24.4. Claude Code writes the same without a timestamp.
 */
const input = z.looseObject({
  hook_event_name: z.enum(['PreToolUse', 'PostToolUse', 'PostToolUseFailure']),
  timestamp: z.string(),
  session_id: z.string(),
  cwd: z.optional(z.string()),
  permission_mode: z.string(),
  prompt_id: z.optional(z.string()),
  tool_name: z.string(),
  tool_input: z.unknown(),
  tool_use_id: z.string(),
  agent_id: z.optional(z.string()),
  agent_type: z.prefault(z.string(), 'subagent'),
});

const editInput = z.looseObject({
  file_path: z.string(),
  old_string: z.string(),
  new_string: z.string(),
  // Qwen Code also accepts the words `true` and `false`.
  replace_all: z.prefault(z.union([z.boolean(), z.enum(['true', 'false'])]), false),
});
const writeInput = z.looseObject({ file_path: z.string(), content: z.string() });
/** The tools `run_shell_command` and `monitor`, read in the package of 0.24.4. */
const shellInput = z.looseObject({
  command: z.string(),
  description: z.optional(z.string()),
  directory: z.optional(z.string()),
});
const shellTools: ReadonlySet<string> = new Set(['run_shell_command', 'monitor']);

/** Reads and answers the hooks of Qwen Code. It makes its edit as it is, whatever `updatedInput` says. */
export const qwenCodeHook: HookAdapter = {
  assistant: 'Qwen Code',

  recognises: (given) => input.safeParse(given).success || isMoment(given),

  read(given) {
    const moment = sessionMoment(given, 'Qwen Code', claudeMoments);
    if (moment !== undefined) return moment;
    const { hook_event_name: event, session_id: session, prompt_id: turn, ...rest } = input.parse(given);
    const { agent_id: agentId, agent_type: kind, tool_name: tool, tool_input: toolInput, tool_use_id: call } = rest;
    const caller = {
      event: event === 'PreToolUse' ? 'before' : 'after',
      assistant: 'Qwen Code',
      session,
      call,
      waitSeconds: mostWaitSeconds,
      ...(turn !== undefined && { turn }),
      ...(agentId !== undefined && { agent: { id: agentId, kind } }),
      tool,
      ...(event !== 'PreToolUse' && { reachesModel: true }),
    } as const;
    if (shellTools.has(tool)) return { ...caller, command: commandOf(toolInput, rest.cwd) };
    const edit = editOf(tool, toolInput);
    return edit && { ...caller, isSerial: true, writesExactly: writesExactly(edit), edits: [edit] };
  },

  answer(given, answer) {
    const { hook_event_name: event } = input.parse(given);
    // The model does not see words that a hook adds before a call.
    if (event !== 'PreToolUse') {
      const words = wordsAfter(answer);
      return words === undefined ? noOpinion : output(event, { additionalContext: words });
    }
    switch (answer.decision) {
      case 'none':
        return noOpinion;
      case 'deny':
        return output(event, { permissionDecision: 'deny', permissionDecisionReason: answer.words });
      case 'allow':
        return output(event, { permissionDecision: 'allow', permissionDecisionReason: 'Approved in the editor.' });
      default:
        return answer satisfies never;
    }
  },
};

/** Gemini CLI has a timestamp too, but no mode of permissions. */
function isMoment(given: HookInput): boolean {
  const { timestamp, permission_mode: mode } = given;
  return (
    typeof timestamp === 'string' && typeof mode === 'string' && sessionMoment(given, '', claudeMoments) !== undefined
  );
}

function commandOf(toolInput: unknown, cwd: string | undefined): NativeCommand['command'] {
  const { command: text, description: reason, directory = '' } = commandInput(shellInput, toolInput);
  const folder = resolve(commandInput(z.string(), cwd), directory);
  return { shell: shellOfCommands(), text, folder, ...(reason !== undefined && { reason }) };
}

/** Qwen Code runs commands with `bash -c`, and on Windows as its package says (`getShellConfiguration`). */
function shellOfCommands(): Shell {
  if (process.platform !== 'win32') return 'bash';
  const { MSYSTEM = '', TERM = '', ComSpec = '' } = process.env;
  if (/^(?:MINGW|MSYS)/.test(MSYSTEM) || /msys|cygwin/.test(TERM)) return 'bash';
  return /(?:powershell|pwsh)\.exe$/i.test(ComSpec) ? 'powershell' : 'cmd';
}

function editOf(tool: string, toolInput: unknown): NativeFileEdit | undefined {
  if (tool === 'edit') {
    const { file_path: path, old_string: oldText, new_string: newText, replace_all: all } = editInput.parse(toolInput);
    // Without a new text, Qwen Code deletes the line end after the old text too.
    const takesLineEnd = newText === '' && oldText !== '' && !oldText.endsWith('\n');
    const isAll = all === true || all === 'true';
    return { kind: 'replace', path, oldText, newText, all: isAll, ...(takesLineEnd && { takesLineEnd }) };
  }
  if (tool === 'write_file') {
    const { file_path: path, content: text } = writeInput.parse(toolInput);
    return { kind: 'write', path, text };
  }
  if (tool === 'notebook_edit') return notebookEditOf(toolInput);
  return undefined;
}

/** `write_file` gives the text the line ends of the file, and nobody has compared what `notebook_edit` writes. */
function writesExactly({ kind }: NativeFileEdit): readonly ExactWrite[] {
  if (kind === 'notebook') return [];
  return ['edit', 'create', 'noFinalLineEnd', 'utf8bom', ...(kind === 'replace' ? (['crlf'] as const) : [])];
}

function output(hookEventName: z.infer<typeof input>['hook_event_name'], rest: object): HookOutput {
  return { stdout: JSON.stringify({ hookSpecificOutput: { hookEventName, ...rest } }), exitCode: 0 };
}
