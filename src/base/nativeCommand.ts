/** The commands that assistants run with their own tools, and the moments of their sessions, as their hooks hand them to a window. */
import type { NativeCall, NativeCaller } from './nativeEdit.ts';

/** The tool name by which rules, cards and the record know these commands. */
export const nativeCommandTool = 'native_command';

/** The shells that an assistant may run a command in. Only commands of `bash` (or a POSIX `sh`) and `powershell` are understood. */
export const shells = ['bash', 'powershell', 'zsh', 'fish', 'cmd', 'nu', 'other'] as const;
export type Shell = (typeof shells)[number];

/** How much of an assistant's own edits and commands the user reviews, by what happens before them. */
export const guardLevels = ['edits', 'everything', 'after'] as const;
/**
 * - `edits`: edits and commands that change files ask.
 * - `everything`: commands that run something ask too.
 * - `after`: nothing asks; what was changed is listed afterwards.
 */
export type GuardLevel = (typeof guardLevels)[number];

/** A call of an assistant's own tool that runs a command, or that types into a program that runs already. */
export interface NativeCommand extends NativeCaller {
  readonly command: {
    readonly shell: Shell;
    /** The command line, or what is typed. It may have several lines. */
    readonly text: string;
    /** The absolute path of the folder that the command runs in. */
    readonly folder: string;
    /** What the assistant says about the command. */
    readonly reason?: string | undefined;
    /** The text is typed into a program that the assistant started before. */
    readonly isInput?: boolean | undefined;
    /** The hook sees what the assistant types into a program that this command starts. */
    readonly seesInput?: boolean | undefined;
    /** The command asks to run outside the sandbox of its assistant, which only the user may allow there. */
    readonly leavesSandbox?: boolean | undefined;
    /** The text names a file that decides whether the assistant asks Drawbridge, such as its settings. The hook program sets this. */
    readonly namesOwnSettings?: boolean | undefined;
  };
}

/** A moment in a session of an assistant. The hook reports it and waits for no decision. */
export interface NativeMoment {
  /**
   * - `sessionBegan`: the assistant was started, or began another conversation.
   * - `turnEnded`: the assistant is done with the prompt of the user, and waits for the next one.
   * - `sessionEnded`: the assistant has ended.
   */
  readonly event: 'sessionBegan' | 'turnEnded' | 'sessionEnded';
  /** The name of the assistant, such as "Claude Code". */
  readonly assistant: string;
  readonly session: string;
  /** The absolute path of the folder that the assistant works in. */
  readonly folder: string;
}

/** Everything that a hook reports of a call or session that its adapter knows. */
export type HookReport = NativeCall | NativeCommand | NativeMoment;

/** Returns whether a report is about a command. */
export function isCommand(report: HookReport): report is NativeCommand {
  return 'command' in report;
}

/** Returns whether a report tells a moment of a session. */
export function isMoment(report: HookReport): report is NativeMoment {
  return !('tool' in report);
}
