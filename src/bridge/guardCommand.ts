/** `drawbridge guard`: says whether assistants' own edits are reviewed, and lets a person at a terminal switch that off for a while. */
import { randomInt } from 'node:crypto';
import { readGuards } from '#home/guards.ts';
import { guardsOffUntil, hourMilliseconds, mostHours, switchGuardsOff, switchGuardsOn } from '#home/guardsOff.ts';
import { type Ancestor, ancestorsOfThis, callingAssistant } from './callingAssistant.ts';
import { openTerminal, type Terminal } from './terminal.ts';

export type GuardAction =
  | { readonly kind: 'status' | 'on' }
  /** `hours`: more than 0. */
  | { readonly kind: 'off'; readonly hours: number };

/** The surroundings of the command, which tests replace. */
export interface GuardSurroundings {
  /** The state folder. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** @throws Error when they cannot be read */
  readonly ancestors: () => readonly Ancestor[];
  readonly openTerminal: () => Terminal | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns the word to type. */
  readonly word: () => string;
}

/** The text to print, and whether the command did what was asked. */
export interface GuardResult {
  readonly text: string;
  readonly isDone: boolean;
}

/** Returns the surroundings of this process. */
export function thisSurroundings(home: string): GuardSurroundings {
  return {
    home,
    environment: process.env,
    ancestors: () => ancestorsOfThis(),
    openTerminal: () => openTerminal(),
    now: () => Date.now(),
    word: randomWord,
  };
}

/** Carries out the command. */
export async function runGuardCommand(action: GuardAction, surroundings: GuardSurroundings): Promise<GuardResult> {
  const { home } = surroundings;
  switch (action.kind) {
    case 'status':
      return { text: await status(surroundings), isDone: true };
    case 'on':
      await switchGuardsOn(home);
      return { text: "The guard is on: assistants' own edits are reviewed.", isDone: true };
    case 'off':
      return switchOff(action.hours, surroundings);
    default:
      return action satisfies never;
  }
}

async function status({ home, now }: GuardSurroundings): Promise<string> {
  const until = await guardsOffUntil(home, now());
  if (until !== undefined) return offText(until);
  const folders = new Set((await readGuards(home)).flatMap((guard) => guard.folders));
  if (folders.size === 0) return 'The guard is on, but no window guards a folder now.';
  return ["The guard is on. Assistants' own edits are reviewed in:", ...folders].join('\n  ');
}

/** Only a person at a terminal can do this (threat row G8): a command of an assistant has the assistant above it, or no terminal. */
async function switchOff(hours: number, surroundings: GuardSurroundings): Promise<GuardResult> {
  const { home, environment, now } = surroundings;
  if (hours > mostHours) return refused(`it can be off for ${hoursText(mostHours)} at most`);
  let ancestors: readonly Ancestor[];
  try {
    ancestors = surroundings.ancestors();
  } catch {
    return refused('Drawbridge cannot see which program started this command');
  }
  const assistant = callingAssistant(ancestors, environment);
  if (assistant !== undefined) return refused(`this command was started by ${assistant}`);
  const terminal = surroundings.openTerminal();
  if (terminal === undefined) return refused('this command has no terminal');
  try {
    const word = surroundings.word();
    terminal.write(
      `Assistants will edit files without your review for ${hoursText(hours)}, in all folders.\n` +
        `Type ${word} to switch the guard off: `,
    );
    if (terminal.readLine().trim() !== word) return refused('another word was typed');
  } finally {
    terminal.close();
  }
  const until = Math.round(now() + hours * hourMilliseconds);
  await switchGuardsOff(home, until);
  return { text: offText(until), isDone: true };
}

function refused(why: string): GuardResult {
  return {
    text: `The guard stays on, because ${why}. Only the user can switch it off, in a terminal that no assistant uses.`,
    isDone: false,
  };
}

function offText(until: number): string {
  const time = new Date(until).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return `The guard is off: assistants' own edits are not reviewed until ${time}. "drawbridge guard on" switches it on earlier.`;
}

function hoursText(hours: number): string {
  return hours === 1 ? '1 hour' : `${hours} hours`;
}

/** Returns a word that is easy to read and type: eight letters, consonants and vowels in turn. */
function randomWord(): string {
  const letter = (letters: string): string => letters.charAt(randomInt(letters.length));
  return Array.from({ length: 4 }, () => letter('bdfgklmnprstvz') + letter('aeiou')).join('');
}
