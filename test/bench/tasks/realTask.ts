/** What a script can do: call tools, as a model does. */
export interface TaskAssistant {
  /** The structured content of the result. Throws when the tool failed. */
  call(tool: string, input: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** What is there when a script has ended. */
export interface TaskEnd {
  /** What the script came to know, for tasks that ask something. */
  readonly answer: unknown;
  /** Text of a file; undefined when there is none. */
  read(path: string): string | undefined;
  /** Paths and texts of all files as they were. */
  readonly before: ReadonlyMap<string, string>;
}

/** One thing that a developer asks of an assistant. However it is done, the end is the same. */
export interface RealTask {
  readonly name: string;
  /** Done with search, read and edit alone. Resolves with the answer, for tasks that ask something. */
  withTextTools(assistant: TaskAssistant): Promise<unknown>;
  /** The same with what language services know as well. */
  withLanguageTools(assistant: TaskAssistant): Promise<unknown>;
  /** Throws when the work is not as it should be. */
  check(end: TaskEnd): void;
}
