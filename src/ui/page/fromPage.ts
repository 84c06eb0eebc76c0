/** The messages from the approvals page to the extension host, which validates them. `messages.ts` has those to the page. */
import * as z from 'zod';

export const approvalId = z.string().min(1).max(100);
export const proposalHash = z.string().regex(/^[0-9a-f]{64}$/);
export const reasonCode = z.enum(['wrong_file', 'too_broad', 'do_it_differently', 'stop']);
export const index = z.int().min(0).max(10_000_000);
export const ruleScope = z.enum(['turn', 'session', 'workspace', 'user']);
/** Names a rule that the host suggested for a change. The host makes the rule anew. */
export const suggestion = { id: approvalId, proposalHash, suggestion: index, scope: ruleScope };

/** Commands that a button of the page may run. */
export const pageCommand = z.enum([
  'drawbridge.showSample',
  'drawbridge.copyFirstQuestion',
  'drawbridge.start',
  'drawbridge.enableEdits',
  'drawbridge.guardAgain',
  'drawbridge.setMode',
  'drawbridge.connectAssistant',
  'vscode.openFolder',
  'workbench.trust.manage',
]);

/** A comment on lines of a proposal that goes to the assistant with a decision. */
export const lineComment = z.object({
  /** 0-based, in the files of the approval. */
  file: index,
  /** The text in which the lines are counted. */
  side: z.enum(['before', 'after']),
  /** 1-based, both included. */
  firstLine: index,
  lastLine: index,
  /** At most 2,000 UTF-16 units. */
  comment: z.string().min(1).max(2000),
  /** What the host finds the lines by when the text changes: the path of their file, and their hash. */
  anchor: z.object({ path: z.string().max(4096), code: z.string().max(100) }).exactOptional(),
  /** The lines are not in the text any more. */
  outdated: z.literal(true).exactOptional(),
});

/** At most 50 comments go with one decision. */
const lineComments = z.array(lineComment).max(50);

/** What the user began on a card and did not send: the host keeps it, because no page outlives its view. */
export const remembered = z.object({
  id: approvalId,
  /** A decline or an answer that was not sent yet. */
  draft: z
    .object({
      message: z.string().max(2000),
      reasonCode: reasonCode.exactOptional(),
      /** Index of the answer that was chosen. */
      choice: index.exactOptional(),
      /** The field for words is open. */
      isOpen: z.boolean(),
    })
    .exactOptional(),
  /** Indexes of the files that the user ticked as viewed. */
  viewed: z.array(index).max(10_000),
  /** Indexes of the files that are open, when that is not what the page opens by itself. */
  open: z.array(index).max(10_000).exactOptional(),
  comments: lineComments,
  /** The rows of a large change that were on screen, in one drawing of it. */
  seen: z
    .object({
      drawing: index,
      ranges: z.array(z.object({ file: index, first: index, last: index })).max(2000),
    })
    .exactOptional(),
});

/** Approvals that are decided together, each with the hash that its card shows. */
const namedApprovals = z
  .array(z.object({ id: approvalId, proposalHash }))
  .min(1)
  .max(100);

const cssColour = z.string().max(100);

/** The theme of the editor, as the page sees it. */
export const pageTheme = z.object({
  /** The id of the theme, or its label. */
  id: z.string().max(300),
  kind: z.enum(['light', 'dark', 'highContrast', 'highContrastLight']),
  /** The backgrounds of changed lines and words, as CSS colours; empty for none. Those of words lie over those of their lines. */
  backgrounds: z.object({
    editor: cssColour,
    addedLine: cssColour,
    addedWord: cssColour,
    removedLine: cssColour,
    removedWord: cssColour,
  }),
});

/** The page gets `secret` when it is rendered; the host ignores messages without it. */
export const fromPage = z.intersection(
  z.object({ secret: z.string().max(100) }),
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('ready') }),
    /** The theme, before `ready` and whenever it changes. */
    z.object({ type: z.literal('theme'), theme: pageTheme }),
    /** The card appeared or moved on screen. `display` tells this time from every other on this page; see `armed`. */
    z.object({ type: z.literal('displayed'), id: approvalId, display: index }),
    /** The button that approves all of a group appeared or moved on screen. */
    z.object({ type: z.literal('approveAllDisplayed'), groupId: approvalId, display: index }),
    /** The last line of every file of the change has been on screen. */
    z.object({ type: z.literal('endReached'), id: approvalId, drawing: index }),
    /** Half of a part that a warning is about was visible for 300 ms, in a page with the focus. */
    z.object({ type: z.literal('partSeen'), id: approvalId, part: index }),
    z.object({
      type: z.literal('approve'),
      id: approvalId,
      proposalHash,
      /** The number that the user typed, when the card asks for one. */
      confirmedCount: index.exactOptional(),
      /** Drawbridge changes the text in the editor and saves it, instead of the assistant. */
      inEditor: z.literal(true).exactOptional(),
      /** The user approves a very large change without reading everything, by a button with these words. */
      withoutReading: z.literal(true).exactOptional(),
      comments: lineComments.exactOptional(),
    }),
    /** The user wants to see a rule before it is made. */
    z.object({ type: z.literal('previewRule'), ...suggestion }),
    /** Makes the rule that was shown, and approves. */
    z.object({ type: z.literal('approveWithRule'), ...suggestion }),
    /** Shows the rule that was made with this card, or the rule that decided about it, in the Rules view. */
    z.object({ type: z.literal('showRule'), id: approvalId, which: z.enum(['saved', 'decided']) }),
    /** Removes the rule that was made with this card. */
    z.object({ type: z.literal('removeRule'), id: approvalId }),
    /** Restores the removed rule. */
    z.object({ type: z.literal('restoreRule'), id: approvalId }),
    /** Sets the mode to Manual. */
    z.object({ type: z.literal('manualMode') }),
    z.object({
      type: z.literal('decline'),
      id: approvalId,
      proposalHash,
      message: z.string().max(2000).exactOptional(),
      reasonCode: reasonCode.exactOptional(),
      /** The assistant may change nothing more until the user resumes it. */
      pause: z.literal(true).exactOptional(),
      comments: lineComments.exactOptional(),
    }),
    /** The group's header has been on screen; its cards may not have been. */
    /** The user opened the group, so that its cards are shown. */
    z.object({ type: z.literal('groupOpened'), groupId: approvalId }),
    /** Approves these of a group together, each with the hash that its card shows. */
    z.object({
      type: z.literal('approveAll'),
      groupId: approvalId,
      approvals: namedApprovals,
    }),
    /** Declines these of a group together. */
    z.object({
      type: z.literal('declineAll'),
      groupId: approvalId,
      approvals: namedApprovals,
    }),
    /** Applies waiting edits that the present mode allows, each with the hash that its card shows. */
    z.object({ type: z.literal('applyByMode'), approvals: namedApprovals }),
    /** Shows the approval in the review tab. */
    z.object({ type: z.literal('openReview'), id: approvalId }),
    /** Takes finished approvals off the page; without an id, all of them. History keeps them. */
    z.object({ type: z.literal('clearFinished'), id: approvalId.exactOptional() }),
    z.object({ type: z.literal('remember'), ...remembered.shape }),
    /** Ends a restriction. */
    z.object({ type: z.literal('lift'), restrictionId: approvalId }),
    z.object({ type: z.literal('undo'), id: approvalId, proposalHash }),
    /** Makes an undone change again. */
    z.object({ type: z.literal('redo'), id: approvalId, proposalHash }),
    /** Proposes an outdated change again. */
    z.object({ type: z.literal('rebase'), id: approvalId, proposalHash }),
    /** Takes a hunk out or back in. Its index counts in the drawing that the card shows. */
    z.object({
      type: z.literal('selectHunk'),
      id: approvalId,
      drawing: index,
      file: index,
      hunk: index,
      included: z.boolean(),
    }),
    /** Takes a file out or back in. */
    z.object({ type: z.literal('selectFile'), id: approvalId, file: index, included: z.boolean() }),
    /** Forgets what the user left out of a file and typed into it. */
    z.object({ type: z.literal('resetFile'), id: approvalId, file: index }),
    z.object({ type: z.literal('openDiff'), id: approvalId, file: index.exactOptional() }),
    /** Asks for further rows of a file; without `file`, of an action's arguments. */
    z.object({ type: z.literal('moreRows'), id: approvalId, file: index.exactOptional(), from: index }),
    /** Copies the sentence that tells the assistant of a decision. */
    z.object({ type: z.literal('copyMessage'), id: approvalId }),
    /** Asks in which rows of a change a text stands, in upper or lower case. */
    z.object({ type: z.literal('find'), id: approvalId, drawing: index, text: z.string().min(1).max(200) }),
    /** Opens the whole change as a text that can be searched and copied. */
    z.object({ type: z.literal('openText'), id: approvalId }),
    /** Asks for unchanged lines of a file, which are not among its rows; at most 200 at a time. */
    z.object({
      type: z.literal('unchangedRows'),
      id: approvalId,
      drawing: index,
      file: index,
      /** 1-based, in the text before the change. */
      line: index.min(1),
      count: z.int().min(1).max(200),
    }),
    /** The answer to a question holds one of its choices, or text that the user typed. */
    z.object({
      type: z.literal('answer'),
      id: approvalId,
      proposalHash,
      answer: z.union([z.strictObject({ choice: index }), z.strictObject({ text: z.string().min(1).max(2000) })]),
    }),
    z.object({ type: z.literal('command'), command: pageCommand }),
    /** The page got the keyboard. */
    z.object({ type: z.literal('focused') }),
    /** Moves the focus back to the editor. */
    z.object({ type: z.literal('leave') }),
  ]),
);

export type FromPage = z.infer<typeof fromPage>;
/** A message before the page adds its secret. */
export type PageMessage = FromPage extends infer Message
  ? Message extends unknown
    ? Omit<Message, 'secret'>
    : never
  : never;
export type PageTheme = z.infer<typeof pageTheme>;
export type Remembered = z.infer<typeof remembered>;
export type LineComment = z.infer<typeof lineComment>;
export type RuleScope = z.infer<typeof ruleScope>;
export type PageCommand = z.infer<typeof pageCommand>;
export type Answer = Extract<FromPage, { type: 'answer' }>['answer'];
export type DeclineReason = z.infer<typeof reasonCode>;
