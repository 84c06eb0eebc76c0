import * as z from 'zod/mini';
import type { NativeMoment } from '#base/nativeCommand.ts';
import type { HookInput } from './hookAdapter.ts';

const input = z.looseObject({
  hook_event_name: z.string(),
  session_id: z.string(),
  cwd: z.string(),
  tool_name: z.optional(z.never()),
  agent_id: z.optional(z.null()),
});

type MomentNames = Readonly<Record<string, NativeMoment['event']>>;

/** The events of Claude Code, which other assistants have taken over. */
export const claudeMoments: MomentNames = {
  SessionStart: 'sessionBegan',
  Stop: 'turnEnded',
  SessionEnd: 'sessionEnded',
};

/**
 * Returns the moment that the input of a hook reports; undefined for another event, and for one of a subagent.
 * @param names the moments by the names that the assistant has for its events
 */
export function sessionMoment(given: HookInput, assistant: string, names: MomentNames): NativeMoment | undefined {
  const { data } = input.safeParse(given);
  const event = data && Object.entries(names).find(([name]) => name === data.hook_event_name)?.[1];
  return event && { event, assistant, session: data.session_id, folder: data.cwd };
}

/** Returns whether the path of a transcript, which assistants keep in a folder of their own, has a folder of this name. */
export function isTranscriptIn(given: HookInput, folder: string): boolean {
  const path = given['transcript_path'];
  return typeof path === 'string' && path.split(/[\\/]/).includes(folder);
}
