import type { DeclineReason } from '../fromPage.ts';
import type { Decline } from './view.ts';
import type { Translate } from './translate.ts';

const reasonCodes: readonly DeclineReason[] = ['wrong_file', 'too_broad', 'do_it_differently', 'stop'];

/** A quick reason in the user's language. */
export function reasonText(code: DeclineReason, t: Translate): string {
  const texts: Record<DeclineReason, string> = {
    wrong_file: t('Wrong file'),
    too_broad: t('Too broad'),
    do_it_differently: t('Do it differently'),
    stop: t('Stop'),
  };
  return texts[code];
}

interface DeclineOptions {
  /** The declined change is one of files, so that one of them may be the wrong one. */
  readonly ofFiles: boolean;
}

/**
 * Everything that a card offers to decline with.
 * @param what names the change, such as "edit of src/a.ts"
 */
export function declineControl(what: string, client: string, { ofFiles }: DeclineOptions, t: Translate): Decline {
  const codes = reasonCodes.filter((code) => ofFiles || code !== 'wrong_file');
  return {
    text: t('Decline…'),
    label: t('Decline… {0}', what),
    fieldLabel: t('Tell the assistant why (optional)'),
    reasonsLabel: t('Reason'),
    reasons: codes.map((code) => ({ code, text: reasonText(code, t) })),
    send: { text: t('Decline'), label: t('Decline {0}', what) },
    pause: {
      text: t('Decline and pause this assistant'),
      label: t('Decline and pause this assistant, {0}: {1}', client, what),
    },
  };
}
