/** Inputs of the hooks of Claude Code, as 2.1.329 writes them. */
export interface ClaudeCodeCall {
  readonly tool: 'Edit' | 'Write' | 'Bash';
  readonly input: Readonly<Record<string, string | boolean>>;
  readonly event?: 'PreToolUse' | 'PostToolUse';
  readonly session?: string;
  readonly call?: string;
  readonly prompt?: string;
  readonly agent?: string;
  /** The working directory. */
  readonly folder?: string;
}

const transcript = '/home/user/.claude/projects/-project/session-1.jsonl';

/** Returns the text that Claude Code writes to the standard input of a hook. */
export function claudeCodeInput({ tool, input, event, session, call, prompt, agent, folder }: ClaudeCodeCall): string {
  return JSON.stringify({
    session_id: session ?? 'session-1',
    transcript_path: transcript,
    cwd: folder ?? '/project',
    prompt_id: prompt ?? 'prompt-1',
    permission_mode: 'acceptEdits',
    effort: { level: 'high' },
    hook_event_name: event ?? 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    tool_use_id: call ?? 'toolu_1',
    ...(agent !== undefined && { agent_id: 'agent-1', agent_type: agent }),
  });
}

/** Returns the text that Claude Code writes to the standard input of a hook at a moment of a session. */
export function claudeCodeMoment(event: 'SessionStart' | 'Stop', session: string, folder: string): string {
  return JSON.stringify({
    session_id: session,
    transcript_path: transcript,
    cwd: folder,
    permission_mode: 'acceptEdits',
    hook_event_name: event,
    ...(event === 'Stop' ? { stop_hook_active: false } : { source: 'startup' }),
  });
}
