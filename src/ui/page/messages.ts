import type { TextPart } from '#base/visibleText.ts';
import type { Approval, Restriction, WaitingRead } from '#changes/approval.ts';
import type { LineEnd } from '#changes/diffRows.ts';
import type { Warning } from '#changes/warnings.ts';
import type { Mode, NewRule } from '#policy/rules.ts';
import type { Remembered, RuleScope } from './fromPage.ts';

/**
 * The messages from the extension host to the review page. They hold data: the page makes words and elements of it. Times are
 * milliseconds since the epoch, because the host may live in another time zone.
 */

/** A part of a line of code. */
export interface RowPart extends TextPart {
  /** The words differ from the line that this one replaces, or is replaced by. */
  readonly changed?: true;
  /** A letter that looks like an ASCII letter. */
  readonly alike?: true;
  /** The style of the text; the page sets it when the colours of the row have come. See `ColoursMessage`. */
  readonly style?: number;
}

/** One row of what is shown of a file, or of the arguments of an action. */
export type PageRow =
  | HunkHeader
  | {
      readonly kind: 'context' | 'added' | 'removed';
      /** 1-based line in the text before the change; absent for an added line. */
      readonly before?: number;
      /** 1-based line in the text after the change; absent for a removed line. */
      readonly after?: number;
      readonly parts: readonly RowPart[];
      /** The row goes on with the line of the row above it. */
      readonly isRest?: true;
      /** The line of an unchanged row goes on, and the rest of it is not shown. */
      readonly isCut?: true;
      readonly unusualEnd?: LineEnd;
      /** The number by which the page says that the row was on screen, because a warning is about it. */
      readonly part?: number;
    }
  /** A line of a text that is no change. */
  | { readonly kind: 'text'; readonly parts: readonly RowPart[] }
  | { readonly kind: 'note'; readonly note: 'no_line_end' | 'rough' }
  /** Unchanged characters of a long line that are not shown. */
  | { readonly kind: 'folded'; readonly characters: number };

/** The header of a hunk: all rows up to the next header belong to it. */
export interface HunkHeader {
  readonly kind: 'hunk';
  /** 0-based, in the hunks of the file. */
  readonly hunk: number;
  /** 1-based, both included: the changed lines of the result, or of the base when lines are only removed. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly onlyRemoved: boolean;
}

/** The state of a hunk. */
export interface PageHunk {
  readonly included: boolean;
  readonly origin: 'proposed' | 'edited';
  /** Indexes of the hunks that are left out and taken in together with this one. */
  readonly linked: readonly number[];
  /** The row of its header, 0-based in the rows of the file. */
  readonly row: number;
}

/** Whether the syntax of the text to apply is right. Nothing is said of text that is right, or that has no syntax. */
export type SyntaxFact =
  /** The lines (1-based) with errors, of a text that has more of them than the text before the change. */
  { readonly kind: 'errors'; readonly lines: readonly number[] } | { readonly kind: 'not_checked' };

/** The files that use a file which would be deleted or moved, and that the change does not touch. */
export type UseFact =
  | { readonly kind: 'looking' }
  | { readonly kind: 'not_looked_for' }
  | {
      /** They import it, or they hold its name in a language whose imports are not understood. */
      readonly kind: 'imports' | 'mentions';
      /** At most 200. */
      readonly paths: readonly string[];
      readonly total: number;
      /** The time was up before all files were looked at. */
      readonly isPartial: boolean;
    };

/** What was found out about a file of a change after its card was drawn. */
export interface FileFacts {
  readonly syntax?: SyntaxFact;
  readonly uses?: UseFact;
}

/** What the page knows of a file besides the file of the approval. */
export interface PageFile extends FileFacts {
  readonly hunks: readonly PageHunk[];
  /** Each hunk can be left out by itself. */
  readonly canSelect: boolean;
  readonly warnings: readonly Warning[];
  /** Says in one sentence what a protected file can do; in English, to be translated by the page. */
  readonly danger?: string;
  /** The number by which the page says that the name was on screen, because a warning is about it. */
  readonly part?: number;
  /** The number of rows of the file. The rows come in messages of their own. */
  readonly rows: number;
  /** The number of lines before the change. */
  readonly baseLines: number;
  /** The index of the first file that has the same change; absent for that file and for a file whose change no other has. */
  readonly sameAs?: number;
}

/** What can be shown of an approval. */
export interface PageDrawing {
  /** A drawing with another number has other rows. */
  readonly number: number;
  readonly files: readonly PageFile[];
  /** The number of rows of the arguments of an action; absent for a change of files. */
  readonly argumentRows?: number;
}

/** The approval without the fields that may be long or that the page does not show. */
export type ShownApproval = Omit<Approval, 'arguments' | 'output' | 'roots' | 'displayedAt'>;

/** A rule that approving can be made of. */
export interface RuleOffer {
  /** What the rule covers, in a few words. */
  readonly covers: string;
  /** The index that the page sends back. */
  readonly suggestion: number;
  /** It covers all edits of the workspace folder, and can be made for a session only. */
  readonly isWide?: true;
}

/** A rule that was made with a card. */
export interface KeptRule {
  readonly rule: NewRule;
  /** False when the user removed it again. */
  readonly kept: boolean;
}

/** One request of an assistant, with everything that its card shows besides rows. */
export interface PageApproval {
  readonly approval: ShownApproval;
  /** Absent for a finished approval, and when its texts cannot be read: what cannot be shown cannot be approved. */
  readonly drawing?: PageDrawing;
  /** The last change of the selection was made on this page, so nothing changed under the hands of the user. */
  readonly ownSelection: boolean;
  /** The arguments as the assistant sent them, as JSON of at most 4,000 characters. */
  readonly arguments: { readonly text: string; readonly left: number };
  /** The name of the own tool of the assistant; absent for a tool of Drawbridge. */
  readonly ownTool?: string;
  /** What an action returned, at most 20,000 characters of it. */
  readonly output?: { readonly text: string; readonly left: number };
  /** Hidden characters in the arguments, the definition and the paths of an action, escaped. */
  readonly hiddenInAction: readonly string[];
  /** Rules that can be made with the approval, narrowest first, and the scopes that they can have. */
  readonly rules?: { readonly offers: readonly RuleOffer[]; readonly scopes: readonly RuleScope[] };
  readonly savedRule?: KeptRule;
  /** Names of running tasks that may act on the change at once. */
  readonly watchingTasks: readonly string[];
  /** Sentences of the page itself, such as why an undo did not work. */
  readonly notes: readonly string[];
  /** The approval that took the place of this one is known. */
  readonly hasSuccessor: boolean;
  /** Another page shows the approval and decides it: this one only leads there. */
  readonly isElsewhere: boolean;
  /** The places that warnings are about and that were not on screen yet, the first few by name. Until then nothing is approved. */
  readonly unseen: { readonly named: readonly string[]; readonly total: number };
}

/** A read that waits for the permission of the user. */
export interface PageRead extends Omit<WaitingRead, 'principal' | 'displayedAt'> {
  /** Stands where the hash of a proposal stands: a decision counts only for what the page shows. */
  readonly proposalHash: string;
  /** Those of `paths` that may hold secrets. */
  readonly secret: readonly string[];
}

/** Approvals of one assistant that arrived together and wait, two or more. */
export interface PageGroup {
  readonly id: string;
  /** Oldest first. */
  readonly ids: readonly string[];
  /** Those that may be approved together; the host checks it again. */
  readonly batch: readonly string[];
}

/** The facts that decide which text the page shows while nothing waits. */
export interface ViewStatus {
  readonly running: boolean;
  /** An assistant is connected on this machine, or has been here. */
  readonly connected: boolean;
  /** Names of the assistants that are set up, while none of them has called; absent when there is none. */
  readonly firstSteps?: readonly string[];
  readonly hasFolder: boolean;
  readonly trusted: boolean;
  /** The user trusts the workspace by now, but assistants that met it before only read it until edits are enabled. */
  readonly held: boolean;
  /** The warning that the own edits of assistants are not reviewed; absent while they are. */
  readonly guardOff?: string | undefined;
  /** Names of assistants that prepare a change whose card has not come yet. */
  readonly preparing?: readonly string[];
  /** Other windows of this user in which requests wait. */
  readonly otherWindows: readonly { readonly name: string; readonly waiting: number }[];
}

/** How much assistants may do without asking, and how long. */
export interface ModeStatus {
  readonly mode: Mode;
  /** Absent when it lasts until the user changes it. */
  readonly until?: number | undefined;
}

/** Rows of a file, or of the arguments of an action, from number `from` on. */
export interface RowsMessage {
  readonly type: 'rows';
  readonly id: string;
  readonly drawing: number;
  /** Absent for the arguments of an action. */
  readonly file?: number;
  readonly from: number;
  readonly rows: readonly PageRow[];
}

/** Unchanged lines of a file, which the page asked for. Each row has its line before the change. */
export interface UnchangedRowsMessage {
  readonly type: 'unchangedRows';
  readonly id: string;
  readonly drawing: number;
  readonly file: number;
  readonly rows: readonly PageRow[];
}

/** The colours of rows that the page was sent. They change no text: each row has runs over the text that is drawn. */
export interface ColoursMessage {
  readonly type: 'colours';
  readonly id: string;
  readonly drawing: number;
  readonly file: number;
  /** The number of the first row; absent for unchanged lines. */
  readonly from?: number;
  /** The lines before the change (1-based) of unchanged lines; absent for rows. */
  readonly lines?: readonly number[];
  /**
   * For each row pairs of the end of a run, in UTF-16 units, and its style. The bits 0 to 3 of a style are italic, bold, underlined
   * and struck through; the others are the number of a colour in the palette, 0 for text in no colour of its own.
   */
  readonly runs: readonly (readonly number[])[];
}

/** One colour of the theme of the editor, as `#rrggbb`, on the background of each kind of row. */
export interface Shades {
  readonly plain: string;
  readonly added: string;
  readonly removed: string;
}

/**
 * The colours to which the styles of later messages belong; null for a colour that is not known. No two palettes of a page share a
 * number, so that rows with the colours of an earlier theme are plain until theirs come.
 */
export interface PaletteMessage {
  readonly type: 'palette';
  /** The number of the first colour. */
  readonly first: number;
  readonly colours: readonly (Shades | null)[];
}

/** The rows of a change in which the user’s text was found. */
export interface FoundMessage {
  readonly type: 'found';
  readonly id: string;
  readonly drawing: number;
  readonly text: string;
  /** In the order of the files of the approval; at most 2,000. */
  readonly places: readonly { readonly file: number; readonly row: number }[];
  /** The number of all rows that hold the text. */
  readonly total: number;
}

/** The state of the page. A page that is ready is told everything; then only what changed. */
export interface StateMessage {
  readonly type: 'state';
  readonly status: ViewStatus;
  readonly mode: ModeStatus;
  readonly restrictions: readonly Restriction[];
  /** Ids of the approvals and reads that wait or are applied, oldest first. */
  readonly waiting: readonly string[];
  /** Ids of finished approvals, newest first. */
  readonly finished: readonly string[];
  readonly groups: readonly PageGroup[];
  /** Ids of waiting edits that the mode, which the user set meanwhile, would apply without asking. */
  readonly allowedByMode: readonly string[];
  /** Waiting reads. */
  readonly reads: readonly PageRead[];
  /** Approvals that are new or changed since the last message. */
  readonly approvals: readonly PageApproval[];
  /** The first rows of drawings that are new since the last message. */
  readonly rows: readonly Omit<RowsMessage, 'type'>[];
  /** Ids of approvals and reads that are to be read out, once. */
  readonly announce: readonly string[];
  /** In the answer to `ready`, all that earlier pages left with the host; then of requests whose text changed, because their comments moved. */
  readonly remembered: readonly Remembered[];
}

/** The rule that would be made, exactly as it would be kept. */
export interface RulePreview {
  readonly type: 'rulePreview';
  readonly id: string;
  readonly proposalHash: string;
  readonly suggestion: number;
  readonly scope: RuleScope;
  readonly rule: NewRule;
  /** How many of the last calls the rule would have matched. */
  readonly matched: { readonly calls: number; readonly of: number };
}

/** What a command of the editor asks of the page. */
export type PageAsk = 'next' | 'previous' | 'decline' | 'leaveOutHunk' | 'openDiff' | 'openReview';

/** Host to page. */
export type ToPage =
  | StateMessage
  | RowsMessage
  | UnchangedRowsMessage
  | FoundMessage
  | ColoursMessage
  | PaletteMessage
  | RulePreview
  /** The display that the page called by this number has lasted half a second, unless it ended since. */
  | { readonly type: 'armed'; readonly display: number }
  /** The decision did not count; `why` says why when the user should know. */
  | { readonly type: 'refused'; readonly id: string; readonly why?: Refusal }
  /** Brings up a card, the first one without an id, and puts the keyboard on its headline. */
  | { readonly type: 'focus'; readonly id?: string }
  | { readonly type: 'ask'; readonly ask: PageAsk };

/** Why a decision did not count. */
export type Refusal =
  | 'too_fast'
  | 'not_displayed'
  | 'end_not_reached'
  | 'place_not_seen'
  | 'already_decided'
  | 'changed'
  | 'nothing_selected'
  | 'count_not_confirmed'
  /** Its button approves it, and no key does. The page alone refuses this. */
  | 'needs_button'
  /** It was approved with others, and needs a decision of its own. */
  | 'needs_own_decision'
  /** It was approved with others, and was not reviewed. */
  | 'not_reviewed'
  /** Its rule was kept, and the request needs a decision of its own. */
  | 'rule_kept'
  | { readonly ruleNotSaved: string };
