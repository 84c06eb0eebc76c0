import * as vscode from 'vscode';
import { type Assistant, assistantParts, type ConnectPart } from '../../assistant.ts';

interface Item extends vscode.QuickPickItem {
  readonly part: ConnectPart;
}

/**
 * Asks which parts to set up for an assistant. All that take nothing away are picked at first, so that one more key is enough.
 * @param setUp the parts that are set up now
 * @returns undefined when the user dismisses the question; only the server for an assistant without other parts, which asks nothing
 */
export async function chooseParts(
  assistant: Assistant,
  setUp: ReadonlySet<ConnectPart>,
): Promise<ReadonlySet<ConnectPart> | undefined> {
  const { t } = vscode.l10n;
  const { name } = assistant;
  const parts = partsOf(assistant);
  if (parts.length === 1) return new Set(parts);
  const atFirst = partsAtFirst(assistant);
  const picked = await vscode.window.showQuickPick(
    parts.map((part): Item => ({ part, ...words(part, assistant), picked: atFirst.has(part) || setUp.has(part) })),
    {
      canPickMany: true,
      title: t('Connect {0}', name),
      placeHolder: t('Choose what to set up. Disconnect takes all of it back.'),
      ignoreFocusOut: true,
    },
  );
  return picked && new Set(picked.map(({ part }) => part));
}

/** Returns the parts that an assistant gets when the user chooses none: all that take nothing away from it. */
export function partsAtFirst(assistant: Assistant): ReadonlySet<ConnectPart> {
  return new Set(partsOf(assistant).filter((part) => part !== 'only'));
}

/** Says in words which parts are set up. */
export function summaryOf(assistant: Assistant, parts: ReadonlySet<ConnectPart>): string {
  const labels = [...parts].map((part) => `• ${words(part, assistant).label}`);
  return [vscode.l10n.t('This sets up the following. Disconnect takes all of it back.'), ...labels].join('\n');
}

/** Returns the parts that an assistant has, the server entry first. */
export function partsOf({ parts = {} }: Assistant): readonly ConnectPart[] {
  return ['server', ...assistantParts.filter((part) => parts[part] !== undefined)];
}

/** Returns for each part of an assistant whether it is among these. */
export function wantedParts(assistant: Assistant, chosen: ReadonlySet<ConnectPart>) {
  return Object.fromEntries(partsOf(assistant).map((part) => [part, chosen.has(part)]));
}

function words(
  part: ConnectPart,
  { name, asksAnyway }: Assistant,
): { readonly label: string; readonly detail: string } {
  const { t } = vscode.l10n;
  switch (part) {
    case 'server':
      return {
        label: t('Tools of Drawbridge'),
        detail: t('{0} can search, read, edit and use language intelligence through Drawbridge.', name),
      };
    case 'guard':
      return {
        label: t('Approve its own edits before they are made'),
        detail: [
          t(
            'Edits that {0} makes with its own tools, and commands by which it changes files, wait for you in the Approvals view of the window.',
            name,
          ),
          t('Programs it runs may still change files: you see that afterwards.'),
          ...(asksAnyway === true
            ? [t('In its default mode, {0} still asks you itself after you approved.', name)]
            : []),
        ].join(' '),
      };
    case 'permission':
      return {
        label: t('Do not ask twice'),
        detail: t('{0} does not ask about the tools of Drawbridge, which ask you by themselves.', name),
      };
    case 'only':
      return {
        label: t('Only through Drawbridge'),
        detail: t('The edit tools of {0} itself are switched off, in every folder, until you take this back.', name),
      };
    default:
      return part satisfies never;
  }
}
