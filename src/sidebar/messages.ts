import * as z from 'zod';

/**
 * What the approvals page and the extension host say to each other. The host validates what comes in; the page only takes
 * the types. Every word that a human reads comes from the host; of times it gets milliseconds since the epoch, because the
 * host may live in another time zone.
 */

const approvalId = z.string().min(1).max(100);
const proposalHash = z.string().regex(/^[0-9a-f]{64}$/);
const index = z.int().min(0).max(10_000_000);

/** Commands that a button of the page may run. */
export const pageCommand = z.enum([
  'drawbridge.start',
  'drawbridge.enableEdits',
  'vscode.openFolder',
  'workbench.trust.manage',
]);

/** Page to host. `secret` is given to the page when it is rendered; nothing without it is heard. */
export const fromPage = z.intersection(
  z.object({ secret: z.string().max(100) }),
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('ready') }),
    /** The card is on screen, or moved there: it is armed from now on. */
    z.object({ type: z.literal('displayed'), id: approvalId }),
    /** The last line of every file of the change has been on screen. */
    z.object({ type: z.literal('endReached'), id: approvalId }),
    z.object({ type: z.literal('approve'), id: approvalId, proposalHash }),
    z.object({
      type: z.literal('decline'),
      id: approvalId,
      proposalHash,
      message: z.string().max(2000).exactOptional(),
    }),
    z.object({ type: z.literal('undo'), id: approvalId, proposalHash }),
    z.object({ type: z.literal('openDiff'), id: approvalId, file: index.exactOptional() }),
    z.object({ type: z.literal('moreRows'), id: approvalId, file: index, from: index }),
    z.object({ type: z.literal('command'), command: pageCommand }),
    /** Back to the editor. */
    z.object({ type: z.literal('leave') }),
  ]),
);

const part = z.object({ text: z.string(), escaped: z.literal(true).exactOptional() });

const row = z.object({
  kind: z.enum(['hunk', 'context', 'added', 'removed', 'note']),
  /** For a screen reader, before the text: "line 12 added:". Empty for the rest of a long line, and for headers. */
  label: z.string(),
  parts: z.array(part),
});

const chip = z.object({
  text: z.string(),
  tone: z.enum(['plain', 'warning', 'danger']),
  icon: z.enum(['edit', 'shield']).exactOptional(),
  title: z.string().exactOptional(),
});

const counts = z.object({ added: z.string(), removed: z.string(), label: z.string() });

const file = z.object({
  name: z.array(part),
  folder: z.array(part),
  /** Full path, and where it really leads. */
  title: z.string(),
  chips: z.array(chip),
  counts,
  openLabel: z.string(),
  /** Accessible name of the changed lines. */
  changesLabel: z.string(),
  rows: z.array(row),
  /** Text of the button for the next rows; absent when these are all. */
  more: z.string().exactOptional(),
});

const button = z.object({
  text: z.string(),
  /** Accessible name. */
  label: z.string(),
});

const decline = z.object({
  ...button.shape,
  fieldLabel: z.string(),
  send: button,
  /** The field is there from the start, and declining is what the card suggests. */
  suggested: z.boolean(),
});

const card = z.object({
  id: approvalId,
  proposalHash,
  phase: z.enum(['waiting', 'applying', 'finished']),
  tone: z.enum(['edit', 'danger', 'done']),
  headline: z.string(),
  /** Full paths, where the headline is short. */
  headlineTitle: z.string().exactOptional(),
  risk: chip.exactOptional(),
  counts,
  who: z.object({
    client: z.string(),
    /** Says that the name is the client's own claim. */
    claim: z.string(),
    time: z.number(),
    rest: z.array(z.string()),
  }),
  files: z.array(file),
  warnings: z.array(z.string()),
  reason: z.object({ label: z.string(), parts: z.array(part) }).exactOptional(),
  why: z
    .object({
      text: z.string(),
      details: z.array(z.object({ term: z.string(), value: z.union([z.string(), z.object({ time: z.number() })]) })),
    })
    .exactOptional(),
  /** What became of it, and what else there is to know. */
  notes: z.array(z.string()),
  approve: button.exactOptional(),
  openDiff: button.exactOptional(),
  decline: decline.exactOptional(),
  undo: button.exactOptional(),
  /** Until the end of the change was on screen Approve does nothing, and this says so. */
  endHint: z.string().exactOptional(),
});

/** Words of the view itself and what can be done about them. */
const notice = z.object({
  text: z.string(),
  buttons: z.array(z.object({ text: z.string(), command: pageCommand })),
});

const strings = z.object({
  waiting: z.string(),
  recent: z.string(),
  /** A decision came before its button works. */
  early: z.string(),
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
    /** Ids, oldest first. */
    waiting: z.array(approvalId),
    /** Ids of finished ones, newest first. */
    recent: z.array(approvalId),
    /** Those that are new or changed since the last message. */
    cards: z.array(card),
    /** To be read out, once. */
    announce: z.object({ text: z.string(), assertive: z.boolean() }).exactOptional(),
  }),
  z.object({
    type: z.literal('rows'),
    id: approvalId,
    proposalHash,
    file: index,
    from: index,
    rows: z.array(row),
    more: z.string().exactOptional(),
  }),
  /** The decision did not count; `text` says why when the human should know. */
  z.object({ type: z.literal('refused'), id: approvalId, text: z.string().exactOptional() }),
  /** Bring up a card and put the keyboard on its headline. */
  z.object({ type: z.literal('focus'), id: approvalId.exactOptional() }),
]);

export type FromPage = z.infer<typeof fromPage>;
/** A message before the page adds its secret. */
export type PageMessage = FromPage extends infer Message
  ? Message extends unknown
    ? Omit<Message, 'secret'>
    : never
  : never;
export type PageCommand = z.infer<typeof pageCommand>;
export type ToPage = z.infer<typeof toPage>;
export type StateMessage = Extract<ToPage, { type: 'state' }>;
export type RowsMessage = Extract<ToPage, { type: 'rows' }>;
export type Card = z.infer<typeof card>;
export type CardFile = z.infer<typeof file>;
export type Row = z.infer<typeof row>;
export type Part = z.infer<typeof part>;
export type Chip = z.infer<typeof chip>;
export type Counts = z.infer<typeof counts>;
export type Button = z.infer<typeof button>;
export type Decline = z.infer<typeof decline>;
export type Notice = z.infer<typeof notice>;
export type Strings = z.infer<typeof strings>;
