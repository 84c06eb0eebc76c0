/** How many tests passed and failed. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  /** One line for each failed test: its file, its name and the first line of its error. */
  readonly failures?: readonly string[];
  /** The lines of tests whose wait ran out, and which passed when they ran again without others beside them. */
  readonly slow?: readonly string[];
}

export const nothing: Count = { passed: 0, failed: 0 };
export const oneFailed: Count = { passed: 0, failed: 1 };
