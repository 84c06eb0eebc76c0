import * as vscode from 'vscode';
import type { ResultProfile } from '../../core/resultProfile.ts';
import type { ClientInfo } from '../../ports/principal.ts';
import { clientName } from '../approvalsView/clientText.ts';
import type { ClientProfiles } from '../clientProfiles.ts';
import { notificationText } from '../untrustedText.ts';
import { bytesText, durationText, partNames, partsText } from './profileText.ts';

const pageSizes = [5000, 10_000, 25_000, 45_000, undefined];
const readSizes = [10_000, 25_000, 45_000, 65_536];
const holds = [10, 25, 60, 300, 600];

interface Act extends vscode.QuickPickItem {
  /** Undefined when the human thinks better of it. */
  readonly run: () => Promise<Partial<ResultProfile> | 'reset' | undefined>;
}

/** Lets the human say what an assistant is sent: one thing at a time, each shown with what is in force. */
export async function changeProfile(client: ClientInfo | undefined, profiles: ClientProfiles): Promise<void> {
  const { t } = vscode.l10n;
  if (client === undefined) {
    const message = t('This assistant does not say its name, so what it is sent cannot be changed.');
    void vscode.window.showInformationMessage(message);
    return;
  }
  const title = t('What {0} Is Sent', notificationText(clientName(client, t)));
  const placeHolder = t('Counts for every assistant of this name, in every window');
  const acts = actsFor(profiles.inForce(client), profiles.isChanged(client), title);
  const changed = await (await vscode.window.showQuickPick(acts, { title, placeHolder }))?.run();
  if (changed === undefined) return;
  await (changed === 'reset' ? profiles.reset(client) : profiles.change(client, changed));
}

function actsFor(profile: ResultProfile, isChanged: boolean, title: string): readonly Act[] {
  const { t } = vscode.l10n;
  const { pageBytes, readBytes, approvalSeconds } = profile;
  return [
    { label: t('Parts of a Result...'), description: partsText(profile), run: () => chooseParts(profile, title) },
    {
      label: t('Page of a List or Search...'),
      description: bytesText(pageBytes),
      async run() {
        const chosen = await chooseOne(pageSizes, pageBytes, bytesText, title);
        return chosen && { pageBytes: chosen.value };
      },
    },
    {
      label: t('Largest Read...'),
      description: bytesText(readBytes),
      async run() {
        const chosen = await chooseOne(readSizes, readBytes, bytesText, title);
        return chosen && { readBytes: chosen.value };
      },
    },
    {
      label: t('How Long an Approval May Hold a Call...'),
      description: durationText(approvalSeconds),
      async run() {
        const chosen = await chooseOne(holds, approvalSeconds, durationText, title);
        return chosen && { approvalSeconds: chosen.value };
      },
    },
    ...(isChanged ? [{ label: t('Reset to What Is Known of It'), run: async () => 'reset' as const }] : []),
  ];
}

/** Something has to be sent: the text, when neither it nor the data is chosen. */
async function chooseParts(profile: ResultProfile, title: string): Promise<Partial<ResultProfile> | undefined> {
  const { t } = vscode.l10n;
  const names = partNames();
  const parts = (['text', 'structured', 'links', 'embedded'] as const).map((part) => ({
    part,
    label: names[part],
    picked: profile[part],
    ...(part === 'text' && { description: t('sent in any case without structured data') }),
  }));
  const chosen = await vscode.window.showQuickPick(parts, { title, canPickMany: true });
  if (chosen === undefined) return undefined;
  const has = (wanted: (typeof parts)[number]['part']): boolean => chosen.some(({ part }) => part === wanted);
  const structured = has('structured');
  return { text: has('text') || !structured, structured, links: has('links'), embedded: has('embedded') };
}

/** The value in force is among the choices and comes first, so that Enter changes nothing. */
async function chooseOne<Value>(
  values: readonly Value[],
  current: Value,
  textOf: (value: Value) => string,
  title: string,
): Promise<{ readonly value: Value } | undefined> {
  const others = values.filter((value) => value !== current);
  const choices = [
    { label: textOf(current), description: vscode.l10n.t('now'), value: current },
    ...others.map((value) => ({ label: textOf(value), value })),
  ];
  return vscode.window.showQuickPick(choices, { title });
}
