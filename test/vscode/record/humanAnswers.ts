import * as fake from '../../fakes/vscode.ts';

/** What the human picks in the dialogs of a command, and what they were told; for `vi.mock('vscode')`. */
export const answers = {
  /** Label of the item of a quick pick. */
  pick: undefined as string | undefined,
  /** Buttons, in the order in which messages come; undefined dismisses one. */
  buttons: [] as (string | undefined)[],
  saveTo: undefined as string | undefined,
  /** Cancels the next progress at once. */
  cancels: false,
};

export const seen = {
  messages: [] as string[],
  buttons: [] as string[][],
  opened: [] as { path: string; line: number | undefined }[],
  preview: '',
  saved: new Map<string, Buffer>(),
};

export function reset(): void {
  Object.assign(answers, { pick: undefined, buttons: [], saveTo: undefined, cancels: false });
  Object.assign(seen, { messages: [], buttons: [], opened: [], preview: '', saved: new Map() });
}

interface Provider {
  provideTextDocumentContent(): string;
}
let provider: Provider | undefined;

async function message(text: string, ...rest: (string | { modal: true })[]): Promise<string | undefined> {
  seen.messages.push(text);
  seen.buttons.push(rest.filter((each) => typeof each === 'string'));
  return answers.buttons.shift();
}

export const vscode = {
  ...fake,
  ProgressLocation: { Notification: 15 },
  Position: class {
    readonly line: number;
    constructor(line: number) {
      this.line = line;
    }
  },
  Range: class {
    readonly start: { line: number };
    constructor(start: { line: number }) {
      this.start = start;
    }
  },
  window: {
    showInformationMessage: message,
    showWarningMessage: message,
    showErrorMessage: message,
    showQuickPick: async (items: { label: string }[]) => items.find(({ label }) => label === answers.pick),
    showSaveDialog: async () => (answers.saveTo === undefined ? undefined : fake.Uri.file(answers.saveTo)),
    showTextDocument: async ({ path }: { path: string }, options?: { selection?: { start: { line: number } } }) =>
      void seen.opened.push({ path, line: options?.selection?.start.line }),
    withProgress: async <T>(
      _options: object,
      work: (
        progress: { report(): void },
        token: { onCancellationRequested(cancel: () => void): { dispose(): void } },
      ) => Promise<T>,
    ): Promise<T> =>
      work(
        { report: () => undefined },
        {
          onCancellationRequested(cancel) {
            if (answers.cancels) cancel();
            return { dispose: () => undefined };
          },
        },
      ),
  },
  workspace: {
    registerTextDocumentContentProvider: (_scheme: string, given: Provider) => {
      provider = given;
      return { dispose: () => undefined };
    },
    async openTextDocument(uri: { path: string }) {
      seen.preview = provider?.provideTextDocumentContent() ?? '';
      return uri;
    },
    fs: { writeFile: async ({ path }: { path: string }, bytes: Buffer) => void seen.saved.set(path, bytes) },
  },
};
