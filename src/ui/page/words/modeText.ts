import type { Mode } from '#policy/rules.ts';
import type { Translate } from './translate.ts';

/** Returns the name of a mode. */
export function modeName(mode: Mode, t: Translate): string {
  const names: Record<Mode, string> = {
    manual: t('Manual'),
    acceptEdits: t('Accept edits'),
    readOnly: t('Read-only'),
    unattended: t('Unattended'),
  };
  return names[mode];
}
