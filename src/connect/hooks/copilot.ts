import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { mostWaitSeconds, type NativeFileEdit } from '#base/nativeEdit.ts';
import { pathsInPatch } from './codexPatch.ts';
import { type HookAdapter, type HookOutput, noOpinion } from './hookAdapter.ts';

/** The input of the hook preToolUse, read from runs of 1.0.102. It does not name its event, so the command line of the hook does. */
const input = z.looseObject({
  sessionId: z.string(),
  cwd: z.string(),
  toolName: z.string(),
  toolArgs: z.unknown(),
  /** The subagent that makes the call, which has a session of its own; `parentAgentId` is the agent that started it. */
  agentId: z.optional(z.string()),
  agentType: z.prefault(z.string(), 'subagent'),
  parentAgentId: z.optional(z.string()),
});

const editInput = z.looseObject({
  path: z.string(),
  old_str: z.optional(z.string()),
  new_str: z.optional(z.string()),
});
const createInput = z.looseObject({ path: z.string(), file_text: z.string() });
const patchInput = z.string();
const viewInput = z.looseObject({ command: z.literal('view') });

/**
 * Reads and answers the hook preToolUse of GitHub Copilot CLI, which the Copilot sessions of editors run too. Copilot asks about all
 * calls of a message before it makes the first of them, so that a card would show a later edit of a file without the earlier one. The
 * window therefore applies each edit itself, and the answer to Copilot is a refusal that says so.
 */
export const copilotHook: HookAdapter = {
  assistant: 'GitHub Copilot CLI',

  recognises: (given, event) => event === 'preToolUse' && input.safeParse(given).success,

  read(given) {
    const { sessionId, cwd, toolName: tool, toolArgs, ...rest } = input.parse(given);
    const { agentId: id, agentType: kind, parentAgentId } = rest;
    const edit = editOf(tool, toolArgs, cwd);
    if (edit === undefined) return undefined;
    return {
      event: 'before',
      assistant: 'GitHub Copilot CLI',
      session: parentAgentId ?? sessionId,
      waitSeconds: mostWaitSeconds,
      ...(id !== undefined && { agent: { id, kind } }),
      tool,
      writesExactly: [],
      edits: [edit],
    };
  },

  answer(_given, answer) {
    switch (answer.decision) {
      case 'none':
        return noOpinion;
      case 'deny':
        return refusal(answer.words);
      case 'allow':
        return refusal('Drawbridge could not apply this edit, so nothing was changed. Tell the user.');
      default:
        return answer satisfies never;
    }
  },
};

function editOf(tool: string, toolArgs: unknown, cwd: string): NativeFileEdit | undefined {
  switch (tool) {
    case 'edit': {
      const { path, old_str: oldText, new_str: newText } = editInput.parse(toolArgs);
      // Copilot itself refuses an edit without them.
      if (oldText === undefined || newText === undefined) return undefined;
      const takesLineEnd = newText === '' && oldText !== '' && 'wholeLines';
      return {
        kind: 'replace',
        path: resolve(cwd, path),
        oldText,
        newText,
        all: false,
        ...(takesLineEnd && { takesLineEnd }),
      };
    }
    case 'create': {
      const { path, file_text: newText } = createInput.parse(toolArgs);
      // It never overwrites a file.
      return { kind: 'replace', path: resolve(cwd, path), oldText: '', newText, all: false };
    }
    case 'apply_patch': {
      const text = patchInput.parse(toolArgs);
      return { kind: 'patch', folder: cwd, text, paths: pathsInPatch(cwd, text) };
    }
    case 'str_replace_editor':
      if (viewInput.safeParse(toolArgs).success) return undefined;
      throw new Error('This tool of Copilot was offered to no model that was tried.');
    default:
      return undefined;
  }
}

function refusal(words: string): HookOutput {
  return { stdout: JSON.stringify({ permissionDecision: 'deny', permissionDecisionReason: words }), exitCode: 0 };
}
