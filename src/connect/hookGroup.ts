import * as z from 'zod';
import type { Addition, JsonValue } from './assistant.ts';
import { isHookCommand, momentCommand } from './hookCommand.ts';

const group = z.object({ hooks: z.tuple([z.object({ command: z.string() })]) });

/** Returns whether a group of hooks, in the form that Claude Code, Codex and Gemini CLI share, only runs our hook program. */
export function isOurHookGroup(value: unknown): boolean {
  return isHookCommand(group.safeParse(value).data?.hooks[0].command ?? '');
}

/**
 * Returns a group of hooks for the moments of a session.
 * @param commandLine starts the launcher, as the shell of the assistant reads it
 * @param timeout one minute, in the unit of the assistant
 */
export function momentGroup(commandLine: string, timeout: number): JsonValue {
  return { hooks: [{ type: 'command', command: momentCommand(commandLine), timeout }] };
}

/**
 * Returns the additions that put a group of hooks at the end of the list of each event.
 * @param file the absolute path of a JSON file; the file with the server entry when absent
 */
export function hookAdditions(groups: Readonly<Record<string, JsonValue>>, file?: string): readonly Addition[] {
  return Object.entries(groups).map(([event, value]) => ({
    kind: 'element',
    ...(file !== undefined && { file }),
    path: ['hooks', event],
    value,
    isOurs: isOurHookGroup,
  }));
}
