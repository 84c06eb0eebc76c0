import * as z from 'zod';
import { approvalId, index, pageCommand, proposalHash, reasonCode, ruleScope, suggestion } from './fromPage.ts';

/**
 * The messages from the extension host to the approvals page, which only takes the types. Every word that a user reads comes from
 * the host. Times are milliseconds since the epoch, because the host may live in another time zone.
 */

const part = z.object({ text: z.string(), escaped: z.literal(true).exactOptional() });

const chip = z.object({
  text: z.string(),
  tone: z.enum(['plain', 'warning', 'danger']),
  icon: z.enum(['edit', 'shield', 'trash', 'play', 'question']).exactOptional(),
  title: z.string().exactOptional(),
});

const row = z.object({
  kind: z.enum(['hunk', 'context', 'added', 'removed', 'note', 'text']),
  /** For a screen reader, before the text: "line 12 added:". Empty for the rest of a long line, and for headers. */
  label: z.string(),
  parts: z.array(part),
  /** Of a header: all rows up to the next one belong to it. */
  hunk: z
    .object({
      index,
      /** Accessible name of the check box; absent when the hunk cannot be left out. */
      selectLabel: z.string().exactOptional(),
      chips: z.array(chip),
    })
    .exactOptional(),
});

const counts = z.object({ added: z.string(), removed: z.string(), label: z.string() });

const button = z.object({
  text: z.string(),
  /** Accessible name. */
  label: z.string(),
});

/** The part of a file on the card that changes with the user's selection. */
const fileSelection = z.object({
  counts,
  /** State of the file's check box; absent when it cannot be left out. */
  included: z.enum(['all', 'some', 'none']).exactOptional(),
  /** Indexes of the hunks that are left out. */
  excluded: z.array(index),
});

const file = z.object({
  ...fileSelection.shape,
  name: z.array(part),
  folder: z.array(part),
  /** Where a move leads, in full. */
  to: z.array(part).exactOptional(),
  /** Full path, and where it really leads. */
  title: z.string(),
  chips: z.array(chip),
  /** Accessible name of the check box. */
  includeLabel: z.string(),
  /** Accessible name of the file's name as a button; absent when there are no texts to compare. */
  openLabel: z.string().exactOptional(),
  /** What there is to know about a file besides its lines. */
  facts: z.array(z.string()),
  /** Takes back what the user typed. */
  reset: button.exactOptional(),
  /** Accessible name of the changed lines; absent when there are none to show. */
  changesLabel: z.string().exactOptional(),
  rows: z.array(row),
  /** Text of the button for the next rows; absent when these are all. */
  more: z.string().exactOptional(),
});

/** What is done when it is no change of files. */
const action = z.object({
  /** What the rules know it by. */
  definition: z.object({ label: z.string(), parts: z.array(part) }),
  /** The commands of a command line, with their classes. */
  commands: z.object({ label: z.string(), items: z.array(z.array(part)) }).exactOptional(),
  /** What it is done to. */
  paths: z.object({ label: z.string(), items: z.array(z.array(part)) }).exactOptional(),
  arguments: z.object({
    label: z.string(),
    /** Stands where there are none, maybe empty. */
    none: z.string().exactOptional(),
    rows: z.array(row),
    /** Text of the button for the next rows; absent when these are all. */
    more: z.string().exactOptional(),
  }),
});

const question = z.object({
  /** Stands before the assistant's words. */
  label: z.string(),
  parts: z.array(part),
  /** Accessible name of the choices. */
  choicesLabel: z.string(),
  choices: z.array(z.array(part)),
  /** The label of the text field; absent when the user can only choose. */
  fieldLabel: z.string().exactOptional(),
  /** An answer was sent without one. */
  missing: z.string(),
  /** What an answer does not do. */
  hint: z.string(),
});

/** What an action returned. */
const output = z.object({ text: z.string(), label: z.string(), chip: chip.exactOptional(), parts: z.array(part) });

const decline = z.object({
  ...button.shape,
  fieldLabel: z.string(),
  /** Quick reasons, of which one can be chosen. */
  reasonsLabel: z.string(),
  reasons: z.array(z.object({ code: reasonCode, text: z.string() })),
  send: button,
  /** Declines and pauses the assistant. */
  pause: button,
  /** The field is there from the start, and declining is what the card suggests. */
  suggested: z.boolean(),
});

/** A rule in a sentence, with what can be done about it. */
const drawnRule = z.object({
  text: z.string(),
  show: button.exactOptional(),
  remove: button.exactOptional(),
  restore: button.exactOptional(),
});

/** Something to open for who wants to know more. */
const disclosure = z.object({
  text: z.string(),
  /** The rule that decided. */
  rule: drawnRule.exactOptional(),
  /** The way to a decision, in order. */
  steps: z.object({ label: z.string(), items: z.array(z.string()) }).exactOptional(),
  details: z.array(
    z.object({
      term: z.string(),
      value: z.union([
        z.string(),
        z.object({ time: z.number() }),
        /** The beginning of the hash of what would be applied, as it is now. */
        z.object({ proposalHash: z.literal(true) }),
      ]),
    }),
  ),
});

/** What approving can be made a rule of, narrowest first. */
const ruleMenu = z.object({
  /** Accessible name of the button that opens it, and of the menu. */
  label: z.string(),
  groups: z.array(
    z.object({
      label: z.string(),
      items: z.array(z.object({ text: z.string(), suggestion: index, scope: ruleScope })),
    }),
  ),
});

/** The part of a card that changes with the user's selection. */
const cardSelection = z.object({
  proposalHash,
  counts,
  /** Says what it will do. */
  approve: button.exactOptional(),
  /** Applies an assistant's own edit to the unsaved text in the editor. */
  approveInEditor: button.exactOptional(),
  /** Only where a rule may be made of the answer. */
  rules: ruleMenu.exactOptional(),
  /** Everything was left out, so that Approve does nothing, and this says so. */
  emptyHint: z.string().exactOptional(),
});

const card = z.object({
  ...cardSelection.shape,
  id: approvalId,
  /** Number of what is drawn: another one has other rows. */
  drawing: index,
  phase: z.enum(['waiting', 'applying', 'finished']),
  tone: z.enum(['edit', 'danger', 'done']),
  headline: z.string(),
  /** Full paths, where the headline is short. */
  headlineTitle: z.string().exactOptional(),
  risk: chip.exactOptional(),
  chips: z.array(chip),
  who: z.object({
    client: z.string(),
    /** Says that the name is the client's own claim. */
    claim: z.string(),
    time: z.number(),
    rest: z.array(z.string()),
  }),
  files: z.array(file),
  action: action.exactOptional(),
  question: question.exactOptional(),
  warnings: z.array(z.string()),
  reason: z.object({ label: z.string(), parts: z.array(part) }).exactOptional(),
  why: disclosure.exactOptional(),
  /** What the applied change did to the problems of its files. */
  problems: disclosure.exactOptional(),
  output: output.exactOptional(),
  /** What became of it, and what else there is to know. */
  notes: z.array(z.string()),
  openDiff: button.exactOptional(),
  decline: decline.exactOptional(),
  /** Declines, with no words to go with it. */
  refuse: button.exactOptional(),
  /** Approve does nothing before this number was typed. */
  confirm: z.object({ count: index, label: z.string(), mismatch: z.string() }).exactOptional(),
  /** The rule that was made with this card. */
  savedRule: drawnRule.exactOptional(),
  undo: button.exactOptional(),
  redo: button.exactOptional(),
  rebase: button.exactOptional(),
  /** Brings up the card that took the place of this one. */
  successor: z.object({ ...button.shape, id: approvalId }).exactOptional(),
  /** Until the end of the change was on screen Approve does nothing, and this says so. */
  endHint: z.string().exactOptional(),
});

/** Words of the view itself and what can be done about them. */
const notice = z.object({
  text: z.string(),
  buttons: z.array(z.object({ text: z.string(), command: pageCommand })),
});

/** Cards of one assistant that arrived together. The page knows how many of them it shows together: `{0}` in the texts. */
const group = z.object({
  id: approvalId,
  /** Oldest first, at least two. */
  ids: z.array(approvalId),
  headline: z.string(),
  /** Those that may be approved together; the host checks it again. */
  batch: z.array(approvalId),
  approveAll: button,
  /** Only `{0}` of the `{1}` can be approved together. */
  some: z.string(),
  /** No two can be approved together. */
  none: z.string(),
});

/** Something that assistants may not do now, and the button that ends it. */
const restriction = z.object({
  id: approvalId,
  text: z.array(z.union([z.string(), z.object({ time: z.number() })])),
  lift: button,
});

/** How much assistants may do without asking, when that is not what it usually is. */
const mode = z.object({
  text: z.array(z.union([z.string(), z.object({ time: z.number() })])),
  tone: z.enum(['plain', 'warning']),
  back: button,
});

const strings = z.object({
  waiting: z.string(),
  recent: z.string(),
  /** A decision came before its button works. */
  early: z.string(),
  /** Of a hunk that will not be applied. */
  leftOut: z.string(),
  /** A group cannot be approved before every change in it was on screen. */
  unseen: z.string(),
  /** How many waiting cards are out of view, with `{0}` for the number. */
  above: z.string(),
  below: z.string(),
  /** The chord that approves, on macOS and elsewhere. */
  approveChord: z.object({ mac: z.string(), other: z.string() }),
});

/** Host to page. */
export const toPage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('state'),
    /** Only in the answer to `ready`. */
    strings: strings.exactOptional(),
    /** What to say when nothing waits. */
    welcome: notice,
    /** Stands above everything, whatever waits. */
    notice: notice.exactOptional(),
    restrictions: z.array(restriction),
    mode: mode.exactOptional(),
    /** Ids, oldest first. */
    waiting: z.array(approvalId),
    /** Ids of finished ones, newest first. */
    recent: z.array(approvalId),
    groups: z.array(group),
    /** Those that are new or changed since the last message. */
    cards: z.array(card),
    /** To be read out, once. */
    announce: z.object({ text: z.string(), assertive: z.boolean() }).exactOptional(),
  }),
  z.object({
    type: z.literal('rows'),
    id: approvalId,
    drawing: index,
    /** Absent of an action's arguments. */
    file: index.exactOptional(),
    from: index,
    rows: z.array(row),
    more: z.string().exactOptional(),
  }),
  /** Another selection of what the card shows anyway. */
  z.object({
    ...cardSelection.shape,
    type: z.literal('selection'),
    id: approvalId,
    /** It was made in this card: nothing changed under the user's hands. */
    own: z.boolean(),
    files: z.array(fileSelection),
  }),
  /** The rule that would be made, exactly as it would be kept. */
  z.object({
    type: z.literal('rulePreview'),
    ...suggestion,
    /** Accessible name of what asks for it. */
    label: z.string(),
    sentence: z.string(),
    /** For how long, and where it counts. */
    reach: z.string(),
    /** How many of the last calls it would have matched. */
    matches: z.string(),
    json: z.object({ text: z.string(), value: z.string() }),
    save: button,
    cancel: button,
  }),
  /** What was displayed then has been there long enough: its buttons work, unless it moved since. */
  z.object({ type: z.literal('armed'), display: index }),
  /** The decision did not count; `text` says why when the user should know. */
  z.object({ type: z.literal('refused'), id: approvalId, text: z.string().exactOptional() }),
  /** Bring up a card and put the keyboard on its headline. */
  z.object({ type: z.literal('focus'), id: approvalId.exactOptional() }),
]);

export type ToPage = z.infer<typeof toPage>;
export type StateMessage = Extract<ToPage, { type: 'state' }>;
export type RowsMessage = Extract<ToPage, { type: 'rows' }>;
export type RulePreview = Extract<ToPage, { type: 'rulePreview' }>;
export type SelectionMessage = Extract<ToPage, { type: 'selection' }>;
export type Card = z.infer<typeof card>;
export type CardSelection = z.infer<typeof cardSelection>;
export type CardFile = z.infer<typeof file>;
export type CardAction = z.infer<typeof action>;
export type CardQuestion = z.infer<typeof question>;
export type CardOutput = z.infer<typeof output>;
export type FileSelection = z.infer<typeof fileSelection>;
export type Disclosure = z.infer<typeof disclosure>;
export type Row = z.infer<typeof row>;
export type Part = z.infer<typeof part>;
export type Chip = z.infer<typeof chip>;
export type Counts = z.infer<typeof counts>;
export type Button = z.infer<typeof button>;
export type Decline = z.infer<typeof decline>;
export type Group = z.infer<typeof group>;
export type RuleMenu = z.infer<typeof ruleMenu>;
export type DrawnRule = z.infer<typeof drawnRule>;
export type CountConfirmation = NonNullable<Card['confirm']>;
export type ModeBanner = z.infer<typeof mode>;
export type Restriction = z.infer<typeof restriction>;
export type Notice = z.infer<typeof notice>;
export type Strings = z.infer<typeof strings>;
