import * as vscode from 'vscode';
import type { ResultProfile } from '#call/resultProfile.ts';

/** Returns the names of the parts of a result. Images and sounds are always sent. */
export function partNames() {
  const { t } = vscode.l10n;
  return {
    text: t('Text'),
    structured: t('Structured data'),
    links: t('Links to files'),
    embedded: t('Copies of the files that were read'),
  } as const;
}

/** Lists the parts that are sent, including the text that is always sent when structured data is off. */
export function partsText(profile: ResultProfile): string {
  const names = partNames();
  const parts = [
    ...(profile.text || !profile.structured ? [names.text] : []),
    ...(profile.structured ? [names.structured] : []),
    ...(profile.links ? [names.links] : []),
    ...(profile.embedded ? [names.embedded] : []),
  ];
  return parts.join(', ');
}

export function bytesText(bytes: number | undefined): string {
  const { t } = vscode.l10n;
  return bytes === undefined ? t('No limit') : t('{0} KB', Math.round(bytes / 1000));
}

export function durationText(seconds: number): string {
  const { t } = vscode.l10n;
  if (seconds % 60 !== 0) return seconds === 1 ? t('1 second') : t('{0} seconds', seconds);
  return seconds === 60 ? t('1 minute') : t('{0} minutes', seconds / 60);
}

/** Returns the sentences of a tooltip that describe the result format. */
export function profileDetails(profile: ResultProfile): readonly string[] {
  const { t } = vscode.l10n;
  return [
    t('Its results hold: {0}.', partsText(profile)),
    t('One page of a list or search: {0}; one read: {1}.', bytesText(profile.pageBytes), bytesText(profile.readBytes)),
    t('A call waits for an approval for up to {0}.', durationText(profile.approvalSeconds)),
  ];
}
