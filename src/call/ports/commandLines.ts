import type { ResolvedPath } from '#base/files.ts';
import type { GuardLevel, Shell } from '#base/nativeCommand.ts';
import type { CommandClass, CommandPart } from '#base/proposal.ts';

/** A command line, and the folder that it would run in. */
export interface CommandLine {
  readonly shell: Shell;
  readonly text: string;
  /** The absolute path of the folder. */
  readonly folder: string;
}

/** What is known of a command line before it runs. */
export interface UnderstoodCommand {
  readonly class: CommandClass;
  readonly parts: readonly CommandPart[];
  /** The scripts that it contains or runs, as far as they can be read. */
  readonly scripts: readonly { readonly name: string; readonly text: string }[];
  /** The files and folders in the workspace that it writes, as far as its text names them. */
  readonly places: readonly ResolvedPath[];
  /** The absolute paths of those that no tool of Drawbridge may change, such as files in `.git`. */
  readonly closed: readonly string[];
  /** The absolute paths of those outside the workspace. */
  readonly outside: readonly string[];
  /** It may write to files that its text does not name. */
  readonly writesElsewhere: boolean;
  /** The absolute paths of the scripts and manifests that it runs. */
  readonly runs: readonly string[];
  /** It starts a shell or another program that takes further commands. */
  readonly takesCommands: boolean;
}

/** Understands the command lines of assistants' own shells. */
export interface CommandLines {
  /** Never rejects: a line that cannot be understood runs something. */
  understand(line: CommandLine, signal: AbortSignal): Promise<UnderstoodCommand>;
  /** Returns the level for an assistant, by its name. */
  level(assistant: string): GuardLevel;
  /**
   * Returns the first of these files that an assistant changed in this window.
   * @param paths absolute
   * @param since milliseconds since the epoch; earlier changes do not count
   */
  changedSince(paths: readonly string[], since: number): string | undefined;
}
