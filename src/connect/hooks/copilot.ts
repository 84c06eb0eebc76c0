import { resolve } from 'node:path';
import * as z from 'zod/mini';
import type { NativeCommand, NativeMoment } from '#base/nativeCommand.ts';
import { mostWaitSeconds, type NativeFileEdit } from '#base/nativeEdit.ts';
import { pathsInPatch } from './codexPatch.ts';
import { commandInput } from './commandInput.ts';
import { type HookAdapter, type HookInput, type HookOutput, noOpinion } from './hookAdapter.ts';

/**
 * The input of the hooks preToolUse, postToolUse and postToolUseFailure, read from runs of 1.0.102. It does not name its event, so the
 * command line of the hook does.
 */
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
const shellInput = z.looseObject({ command: z.string(), description: z.optional(z.string()) });
/** What is typed into a program that runs: its text, with names of keys such as `{enter}`. */
const typedInput = z.looseObject({ input: z.string() });

/** The input of the hooks of a session. agentStop also runs when a subagent ends, and then names the agent that started it. */
const momentInput = z.looseObject({
  sessionId: z.string(),
  cwd: z.string(),
  agentId: z.optional(z.never()),
  parentAgentId: z.optional(z.never()),
});
const moments: Readonly<Record<string, NativeMoment['event']>> = {
  'moment sessionStart': 'sessionBegan',
  'moment agentStop': 'turnEnded',
  'moment sessionEnd': 'sessionEnded',
};

const calls: Readonly<Record<string, 'before' | 'after'>> = {
  preToolUse: 'before',
  postToolUse: 'after',
  postToolUseFailure: 'after',
};
const viewInput = z.looseObject({ command: z.literal('view') });

/**
 * Reads and answers the hooks of GitHub Copilot CLI, which the Copilot sessions of editors run too. Copilot asks about all calls of a
 * message before it makes the first of them, so that a card would show a later edit of a file without the earlier one. The window
 * therefore applies each edit itself, and the answer to Copilot is a refusal that says so. Copilot itself runs its commands.
 */
export const copilotHook: HookAdapter = {
  assistant: 'GitHub Copilot CLI',

  recognises: (given, event) =>
    event in calls ? input.safeParse(given).success : event in moments && momentInput.safeParse(given).success,

  read(given, event) {
    const moment = moments[event];
    if (moment !== undefined) return momentOf(given, moment);
    const { sessionId, cwd, toolName: tool, toolArgs, ...rest } = input.parse(given);
    const { agentId: id, agentType: kind, parentAgentId } = rest;
    const caller = {
      event: calls[event] ?? 'before',
      assistant: 'GitHub Copilot CLI',
      session: parentAgentId ?? sessionId,
      waitSeconds: mostWaitSeconds,
      ...(id !== undefined && { agent: { id, kind } }),
      tool,
    } as const;
    const command = commandOf(tool, toolArgs, cwd);
    if (command !== undefined) return { ...caller, command };
    const edit = caller.event === 'before' ? editOf(tool, toolArgs, cwd) : undefined;
    return edit && { ...caller, writesExactly: [], edits: [edit] };
  },

  answer(given, answer, event) {
    if (calls[event] !== 'before') return noOpinion;
    switch (answer.decision) {
      case 'none':
        return noOpinion;
      case 'deny':
        return refusal(answer.words);
      case 'allow':
        if (shellTools.has(input.parse(given).toolName)) {
          return { stdout: JSON.stringify({ permissionDecision: 'allow' }), exitCode: 0 };
        }
        return refusal('Drawbridge could not apply this edit, so nothing was changed. Tell the user.');
      default:
        return answer satisfies never;
    }
  },
};

/** Copilot 1.0.102 offers `bash`, and `powershell` on Windows; its documentation names the others. */
const shellTools: ReadonlyMap<string, 'bash' | 'powershell'> = new Map([
  ['bash', 'bash'],
  ['write_bash', 'bash'],
  ['powershell', 'powershell'],
  ['write_powershell', 'powershell'],
]);

/** Each command runs in a shell of its own, which starts in the folder of the session. */
function commandOf(tool: string, toolArgs: unknown, folder: string): NativeCommand['command'] | undefined {
  const shell = shellTools.get(tool);
  if (shell === undefined) return undefined;
  if (!tool.startsWith('write_')) {
    const { command: text, description: reason } = commandInput(shellInput, toolArgs);
    return { shell, text, folder, seesInput: true, ...(reason !== undefined && { reason }) };
  }
  return { shell, text: commandInput(typedInput, toolArgs).input, folder, isInput: true, seesInput: true };
}

function momentOf(given: HookInput, event: NativeMoment['event']): NativeMoment {
  const { sessionId: session, cwd: folder } = momentInput.parse(given);
  return { event, assistant: 'GitHub Copilot CLI', session, folder };
}

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
