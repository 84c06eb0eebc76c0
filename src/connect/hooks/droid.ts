import { resolve } from 'node:path';
import * as z from 'zod/mini';
import type { NativeCommand } from '#base/nativeCommand.ts';
import { type ApprovedFile, mostWaitSeconds, type NativeFileEdit } from '#base/nativeEdit.ts';
import { commandInput } from './commandInput.ts';
import { approvedReplacement } from './exactReplacement.ts';
import { type HookAdapter, type HookInput, type HookOutput, noOpinion, wordsAfter } from './hookAdapter.ts';
import { claudeMoments, isTranscriptIn, sessionMoment } from './sessionMoment.ts';

/** The input of the hooks PreToolUse and PostToolUse (docs.factory.ai/reference/hooks-reference), read from runs of 0.225.2. */
const input = z.looseObject({
  hook_event_name: z.enum(['PreToolUse', 'PostToolUse']),
  session_id: z.string(),
  transcript_path: z.string(),
  cwd: z.string(),
  permission_mode: z.string(),
  tool_name: z.string(),
  tool_input: z.unknown(),
  // The assistants whose input looks the same give their calls an id.
  tool_use_id: z.optional(z.never()),
});
type Input = z.infer<typeof input>;

const editInput = z.looseObject({
  file_path: z.string(),
  old_str: z.string(),
  new_str: z.string(),
  change_all: z.prefault(z.boolean(), false),
});
const createInput = z.looseObject({ file_path: z.string(), content: z.string() });
const executeInput = z.looseObject({ command: z.string() });

/** Reads and answers the hooks of Droid. */
export const droidHook: HookAdapter = {
  assistant: 'Droid',

  recognises: (given) => input.safeParse(given).success || isMoment(given),

  read(given) {
    const moment = sessionMoment(given, 'Droid', claudeMoments);
    if (moment !== undefined) return moment;
    const { hook_event_name: event, session_id: session, ...rest } = input.parse(given);
    const caller = {
      event: event === 'PreToolUse' ? 'before' : 'after',
      assistant: 'Droid',
      session,
      waitSeconds: mostWaitSeconds,
      tool: rest.tool_name,
      ...(event === 'PostToolUse' && { reachesModel: true }),
    } as const;
    if (rest.tool_name === shellTool) return { ...caller, command: commandOf(rest) };
    const edit = editOf(rest);
    if (edit === undefined) return undefined;
    return {
      ...caller,
      isSerial: true,
      // `Edit` keeps the last line end of the file, and `Create` adds one. `Create` writes CRLF over CRLF, whatever its text has.
      writesExactly:
        edit.kind === 'write' ? ['edit', 'create', 'changed', 'utf8bom'] : ['edit', 'changed', 'crlf', 'utf8bom'],
      edits: [edit],
    };
  },

  answer(given, answer) {
    const { hook_event_name: event, ...call } = input.parse(given);
    // The model does not see words that a hook adds before a call.
    if (event === 'PostToolUse') {
      const words = wordsAfter(answer);
      return words === undefined ? noOpinion : output(event, { additionalContext: words });
    }
    switch (answer.decision) {
      case 'none':
        return noOpinion;
      case 'deny':
        return output(event, { permissionDecision: 'deny', permissionDecisionReason: answer.words });
      case 'allow': {
        const exact = exactInput(call, answer.files[0]);
        return output(event, { permissionDecision: 'allow', ...(exact && { updatedInput: exact }) });
      }
      default:
        return answer satisfies never;
    }
  },
};

const shellTool = 'Execute';

/** Claude Code has the same moments, with a transcript elsewhere. */
function isMoment(given: HookInput): boolean {
  return isTranscriptIn(given, '.factory') && sessionMoment(given, '', claudeMoments) !== undefined;
}

/** Nobody has looked which shell Droid runs. */
function commandOf({ cwd, tool_input: toolInput }: ToolCall): NativeCommand['command'] {
  const { command: text } = commandInput(executeInput, toolInput);
  return { shell: 'other', text, folder: cwd };
}

type ToolCall = Pick<Input, 'cwd' | 'tool_name' | 'tool_input'>;

/** @throws Error for `ApplyPatch`, which Droid offers to some models */
function editOf({ cwd, tool_name: tool, tool_input: toolInput }: ToolCall): NativeFileEdit | undefined {
  if (tool === 'Edit') {
    const { file_path: path, old_str: oldText, new_str: newText, change_all: all } = editInput.parse(toolInput);
    return { kind: 'replace', path: resolve(cwd, path), oldText, newText, all };
  }
  if (tool === 'Create') {
    const { file_path: path, content: text } = createInput.parse(toolInput);
    return { kind: 'write', path: resolve(cwd, path), text };
  }
  if (tool === 'ApplyPatch') throw new Error('A patch of Droid is not read yet.');
  return undefined;
}

/** Returns the input that makes exactly the approved text. `Edit` takes LF for every line end and writes the one of the file. */
function exactInput({ tool_name: tool, tool_input: toolInput }: ToolCall, file: ApprovedFile | undefined) {
  if (file === undefined) return undefined;
  const { texts } = file;
  if (tool === 'Create') return { ...createInput.parse(toolInput), content: texts.after };
  const before = texts.before.replaceAll('\r\n', '\n');
  const after = texts.after.replaceAll('\r\n', '\n');
  const { oldText, newText } = approvedReplacement(before, after);
  return { ...editInput.parse(toolInput), old_str: oldText, new_str: newText, change_all: false };
}

function output(hookEventName: Input['hook_event_name'], rest: object): HookOutput {
  return { stdout: JSON.stringify({ hookSpecificOutput: { hookEventName, ...rest } }), exitCode: 0 };
}
