import * as z from 'zod';
import type { NativeAnswer, NativeFileEdit } from '#base/nativeEdit.ts';
import { exactReplacement } from './exactReplacement.ts';
import { type HookAdapter, type HookOutput, noOpinion } from './hookAdapter.ts';

/** The input of the hooks PreToolUse and PostToolUse (code.claude.com/docs/en/hooks), read from runs of 2.1.329. */
const input = z.looseObject({
  hook_event_name: z.enum(['PreToolUse', 'PostToolUse']),
  session_id: z.string(),
  transcript_path: z.string(),
  permission_mode: z.string(),
  tool_name: z.string(),
  tool_input: z.unknown(),
  tool_use_id: z.string(),
  agent_type: z.string().optional(),
});

const editInput = z.looseObject({
  file_path: z.string(),
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().default(false),
});
const writeInput = z.looseObject({ file_path: z.string(), content: z.string() });

/** Reads and answers the hooks of Claude Code. */
export const claudeCodeHook: HookAdapter = {
  assistant: 'Claude Code',

  recognises: (given) => input.safeParse(given).success,

  read(given) {
    const {
      hook_event_name: event,
      session_id: session,
      tool_use_id: call,
      agent_type: agent,
      ...rest
    } = input.parse(given);
    const { tool_name: tool, tool_input: toolInput } = rest;
    const edit = editOf(tool, toolInput);
    if (edit === undefined) return undefined;
    return {
      event: event === 'PreToolUse' ? 'before' : 'after',
      assistant: 'Claude Code',
      session,
      call,
      ...(agent !== undefined && { agent }),
      tool,
      edits: [edit],
    };
  },

  answer(given, answer) {
    const { tool_name: tool, tool_input: toolInput } = input.parse(given);
    switch (answer.decision) {
      case 'none':
        return noOpinion;
      case 'deny':
        return decision({ permissionDecision: 'deny', permissionDecisionReason: answer.words });
      case 'allow':
        return decision({
          permissionDecision: 'allow',
          ...updatedInput(tool, toolInput, answer),
          ...(answer.words !== undefined && { additionalContext: answer.words }),
        });
      default:
        return answer satisfies never;
    }
  },
};

function editOf(tool: string, toolInput: unknown): NativeFileEdit | undefined {
  if (tool === 'Edit') {
    const { file_path: path, old_string: oldText, new_string: newText, replace_all: all } = editInput.parse(toolInput);
    return { kind: 'replace', path, oldText, newText, all };
  }
  if (tool === 'Write') {
    const { file_path: path, content: text } = writeInput.parse(toolInput);
    return { kind: 'write', path, text };
  }
  return undefined;
}

/** Returns the input that makes exactly the approved text, when the user changed it. Claude Code reads and writes LF as CRLF in files with CRLF. */
function updatedInput(
  tool: string,
  toolInput: unknown,
  { files }: Extract<NativeAnswer, { decision: 'allow' }>,
): { readonly updatedInput?: object } {
  const texts = files[0]?.texts;
  if (texts === undefined) return {};
  const [before, after] = [texts.before, texts.after].map((text) => text.replaceAll('\r\n', '\n'));
  if (before === undefined || after === undefined) return {};
  if (tool === 'Write') return { updatedInput: { ...writeInput.parse(toolInput), content: after } };
  const { oldText, newText } = exactReplacement(before, after);
  const edit = editInput.parse(toolInput);
  return { updatedInput: { ...edit, old_string: oldText, new_string: newText, replace_all: false } };
}

function decision(output: object): HookOutput {
  return { stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } }), exitCode: 0 };
}
