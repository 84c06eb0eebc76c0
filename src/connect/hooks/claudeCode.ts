import * as z from 'zod/mini';
import { mostWaitSeconds, type NativeAnswer, type NativeFileEdit } from '#base/nativeEdit.ts';
import { approvedReplacement } from './exactReplacement.ts';
import { type HookAdapter, type HookOutput, noOpinion } from './hookAdapter.ts';
import { notebookEditOf } from './notebookEdit.ts';
import { shortened } from './shortened.ts';
import { mayEdit } from './unknownTool.ts';

/** The keys by which an input is recognised; one that differs otherwise is refused where a folder is guarded. */
const identity = z.looseObject({
  hook_event_name: z.enum(['PreToolUse', 'PostToolUse']),
  session_id: z.string(),
  transcript_path: z.string(),
  tool_name: z.string(),
  tool_use_id: z.string(),
});

/** The input of the hooks PreToolUse and PostToolUse (code.claude.com/docs/en/hooks), read from runs of 2.1.329. */
const input = z.looseObject({
  hook_event_name: z.enum(['PreToolUse', 'PostToolUse']),
  session_id: z.string(),
  transcript_path: z.string(),
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

/** Reads and answers the hooks of Claude Code. */
export const claudeCodeHook: HookAdapter = {
  assistant: 'Claude Code',

  // Codex writes the same keys, and also `turn_id`.
  recognises: (given) => !('turn_id' in given) && identity.safeParse(given).success,

  read(given) {
    const {
      hook_event_name: event,
      session_id: session,
      prompt_id: turn,
      tool_use_id: call,
      ...rest
    } = input.parse(given);
    const { agent_id: agentId, agent_type: kind, tool_name: tool, tool_input: toolInput } = rest;
    const edit = editOf(tool, toolInput);
    if (edit === undefined) return undefined;
    return {
      event: event === 'PreToolUse' ? 'before' : 'after',
      assistant: 'Claude Code',
      session,
      call,
      isSerial: true,
      waitSeconds: mostWaitSeconds,
      ...(turn !== undefined && { turn }),
      ...(typeof agentId === 'string' && { agent: { id: agentId, kind: kind ?? 'subagent' } }),
      tool,
      writesExactly: ['edit', 'create', 'changed', 'crlf', 'noFinalLineEnd', 'utf8bom', 'utf16le'],
      edits: [edit],
    };
  },

  unknownTool(given) {
    const { hook_event_name: event, tool_name: tool } = input.parse(given);
    return event === 'PreToolUse' && !knownTools.has(tool) && mayEdit(tool) ? tool : undefined;
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
          ...(answer.words !== undefined && { additionalContext: shortened(answer.words) }),
        });
      default:
        return answer satisfies never;
    }
  },
};

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

function decision(output: object): HookOutput {
  return { stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } }), exitCode: 0 };
}
