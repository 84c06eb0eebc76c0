import type { ShellName } from '#policy/shell/classifyCommand.ts';

/** Command lines that belong together, by their expected class. */
export interface CorpusGroup {
  readonly group: string;
  readonly shell: ShellName;
  /** The thread from which the lines, or their idea, come. */
  readonly origin?: string;
  readonly reads?: readonly string[];
  readonly runs?: readonly string[];
  readonly writes?: readonly string[];
}
