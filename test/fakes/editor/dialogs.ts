import type * as vscode from 'vscode';
import { type Answer, editor, type Shown } from './editor.ts';
import { CancellationTokenSource } from './events.ts';
import { Uri } from './places.ts';

/** Messages, picks, inputs and other dialogs of the fake editor. */

type Button = string | vscode.MessageItem;

const isButton = <T extends Button>(each: T | vscode.MessageOptions): each is T =>
  typeof each !== 'object' || 'title' in each;

const labelOf = (button: Button): string => (typeof button === 'string' ? button : button.title);

/** Returns an answer as text; throws for a list of answers. */
function textOf(answer: Answer): string | undefined {
  if (answer === undefined || typeof answer === 'string') return answer;
  throw new Error(`Several answers to one question: ${answer.join(', ')}`);
}

function message(kind: Shown['kind']) {
  return async <T extends Button>(text: string, ...rest: (T | vscode.MessageOptions)[]): Promise<T | undefined> => {
    const buttons = rest.filter(isButton<T>);
    const [options = {}] = rest.flatMap((each) => (isButton(each) ? [] : [each]));
    editor.shown.push({ kind, message: text, choices: buttons.map(labelOf), ...options });
    const answer = buttons.length === 0 ? undefined : textOf(editor.answers.shift());
    return answer === undefined ? undefined : buttons.find((button) => labelOf(button).includes(answer));
  };
}

type Items = readonly vscode.QuickPickItem[];
type Later<T> = T | Thenable<T>;
type Many = vscode.QuickPickOptions & { canPickMany: true };

function showQuickPick(items: Later<readonly string[]>, options: Many): Promise<string[] | undefined>;
function showQuickPick(items: Later<readonly string[]>, options?: vscode.QuickPickOptions): Promise<string | undefined>;
function showQuickPick<T extends vscode.QuickPickItem>(
  items: Later<readonly T[]>,
  options: Many,
): Promise<T[] | undefined>;
function showQuickPick<T extends vscode.QuickPickItem>(
  items: Later<readonly T[]>,
  options?: vscode.QuickPickOptions,
): Promise<T | undefined>;
async function showQuickPick(
  later: Later<readonly (string | vscode.QuickPickItem)[]>,
  { title = '', canPickMany = false }: vscode.QuickPickOptions = {},
): Promise<unknown> {
  const items: Items = (await later).map((item) => (typeof item === 'string' ? { label: item } : item));
  const choices = items.map(({ label, description }) => [label, description].filter(Boolean).join(' '));
  editor.shown.push({ kind: 'pick', message: title, choices, items });
  const answer = editor.answers.shift();
  if (answer === undefined) return undefined;
  const wanted = [answer].flat();
  const picked = items.filter((_, at) => wanted.some((text) => choices[at]?.includes(text)));
  return canPickMany ? picked : picked[0];
}

export const dialogs = {
  showInformationMessage: message('information'),
  showWarningMessage: message('warning'),
  showErrorMessage: message('error'),
  showQuickPick,

  /** Rejects a text that the input box calls invalid. */
  async showInputBox(options: vscode.InputBoxOptions = {}): Promise<string | undefined> {
    editor.shown.push({ kind: 'input', message: options.title ?? '', choices: [] });
    const answer = textOf(editor.answers.shift());
    const problem = answer === undefined ? undefined : await options.validateInput?.(answer);
    return problem === undefined || problem === null ? answer : undefined;
  },

  async showSaveDialog(): Promise<vscode.Uri | undefined> {
    const path = textOf(editor.answers.shift());
    return path === undefined ? undefined : Uri.file(path);
  },

  setStatusBarMessage(text: string): vscode.Disposable {
    editor.statusMessages.push(text);
    return { dispose: () => undefined };
  },

  async withProgress<R>(
    { title = '' }: vscode.ProgressOptions,
    task: (progress: vscode.Progress<{ message?: string }>, token: vscode.CancellationToken) => Thenable<R>,
  ): Promise<R> {
    const choices: string[] = [];
    editor.shown.push({ kind: 'progress', message: title, choices });
    const cancel = new CancellationTokenSource();
    const working = task({ report: ({ message: text }) => void choices.push(text ?? '') }, cancel.token);
    if (editor.cancelsProgress) cancel.cancel();
    return working;
  },
} satisfies Partial<typeof vscode.window>;
