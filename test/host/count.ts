/** How many tests passed and failed. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
}

export const nothing: Count = { passed: 0, failed: 0 };
export const oneFailed: Count = { passed: 0, failed: 1 };
