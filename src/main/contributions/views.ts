const icon = 'media/icon.svg';
const isReady = 'drawbridge.running && workbenchState != empty';

/** The views of the side bar, from top to bottom; `package.nls.json` has the name of each view as `view.<name>`. */
export const views = {
  approvals: { type: 'webview', icon, initialSize: 3 },
  // Its badge counts; the room is for what waits.
  outside: { icon, when: 'drawbridge.hasOutsideChanges', visibility: 'collapsed' },
  context: { icon, when: 'drawbridge.hasContext', initialSize: 1 },
  activity: { icon, initialSize: 1 },
} as const;

/** The views of the panel, from left to right: an open one among those of the side bar would take the room of the approvals. */
export const panelViews = { history: { icon }, rules: { icon }, connections: { icon }, tools: { icon } } as const;

export type ViewName = keyof typeof views | keyof typeof panelViews;

/** The texts of views without rows, each `welcome.<text>` in `package.nls.json`. */
export const welcomes: readonly { readonly view: ViewName; readonly when?: string; readonly text: string }[] = [
  { view: 'connections', text: 'connections' },
  { view: 'activity', when: '!drawbridge.running', text: 'stopped' },
  { view: 'activity', when: 'drawbridge.running && workbenchState == empty', text: 'noFolder' },
  { view: 'activity', when: `${isReady} && !isWorkspaceTrusted`, text: 'untrusted' },
  { view: 'activity', when: `${isReady} && isWorkspaceTrusted`, text: 'nothingYet' },
  { view: 'activity', when: '!drawbridge.connected', text: 'notConnected' },
  { view: 'history', text: 'history' },
];

interface Step {
  readonly id: string;
  /** Whose title and picture it has, where they are not its own. */
  readonly as?: string;
  readonly when?: string;
  /** Events after which the step is done. */
  readonly doneOn: readonly string[];
}

/** Steps of the walkthrough; `package.nls.json` has their texts below `walkthrough.<id>`. */
export const walkthroughSteps: readonly Step[] = [
  { id: 'connect', doneOn: ['onContext:drawbridge.connected'] },
  { id: 'ask', when: '!remoteName', doneOn: ['onContext:drawbridge.called'] },
  { id: 'askRemote', as: 'ask', when: 'remoteName', doneOn: ['onContext:drawbridge.called'] },
  { id: 'review', doneOn: ['onContext:drawbridge.changed'] },
  { id: 'rules', doneOn: ['onView:drawbridge.rules', 'onView:drawbridge.history'] },
];
