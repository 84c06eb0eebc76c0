import * as z from 'zod/mini';
import type { NativeCommand } from '#base/nativeCommand.ts';
import { type ExactWrite, mostWaitSeconds, type NativeCall } from '#base/nativeEdit.ts';
import { exactPatch, pathsInPatch } from './codexPatch.ts';
import { commandInput } from './commandInput.ts';
import { type HookAdapter, type HookInput, type HookOutput, noOpinion } from './hookAdapter.ts';
import { claudeMoments, sessionMoment } from './sessionMoment.ts';
import { loginShell } from './shells.ts';
import { shortened } from './shortened.ts';

/**
 * The input of the hooks of Codex, read from runs of 0.169.0: of its command line, and of its app server, which editors start. A
 * PermissionRequest has no id of the call, and comes with the patch that the hook before it answered.
 */
const input = z.looseObject({
  hook_event_name: z.enum(['PreToolUse', 'PermissionRequest', 'PostToolUse']),
  session_id: z.string(),
  turn_id: z.string(),
  model: z.string(),
  cwd: z.string(),
  tool_name: z.string(),
  tool_input: z.unknown(),
  tool_use_id: z.optional(z.string()),
  agent_id: z.optional(z.nullable(z.string())),
  agent_type: z.optional(z.nullable(z.string())),
});

const events = {
  PreToolUse: 'before',
  PermissionRequest: 'question',
  PostToolUse: 'after',
} as const satisfies Readonly<Record<string, NativeCall['event']>>;

const patchInput = z.looseObject({ command: z.string() });
const shellInput = z.looseObject({ command: z.string() });

/** Codex 0.169.0 uses `Bash` for all of its tools that run commands; the others are the names of these tools. */
const shellTools: ReadonlySet<string> = new Set(['Bash', 'shell', 'shell_command', 'exec_command', 'write_stdin']);

/** Recorded in `test/bridge/hook/recorded/codex`; see `exactPatch`. Codex follows links, and keeps no byte order mark. */
const writesExactly: readonly ExactWrite[] = ['edit', 'create', 'several', 'changed', 'crlf', 'link'];

/** Reads and answers the hooks of Codex. */
export const codexHook: HookAdapter = {
  assistant: 'Codex',

  recognises: (given) => input.safeParse(given).success || isMoment(given),

  read(given) {
    const moment = sessionMoment(given, 'Codex', claudeMoments);
    if (moment !== undefined) return moment;
    const { hook_event_name: event, session_id: session, turn_id: turn, cwd: folder, ...rest } = input.parse(given);
    const { tool_name: tool, tool_input: toolInput, tool_use_id: call, agent_id: agentId, agent_type: kind } = rest;
    const caller = {
      event: events[event],
      assistant: 'Codex',
      session,
      ...(call !== undefined && { call }),
      waitSeconds: mostWaitSeconds,
      turn,
      ...(typeof agentId === 'string' && { agent: { id: agentId, kind: kindOf(kind) } }),
      tool,
      ...(event === 'PostToolUse' && { reachesModel: true }),
    };
    if (shellTools.has(tool)) {
      // Codex asks only about a command that leaves its sandbox. The answer to that is for the user alone.
      return event === 'PermissionRequest' ? undefined : { ...caller, command: commandOf(toolInput, folder) };
    }
    if (tool !== 'apply_patch') return undefined;
    const { command: text } = patchInput.parse(toolInput);
    return {
      ...caller,
      isSerial: true,
      writesExactly,
      edits: [{ kind: 'patch', folder, text, paths: pathsInPatch(folder, text) }],
    };
  },

  answer(given, answer) {
    const { hook_event_name: event, tool_name: tool, tool_input: toolInput } = input.parse(given);
    if (event === 'PostToolUse') {
      const news = answer.decision === 'none' ? answer.news : undefined;
      return news === undefined ? noOpinion : output(event, { additionalContext: shortened(news) });
    }
    if (shellTools.has(tool)) {
      return event === 'PreToolUse' && answer.decision === 'deny' ? refusal(answer.words) : noOpinion;
    }
    if (event === 'PermissionRequest') {
      // Without an answer, Codex asks the user itself.
      return answer.decision === 'allow' ? output(event, { decision: { behavior: 'allow' } }) : noOpinion;
    }
    switch (answer.decision) {
      case 'none':
        return noOpinion;
      case 'deny':
        return refusal(answer.words);
      case 'allow': {
        const asked = patchInput.parse(toolInput);
        // An answer without files lets the call pass unchanged.
        const command = answer.files.length === 0 ? asked.command : exactPatch(answer.files);
        if (command === undefined) return refusal(inexpressible);
        return output(event, {
          // Codex takes a permission without an input for a mistake of the hook, and goes on with its own patch.
          permissionDecision: 'allow',
          updatedInput: { ...asked, command },
          ...(answer.words !== undefined && { additionalContext: shortened(answer.words) }),
        });
      }
      default:
        return answer satisfies never;
    }
  },
};

/** SessionStart and SessionEnd have no turn, and are told from those of Claude Code by the name of the transcript. */
function isMoment(given: HookInput): boolean {
  if (sessionMoment(given, '', claudeMoments) === undefined) return false;
  const path = given['transcript_path'];
  return 'turn_id' in given || path === null || (typeof path === 'string' && /[\\/]rollout-[^\\/]*$/.test(path));
}

/**
 * The hook does not say that a command leaves the sandbox, nor which shell the model chose instead of the user's. What is typed into a
 * running program with `write_stdin` runs no hook (tried with 0.169.0).
 */
function commandOf(toolInput: unknown, folder: string): NativeCommand['command'] {
  const { command: text } = commandInput(shellInput, toolInput);
  return { shell: process.platform === 'win32' ? 'powershell' : loginShell(), text, folder };
}

const inexpressible =
  'The user approved this edit, but a patch of Codex cannot write it exactly as it was approved, so nothing was changed. ' +
  'Make it with the tool apply_edit of Drawbridge.';

/** Codex calls a subagent without a role "default". */
function kindOf(role: string | null | undefined): string {
  return typeof role === 'string' && role !== 'default' ? role : 'subagent';
}

function refusal(words: string): HookOutput {
  return output('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: shortened(words) });
}

function output(event: string, rest: object): HookOutput {
  return { stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...rest } }), exitCode: 0 };
}
