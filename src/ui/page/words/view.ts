/** What the words of the page make of an approval: plain texts that the elements of the page only draw. */
import type { TextPart } from '#base/visibleText.ts';
import type { DeclineReason, PageCommand, RuleScope } from '../fromPage.ts';

export interface Chip {
  readonly text: string;
  readonly tone: 'plain' | 'warning' | 'danger';
  readonly icon?: 'edit' | 'shield' | 'trash' | 'play' | 'question';
  readonly title?: string;
}

export interface Counts {
  readonly added: string;
  readonly removed: string;
  /** For a screen reader. */
  readonly label: string;
}

export interface Button {
  readonly text: string;
  /** Accessible name. */
  readonly label: string;
}

/** A file of a card. */
export interface CardFile {
  readonly counts: Counts;
  /** State of the check box of the file; absent when the file cannot be left out. */
  readonly included?: 'all' | 'some' | 'none';
  readonly name: readonly TextPart[];
  readonly folder: readonly TextPart[];
  /** The full path in the workspace, for the folder tree. */
  readonly path: string;
  /** The target of a move, in full. */
  readonly to?: readonly TextPart[];
  /** The full path of the real file. */
  readonly title: string;
  readonly chips: readonly Chip[];
  /** Accessible name of the check box. */
  readonly includeLabel: string;
  /** Accessible name of the tick "viewed". */
  readonly viewedLabel: string;
  /** The number of the name, which must be on screen because a warning is about it. */
  readonly part?: number;
  /** Accessible name of the button that opens the diff of the editor; absent when there are no texts to compare. */
  readonly openLabel?: string;
  /** Sentences about the file besides its lines. */
  readonly facts: readonly string[];
  /** Takes back what the user typed. */
  readonly reset?: Button;
  /** Accessible name of the changed lines; absent when there are none to show. */
  readonly changesLabel?: string;
  /** The number of rows. */
  readonly rows: number;
  /** The index of the first file with the same change. */
  readonly sameAs?: number;
}

/** What is done when it is no change of files. */
export interface CardAction {
  /** The name by which the rules know it. */
  readonly definition: { readonly label: string; readonly parts: readonly TextPart[] };
  /** The commands of a command line, with their classes. */
  readonly commands?: { readonly label: string; readonly items: readonly (readonly TextPart[])[] };
  /** The files to which it is done. */
  readonly paths?: { readonly label: string; readonly items: readonly (readonly TextPart[])[] };
  readonly arguments: {
    readonly label: string;
    /** Stands where there are no arguments, maybe empty. */
    readonly none?: string;
    /** The number of rows. */
    readonly rows: number;
  };
}

export interface CardQuestion {
  /** Stands before the words of the assistant. */
  readonly label: string;
  readonly parts: readonly TextPart[];
  /** Accessible name of the choices. */
  readonly choicesLabel: string;
  readonly choices: readonly (readonly TextPart[])[];
  /** The label of the text field; absent when the user can only choose. */
  readonly fieldLabel?: string;
  /** An answer was sent without one. */
  readonly missing: string;
  /** Says that an answer approves nothing. */
  readonly hint: string;
}

/** The text that an action returned. */
export interface CardOutput {
  readonly text: string;
  readonly label: string;
  readonly chip?: Chip;
  readonly parts: readonly TextPart[];
}

export interface Decline extends Button {
  readonly fieldLabel: string;
  /** Accessible name of the quick reasons, of which one can be chosen. */
  readonly reasonsLabel: string;
  readonly reasons: readonly { readonly code: DeclineReason; readonly text: string }[];
  readonly send: Button;
  /** Declines and pauses the assistant. */
  readonly pause: Button;
}

/** A rule in a sentence, with what can be done about it. */
export interface DrawnRule {
  readonly text: string;
  readonly show?: Button;
  readonly remove?: Button;
  readonly restore?: Button;
}

/** Something to open for a user who wants to know more. */
export interface Disclosure {
  readonly text: string;
  /** One sentence that says it for people; the rest stands behind "Details" then. */
  readonly sentence?: string;
  /** The rule that decided. */
  readonly rule?: DrawnRule;
  /** The way to a decision, in order. */
  readonly steps?: { readonly label: string; readonly items: readonly string[] };
  readonly details: readonly {
    readonly term: string;
    readonly value: string | { readonly time: number };
  }[];
}

/** Rules that approving can be made of, narrowest first. */
export interface RuleMenu {
  /** Title of the menu, and accessible name of the button that opens it. */
  readonly label: string;
  /** Accepts all edits for a session. It never gets the keyboard first. */
  readonly wide?: { readonly text: string; readonly note: string; readonly suggestion: number };
  readonly groups: readonly {
    readonly label: string;
    readonly items: readonly { readonly text: string; readonly suggestion: number; readonly scope: RuleScope }[];
  }[];
}

/** A card as the page draws it. */
export interface Card {
  readonly id: string;
  readonly proposalHash: string;
  /** Number of the rows: another number has other rows. */
  readonly drawing: number;
  readonly phase: 'waiting' | 'applying' | 'finished';
  readonly tone: 'edit' | 'danger' | 'done';
  /** Deletes, changes a protected file or has a warning: no button is the default, and no key approves. */
  readonly isGrave?: boolean;
  /** Says what happens, such as "Rename formatPrice to formatMoney: 91 places in 31 files". */
  readonly headline: string;
  /** Full paths, where the headline is short. */
  readonly headlineTitle?: string;
  /** The name of the request in the action bar, such as "Claude Code: Edit cart.ts". */
  readonly owner: string;
  /** Only when it is no plain edit: the headline says the rest. */
  readonly risk?: Chip;
  readonly chips: readonly Chip[];
  readonly counts: Counts;
  readonly who: {
    readonly client: string;
    /** One or two letters for the badge, and a number from 0 to 7 for its colour. */
    readonly badge: { readonly letters: string; readonly colour: number };
    /** Says that the name is what the client claims. */
    readonly claim: string;
    readonly time: number;
    readonly rest: readonly string[];
  };
  readonly files: readonly CardFile[];
  readonly action?: CardAction;
  readonly question?: CardQuestion;
  readonly warnings: readonly string[];
  readonly reason?: { readonly label: string; readonly parts: readonly TextPart[] };
  readonly why?: Disclosure;
  /** The assistant has not heard of the decision: a sentence, and the button that copies what to tell it. */
  readonly unheard?: { readonly text: string; readonly copy: Button };
  /** The effect of the applied change on the problems of its files. */
  readonly problems?: Disclosure;
  readonly output?: CardOutput;
  /** What became of it, and what else there is to know. */
  readonly notes: readonly string[];
  /** Says how long the assistant waits for the decision. */
  readonly waits?: TimedText;
  readonly approve?: Button;
  /** Applies the own edit of an assistant to the unsaved text in the editor. */
  readonly approveInEditor?: Button;
  /** Only where a rule may be made of the answer. */
  readonly rules?: RuleMenu;
  /** Approves a very large change before its end was on screen. */
  readonly approveUnread?: Button;
  /** Approve does nothing, and this says why: everything was left out, or a part with a warning was not on screen. */
  readonly blockedHint?: string;
  readonly openDiff?: Button;
  /** Opens the review tab; absent in the tab, and where there is nothing to read. */
  readonly openReview?: Button;
  readonly decline?: Decline;
  /** Declines, with no words to go with it. */
  readonly refuse?: Button;
  /** Approve does nothing before this number was typed. */
  readonly confirm?: { readonly count: number; readonly label: string; readonly mismatch: string };
  /** The rule that was made with this card. */
  readonly savedRule?: DrawnRule;
  readonly undo?: Button;
  readonly redo?: Button;
  readonly rebase?: Button;
  /** Brings up the card that took the place of this one. */
  readonly successor?: Button & { readonly id: string };
  /** Until the end of the change was on screen Approve does nothing, and this says so. */
  readonly endHint?: string;
  /** Another page decides about it: says so, and the button that brings that page up. */
  readonly elsewhere?: { readonly text: string; readonly show: Button };
}

/** Words of the view itself, and buttons that run commands. */
export interface Notice {
  readonly text: string;
  /** The steps that the user takes, in their order. A step with a command is a button. */
  readonly steps?: readonly { readonly text: string; readonly command?: PageCommand }[];
  readonly buttons: readonly { readonly text: string; readonly command: PageCommand }[];
}

/** A sentence that may contain a time of day. */
export type TimedText = readonly (string | { readonly time: number })[];

/** A restriction, and the button that ends it. */
export interface DrawnRestriction {
  readonly id: string;
  readonly text: TimedText;
  readonly lift: Button;
}

/** How much assistants may do without asking, when that is not what it usually is. */
export interface ModeBanner {
  readonly text: TimedText;
  readonly tone: 'plain' | 'warning';
  readonly back: Button;
}

/** Requests of one assistant that arrived together. */
export interface GroupView {
  readonly headline: string;
  readonly approveAll: Button;
  readonly declineAll: Button;
  /** Says how many of them can be approved together, when not all can. */
  readonly rest?: string;
}
