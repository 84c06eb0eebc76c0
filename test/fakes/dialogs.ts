import { EventEmitter, type Uri, window as plainWindow, workspace as plainWorkspace } from './vscode.ts';

/** An editor whose human answers as a test says; for `vi.mock('vscode')`, with everything of `vscode.ts`. */
export * from './vscode.ts';

export interface Shown {
  readonly kind: 'information' | 'warning' | 'error' | 'pick' | 'input';
  readonly message: string;
  readonly detail?: string;
  readonly choices: readonly string[];
}

/** What the human was shown, and what they choose: the first choice that contains the text. Undefined dismisses. */
export const human = {
  shown: [] as Shown[],
  answers: [] as (string | undefined)[],
  settings: new Map<string, { globalValue?: unknown; workspaceValue?: unknown }>(),
  reset(): void {
    human.shown.length = 0;
    human.answers.length = 0;
    human.settings.clear();
    watchers.length = 0;
  },
};

/** Of one file each. */
export const watchers: { readonly pattern: RelativePattern; readonly changed: EventEmitter<void> }[] = [];

export const ConfigurationTarget = { Global: 1, Workspace: 2 } as const;

export class RelativePattern {
  readonly base: Uri;
  readonly pattern: string;

  constructor(base: Uri, pattern: string) {
    this.base = base;
    this.pattern = pattern;
  }
}

type Options = { readonly modal?: boolean; readonly detail?: string };

function message(kind: Shown['kind']) {
  return async (text: string, ...rest: (string | Options)[]): Promise<string | undefined> => {
    const options = rest.find((each) => typeof each !== 'string');
    const choices = rest.filter((each) => typeof each === 'string');
    const detail = typeof options === 'object' ? options.detail : undefined;
    human.shown.push({ kind, message: text, choices, ...(detail !== undefined && { detail }) });
    const answer = human.answers.shift();
    return answer === undefined ? undefined : choices.find((choice) => choice.includes(answer));
  };
}

interface Item {
  readonly label: string;
  readonly description?: string;
}

export const window = {
  ...plainWindow,
  activeTextEditor: undefined,
  showInformationMessage: message('information'),
  showWarningMessage: message('warning'),
  showErrorMessage: message('error'),
  showQuickPick: async <T extends Item>(
    later: readonly T[] | Promise<readonly T[]>,
    { title, canPickMany }: { title?: string; canPickMany?: boolean },
  ): Promise<T | readonly T[] | undefined> => {
    const items = await later;
    const choices = items.map(({ label, description }) => [label, description].filter(Boolean).join(' '));
    human.shown.push({ kind: 'pick', message: title ?? '', choices });
    const answer = human.answers.shift();
    if (answer === undefined) return undefined;
    // Several, with a bar between them.
    if (canPickMany === true) {
      return items.filter((_, at) => answer.split('|').some((part) => choices[at]?.includes(part)));
    }
    return items[choices.findIndex((choice) => choice.includes(answer))];
  },
  showInputBox: async ({ title }: { title?: string }): Promise<string | undefined> => {
    human.shown.push({ kind: 'input', message: title ?? '', choices: [] });
    return human.answers.shift();
  },
};

export const workspace = {
  ...plainWorkspace,
  onDidChangeConfiguration: () => ({ dispose: () => undefined }),
  getConfiguration: () => ({
    inspect: (name: string) => human.settings.get(name),
    update: async (name: string, globalValue: unknown, target: number) => {
      if (target !== ConfigurationTarget.Global) throw new Error('Only settings of the user are written');
      human.settings.set(name, { globalValue });
    },
  }),
  createFileSystemWatcher(pattern: RelativePattern) {
    const changed = new EventEmitter<void>();
    watchers.push({ pattern, changed });
    const { event } = changed;
    return { onDidCreate: event, onDidChange: event, onDidDelete: event, dispose: () => changed.dispose() };
  },
};
