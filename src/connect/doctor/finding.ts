/** A command that the user can run to fix a finding. */
export interface FindingAction {
  readonly title: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

/** One result of Doctor: a problem, a remark, or a part that works. */
export interface Finding {
  /**
   * `error`: no assistant can work in this window; `warning`: some cannot, or a part does not work; `good`: the part
   * works.
   */
  readonly severity: 'error' | 'warning' | 'information' | 'good';
  /** The finding in one sentence. */
  readonly text: string;
  /** What the user can do, in a sentence or two; absent when nothing. */
  readonly advice?: string;
  readonly action?: FindingAction;
}

/** Returns the URI of a link that runs a command. */
export function commandUri({ command, arguments: values = [] }: FindingAction): string {
  return values.length === 0
    ? `command:${command}`
    : `command:${command}?${encodeURIComponent(JSON.stringify(values))}`;
}
