import type { NativeAnswer, NativeCall } from '#base/nativeEdit.ts';

/** The input of a hook: the JSON object that an assistant writes to the standard input of a hook program. */
export type HookInput = Readonly<Record<string, unknown>>;

/** The answer of a hook program to its assistant. */
export interface HookOutput {
  readonly stdout: string;
  readonly exitCode: number;
}

/** Reads and answers the hooks of one assistant. The hook program recognises the assistant by the input, never by its command line. */
export interface HookAdapter {
  /** The name of the assistant, such as "Claude Code". */
  readonly assistant: string;
  /**
   * Returns whether the input has the shape that this assistant writes.
   * @param event the argument after `hook` in the command, for assistants whose input does not name its event; empty for others
   */
  recognises(input: HookInput, event: string): boolean;
  /**
   * Returns the edit that the assistant is about to make, or has made; undefined when the hook is for something else.
   * @throws Error when it is an edit that cannot be read
   */
  read(input: HookInput, event: string): NativeCall | undefined;
  /**
   * Returns the name of a tool that `read` does not know and that may edit files; undefined for everything else. Absent for an
   * assistant whose hooks run only for known tools.
   */
  unknownTool?(input: HookInput, event: string): string | undefined;
  /** Returns the answer of the window in the words of the assistant. */
  answer(input: HookInput, answer: NativeAnswer, event: string): HookOutput;
}

/** Lets the assistant go on as if there were no hook. */
export const noOpinion: HookOutput = { stdout: '', exitCode: 0 };

/** A key of an input by which Doctor tries the hook program. The program prints it when it works. */
export const hookProbe = 'drawbridge_probe';
