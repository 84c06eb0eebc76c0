import { window } from './vscode.ts';

interface Choice {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly kind?: number;
}

/** Something that the editor showed. */
export interface Shown {
  readonly kind: 'information' | 'warning' | 'error' | 'pick' | 'input' | 'progress';
  readonly text: string;
  /** The buttons, the labels of the choices, or how far the work is. */
  readonly offered: readonly string[];
  readonly detail?: string;
  readonly modal?: boolean;
}

/**
 * Somebody who answers questions of the editor in this order: with a button, the beginning of a choice's label, several of
 * them, or a text. Without an answer left they leave.
 */
export function human(...answers: (string | readonly string[])[]): { readonly shown: Shown[] } {
  const shown: Shown[] = [];
  const say =
    (kind: Shown['kind']) =>
    async (text: string, ...rest: (string | { modal?: boolean; detail?: string })[]): Promise<string | undefined> => {
      const buttons = rest.filter((each) => typeof each === 'string');
      const [options = {}] = rest.filter((each) => typeof each !== 'string');
      shown.push({ kind, text, offered: buttons, ...options });
      const answer = buttons.length === 0 ? undefined : answers.shift();
      return buttons.find((button) => button === answer);
    };
  Object.assign(window, {
    showInformationMessage: say('information'),
    showWarningMessage: say('warning'),
    showErrorMessage: say('error'),
    withProgress: async ({ title }: { title: string }, work: (progress: object) => Promise<unknown>) => {
      const entry = { kind: 'progress' as const, text: title, offered: [] as string[] };
      shown.push(entry);
      return work({ report: ({ message }: { message: string }) => entry.offered.push(message) });
    },
    showInputBox: async ({ title = '' }: { title?: string }) => {
      shown.push({ kind: 'input', text: title, offered: [] });
      return answers.shift();
    },
    showQuickPick: async (items: readonly Choice[], { title = '', canPickMany = false } = {}) => {
      const offered = items.map(({ label, description, detail }) =>
        [label, description, detail].filter(Boolean).join(' | '),
      );
      shown.push({ kind: 'pick', text: title, offered });
      const answer = answers.shift();
      const labels = answer === undefined ? undefined : [answer].flat();
      const picked = items.filter(({ label }) => labels?.some((each) => label.startsWith(each)));
      if (labels === undefined) return undefined;
      return canPickMany ? picked : picked[0];
    },
  });
  return { shown };
}
