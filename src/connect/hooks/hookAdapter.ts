import type { HookReport } from '#base/nativeCommand.ts';
import type { NativeAnswer } from '#base/nativeEdit.ts';

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
   * @param event the arguments after `hook` in the command: `moment` for a moment of a session, then the event for assistants whose
   * input does not name it; empty for others
   */
  recognises(input: HookInput, event: string): boolean;
  /**
   * Returns the edit or command that the assistant is about to make, or has made, or the moment of its session; undefined when the
   * hook is for something else.
   * @throws UnreadableCommand when it is a command that cannot be read; another Error when it is such an edit
   */
  read(input: HookInput, event: string): HookReport | undefined;
  /**
   * Returns the name of a tool that `read` does not know and that may edit files; undefined for everything else. Absent for an
   * assistant whose hooks run only for known tools.
   */
  unknownTool?(input: HookInput, event: string): string | undefined;
  /** Returns the answer of the window in the words of the assistant. It is called for edits and commands. */
  answer(input: HookInput, answer: NativeAnswer, event: string): HookOutput;
}

/** The input of a command tool has another shape than is known. */
export class UnreadableCommand extends Error {}

/** Lets the assistant go on as if there were no hook. */
export const noOpinion: HookOutput = { stdout: '', exitCode: 0 };

/** The argument after `hook` in the command of a hook of a moment. `src/home/launcher` knows it too. */
export const momentArgument = 'moment';

/** A key of an input by which Doctor tries the hook program. The program prints it when it works. */
export const hookProbe = 'drawbridge_probe';

/** Returns the words for the model in an answer after a call, for an assistant that is told nothing before it. */
export function wordsAfter(answer: NativeAnswer): string | undefined {
  if (answer.decision !== 'none') return undefined;
  const words = [answer.words, answer.news].filter((each) => each !== undefined);
  return words.length === 0 ? undefined : words.join('\n');
}
