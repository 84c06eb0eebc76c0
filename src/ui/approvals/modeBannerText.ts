import type { Mode } from '#policy/rules.ts';
import type { ModeBanner } from '#ui/page/messages.ts';
import type { Translate } from './translate.ts';

/** How much assistants may do without asking, and how long. */
export interface ModeStatus {
  readonly mode: Mode;
  /** Milliseconds since the epoch; absent when it lasts until the user changes it. */
  readonly until?: number | undefined;
}

/** Stands for the time until the sentence is taken apart. */
const timeMark = '\0';

/** What a mode is called. */
export function modeName(mode: Mode, t: Translate): string {
  const names: Record<Mode, string> = {
    manual: t('Manual'),
    acceptEdits: t('Accept edits'),
    readOnly: t('Read-only'),
    unattended: t('Unattended'),
  };
  return names[mode];
}

/** What stands above the cards; nothing in the mode in which every change asks. */
export function modeBannerText({ mode, until }: ModeStatus, t: Translate): ModeBanner | undefined {
  if (mode === 'manual') return undefined;
  const time = until === undefined ? undefined : timeMark;
  const sentences: Record<Exclude<Mode, 'manual'>, string> = {
    acceptEdits:
      time === undefined
        ? t('Accept edits: edits inside the workspace are applied without asking.')
        : t('Accept edits: edits inside the workspace are applied without asking, until {0}.', time),
    unattended:
      time === undefined
        ? t('Unattended: edits and deletes are applied without asking; everything else that needs approval is refused.')
        : t(
            'Unattended: edits and deletes are applied without asking, until {0}; everything else that needs approval is refused.',
            time,
          ),
    readOnly: t('Read-only: assistants can only read.'),
  };
  const words = sentences[mode].split(timeMark);
  return {
    text: words.flatMap((part, index) => (index === 0 ? [part] : [{ time: until ?? 0 }, part])),
    tone: mode === 'unattended' ? 'warning' : 'plain',
    back: { text: t('Back to Manual'), label: t('Back to Manual: every change needs your approval') },
  };
}
