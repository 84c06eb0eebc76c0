import * as z from 'zod';
import { isHookCommand } from './hookCommand.ts';

const group = z.object({ hooks: z.tuple([z.object({ command: z.string() })]) });

/** Returns whether a group of hooks, in the form that Claude Code, Codex and Gemini CLI share, only runs our hook program. */
export function isOurHookGroup(value: unknown): boolean {
  return isHookCommand(group.safeParse(value).data?.hooks[0].command ?? '');
}
