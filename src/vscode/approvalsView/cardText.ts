import type { Approval, ApprovalFile } from '../../approvals/approval.ts';
import { hiddenCharacters, plain, visibleText } from '../../approvals/visibleText.ts';
import type { Warning } from '../../approvals/warnings.ts';
import type { Button, Card, CardFile, Chip, Counts, Decline } from '../../sidebar/messages.ts';
import { chunkOf, lineEndEscape, type Segment } from './cardRows.ts';
import { finishedHeadline, finishedNotes, finishedPhrase } from './finishedText.ts';

/** `vscode.l10n.t`: returns the text in the editor's language, `{0}` and so on replaced. */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** What the card shows of a file besides what the approval says. */
export interface FileChanges {
  readonly segments: readonly Segment[];
  readonly warnings: readonly Warning[];
}

export interface CardContext {
  readonly t: Translate;
  /** What the window's title calls the workspace. */
  readonly windowName: string | undefined;
  /** Sentences of the view itself, such as why an undo did not work. */
  readonly notes: readonly string[];
}

/** Characters of raw arguments in the details of a card. */
const shownArguments = 4000;
const reasonLength = 300;
const nameLength = 60;
/** Rows of a card that are sent with it; the page asks for the rest. */
const firstRows = 300;

/** The card of a waiting approval. Without `changes` the texts cannot be shown, and what is not shown cannot be approved. */
export function waitingCard(
  approval: Approval,
  changes: readonly FileChanges[] | undefined,
  context: CardContext,
): Card {
  const { t } = context;
  const isProtected = approval.files.some((file) => file.protectedBy !== undefined);
  const isWaiting = approval.state === 'waiting';
  const target = targetOf(approval.files, t);
  return {
    ...sharedParts(approval, context),
    phase: isWaiting ? 'waiting' : 'applying',
    tone: isProtected ? 'danger' : 'edit',
    headline: waitingHeadline(approval.files, t),
    risk: isProtected
      ? { text: t('Protected'), tone: 'danger', icon: 'shield' }
      : { text: t('Edit'), tone: 'plain', icon: 'edit' },
    files: changes ? cardFiles(approval.files, changes, t) : [],
    warnings: warningTexts(approval, changes ?? [], t),
    ...(approval.reason ? { reason: { label: t('The assistant says:'), parts: quoted(approval.reason) } } : {}),
    why: { text: whyText(approval, t), details: detailsOf(approval, t) },
    notes: waitingNotes(approval, changes !== undefined, context),
    ...(isWaiting && changes
      ? { approve: approveButton(isProtected, target, t), openDiff: diffButton(target, t) }
      : {}),
    ...(isWaiting ? { decline: declineControl(isProtected, target, t) } : {}),
    ...(approval.mustReachEnd ? { endHint: t('Scroll to the end of the change to approve it.') } : {}),
  };
}

/** The short card of an approval that is over. */
export function finishedCard(approval: Approval, context: CardContext): Card {
  const { t } = context;
  const target = targetOf(approval.files, t);
  const shared = sharedParts(approval, context);
  return {
    ...shared,
    phase: 'finished',
    tone: 'done',
    headline: finishedHeadline(approval, t),
    headlineTitle: target,
    who: { ...shared.who, time: approval.decidedAt ?? approval.requestedAt, rest: [finishedPhrase(approval.state, t)] },
    files: [],
    warnings: [],
    notes: [...finishedNotes(approval, t), ...context.notes],
    openDiff: { text: t('Show diff'), label: t('Show diff of {0}', target) },
    ...(approval.canUndo ? { undo: { text: t('Undo'), label: t('Undo edit of {0}', target) } } : {}),
  };
}

/** What a change touches, in words: one path, or how many files and the first of them. */
export function targetOf(files: readonly ApprovalFile[], t: Translate): string {
  const [first, ...others] = files.map((file) => plain(file.path));
  if (first === undefined || others.length === 0) return first ?? '';
  const named = [first, ...others.slice(0, 2)].join(', ');
  const rest = others.length - 2;
  return rest > 0
    ? t('{0} files: {1} and {2} more', files.length, named, rest)
    : t('{0} files: {1}', files.length, named);
}

function sharedParts(
  approval: Approval,
  { t, windowName }: CardContext,
): Pick<Card, 'id' | 'proposalHash' | 'counts' | 'who'> {
  const { name, version } = approval.client ?? { name: t('Unknown client'), version: '' };
  const added = approval.files.reduce((sum, file) => sum + file.addedLines, 0);
  const removed = approval.files.reduce((sum, file) => sum + file.removedLines, 0);
  return {
    id: approval.id,
    proposalHash: approval.proposalHash,
    counts: countsOf(added, removed, t),
    who: {
      client: shortened(plain(name), nameLength),
      claim: t(
        '{0}: what the client calls itself, not verified',
        shortened(plain(`${name} ${version}`), nameLength * 2),
      ),
      time: approval.requestedAt,
      rest: windowName === undefined ? [] : [t('window “{0}”', shortened(plain(windowName), nameLength))],
    },
  };
}

function waitingHeadline(files: readonly ApprovalFile[], t: Translate): string {
  const count = files.length;
  const guarded = files.filter((file) => file.protectedBy !== undefined).length;
  if (guarded === 0) return count === 1 ? t('Edit 1 file') : t('Edit {0} files', count);
  if (guarded < count) return t('Edit {0} files, {1} protected', count, guarded);
  return count === 1 ? t('Edit 1 protected file') : t('Edit {0} protected files', count);
}

function countsOf(added: number, removed: number, t: Translate): Counts {
  return {
    added: added > 0 ? `+${added}` : '',
    removed: removed > 0 ? `−${removed}` : '',
    label: t('{0}, {1} removed', added === 1 ? t('1 line added') : t('{0} lines added', added), removed),
  };
}

function cardFiles(files: readonly ApprovalFile[], changes: readonly FileChanges[], t: Translate): CardFile[] {
  let left = firstRows;
  return files.map((file, index) => {
    const slash = file.path.lastIndexOf('/');
    const chunk = chunkOf(changes[index]?.segments ?? [], 0, t, left);
    left -= chunk.rows.length;
    return {
      name: visibleText(file.path.slice(slash + 1)),
      folder: visibleText(file.path.slice(0, Math.max(0, slash))),
      title: plain(file.realPath),
      chips: chipsOf(file, t),
      counts: countsOf(file.addedLines, file.removedLines, t),
      openLabel: t('{0}, open diff. Full path: {1}', plain(file.path), plain(file.realPath)),
      changesLabel: t('Changes of {0}', plain(file.path)),
      ...chunk,
    };
  });
}

function chipsOf(file: ApprovalFile, t: Translate): Chip[] {
  const chips: Chip[] = [];
  if (file.unsaved) {
    const title = t('The change is made to the unsaved text in the editor, and stays unsaved.');
    chips.push({ text: t('unsaved changes'), tone: 'warning', title });
  }
  if (file.viaLink) {
    chips.push({ text: t('via link'), tone: 'warning', title: t('Really changes {0}', plain(file.realPath)) });
  }
  if (file.hardLinks > 1) {
    const title = t('This file has other names (hard links); they keep the old text.');
    chips.push({ text: t('{0} names', file.hardLinks), tone: 'warning', title });
  }
  if (file.protectedBy !== undefined) {
    chips.push({ text: t('protected'), tone: 'danger', title: t('Matches {0}', plain(file.protectedBy)) });
  }
  return chips;
}

function warningTexts(approval: Approval, changes: readonly FileChanges[], t: Translate): string[] {
  const ofFiles = changes.flatMap(({ warnings }, index) => {
    const path = approval.files[index]?.path ?? '';
    const texts = warnings.map((warning) => warningText(warning, t));
    return approval.files.length > 1 ? texts.map((text) => `${plain(path)}: ${text}`) : texts;
  });
  const hiddenWords = hiddenCharacters(approval.reason?.replaceAll(/\s+/g, ' ') ?? '');
  if (hiddenWords.length === 0) return ofFiles;
  return [...ofFiles, t('The assistant’s words contain hidden characters: {0}', hiddenWords.slice(0, 5).join(' '))];
}

function warningText(warning: Warning, t: Translate): string {
  const { kind } = warning;
  if (kind === 'hidden_characters') return t('Text contains hidden characters: {0}', warning.characters.join(' '));
  if (kind === 'mixed_line_ends') {
    const [usual, other] = [lineEndEscape(warning.usual), lineEndEscape(warning.other)];
    return t('Most lines of this file end with {0}; the lines marked {1} do not.', usual, other);
  }
  if (kind === 'unified_line_ends') {
    return warning.lines === 1
      ? t('Saving will also change the line end of 1 other line.')
      : t('Saving will also change the line ends of {0} other lines.', warning.lines);
  }
  if (kind === 'possible_secret') {
    const lines = warning.lines.join(', ');
    return warning.lines.length === 1
      ? t('This looks like a secret being added: line {0}', lines)
      : t('This looks like secrets being added: lines {0}', lines);
  }
  if (kind === 'whitespace_only') return t('Only white space changes.');
  return t('Large change: {0} lines, {1} % of the file.', warning.changedLines, warning.percent);
}

function quoted(reason: string): { text: string; escaped?: true }[] {
  return visibleText(shortened(reason.replaceAll(/[\t\n\r ]+/g, ' ').trim(), reasonLength));
}

function whyText(approval: Approval, t: Translate): string {
  const pattern = approval.files.find((file) => file.protectedBy !== undefined)?.protectedBy;
  return pattern === undefined
    ? t('Asked because: default for edit in Manual mode')
    : t('Asked because: protected by {0}', plain(pattern));
}

function detailsOf(approval: Approval, t: Translate): NonNullable<Card['why']>['details'] {
  const { credential, connectionId } = approval.principal;
  const caller = credential === 'window' ? t('this window’s own credential') : t('token “{0}”', plain(credential));
  return [
    { term: t('Tool'), value: plain(approval.tool) },
    { term: t('Arguments'), value: argumentsText(approval.arguments, t) },
    { term: t('Caller'), value: connectionId === undefined ? caller : `${caller}, ${plain(connectionId.slice(0, 8))}` },
    { term: t('Proposal'), value: approval.proposalHash.slice(0, 12) },
    { term: t('Asked'), value: { time: approval.requestedAt } },
    { term: t('Expires, nothing changed'), value: { time: approval.expiresAt } },
  ];
}

/** As sent, for who wants to know; what would change is in the card above. */
function argumentsText(value: unknown, t: Translate): string {
  const text = (JSON.stringify(value, undefined, 2) ?? '').split('\n').map(plain).join('\n');
  if (text.length <= shownArguments) return text;
  return `${text.slice(0, shownArguments)}\n${t('… {0} more characters', text.length - shownArguments)}`;
}

function waitingNotes(approval: Approval, isShown: boolean, { t, notes }: CardContext): string[] {
  const own: string[] = [];
  if (approval.state === 'applying') own.push(t('Applying…'));
  if (!isShown) own.push(t('The change cannot be shown, so it cannot be approved.'));
  if (approval.callReturned) own.push(t('The assistant no longer waits for the answer. Your decision still counts.'));
  if (approval.note !== undefined) own.push(plain(approval.note));
  return [...own, ...notes];
}

function approveButton(isProtected: boolean, target: string, t: Translate): Button {
  return isProtected
    ? { text: t('Approve once'), label: t('Approve once: edit of protected {0}', target) }
    : { text: t('Approve'), label: t('Approve edit of {0}', target) };
}

function diffButton(target: string, t: Translate): Button {
  return { text: t('Open diff'), label: t('Open diff of {0}', target) };
}

function declineControl(isProtected: boolean, target: string, t: Translate): Decline {
  return {
    text: t('Decline…'),
    label: t('Decline… edit of {0}', target),
    fieldLabel: t('Tell the assistant why (optional)'),
    send: { text: t('Decline'), label: t('Decline edit of {0}', target) },
    suggested: isProtected,
  };
}

/** Cut between characters, with an ellipsis. */
function shortened(text: string, length: number): string {
  const characters = Array.from(text.slice(0, length * 4));
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
