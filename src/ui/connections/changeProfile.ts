import * as vscode from 'vscode';
import type { ClientInfo } from '#base/principal.ts';
import { notificationText } from '#base/untrustedText.ts';
import type { ResultProfile } from '#call/resultProfile.ts';
import { clientName } from '../page/words/clientText.ts';
import type { ClientProfiles } from './clientProfiles.ts';
import { bytesText, durationText, partNames, partsText } from './profileText.ts';

const pageSizes = [5000, 10_000, 25_000, 45_000, undefined];
const readSizes = [10_000, 25_000, 45_000, 65_536];
const holds = [10, 25, 60, 300, 600];

interface Act extends vscode.QuickPickItem {
  /** Undefined when the user cancels. */
  readonly run: () => Promise<Partial<ResultProfile> | 'reset' | undefined>;
}

/** The title and placeholder of a quick pick. */
type Words = Readonly<Required<Pick<vscode.QuickPickOptions, 'title' | 'placeHolder'>>>;

/** Lets the user change the result format of an assistant, one value at a time, each shown with its current value. */
export async function changeProfile(client: ClientInfo | undefined, profiles: ClientProfiles): Promise<void> {
  const { t } = vscode.l10n;
  if (client === undefined) {
    const message = t('This assistant does not report its name, so its result format cannot be changed.');
    void vscode.window.showInformationMessage(message);
    return;
  }
  const title = t('Result Format of {0}', notificationText(clientName(client, t)));
  const placeHolder = t('Applies to every assistant with this name, in every window');
  const acts = actsFor(profiles.inForce(client), profiles.isChanged(client), title);
  const changed = await (await vscode.window.showQuickPick(acts, { title, placeHolder }))?.run();
  if (changed === undefined) return;
  await (changed === 'reset' ? profiles.reset(client) : profiles.change(client, changed));
}

function actsFor(profile: ResultProfile, isChanged: boolean, title: string): readonly Act[] {
  const { t } = vscode.l10n;
  const { pageBytes, readBytes, approvalSeconds } = profile;
  const parts = t('Parts of a Result...');
  const page = t('Page Size of Lists and Searches...');
  const read = t('Largest Size of a Read...');
  const hold = t('Longest Wait for an Approval...');
  return [
    {
      label: parts,
      description: partsText(profile),
      run: () => chooseParts(profile, { title, placeHolder: withoutDots(parts) }),
    },
    {
      label: page,
      description: bytesText(pageBytes),
      async run() {
        const chosen = await chooseOne(pageSizes, pageBytes, bytesText, { title, placeHolder: withoutDots(page) });
        return chosen && { pageBytes: chosen.value };
      },
    },
    {
      label: read,
      description: bytesText(readBytes),
      async run() {
        const chosen = await chooseOne(readSizes, readBytes, bytesText, { title, placeHolder: withoutDots(read) });
        return chosen && { readBytes: chosen.value };
      },
    },
    {
      label: hold,
      description: durationText(approvalSeconds),
      async run() {
        const chosen = await chooseOne(holds, approvalSeconds, durationText, { title, placeHolder: withoutDots(hold) });
        return chosen && { approvalSeconds: chosen.value };
      },
    },
    ...(isChanged ? [{ label: t('Reset to the Built-In Format'), run: async () => 'reset' as const }] : []),
  ];
}

/** A result needs content, so the text is sent when the user chooses neither text nor structured data. */
async function chooseParts(profile: ResultProfile, words: Words): Promise<Partial<ResultProfile> | undefined> {
  const { t } = vscode.l10n;
  const names = partNames();
  const parts = (['text', 'structured', 'links', 'embedded'] as const).map((part) => ({
    part,
    label: names[part],
    picked: profile[part],
    ...(part === 'text' && { description: t('always sent when structured data is off') }),
  }));
  const chosen = await vscode.window.showQuickPick(parts, { ...words, canPickMany: true });
  if (chosen === undefined) return undefined;
  const has = (wanted: (typeof parts)[number]['part']): boolean => chosen.some(({ part }) => part === wanted);
  const structured = has('structured');
  return { text: has('text') || !structured, structured, links: has('links'), embedded: has('embedded') };
}

/** The current value comes first, so that Enter changes nothing. */
async function chooseOne<Value>(
  values: readonly Value[],
  current: Value,
  textOf: (value: Value) => string,
  words: Words,
): Promise<{ readonly value: Value } | undefined> {
  const others = values.filter((value) => value !== current);
  const choices = [
    { label: textOf(current), description: vscode.l10n.t('current'), value: current },
    ...others.map((value) => ({ label: textOf(value), value })),
  ];
  return vscode.window.showQuickPick(choices, words);
}

/** Returns the label of a choice without its dots, for the next step. */
function withoutDots(label: string): string {
  return label.replace(/\.\.\.$/, '');
}
