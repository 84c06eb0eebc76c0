/** The interface of a script, which calls tools like a model. */
export interface TaskAssistant {
  /** The structured content of the result. Throws when the tool failed. */
  call(tool: string, input: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** The state after a script has ended. */
export interface TaskEnd {
  /** The answer of the script, for tasks that ask a question. */
  readonly answer: unknown;
  /** Text of a file; undefined when there is none. */
  read(path: string): string | undefined;
  /** Paths and texts of all files as they were. */
  readonly before: ReadonlyMap<string, string>;
}

/** A task that a developer gives to an assistant, with the same result however it is done. */
export interface RealTask {
  readonly name: string;
  /** Does the task with search, read and edit alone. Resolves with the answer, for tasks that ask a question. */
  withTextTools(assistant: TaskAssistant): Promise<unknown>;
  /** Does the task with the language tools too. */
  withLanguageTools(assistant: TaskAssistant): Promise<unknown>;
  /** Throws when the result is wrong. */
  check(end: TaskEnd): void;
}
