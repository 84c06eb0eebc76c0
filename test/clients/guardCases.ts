/** Edits that a real assistant makes with its own tools, decided in the Approvals view of a real window. */
import type { Frame } from 'playwright-core';
import type { Assistant, Machine } from '#connect/assistant.ts';
import { applyChange, planParts } from '#connect/configuration.ts';
import { clickButton, decide } from '../e2e/approvalsPage.ts';
import type { Run } from '../host/processes.ts';
import type { Window } from '../host/window.ts';
import type { ToolCall, Turn } from './modelServer.ts';
import type { Files } from './recording.ts';

export interface GuardSetting {
  readonly window: Window;
  readonly run: Run;
  readonly userHome: string;
  readonly machine: Machine;
  /** The state folder. */
  readonly home: string;
  /** The folder that is open in the window. */
  readonly folder: string;
  /** The folder of the installed programs. */
  readonly programs: string;
}

export interface GuardCase<Mode extends string> {
  readonly name: string;
  readonly files: Files;
  /** @param pathOf returns the absolute path of a file in the project */
  readonly turns: (pathOf: (name: string) => string) => readonly Turn[];
  /** The number of cards that wait at the same time; one when absent. */
  readonly cards?: number;
  /** Decides about the cards. */
  readonly decide: (page: Frame) => Promise<void>;
  /** The texts of the files afterwards; undefined for one that must not exist. */
  readonly after: Readonly<Record<string, string | undefined>>;
  /** Words that the model must be told, in its last request. */
  readonly told: RegExp;
  /** The modes of the assistant in which it is tried. */
  readonly modes: readonly Mode[];
}

export interface GuardedRun {
  readonly output: string;
  /** The words that the model was told in its last request; empty when there was none. */
  readonly told: string;
}

/** An assistant whose own edits and commands the window decides. */
export interface GuardedAssistant<Mode extends string = string> {
  readonly name: string;
  /** The id in `src/connect/assistants`. */
  readonly id: string;
  readonly cases: readonly GuardCase<Mode>[];
  /** Returns turns that write LINE 3 into line 3 of the file, which has the text of `forty`, in a mode that does not ask. */
  readonly oneEdit: { readonly turns: (path: string) => readonly Turn[]; readonly mode: Mode };
  /** The call that runs a command line in bash, and a mode in which the assistant itself asks about no command. */
  readonly commands: { readonly call: (text: string) => ToolCall; readonly mode: Mode };
  /** Sets the guard up as Connect does. */
  readonly connect: (setting: GuardSetting) => Promise<void>;
  /** Runs the assistant to its end. */
  readonly start: (turns: readonly Turn[], mode: Mode, setting: GuardSetting) => Promise<GuardedRun>;
}

/** Something that every assistant is tried with, and that needs more of the editor than its Approvals view. */
export interface Attempt {
  readonly name: string;
  /** Returns the failure; undefined when all is well. */
  attempt<Mode extends string>(assistant: GuardedAssistant<Mode>, setting: GuardSetting): Promise<string | undefined>;
}

/** Sets up the guard of an assistant in its own files, as Connect does. */
export async function setUpGuard(assistant: Assistant, { machine, home }: GuardSetting): Promise<void> {
  for (const change of await planParts(assistant, machine, { guard: true })) {
    if (change.isChange) await applyChange(change, home);
  }
}

/** Returns a text of forty lines, some of which are others. */
export function forty(...changes: readonly [line: number, text: string][]): string {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
  for (const [line, changed] of changes) lines[line - 1] = changed;
  return `${lines.join('\n')}\n`;
}

export function crlf(lf: string): string {
  return lf.replaceAll('\n', '\r\n');
}

/** Declines the card of a file without a message. */
export async function decline(page: Frame, name: string): Promise<void> {
  await clickButton(page, new RegExp(`^Decline… .*${RegExp.escape(name)}`));
  await clickButton(page, new RegExp(`^Decline (?!and).*${RegExp.escape(name)}`));
}

/** Leaves a line out of what is approved. */
export async function leaveOut(page: Frame, line: number, name: string): Promise<void> {
  await page.getByRole('checkbox', { name: new RegExp(`^Include line ${line} of ${RegExp.escape(name)}`) }).click();
}

/** Words that the model must be told in its last request, by what the user does. */
export type WordsOfCases = Readonly<Record<'whole' | 'part' | 'declined' | 'two' | 'noFinalLineEnd', RegExp>>;

/**
 * Returns the usual cases for an assistant that replaces a whole text by another one.
 * @param edit returns the call that changes a file; its path is absolute and its texts have LF
 */
export function rewriteCases<Mode extends string>(
  edit: (path: string, before: string, after: string) => ToolCall,
  modes: readonly Mode[],
  told: WordsOfCases,
): readonly GuardCase<Mode>[] {
  const changed = forty([3, 'LINE 3'], [36, 'LINE 36']);
  const approve = (page: Frame, name: string): Promise<void> =>
    decide(page, new RegExp(`^Approve edit of ${RegExp.escape(name)}`));
  const turnsOf =
    (name: string, ...texts: readonly string[]): GuardCase<Mode>['turns'] =>
    (pathOf) => [texts.slice(1).map((text, index) => edit(pathOf(name), texts[index] ?? '', text)), 'Done.'];
  return [
    {
      name: 'approved as a whole',
      files: { 'whole.txt': forty() },
      turns: turnsOf('whole.txt', forty(), changed),
      decide: (page) => approve(page, 'whole.txt'),
      after: { 'whole.txt': changed },
      told: told.whole,
      modes,
    },
    {
      name: 'approved in part, with CRLF',
      files: { 'part.txt': crlf(forty()) },
      turns: turnsOf('part.txt', forty(), changed),
      async decide(page) {
        await leaveOut(page, 36, 'part.txt');
        await decide(page, /^Approve .*part\.txt/);
      },
      after: { 'part.txt': crlf(forty([3, 'LINE 3'])) },
      told: told.part,
      modes,
    },
    {
      name: 'declined',
      files: { 'declined.txt': forty() },
      turns: turnsOf('declined.txt', forty(), changed),
      decide: (page) => decline(page, 'declined.txt'),
      after: { 'declined.txt': forty() },
      told: told.declined,
      modes,
    },
    {
      name: 'two edits of one message',
      files: { 'two.txt': forty() },
      turns: turnsOf('two.txt', forty(), forty([3, 'LINE 3']), changed),
      async decide(page) {
        await approve(page, 'two.txt');
        await page.getByText('Edited two.txt').first().waitFor();
        await approve(page, 'two.txt');
      },
      after: { 'two.txt': changed },
      told: told.two,
      modes,
    },
    {
      name: 'without a line end after the last line',
      files: { 'end.txt': forty().trimEnd() },
      turns: turnsOf('end.txt', forty().trimEnd(), changed.trimEnd()),
      decide: (page) => approve(page, 'end.txt'),
      after: { 'end.txt': changed.trimEnd() },
      told: told.noFinalLineEnd,
      modes,
    },
  ];
}
