/** What the human can have done about a finding by a click. */
export interface FindingAction {
  readonly title: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

/** One thing that Doctor found. */
export interface Finding {
  /** `error`: assistants cannot reach this window; `warning`: some cannot, or not everything works; `good`: as it should be. */
  readonly severity: 'error' | 'warning' | 'information' | 'good';
  /** One sentence. */
  readonly text: string;
  /** What to do, in a sentence or two; absent when nothing. */
  readonly advice?: string;
  readonly action?: FindingAction;
}

/** A link that runs a command when it is clicked. */
export function commandUri({ command, arguments: values = [] }: FindingAction): string {
  return values.length === 0
    ? `command:${command}`
    : `command:${command}?${encodeURIComponent(JSON.stringify(values))}`;
}
