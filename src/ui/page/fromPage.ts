/** The messages from the approvals page to the extension host, which validates them. `messages.ts` has those to the page. */
import * as z from 'zod';

export const approvalId = z.string().min(1).max(100);
export const proposalHash = z.string().regex(/^[0-9a-f]{64}$/);
export const reasonCode = z.enum(['wrong_file', 'too_broad', 'do_it_differently', 'stop']);
export const index = z.int().min(0).max(10_000_000);
export const ruleScope = z.enum(['turn', 'session', 'workspace', 'user']);
/** A rule that the host suggests for a change: never the rule itself, which the host makes anew. */
export const suggestion = { id: approvalId, proposalHash, suggestion: index, scope: ruleScope };

/** Commands that a button of the page may run. */
export const pageCommand = z.enum([
  'drawbridge.start',
  'drawbridge.enableEdits',
  'drawbridge.guardAgain',
  'drawbridge.connectAssistant',
  'vscode.openFolder',
  'workbench.trust.manage',
]);

/** Page to host. `secret` is given to the page when it is rendered; nothing without it is heard. */
export const fromPage = z.intersection(
  z.object({ secret: z.string().max(100) }),
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('ready') }),
    /** The card is on screen, or moved there. `display` tells this from every other time on this page; see `armed`. */
    z.object({ type: z.literal('displayed'), id: approvalId, display: index }),
    /** The same of the button that approves all of a group. */
    z.object({ type: z.literal('approveAllDisplayed'), groupId: approvalId, display: index }),
    /** The last line of every file of the change has been on screen. */
    z.object({ type: z.literal('endReached'), id: approvalId, drawing: index }),
    z.object({
      type: z.literal('approve'),
      id: approvalId,
      proposalHash,
      /** The number that the user typed, when the card asks for one. */
      confirmedCount: index.exactOptional(),
      /** Drawbridge changes the text in the editor and saves it, instead of the assistant. */
      inEditor: z.literal(true).exactOptional(),
    }),
    /** The user wants to see a rule before it is made. */
    z.object({ type: z.literal('previewRule'), ...suggestion }),
    /** Makes the rule that was shown, and approves. */
    z.object({ type: z.literal('approveWithRule'), ...suggestion }),
    /** Shows the rule that was made with this card, or the one that decided about it, where rules are kept. */
    z.object({ type: z.literal('showRule'), id: approvalId, which: z.enum(['saved', 'decided']) }),
    /** Takes the rule back that was made with this card. */
    z.object({ type: z.literal('removeRule'), id: approvalId }),
    /** Puts that rule back. */
    z.object({ type: z.literal('restoreRule'), id: approvalId }),
    /** Every change is asked for again. */
    z.object({ type: z.literal('manualMode') }),
    z.object({
      type: z.literal('decline'),
      id: approvalId,
      proposalHash,
      message: z.string().max(2000).exactOptional(),
      reasonCode: reasonCode.exactOptional(),
      /** The assistant may change nothing more until the user resumes it. */
      pause: z.literal(true).exactOptional(),
    }),
    /** The group's header has been on screen, its cards maybe not. */
    z.object({ type: z.literal('groupDisplayed'), groupId: approvalId }),
    /** The cards of the group are shown from now on. */
    z.object({ type: z.literal('groupOpened'), groupId: approvalId }),
    /** Those of a group that are approved together, each with what its card shows. */
    z.object({
      type: z.literal('approveAll'),
      groupId: approvalId,
      approvals: z
        .array(z.object({ id: approvalId, proposalHash }))
        .min(1)
        .max(100),
    }),
    /** Ends a restriction. */
    z.object({ type: z.literal('lift'), restrictionId: approvalId }),
    z.object({ type: z.literal('undo'), id: approvalId, proposalHash }),
    /** Makes an undone change again. */
    z.object({ type: z.literal('redo'), id: approvalId, proposalHash }),
    /** Proposes an outdated change again. */
    z.object({ type: z.literal('rebase'), id: approvalId, proposalHash }),
    /** Takes one hunk out or back in; its index counts in the drawing that the card shows. */
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
    /** Without a file, of an action's arguments. */
    z.object({ type: z.literal('moreRows'), id: approvalId, file: index.exactOptional(), from: index }),
    /** The answer to a question holds one of its choices, or text that the user typed. */
    z.object({
      type: z.literal('answer'),
      id: approvalId,
      proposalHash,
      answer: z.union([z.strictObject({ choice: index }), z.strictObject({ text: z.string().min(1).max(2000) })]),
    }),
    z.object({ type: z.literal('command'), command: pageCommand }),
    /** Back to the editor. */
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
export type PageCommand = z.infer<typeof pageCommand>;
export type Answer = Extract<FromPage, { type: 'answer' }>['answer'];
export type DeclineReason = z.infer<typeof reasonCode>;
